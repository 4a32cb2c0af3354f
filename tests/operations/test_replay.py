from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import all_games
from scorer.operations import replay, score
from tests.data import golden
from tests.data.examples import NAMES
from tests.data.mistakes import DEAL, DOCUMENTS
from tests.data.rows import rows
from tests.data.strategies import examples, rule_sets, sheets
from tests.games.oracle import rules_of

EVENINGS = [
    pytest.param(evening.session, evening.answer, id=f"{game.slug}: {evening.name}")
    for game in all_games()
    for evening in golden.evenings(game)
]
SHEET: dict[str, Any] = DEAL["sheet"]
SESSION = DOCUMENTS["evening"]


def session_of(*deals: object, **changes: object) -> dict[str, Any]:
    return {**SESSION, "deals": list(deals), **changes}


def found(problems: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(problem["code"], problem["field"]) for problem in problems]


@pytest.mark.parametrize(("session", "expected"), EVENINGS)
def test_golden_evening_is_replayed(session: dict[str, Any], expected: dict[str, Any]) -> None:
    answer = replay(session)

    assert answer["problems"] == []
    for part in ("deals", "standings", "finished", "winners"):
        assert answer[part] == expected[part]
    assert answer.get("victory_points") == expected.get("victory_points")
    warnings = [f"{warning['code']} {warning['field']}" for warning in answer["warnings"]]
    assert warnings == expected["warnings"]


def test_answer_has_the_shape_of_the_contract() -> None:
    answer = replay(SESSION)

    assert list(answer) == [
        "ok",
        "deals",
        "standings",
        "finished",
        "winners",
        "problems",
        "warnings",
    ]
    keys = {"number", "dealer", "payouts", "won", "balances"}
    assert [set(row) for row in answer["deals"]] == [keys]
    assert {key for row in answer["standings"] for key in row} == {"place", "player", "balance"}


def test_faulty_session_is_answered_in_the_same_shape() -> None:
    answer = replay(session_of(DEAL, {"sheet": {**SHEET, "bid": "60"}}))

    assert answer["ok"] is answer["finished"] is False
    assert answer["deals"] == answer["standings"] == answer["winners"] == []
    assert found(answer["problems"]) == [("bid-range", "deals[1].sheet.bid")]


def test_file_full_of_faults_is_not_read_to_its_end() -> None:
    answer = replay(session_of(*[{}] * 5000))

    assert len(answer["problems"]) == 101
    assert found(answer["problems"])[-1] == ("too-many-problems", "")


@rows(__file__, "dealers")
def test_deal_goes_on_to_the_next_dealer_or_stays(outcome: str, rules: object, dealer: str) -> None:
    sheet = {"played": SHEET, "penalty": {"offender": "Ciro"}}.get(outcome)
    bid = "A" if "scighera" in str(rules) else "61"
    after = {"sheet": {**SHEET, "bid": bid}}

    answer = replay(session_of({"outcome": outcome, "sheet": sheet}, after, rules=rules))

    assert [row["dealer"] for row in answer["deals"]] == ["Ada", dealer]


def test_deals_played_on_are_told_before_other_warnings() -> None:
    session = {
        "game": "briscola-chiamata",
        "rules": {"preset": "classic", "session": {"end": "deals", "deals": 99}},
        "seats": list(NAMES[:5]),
        "deals": [{**DEAL, "dealer": "Ada"}] * 104,
    }

    answer = replay(session)

    assert answer["finished"]
    assert [one["code"] for one in answer["warnings"][:6]] == ["played-on"] * 5 + ["dealer-turn"]
    assert len(answer["warnings"]) == 101


def test_dealer_goes_all_round_the_table_and_begins_again() -> None:
    answer = replay(session_of({**DEAL, "dealer": "Dora"}, *[DEAL] * 5))

    assert [row["dealer"] for row in answer["deals"]] == [
        "Dora",
        "Ezio",
        "Ada",
        "Bea",
        "Ciro",
        "Dora",
    ]
    assert answer["warnings"] == []


def test_dealer_out_of_turn_is_odd_and_the_deal_goes_on_from_there() -> None:
    answer = replay(session_of(DEAL, {**DEAL, "dealer": "Dora"}, DEAL))

    assert [row["dealer"] for row in answer["deals"]] == ["Ada", "Dora", "Ezio"]
    assert found(answer["warnings"]) == [("dealer-turn", "deals[1].dealer")]


@rows(__file__, "thrown in")
def test_deal_after_one_thrown_in_counts_more(
    between: list[str], own: dict[str, int], paid: int
) -> None:
    sheet = {**SHEET, "bid": "A"}
    thrown = [{"outcome": outcome} for outcome in between]
    last = {"sheet": {**sheet, **own}}

    answer = replay(session_of(*thrown, last, {"sheet": sheet}, rules="scighera"))

    assert [row["payouts"]["Ada"] for row in answer["deals"][-2:]] == [paid, 2]


SEVEN = [*NAMES[:5], "Fulvia", "Gino"]


def test_rules_of_a_file_change_a_thousand_times_at_most() -> None:
    changed = {"outcome": "misdeal", "rules": "volata"}

    sound = replay(session_of(*[changed] * 1_000))
    answer = replay(session_of(*[changed] * 1_001))

    assert sound["ok"]
    assert found(answer["problems"]) == [("too-many-rules", "deals[1000].rules")]


BIGGER = {"preset": "classic", "sits_out": "dealer"}


def figures(answer: dict[str, Any]) -> list[dict[str, int]]:
    assert answer["ok"], answer["problems"]
    return [row["payouts"] for row in answer["deals"]]


def test_rules_of_a_deal_hold_from_it_on() -> None:
    alone = {"sheet": {**SHEET, "card_points": 120}}
    none = {"score": {"cappotto": None}}

    answer = replay(session_of(alone, {**alone, "rules": none}, alone))

    assert [paid["Ada"] for paid in figures(answer)] == [4, 2, 2]


def test_seats_of_a_deal_hold_from_it_on_and_the_deal_goes_round_by_them() -> None:
    other = ["Ada", "Fulvia", "Bea", "Ciro", "Dora"]
    seats = [*NAMES[:5], "Fulvia"]
    deals = [{**DEAL, "seats": list(NAMES[:5])}, {**DEAL, "seats": other}, DEAL]

    answer = replay(session_of(*deals, seats=seats))

    assert [set(paid) for paid in figures(answer)] == [set(NAMES[:5]), set(other), set(other)]
    assert [row["dealer"] for row in answer["deals"]] == ["Ada", "Fulvia", "Bea"]
    assert [row["balances"]["Fulvia"] for row in answer["deals"]] == [0, -1, -2]
    assert answer["warnings"] == []


def test_seven_at_the_table_play_five_where_each_deal_names_who_sits_out() -> None:
    deals = [
        {"sheet": {**SHEET, "caller": "Dora", "partner": None}, "sits_out": ["Gino", "Ada"]},
        {"sheet": SHEET, "sits_out": ["Dora", "Ezio"]},
    ]

    answer = replay(session_of(*deals, seats=SEVEN, rules=BIGGER))

    assert [set(SEVEN) - set(paid) for paid in figures(answer)] == [
        {"Gino", "Ada"},
        {"Dora", "Ezio"},
    ]


def test_rules_and_seats_may_change_to_fit_each_other() -> None:
    four = {**DEAL, "rules": "four-balanced", "seats": list(NAMES[:4])}

    answer = replay(session_of(DEAL, four, DEAL))

    assert [len(paid) for paid in figures(answer)] == [5, 4, 4]


@st.composite
def evenings(draw: st.DrawFn) -> dict[str, Any]:
    """Give a sound session with random rules, dealers and outcomes."""
    override = draw(rule_sets())
    rules = rules_of(override)
    count = rules["players"] + (draw(st.integers(0, 1)) if rules["sits_out"] else 0)
    seats = list(draw(st.permutations(NAMES[:count])))
    deals = []
    for outcome in draw(
        st.lists(st.sampled_from(["played"] * 4 + ["misdeal", "thrown-in"]), max_size=8)
    ):
        dealer = draw(st.sampled_from(seats))
        playing = [name for name in seats if name != dealer or count == rules["players"]]
        sheet = draw(sheets(rules, playing)) | {"times": 1} if outcome == "played" else None
        deals.append({"outcome": outcome, "dealer": dealer, "sheet": sheet})
    opening = {name: draw(st.integers(-20, 20)) for name in seats[:2]}
    return {
        "format": "scorer-session/1",
        "game": "briscola-chiamata",
        "rules": override,
        "seats": seats,
        "opening": opening,
        "deals": deals,
    }


@examples(60)
@given(evenings())
def test_replay_equals_scoring_deal_by_deal(session: dict[str, Any]) -> None:
    answer = replay(session)
    running = dict.fromkeys(session["seats"], 0) | session["opening"]
    shared = {key: session[key] for key in ("game", "rules", "seats")}

    assert answer["ok"], answer["problems"]
    for deal, row in zip(session["deals"], answer["deals"], strict=True):
        request = {**shared, "sheet": deal["sheet"], "dealer": deal["dealer"]}
        payouts = score(request)["payouts"] if deal["outcome"] == "played" else {}
        running = {name: running[name] + payouts.get(name, 0) for name in running}
        assert row["payouts"] == payouts
        assert row["balances"] == running
        assert row["dealer"] == deal["dealer"]
    assert {row["player"]: row["balance"] for row in answer["standings"]} == running
    assert [row["balance"] for row in answer["standings"]] == sorted(running.values(), reverse=True)


@examples(40)
@given(evenings())
def test_beginning_of_a_session_is_replayed_alike(session: dict[str, Any]) -> None:
    whole = replay(session)
    for count in range(len(session["deals"])):
        part = replay({**session, "deals": session["deals"][:count]})

        assert part["deals"] == whole["deals"][:count]
        if part["finished"]:
            assert part["winners"] == whole["winners"]
