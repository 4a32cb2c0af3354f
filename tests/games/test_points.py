from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import find_game
from scorer.games.points import GAME
from scorer.operations import score
from scorer.rules.questions import write
from tests.data.strategies import examples
from tests.games import plain


def points(*figures: int) -> dict[str, Any]:
    return {"points": list(figures)}


def test_figures_of_a_table_that_cancels_come_to_nothing_on_the_form() -> None:
    (question,) = GAME.asks(plain.table("points", 3, {"zero_sum": True}))
    (other,) = GAME.asks(plain.table("points", 3))

    assert question.ask.total == 0
    assert other.ask is not None
    assert other.ask.total is None


@examples(100)
@given(st.data(), st.integers(2, 20), st.booleans())
def test_payouts_are_the_figures_and_cancel_where_they_must(
    data: st.DataObject,
    count: int,
    zero_sum: bool,  # noqa: FBT001  # Hypothesis draws it
) -> None:
    figures = data.draw(st.lists(st.integers(-500, 500), min_size=count, max_size=count))
    names = [f"player {number}" for number in range(count)]
    answer = score(
        {"game": "points", "rules": {"zero_sum": zero_sum}, "seats": names,
         "sheet": points(*figures)}
    )  # fmt: skip

    assert answer["ok"] == (not zero_sum or sum(figures) == 0)
    if answer["ok"]:
        assert list(answer["payouts"].values()) == figures
        assert len(answer["why"]) == count


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
