"""A session as a file: taken out to keep or to argue over, brought in after a look at it."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid4

from flask import abort, redirect, render_template, request

from scorer.errors import InvalidError
from scorer.services import circles
from scorer.services.session_csv import session_csv
from scorer.services.session_file import session_file
from scorer.services.session_import import LONGEST_FILE, deal_of, keep, kept_before, look_at
from scorer.services.state import load_state
from scorer.web import access, downloads
from scorer.web.deals.pages import session_url
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import SeatAmount

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Response
    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.services.session_import import Looked
    from scorer.texts import Text

#: A spreadsheet reads the letters rightly when the file begins so.
BYTE_ORDER_MARK = "\ufeff"


class Fault(NamedTuple):
    """What is wrong with a file, in which deal, and where in it."""

    deal: int | None
    message: Text
    field: str


class Here(NamedTuple):
    """A session of the circle that is the one in a file."""

    title: str
    started_at: datetime
    url: str


class Found(NamedTuple):
    """What a file holds, before it is kept, and where the circle has it already."""

    title: str
    game_name: Text
    deals: int
    others: int
    plays: int
    standings: list[SeatAmount]
    document: str
    key: UUID
    odd: list[Fault]
    before: list[Here]


@pages.get(f"{SESSION}/file")
def download(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Give the session file, for `scorer replay` or another circle."""
    document = session_file(circle_id, session_id)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return _attached(circle_id, session_id, text, "application/json", "json")


@pages.get(f"{SESSION}/csv")
def download_csv(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Give the session as a table for a spreadsheet."""
    text = BYTE_ORDER_MARK + session_csv(circle_id, session_id)
    return _attached(circle_id, session_id, text, "text/csv", "csv")


def _attached(circle_id: UUID, session_id: UUID, text: str, kind: str, ending: str) -> Response:
    row = load_state(circle_id, session_id).row
    title = f"{row.started_at:%Y-%m-%d} {row.title}"
    return downloads.download(text, title, ending=ending, mimetype=kind)


@pages.post("/circles/<uuid:circle_id>/import")
def bring_in(circle_id: UUID) -> ResponseReturnValue:
    """Show what a session file holds, or what is wrong with it; keep it when that was seen."""
    seen = request.form.get("document")
    sent = request.files.get("file")
    text = seen or (sent.read(LONGEST_FILE + 1) if sent else b"")
    try:
        looked = look_at(text, _key(), circle_id)
    except InvalidError as error:
        return _page(circle_id, faults=error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    if seen is None:
        return _page(circle_id, found=_found(looked, circle_id))
    session_id = keep(looked, access.current_holder())
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _key() -> UUID:
    """The key under which the session is kept: the same form sent twice is one session."""
    try:
        return UUID(request.form.get("key", ""))
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _page(circle_id: UUID, *, found: Found | None = None, faults: tuple[Problem, ...] = ()) -> str:
    return render_template(
        "circles/import.html",
        circle=circles.find(circle_id),
        found=found,
        faults=list(map(_fault, faults)),
        new_key=uuid4(),
    )


def _fault(problem: Problem) -> Fault:
    return Fault(deal_of(problem), problem.message, problem.field)


def _found(looked: Looked, circle_id: UUID) -> Found:
    agreed, answer = looked.agreed, looked.answer
    return Found(
        agreed.new.title,
        agreed.game.name,
        looked.played,
        len(looked.deals) - looked.played,
        looked.plays,
        [
            SeatAmount(looked.seats.index(line["player"]), line["player"], line["balance"])
            for line in answer["standings"]
        ],
        looked.document,
        agreed.new.key,
        list(map(_fault, looked.odd)),
        [
            Here(row.title, row.started_at, session_url(circle_id, row.session_id))
            for row in kept_before(looked, circle_id)
        ],
    )
