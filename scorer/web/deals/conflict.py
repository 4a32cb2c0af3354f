"""Two phones, one deal: both versions side by side, and the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from flask import abort, render_template, request

from scorer.errors import NotFoundError
from scorer.rules.seats import Seat
from scorer.rules.sides import gathered, named
from scorer.services.deal_report import deal_report
from scorer.services.reviews import UPHOLD, settling_since
from scorer.storage import queries
from scorer.web.deals.asking import somebody
from scorer.web.deals.pages import place, sent_again
from scorer.web.deals.under_way import started_twice_page
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from scorer.rules.game import Fact
    from scorer.services.deal_report import DealReport
    from scorer.services.state import SessionState
    from scorer.texts import Text
    from scorer.web.sheets import Answers

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


class Mine(NamedTuple):
    """What this phone sent, to be sent again."""

    headline: Text | None
    fields: list[tuple[str, str]]


class Beside(NamedTuple):
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


def conflict_page(state: SessionState, number: int, form: Answers, mode: str) -> str:
    """Show both versions; a number that nobody has recorded is no conflict but a wrong page."""
    started = queries.started_deal(state.circle_id, state.session_id)
    if mode == "start" and started is not None and started.number == number:
        return started_twice_page(state, started, form)
    try:
        report = deal_report(state.circle_id, state.session_id, number)
    except NotFoundError:
        abort(409)
    facts, payouts, headline = _mine(report, form)
    deal = report.deal
    return render_template(
        "deals/conflict.html",
        **place(state),
        number=number,
        theirs=Theirs(
            deal.written_by, phone_words(deal.phone), deal.written_at, deal.version, report.headline
        ),
        mine=Mine(headline, sent_again(request.form)),
        rows=_facts_beside(report.facts, facts),
        payouts=_payouts_beside(report, payouts),
        next_number=report.state.row.next_number,
        new_key=str(uuid4()),
        mode=mode,
        said=_meanwhile(report),
        seen=len(report.reviews),
        reason=request.form.get("reason", ""),
    )


def _meanwhile(report: DealReport) -> Meanwhile | None:
    """Tell what was said last since this phone saw the deal, where it says what it saw."""
    unseen = settling_since(report.reviews, request.form.get("seen", len(report.reviews), int))
    if not unseen:
        return None
    return Meanwhile(unseen[-1].kind == UPHOLD, somebody(unseen[-1]), unseen[-1].reason)


def _mine(
    report: DealReport, form: Answers
) -> tuple[Sequence[Fact], Mapping[Seat, int], Text | None]:
    game, table = report.state.game, report.table
    sheet, problems = game.read_sheet(form.sheet(table), table)
    if problems:
        return (), {}, None
    paid = game.score(sheet, table).payouts
    return game.facts(sheet, table), paid, game.headline(sheet, table)


def _facts_beside(theirs: Sequence[Fact], mine: Sequence[Fact]) -> list[Beside]:
    left = {str(fact.label): fact for fact in theirs}
    right = {str(fact.label): fact for fact in mine}
    rows = []
    for key in dict.fromkeys([*left, *right]):
        label = (left.get(key) or right[key]).label
        one = left[key].value if key in left else NOTHING
        other = right[key].value if key in right else NOTHING
        rows.append(Beside(label, one, other, one != other))
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
