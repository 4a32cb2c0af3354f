"""What other rules would make of an evening: every deal paid anew, and nothing written."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.errors import InvalidError, TooOftenError
from scorer.rules.seats import Seat
from scorer.rules.terms import NOW, TermsChange, terms_of
from scorer.services.changes import NewVersion, check_next, rescore
from scorer.services.ending import PaidDeal, first_end
from scorer.services.open_table import balances_before
from scorer.storage import queries
from scorer.texts import Text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow


#: How many deals are kept in memory, in all the evenings that were looked at last.
MOST_KEPT = 10_000
#: Seconds that a request waits while another is computed, and those after which it may ask again.
PATIENCE, LATER = 1.0, 5
#: After so many deals the other requests of the worker have their turn: for gevent, sleeping for
#: no time at all would let its timers wait.
TURN, PAUSE = 100, 0.001


class Anew(NamedTuple):
    """A deal as it is paid, and by the other rules; or why it can't be played by them."""

    deal: DealRow
    then: Mapping[int, int]
    refusal: Text | None

    @property
    def now(self) -> Mapping[int, int]:
        """What the deal pays as it stands: nothing while it is voided."""
        return {} if self.deal.voided else self.deal.payouts


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The deals by other rules from one of them on, and the balances that they come to.

    A deal that can't be played by them keeps what it was paid. ``refusal`` says why the next deal
    couldn't be played; ``finished_number`` is the deal that would have ended the evening.
    """

    rules: Any
    deals: tuple[Anew, ...]
    now: Mapping[Seat, int]
    then: Mapping[Seat, int]
    refusal: Text | None
    finished_number: int | None

    @property
    def refused(self) -> list[Anew]:
        """The deals that can't be played by the other rules, the voided ones too."""
        return [one for one in self.deals if one.refusal is not None]

    @property
    def differing(self) -> list[Anew]:
        """The deals that would be paid otherwise."""
        return [one for one in self.deals if one.then != one.now]


def foresee(here: OpenTable, rules: Any, from_number: int = 1) -> Foreseen:
    """Pay every deal from one on by other rules, as a change of the rules would.

    What was found last is kept, until something is written in the session. A process computes one
    at a time; raise TooOftenError where that keeps this one waiting.
    """
    row = here.row
    state = (row.circle_id, row.session_id, row.version, row.chain, here.names)
    key = (*state, rules, from_number)
    found = _kept.get(key)
    if found is not None:
        return found
    if not _computing.acquire(timeout=PATIENCE):
        raise TooOftenError(LATER)
    try:
        found = _kept.pop(key, None)
        if found is None:
            found = _foresee(here, rules, from_number)
        _keep(key, found)
    finally:
        _computing.release()
    return found


_kept: OrderedDict[Hashable, Foreseen] = OrderedDict()
_computing = Lock()


def _keep(key: Hashable, found: Foreseen) -> None:
    """Keep what was found last, up to so many deals; an evening without any counts as one."""
    _kept[key] = found
    while sum(len(one.deals) or 1 for one in _kept.values()) > MOST_KEPT:
        _kept.popitem(last=False)


def _foresee(here: OpenTable, rules: Any, from_number: int) -> Foreseen:
    after = _changed(here, rules, from_number)
    stored = queries.all_deals(here.circle_id, here.session_id)
    before, held = stored[: from_number - 1], stored[from_number - 1 :]
    deals = tuple(_all_anew(after, held, from_number))
    now = {Seat(s): n for s, n in queries.balances(here.circle_id, here.session_id).items()}
    end = first_end(after, _paid(after, before, deals))
    return Foreseen(rules, deals, now, _moved(now, deals), _refusal(after), end)


def _paid(after: OpenTable, before: Sequence[DealRow], deals: Sequence[Anew]) -> Iterator[PaidDeal]:
    """List what counts: what was paid before the change, and after it what would be."""
    paid = [(deal, deal.payouts) for deal in before] + [(one.deal, one.then) for one in deals]
    for deal, payouts in paid:
        if not deal.voided:
            sheet = after.sheet_of(deal) if after.game.last_sheet_counts else None
            yield PaidDeal(deal.number, deal.outcome, payouts, sheet)


def _changed(here: OpenTable, rules: Any, from_number: int) -> OpenTable:
    """The session as it would be after the change."""
    changes = (*here.changes, TermsChange(NOW - 1, from_number, None, rules))
    upcoming = terms_of(here.row.next_number, here.began, changes)
    return replace(here, changes=changes, upcoming=upcoming)


def _all_anew(after: OpenTable, held: Sequence[DealRow], from_number: int) -> Iterator[Anew]:
    """Pay deals one after another: where balances count, each with those that it would find."""
    running = balances_before(after.row, from_number) if after.game.eliminates else None
    for place, deal in enumerate(held, 1):
        if place % TURN == 0:
            time.sleep(PAUSE)
        one = _anew(after, deal, running)
        if running is not None:
            running = {seat: n + one.then.get(seat, 0) for seat, n in running.items()}
        yield one


def _anew(after: OpenTable, deal: DealRow, balances: Mapping[Seat, int] | None) -> Anew:
    try:
        new = NewVersion(Seat(deal.dealer), deal.sits_out, after.answers_of(deal))
        written = rescore(after, deal, new, balances)
    except InvalidError as error:
        return Anew(deal, {} if deal.voided else deal.payouts, error.problems[0].message)
    paid = {} if deal.voided else {int(seat): paid for seat, paid in written.payouts.items()}
    return Anew(deal, paid, None)


def _moved(now: Mapping[Seat, int], deals: tuple[Anew, ...]) -> dict[Seat, int]:
    return {
        seat: balance + sum(one.then.get(seat, 0) - one.now.get(seat, 0) for one in deals)
        for seat, balance in now.items()
    }


def _refusal(after: OpenTable) -> Text | None:
    try:
        check_next(after)
    except InvalidError as error:
        return error.problems[0].message
    return None
