"""A session on a television, a projector or a tablet in the middle of the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from flask import render_template

from scorer.services.deals import under_way
from scorer.services.kept_sheets import kept_sheet
from scorer.services.next_deal import next_deal
from scorer.web.deals.pages import place
from scorer.web.keeping import kept_page
from scorer.web.sessions.ending import ending_view
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.presence import presence_part

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.score_sheet import ScoreSheet


@pages.get(f"{SESSION}/tv")
def tv(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show where the session stands, to be read from across the room."""
    kept = kept_sheet(circle_id, session_id)
    presence = presence_part(kept, "sessions/_writing.html")
    return kept_page((circle_id, kept.mark, "tv"), partial(_tv_page, kept.sheet), presence)


def _tv_page(sheet: ScoreSheet, fresh: Mapping[str, Any]) -> str:
    state, last = sheet.state, sheet.rows[0] if sheet.rows else None
    return render_template(
        "sessions/tv.html",
        **place(state),
        theme="dark",
        standings=sheet.standing_rows,
        upcoming=next_deal(state),
        under_way=under_way(state, state.started) if state.started else None,
        last=last,
        paid={cell.seat: cell for cell in last.cells if not last.voided} if last else {},
        ending=ending_view(sheet),
        sentence=sheet.in_a_sentence if sheet.deal_count else None,
        **fresh,
    )
