"""A deal's own page: why it pays, what-if, history; and what is done to a deal there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import flash, render_template, url_for
from flask_babel import gettext

from scorer.rules.sides import every_seat
from scorer.services import deals
from scorer.services.deal_report import deal_report
from scorer.services.deals import DealChange
from scorer.services.what_if import tables_what_if
from scorer.texts import say
from scorer.web.access import current_holder, may
from scorer.web.deals.beside import beside, may_have_tricks
from scorer.web.deals.conflict import both_payouts, overtaken_page
from scorer.web.deals.pages import (
    ACT_WORDS,
    DEAL,
    carry_out,
    deal_url,
    forget_undo,
    pages,
    place,
    session_url,
)
from scorer.web.forms.deals import ReviewForm, VersionForm
from scorer.web.forms.notes import NoteForm
from scorer.web.notes import shown_notes
from scorer.web.rule_sets.showing import rule_set_url
from scorer.web.views import SeatView, amounts, odd_texts, seat_views

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.seats import Seat
    from scorer.services.deal_report import DealReport
    from scorer.services.deals import Recorded
    from scorer.services.what_if import TableWhatIf
    from scorer.texts import Text
    from scorer.web.forms.tricks import KeepTricksForm
    from scorer.web.views import SeatAmount

VOID_REASONS = (
    say("Wrong caller"),
    say("Wrong partner"),
    say("Wrong points"),
    say("Recorded twice"),
    say("It was a misdeal"),
)


class LinkedWhatIf(NamedTuple):
    """The deal by the rules of one table, and the address of that table."""

    url: str
    name: Text
    payouts: list[SeatAmount]
    found: TableWhatIf


@pages.get(f"{DEAL}/")
def show(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show a deal."""
    return report_page(deal_report(circle_id, session_id, number))


def report_page(
    report: DealReport,
    *,
    dispute: ReviewForm | None = None,
    uphold: ReviewForm | None = None,
    void: VersionForm | None = None,
    keep: KeepTricksForm | None = None,
) -> str:
    """Show a deal; a form that is given is shown as it was sent, with its problems."""
    state, deal, tricks = report.state, report.deal, may_have_tricks(report)
    seen, proposal = len(report.reviews), report.proposal
    return render_template(
        "deals/show.html",
        **place(state),
        report=report,
        deal=deal,
        payouts=_paid(report, report.payouts) if deal.payouts else [],
        paid=partial(_paid, report),
        dealer=SeatView(deal.dealer, state.names[deal.dealer]),
        sits_out=seat_views(state.names, deal.sits_out),
        odd=odd_texts(state.game.describe(report.table.rules)),
        what_if=_what_if(report),
        act_words=ACT_WORDS,
        void_reasons=VOID_REASONS,
        question=report.question(current_holder()) if may("deals.dispute") else None,
        proposal=proposal,
        both=both_payouts(report, proposal.payouts) if proposal else [],
        withdraws=may("deals.withdraw") and report.withdraws(current_holder()),
        settle=ReviewForm(version=deal.version, seen=seen),
        dispute=dispute or ReviewForm(version=deal.version, seen=seen),
        uphold=uphold or ReviewForm(version=deal.version, seen=seen),
        void=void or VersionForm(version=deal.version),
        tricks=tricks,
        beside=None if tricks is None else beside(tricks, keep),
        **shown_notes(state.circle_id, state.session_id, deal.number),
        note_form=NoteForm.new(deal.number),
    )


def _paid(report: DealReport, paid: Mapping[Seat, int]) -> list[SeatAmount]:
    """List what everybody at the table is paid, partners together."""
    sides = report.state.game.around(report.table)
    gone = tuple(seat for seat in paid if not any(seat in side for side in sides))
    return amounts(report.state.names, (*sides, *every_seat(gone)), paid)


def _what_if(report: DealReport) -> list[LinkedWhatIf]:
    """List the tables, without a preset that is the played table under the same name."""
    tables = [_linked(report, found) for found in tables_what_if(report)]
    played = [(one.name, one.payouts) for one in tables if one.found.played]
    return [
        one
        for one in tables
        if one.found.played or one.found.own or (one.name, one.payouts) not in played
    ]


def _linked(report: DealReport, found: TableWhatIf) -> LinkedWhatIf:
    state = report.state
    if found.played:
        url = url_for("sessions.rules", circle_id=state.circle_id, session_id=state.session_id)
    elif found.own is not None:
        url = rule_set_url(state.circle_id, found.own.rule_set_id)
    else:
        url = url_for("games.preset", slug=state.game.slug, preset=found.rules.slug)
    payouts = _paid(report, found.score.payouts) if found.score else []
    return LinkedWhatIf(url, state.game.describe(found.rules).name, payouts, found)


@pages.post(f"{DEAL}/void")
def void(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Void a deal."""
    return _change(circle_id, session_id, number, deals.void_deal)


@pages.post(f"{DEAL}/restore")
def restore(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Restore a voided deal."""
    return _change(circle_id, session_id, number, deals.restore_deal)


@pages.post(f"{DEAL}/undo")
def undo(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Void the deal that this phone recorded a moment ago."""
    form = VersionForm.sent()
    form.reason.data = gettext("Taken back right after saving")

    def act() -> None:
        change = DealChange(number, form.version.data or 0, form.said)
        deals.void_deal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")

    forget_undo()
    return carry_out(
        act,
        form,
        following=session_url(circle_id, session_id),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, "void", form),
    )


def _change(
    circle_id: UUID, session_id: UUID, number: int, act: Callable[[UUID, DealChange, Any], Recorded]
) -> ResponseReturnValue:
    form = VersionForm.sent()
    change = DealChange(number, form.version.data or 0, form.said)
    name = "void" if act is deals.void_deal else "restore"
    answer = carry_out(
        lambda: act(session_id, change, current_holder()),
        form,
        following=deal_url(circle_id, session_id, number),
        refused=lambda: report_page(deal_report(circle_id, session_id, number), void=form),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, name, form),
    )
    forget_undo()
    return answer
