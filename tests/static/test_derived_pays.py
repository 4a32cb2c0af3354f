"""What a page says that the answers of a derived form pay, held to what the server pays."""

from random import Random
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer.games import find_game
from scorer.web.deals.entry_forms import deal_form
from tests.games.plain import table
from tests.static.conftest import CallScript

SCRIPT = "deals/derived_sums.js"
ROUNDS = 30


def points(draw: Random, count: int) -> dict[str, str]:
    return {f"points-{side}": str(draw.randint(-50, 50)) for side in range(count)}


def scala(draw: Random, count: int) -> dict[str, str]:
    closed = draw.randrange(count)
    held = {f"hands-{seat}": str(draw.randint(1, 90)) for seat in range(count) if seat != closed}
    in_hand = {"closed_in_hand": "y"} if draw.random() < 0.5 else {}
    return {**held, **in_hand, "closed": str(closed)}


def briscola(draw: Random, _: int) -> dict[str, str]:
    share = draw.choice([0, 40, 59, 60, 61, 80, 120])
    return {"card_points-0": str(share), "card_points-1": str(120 - share)}


def tressette(draw: Random, _: int) -> dict[str, str]:
    share = draw.randint(0, 11)
    return {"hand_points-0": str(share), "hand_points-1": str(11 - share)}


@pytest.mark.parametrize(
    ("slug", "answer", "count", "rules"),
    [
        pytest.param("points", points, 3, "highest", id="points"),
        pytest.param("points", points, 4, "pairs", id="points in pairs"),
        pytest.param("scala-quaranta", scala, 4, None, id="scala"),
        pytest.param("scala-quaranta", scala, 4, {"closed_in_hand_times": 2}, id="scala, twice"),
        pytest.param("briscola", briscola, 2, None, id="briscola"),
        pytest.param("briscola", briscola, 4, None, id="briscola in pairs"),
        pytest.param("tressette", tressette, 4, None, id="tressette"),
    ],
)
def test_script_pays_answers_as_the_server_does(
    call_script: CallScript, slug: str, answer: Any, count: int, rules: Any
) -> None:
    game, draw, at = find_game(slug), Random(slug), table(slug, count, rules)
    answers = [answer(draw, 2 if rules == "pairs" else count) for _ in range(ROUNDS)]
    forms = [deal_form(game).at(game, at, MultiDict(each)) for each in answers]
    pays = forms[0].pays()

    told = call_script(SCRIPT, [("paidBy", [pays, each]) for each in answers])

    sheets = [game.read_sheet(form.sheet(), at)[0] for form in forms]
    assert told == [
        {str(seat): paid for seat, paid in game.score(sheet, at).payouts.items()}
        for sheet in sheets
    ]


@pytest.mark.parametrize(
    ("slug", "more"),
    [
        pytest.param("scala-quaranta", {"buy_in-1": "y"}, id="somebody comes back in"),
        pytest.param("tressette", {"declarations-0-C": "0"}, id="something was declared"),
        pytest.param("briscola", {"card_points-1": "5"}, id="not all is shared out"),
    ],
)
def test_what_only_the_server_can_tell_pays_nothing(
    call_script: CallScript, slug: str, more: dict[str, str]
) -> None:
    game, at = find_game(slug), table(slug, 4 if slug == "tressette" else 2)
    first = {"scala-quaranta": scala, "tressette": tressette, "briscola": briscola}[slug]
    answers = first(Random(1), 2) | more
    pays = deal_form(game).at(game, at, MultiDict(answers)).pays()

    assert call_script(SCRIPT, [("paidBy", [pays, answers])]) == [None]


def test_games_of_many_counts_tell_no_payouts() -> None:
    for slug in ("scopa", "burraco"):
        assert deal_form(find_game(slug)).at(find_game(slug), table(slug)).pays() is None
