"""Whether a session has ended by the rules, and with which deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scorer.rules.game import Outcome
from scorer.rules.match import Tally
from scorer.rules.seats import Seat
from scorer.services.book.state import SessionState
from scorer.services.book.writing import ScoredEntry
from scorer.storage import queries


def ends(state: SessionState, scored: ScoredEntry) -> bool:
    """Whether the session ends with a deal that is about to be inserted."""
    if not state.game.can_end(state.rules):
        return False
    balances = queries.book.balances(state.circle_id, state.session_id)
    totals = {seat: before + scored.payouts.get(seat, 0) for seat, before in balances.items()}
    played = queries.deals.played_count(state.circle_id, state.session_id)
    played += scored.outcome is Outcome.PLAYED
    tally = Tally(totals, played, scored.answers, state.order)
    return state.game.progress(tally, state.rules).finished


class CountedDeal(NamedTuple):
    """A deal that is not voided: its outcome, its payouts by seat, and its sheet."""

    number: int
    outcome: str
    payouts: Mapping[int, int]
    sheet: Any


def end_again(state: SessionState) -> int | None:
    """Return the number of the deal that ends the session, found anew from all payouts."""
    if not any(state.game.can_end(rules) for rules in state.all_rules):
        return None
    sheets = {}
    if state.game.last_sheet_counts:
        deals = queries.deals.all_deals(state.circle_id, state.session_id)
        sheets = {deal.number: state.sheet_of(deal) for deal in deals}
    payouts = queries.book.payout_matrix(state.circle_id, state.session_id)
    outcomes = queries.deals.standing_outcomes(state.circle_id, state.session_id)
    counted = (
        CountedDeal(number, outcome, payouts.get(number, {}), sheets.get(number))
        for number, outcome in outcomes
    )
    return first_end(state, counted)


def first_end(state: SessionState, deals: Iterable[CountedDeal]) -> int | None:
    """Return the number of the first deal with which the session ends, if any does."""
    totals, played = dict(state.opening), 0
    for deal in deals:
        played += deal.outcome == Outcome.PLAYED
        for seat, amount in deal.payouts.items():
            totals[Seat(seat)] += amount
        terms = state.terms(deal.number)
        tally = Tally(totals, played, deal.sheet, terms.order)
        if state.game.progress(tally, terms.rules).finished:
            return deal.number
    return None
