"""A session's own page: standings, the next deal, the chart, the score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from flask import jsonify, render_template, request

from scorer.cards import engine
from scorer.services.change_log import session_changes
from scorer.services.deal_report import facts
from scorer.services.next_deal import next_deal, penalty_text, ways_not_played
from scorer.services.reviews import review_count
from scorer.services.score_sheet import deal_text, last_deal, score_sheet
from scorer.services.sessions import session_version
from scorer.texts import Text
from scorer.web.access import may
from scorer.web.deals.asking import ask_about, dispute_views
from scorer.web.deals.pages import offered_undo, place
from scorer.web.deals.under_way import started_by, started_words
from scorer.web.forms.deals import MOST_DEALS
from scorer.web.sessions.ending import ending_view, settlement_view
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.sitting_out import sitting_out_view
from scorer.web.views import odd_texts, seat_views

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from scorer.services.score_sheet import ScoreSheet
    from scorer.services.state import SessionState
    from scorer.storage.queries import DealRow
    from scorer.web.deals.asking import AskView


@dataclass(frozen=True, slots=True)
class UnderWay:
    """The deal being played."""

    key: UUID
    number: int
    text: Text
    by: Text | str | None
    at: datetime
    cards: bool


@pages.get(f"{SESSION}/")
def show(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show where the session stands."""
    asked = request.args.get("before", 0, type=int)
    before = asked if 0 < asked <= MOST_DEALS else None
    return session_page(score_sheet(circle_id, session_id, before), before)


def session_page(sheet: ScoreSheet, before: int | None) -> str:
    """Show a session: standings, the next deal, the chart, the sheet."""
    state, table = sheet.state, sheet.state.game.describe(sheet.state.rules)
    undo = _undo(state) if may("deals.undo") else None
    return render_template(
        "sessions/show.html",
        **place(state),
        table=table,
        rule_set=state.rule_set,
        odd=odd_texts(table),
        end_text=state.game.end_text(state.rules),
        standings=sheet.standing_rows,
        upcoming=next_deal(state),
        resting=None if state.row.ended_at else sitting_out_view(state),
        under_way=_under_way(sheet),
        disputes=dispute_views(sheet.disputes),
        asked=None if before else _asked(sheet),
        ending=ending_view(sheet),
        level=None if sheet.progress.finished else sheet.progress.why,
        undo=undo,
        undo_text=deal_text(state, undo) if undo else None,
        outcomes=ways_not_played(state),
        has_caller="caller" in state.game.parts(state.rules),
        has_auction=state.game.start_type is not None,
        penalty=penalty_text(state),
        seats=seat_views(state.names, state.table().active),
        sentence=sheet.in_a_sentence if sheet.deal_count else None,
        rows=sheet.rows,
        buys_in=any(cell.back for row in sheet.rows for cell in row.cells),
        opening=sheet.opening,
        settlement=settlement_view(sheet),
        lines=session_changes(state),
        totals=sorted(sheet.standing_rows, key=lambda row: row.seat),
        show="balances" if request.args.get("show") == "balances" else "payouts",
        before=before,
        older=sheet.older,
        newer=sheet.newer,
        first=sheet.rows[-1].number if sheet.rows else 0,
        last=sheet.rows[0].number if sheet.rows else 0,
        deal_count=sheet.deal_count,
        new_key=str(uuid4()),
    )


def _under_way(sheet: ScoreSheet) -> UnderWay | None:
    started = sheet.started
    if started is None:
        return None
    return UnderWay(
        key=started.deal_id,
        number=started.number,
        text=started_words(sheet.state, started.sheet),
        by=started_by(started),
        at=started.at,
        cards=engine.has(sheet.state.game),
    )


def _asked(sheet: ScoreSheet) -> AskView | None:
    """Ask about the last deal, while nobody has confirmed it."""
    state, waits = sheet.state, bool(sheet.rows) and sheet.rows[0].unconfirmed
    deal = last_deal(state) if waits else None
    if deal is None:
        return None
    seen = review_count(state.circle_id, deal.deal_id)
    return ask_about(state, deal, facts(state, deal), seen=seen, waits=True)


def _undo(state: SessionState) -> DealRow | None:
    """The last deal, if this phone saved it a moment ago and it was not changed since."""
    offered = offered_undo(state.row)
    deal = last_deal(state) if offered else None
    if deal is None or deal.voided or (deal.number, deal.version) != offered:
        return None
    return deal


@pages.get(f"{SESSION}/version")
def version(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Give the number that grows when another phone writes something, for the page to watch."""
    return jsonify(version=session_version(circle_id, session_id))
