"""Writing deals anew: the sheets stay; dealers, those who sit out and the payouts follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.seats import Seat
from scorer.rules.stretches import first_turn, now_there, turn_of
from scorer.services.open_table import balances_before
from scorer.services.writing import rewrite, write_down
from scorer.storage import queries
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorer.services.changing.wanted import Wanted
    from scorer.services.open_table import OpenTable
    from scorer.services.writing import Act, Written
    from scorer.storage.queries import DealRow


class Again(NamedTuple):
    """How a deal is to be written once more: who deals, who sits out, the answers."""

    dealer: Seat
    sits_out: tuple[int, ...]
    answers: dict[str, Any] | None


def check_next(after: OpenTable) -> None:
    """The next deal must have as many players as its rules are for; raise InvalidError."""
    problem = after.game.wrong_count(after.table().active, after.rules)
    if problem is not None:
        raise InvalidError([problem])


def write_anew(before: OpenTable, after: OpenTable, wanted: Wanted, act: Act) -> int:
    """Write every deal that the change holds for once more; raise InvalidError with all faults."""
    problems: list[Problem] = []
    deals = queries.all_deals(after.circle_id, after.session_id)
    held = [deal for deal in deals if wanted.holds_for(deal.number)]
    dealers = _dealers(after, deals, wanted) if wanted.seats else {}
    for deal in held:
        try:
            again = _again(before, after, deal, wanted, dealers.get(deal.number))
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
    if len(old) != len(new):
        message = say(
            "Here %(before)s were at the table and now %(now)s: "
            "what was written can't go with the places.",
            before=len(old),
            now=len(new),
        )
        raise InvalidError([Problem("by-place", "by_place", message)])
    there = now_there(old, new)
    return tuple(after.names[there.get(Seat(seat), seat)] for seat in range(len(after.names)))


def _dealers(after: OpenTable, deals: Sequence[DealRow], wanted: Wanted) -> dict[int, Seat]:
    """Say who dealt each deal that the change holds for: each follows from the one before."""
    dealers: dict[int, Seat] = {}
    earlier = [deal for deal in deals if deal.number < wanted.from_number and not deal.voided]
    last = earlier[-1] if earlier else None
    for deal in deals:
        if wanted.holds_for(deal.number):
            dealers[deal.number] = _dealer(after, last, deal.number, dealers)
            last = last if deal.voided else deal
    return dealers


def _dealer(after: OpenTable, last: DealRow | None, number: int, dealers: dict[int, Seat]) -> Seat:
    if last is None:
        first = Seat(after.row.first_dealer)
        return first_turn(first, after.began, after.stretch(number, after=0)).dealer
    dealt = Turn(dealers.get(last.number, Seat(last.dealer))), after.came_to(last)
    stretch = after.stretch(number, after=last.number)
    return turn_of(after.game, dealt, after.stretch(last.number), stretch).dealer


def written_anew(
    after: OpenTable,
    stands: DealRow,
    again: Again,
    balances: Mapping[Seat, int] | None = None,
) -> Written:
    """Read and pay a deal by the rules and seats that are to hold; raise InvalidError.

    ``balances`` are those before the deal, where they count and aren't those that are stored.
    """
    stretch = after.stretch(stands.number)
    active = tuple(seat for seat in stretch.order if seat not in again.sits_out)
    if after.game.eliminates and balances is None:
        balances = balances_before(after.row, stands.number)
    table = Table(stretch.rules, after.names, active, stretch.order, balances)
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


def deal_again(here: OpenTable) -> None:
    """Let the deal under way be dealt by whose turn it is now; raise InvalidError if it can't."""
    started = queries.started_deal(here.circle_id, here.session_id)
    if started is None:
        return
    problems = here.game.start_problems(here.start_of(started.sheet), here.table(), "sheet")
    if problems:
        raise InvalidError([_in_deal(started.number, problem) for problem in problems])
    started.dealer = here.turn.dealer
