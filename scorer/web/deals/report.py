"""A deal's own page: why, what if, every version; and what is done to a deal there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import flash, redirect, render_template, url_for
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError
from scorer.rules.sides import every_seat
from scorer.services import deals
from scorer.services.deal_report import AnswerChange, deal_report
from scorer.services.deals import DealChange
from scorer.services.what_if import tables_what_if
from scorer.storage.queries import ReviewRow
from scorer.texts import Text, say
from scorer.web.access import current_holder
from scorer.web.deals.asking import ask_about, dispute_view
from scorer.web.deals.pages import (
    DEAL,
    deal_url,
    flash_changed,
    forget_undo,
    pages,
    place,
    sent_version,
    session_url,
)
from scorer.web.forms.deals import ReviewForm, VersionForm
from scorer.web.rule_sets.showing import rule_set_url
from scorer.web.tricks.beside import beside, may_have_tricks
from scorer.web.views import (
    SeatAmount,
    SeatView,
    amounts,
    odd_texts,
    phone_words,
    seat_views,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.game import Step
    from scorer.rules.seats import Seat
    from scorer.services.deal_report import DealReport, VersionReport
    from scorer.services.deals import Recorded
    from scorer.services.state import SessionState
    from scorer.services.what_if import TableWhatIf
    from scorer.storage.queries import VersionRow

ACT_WORDS = {
    "record": say("Written down"),
    "amend": say("Amended"),
    "void": say("Voided"),
    "restore": say("Restored"),
    "dispute": say("Disputed"),
    "confirm": say("Confirmed"),
    "uphold": say("Upheld"),
}


class Author(NamedTuple):
    """Who wrote something, on which phone, and when."""

    by: str | None
    phone: Text | str | None
    at: datetime


class WhyStep(NamedTuple):
    """One step of the arithmetic and whom it pays."""

    text: Text
    amounts: list[SeatAmount]


class WhatIfView(NamedTuple):
    """The deal under another table."""

    url: str
    name: Text
    made: bool | None
    payouts: list[SeatAmount]
    here: bool
    own: bool
    note: Text | None


@dataclass(frozen=True, slots=True)
class EventView:
    """What was written or said, and who did it; a version tells what it changed."""

    act: str
    act_text: Text
    author: Author
    reason: str | None
    because: Text | None = None
    changes: tuple[AnswerChange, ...] = ()
    moved: Sequence[SeatAmount] = ()


@pages.get(f"{DEAL}/")
def show(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show a deal."""
    return report_page(deal_report(circle_id, session_id, number))


def report_page(report: DealReport, act: str = "", form: VersionForm | None = None) -> str:
    """Show a deal; ``form`` is what was sent to do to it, and refused."""
    state, deal, tricks = report.state, report.deal, may_have_tricks(report)
    seen = len(report.reviews)
    refused = {act: form} if form else {}
    return render_template(
        "deals/show.html",
        **place(state),
        report=report,
        deal=deal,
        payouts=_paid(report, report.payouts) if deal.payouts else [],
        dealer=SeatView(deal.dealer, state.names[deal.dealer]),
        sits_out=seat_views(state.names, deal.sits_out),
        recorded=_author(report.recorded),
        amended=_author(report.amended) if report.amended else None,
        odd=odd_texts(state.game.describe(report.table.rules)),
        why=[_why(report, step) for step in report.score.steps],
        what_if=_at_other_tables(report),
        history=[_event(report, event) for event in report.history],
        asked=ask_about(
            state,
            deal,
            report.facts,
            seen=seen,
            waits=report.unconfirmed,
            form=refused.get("dispute"),
        ),
        dispute=dispute_view(report),
        uphold=refused.get("uphold") or ReviewForm(version=deal.version, seen=seen),
        void=refused.get("void") or VersionForm(version=deal.version),
        tricks=tricks,
        beside=None if tricks is None else beside(tricks),
    )


def _author(row: VersionRow | ReviewRow) -> Author:
    return Author(row.written_by, phone_words(row.phone), row.at)


def _paid(report: DealReport, paid: Mapping[Seat, int]) -> list[SeatAmount]:
    """Show everybody at the table, partners together, with what they are paid."""
    sides = report.state.game.around(report.table)
    gone = tuple(seat for seat in paid if not any(seat in side for side in sides))
    return amounts(report.state.names, (*sides, *every_seat(gone)), paid)


def _only_paid(report: DealReport, paid: Mapping[Seat, int]) -> list[SeatAmount]:
    return [one for one in _paid(report, paid) if one.amount is not None]


def _why(report: DealReport, step: Step) -> WhyStep:
    return WhyStep(step.text, _only_paid(report, step.amounts))


def _at_other_tables(report: DealReport) -> list[WhatIfView]:
    """Show the deal at this table and at others, the played one only once."""
    tables = [_what_if(report, other) for other in tables_what_if(report)]
    played = [(one.name, one.payouts) for one in tables if one.here]
    return [one for one in tables if one.here or one.own or (one.name, one.payouts) not in played]


def _what_if(report: DealReport, other: TableWhatIf) -> WhatIfView:
    state, score = report.state, other.score
    return WhatIfView(
        url=_url(state, other),
        name=state.game.describe(other.rules).name,
        made=score.made if score else None,
        payouts=_paid(report, score.payouts) if score else [],
        here=other.played,
        own=other.own is not None,
        note=other.refusal,
    )


def _url(state: SessionState, other: TableWhatIf) -> str:
    """Where the other table is shown: the circle's own, a preset, or the rules of the session."""
    if other.played:
        return url_for("sessions.rules", circle_id=state.circle_id, session_id=state.session_id)
    if other.own is not None:
        return rule_set_url(state.circle_id, other.own.rule_set_id)
    return url_for("games.preset", slug=state.game.slug, preset=other.rules.slug)


def _event(report: DealReport, event: VersionReport | ReviewRow) -> EventView:
    if isinstance(event, ReviewRow):
        return EventView(
            act=event.kind,
            act_text=ACT_WORDS[event.kind],
            author=_author(event),
            reason=event.reason,
        )
    row = event.row
    return EventView(
        act=row.act,
        act_text=ACT_WORDS[row.act],
        author=_author(row),
        reason=row.reason,
        because=event.because,
        changes=event.changes,
        moved=_only_paid(report, event.moved),
    )


@pages.post(f"{DEAL}/void")
def void(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Strike a deal through."""
    return _change(circle_id, session_id, number, deals.void_deal)


@pages.post(f"{DEAL}/restore")
def restore(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Let a voided deal count again."""
    return _change(circle_id, session_id, number, deals.restore_deal)


@pages.post(f"{DEAL}/undo")
def undo(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Take back what this phone wrote a moment ago; it stays on the sheet, struck through."""
    form = sent_version()
    forget_undo()
    reason = gettext("Taken back right after saving")
    change = DealChange(number, form.version.data or 0, reason)
    try:
        deals.void_deal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")
    except ConflictError:
        flash_changed(number)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _change(
    circle_id: UUID, session_id: UUID, number: int, act: Callable[[UUID, DealChange, Any], Recorded]
) -> ResponseReturnValue:
    form = sent_version()
    change = DealChange(number, form.version.data or 0, form.reason.data or "")
    try:
        act(session_id, change, current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        page = report_page(deal_report(circle_id, session_id, number), "void", form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash_changed(number)
    forget_undo()
    return redirect(deal_url(circle_id, session_id, number), HTTPStatus.SEE_OTHER)
