import pytest

from scorer.games import find_game
from scorer.games.points import GAME
from scorer.rules.questions import write
from tests.games import plain


def test_figures_of_a_table_that_cancels_come_to_nothing_on_the_form() -> None:
    (question,) = GAME.asks(plain.table("points", 3, {"zero_sum": True}))
    (other,) = GAME.asks(plain.table("points", 3))

    assert question.ask.total == 0
    assert other.ask is not None
    assert other.ask.total is None


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        pytest.param({"preset": "lowest", "name": "Hearts"}, "Hearts", id="named"),
        pytest.param("lowest", "Free points", id="a preset"),
        pytest.param({"preset": "pairs", "name": "In pairs"}, "Free points", id="as a preset"),
    ],
)
def test_session_calls_the_game_by_the_name_of_its_rules(rules: object, name: str) -> None:
    read, _ = GAME.rules_from(rules)

    assert str(GAME.name_in(write(read))) == name
    assert str(find_game("scopa").name_in({"name": "Ours"})) == "Scopa"
