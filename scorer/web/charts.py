"""Charts as pictures: drawn once for each state of a session, then answered from the browser."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from flask import Blueprint
from flask import Response
from flask import request
from flask_babel import get_locale
from flask_babel import gettext

from scorer import charts
from scorer.rules.seats import Seat
from scorer.services.open_table import open_table
from scorer.storage import queries

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.open_table import OpenTable

USUAL_WIDTH = 360

pages = Blueprint("charts", __name__)


@pages.get("/circles/<uuid:circle_id>/sessions/<uuid:session_id>/chart.svg")
def balances(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Draw the running balances of a session, or say that the browser has them already."""
    here = open_table(circle_id, session_id)
    width = request.args.get("width", USUAL_WIDTH, type=int)
    theme = "dark" if request.args.get("theme") == "dark" else "light"
    response = Response(mimetype="image/svg+xml")
    response.set_etag(_state(here, f"{theme} {width} {get_locale()}"))
    response.cache_control.no_cache = True
    response.cache_control.private = True
    response.make_conditional(request)
    if response.status_code != 304:
        response.set_data(_drawn(here, width, theme))
    return response


def _state(here: OpenTable, form: str) -> str:
    """Name what the picture shows: the session at a version, the names, and the form asked for."""
    told = (here.circle_id, here.session_id, here.row.version, here.names, form)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]


def _drawn(here: OpenTable, width: int, theme: str) -> bytes:
    amended = queries.amended_numbers(here.circle_id, here.session_id)
    matrix = queries.payout_matrix(here.circle_id, here.session_id)
    drawn = charts.Balances(
        names=here.names,
        opening=tuple(seat.opening for seat in here.seats),
        deals=tuple(
            charts.DealPayouts(number, payouts, amended=number in amended)
            for number, payouts in matrix.items()
        ),
        since=tuple(here.since(Seat(seat.seat)) for seat in here.seats) if here.changes else (),
    )
    return charts.balance_chart(drawn, _wording(here), width=width, theme=theme)


def _wording(here: OpenTable) -> charts.Wording:
    return charts.Wording(
        title=gettext("Balances: %(title)s", title=here.row.title),
        description=gettext("The running balance of %(names)s, deal by deal.",
                            names=", ".join(here.names)),
        deals=gettext("deals"),
        amended=gettext("amended"),
        no_deals=gettext("No deals yet"),
    )  # fmt: skip
