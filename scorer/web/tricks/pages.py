"""The blueprint of the cards of a deal; the replay of a deal, and its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Blueprint, Response, redirect, render_template, request, url_for

from scorer.cards import engine
from scorer.services.tricks import open_tricks
from scorer.web.deals.pages import place as session_place
from scorer.web.filters import in_words
from scorer.web.forms.deals import MOST_DEALS
from scorer.web.tricks.views import aside_row, table_view, trick_rows

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.cards.chiamata import ChiamataDeal
    from scorer.services.tricks import Tricks
    from scorer.web.tricks.views import TableView, TrickLine

PREFIX = "/circles/<uuid:circle_id>/sessions/<uuid:session_id>"

pages = Blueprint(
    "tricks", __name__, url_prefix=f"{PREFIX}/deals/<int(max={MOST_DEALS}):number>/tricks"
)


class ReplayStep(NamedTuple):
    """A step of the replay: the table, the number of its trick, and the steps to jump to."""

    table: TableView
    trick: int
    before: int
    after: int


def place(tricks: Tricks) -> dict[str, Any]:
    """Return what every page of the cards shows: its circle, its session, its deal."""
    return {
        **session_place(tricks.state),
        "number": tricks.number,
        "under_way": tricks.version is None,
    }


def back_url(tricks: Tricks) -> str:
    """Return the address of the deal's page, or of the session's while the deal is under way."""
    circle_id, session_id = tricks.state.circle_id, tricks.state.session_id
    if tricks.version is None:
        return url_for("sessions.show", circle_id=circle_id, session_id=session_id)
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=tricks.number)


def beside_url(tricks: Tricks) -> str:
    """Return the address where the cards are shown beside the sheet, once there is one."""
    return back_url(tricks) + ("" if tricks.version is None else "#tricks")


@pages.get("/replay")
def replay(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show the table after the number of cards in ``step``, 0 by default."""
    tricks = open_tricks(circle_id, session_id, number)
    if tricks.written is None or tricks.deal.claim is None:
        return redirect(back_url(tricks))
    now = tricks.deal.state
    rows = trick_rows(tricks.deal, now)
    shown = [
        _step(deal, index, rows) for index, deal in enumerate(engine.replay_steps(tricks.deal))
    ]
    step = min(max(request.args.get("step", 0, type=int), 0), len(shown) - 1)
    return render_template(
        "tricks/replay.html",
        **place(tricks),
        back=back_url(tricks),
        heading=tricks.state.game.started(tricks.sheet, tricks.deal.table),
        at_step=shown[step],
        table=shown[step].table,
        rows=rows,
        aside=aside_row(tricks.deal, now),
        names=tricks.deal.table.seats,
        step=step,
        last=len(shown) - 1,
        frames=json.dumps([_frame(one) for one in shown]),
        text=_text(tricks.deal),
    )


def _step(deal: ChiamataDeal, index: int, rows: list[TrickLine]) -> ReplayStep:
    ends = [0, *(row.step for row in rows)]
    before = max((end for end in ends if end < index), default=0)
    after = min((end for end in ends if end > index), default=ends[-1])
    return ReplayStep(table_view(deal, deal.state), max(1, len(deal.tricks)), before, after)


def _frame(step: ReplayStep) -> dict[str, Any]:
    """Return what the script needs to draw a step as the server draws it."""
    table = step.table
    return {
        "trick": step.trick,
        "before": step.before,
        "after": step.after,
        "said": in_words(table.said),
        "bounds": in_words(table.bounds),
        "status": table.now.status,
        "loose": [card.code for card in table.loose],
        "places": [
            {
                "card": one.card.code if one.card else "",
                "points": one.points,
                "part": one.part,
                "turn": one.turn,
                "winner": one.winner,
                "order": one.order,
            }
            for one in table.places
        ],
    }


def _text(deal: ChiamataDeal) -> str:
    """Write a deal as text in the reader's language."""
    return "".join(f"{in_words(line)}\n" for line in engine.text_lines(deal))


@pages.get("/text")
def text(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Return the deal as text, a line for each trick."""
    tricks = open_tricks(circle_id, session_id, number)
    return Response(_text(tricks.deal), mimetype="text/plain")
