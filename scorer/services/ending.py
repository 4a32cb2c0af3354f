"""Whether a session has come to its end by the rules, and with which deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.rules.game import Outcome
from scorer.rules.match import Tally
from scorer.rules.seats import Seat
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorer.services.open_table import OpenTable
    from scorer.services.writing import ScoredEntry


def ends(here: OpenTable, written: ScoredEntry) -> bool:
    """Say whether the session comes to its end with a deal that is to be written."""
    if not here.game.can_end(here.rules):
        return False
    balances = queries.balances(here.circle_id, here.session_id)
    totals = {
        Seat(seat): balance + written.payouts.get(Seat(seat), 0)
        for seat, balance in balances.items()
    }
    played = queries.played_count(here.circle_id, here.session_id)
    played += written.outcome is Outcome.PLAYED
    tally = Tally(totals, played, written.answers, here.order)
    return here.game.progress(tally, here.rules).finished


class PaidDeal(NamedTuple):
    """A deal that counts: what became of it, what it paid each seat, and its sheet."""

    number: int
    outcome: str
    payouts: Mapping[int, int]
    sheet: Any


def end_again(here: OpenTable) -> int | None:
    """Find the deal that ended the session by playing all its payouts again."""
    if not any(here.game.can_end(rules) for rules in here.all_rules):
        return None
    sheets = _sheets(here) if here.game.last_sheet_counts else {}
    payouts = queries.payout_matrix(here.circle_id, here.session_id)
    outcomes = queries.standing_outcomes(here.circle_id, here.session_id)
    paid = (
        PaidDeal(number, came, payouts.get(number, {}), sheets.get(number))
        for number, came in outcomes
    )
    return first_end(here, paid)


def first_end(here: OpenTable, deals: Iterable[PaidDeal]) -> int | None:
    """Find the first deal with which a session comes to its end, if any does."""
    totals, played = dict(here.opening), 0
    for deal in deals:
        played += deal.outcome == Outcome.PLAYED
        for seat, amount in deal.payouts.items():
            totals[Seat(seat)] += amount
        terms = here.terms(deal.number)
        tally = Tally(totals, played, deal.sheet, terms.order)
        if here.game.progress(tally, terms.rules).finished:
            return deal.number
    return None


def _sheets(here: OpenTable) -> dict[int, Any]:
    """Read every sheet of a session."""
    deals = queries.all_deals(here.circle_id, here.session_id)
    return {deal.number: here.sheet_of(deal) for deal in deals}
