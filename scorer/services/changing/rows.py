"""What is written of a change itself: a row for the rules, and rows for the seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.errors import InvalidError, Problem
from scorer.rules.seats import Seat
from scorer.rules.sheet import write as written_rules
from scorer.rules.stretches import now_there
from scorer.services.clock import now
from scorer.services.lines import one_line, read_reason
from scorer.services.open_table import NUMBERS
from scorer.services.sessions import MOST_POINTS, find_player, read_name
from scorer.storage import chain, models, queries, write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorer.services.changing.wanted import NewRules, NewSeats, Wanted
    from scorer.services.circles import Holder
    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow

    Columns = dict[str, Any]


def write_changes(here: OpenTable, wanted: Wanted, by: Holder) -> int:
    """Write what changes, inside the caller's transaction; give the serial of its first row.

    No deal is written anew by this. Raise InvalidError.
    """
    _check_range(here, wanted)
    first, signed = here.row.written + 1, _signature(here, wanted, by)
    rows = [*rows_of_rules(here, wanted), *_rows_of_seats(here, wanted)]
    if wanted.seats is not None:
        _seat_guests(here, wanted.seats, first + (wanted.rules is not None))
    for serial, columns in enumerate(rows, start=first):
        change = models.SessionChange(**signed | columns, serial=serial, chain="")
        chain.append_change(here.row, change)
        write(change)
    here.row.changes += len(rows)
    here.row.version += 1
    return first


def _check_range(here: OpenTable, wanted: Wanted) -> None:
    last = wanted.until_number or wanted.from_number
    if not 1 <= wanted.from_number <= last <= here.row.next_number:
        message = say("There is no such deal yet.")
        raise InvalidError([Problem("out-of-range", "from_number", message)])
    read_reason(wanted.reason)


def _signature(here: OpenTable, wanted: Wanted, by: Holder) -> Columns:
    return {
        "circle_id": here.circle_id,
        "session_id": here.session_id,
        "phone_id": by.phone_id,
        "from_number": wanted.from_number,
        "until_number": wanted.until_number,
        "written_by": by.player,
        "reason": one_line(wanted.reason) or None,
        "at": now(),
    }


def rows_of_rules(here: OpenTable, wanted: Wanted) -> Iterator[Columns]:
    """Say what is written of new rules; raise InvalidError with their problems."""
    if wanted.rules is not None:
        rules = _read(here, wanted.rules)
        set_id, version = wanted.rules.rule_set or (None, None)
        yield {"rules": written_rules(rules), "rule_set_id": set_id, "rule_set_version": version}


def _read(here: OpenTable, new: NewRules) -> Any:
    rules, problems = here.game.rules_from(new.rules)
    if problems:
        raise InvalidError(problems)
    return rules


def _rows_of_seats(here: OpenTable, wanted: Wanted) -> Iterator[Columns]:
    """Say what is written of new seats: once for all deals, and for those with a chosen one out."""
    new = wanted.seats
    if new is None:
        return
    rules = here.stretch(wanted.from_number).rules
    _check_seats(here, new, rules if wanted.rules is None else _read(here, wanted.rules))
    if wanted.from_number == here.row.next_number and new.dealer in here.out:
        message = say("Whoever is out deals no more.")
        raise InvalidError([Problem("dealer", "dealer", message)])
    yield row_of_seats(new)
    if new.sits_out is None:
        yield from _still_chosen(here, wanted, new)


def row_of_seats(new: NewSeats) -> Columns:
    """Say what is written of new seats."""
    out = None if new.sits_out is None else [seat for seat in new.order if seat in new.sits_out]
    return {"seats": list(new.order), "sits_out": out, "dealer": new.dealer}


def _check_seats(here: OpenTable, new: NewSeats, rules: Any) -> None:
    known = range(len(here.seats) + len(new.guests))
    if len(known) > len(NUMBERS) or len(new.order) > here.game.room(rules):
        message = say("So many people don't fit around a table.")
        raise InvalidError([Problem("seats-count", "seats", message)])
    if not new.order:
        raise InvalidError([Problem("seats-count", "seats", say("Nobody is at the table."))])
    if len(set(new.order)) != len(new.order) or not set(new.order) <= set(known):
        message = say("Everybody at the table has one place.")
        raise InvalidError([Problem("seats-order", "seats", message)])
    if not set(new.sits_out or ()) <= set(new.order):
        message = say("Only those at the table can sit out.")
        raise InvalidError([Problem("sits-out", "sits_out", message)])
    if new.dealer is not None and new.dealer not in new.order:
        message = say("Only those at the table can deal.")
        raise InvalidError([Problem("dealer", "dealer", message)])


def _still_chosen(here: OpenTable, wanted: Wanted, new: NewSeats) -> Iterator[Columns]:
    """Whoever was chosen to sit out a deal that was played, sits it out in the new order too."""
    if wanted.from_number == here.row.next_number:
        return
    for deal in queries.all_deals(here.circle_id, here.session_id):
        chosen = _chosen(here, deal) if wanted.holds_for(deal.number) else ()
        if new.by_place:
            there = now_there(here.stretch(deal.number).order, _seats(new.order))
            chosen = tuple(there.get(seat, seat) for seat in chosen)
        out = [seat for seat in new.order if seat in chosen]
        if out and len(out) == len(chosen):
            dealer = new.dealer if deal.number == wanted.from_number else None
            yield {
                "from_number": deal.number,
                "until_number": deal.number,
                "seats": list(new.order),
                "sits_out": out,
                "dealer": dealer,
            }


def _chosen(here: OpenTable, deal: DealRow) -> tuple[Seat, ...]:
    """Who sat a deal out, where it was not by the rules."""
    by_turn = here.stretch(deal.number).by_turn(here.game, Seat(deal.dealer))
    out = _seats(deal.sits_out)
    return () if set(out) == set(by_turn) else out


def _seats(numbers: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def _seat_guests(here: OpenTable, new: NewSeats, serial: int) -> None:
    """Give the guests their seats; the change that brings them has the serial."""
    names = list(here.names)
    for guest in new.guests:
        if abs(guest.opening) > MOST_POINTS:
            message = say("A balance of so many points can't be brought in.")
            raise InvalidError([Problem("out-of-range", "opening", message)])
        names.append(read_name(guest.name, names, "guest"))
        player_id = find_player(here.circle_id, names[-1])
        write(
            models.Seat(
                circle_id=here.circle_id,
                session_id=here.session_id,
                seat=len(names) - 1,
                player_id=player_id,
                opening=guest.opening,
                joined=serial,
            )
        )
