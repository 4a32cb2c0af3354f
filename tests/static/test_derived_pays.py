"""What a page says that the answers of a derived form pay, held to what the server pays."""

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scorer.games import all_games, find_game
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.web.deals.entry_forms import deal_form
from tests.data.golden import SEATS, cases
from tests.data.rows import rows
from tests.games.plain import table
from tests.static.conftest import CallScript

SCRIPT = "deals/derived_sums.js"
GAMES = [game.slug for game in all_games() if not game.has_auction]


def asked(slug: str, at: Table[Any], answers: Any) -> tuple[dict[Seat, int], tuple[str, list[Any]]]:
    """Give what the server pays for a sheet, and the question to the script."""
    game = find_game(slug)
    read, problems = game.read_sheet(answers, at)
    assert read, problems
    filled = MultiDict(deal_form(game).values(read))
    form = deal_form(game).at(game, at, filled)
    return game.score(read, at).payouts, ("paidBy", [form.pays(), filled.to_dict()])


@pytest.mark.parametrize("slug", GAMES)
def test_script_pays_worked_examples_as_the_server_does_or_leaves_them_to_it(
    call_script: CallScript, slug: str
) -> None:
    game, pairs = find_game(slug), []
    for one, case in cases("sheets"):
        if one == slug and "payouts" in case and "problems" not in case:
            rules, seats = game.rules_from(case.get("rules"))[0], SEATS[: case["players"][0]]
            active = tuple(Seat(seat) for seat in range(len(seats)))
            pairs.append(asked(slug, Table(rules, seats, active), case["sheet"]))

    told = call_script(SCRIPT, [question for _, question in pairs])

    known = [(one["paid"], paid) for one, (paid, _) in zip(told, pairs, strict=True) if one]
    assert len(known) > len(pairs) / 4
    assert [one for one, _ in known] == [{str(s): n for s, n in paid.items()} for _, paid in known]


@rows(__file__, "untold")
def test_what_only_the_server_can_tell_pays_nothing(
    call_script: CallScript, slug: str, answers: dict[str, str]
) -> None:
    game = find_game(slug)
    pays = deal_form(game).at(game, table(slug), MultiDict(answers)).pays()

    assert call_script(SCRIPT, [("paidBy", [pays, answers])]) == [None]


@pytest.mark.parametrize(
    ("rules", "points", "paid"),
    [
        pytest.param({"cappotto_times": 2}, [11, 0], [22, 0], id="all points"),
        pytest.param({"cappotto": "tricks"}, [11, 0], None, id="every trick or not"),
        pytest.param({"cappotto": "tricks"}, [10, 1], [10, 1], id="not every trick"),
        pytest.param({"cappotto_times": 2}, [0, 10, 0], None, id="ten of three"),
        pytest.param({"cappotto_times": 1}, [0, 10, 0], [0, 10, 0], id="ten of three, once"),
    ],
)
def test_cappotto_of_tressette_is_paid_where_the_phone_can_tell(
    call_script: CallScript, rules: dict[str, Any], points: list[int], paid: list[int] | None
) -> None:
    game, answers = (
        find_game("tressette"),
        {f"hand_points-{n}": str(p) for n, p in enumerate(points)},
    )
    at = table("tressette", len(points), rules)
    pays = deal_form(game).at(game, at, MultiDict(answers)).pays()

    (told,) = call_script(SCRIPT, [("paidBy", [pays, answers])])

    assert (told and list(told["paid"].values())) == paid


def test_same_dealer_deals_again_where_a_drawn_deal_is_replayed(call_script: CallScript) -> None:
    questions = [
        asked("briscola", table("briscola", 2, {"drawn": "replay"}), {"card_points": points})[1]
        for points in ([60, 60], [61, 59])
    ]

    assert [one["again"] for one in call_script(SCRIPT, questions)] == [True, False]
