"""Joining a circle by a link, and saying once which player this phone is."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import abort, redirect, render_template, request, url_for

from scorer.errors import NotFoundError, Problem
from scorer.services import circles, players
from scorer.services.roles import Role
from scorer.texts import say
from scorer.web import access
from scorer.web.circles import pages
from scorer.web.forms.circles import HoldForm, JoinForm

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

__all__ = ["pages"]


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
    circles.hold(circle_id, access.current_holder().phone_id, form.player_id.data)
    return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)
