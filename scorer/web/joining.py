"""Joining a circle by a link, and saying once which player this phone is."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from flask import redirect, render_template, request, url_for

from scorer.errors import NotFoundError, Problem
from scorer.services import circles
from scorer.services.roles import Role
from scorer.storage import queries
from scorer.texts import say
from scorer.web import access
from scorer.web.circles import pages
from scorer.web.views import by_field, circle_view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from scorer.services.circles import Holder

__all__ = ["pages"]


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
    following = "circles.who" if _is_to_say(holder) else "circles.show"
    return redirect(url_for(following, circle_id=holder.circle_id), HTTPStatus.SEE_OTHER)


def _is_to_say(holder: Holder) -> bool:
    """Whether it is of use, and not known yet, which player a phone is."""
    return holder.player_id is None and holder.role.reaches(Role.PLAYER)


@pages.get("/circles/<uuid:circle_id>/who")
def who(circle_id: UUID) -> ResponseReturnValue:
    """Ask which player this phone is."""
    return render_template(
        "circles/who.html",
        circle=circle_view(circle_id),
        players=[p for p in queries.players(circle_id) if p.retired_at is None],
        held_by=access.current_holder().player_id,
    )


@pages.post("/circles/<uuid:circle_id>/hold")
def hold(circle_id: UUID) -> ResponseReturnValue:
    """Say who holds this phone."""
    player_id = request.form.get("player_id", type=UUID)
    circles.hold(circle_id, access.current_holder().phone_id, player_id)
    return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)
