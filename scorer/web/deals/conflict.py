"""Two phones changed the same deal: both versions, and the choice."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from flask import abort, render_template

from scorer.errors import InvalidError, NotFoundError
from scorer.evening.acts import DealAct
from scorer.evening.judging import OUTCOME_WORDS
from scorer.rules.seats import Seat, gathered, named
from scorer.services.base.journal import as_author
from scorer.services.deals.deals import DealUnderWay, under_way
from scorer.services.deals.report import DealReport, compare_facts, deal_report
from scorer.services.deals.what_if import sheet_what_if
from scorer.services.session.state import SessionState, load_state
from scorer.texts import Text, say
from scorer.web.base.access import current_holder
from scorer.web.base.pages import place
from scorer.web.deals.blueprint import EntryMode
from scorer.web.deals.forms import DealForm, OutcomeForm, VersionForm, sent_answers


class BothPayouts(NamedTuple):
    """The payouts of a side by the stored version and by this phone's version."""

    seat: int
    name: Text
    theirs: int | None
    mine: int | None


def conflict_page(state: SessionState, number: int, form: DealForm, mode: EntryMode) -> str:
    """Show both versions; answer 409 without a page for a number that nobody has recorded."""
    started = state.started
    if mode is EntryMode.START and started is not None and started.number == number:
        return _started_page(state, under_way(state, started), form)
    try:
        report = deal_report(state.circle_id, state.session_id, number)
    except NotFoundError:
        abort(409)
    mine, seen = None, form.seen.data
    with suppress(InvalidError):  # what has problems pays nothing
        mine = sheet_what_if(report.state.game, report.deal.entry.table, form.sheet())
    unseen = report.deal.settling_since(len(report.deal.reviews) if seen is None else seen)
    return render_template(
        "deals/conflict.html",
        **place(state),
        deal=report.deal,
        fields=sent_answers(),
        answers=compare_facts(report.facts, mine.facts if mine else ()),
        payouts=both_payouts(report, mine.score.payouts if mine else {}),
        next_number=report.state.row.next_number,
        new_key=str(uuid4()),
        key=form.key.data,
        mode=mode,
        review=unseen[-1] if unseen else None,
        seen=len(report.deal.reviews),
        reason=form.reason.data or "",
    )


def both_payouts(report: DealReport, mine: Mapping[Seat, int]) -> list[BothPayouts]:
    """List the payouts of each side by two versions of a deal; unequal partners stand alone."""
    sides, theirs = report.state.game.around(report.deal.entry.table), report.deal.entry.paid
    both = {seat: (theirs.get(seat), mine.get(seat)) for side in sides for seat in side}
    return [
        BothPayouts(min(side), named(side, report.state.names), *pair)
        for side, pair in gathered(sides, both)
        if pair is not None
    ]


def _started_page(state: SessionState, theirs: DealUnderWay, form: DealForm) -> str:
    """Show what the other phone has started and what this one sent."""
    start, _ = state.game.read_start(form.start(), state.table())
    return render_template(
        "deals/started.html",
        **place(state),
        theirs=theirs,
        mine=None if start is None else state.game.started(start, state.table()),
        fields=sent_answers(),
        new_key=str(uuid4()),
        key=form.key.data,
    )


def overtaken_page(
    circle_id: UUID, session_id: UUID, number: int, kind: type[DealAct], form: VersionForm
) -> str:
    """Show how a deal has changed meanwhile, and the act that this phone sent."""
    report = deal_report(circle_id, session_id, number)
    wanted = kind.title(number)
    return _overtaken(
        report,
        act=kind.name,
        key=form.key.data,
        wanted=wanted,
        reason=form.full_reason,
        again=wanted if kind.possible(report.deal, as_author(current_holder())) else None,
        sends={**sent_answers(), "reason": form.reason.data or "", **_as_it_is(report)},
    )


def outcome_conflict_page(circle_id: UUID, session_id: UUID, form: OutcomeForm) -> str:
    """Show the deal that another phone recorded or changed before an outcome of this one."""
    key, number = form.deal
    state, wanted = load_state(circle_id, session_id), OUTCOME_WORDS[form.became]
    try:
        report = deal_report(circle_id, session_id, number)
    except NotFoundError:
        abort(409)
    if form.version.data is None:
        following = state.row.next_number
        another = say("Mine is another deal: record it as deal %(number)s", number=following)
        act, again = "outcome", None if state.row.ended_at else another
        about: dict[str, Any] = {"key": uuid4(), "number": following}
    else:
        act, again = "agree", None if report.deal.voided else wanted
        about = {"key": key, "number": number, **_as_it_is(report)}
    return _overtaken(
        report,
        act=act,
        key=key,
        wanted=wanted,
        reason=form.reason.data or "",
        again=again,
        sends={**sent_answers(), **about},
    )


def _as_it_is(report: DealReport) -> dict[str, int]:
    """Return the state of a deal that a form names, to act on it as it is by now."""
    return {"version": report.deal.version, "seen": len(report.deal.reviews)}


def _overtaken(report: DealReport, **mine: Any) -> str:
    state = report.state
    return render_template(
        "deals/overtaken.html",
        **place(state),
        deal=report.deal,
        headline=report.headline,
        last=report.history[0],
        **mine,
    )
