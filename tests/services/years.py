"""Evenings drawn at random, and their deals as plain facts, read without the history."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from scorer.evening.acts import Dispute
from scorer.evening.deal import Deal
from scorer.rules.game import Outcome
from scorer.services.base import clock
from scorer.services.session.state import load_state
from scorer.storage import queries
from tests.services.evenings import Evening, start

PEOPLE = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino")
FIRST = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
RULES = (
    "classic",
    "ladder-bands",
    {"preset": "ladder-bands", "sits_out": "dealer"},
    "rulebook-literal",
    "volata",
)
BIDS: dict[str, tuple[str | int, ...]] = {
    "ladder": ("A", "3", "2"),
    "points": (61, 75, 101),
    "ladder-then-points": ("A", "3", "2", "2@75", "2@101"),
}
POINTS = (0, 40, 60, 61, 70, 77, 90, 103, 120)


@dataclass(frozen=True, slots=True)
class Fact:
    """One deal, as whoever looked at the sheets would tell it."""

    session_id: UUID
    day: str
    deal: Deal
    sheet: dict[str, Any]
    payouts: dict[str, int]

    @property
    def bid(self) -> str:
        """What was bid."""
        return str(self.sheet.get("bid", ""))

    @property
    def stands(self) -> bool:
        """Whether the deal counts and pays."""
        return not self.deal.voided and bool(self.payouts)

    @property
    def made(self) -> bool | None:
        """Whether the bid was made: then it paid the caller."""
        return self.payouts[self.sheet["caller"]] > 0 if self.bid else None

    def role(self, name: str) -> str:
        """Say which part somebody played who was paid."""
        if self.deal.outcome == "penalty":
            return "offender" if self.sheet["offender"] == name else ""
        if self.sheet["caller"] == name:
            return "caller" if self.sheet["partner"] else "alone"
        return "partner" if self.sheet["partner"] == name else "defender"


def facts(circle_id: UUID) -> list[Fact]:
    """Tell every deal of a circle, newest first."""
    states = [load_state(circle_id, key) for key in queries.session.session_ids(circle_id)]
    return [
        Fact(
            state.row.session_id,
            state.row.started_at.date().isoformat(),
            deal,
            deal.entry.answers(state.names) or {},
            {state.names[seat]: amount for seat, amount in deal.entry.paid.items()},
        )
        for state in states
        for deal in state.deals
    ][::-1]


def play(data: st.DataObject, most: int = 4) -> UUID:
    """Play some evenings in a circle of its own, two of them on one day."""
    count = data.draw(st.integers(1, most), label="evenings")
    first = _evening(data, None, 0)
    for number in range(1, count):
        _evening(data, first, number)
    return first.circle_id


def _evening(data: st.DataObject, first: Evening | None, number: int) -> Evening:
    """Play an evening, and put some of its deals right."""
    rules = data.draw(st.sampled_from(RULES), label="rules")
    count = 6 if isinstance(rules, dict) else 5
    people = data.draw(st.permutations(PEOPLE), label="people")[:count]
    with clock.at(FIRST + timedelta(hours=14 * number)):
        begin = first.again if first else start
        evening = begin(rules=rules, players=people)
        for _ in range(data.draw(st.integers(0, 7), label="deals")):
            _deal(data, evening)
    return evening


def _deal(data: st.DataObject, evening: Evening) -> None:
    state = evening.state
    playing = [state.names[seat] for seat in state.table().active]
    kinds = [Outcome.PLAYED] * 7 + [Outcome.MISDEAL, Outcome.PENALTY]
    outcome = data.draw(st.sampled_from(kinds), label="outcome")
    if outcome is Outcome.MISDEAL:
        evening.record(outcome=outcome)
    elif outcome is Outcome.PENALTY:
        evening.record({"offender": data.draw(st.sampled_from(playing))}, outcome)
    else:
        evening.record(_sheet(data, playing, state.rules))
    _put_right(data, evening, playing)


def _sheet(data: st.DataObject, playing: list[str], rules: Any) -> dict[str, Any]:
    """Draw what somebody calls, with whom, and how many points it comes to."""
    caller, partner = data.draw(st.permutations(playing), label="caller, partner")[:2]
    bid = data.draw(st.sampled_from(BIDS[rules.auction.style.value]), label="bid")
    alone = data.draw(st.integers(0, 5), label="alone") == 0
    points = data.draw(st.sampled_from(POINTS), label="points")
    return {
        "caller": caller,
        "bid": bid,
        "partner": None if alone else partner,
        "card_points": points,
    }


def _put_right(data: st.DataObject, evening: Evening, playing: list[str]) -> None:
    """Amend, void or dispute the last deal, or leave it."""
    number = evening.next_number() - 1
    played = evening.deal(number).outcome == Outcome.PLAYED
    what = data.draw(st.sampled_from(["", "", "", "amend", "void", "dispute"]), label="then")
    if what == "amend" and played:
        evening.amend(number, _sheet(data, playing, evening.state.rules))
    elif what == "void":
        evening.void(number)
    elif what == "dispute":
        evening.do(number, Dispute, reason="Count again")
