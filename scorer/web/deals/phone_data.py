"""What a phone goes on by without a network: an evening as data, folded by its scripts.

``static/live/evening.js`` takes what waits on the phone as `Walk.take` takes what was written.
"""

from typing import Any
from uuid import UUID

from flask import Response, jsonify
from flask_babel import gettext

from scorer.evening.acts import VERSIONS, DealAct
from scorer.evening.deal import Deal
from scorer.evening.terms import terms_of
from scorer.evening.walk import Walk
from scorer.roles import Role
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.seats import Seat, all_seats
from scorer.services.session.state import SessionState, load_state
from scorer.web.base.access import short_name
from scorer.web.base.filters import in_words
from scorer.web.base.pages import side_views
from scorer.web.deals.blueprint import VOID_REASONS, pages
from scorer.web.deals.entry_forms import deal_form

#: Written deals that a phone can put right without a network, the newest.
MOST_WRITTEN = 200
#: Where it only matters whether the dealer deals again.
DEALER, ROUND = Seat(0), all_seats(2)


@pages.get("/ahead", least=Role.SCOREKEEPER, kept=True)
def to_go_on(circle_id: UUID, session_id: UUID) -> Response:
    """Return as JSON the data to record and correct deals without a network."""
    state = load_state(circle_id, session_id)
    form, data = deal_form(state.game), phone_data(state, MOST_WRITTEN)
    for told in data["deals"]:
        deal = state.evening.deal(told["number"])
        sheet = deal.entry.played
        told |= {"key": deal.deal_id, "version": deal.version, "seen": len(deal.reviews)}
        told["values"] = sheet and form.values(sheet)
    return jsonify(
        **data,
        version=state.row.version,
        words={
            name: in_words(act.title("#"))
            for name, act in VERSIONS.items()
            if issubclass(act, DealAct)
        }
        | {
            "deal": gettext("Deal %(number)s", number="#"),
            "save": gettext("Save the new version"),
            "reason": gettext("Why is it changed?"),
            "because": gettext("Void it, because:"),
            "unasked": gettext("It was played by other rules: to amend it, the network is needed."),
        },
        reasons=[in_words(reason) for reason in (*state.game.mistakes, *VOID_REASONS)],
    )


def phone_data(state: SessionState, most: int = 0) -> dict[str, Any]:
    """Return a session before its next deal, or before so many of the newest deals."""
    end = in_words(state.game.end_text(state.rules))
    return {
        **evening_data(state.evening, most),
        "closed": state.row.ended_at is not None,
        "names": [short_name(name) for name in state.names],
        "sides": {side.seat: in_words(side.name) for side in side_views(state.names, state.sides)},
        "over": gettext("%(end)s: with that the session is over.", end=end),
    }


def evening_data(evening: Walk, most: int) -> dict[str, Any]:
    """Return an evening before so many of its newest deals, with these and their terms."""
    number = max(1, evening.number - most)
    then = evening.back_to(number)
    borders = {number, *(border for change in evening.changes for border in change.borders)}
    return {
        "number": number,
        "played": then.played,
        "balances": then.totals,
        "since": then.since if evening.game.eliminates else None,
        "ended": then.ended is not None,
        "won": then.result.winners if then.result.outright else (),
        "last": _last(then),
        "terms": [_terms(evening, border) for border in sorted(borders) if border >= number],
        "deals": [_deal(deal) for deal in evening.deals[number - 1 :]],
    }


def _last(then: Walk) -> dict[str, Any]:
    """Return the last deal that stands; before the first, whoever deals that deals again."""
    began, last = then.began, then.last
    if last is None:
        first = began.order[0] if then.first is None else then.first
        return {"number": 0, "dealer": first, "order": began.order, "again": True, "next": 1}
    order = (last.terms or then.terms).order
    return {"number": last.number, "dealer": last.turn.dealer, "order": order, **_after(last)}


def _after(deal: Deal) -> dict[str, Any]:
    """Return whether the dealer deals the next deal, too, and how often that counts."""
    game, entry = deal.entry.game, deal.entry
    rules = deal.terms.rules if deal.terms else entry.table.rules
    turn = Turn(DEALER, deal.turn.times)
    after = game.turn_after(turn, entry.outcome, ROUND, rules, entry.played)
    return {"again": after.dealer == DEALER, "next": after.times}


def _deal(deal: Deal) -> dict[str, Any]:
    """Return a written deal; after one that was not played its terms say who deals."""
    entry = deal.entry
    told: dict[str, Any] = {
        "number": deal.number,
        "dealer": deal.turn.dealer,
        "active": entry.table.active,
        "times": deal.turn.times,
        "voided": deal.voided,
        "paid": entry.paid,
    }
    if entry.outcome is not Outcome.PLAYED:
        return {**told, "outcome": entry.outcome}
    decides = deal_form(entry.game).decides(entry.played, entry.table.rules)
    return {**told, "times": entry.times, **_after(deal), **decides}


def _terms(evening: Walk, number: int) -> dict[str, Any]:
    """Return what holds from a deal on: who sits there, who deals, what it pays, how it ends.

    A chosen ``dealer`` deals until a deal from number ``since`` on stands.
    """
    game, terms = evening.game, terms_of(number, evening.began, evening.changes, after=0)
    chosen = [change for change in evening.changes if change.order and change.holds_for(number)]
    rules, order = terms.rules, terms.order
    active = terms.active(game, order[0])
    form = deal_form(game).at(game, Table(rules, evening.names, active, order))
    return {
        "from": number,
        "order": order,
        "sits_out": terms.sits_out,
        "dealer": terms.dealer,
        "since": chosen[-1].from_number if chosen else 0,
        "rota": len(active) if terms.sits_out is None and active != order else None,
        "playing": game.seating(rules).playing,
        "sides": game.sides(order, rules),
        "lowest": game.leads_lowest(rules),
        "ends": {name: end for name, end in form.ends().items() if end is not None},
        "pays": form.pays(),
        "outcomes": {
            outcome: _not_played(evening, rules, outcome)
            for outcome in Outcome
            if not outcome.counts
        },
    }


def _not_played(evening: Walk, rules: Any, outcome: Outcome) -> dict[str, Any]:
    """Return who deals after an outcome, and how often the next deal counts.

    ``more`` is its multiplier; with ``compound`` it multiplies the one already carried over.
    """
    once, twice = (
        evening.game.turn_after(Turn(DEALER, times), outcome, ROUND, rules) for times in (1, 2)
    )
    compound = twice.times > max(once.times, 2)
    return {"again": once.dealer == DEALER, "more": once.times, "compound": compound}
