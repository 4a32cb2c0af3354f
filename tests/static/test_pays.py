"""What the answers of a form pay by the data of its page, held to what the server pays."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorer.games import all_games, find_game
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.questions import Reading
from scorer.rules.questions import read as read_answers
from scorer.rules.seats import Seat, all_seats
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.entry_forms.derived import DerivedForm
from tests.data.golden import SEATS, cases
from tests.data.rows import rows
from tests.data.strategies import bids, examples, requests, rule_sets
from tests.games.oracle import rules_of
from tests.games.plain import table
from tests.static.conftest import CallScript

SCRIPT = "deals/pays.js"
GAMES = [
    game.slug for game in all_games() if not game.has_auction and deal_form(game) is not DerivedForm
]
CHIAMATA = find_game("briscola-chiamata")
#: The problems that a phone finds by itself.
CONTRADICTIONS = {"bid-style", "wrong-result", "out-of-range", "points-tricks", "wrong-cappotto"}


def asked(at: Table[Any], slug: str, answers: dict[str, str]) -> tuple[str, list[Any]]:
    """Return the question to the script what the answers of a form pay."""
    game = find_game(slug)
    form = deal_form(game).at(game, at, MultiDict(answers))
    return "paidBy", [form.pays(), answers, [*at.active], 1]


def scored(at: Table[Any], slug: str, answers: Any) -> tuple[dict[str, int], tuple[str, list[Any]]]:
    """Return what the server pays for a sheet, and the question to the script."""
    game = find_game(slug)
    read, problems = game.read_sheet(answers, at)
    assert read, problems
    paid = game.score(read, at).payouts
    return {str(seat): n for seat, n in paid.items()}, asked(at, slug, deal_form(game).values(read))


@pytest.mark.parametrize("slug", GAMES)
def test_script_pays_worked_examples_as_the_server_does_or_leaves_them_to_it(
    call_script: CallScript, slug: str
) -> None:
    game, pairs = find_game(slug), []
    for one, case in cases("sheets"):
        if one == slug and "payouts" in case and "problems" not in case:
            rules, seats = game.rules_from(case.get("rules"))[0], SEATS[: case["players"][0]]
            active = tuple(Seat(seat) for seat in range(len(seats)))
            pairs.append(scored(Table(rules, seats, active), slug, case["sheet"]))

    told = call_script(SCRIPT, [question for _, question in pairs])

    known = [(one["paid"], paid) for one, (paid, _) in zip(told, pairs, strict=True) if one]
    assert len(known) > len(pairs) / 5
    assert [one for one, _ in known] == [paid for _, paid in known]


@rows(__file__, "untold")
def test_what_only_the_server_can_tell_pays_nothing(
    call_script: CallScript, slug: str, answers: dict[str, str]
) -> None:
    assert call_script(SCRIPT, [asked(table(slug), slug, answers)]) == [None]


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
    answers = {f"hand_points-{n}": str(p) for n, p in enumerate(points)}
    at = table("tressette", len(points), rules)

    (told,) = call_script(SCRIPT, [asked(at, "tressette", answers)])

    assert (told and list(told["paid"].values())) == paid


def test_same_dealer_deals_again_where_a_drawn_deal_is_replayed(call_script: CallScript) -> None:
    at = table("briscola", 2, {"drawn": "replay"})
    questions = [
        scored(at, "briscola", {"card_points": points})[1] for points in ([60, 60], [61, 59])
    ]

    assert [one["again"] for one in call_script(SCRIPT, questions)] == [True, False]


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_penalty_pays_what_the_server_pays(call_script: CallScript, slug: str) -> None:
    game = find_game(slug)
    rules = game.preset
    at = table(slug, min(max(game.seating(rules).playing), 6), rules.slug)
    pays = deal_form(game).at(game, at).pays()

    told = call_script(SCRIPT, [("fined", [pays, seat, [*at.active]]) for seat in at.active])

    assert told == [
        {str(seat): n for seat, n in game.penalty(offender, at).payouts.items()}
        for offender in at.active
    ]


@examples(200)
@given(requests())
def test_script_pays_a_call_as_the_server_does(
    call_script: CallScript, request: dict[str, Any]
) -> None:
    rules, problems = CHIAMATA.rules_from(request["rules"])
    seats = all_seats(len(request["seats"]))
    at = Table(rules, tuple(request["seats"]), seats, seats)
    sheet, wrong = CHIAMATA.read_sheet(request["sheet"], at)
    assume(not problems and not wrong and sheet is not None)
    assume(compare(call_script, at, deal_form(CHIAMATA).values(sheet)))


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param({"partner": "Bea", "card_points": 80, "blind": True}, id="blind, made"),
        pytest.param({"partner": None, "card_points": 40, "blind": True}, id="blind, alone"),
        pytest.param({"partner": "Bea", "card_points": 80, "blind": True, "times": 3}, id="thrice"),
        pytest.param({"partner": "Bea", "card_points": 120}, id="cappotto"),
    ],
)
def test_script_pays_a_bid_as_the_server_does(
    call_script: CallScript, answers: dict[str, Any]
) -> None:
    at = table("briscola-chiamata", 5, {"preset": "classic", "score": {"blind": 2}})
    sheet, _ = CHIAMATA.read_sheet({"caller": "Ada", "bid": "75", **answers}, at)
    assert compare(call_script, at, deal_form(CHIAMATA).values(sheet))


def compare(call_script: CallScript, at: Table[Any], answers: dict[str, str]) -> bool:
    """Compare what the answers of a form pay, and how often the next deal counts.

    The card that was called pays nothing, and by some rules the form asks for no bid. Return False
    for a bid that it can't say.
    """
    form, unasked = deal_form(CHIAMATA), ["suit", "called_rank"]
    if not (at.rules.offers_ranks or at.rules.offers_points):
        unasked += ["bid_rank", "bid_points"]
    answers = {name: value for name, value in answers.items() if name not in unasked}
    sheet, wrong = CHIAMATA.read_sheet(form.at(CHIAMATA, at, MultiDict(answers)).sheet(), at)
    if sheet is None:
        assert {problem.field for problem in wrong} == {"sheet.bid"}
        return False
    score = CHIAMATA.score(sheet, at)
    turn = Turn(at.active[0], sheet.times)
    after = CHIAMATA.turn_after(turn, Outcome.PLAYED, at.active, at.rules, sheet)

    (answer,) = call_script(SCRIPT, [asked(at, CHIAMATA.slug, answers)])

    assert answer["paid"] == {str(seat): amount for seat, amount in score.payouts.items()}
    assert (answer["made"], answer["next"]) == (score.made, after.times)
    return True


@examples(200)
@given(st.data())
def test_script_finds_the_contradiction_that_the_server_finds(
    call_script: CallScript, data: Any
) -> None:
    override = data.draw(rule_sets())
    whole = rules_of(override)
    end = data.draw(endings(whole["cards_each"]))
    compare_contradictions(call_script, override, data.draw(bids(whole)), end)


@st.composite
def endings(draw: st.DrawFn, tricks: int) -> dict[str, str]:
    """Give what a form may say about the end of a deal: the points, the result or a cappotto."""
    points = st.sampled_from([0, 60, 61, 120]) | st.integers(2, 118)
    told = st.fixed_dictionaries({"card_points": points.map(str)})
    told |= st.fixed_dictionaries({"result": st.sampled_from(["made", "missed"])})
    told |= st.fixed_dictionaries({"cappotto": st.sampled_from(["caller", "others"])})
    counted = draw(st.none() | st.sampled_from([0, 0, tricks]) | st.integers(0, tricks))
    return draw(told) | ({} if counted is None else {"tricks_won": str(counted)})


@rows(__file__, "contradictions")
def test_script_finds_a_contradiction_as_the_server_does(
    call_script: CallScript, end: dict[str, str], field: str | None
) -> None:
    assert compare_contradictions(call_script, {"preset": "classic"}, "75", end) == field


@pytest.mark.parametrize("style", ["points", "ladder", "ladder-then-points", "none"])
def test_script_refuses_a_rank_that_would_need_nothing(call_script: CallScript, style: str) -> None:
    override = {"preset": "classic", "auction": {"style": style}, "floor": 0}

    assert compare_contradictions(call_script, override, "K", {"card_points": "70"}) == "bid"


def compare_contradictions(
    call_script: CallScript, override: dict[str, Any], bid: Any, end: dict[str, str]
) -> str | None:
    """Compare the question that the script finds wrong with the server's, and return it."""
    rules, _ = CHIAMATA.rules_from(override)
    form, seats = deal_form(CHIAMATA), all_seats(rules.players)
    at = Table(rules, SEATS[: len(seats)], seats, seats)

    def read(answers: Any) -> Any:
        reading = Reading(at.seats, CHIAMATA.deck(rules))
        sheet = read_answers(CHIAMATA.sheet_type, answers, reading, "sheet")
        assert not reading.problems
        return sheet

    called = read({"caller": SEATS[0], "partner": SEATS[1], "bid": bid, "card_points": 70})
    answers = {**form.start_values(called), "partner": "1", **end}
    sheet = read(form.at(CHIAMATA, at, MultiDict(answers)).sheet())
    wrong = [one.field for one in CHIAMATA.problems(sheet, at) if one.code in CONTRADICTIONS]
    found = form.shown_at.get(wrong[0], wrong[0]) if wrong else None

    pays = form.at(CHIAMATA, at).pays()
    assert call_script(SCRIPT, [("contradicted", [pays["called"], answers])]) == [found]
    return found


def test_deal_after_draws_counts_a_hundred_times_at_most(call_script: CallScript) -> None:
    rules = {
        "preset": "ladder-bands",
        "draw": {"card_points": 60, "times": 2},
        "throw_in": {"max_points": 0, "compound": True},
    }
    answers = {"caller": "0", "partner": "1", "bid_points": "61", "card_points": "60"}
    at = table("briscola-chiamata", 5, rules)

    for counts, then in ((49, 98), (50, 100), (64, 100)):
        question = asked(at, CHIAMATA.slug, {**answers, "times": str(counts)})
        (answer,) = call_script(SCRIPT, [question])
        assert answer["next"] == then == at.rules.carried(counts, 2)
