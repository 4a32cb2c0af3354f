"""Pages of circles: home, a circle's sessions and players, its name, its file and its end."""

from __future__ import annotations

from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext

from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.seats import Seat
from scorer.rules.sides import gathered, named
from scorer.services import circles
from scorer.services.circle_file import export_circle
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.storage import queries
from scorer.web import access, downloads
from scorer.web.standings import SPANS, read_span, standings_view
from scorer.web.views import SeatAmount, by_field, circle_view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.storage.queries import SessionRow
    from scorer.texts import Text

#: So many of the newest sessions are looked at, so many past and open ones are shown.
NEWEST, PAST, MOST_OPEN = 12, 3, 6

pages = Blueprint("circles", __name__)


class SessionCard(NamedTuple):
    """A session in a list."""

    session_id: UUID
    title: str
    game_name: Text
    started_at: datetime
    ended_at: datetime | None
    deals: int
    standings: list[SeatAmount]
    lowest_leads: bool


class CircleCard(NamedTuple):
    """A circle on the home page."""

    circle_id: UUID
    name: str
    players: list[str]
    open_sessions: list[SessionCard]
    last: SessionCard | None
    may_write: bool


@pages.get("/")
def home() -> ResponseReturnValue:
    """Show the circles that this phone knows."""
    known = circles.opened_circles(access.known_phones())
    open_ = defaultdict(list)
    for row in queries.open_sessions([circle.circle_id for circle in known]):
        open_[row.circle_id].append(card(row))
    cards = [
        CircleCard(
            circle.circle_id,
            circle.name,
            _names(circle.circle_id),
            open_[circle.circle_id],
            _last(circle.circle_id),
            may_write=circle.role.reaches(Role.SCOREKEEPER),
        )
        for circle in known
    ]
    return render_template("circles/home.html", circles=cards)


def _names(circle_id: UUID) -> list[str]:
    return [player.name for player in queries.players(circle_id) if player.retired_at is None]


def _last(circle_id: UUID) -> SessionCard | None:
    return next((card(row) for row in queries.sessions(circle_id, limit=1)), None)


def card(row: SessionRow) -> SessionCard:
    """Show a session in a list, as it stands; partners are one as long as they are level."""
    game, names = find_game(row.game), [one.name for one in row.standings]
    totals = {Seat(one.seat): one.balance for one in row.standings}
    sides = {side[0]: side for side, _ in gathered(game.sides(tuple(totals)), totals)}
    ranked = standings({seat: totals[seat] for seat in sides}, lowest_first=game.lowest_leads)
    return SessionCard(
        row.session_id,
        row.title,
        game.name,
        row.started_at,
        row.ended_at,
        row.played,
        [SeatAmount(seat, named(sides[seat], names), balance) for _, seat, balance in ranked],
        lowest_leads=game.lowest_leads,
    )


@pages.get("/circles/<uuid:circle_id>/")
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show a circle: what is open, how its players stand, and what was played last."""
    return _circle_page(circle_id)


def _circle_page(circle_id: UUID, problems: Sequence[Problem] = ()) -> ResponseReturnValue:
    span = read_span(circle_id, request.args)
    found = [*span.problems, *problems]
    newest = [card(row) for row in queries.sessions(circle_id, limit=NEWEST)]
    page = render_template(
        "circles/show.html",
        circle=circle_view(circle_id),
        open_sessions=[card(row) for row in queries.open_sessions([circle_id])[:MOST_OPEN]],
        past_sessions=[one for one in newest if one.ended_at is not None][:PAST],
        standings=standings_view(circle_id, span, request.args.get("game", "")),
        spans=SPANS,
        problems=by_field(found, {}),
        typed=request.form.get("name"),
        new_key=uuid4(),
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if found else HTTPStatus.OK


@pages.post("/circles/<uuid:circle_id>/rename")
def rename(circle_id: UUID) -> ResponseReturnValue:
    """Call the circle by another name."""
    before = circle_view(circle_id).name
    try:
        circles.rename_circle(circle_id, request.form.get("name", ""))
    except InvalidError as error:
        return _circle_page(circle_id, error.problems)
    after = circle_view(circle_id).name
    flash(gettext("%(before)s is called %(after)s now.", before=before, after=after), "ok")
    return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/circles/<uuid:circle_id>/file")
def download(circle_id: UUID) -> ResponseReturnValue:
    """Give all that is kept of the circle as one file, for `scorer import`."""
    title = f"{now():%Y-%m-%d} {circle_view(circle_id).name}"
    content = b"".join(export_circle(circle_id))
    return downloads.download(content, title, ending="jsonl", mimetype="application/x-ndjson")


@pages.get("/circles/<uuid:circle_id>/delete")
def delete(circle_id: UUID) -> ResponseReturnValue:
    """Ask whether the circle is to be deleted."""
    return _delete_page(circle_id)


@pages.post("/circles/<uuid:circle_id>/delete")
def delete_sent(circle_id: UUID) -> ResponseReturnValue:
    """Delete the circle with everything in it, once its name was typed."""
    name = circle_view(circle_id).name
    try:
        circles.delete_circle(circle_id, request.form.get("name", ""))
    except InvalidError as error:
        return _delete_page(circle_id, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    access.forget(circle_id)
    flash(gettext("%(circle)s is deleted, with everything in it.", circle=name), "ok")
    return redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER)


def _delete_page(circle_id: UUID, problems: Sequence[Problem] = ()) -> str:
    return render_template(
        "circles/delete.html",
        circle=circle_view(circle_id),
        sessions=queries.session_count(circle_id),
        players=len(queries.players(circle_id)),
        typed=request.form.get("name", ""),
        problems=by_field(problems, {}),
    )
