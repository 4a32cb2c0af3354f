"""How phones get into a circle and out of it: links, roles, joining, and whose phone it is."""

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
    redirect,
    render_template,
    request,
    url_for,
)
from flask import session as cookie
from flask_babel import gettext

from scorer.errors import InvalidError, NotFoundError, Problem
from scorer.services import circles, players
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.texts import say
from scorer.web import access
from scorer.web.circles import pages
from scorer.web.forms.circles import HoldForm, JoinForm, LinkForm, RoleForm

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.texts import Text

__all__ = ["pages"]

#: How long a new link is shown again, after a reload or in the other language.
FRESH_SECONDS = 600
ALLOWED = {
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


class Fresh(NamedTuple):
    """A link that this phone has just made; its secret is shown for ten minutes only."""

    url: str
    qr: str
    warning: Text


@pages.get("/circles/<uuid:circle_id>/share")
def share(circle_id: UUID) -> ResponseReturnValue:
    """Show the phones of a circle, and the links into it to who may make them."""
    return _share_page(circle_id, _new_link_form())


def _new_link_form() -> LinkForm:
    return LinkForm(name=gettext("Another phone"))


def _share_page(circle_id: UUID, form: LinkForm) -> ResponseReturnValue:
    page = render_template(
        "circles/share.html",
        circle=circles.find(circle_id),
        fresh=_fresh(circle_id),
        links=circles.links(circle_id),
        phones=circles.phones(circle_id),
        here=access.current_holder(),
        roles=ALLOWED,
        form=form,
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


def _fresh(circle_id: UUID) -> Fresh | None:
    """Return the link that this phone made last, for ten minutes and while the link is valid."""
    circle, seed, moment = cookie.get("fresh", ("", "", 0))
    if now().timestamp() - moment > FRESH_SECONDS:
        cookie.pop("fresh", None)
        return None
    if circle != circle_id.hex or not access.may("circles.new_link"):
        return None
    known = ((one, circles.standing_link(one)) for one in _secrets(seed))
    secret, link = next(((one, link) for one, link in known if link), ("", None))
    if link is None:
        return None
    url = url_for("circles.join", _external=True, _anchor=secret)
    qr = segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff", dark="#000")
    return Fresh(url, qr, WARNINGS[Role(link.role)])


def _secrets(seed: str) -> list[str]:
    """Derive the secret of a link from a seed: without the server's key the seed opens nothing.

    The first is by the newest key, the others by those before it.
    """
    keys = [current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"]]
    digests = [hmac.digest(key.encode(), f"link {seed}".encode(), "sha256") for key in keys]
    return [
        urlsafe_b64encode(digest[: circles.SECRET_BYTES]).rstrip(b"=").decode()
        for digest in digests
    ]


@pages.post("/circles/<uuid:circle_id>/links")
def new_link(circle_id: UUID) -> ResponseReturnValue:
    """Make a link; this browser's cookie keeps the seed of its secret, to show it again."""
    form, seed = LinkForm(request.form), circles.new_secret()
    secret = _secrets(seed)[0]
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    try:
        circles.make_link(
            circle_id,
            form.name.data or "",
            Role(form.role.chosen),
            secret,
            by=access.current_holder(),
        )
    except InvalidError as error:
        form.refuse(error.problems)
        return _share_page(circle_id, form)
    cookie["fresh"] = [circle_id.hex, seed, int(now().timestamp())]
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post("/circles/<uuid:circle_id>/links/<uuid:link_id>/revoke")
def revoke_link(circle_id: UUID, link_id: UUID) -> ResponseReturnValue:
    """Take a link back, with the phones that came in by it."""
    try:
        circles.revoke_link(circle_id, link_id, by=access.current_holder())
    except InvalidError as error:
        return _refused(circle_id, error)
    return _back(circle_id)


@pages.post("/circles/<uuid:circle_id>/phones/<uuid:phone_id>/role")
def give_role(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    """Change what a phone may do."""
    form = RoleForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    try:
        circles.give_role(circle_id, phone_id, Role(form.role.chosen), by=access.current_holder())
    except InvalidError as error:
        return _refused(circle_id, error)
    return _back(circle_id)


@pages.post("/circles/<uuid:circle_id>/phones/<uuid:phone_id>/away")
def send_away(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    """Send a phone away."""
    try:
        circles.send_away(circle_id, phone_id, by=access.current_holder())
    except InvalidError as error:
        return _refused(circle_id, error)
    return _back(circle_id)


def _refused(circle_id: UUID, error: InvalidError) -> ResponseReturnValue:
    form = _new_link_form()
    form.refuse(error.problems)
    return _share_page(circle_id, form)


def _back(circle_id: UUID) -> ResponseReturnValue:
    """Go back to the page, or home if it was this phone that was sent away."""
    try:
        circles.holder(circle_id, access.current_holder().phone_id)
    except NotFoundError:
        name = circles.find(circle_id).name
        flash(gettext("This phone is in %(circle)s no longer.", circle=name), "ok")
        return access.leave(circle_id, redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER))
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/join")
def join() -> ResponseReturnValue:
    """Ask for a code; the script takes it from the fragment, which no server sees."""
    return render_template("circles/join.html", form=JoinForm())


@pages.post("/join")
def join_sent() -> ResponseReturnValue:
    """Let this phone into a circle."""
    form = JoinForm(request.form)
    secret = (form.code.data or "").rsplit("#", 1)[-1].strip()
    try:
        holder = circles.join(secret, access.known_phones())
    except NotFoundError:
        message = say("This code opens nothing: it was mistyped, or it was taken back.")
        form.refuse([Problem("unknown-code", "code", message)])
        return render_template("circles/join.html", form=form), HTTPStatus.UNPROCESSABLE_ENTITY
    access.remember(holder.circle_id, holder.phone_id)
    is_to_say = holder.player_id is None and holder.role.reaches(Role.PLAYER)
    following = "circles.who" if is_to_say else "circles.show"
    return redirect(url_for(following, circle_id=holder.circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/circles/<uuid:circle_id>/who")
def who(circle_id: UUID) -> ResponseReturnValue:
    """Ask which player this phone is."""
    return render_template(
        "circles/who.html",
        circle=circles.find(circle_id),
        players=players.active(circle_id),
        held_by=access.current_holder().player_id,
    )


@pages.post("/circles/<uuid:circle_id>/hold")
def hold(circle_id: UUID) -> ResponseReturnValue:
    """Say who holds this phone; a player that can't be read was not chosen on our page."""
    form = HoldForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    by = access.current_holder()
    circles.hold(circle_id, by.phone_id, form.player_id.data, by=by)
    return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)
