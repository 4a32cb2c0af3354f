"""Changing a session itself from a deal on: its rules, who sits where, who sits out, who deals.

What is changed from a deal that was played already has every deal from there on written anew, in
one act: the sheets stay, and the dealers, those who sit out and the payouts follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple
from uuid import UUID

from scorer.errors import ConflictError
from scorer.errors import InvalidError
from scorer.errors import Problem
from scorer.rules.game import Outcome
from scorer.rules.game import Table
from scorer.rules.game import Turn
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_rules
from scorer.rules.stretches import turn_of
from scorer.services.clock import now
from scorer.services.ending import end_again
from scorer.services.lines import one_line
from scorer.services.open_table import NUMBERS
from scorer.services.open_table import open_table
from scorer.services.open_table import table_at
from scorer.services.sessions import find_player
from scorer.services.sessions import read_name
from scorer.services.writing import Act
from scorer.services.writing import rewrite
from scorer.services.writing import write_down
from scorer.storage import chain
from scorer.storage import in_transaction
from scorer.storage import models
from scorer.storage import queries
from scorer.storage import write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.services.circles import Holder
    from scorer.services.open_table import OpenTable
    from scorer.services.writing import Written
    from scorer.storage.queries import DealRow


@dataclass(frozen=True, slots=True)
class NewRules:
    """Other rules, as a document; ``rule_set`` names the version of the circle's own they are."""

    rules: Any
    rule_set: tuple[UUID, int] | None = None


@dataclass(frozen=True, slots=True)
class NewSeats:
    """Who sits where: ``order`` are all at the table in order of play, by seat.

    A guest is named by the number that follows on the seats there are. ``sits_out`` and ``dealer``
    are who was chosen to, None where the rules decide. ``by_place`` says that what was written
    belongs to the places: it is of whoever sits there now.
    """

    order: Sequence[int]
    sits_out: Sequence[int] | None = None
    dealer: int | None = None
    guests: Sequence[Guest] = ()
    by_place: bool = False


class Guest(NamedTuple):
    """Somebody who joins in the middle of a session, with the balance brought in."""

    name: str
    opening: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to change from deal ``from_number`` on, up to ``until_number`` where that is given.

    ``next_number`` is the deal that the phone believes to be the next.
    """

    from_number: int
    next_number: int
    rules: NewRules | None = None
    seats: NewSeats | None = None
    until_number: int | None = None
    reason: str = ""


class Again(NamedTuple):
    """How a deal is to be written once more: who deals, who sits out, the answers."""

    dealer: Seat
    sits_out: tuple[int, ...]
    answers: dict[str, Any] | None


def change_session(session_id: UUID, wanted: Wanted, by: Holder) -> int:
    """Change a session from a deal on; give how many deals were written anew.

    Raise ConflictError when another deal was recorded meanwhile, InvalidError when the rules or
    seats have problems, or a deal that was played already can't be played so.
    """

    def work() -> int:
        here = open_table(by.circle_id, session_id, lock=True)
        if wanted.next_number != here.row.next_number:
            raise ConflictError(wanted.next_number)
        return _change(here, wanted, by)

    return in_transaction(work)


def _change(here: OpenTable, wanted: Wanted, by: Holder) -> int:
    """Write the changes and what follows from them."""
    write_changes(here, wanted, by)
    after = table_at(here.row)
    check_next(after)
    count = _write_anew(here, after, wanted, Act("amend", by, wanted.reason, here.row.written))
    _deal_again(after)
    here.row.finished_number = end_again(after)
    return count


def write_changes(here: OpenTable, wanted: Wanted, by: Holder) -> None:
    """Write what changes, inside the caller's transaction; no deal is written anew by this."""
    _check_numbers(here, wanted)
    changes = list(_changes(here, wanted, by))
    for change in changes:
        chain.append_change(here.row, change)
        write(change)
    here.row.changes += len(changes)
    here.row.version += 1


def _check_numbers(here: OpenTable, wanted: Wanted) -> None:
    last = wanted.until_number or wanted.from_number
    if not 1 <= wanted.from_number <= last <= here.row.next_number:
        message = say("There is no such deal yet.")
        raise InvalidError([Problem("out-of-range", "from_number", message)])


def _changes(here: OpenTable, wanted: Wanted, by: Holder) -> Iterator[models.SessionChange]:
    """Make a row for the rules and one for the seats, where they change."""
    serial = here.row.written
    if wanted.rules is not None:
        serial += 1
        yield _change_of_rules(here, wanted, wanted.rules, by, serial)
    if wanted.seats is not None:
        serial += 1
        yield _change_of_seats(here, wanted, wanted.seats, by, serial)


def _change_of_rules(
    here: OpenTable, wanted: Wanted, new: NewRules, by: Holder, serial: int
) -> models.SessionChange:
    rules, problems = here.game.rules_from(new.rules)
    if problems:
        raise InvalidError(problems)
    change = _row(here, wanted, by, serial)
    change.rules = written_rules(rules)
    change.rule_set_id, change.rule_set_version = new.rule_set or (None, None)
    return change


def _change_of_seats(
    here: OpenTable, wanted: Wanted, new: NewSeats, by: Holder, serial: int
) -> models.SessionChange:
    _check_seats(here, new)
    for seat, guest in enumerate(new.guests, start=len(here.seats)):
        _seat_guest(here, seat, guest, serial)
    change = _row(here, wanted, by, serial)
    change.seats = list(new.order)
    change.sits_out = None if new.sits_out is None else list(new.sits_out)
    change.dealer = new.dealer
    return change


def _row(here: OpenTable, wanted: Wanted, by: Holder, serial: int) -> models.SessionChange:
    return models.SessionChange(
        circle_id=here.circle_id, session_id=here.session_id, serial=serial,
        from_number=wanted.from_number, until_number=wanted.until_number, phone_id=by.phone_id,
        written_by=by.player, reason=one_line(wanted.reason) or None, at=now(), chain="",
    )  # fmt: skip


def _check_seats(here: OpenTable, new: NewSeats) -> None:
    known = range(len(here.seats) + len(new.guests))
    if len(known) > len(NUMBERS):
        message = say("So many people don't fit around a table.")
        raise InvalidError([Problem("seats-count", "seats", message)])
    if len(set(new.order)) != len(new.order) or not set(new.order) <= set(known):
        message = say("Everybody at the table has one place.")
        raise InvalidError([Problem("seats-order", "seats", message)])
    if not set(new.sits_out or ()) <= set(new.order):
        message = say("Only those at the table can sit out.")
        raise InvalidError([Problem("sits-out", "sits_out", message)])
    if new.dealer is not None and new.dealer not in new.order:
        message = say("Only those at the table can deal.")
        raise InvalidError([Problem("dealer", "dealer", message)])


def _seat_guest(here: OpenTable, seat: int, guest: Guest, serial: int) -> None:
    name = read_name(guest.name, here.names, "guest")
    player_id = find_player(here.circle_id, name)
    write(
        models.Seat(circle_id=here.circle_id, session_id=here.session_id, seat=seat,
                    player_id=player_id, opening=guest.opening, joined=serial)
    )  # fmt: skip


def check_next(after: OpenTable) -> None:
    """The next deal must have as many players as its rules are for."""
    problem = _wrong_count(after, after.table())
    if problem is not None:
        raise InvalidError([problem])


def _wrong_count(after: OpenTable, table: Table[Any]) -> Problem | None:
    if after.game.plays(len(table.active), table.rules):
        return None
    wanted = " / ".join(map(str, after.game.seat_counts(table.rules)))
    message = say("These rules are for %(wanted)s players; there are %(count)s.",
                  wanted=wanted, count=len(table.active))  # fmt: skip
    return Problem("seats-count", "seats", message)


def _write_anew(before: OpenTable, after: OpenTable, wanted: Wanted, act: Act) -> int:
    """Write every deal that the change holds for once more; raise InvalidError with all faults."""
    problems: list[Problem] = []
    deals = queries.all_deals(after.circle_id, after.session_id)
    last = wanted.until_number or after.row.next_number
    held = [deal for deal in deals if wanted.from_number <= deal.number <= last]
    dealers = _dealers(after, deals, wanted) if wanted.seats else {}
    for deal in held:
        again = _again(before, after, deal, wanted, dealers.get(deal.number))
        try:
            _rewrite(after, deal, again, act)
        except InvalidError as error:
            problems += [_in_deal(deal.number, problem) for problem in error.problems]
    if problems:
        raise InvalidError(problems)
    return len(held)


def _again(
    before: OpenTable, after: OpenTable, deal: DealRow, wanted: Wanted, dealer: Seat | None
) -> Again:
    """Say how a deal is to be written; without another dealer everybody stays where they were."""
    if dealer is None or wanted.seats is None:
        return Again(Seat(deal.dealer), deal.sits_out, after.answers_of(deal))
    stretch = after.stretch(deal.number)
    active = stretch.active(after.game, dealer)
    out = tuple(seat for seat in stretch.order if seat not in active)
    names = _moved(before, after, deal) if wanted.seats.by_place else after.names
    return Again(dealer, out, after.answers_of(deal, names))


def _moved(before: OpenTable, after: OpenTable, deal: DealRow) -> tuple[str, ...]:
    """Name each seat by who sits now where its player sat when the deal was written."""
    old, new = before.stretch(deal.number).order, after.stretch(deal.number).order
    now_there = dict(zip(old, new, strict=False))
    return tuple(after.names[now_there.get(Seat(seat), seat)] for seat in range(len(after.names)))


def _dealers(after: OpenTable, deals: Sequence[DealRow], wanted: Wanted) -> dict[int, Seat]:
    """Say who dealt each deal from the changed one on: each follows from the one before."""
    dealers: dict[int, Seat] = {}
    standing = [deal for deal in deals if not deal.voided and deal.number < wanted.from_number]
    last = standing[-1] if standing else None
    for deal in deals:
        if deal.number < wanted.from_number:
            continue
        dealer = _dealer(after, last, deal.number, dealers)
        dealers[deal.number] = dealer
        last = last if deal.voided else deal
    return dealers


def _dealer(after: OpenTable, last: DealRow | None, number: int, dealers: dict[int, Seat]) -> Seat:
    stretch = after.stretch(number)
    if last is None:
        first = Seat(after.row.first_dealer) if stretch.dealer is None else stretch.dealer
        return first if first in stretch.order else stretch.order[0]
    dealt = Turn(dealers.get(last.number, Seat(last.dealer)))
    turn = turn_of(after.game, (dealt, Outcome(last.outcome)), after.stretch(last.number), stretch)
    return turn.dealer


def written_anew(after: OpenTable, stands: DealRow, again: Again) -> Written:
    """Read and pay a deal by the rules and seats that are to hold; raise InvalidError."""
    stretch = after.stretch(stands.number)
    active = tuple(seat for seat in stretch.order if seat not in again.sits_out)
    table = Table(stretch.rules, after.names, active, stretch.order)
    wrong = _wrong_count(after, table)
    if wrong is not None:
        raise InvalidError([wrong])
    return write_down(after.game, table, Outcome(stands.outcome), again.answers)


def _rewrite(after: OpenTable, stands: DealRow, again: Again, act: Act) -> None:
    written = written_anew(after, stands, again)
    deal = queries.deal_to_change(after.circle_id, after.session_id, stands.number)
    if deal is None:
        raise ConflictError(stands.number)
    deal.dealer, deal.amended = again.dealer, True
    rewrite(after, deal, act, written)


def _in_deal(number: int, problem: Problem) -> Problem:
    message = say("Deal %(number)s: %(what)s", number=number, what=problem.message)
    return Problem(problem.code, f"deals.{number}", message)


def _deal_again(after: OpenTable) -> None:
    """Let the deal under way be dealt by whose turn it is now."""
    started = queries.started_deal(after.circle_id, after.session_id)
    if started is not None:
        started.dealer = table_at(after.row).turn.dealer
