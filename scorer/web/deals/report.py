"""A deal's own page: what it pays and why, what-if, the cards, history."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple
from uuid import UUID

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from scorer.rules.seats import Seat
from scorer.rules.sides import every_seat
from scorer.services.base.roles import Role
from scorer.services.deals.report import DealReport, deal_report
from scorer.services.table.what_if import TableWhatIf, tables_what_if
from scorer.texts import Text, say
from scorer.web.album.notes import NoteForm, shown_notes
from scorer.web.base.access import current_holder, may
from scorer.web.base.addresses import rule_set_url
from scorer.web.base.pages import place
from scorer.web.base.views import SeatAmount, SeatView, amounts, odd_texts, seat_views
from scorer.web.cards.forms import KeepTricksForm
from scorer.web.deals.beside import beside, may_have_tricks
from scorer.web.deals.conflict import both_payouts
from scorer.web.deals.forms import VersionForm
from scorer.web.deals.pages import ACT_WORDS, DEAL, pages

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


@pages.get(f"{DEAL}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show a deal."""
    return report_page(deal_report(circle_id, session_id, number))


def report_page(
    report: DealReport, keep: KeepTricksForm | None = None, /, **sent: VersionForm
) -> str:
    """Show a deal; a form that was ``sent`` is shown so, with its problems."""
    state, deal, tricks = report.state, report.deal, may_have_tricks(report)
    proposal = report.proposal
    settle = VersionForm(version=deal.version, seen=len(report.reviews))
    void = VersionForm(version=deal.version)
    forms = {"settle": settle, "dispute": settle, "uphold": settle, "void": void}
    return render_template(
        "deals/deal.html",
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
        **{**forms, **sent},
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
