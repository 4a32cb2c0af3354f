from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import all_games
from scorer.operations import replay, score
from tests.data import golden
from tests.data.examples import NAMES
from tests.data.strategies import examples, rule_sets, sheets
from tests.games.oracle import rules_of

EVENINGS = [
    pytest.param(evening.session, evening.answer, id=f"{game.slug}: {evening.name}")
    for game in all_games()
    for evening in golden.evenings(game)
]
SHEET: dict[str, Any] = {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 61}
DEAL: dict[str, Any] = {"sheet": SHEET}
SESSION: dict[str, Any] = {
    "format": "scorer-session/1",
    "game": "briscola-chiamata",
    "rules": "classic",
    "seats": list(NAMES[:5]),
    "deals": [DEAL],
}


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
    assert [set(row) for row in answer["deals"]] == [{"number", "dealer", "payouts", "balances"}]
    assert {key for row in answer["standings"] for key in row} == {"place", "player", "balance"}


def test_faulty_session_is_answered_in_the_same_shape() -> None:
    answer = replay(session_of(DEAL, {"sheet": {**SHEET, "bid": "60"}}))

    assert answer["ok"] is answer["finished"] is False
    assert answer["deals"] == answer["standings"] == answer["winners"] == []
    assert found(answer["problems"]) == [("bid-range", "deals[1].sheet.bid")]


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({"format": "scorer-session/2"}, [("unknown-format", "format")],
                     id="another format"),
        pytest.param({"format": None}, [("unknown-format", "format")], id="null for a format"),
        pytest.param({"game": "whist"}, [("unknown-game", "game")], id="no such game"),
        pytest.param({"rules": {"floor": "x"}}, [("wrong-type", "rules.floor")], id="wrong rules"),
        pytest.param({"seats": list(NAMES[:4])}, [("seats-count", "seats")], id="four for five"),
        pytest.param({"title": 5}, [("wrong-type", "title")], id="a number for a title"),
        pytest.param({"date": 20261120}, [("wrong-type", "date")], id="a number for a date"),
        pytest.param({"deals": None}, [("wrong-type", "deals")], id="null for deals"),
        pytest.param({"deals": DEAL}, [("wrong-type", "deals")], id="one deal alone"),
        pytest.param({"deals": [5]}, [("wrong-type", "deals[0]")], id="a number for a deal"),
        pytest.param({"notes": []}, [("unknown-key", "notes")], id="a key that nobody knows"),
        pytest.param({"opening": [1, 2]}, [("wrong-type", "opening")], id="a list of balances"),
        pytest.param({"opening": 0}, [("wrong-type", "opening")], id="a balance for all"),
        pytest.param({"opening": {"Zoe": 1}}, [("unknown-name", "opening.Zoe")], id="a stranger"),
        pytest.param({"opening": {"Ada": "1"}}, [("wrong-type", "opening.Ada")],
                     id="a balance in quotes"),
        pytest.param({"opening": {"Ada": None}}, [("wrong-type", "opening.Ada")],
                     id="null for a balance"),
        pytest.param({"opening": {"Ada": 10**30}}, [("out-of-range", "opening.Ada")],
                     id="a monstrous balance"),
        pytest.param({"opening": {"Ada": -(10**30)}}, [("out-of-range", "opening.Ada")],
                     id="a monstrous debt"),
        pytest.param(
            {"format": 1, "title": [], "seats": ["Ada"] * 5, "opening": 5, "deals": 5, "x": 1},
            [("unknown-key", "x"), ("unknown-format", "format"), ("wrong-type", "title"),
             *[("duplicate-name", f"seats[{seat}]") for seat in range(1, 5)],
             ("wrong-type", "deals")],
            id="every fault at once",
        ),
    ],
)  # fmt: skip
def test_wrong_session_gets_every_problem_with_its_path(
    change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    assert found(replay({**SESSION, **change})["problems"]) == problems


@pytest.mark.parametrize("key", ["game", "seats", "deals"])
def test_key_that_must_be_there_is_missed(key: str) -> None:
    session = {name: value for name, value in SESSION.items() if name != key}

    assert found(replay(session)["problems"]) == [("missing-key", key)]


@pytest.mark.parametrize("document", [None, [], "replay", 5, [SESSION]])
def test_what_is_no_object_is_one_problem(document: object) -> None:
    assert found(replay(document)["problems"]) == [("wrong-type", "")]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"opening": None}, id="no opening"),
        pytest.param({"opening": {}}, id="an empty opening"),
        pytest.param({"title": None, "date": None}, id="neither title nor date"),
        pytest.param({"deals": [{**DEAL, "dealer": None, "sits_out": None}]}, id="nobody named"),
        pytest.param({"deals": [{**DEAL, "sits_out": [], "play": None}]}, id="nobody sits out"),
        pytest.param({"deals": [{"outcome": "misdeal", "sheet": None}]}, id="no sheet"),
    ],
)
def test_what_may_be_left_out_may_be_null(change: dict[str, Any]) -> None:
    assert replay({**SESSION, **change})["ok"]


@pytest.mark.parametrize(
    ("deal", "problems"),
    [
        pytest.param({"outcome": "played"}, [("missing-key", "sheet")], id="played, not written"),
        pytest.param({"outcome": "penalty"}, [("missing-key", "sheet")], id="a penalty for whom"),
        pytest.param({"outcome": "penalty", "sheet": SHEET},
                     [("missing-key", "sheet.offender"),
                      *[("unknown-key", f"sheet.{key}") for key in SHEET]],
                     id="a penalty with the sheet of a deal"),
        pytest.param({"outcome": "penalty", "sheet": {"offender": "Zoe"}},
                     [("unknown-name", "sheet.offender")], id="a penalty for a stranger"),
        pytest.param({"outcome": "rained off"}, [("unknown-choice", "outcome")], id="no outcome"),
        pytest.param({"outcome": 5}, [("wrong-type", "outcome")], id="a number for an outcome"),
        pytest.param({"outcome": None}, [("wrong-type", "outcome")], id="null for an outcome"),
        pytest.param({**DEAL, "outcome": "misdeal"}, [("unexpected-sheet", "sheet")],
                     id="a misdeal with a sheet"),
        pytest.param({**DEAL, "outcome": "thrown-in"}, [("unexpected-sheet", "sheet")],
                     id="thrown in with a sheet"),
        pytest.param({**DEAL, "dealer": "Zoe"}, [("unknown-name", "dealer")], id="stranger deals"),
        pytest.param({**DEAL, "dealer": 0}, [("wrong-type", "dealer")], id="a number deals"),
        pytest.param({**DEAL, "sits_out": ["Zoe"]}, [("unknown-name", "sits_out[0]")],
                     id="a stranger sits out"),
        pytest.param({**DEAL, "sits_out": "Ezio"}, [("wrong-type", "sits_out")],
                     id="one name alone sits out"),
        pytest.param({**DEAL, "sits_out": ["Ezio"] * 21}, [("seats-count", "sits_out")],
                     id="more names than a table has places"),
        pytest.param({**DEAL, "sits_out": {}}, [("wrong-type", "sits_out")],
                     id="an object sits out"),
        pytest.param({**DEAL, "sits_out": [5]}, [("wrong-type", "sits_out[0]")],
                     id="a number sits out"),
        pytest.param({**DEAL, "sits_out": ["Ezio"]}, [("seats-count", "sits_out")],
                     id="nobody may sit out"),
        pytest.param({**DEAL, "play": []}, [("wrong-type", "play")], id="a list for the play"),
        pytest.param({**DEAL, "number": 1}, [("unknown-key", "number")], id="a key nobody knows"),
        pytest.param({"sheet": {**SHEET, "partner": "Ada"}},
                     [("caller-is-partner", "sheet.partner")], id="a fault in the sheet"),
        pytest.param({"outcome": "penalty", "sheet": 5, "dealer": "Zoe", "play": 5, "x": 1},
                     [("unknown-key", "x"), ("wrong-type", "play"), ("unknown-name", "dealer"),
                      ("wrong-type", "sheet")], id="every fault at once"),
    ],
)  # fmt: skip
def test_wrong_deal_gets_every_problem_with_its_path(
    deal: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    answer = replay(session_of(DEAL, deal, DEAL))

    assert found(answer["problems"]) == [(code, f"deals[1].{field}") for code, field in problems]


def test_faults_of_every_deal_are_found() -> None:
    answer = replay(session_of({"outcome": "x"}, {"sheet": {**SHEET, "bid": "60"}}, {"sheet": {}}))

    assert found(answer["problems"]) == [
        ("unknown-choice", "deals[0].outcome"),
        ("bid-range", "deals[1].sheet.bid"),
        *[("missing-key", f"deals[2].sheet.{key}") for key in ("caller", "bid", "partner")],
    ]


def test_file_full_of_faults_is_not_read_to_its_end() -> None:
    answer = replay(session_of(*[{}] * 5000))

    assert len(answer["problems"]) == 101
    assert found(answer["problems"])[-1] == ("too-many-problems", "")


@pytest.mark.parametrize(
    ("outcome", "rules", "dealer"),
    [
        ("played", "classic", "Bea"),
        ("misdeal", "classic", "Ada"),
        ("redeal", "classic", "Ada"),
        ("penalty", "classic", "Ada"),
        ("thrown-in", "classic", "Ada"),
        ("all-passed", "classic", "Bea"),
        ("all-passed", {"auction": {"all_pass": "same-dealer"}}, "Ada"),
        ("thrown-in", "scighera", "Ada"),
        ("thrown-in", {"preset": "scighera", "throw_in": {"same_dealer": False}}, "Bea"),
    ],
)
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


@pytest.mark.parametrize(
    ("between", "own", "paid"),
    [
        pytest.param([], {}, 2, id="nothing thrown in"),
        pytest.param(["thrown-in"], {}, 4, id="the deal after counts double"),
        pytest.param(["thrown-in", "thrown-in"], {}, 4, id="twice is no more"),
        pytest.param(["thrown-in", "misdeal", "all-passed", "redeal"], {}, 4, id="carried on"),
        pytest.param(["thrown-in"], {"times": 1}, 2, id="unless the sheet says otherwise"),
        pytest.param([], {"times": 3}, 6, id="what the sheet says"),
    ],
)
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


@pytest.mark.parametrize(
    ("deal", "problems"),
    [
        pytest.param({"rules": "poker"}, [("unknown-preset", "rules")], id="no such rules"),
        pytest.param({"rules": {"floor": "x"}}, [("wrong-type", "rules.floor")], id="wrong rules"),
        pytest.param({"seats": "Ada"}, [("wrong-type", "seats")], id="one name alone"),
        pytest.param({"seats": ["Ada", "Zoe"]}, [("unknown-name", "seats[1]")], id="a stranger"),
        pytest.param({"seats": [*NAMES[:5], "Ada"]}, [("seats-order", "seats")],
                     id="in two places"),
        pytest.param({"seats": []}, [("seats-order", "seats")], id="nobody"),
        pytest.param({"seats": list(NAMES[:4])}, [("seats-count", "sits_out")],
                     id="four for five"),
        pytest.param({"rules": "four-balanced"}, [("seats-count", "sits_out")],
                     id="five for four"),
        pytest.param({"seats": list(NAMES[1:5]), "dealer": "Ada", "rules": "four-balanced",
                      "sheet": {**SHEET, "caller": "Bea", "partner": None}},
                     [("not-at-the-table", "dealer")], id="dealt by whoever left"),
        pytest.param({"seats": list(NAMES[1:5]), "rules": "four-balanced"},
                     [("sits-out", "sheet.caller")], id="called by whoever left"),
        pytest.param({"seats": [*NAMES[:5], "Fulvia", "Gino"]},
                     [("unknown-name", "seats[5]"), ("unknown-name", "seats[6]")],
                     id="two strangers"),
    ],
)  # fmt: skip
def test_wrong_change_gets_every_problem_with_its_path(
    deal: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    answer = replay(session_of(DEAL, {**DEAL, **deal}))

    assert found(answer["problems"]) == [(code, f"deals[1].{field}") for code, field in problems]


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({"next": None}, [], id="null"),
        pytest.param({"next": {}}, [], id="nothing"),
        pytest.param({"next": {"seats": list(NAMES[4::-1])}}, [], id="another order"),
        pytest.param({"next": {"seats": list(NAMES[:4]), "rules": "four-balanced"}}, [],
                     id="four from now on"),
        pytest.param({"next": {"seats": list(NAMES[:4])}}, [("seats-count", "next.seats")],
                     id="four for five"),
        pytest.param({"next": {"seats": ["Zoe"]}}, [("unknown-name", "next.seats[0]")],
                     id="a stranger"),
        pytest.param({"next": {"rules": 5}}, [("wrong-type", "next.rules")], id="no rules"),
        pytest.param({"next": []}, [("wrong-type", "next")], id="a list"),
        pytest.param({"next": {"dealer": "Ada"}}, [("unknown-key", "next.dealer")],
                     id="a key that nobody knows"),
        pytest.param({"deals": [], "next": {"seats": list(NAMES[:5])},
                      "seats": [*NAMES[:5], "Fulvia"]}, [], id="five of six, before any deal"),
        pytest.param({"deals": [], "seats": SEVEN, "rules": BIGGER}, [],
                     id="seven take turns, before any deal"),
        pytest.param({"deals": [], "seats": SEVEN}, [("seats-count", "seats")],
                     id="seven for five, before any deal"),
        pytest.param({"deals": [DEAL], "seats": SEVEN, "rules": BIGGER}, [("seats-count", "seats")],
                     id="seven, and nobody says who sat out"),
    ],
)  # fmt: skip
def test_what_changed_after_the_last_deal_is_read(
    change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    assert found(replay({**SESSION, **change})["problems"]) == problems


def test_warnings_name_their_deal() -> None:
    answer = replay(session_of(DEAL, {"sheet": {**SHEET, "bid": "K"}}))

    assert answer["ok"]
    assert found(answer["warnings"]) == [("bid-style", "deals[1].sheet.bid")]


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
