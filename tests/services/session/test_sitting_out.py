"""Six at a table for five: who sits out by turn or by choice, and who owes a turn."""

import pytest

from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.journal.verify import verify
from scorer.services.session.seating import SittingOut, choose, sitting_out
from scorer.services.session.state import load_state
from tests.services.evenings import SIX, Evening, sheet, start

ADA, BEA, CIRO, *_ = all_seats(6)
RULES = {"preset": "classic-plain", "sits_out": "dealer"}


@pytest.fixture
def evening() -> Evening:
    """Six at the table; Ada deals first and sits out."""
    return start(RULES, SIX, first_dealer=0)


def out_of(evening: Evening) -> SittingOut:
    found = sitting_out(load_state(*evening.keys))
    assert found is not None
    return found


def play(evening: Evening) -> None:
    """Record a deal among those who play it."""
    state = load_state(*evening.keys)
    caller, partner, *_ = (state.names[seat] for seat in state.table().active)
    evening.record(sheet(caller, partner))


def chosen(evening: Evening, seat: int | None, instead: int | None = None) -> None:
    state = load_state(*evening.keys)
    seen = state.row.next_number, state.row.written
    choose(evening.session_id, *seen, evening.by, chosen=seat, instead=instead)


def test_chosen_ones_are_written_and_only_deals_that_were_played_and_stand_count(
    evening: Evening,
) -> None:
    evening.record(None, Outcome.MISDEAL)
    play(evening)
    play(evening)
    evening.void(3)
    chosen(evening, CIRO, instead=BEA)
    play(evening)

    found = out_of(evening)
    assert (found.times[ADA], found.times[BEA], found.times[CIRO]) == (1, 0, 1)
    assert found.ahead == {CIRO: 1, BEA: -1}
    assert (found.out, found.offered) == ((CIRO,), (CIRO, BEA))

    chosen(evening, BEA, instead=CIRO)
    assert out_of(evening).offered is None
    assert verify(print).findings == 0
