from typing import Any

import pytest

from scorer.games import all_games
from scorer.operations import replay
from tests.data import golden
from tests.data.examples import NAMES
from tests.data.mistakes import DEAL, DOCUMENTS

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


@pytest.mark.untraced
@pytest.mark.parametrize(("session", "expected"), EVENINGS)
def test_beginning_of_an_evening_is_replayed_alike(
    session: dict[str, Any], expected: dict[str, Any]
) -> None:
    for count in range(len(session["deals"])):
        part = replay({**session, "deals": session["deals"][:count]})

        assert part["deals"] == expected["deals"][:count]
        if part["finished"]:
            assert part["winners"] == expected["winners"]


def test_answer_has_the_shape_of_the_contract() -> None:
    answer = replay(SESSION)

    assert " ".join(answer) == "ok deals standings finished winners problems warnings"
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


def test_dealer_out_of_turn_is_odd_and_the_deal_goes_on_from_there() -> None:
    answer = replay(session_of(DEAL, {**DEAL, "dealer": "Dora"}, DEAL))

    assert [row["dealer"] for row in answer["deals"]] == ["Ada", "Dora", "Ezio"]
    assert found(answer["warnings"]) == [("dealer-turn", "deals[1].dealer")]


def test_rules_of_a_file_change_a_thousand_times_at_most() -> None:
    changed = {"outcome": "misdeal", "rules": "volata"}

    sound = replay(session_of(*[changed] * 1_000))
    answer = replay(session_of(*[changed] * 1_001))

    assert sound["ok"]
    assert found(answer["problems"]) == [("too-many-rules", "deals[1000].rules")]
