"""Change a session from a deal on: its rules, who sits where, who sits out, who deals.

A change that reaches back to deals already played rescores each of them in one act: the sheets
stay; dealers, those who sit out and payouts follow.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, Problem, refuse
from scorer.evening.deal import Author, Version
from scorer.evening.judging import check_count
from scorer.evening.terms import TermsChange, now_there, seats_problem
from scorer.evening.walk import Walk
from scorer.rules.cards import Card, card_name
from scorer.rules.seats import Seat
from scorer.rules.sheet import join, placed, questions
from scorer.services.base import journal
from scorer.services.base.author import Holder, as_author
from scorer.services.session.sessions import find_player
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, seats_of, written
from scorer.services.session.writing import MOST_POINTS, redeal_started, save
from scorer.storage import models, queries
from scorer.texts import say
from scorer.typed_text import one_line, read_name, read_reason

#: The fields of a change that say what it is, not who made it when and why.
UNSIGNED = TermsChange._fields.index("phone_id")


class NewRules(NamedTuple):
    """Other rules, as a document; ``rule_set`` is the key and version, if they are the circle's."""

    rules: Any
    rule_set: tuple[UUID, int] | None = None


class Guest(NamedTuple):
    """Somebody who joins in the middle of a session, with the balance brought in."""

    name: str
    opening: int = 0


class NewSeats(NamedTuple):
    """The seats: ``order`` are all at the table in order of play, by seat.

    A guest has the number after the last seat. ``sits_out`` and ``dealer`` are None if the rules
    decide; earlier choices for played deals stay. With ``by_place`` the answers of a sheet belong
    to the places at the table, not to the players.
    """

    order: Sequence[int]
    sits_out: Sequence[int] | None = None
    dealer: int | None = None
    guests: Sequence[Guest] = ()
    by_place: bool = False


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A change from deal ``from_number`` on, up to ``until_number`` if given.

    ``next_number`` is the next deal as the phone knows it. ``seen`` is the row's ``written`` that
    the phone saw; with None only ``next_number`` is checked.
    """

    from_number: int
    next_number: int
    rules: NewRules | None = None
    seats: NewSeats | None = None
    until_number: int | None = None
    reason: str = ""
    seen: int | None = None

    def holds_for(self, number: int) -> bool:
        return self.from_number <= number <= (self.until_number or number)


def change_session(session_id: UUID, change: ChangeRequest, by: Holder) -> int:
    """Change a session from a deal on; return how many deals were rescored.

    The same change sent again by the same phone, with the same ``seen``, changes nothing and
    succeeds. Raise ConflictError when something else was written meanwhile, InvalidError when the
    rules or seats have problems, or a recorded deal is impossible with them.
    """

    def work() -> tuple[int, SessionState | None]:
        with lock_state(by.circle_id, session_id) as state:
            if _is_repeat(state, change, by):
                return 0, state
            check_seen(state, change)
            after = save(changed(state, change, by))
            redeal_started(after)
            settle(after, by)
            held = sum(change.holds_for(deal.number) for deal in after.deals)
            return held, None if state.started else after

    return written(work)


def check_seen(state: SessionState, change: ChangeRequest) -> None:
    """Raise ConflictError when more than reviews and cards was written since the phone looked."""
    evening = state.evening
    seen = evening.written if change.seen is None else change.seen
    as_seen = 0 <= seen <= evening.written and not evening.decided_since(seen)
    if not as_seen or change.next_number != evening.number:
        raise ConflictError(change.next_number)


def changed(state: SessionState, change: ChangeRequest, by: Holder) -> SessionState:
    """Return a session with a change, and every deal that it holds for rescored."""
    start, facts = with_people(state, change, by)
    check_next(replace(start.evening, changes=(*start.changes, *facts)))
    versions = list(_rescored(state, start, facts, change, as_author(by)))
    after = replace(start, evening=start.evening.take(*facts, *versions))
    if state.started is not None:
        _check_started(state, after, state.started)
    return after


def check_next(after: Walk) -> None:
    """Raise InvalidError when the next deal has too many or too few players for its rules."""
    check_count(after.game, after.table(after.turn.dealer), "seats")


def _is_repeat(state: SessionState, change: ChangeRequest, by: Holder) -> bool:
    """Whether the first write since the phone looked is this same change, by the same phone."""
    if change.seen is None or not 0 <= change.seen < state.row.written:
        return False
    wanted = [fact[1:UNSIGNED] for fact in _asked(state, change, {})]
    since = state.evening.decided_since(change.seen)[: len(wanted)]
    made = [fact for fact in state.changes if fact.serial in since]
    return [fact[1:UNSIGNED] for fact in made] == wanted and {fact.phone_id for fact in made} == {
        by.phone_id
    }


def with_terms(state: SessionState, change: ChangeRequest, by: Holder) -> SessionState:
    """Return a session with a change from its next deal on; raise InvalidError."""
    start, facts = with_people(state, change, by)
    return replace(start, evening=start.evening.take(*facts))


def with_people(
    state: SessionState, change: ChangeRequest, by: Holder
) -> tuple[SessionState, list[TermsChange]]:
    """Return a session with the guests of a change, and what it changes; raise InvalidError."""
    last = change.until_number or change.from_number
    if not 1 <= change.from_number <= last <= state.evening.number:
        raise InvalidError.of("out-of-range", "from_number", say("There is no such deal yet."))
    read_reason(change.reason)
    author = as_author(by)._asdict() | {"reason": one_line(change.reason) or None}
    facts, start = _asked(state, change, author), state
    if change.seats is not None:
        _check_seats(state, change, change.seats)
        if change.seats.sits_out is None:
            facts += _still_chosen(state, change, change.seats, facts[-1])
        start = _with_guests(state, change.seats, facts[change.rules is not None].serial, by)
    return start, facts


def _asked(
    state: SessionState, change: ChangeRequest, author: Mapping[str, Any]
) -> list[TermsChange]:
    """Return what is changed for all its deals: the rules first, then the seats."""
    facts, serial = list[TermsChange](), state.evening.written + 1
    blank = TermsChange(serial, change.from_number, change.until_number, **author)
    if change.rules is not None:
        rules = _read_rules(state, change.rules)
        facts.append(blank._replace(rules=rules, rule_set=change.rules.rule_set))
    if change.seats is not None:
        order, chosen, dealer = change.seats.order, change.seats.sits_out, change.seats.dealer
        out = None if chosen is None else seats_of([seat for seat in order if seat in chosen])
        seats = blank._replace(
            serial=serial + len(facts),
            order=seats_of(order),
            sits_out=out,
            dealer=None if dealer is None else Seat(dealer),
        )
        facts.append(seats)
    return facts


def _read_rules(state: SessionState, new: NewRules) -> Any:
    rules, problems = state.game.rules_from(new.rules)
    refuse(problems)
    return rules


def _check_seats(state: SessionState, change: ChangeRequest, new: NewSeats) -> None:
    rules = _read_rules(state, change.rules) if change.rules else None
    most = state.game.seating(rules or state.terms(change.from_number).rules).most
    known = len(state.seats) + len(new.guests)
    problem = seats_problem(
        new.order,
        known=known,
        fits=known <= models.MOST_AT_TABLE and len(new.order) <= most,
        sits_out=new.sits_out,
        dealer=new.dealer,
        out=state.out if change.from_number == state.evening.number else (),
    )
    refuse(filter(None, [problem]))


def _still_chosen(
    state: SessionState, change: ChangeRequest, new: NewSeats, seats: TermsChange
) -> Iterator[TermsChange]:
    """Keep the players chosen to sit out a played deal, in the new order too."""
    if change.from_number == state.evening.number:
        return
    serials = count(seats.serial + 1)
    for deal in state.deals:
        chosen, terms = deal.current.sits_out, state.terms(deal.number)
        by_turn = terms.by_turn(state.game, deal.turn.dealer)
        if not change.holds_for(deal.number) or set(chosen) == set(by_turn):
            continue
        if new.by_place:
            there = now_there(terms.order, seats.order)
            chosen = tuple(there.get(Seat(seat), Seat(seat)) for seat in chosen)
        out = tuple(seat for seat in seats.order if seat in chosen)
        if out and len(out) == len(chosen):
            yield seats._replace(
                serial=next(serials),
                from_number=deal.number,
                until_number=deal.number,
                sits_out=out,
                dealer=seats.dealer if deal.number == change.from_number else None,
            )


def _with_guests(state: SessionState, new: NewSeats, serial: int, by: Holder) -> SessionState:
    """Write a seat for each guest; ``serial`` is that of the change that brings them."""
    names = list(state.names)
    for guest in new.guests:
        if abs(guest.opening) > MOST_POINTS:
            message = say("This balance is too large to be brought in.")
            raise InvalidError.of("out-of-range", "opening", message)
        names.append(read_name(guest.name, names, "guest"))
        seat = models.Seat(
            circle_id=state.circle_id,
            session_id=state.session_id,
            seat=len(names) - 1,
            player_id=find_player(state.circle_id, names[-1], by),
            opening=guest.opening,
            joined=serial,
        )
        journal.create(journal.Kind.SEATED, seat, by)
    if not new.guests:
        return state
    seats = tuple(queries.session.seats(state.circle_id, state.session_id))
    guests = {seat.name: seat.opening for seat in seats[len(state.seats) :]}
    return replace(state, evening=state.evening.joined(guests), seats=seats)


def _rescored(
    state: SessionState,
    start: SessionState,
    facts: Sequence[TermsChange],
    change: ChangeRequest,
    by: Author,
) -> Iterator[Version]:
    """Yield a new version of every deal that a change holds for.

    With other seats each dealer follows from the deal before; otherwise dealers and those who sit
    out stay. Raise InvalidError with the problems of all of them.
    """
    problems, serials = list[Problem](), count(facts[-1].serial + 1)
    then = start.evening.begun(*facts)
    again = then.again(
        state.deals,
        change.holds_for,
        follow=change.seats is not None,
        as_played=True,
        names=lambda number: _names(state, then, number, change),
    )
    for old, (deal, wrong) in zip(state.deals, again, strict=True):
        problems += _in_deal(deal.number, wrong)
        if change.holds_for(deal.number) and not wrong:
            version = start.evening.version_of(
                deal.entry,
                "amend",
                by,
                deal=old,
                dealer=deal.turn.dealer,
                reason=change.reason,
                change=facts[0].serial,
            )
            yield version._replace(serial=next(serials))
    refuse(problems)


def _names(
    before: SessionState, after: Walk, number: int, change: ChangeRequest
) -> tuple[str, ...]:
    """Name each seat; by place, it is whoever now sits where its player sat at that deal."""
    if change.seats is None or not change.seats.by_place:
        return after.names
    old, new = before.terms(number).order, after.terms.order
    if len(old) != len(new):
        message = say(
            "Here %(before)s were at the table and now %(now)s: "
            "what was written can't go with the places.",
            before=len(old),
            now=len(new),
        )
        raise InvalidError.of("by-place", "by_place", message)
    there = now_there(old, new)
    return tuple(after.names[there.get(Seat(seat), seat)] for seat in range(len(after.names)))


def _in_deal(number: int, problems: Iterable[Problem]) -> list[Problem]:
    return [
        Problem(
            problem.code,
            f"deals.{number}",
            say("Deal %(number)s: %(what)s", number=number, what=problem.message),
        )
        for problem in problems
    ]


def _check_started(before: SessionState, after: SessionState, started: models.StartedDeal) -> None:
    """Raise InvalidError if the deal under way can't be played so."""
    try:
        problems = _lost_cards(before, after, before.start_of(started.stored, before.rules))
        if not problems:
            start = after.start_of(started.stored, after.rules)
            problems = placed(after.game.start_problems(start, after.table()), "sheet")
    except InvalidError as error:
        problems = list(error.problems)
    refuse(_in_deal(started.number, problems))


def _lost_cards(before: SessionState, after: SessionState, start: Any) -> list[Problem]:
    """Find the cards that a deck with other suits lacks; C is cups in one and clubs in another."""
    old, new = before.game.deck(before.rules), after.game.deck(after.rules)
    if old is None or new is None or old.italian == new.italian:
        return []
    return [
        Problem(
            "card-not-in-deck",
            join("sheet", question.name),
            say("There is no card %(card)s in this deck.", card=card_name(card, old)),
        )
        for question in questions(type(start))
        if isinstance(card := getattr(start, question.name), Card)
    ]
