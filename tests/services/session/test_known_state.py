"""What another process wrote is read on from wherever this one was, and comes to the same."""

from collections.abc import Callable
from typing import Any

import pytest

from scorer.evening.session_acts import Change, End
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.session import state
from scorer.services.session.writing import do
from tests.services.conftest import BOTH_ENGINES
from tests.services.damages import say
from tests.services.evenings import Evening, sheet, start

ACTS: dict[str, Callable[[Evening], object]] = {
    "record": lambda evening: evening.record(),
    "misdeal": lambda evening: evening.record(None, Outcome.MISDEAL),
    "dispute": lambda evening: say(evening, "dispute", 1),
    "amend": lambda evening: evening.amend(1, sheet("Ciro", "Dora")),
    "void": lambda evening: evening.void(2),
    "swap": lambda evening: change(evening, seats=(1, 0, *all_seats(5)[2:])),
    "rules": lambda evening: change(evening, rules="monte-5"),
    "restore": lambda evening: evening.restore(2),
    "end": lambda evening: do(*evening.keys, End(), by=evening.by),
}


def change(evening: Evening, **said: Any) -> None:
    number = evening.next_number()
    do(*evening.keys, Change(from_number=1, next_number=number, **said), by=evening.by)


def content(known: state.SessionState) -> tuple[Any, ...]:
    """Return all that a session comes to."""
    evening = known.evening
    told = [(deal.versions, deal.reviews, deal.turn, deal.totals) for deal in evening.deals]
    return told, evening.changes, evening.totals, evening.turn, evening.ended, evening.written


@BOTH_ENGINES
@pytest.mark.usefixtures("app")
def test_state_of_any_moment_is_brought_up_to_what_others_wrote(evening: Evening) -> None:
    moments = {}
    for name, act in ACTS.items():
        moments[name] = evening.state
        act(evening)
    stored = content(state.read_anew(*evening.keys))

    for name, known in moments.items():
        state._known.put(evening.keys, known)
        assert content(evening.state) == stored, name
    assert len(evening.state.deals) == 2


def test_multiplier_that_waits_is_read_with_its_session_also_after_a_misdeal() -> None:
    evening = start("scighera")
    for outcome in (Outcome.THROWN_IN, Outcome.MISDEAL):
        evening.record(None, outcome)

    assert (
        state.read_anew(*evening.keys).evening.turn.times == evening.state.evening.turn.times == 2
    )
