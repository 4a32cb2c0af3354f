"""The page that lets phones in and out: links, each with a name and a role, and the phones."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

import segno
from flask import (
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask import session as cookie
from flask_babel import gettext

from scorer.errors import InvalidError
from scorer.services import circles
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.storage import queries
from scorer.texts import say
from scorer.web import access
from scorer.web.circles import pages
from scorer.web.views import by_field, circle_view, phone_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from flask import Response
    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.storage.models import Link
    from scorer.storage.queries import PhoneRow
    from scorer.texts import Text

__all__ = ["pages"]

#: So long a link that was made is shown again, after a reload or in the other language.
FRESH_SECONDS = 600
ROLE_NAMES = {
    Role.OWNER: say("Owner"),
    Role.SCOREKEEPER: say("Scorekeeper"),
    Role.PLAYER: say("Player"),
    Role.SPECTATOR: say("Spectator"),
}
ROLE_WORDS = {
    Role.OWNER: say("does everything, and lets phones in and out"),
    Role.SCOREKEEPER: say("has the pen: writes deals down and puts them right"),
    Role.PLAYER: say("sees everything, confirms deals and disputes them"),
    Role.SPECTATOR: say("only watches"),
}
WARNINGS = {
    Role.OWNER: say("Whoever has this link owns the circle: keep it safe."),
    Role.SCOREKEEPER: say("Whoever has this link can write down deals."),
    Role.PLAYER: say("Whoever has this link sees the circle as a player."),
    Role.SPECTATOR: say("Whoever has this link can watch, and nothing else."),
}


class RoleView(NamedTuple):
    """A role to choose: its name, and what it may do."""

    role: Role
    name: Text
    words: Text


class Fresh(NamedTuple):
    """A link that this phone made a moment ago: after that its secret is never shown again."""

    url: str
    qr: str
    warning: Text


class PhoneLine(NamedTuple):
    """A phone of the circle: what it may do, who holds it, and which link let it in."""

    phone_id: UUID
    name: Text | str | None
    role: Role
    role_name: Text
    player: str | None
    link: str | None
    joined_at: datetime
    here: bool


class LinkLine(NamedTuple):
    """A link that was made, what it lets do, how many phones came in by it, and who still is."""

    link_id: UUID
    name: str
    role: Text
    created_at: datetime
    revoked_at: datetime | None
    phones: int
    leaving: list[PhoneLine]


@pages.get("/circles/<uuid:circle_id>/share")
def share(circle_id: UUID) -> ResponseReturnValue:
    """Show the phones of a circle, and the links into it to who may make them."""
    return _share_page(circle_id)


def _share_page(circle_id: UUID, problems: Sequence[Problem] = ()) -> Response:
    """Draw the page; no browser keeps it while it shows the secret of a link."""
    fresh = _fresh(circle_id)
    phones = [_phone_line(one) for one in queries.phones(circle_id) if one.revoked_at is None]
    page = render_template(
        "circles/share.html",
        circle=circle_view(circle_id),
        fresh=fresh,
        links=_links(circle_id, phones),
        phones=phones,
        here=access.current_holder(),
        roles=[RoleView(role, ROLE_NAMES[role], ROLE_WORDS[role]) for role in Role],
        wanted=request.form.get("role", Role.SCOREKEEPER),
        problems=by_field(problems, {}),
    )
    response = make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK)
    if fresh:
        response.cache_control.no_store = True
    return response


def _fresh(circle_id: UUID) -> Fresh | None:
    """Show the link that this phone made last, for some minutes and while it opens the circle."""
    circle, seed, moment = cookie.get("fresh", ("", "", 0))
    if now().timestamp() - moment > FRESH_SECONDS:
        cookie.pop("fresh", None)
        return None
    if circle != circle_id.hex or not access.may("circles.new_link"):
        return None
    secret = _secret(seed)
    link = circles.standing_link(secret)
    if link is None:
        return None
    url = url_for("circles.join", _external=True, _anchor=secret)
    qr = segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff", dark="#000")
    return Fresh(url, qr, WARNINGS[Role(link.role)])


def _secret(seed: str) -> str:
    """Derive the secret of a link from a seed: without the server's key the seed opens nothing."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    digest = hmac.digest(key, f"link {seed}".encode(), "sha256")
    return urlsafe_b64encode(digest[: circles.SECRET_BYTES]).rstrip(b"=").decode()


def _phone_line(phone: PhoneRow) -> PhoneLine:
    role = Role(phone.role)
    return PhoneLine(
        phone.phone_id,
        phone_words(phone.name),
        role,
        ROLE_NAMES[role],
        phone.player,
        phone.link,
        phone.joined_at,
        here=phone.phone_id == access.current_holder().phone_id,
    )


def _links(circle_id: UUID, phones: Sequence[PhoneLine]) -> list[LinkLine]:
    return [_link_line(circle_id, link, phones) for link in queries.links(circle_id)]


def _link_line(circle_id: UUID, link: Link, phones: Sequence[PhoneLine]) -> LinkLine:
    came = {phone.phone_id for phone in queries.phones_of_link(circle_id, link.link_id)}
    return LinkLine(
        link.link_id,
        link.name,
        ROLE_NAMES[Role(link.role)],
        link.created_at,
        link.revoked_at,
        len(came),
        [phone for phone in phones if phone.phone_id in came],
    )


@pages.post("/circles/<uuid:circle_id>/links")
def new_link(circle_id: UUID) -> ResponseReturnValue:
    """Make a link; this browser's cookie keeps the seed of its secret, to show it again."""
    role, seed = _role_sent(), circles.new_secret()
    try:
        circles.make_link(circle_id, request.form.get("name", ""), role, _secret(seed))
    except InvalidError as error:
        return _share_page(circle_id, error.problems)
    cookie["fresh"] = [circle_id.hex, seed, int(now().timestamp())]
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


def _role_sent() -> Role:
    role = request.form.get("role", type=Role)
    if role is None:
        abort(HTTPStatus.BAD_REQUEST)
    return role


@pages.post("/circles/<uuid:circle_id>/links/<uuid:link_id>/revoke")
def revoke_link(circle_id: UUID, link_id: UUID) -> ResponseReturnValue:
    """Take a link back, with the phones that came in by it."""
    try:
        circles.revoke_link(circle_id, link_id)
    except InvalidError as error:
        return _share_page(circle_id, error.problems)
    return _back(circle_id)


@pages.post("/circles/<uuid:circle_id>/phones/<uuid:phone_id>/role")
def give_role(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    """Change what a phone may do."""
    try:
        circles.give_role(circle_id, phone_id, _role_sent())
    except InvalidError as error:
        return _share_page(circle_id, error.problems)
    return _back(circle_id)


@pages.post("/circles/<uuid:circle_id>/phones/<uuid:phone_id>/away")
def send_away(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    """Send a phone away."""
    try:
        circles.send_away(circle_id, phone_id)
    except InvalidError as error:
        return _share_page(circle_id, error.problems)
    return _back(circle_id)


def _back(circle_id: UUID) -> ResponseReturnValue:
    """Go back to the page, or home if it was this phone that was sent away."""
    here = access.current_holder().phone_id
    still = any(p.phone_id == here and p.revoked_at is None for p in queries.phones(circle_id))
    if not still:
        access.forget(circle_id)
        flash(
            gettext("This phone is in %(circle)s no longer.", circle=circle_view(circle_id).name),
            "ok",
        )
        return redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER)
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)
