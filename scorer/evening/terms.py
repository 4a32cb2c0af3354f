"""The terms of a deal: the rules and the order of play in force for it, and who sits out.

A session begins with terms, and changes replace them from a deal on. Of several changes that hold
for a deal the last one written wins; a version of a deal knows only those written before it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError
from scorer.rules.game import Game, Outcome, Turn
from scorer.rules.seats import Seat, next_seat
from scorer.texts import say

#: Later than everything that was written in a session.
NOW = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules and the order of play in force for a deal.

    ``sits_out`` is who was chosen not to play, and ``dealer`` who was chosen to deal; None leaves
    either to the rules. ``rule_set`` names the version, if they are a circle's own rules.
    """

    rules: Any
    order: tuple[Seat, ...]
    sits_out: tuple[Seat, ...] | None = None
    dealer: Seat | None = None
    rule_set: tuple[UUID, int] | None = None

    def active(self, game: Game[Any, Any], dealer: Seat) -> tuple[Seat, ...]:
        if self.sits_out is None:
            return game.active(dealer, self.order, self.rules)
        return tuple(seat for seat in self.order if seat not in self.sits_out)

    def by_turn(self, game: Game[Any, Any], dealer: Seat) -> tuple[Seat, ...]:
        """Return those who sit out a deal of this dealer by the rules."""
        playing = game.active(dealer, self.order, self.rules)
        return tuple(seat for seat in self.order if seat not in playing)


class TermsChange(NamedTuple):
    """A change of a session: rules, or seats with who was chosen to sit out and to deal.

    The last fields say who made it, when, and why.
    """

    serial: int
    from_number: int
    until_number: int | None
    rules: Any = None
    order: tuple[Seat, ...] = ()
    sits_out: tuple[Seat, ...] | None = None
    dealer: Seat | None = None
    rule_set: tuple[UUID, int] | None = None
    phone_id: UUID | None = None
    written_by: str | None = None
    at: datetime | None = None
    reason: str | None = None
    phone: str | None = None

    @property
    def borders(self) -> tuple[int, ...]:
        """The first deal to which it applies, and the first one after it."""
        return (self.from_number, *([self.until_number + 1] if self.until_number else []))

    def holds_for(self, number: int) -> bool:
        return self.from_number <= number <= (self.until_number or number)


def terms_of(
    number: int,
    began: Terms,
    changes: Iterable[TermsChange],
    *,
    written: int = NOW,
    after: int | None = None,
) -> Terms:
    """Return the terms of deal ``number``, by the changes written before the serial ``written``.

    ``after`` is the last deal before it that is not voided: if a deal is voided, its chosen dealer
    deals the next one.
    """
    terms, last = began, number - 1 if after is None else after
    for change in changes:
        if change.serial < written and change.holds_for(number):
            terms = changed(terms, change, last)
    return terms


def changed(terms: Terms, change: TermsChange, last: int) -> Terms:
    """Return the terms after a change; ``last`` is the last deal before it that stands."""
    if change.rules is not None:
        return replace(terms, rules=change.rules, rule_set=change.rule_set)
    dealer = change.dealer if last < change.from_number else None
    return replace(terms, order=change.order, sits_out=change.sits_out, dealer=dealer)


def check_seats(
    order: Sequence[int],
    *,
    known: int,
    fits: bool,
    sits_out: Collection[int] | None,
    dealer: int | None,
    out: Collection[int],
) -> None:
    """Raise InvalidError if people can't sit in this order.

    ``known`` people have a seat, ``fits`` says whether their number is possible, ``sits_out`` and
    ``dealer`` are the chosen people, and those who are ``out`` deal no more.
    """
    here = set(order)
    if not fits:
        fault = "seats-count", "seats", say("There are too many people for a table.")
    elif not here:
        fault = "seats-count", "seats", say("Nobody is at the table.")
    elif len(here) != len(order) or not here <= set(range(known)):
        fault = "seats-order", "seats", say("Everybody at the table has one place.")
    elif not here.issuperset(sits_out or ()):
        fault = "sits-out", "sits_out", say("Only those at the table can sit out.")
    elif dealer is not None and dealer not in here:
        fault = "dealer", "dealer", say("Only those at the table can deal.")
    elif dealer in out:
        fault = "dealer", "dealer", say("Whoever is out deals no more.")
    else:
        return
    raise InvalidError.of(*fault)


def first_turn(dealer: Seat, began: Terms, here: Terms) -> Turn:
    """Return who deals the first deal that is not voided, if ``dealer`` was chosen."""
    if here.dealer is not None:
        return Turn(here.dealer)
    if dealer in here.order:
        return Turn(dealer)
    return Turn(next_seat(dealer, _with_dealer(dealer, began.order, here.order), here.order))


def turn_of(
    game: Game[Any, Any], last: tuple[Turn, Outcome], before: Terms, here: Terms, sheet: Any = None
) -> Turn:
    """Return who deals next, even if people came, left or moved after the last deal."""
    turn, outcome = last
    order = _with_dealer(turn.dealer, before.order, here.order)
    following = game.turn_after(turn, outcome, order, before.rules, sheet)
    if here.dealer in here.order:
        return following._replace(dealer=here.dealer)
    if following.dealer in here.order:
        return following
    return following._replace(dealer=next_seat(following.dealer, order, here.order))


def _with_dealer(
    dealer: Seat, before: tuple[Seat, ...], order: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """Keep a place in the order for a dealer who has left: before the player after him."""
    if dealer in order:
        return order
    stayed = [seat for seat in before if seat in order]
    if not stayed or dealer not in before:
        return (dealer, *order)
    place = order.index(next_seat(dealer, before, stayed))
    return (*order[:place], dealer, *order[place:])


class SatOut(NamedTuple):
    """Who sat a deal out, and whose turn to sit out it was."""

    out: tuple[Seat, ...]
    by_turn: tuple[Seat, ...]


def times_out(deals: Iterable[SatOut]) -> Counter[Seat]:
    return Counter(seat for deal in deals for seat in deal.out)


def to_the_good(deals: Iterable[SatOut]) -> dict[Seat, int]:
    """Return how many deals each sat out beyond their turns; a negative number is owed."""
    ahead: Counter[Seat] = Counter()
    for deal in deals:
        ahead.update(deal.out)
        ahead.subtract(deal.by_turn)
    return {seat: count for seat, count in ahead.items() if count}


def to_change(
    out: Sequence[Seat], playing: Sequence[Seat], ahead: dict[Seat, int]
) -> tuple[Seat, Seat] | None:
    """Return who would sit out but has a turn in advance, and who plays but owes one, if any."""
    stood_in = [seat for seat in out if ahead.get(seat, 0) > 0]
    owing = [seat for seat in playing if ahead.get(seat, 0) < 0]
    if not stood_in or not owing:
        return None
    return stood_in[0], min(owing, key=lambda seat: ahead[seat])
