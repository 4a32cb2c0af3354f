"""Change a session from a deal on: its rules, who sits where, who sits out, who deals.

A change that reaches back to deals already played rescores each of them in one act: the sheets
stay; dealers, those who sit out and payouts follow.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ConflictError, InvalidError, Problem, existing, refuse
from scorer.evening import Evening
from scorer.evening.judging import check_count
from scorer.evening.terms import now_there, seats_problem
from scorer.rules.cards import Card, card_name
from scorer.rules.seats import Seat
from scorer.rules.sheet import join, placed, questions
from scorer.rules.sheet import write as written_rules
from scorer.services.base import journal
from scorer.services.base.author import Holder, authored
from scorer.services.session.sessions import find_player
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, seats_of, state_of
from scorer.services.session.writing import MOST_POINTS, Act, insert_version
from scorer.storage import chain, models, queries, transaction, write
from scorer.texts import say
from scorer.typed_text import one_line, read_name, read_reason

Columns = dict[str, Any]


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


@transaction
def change_session(session_id: UUID, change: ChangeRequest, by: Holder) -> int:
    """Change a session from a deal on; return how many deals were rescored.

    The same change sent again by the same phone, with the same ``seen``, changes nothing and
    succeeds. Raise ConflictError when something else was written meanwhile, InvalidError when the
    rules or seats have problems, or a recorded deal is impossible with them.
    """
    with lock_state(by.circle_id, session_id) as state:
        if _is_repeat(state, change, by):
            return 0
        check_seen(state, change)
        count = apply_change(state, change, by)
        settle(state.row, by)
        return count


def check_seen(state: SessionState, change: ChangeRequest) -> None:
    """Raise ConflictError when more than reviews and cards was written since the phone looked."""
    seen = state.row.written if change.seen is None else change.seen
    if not 0 <= seen <= state.row.written:
        raise ConflictError(change.next_number)
    beside = queries.journal.written_between(
        state.circle_id, state.session_id, seen, state.row.written + 1
    )
    if (seen + beside, change.next_number) != (state.row.written, state.row.next_number):
        raise ConflictError(change.next_number)


def apply_change(state: SessionState, change: ChangeRequest, by: Holder) -> int:
    """Write a change and rescore the deals it holds for, inside the caller's transaction."""
    first = write_changes(state, change, by)
    after = state_of(state.row)
    check_next(after)
    evening, act = after.evening(), Act("amend", by, change.reason, first)
    count = _rescore_deals(state, after, evening, change, act)
    if state.started is not None:
        _update_started(state, state_of(state.row))
    state.row.finished_number = evening.ended
    return count


def check_next(after: SessionState) -> None:
    """Raise InvalidError when the next deal has too many or too few players for its rules."""
    check_count(after.game, after.table(), "seats")


def _is_repeat(state: SessionState, change: ChangeRequest, by: Holder) -> bool:
    """Whether the first write since the phone looked is this same change, by the same phone."""
    if change.seen is None or not 0 <= change.seen < state.row.written:
        return False
    wanted = _asked_rows(state, change)
    changes = queries.session.session_changes(state.circle_id, state.session_id)
    first = next((row.serial for row in changes if row.serial > change.seen), change.seen + 1)
    beside = queries.journal.written_between(state.circle_id, state.session_id, change.seen, first)
    if change.seen + 1 + beside != first:
        return False
    expected = (change.from_number, change.until_number, by.phone_id)
    stored = [
        row
        for row in changes
        if row.serial in range(first, first + len(wanted))
        and (row.from_number, row.until_number, row.phone_id) == expected
    ]
    return len(stored) == len(wanted) and all(
        getattr(row, name) == value
        for row, columns in zip(stored, wanted, strict=True)
        for name, value in columns.items()
    )


def write_changes(state: SessionState, change: ChangeRequest, by: Holder) -> int:
    """Write the rows of a change, inside the caller's transaction; return the first one's serial.

    No deal is rescored by this. Raise InvalidError.
    """
    last = change.until_number or change.from_number
    if not 1 <= change.from_number <= last <= state.row.next_number:
        raise InvalidError.of("out-of-range", "from_number", say("There is no such deal yet."))
    read_reason(change.reason)
    rows, first = _asked_rows(state, change), state.row.written + 1
    if change.seats is not None:
        _check_seats(state, change, change.seats)
        if change.seats.sits_out is None:
            rows += _still_chosen(state, change, change.seats)
        _seat_guests(state, change.seats, first + (change.rules is not None), by)
    shared: Columns = {
        "circle_id": state.circle_id,
        "session_id": state.session_id,
        **authored(by),
        "from_number": change.from_number,
        "until_number": change.until_number,
        "reason": one_line(change.reason) or None,
    }
    for serial, columns in enumerate(rows, start=first):
        row = models.SessionChange(**shared | columns, serial=serial)
        chain.append(state.row, row)
        write(row)
    state.row.changes += len(rows)
    state.row.version += 1
    return first


def _asked_rows(state: SessionState, change: ChangeRequest) -> list[Columns]:
    """Return the rows of a change for all its deals: one of the rules, and one of the seats."""
    rows: list[Columns] = []
    if change.rules is not None:
        set_id, version = change.rules.rule_set or (None, None)
        rules = written_rules(_read_rules(state, change.rules))
        rows.append({"rules": rules, "rule_set_id": set_id, "rule_set_version": version})
    if change.seats is not None:
        order, chosen, dealer = change.seats.order, change.seats.sits_out, change.seats.dealer
        out = None if chosen is None else [seat for seat in order if seat in chosen]
        rows.append({"seats": list(order), "sits_out": out, "dealer": dealer})
    return rows


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
        out=state.out if change.from_number == state.row.next_number else (),
    )
    refuse(filter(None, [problem]))


def _still_chosen(state: SessionState, change: ChangeRequest, new: NewSeats) -> Iterator[Columns]:
    """Keep the players chosen to sit out a played deal, in the new order too."""
    if change.from_number == state.row.next_number:
        return
    for deal in queries.deals.all_deals(state.circle_id, state.session_id):
        chosen, terms = seats_of(deal.sits_out), state.terms(deal.number)
        by_turn = terms.by_turn(state.game, Seat(deal.dealer))
        if not change.holds_for(deal.number) or set(chosen) == set(by_turn):
            continue
        if new.by_place:
            there = now_there(terms.order, seats_of(new.order))
            chosen = tuple(there.get(seat, seat) for seat in chosen)
        out = [seat for seat in new.order if seat in chosen]
        if out and len(out) == len(chosen):
            yield {
                "from_number": deal.number,
                "until_number": deal.number,
                "seats": list(new.order),
                "sits_out": out,
                "dealer": new.dealer if deal.number == change.from_number else None,
            }


def _seat_guests(state: SessionState, new: NewSeats, serial: int, by: Holder) -> None:
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


def _rescore_deals(
    before: SessionState, after: SessionState, evening: Evening, change: ChangeRequest, act: Act
) -> int:
    """Write a new version of every deal that a change holds for; return how many there are.

    The ``evening`` is walked from its beginning to its last deal.

    With other seats each dealer follows from the deal before; otherwise dealers and those who sit
    out stay. Raise InvalidError with the problems of all of them.
    """
    problems: list[Problem] = []
    deals = map(after.deal_of, queries.deals.all_deals(after.circle_id, after.session_id))
    again = evening.again(
        deals,
        change.holds_for,
        follow=change.seats is not None,
        as_played=True,
        names=lambda number: _names(before, after, number, change),
    )
    count = 0
    for deal, wrong in again:
        problems += _in_deal(deal.number, wrong)
        if change.holds_for(deal.number) and not wrong:
            key = after.circle_id, after.session_id, deal.number
            row = existing(queries.deals.deal_to_change(*key))
            row.dealer, row.amended = deal.turn.dealer, True
            insert_version(after, row, act, deal.entry)
            count += 1
    refuse(problems)
    return count


def _names(
    before: SessionState, after: SessionState, number: int, change: ChangeRequest
) -> tuple[str, ...]:
    """Name each seat; by place, it is whoever now sits where its player sat at that deal."""
    if change.seats is None or not change.seats.by_place:
        return after.names
    old, new = before.terms(number).order, after.terms(number).order
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


def _update_started(before: SessionState, after: SessionState) -> None:
    """Set the dealer of the deal under way; raise InvalidError if it can't be played so."""
    started = queries.find(models.StartedDeal, after.circle_id, after.session_id)
    if started is None:
        return
    try:
        problems = _lost_cards(before, after, before.start_of(started.stored, before.rules))
        if not problems:
            start = after.start_of(started.stored, after.rules)
            problems = placed(after.game.start_problems(start, after.table()), "sheet")
    except InvalidError as error:
        problems = list(error.problems)
    refuse(_in_deal(started.number, problems))
    started.dealer = after.now.turn.dealer


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
