"""A deal's own page: why, what if, every version; and what is done to a deal there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError
from scorer.rules.game import Fact, Outcome
from scorer.rules.seats import Seat
from scorer.rules.sides import every_seat
from scorer.services import deals
from scorer.services.deal_report import AnswerChange, deal_report
from scorer.services.deals import DealChange
from scorer.services.score_sheet import OUTCOME_WORDS
from scorer.storage.queries import ReviewRow
from scorer.texts import Text, say
from scorer.web.access import current_holder
from scorer.web.deals.asking import ask_about, dispute_view
from scorer.web.deals.pages import (
    DEAL,
    deal_url,
    forget_undo,
    pages,
    place,
    seen_version,
    session_url,
)
from scorer.web.rule_sets.pages import rule_set_url
from scorer.web.tricks.beside import beside, may_have_tricks
from scorer.web.views import (
    SeatAmount,
    SeatView,
    amounts,
    by_field,
    odd_texts,
    phone_words,
    seat_views,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.rules.game import Step
    from scorer.services.deal_report import DealReport, VersionReport, WhatIf
    from scorer.services.deals import Recorded
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


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal in full."""

    number: int
    deal_id: UUID
    version: int
    outcome: str
    outcome_text: Text | None
    voided: bool
    amended: bool
    disputed: bool
    unconfirmed: bool
    reviews: int
    made: bool | None
    headline: Text
    dealer: SeatView
    sits_out: list[SeatView]
    facts: tuple[Fact, ...]
    written: Author
    corrected: Author | None
    payouts: list[SeatAmount]
    previous: int | None
    next: int | None


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

    version: int
    act: str
    act_text: Text
    by: str | None
    phone: Text | str | None
    at: datetime
    reason: str | None
    because: Text | None = None
    changes: tuple[AnswerChange, ...] = ()
    moved: Sequence[SeatAmount] = ()


@pages.get(f"{DEAL}/")
def show(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show a deal."""
    return report_page(deal_report(circle_id, session_id, number))


def report_page(
    report: DealReport,
    problems: tuple[Problem, ...] = (),
    moved: Mapping[str, str] | None = None,
) -> str:
    """Show a deal, and what was wrong with what was asked of it.

    ``moved`` names the form that a problem belongs to, where several ask for the same.
    """
    state, tricks = report.state, may_have_tricks(report)
    return render_template(
        "deals/show.html",
        **place(state),
        deal=_deal_view(report),
        odd=odd_texts(state.game.describe(report.table.rules)),
        total=0 if report.deal.voided else sum(report.deal.payouts.values()),
        why=[_why(report, step) for step in report.score.steps],
        what_if=_at_other_tables(report),
        history=[_event(report, event) for event in report.history],
        seats=seat_views(state.names, range(len(state.names))),
        asked=ask_about(
            state, report.deal, report.facts, seen=len(report.reviews), waits=report.unconfirmed
        ),
        dispute=dispute_view(report),
        tricks=tricks,
        beside=None if tricks is None else beside(tricks),
        problems=by_field(problems, moved or {}),
        typed=request.form,
    )


def _deal_view(report: DealReport) -> DealView:
    state, deal = report.state, report.deal
    last = state.row.next_number - 1
    rows = [version.row for version in report.versions]
    amendments = [row for row in rows if row.act == "amend" and row.change is None]
    return DealView(
        number=deal.number,
        deal_id=deal.deal_id,
        version=deal.version,
        outcome=deal.outcome,
        outcome_text=OUTCOME_WORDS.get(Outcome(deal.outcome)),
        voided=deal.voided,
        amended=deal.amended,
        disputed=deal.disputed,
        unconfirmed=report.unconfirmed,
        reviews=len(report.reviews),
        made=report.score.made,
        headline=report.headline,
        dealer=SeatView(deal.dealer, state.names[deal.dealer]),
        sits_out=seat_views(state.names, deal.sits_out),
        facts=report.facts,
        written=_author(rows[-1]),
        corrected=_author(amendments[0]) if amendments else None,
        payouts=_paid(report, _by_seat(deal.payouts)) if deal.payouts else [],
        previous=deal.number - 1 if deal.number > 1 else None,
        next=deal.number + 1 if deal.number < last else None,
    )


def _author(row: VersionRow) -> Author:
    return Author(row.written_by, phone_words(row.phone), row.at)


def _by_seat(payouts: Mapping[int, int]) -> dict[Seat, int]:
    return {Seat(seat): amount for seat, amount in payouts.items()}


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
    tables = [_what_if(report, other) for other in report.what_if]
    played = [(one.name, one.payouts) for one in tables if one.here]
    return [one for one in tables if one.here or one.own or (one.name, one.payouts) not in played]


def _what_if(report: DealReport, other: WhatIf) -> WhatIfView:
    state, score = report.state, other.score
    return WhatIfView(
        _url(state, other),
        state.game.describe(other.rules).name,
        score.made if score else None,
        _paid(report, score.payouts) if score else [],
        other.here,
        other.own is not None,
        other.refusal,
    )


def _url(state: Any, other: WhatIf) -> str:
    """Where the other table is shown: the circle's own, a preset, or the rules of the session."""
    if other.here:
        return url_for("sessions.rules", circle_id=state.circle_id, session_id=state.session_id)
    if other.own is not None:
        return rule_set_url(state.circle_id, other.own.rule_set_id)
    return url_for("games.preset", slug=state.game.slug, preset=other.rules.slug)


def _event(report: DealReport, event: VersionReport | ReviewRow) -> EventView:
    if isinstance(event, ReviewRow):
        return EventView(
            event.version,
            event.kind,
            ACT_WORDS[event.kind],
            event.written_by,
            phone_words(event.phone),
            event.at,
            event.reason,
        )
    row = event.row
    moved = _only_paid(report, event.moved)
    return EventView(
        row.version,
        row.act,
        ACT_WORDS[row.act],
        row.written_by,
        phone_words(row.phone),
        row.at,
        row.reason,
        event.because,
        event.changes,
        moved,
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
    forget_undo()
    change = DealChange(number, seen_version(), gettext("Taken back right after saving"))
    try:
        deals.void_deal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")
    except ConflictError:
        flash(
            gettext("Deal %(number)s was changed meanwhile: look at it first.", number=number),
            "problem",
        )
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _change(
    circle_id: UUID, session_id: UUID, number: int, act: Callable[[UUID, DealChange, Any], Recorded]
) -> ResponseReturnValue:
    change = DealChange(number, seen_version(), request.form.get("reason", ""))
    try:
        act(session_id, change, current_holder())
    except InvalidError as error:
        page = report_page(deal_report(circle_id, session_id, number), error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash(
            gettext("Deal %(number)s was changed meanwhile: look at it first.", number=number),
            "problem",
        )
    forget_undo()
    return redirect(deal_url(circle_id, session_id, number), HTTPStatus.SEE_OTHER)
