"""The form of who is at the table: what was typed, and the change of seats and rules it means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.errors import InvalidError, Problem
from scorer.rules.sheet import write as written
from scorer.services.changes import ChangeRequest, Guest, NewRules, NewSeats
from scorer.services.typed_text import one_line
from scorer.storage import queries
from scorer.texts import say
from scorer.web.forms.fields import whole
from scorer.web.rule_sets.choosing import meant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.datastructures import MultiDict

    from scorer.services.state import SessionState

#: How the form calls the guest, who has no seat yet.
GUEST = "new"
LAST = 99


class Person(NamedTuple):
    """Somebody who has sat at the table: where, whether still, and whether out of the game."""

    seat: int
    name: str
    place: str
    here: bool
    out: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """How the people sit from deal ``since`` on, as it is or as it was typed."""

    since: int
    next_number: int
    seen: int
    people: tuple[Person, ...]
    dealer: str
    until: str = ""
    guest: str = ""
    opening: str = ""
    guest_place: str = ""
    belongs: str = "people"
    rules: str = ""
    reason: str = ""

    @property
    def reaches_back(self) -> bool:
        """Whether it is about a deal that was recorded."""
        return self.since < self.next_number

    @property
    def guest_index(self) -> int:
        """How many rows stand before the guest's."""
        return sum(_place(person.place) <= _place(self.guest_place) for person in self.people)

    @property
    def count(self) -> int:
        """How many are at the table."""
        return sum(person.here for person in self.people) + bool(one_line(self.guest))


def draft_of(state: SessionState, since: int) -> Draft:
    """Show how the people sit from a deal on: one that was recorded, or the next."""
    following = state.row.next_number
    since = since if 1 <= since < following else following
    order, out = state.terms(since).order, state.out if since == following else ()
    people = [
        *(
            Person(seat, state.names[seat], str(n), here=True, out=seat in out)
            for n, seat in enumerate(order, 1)
        ),
        *(
            Person(seat.seat, seat.name, "", here=False)
            for seat in state.seats
            if seat.seat not in order
        ),
    ]
    return Draft(
        since,
        following,
        state.row.written,
        tuple(people),
        str(_dealer_of(state, since)),
        until=_until(state, since),
    )


def _dealer_of(state: SessionState, number: int) -> int:
    deal = queries.deal(state.circle_id, state.session_id, number)
    return state.turn.dealer if deal is None else deal.dealer


def _until(state: SessionState, since: int) -> str:
    """The last deal before the people sat otherwise once more; nothing where they did not."""
    order = state.terms(since).order
    borders = sorted({number for change in state.changes for number in change.borders})
    moved = [
        n for n in borders if since < n <= state.row.next_number and state.terms(n).order != order
    ]
    return str(moved[0] - 1) if moved else ""


def sent_draft(state: SessionState, sent: MultiDict[str, str]) -> Draft:
    """Read the form, keeping everything as it was typed."""
    began = draft_of(state, sent.get("since", 0, type=int))
    places = dict(zip(sent.getlist("seat"), sent.getlist("place"), strict=False))
    people = [_sent_person(person, places, sent.getlist("here")) for person in began.people]
    return replace(
        began,
        next_number=sent.get("next_number", 0, type=int),
        seen=sent.get("seen", -1, type=int),
        people=tuple(sorted(people, key=lambda person: _place(person.place))),
        dealer=sent.get("dealer", ""),
        until=sent.get("until", ""),
        guest=sent.get("guest", ""),
        opening=sent.get("opening", ""),
        guest_place=places.get(GUEST, ""),
        belongs="places" if sent.get("belongs") == "places" else "people",
        rules=sent.get("rules", ""),
        reason=sent.get("reason", ""),
    )


def _sent_person(person: Person, places: Mapping[str, str], there: list[str]) -> Person:
    seat = str(person.seat)
    return person._replace(place=places.get(seat, person.place), here=seat in there)


def _place(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else LAST


def change_of(state: SessionState, draft: Draft) -> ChangeRequest:
    """Say which change the form means; raise InvalidError where it has no numbers."""
    problems = [
        Problem("wrong-type", field, say("A whole number is needed."))
        for field, text in (("until_number", draft.until), ("opening", draft.opening))
        if text.strip() and whole(text) is None
    ]
    if problems:
        raise InvalidError(problems)
    seats = _seats(state, draft)
    rules = _rules(state, draft, len(seats.order)) if draft.rules else None
    return ChangeRequest(
        draft.since,
        draft.next_number,
        rules,
        seats if _moves(state, draft, seats) else None,
        whole(draft.until) if draft.reaches_back else None,
        draft.reason,
        draft.seen,
    )


def _seats(state: SessionState, draft: Draft) -> NewSeats:
    """Put the people in the order of their places, with the guest among them."""
    guest, known = one_line(draft.guest), {name.casefold(): n for n, name in enumerate(state.names)}
    placed = [(_place(person.place), person.seat) for person in draft.people if person.here]
    seat = known.get(guest.casefold(), len(state.names))
    if guest and seat not in [taken for _, taken in placed]:
        placed.append((_place(draft.guest_place), seat))
    order = [seat for _, seat in sorted(placed, key=lambda one: one[0])]
    new = guest and seat == len(state.names)
    return NewSeats(
        order,
        dealer=_dealer(state, draft, order, seat),
        guests=[Guest(guest, whole(draft.opening) or 0)] if new else [],
        by_place=draft.belongs == "places" and draft.reaches_back,
    )


def _dealer(state: SessionState, draft: Draft, order: list[int], guest: int) -> int | None:
    """Who was chosen to deal; None leaves it to the rules, also where nobody chose otherwise."""
    chosen = guest if draft.dealer == GUEST else whole(draft.dealer)
    if chosen == state.turn.dealer and not draft.reaches_back:
        chosen = state.upcoming.dealer
    return chosen if chosen in order else None


def _moves(state: SessionState, draft: Draft, seats: NewSeats) -> bool:
    """Whether anything about the seats is new."""
    if draft.reaches_back or seats.guests or seats.dealer != state.upcoming.dealer:
        return True
    return tuple(seats.order) != state.order


def _rules(state: SessionState, draft: Draft, count: int) -> NewRules:
    """The rules that were chosen, for so many people; the session ends as was agreed before."""
    chosen = meant(state.circle_id, state.game, draft.rules)
    if chosen is None:
        return NewRules(draft.rules)
    agreed: dict[str, Any] = written(state.rules)
    end = {"session": agreed["session"]} if "session" in agreed else {}
    return NewRules(state.game.rules_for(count, {**chosen.document, **end}), chosen.rule_set)
