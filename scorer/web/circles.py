"""Pages of circles: home, a circle's sessions, links and phones, joining."""

from __future__ import annotations

from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING
from typing import NamedTuple
from uuid import UUID
from uuid import uuid4

import segno
from flask import Blueprint
from flask import redirect
from flask import render_template
from flask import request
from flask import url_for

from scorer.errors import InvalidError
from scorer.errors import NotFoundError
from scorer.errors import Problem
from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.seats import Seat
from scorer.services import circles
from scorer.storage import queries
from scorer.texts import say
from scorer.texts import signed
from scorer.web import access
from scorer.web.views import SeatAmount
from scorer.web.views import by_field
from scorer.web.views import circle_view
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from flask.typing import ResponseReturnValue

    from scorer.storage.queries import SessionRow
    from scorer.texts import Text

PAGE = 20

pages = Blueprint("circles", __name__)
access.guard(pages)


class SessionCard(NamedTuple):
    """A session in a list."""

    session_id: UUID
    title: str
    game_name: Text
    started_at: datetime
    ended_at: datetime | None
    deals: int
    leader: Text | None
    standings: list[SeatAmount]
    under_way: bool


class CircleCard(NamedTuple):
    """A circle on the home page."""

    circle_id: UUID
    name: str
    players: list[str]
    open_sessions: list[SessionCard]
    last: SessionCard | None


class Fresh(NamedTuple):
    """A link right after it was made: its secret is never shown again."""

    url: str
    qr: str


class LinkLine(NamedTuple):
    """A link that was made, and how many phones came in by it."""

    link_id: UUID
    name: str
    created_at: datetime
    revoked_at: datetime | None
    phones: int


class PhoneLine(NamedTuple):
    """A phone of the circle."""

    name: Text | str | None
    player: str | None
    joined_at: datetime
    here: bool


@pages.get("/")
def home() -> ResponseReturnValue:
    """Show the circles that this phone knows."""
    known = circles.opened_circles(access.known_phones())
    open_ = defaultdict(list)
    for row in queries.open_sessions([circle.circle_id for circle in known]):
        open_[row.circle_id].append(card(row))
    cards = [
        CircleCard(circle.circle_id, circle.name, _names(circle.circle_id),
                   open_[circle.circle_id], _last(circle.circle_id))
        for circle in known
    ]  # fmt: skip
    return render_template("circles/home.html", circles=cards)


def _names(circle_id: UUID) -> list[str]:
    return [player.name for player in queries.players(circle_id) if player.retired_at is None]


def _last(circle_id: UUID) -> SessionCard | None:
    return next((card(row) for row in queries.sessions(circle_id, limit=1)), None)


def card(row: SessionRow) -> SessionCard:
    """Show a session in a list, with who leads."""
    names = {one.seat: one.name for one in row.standings}
    ranked = standings({Seat(one.seat): one.balance for one in row.standings})
    leader = None
    if row.played:
        best = ranked[0]
        leader = say("%(name)s leads with %(balance)s",
                     name=names[best.seat], balance=signed(best.balance))  # fmt: skip
    return SessionCard(
        row.session_id,
        row.title,
        find_game(row.game).name,
        row.started_at,
        row.ended_at,
        row.played,
        leader,
        [SeatAmount(seat, names[seat], balance) for _, seat, balance in ranked],
        under_way=row.ended_at is None,
    )


@pages.get("/circles/<uuid:circle_id>/")
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show a circle: its sessions, newest first, and its players."""
    before = request.args.get("before", type=UUID)
    rows = queries.sessions(circle_id, limit=PAGE + 1, before=before)
    cards = [card(row) for row in rows[:PAGE]]
    return render_template(
        "circles/show.html",
        circle=circle_view(circle_id),
        open_sessions=[one for one in cards if one.ended_at is None],
        past_sessions=[one for one in cards if one.ended_at is not None],
        players=queries.player_totals(circle_id),
        newer=before is not None,
        older=cards[-1].session_id if len(rows) > PAGE else None,
        new_key=uuid4(),
    )


@pages.get("/circles/<uuid:circle_id>/share")
def share(circle_id: UUID) -> ResponseReturnValue:
    """Show the links into a circle and its phones."""
    return _share_page(circle_id)


def _share_page(
    circle_id: UUID, fresh: Fresh | None = None, problems: Sequence[Problem] = ()
) -> str:
    here = access.current_holder()
    phones = queries.phones(circle_id)
    return render_template(
        "circles/share.html",
        circle=circle_view(circle_id),
        fresh=fresh,
        links=_links(circle_id),
        phones=[
            PhoneLine(phone_words(p.name), p.player, p.joined_at, p.phone_id == here.phone_id)
            for p in phones
            if p.revoked_at is None
        ],
        players=[p for p in queries.players(circle_id) if p.retired_at is None],
        held_by=here.player_id,
        problems=by_field(problems, {}),
    )


def _links(circle_id: UUID) -> list[LinkLine]:
    return [
        LinkLine(
            link.link_id, link.name, link.created_at, link.revoked_at,
            len(queries.phones_of_link(circle_id, link.link_id)),
        )
        for link in queries.links(circle_id)
    ]  # fmt: skip


@pages.post("/circles/<uuid:circle_id>/links")
def new_link(circle_id: UUID) -> ResponseReturnValue:
    """Make a link with the pen and show its secret, this once."""
    try:
        secret = circles.make_link(circle_id, request.form.get("name", ""))
    except InvalidError as error:
        page = _share_page(circle_id, problems=error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    url = url_for("circles.join", _external=True, _anchor=secret)
    qr = segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff", dark="#000")
    return _share_page(circle_id, Fresh(url, qr))


@pages.post("/circles/<uuid:circle_id>/links/<uuid:link_id>/revoke")
def revoke_link(circle_id: UUID, link_id: UUID) -> ResponseReturnValue:
    """Take a link back, with the phones that came in by it."""
    circles.revoke_link(circle_id, link_id)
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post("/circles/<uuid:circle_id>/hold")
def hold(circle_id: UUID) -> ResponseReturnValue:
    """Say who holds this phone."""
    player_id = request.form.get("player_id", type=UUID)
    circles.hold(circle_id, access.current_holder().phone_id, player_id)
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/join")
def join() -> ResponseReturnValue:
    """Ask for a code; the script takes it from the fragment, which no server sees."""
    return render_template("circles/join.html", code="", problems={})


@pages.post("/join")
def join_sent() -> ResponseReturnValue:
    """Let this phone into a circle."""
    code = request.form.get("code", "")
    secret = code.rsplit("#", 1)[-1].strip()
    try:
        holder = circles.join(secret, access.known_phones())
    except NotFoundError:
        message = say("This code opens nothing: it was mistyped, or it was taken back.")
        problems = by_field([Problem("unknown-code", "code", message)], {})
        page = render_template("circles/join.html", code=code, problems=problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    access.remember(holder.circle_id, holder.phone_id)
    return redirect(url_for("circles.share", circle_id=holder.circle_id), HTTPStatus.SEE_OTHER)
