"""A deal played again, card by card, forward and back; and sent as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response
from flask import redirect
from flask import render_template
from flask import request
from flask import url_for

from scorer.games.briscola_chiamata.play.moments import moment
from scorer.games.briscola_chiamata.play.moments import steps
from scorer.services.tricks import open_tricks
from scorer.web.tricks.pages import back_url
from scorer.web.tricks.pages import pages
from scorer.web.tricks.pages import place
from scorer.web.tricks.views import table_view
from scorer.web.tricks.views import trick_rows

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue


@pages.get("/replay")
def replay(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Show the table after so many cards; without a number, before the first."""
    tricks = open_tricks(circle_id, session_id, number)
    if tricks.written is None or tricks.deal.claim is None:
        return redirect(back_url(tricks))
    deals = steps(tricks.deal)
    step = min(max(request.args.get("step", 0, type=int), 0), len(deals) - 1)
    deal, rows = deals[step], trick_rows(tricks.deal, moment(tricks.deal))
    ends = [0, *(row.step for row in rows)]
    return render_template(
        "tricks/replay.html",
        **place(tricks),
        back=back_url(tricks),
        heading=tricks.here.game.started(tricks.sheet, deal.table),
        table=table_view(deal, moment(deal)),
        rows=rows,
        names=deal.table.seats,
        step=step,
        last=len(deals) - 1,
        trick_before=max((end for end in ends if end < step), default=0),
        trick_after=min((end for end in ends if end > step), default=len(deals) - 1),
        text_url=url_for("tricks.text", circle_id=circle_id, session_id=session_id, number=number),
    )


@pages.get("/text")
def text(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Give the deal as text, a line for each trick."""
    tricks = open_tricks(circle_id, session_id, number)
    return Response(str(tricks.deal), mimetype="text/plain")
