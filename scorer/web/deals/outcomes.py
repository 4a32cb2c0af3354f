"""A deal that was not played, a penalty, or an agreed result: recorded, or amended to it."""

from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from flask import abort, render_template
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from scorer.evening.acts import Amend, Record
from scorer.evening.agreed import AgreedSheet
from scorer.roles import Role
from scorer.rules.game import Outcome, Table
from scorer.services.deals import deals
from scorer.services.session.state import SessionState, load_state
from scorer.web.base.access import current_holder
from scorer.web.base.pages import SeatView, deal_url, place, session_url, side_views
from scorer.web.deals.blueprint import DEAL, carry_out, pages, recorded
from scorer.web.deals.conflict import outcome_conflict_page
from scorer.web.deals.forms import OutcomeForm


@pages.post("/outcome", least=Record.least)
def outcome(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Record a deal that was not played, a penalty, or an agreed result."""
    state, form = load_state(circle_id, session_id), OutcomeForm.sent()
    key, number = form.deal
    act = Record(key=key, number=number, sheet=form.sheet(state.names), outcome=form.became)
    return carry_out(
        lambda: recorded(session_id, act),
        form,
        following=session_url(circle_id, session_id),
        refused=(lambda: _page(state, form)) if form.became is Outcome.AGREED else None,
        overtaken=lambda: outcome_conflict_page(circle_id, session_id, form),
    )


@pages.get(f"{DEAL}/agreed", least=Role.SCOREKEEPER)
def agreed(circle_id: UUID, session_id: UUID, number: int) -> str:
    """Ask what a recorded deal pays by agreement."""
    state = load_state(circle_id, session_id)
    deal = state.evening.deal(number)
    values = agreed_values(deal.entry.sheet) if deal.outcome is Outcome.AGREED else {}
    known = {"key": uuid4(), "number": number, "version": deal.version, "seen": len(deal.reviews)}
    sent = MultiDict({name: str(value) for name, value in {**values, **known}.items()})
    return _page(state, OutcomeForm(sent))


@pages.post(f"{DEAL}/agreed", least=Amend.least)
def agree(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend a deal to an agreed result."""
    state, form = load_state(circle_id, session_id), OutcomeForm.sent()
    if form.version.data is None or form.became is not Outcome.AGREED:
        abort(HTTPStatus.BAD_REQUEST)
    amend = Amend(
        version=form.version.data,
        seen=form.seen.data,
        outcome=form.became,
        sheet=form.sheet(state.names),
    )
    back = session_url(circle_id, session_id)
    return carry_out(
        lambda: deals.do(circle_id, session_id, number, amend, by=current_holder()),
        form,
        following=back if form.back.data == "session" else deal_url(circle_id, session_id, number),
        refused=lambda: _page(state, form),
        overtaken=lambda: outcome_conflict_page(circle_id, session_id, form),
    )


def agreed_values(sheet: AgreedSheet) -> dict[str, str]:
    """Return what the form sends for an agreed result."""
    return {
        "outcome": Outcome.AGREED,
        "reason": sheet.reason,
        **{f"payouts-{seat}": str(amount) for seat, amount in sheet.payouts.items()},
        **{f"buy_in-{seat}": "on" for seat in sheet.buy_in},
    }


def agreeing(state: SessionState, table: Table[Any]) -> list[SeatView]:
    """Return the sides that an agreed result has a figure for."""
    return side_views(state.names, state.game.sides(table.active, table.rules))


def _page(state: SessionState, form: OutcomeForm) -> str:
    """Ask what a deal pays by agreement; a form that was sent is shown with its problems."""
    number = form.number.data or 0
    table, _ = deals.deal_table(state, number)
    return render_template(
        "deals/agreed.html",
        **place(state),
        form=form,
        number=number,
        sides=agreeing(state, table),
        amends=form.version.data is not None,
    )
