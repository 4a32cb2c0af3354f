"""Who sits where from a deal on, and what so many people at the table come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from scorer.rules.seats import wrong_count
from scorer.services.players import offered_names
from scorer.services.state import NUMBERS, SessionState
from scorer.storage import queries
from scorer.texts import Text, say


class Sitter(NamedTuple):
    """Somebody who ever sat at the table: in which place, whether still, whether out of the game.

    The place is as it stands in a box of the form, where people type others.
    """

    seat: int
    name: str
    place: str
    here: bool
    out: bool


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """How the people sit from deal ``since`` on, those who are there in order of play first.

    ``until`` is the last deal before they sat otherwise once more; None where they did not.
    """

    since: int
    next_number: int
    seen: int
    people: tuple[Sitter, ...]
    dealer: int
    until: int | None


def seating_since(state: SessionState, since: int) -> SeatingPlan:
    """Say how the people sit from a deal on: one that was recorded, or else the next."""
    following = state.row.next_number
    since = since if 1 <= since < following else following
    order, out = state.terms(since).order, state.out if since == following else ()
    here = [
        Sitter(seat, state.names[seat], str(place), here=True, out=seat in out)
        for place, seat in enumerate(order, 1)
    ]
    left = [
        Sitter(seat.seat, seat.name, "", here=False, out=False)
        for seat in state.seats
        if seat.seat not in order
    ]
    deal = queries.deal(state.circle_id, state.session_id, since)
    borders = (number for number in state.borders if since < number <= following)
    moved = (number for number in borders if state.terms(number).order != order)
    return SeatingPlan(
        since=since,
        next_number=following,
        seen=state.row.written,
        people=(*here, *left),
        dealer=state.turn.dealer if deal is None else deal.dealer,
        until=next((number - 1 for number in moved), None),
    )


class HeadCount(NamedTuple):
    """What so many people at the table come to, and whether the rules have a place for them."""

    number: int
    text: Text
    fits: bool


def head_counts(state: SessionState, rules: Any) -> list[HeadCount]:
    """Say of every number of people what it comes to by these rules."""
    found, seating = [], state.game.seating(rules)
    for number in range(1, len(NUMBERS) + 1):
        wrong = wrong_count(number, seating.playing)
        refused = wrong if not seating.fits(number) else None
        if refused is not None:
            text = refused.message
        elif state.out:
            text = say("Whoever is out waits for the next match.")
        else:
            everybody = say("%(count)s at the table: everybody plays.", count=number)
            text = state.game.who_sits_out(number, rules) or everybody
        found.append(HeadCount(number, text, fits=refused is None))
    return found


def absent_names(state: SessionState) -> list[str]:
    """Name the circle's players who are not in the session."""
    return [name for name in offered_names(state.circle_id) if name not in state.names]
