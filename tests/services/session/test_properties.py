"""What must hold for any evening, by any rules: here on SQLite, for speed."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer.operations import replay
from scorer.rules.game import Outcome
from scorer.services.deals.sheet import score_sheet
from scorer.services.files.session_files import session_file
from tests.data import strategies
from tests.data.strategies import rule_sets, sheets
from tests.games.oracle import rules_of
from tests.services.evenings import SIX, Evening, start
from tests.storage.conftest import SQLITE

SEVEN = (*SIX, "Gino")
NOT_PLAYED = [Outcome.MISDEAL, Outcome.ALL_PASSED, Outcome.THROWN_IN, Outcome.REDEAL]

pytestmark = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)


def examples(count: int) -> settings:
    """Try so many evenings in one database, each in a circle of its own."""
    shared = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(strategies.examples(count), suppress_health_check=shared)


@st.composite
def evenings(draw: st.DrawFn) -> tuple[dict[str, Any], tuple[str, ...], int]:
    """Agree on rules, and on the people in order of play and who deals first."""
    rules = draw(rule_sets())
    read = rules_of(rules)
    count = read["players"] + (draw(st.integers(0, 1)) if read["sits_out"] else 0)
    return rules, SEVEN[:count], draw(st.integers(0, count - 1))


def begin(agreed: tuple[dict[str, Any], tuple[str, ...], int]) -> Evening:
    rules, players, first_dealer = agreed
    return start(rules, players, first_dealer=first_dealer)


def drawn(data: st.DataObject, evening: Evening) -> tuple[Outcome, Any]:
    """Draw what becomes of the next deal, among those who play it."""
    state = evening.state
    playing = [state.names[seat] for seat in state.table().active]
    outcome = data.draw(st.sampled_from([*[Outcome.PLAYED] * 6, Outcome.PENALTY, *NOT_PLAYED]))
    if outcome is Outcome.PLAYED:
        return outcome, data.draw(sheets(rules_of(state.row.rules), playing))
    if outcome is Outcome.PENALTY:
        return outcome, {"offender": data.draw(st.sampled_from(playing))}
    return outcome, None


def play(data: st.DataObject, evening: Evening, most: int) -> list[tuple[Outcome, Any]]:
    """Record some deals; give what was written for each."""
    written = []
    for _ in range(data.draw(st.integers(1, most))):
        outcome, sheet = drawn(data, evening)
        evening.record(sheet, outcome)
        written.append((outcome, sheet))
    return written


def balances(evening: Evening) -> list[list[int | None]]:
    """Give the balances after each deal, as the score sheet shows them."""
    rows = score_sheet(evening.state).rows
    return [[cell.balance for cell in row.cells] for row in reversed(rows)]


def as_file(evening: Evening, written: Sequence[tuple[Outcome, Any]]) -> dict[str, Any]:
    """Write a session file from what was recorded; the dealers are left to the rules."""
    first = {"dealer": evening.deal(1).dealer}
    document = session_file(evening.state)
    document["deals"] = [
        {"outcome": outcome, **({} if sheet is None else {"sheet": sheet})}
        for outcome, sheet in written
    ]
    document["deals"][0] |= first
    return document


@examples(15)
@given(agreed=evenings(), data=st.data())
def test_recording_deal_by_deal_is_replaying_the_file(agreed: Any, data: st.DataObject) -> None:
    evening = begin(agreed)
    written = play(data, evening, 8)

    answer = replay(as_file(evening, written))
    exported = replay(session_file(evening.state))

    assert answer["problems"] == []
    assert [list(deal["balances"].values()) for deal in answer["deals"]] == balances(evening)
    dealers = [evening.deal(number).dealer for number in range(1, len(written) + 1)]
    assert [deal["dealer"] for deal in answer["deals"]] == dealers
    assert answer["finished"] is (evening.state.row.finished_number is not None)
    assert {**exported, "warnings": []} == {**answer, "warnings": []}
