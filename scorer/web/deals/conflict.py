"""Two phones, one deal: both versions side by side, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from flask import abort, render_template

from scorer.errors import InvalidError, NotFoundError
from scorer.rules.seats import Seat
from scorer.rules.sides import gathered, named
from scorer.services.deal_report import deal_report
from scorer.services.reviews import UPHOLD, settling_since
from scorer.services.what_if import sheet_what_if
from scorer.web.deals.asking import somebody
from scorer.web.deals.pages import place
from scorer.web.deals.under_way import started_twice_page
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from scorer.rules.game import Fact
    from scorer.services.deal_report import DealReport
    from scorer.services.state import SessionState
    from scorer.services.what_if import SheetWhatIf
    from scorer.texts import Text
    from scorer.web.forms.deals import DealForm

NOTHING = "–"


class Theirs(NamedTuple):
    """Who wrote the deal as it stands, where and when."""

    by: str | None
    phone: Text | str | None
    at: datetime
    version: int
    headline: Text


class Meanwhile(NamedTuple):
    """What somebody said of the deal while it was being amended."""

    upheld: bool
    by: Text | str
    reason: str | None


class AnswerBeside(NamedTuple):
    """One answer of both versions."""

    label: Text
    theirs: Text | str
    mine: Text | str
    differs: bool


class AmountsBeside(NamedTuple):
    """What both versions pay somebody, or a side."""

    seat: int
    name: str
    theirs: int | None
    mine: int | None
    differs: bool


def conflict_page(state: SessionState, number: int, form: DealForm, mode: str) -> str:
    """Show both versions; a number that nobody has recorded is no conflict but a wrong page."""
    started = state.started
    if mode == "start" and started is not None and started.number == number:
        return started_twice_page(state, started, form)
    try:
        report = deal_report(state.circle_id, state.session_id, number)
    except NotFoundError:
        abort(409)
    mine = _mine(report, form)
    deal = report.deal
    return render_template(
        "deals/conflict.html",
        **place(state),
        number=number,
        theirs=Theirs(
            deal.written_by, phone_words(deal.phone), deal.written_at, deal.version, report.headline
        ),
        fields=form.answers(),
        rows=_facts_beside(report.facts, mine.facts if mine else ()),
        payouts=_payouts_beside(report, mine.score.payouts if mine else {}),
        next_number=report.state.row.next_number,
        new_key=str(uuid4()),
        mode=mode,
        said=_meanwhile(report, form),
        seen=len(report.reviews),
        reason=form.reason.data or "",
    )


def _meanwhile(report: DealReport, form: DealForm) -> Meanwhile | None:
    """Tell what was said last since this phone saw the deal, where it says what it saw."""
    seen = form.seen.data
    unseen = settling_since(report.reviews, len(report.reviews) if seen is None else seen)
    if not unseen:
        return None
    return Meanwhile(unseen[-1].kind == UPHOLD, somebody(unseen[-1]), unseen[-1].reason)


def _mine(report: DealReport, form: DealForm) -> SheetWhatIf | None:
    """What this phone sent would pay; None where it can't be right as it is."""
    try:
        return sheet_what_if(report.state.game, report.table, form.sheet())
    except InvalidError:
        return None


def _facts_beside(theirs: Sequence[Fact], mine: Sequence[Fact]) -> list[AnswerBeside]:
    left = {str(fact.label): fact for fact in theirs}
    right = {str(fact.label): fact for fact in mine}
    rows = []
    for key in dict.fromkeys([*left, *right]):
        label = (left.get(key) or right[key]).label
        one = left[key].value if key in left else NOTHING
        other = right[key].value if key in right else NOTHING
        rows.append(AnswerBeside(label, one, other, one != other))
    return rows


def _payouts_beside(report: DealReport, mine: Mapping[Seat, int]) -> list[AmountsBeside]:
    theirs = {Seat(seat): amount for seat, amount in report.deal.payouts.items()}
    sides, names = report.state.game.around(report.table), report.state.names
    both = {seat: (theirs.get(seat), mine.get(seat)) for side in sides for seat in side}
    return [
        AmountsBeside(min(side), named(side, names), *pair, pair[0] != pair[1])
        for side, pair in gathered(sides, both)
        if pair is not None
    ]
