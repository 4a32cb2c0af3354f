"""Who may do what: the phone that a cookie names in a circle, its role, and what that allows.

``LEAST`` is the one place that says which role a page needs; the guard looks there before any view
runs, and the templates ask it what to offer.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from flask import g, request
from flask import session as cookie

from scorer.errors import NotFoundError, RefusedError
from scorer.services.circles import holder
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.texts import say
from scorer.web.headers import clear_site_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug import Response

    from scorer.services.circles import Holder

MOST_CIRCLES = 40

#: The least role that may use a page of a circle; a page that is not listed is the owners' alone.
LEAST = {
    "circles.show": Role.SPECTATOR,
    "circles.share": Role.SPECTATOR,
    "circles.who": Role.PLAYER,
    "circles.hold": Role.PLAYER,
    "circles.new_link": Role.OWNER,
    "circles.revoke_link": Role.OWNER,
    "circles.give_role": Role.OWNER,
    "circles.send_away": Role.OWNER,
    "circles.rename": Role.OWNER,
    "circles.download": Role.OWNER,
    "circles.delete": Role.OWNER,
    "circles.delete_sent": Role.OWNER,
    "history.evenings": Role.SPECTATOR,
    "history.deals": Role.SPECTATOR,
    "players.index": Role.SPECTATOR,
    "players.show": Role.SPECTATOR,
    "players.rename": Role.SCOREKEEPER,
    "players.retire": Role.SCOREKEEPER,
    "players.bring_back": Role.SCOREKEEPER,
    "players.merge": Role.OWNER,
    "players.merge_sent": Role.OWNER,
    "rule_sets.index": Role.SPECTATOR,
    "rule_sets.show": Role.SPECTATOR,
    "rule_sets.share": Role.SPECTATOR,
    "rule_sets.download": Role.SPECTATOR,
    "rule_sets.new": Role.SCOREKEEPER,
    "rule_sets.new_sent": Role.SCOREKEEPER,
    "rule_sets.edit": Role.SCOREKEEPER,
    "rule_sets.edit_sent": Role.SCOREKEEPER,
    "rule_sets.preview": Role.SCOREKEEPER,
    "rule_sets.retire": Role.SCOREKEEPER,
    "rule_sets.bring_back": Role.SCOREKEEPER,
    "rule_sets.bring_in": Role.SCOREKEEPER,
    "sessions.new": Role.SCOREKEEPER,
    "sessions.new_sent": Role.SCOREKEEPER,
    "sessions.show": Role.SPECTATOR,
    "sessions.version": Role.SPECTATOR,
    "sessions.download": Role.SPECTATOR,
    "sessions.download_csv": Role.SPECTATOR,
    "sessions.bring_in": Role.SCOREKEEPER,
    "sessions.seating": Role.SCOREKEEPER,
    "sessions.seating_sent": Role.SCOREKEEPER,
    "sessions.sit_out": Role.SCOREKEEPER,
    "sessions.rules": Role.SPECTATOR,
    "sessions.what_if": Role.SPECTATOR,
    "sessions.change_rules": Role.SCOREKEEPER,
    "sessions.change_rules_sent": Role.SCOREKEEPER,
    "sessions.end": Role.SCOREKEEPER,
    "sessions.reopen": Role.SCOREKEEPER,
    "sessions.start_next": Role.SCOREKEEPER,
    "charts.balances": Role.SPECTATOR,
    "charts.lifetime": Role.SPECTATOR,
    "charts.levels": Role.SPECTATOR,
    "players.evenings": Role.SPECTATOR,
    "deals.show": Role.SPECTATOR,
    "deals.record": Role.SCOREKEEPER,
    "deals.record_sent": Role.SCOREKEEPER,
    "deals.start": Role.SCOREKEEPER,
    "deals.forget_start": Role.SCOREKEEPER,
    "deals.preview": Role.SCOREKEEPER,
    "deals.amend": Role.SCOREKEEPER,
    "deals.amend_sent": Role.SCOREKEEPER,
    "deals.outcome": Role.SCOREKEEPER,
    "deals.void": Role.SCOREKEEPER,
    "deals.restore": Role.SCOREKEEPER,
    "deals.undo": Role.SCOREKEEPER,
    "deals.dispute": Role.PLAYER,
    "deals.confirm": Role.PLAYER,
    "deals.uphold": Role.SCOREKEEPER,
    "tricks.enter": Role.PLAYER,
    "tricks.enter_sent": Role.PLAYER,
    "tricks.keep": Role.PLAYER,
    "tricks.record": Role.SCOREKEEPER,
    "tricks.amend": Role.SCOREKEEPER,
    "tricks.replay": Role.SPECTATOR,
    "tricks.text": Role.SPECTATOR,
}
#: What is open to everybody, because it belongs to no circle.
OPEN = frozenset(
    {
        "static",
        "health.health",
        "openapi.document",
        "operations.score",
        "operations.replay",
        "operations.check",
        "operations.rules",
        "games.index",
        "games.show",
        "games.preset",
        "pages.language",
        "pages.theme",
        "circles.home",
        "circles.join",
        "circles.join_sent",
        "rule_sets.bring",
        "rule_sets.bring_sent",
    }
)
REFUSALS = {
    Role.OWNER: say("Only an owner of the circle may do that."),
    Role.SCOREKEEPER: say(
        "Only a phone with the pen may do that. An owner of the circle can hand it over."
    ),
    Role.PLAYER: say("This phone may only watch. An owner of the circle can change that."),
}


def remember(circle_id: UUID, phone_id: UUID) -> None:
    """Keep in the cookie that this browser is that phone of the circle."""
    known = {**_known(), circle_id.hex: phone_id.hex}
    cookie["phones"] = dict(list(known.items())[-MOST_CIRCLES:])
    cookie.permanent = True
    g.entered = circle_id, phone_id


def known_phones() -> dict[UUID, UUID]:
    """Which phone this browser is in which circles, as far as the cookie says."""
    return {UUID(circle_id): UUID(phone_id) for circle_id, phone_id in _known().items()}


def recognise() -> str:
    """Give the random mark in this browser's cookie, made on the first call.

    It opens nothing. It tells a form that this browser sends again from the same form sent by
    another, also where the answer to the first was lost.
    """
    if "browser" not in cookie:
        cookie["browser"] = secrets.token_urlsafe(16)
        cookie.permanent = True
    return str(cookie["browser"])


def phone_to_begin(circle_id: UUID) -> UUID:
    """Give the phone that this browser is in a circle, or is to be if it begins it."""
    return known_phones().get(circle_id) or uuid5(circle_id, recognise())


def leave(circle_id: UUID, response: Response) -> Response:
    """Let the cookie forget a circle that this phone is of no longer, and its browser the pages."""
    cookie["phones"] = {key: value for key, value in _known().items() if key != circle_id.hex}
    return clear_site_data(response, storage=not _known())


def enter(circle_id: UUID) -> None:
    """Let this browser's phone go on to the page that it asks for in a circle.

    Raise NotFoundError where it has no phone: to strangers a circle doesn't exist. Raise
    RefusedError where its role does not reach.
    """
    cookie.pop("made", None)  # where version 0.1 kept the secret of a link
    phone_id = _known().get(circle_id.hex)
    if phone_id is None:
        raise NotFoundError(circle_id)
    found = g.holder = holder(circle_id, UUID(phone_id))
    least = LEAST.get(request.endpoint or "", Role.OWNER)
    if not found.role.reaches(least):
        raise RefusedError(REFUSALS[least])
    today = now().date().isoformat()
    if cookie.get("day") != today:  # sent again, so that it is kept for 400 days from today
        cookie["day"] = today


def current_holder() -> Holder:
    """Give this browser's phone in the circle of the page."""
    found: Holder = g.holder
    return found


def register(app: Flask) -> None:
    """Guard every page that has a circle in its address, and let templates ask what to offer."""
    app.url_value_preprocessor(_guard)
    app.context_processor(_add_to_templates)


def _guard(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "circle_id" in values:
        enter(values["circle_id"])


def _add_to_templates() -> dict[str, Callable[[str], bool]]:
    return {"may": may}


def may(endpoint: str) -> bool:
    """Whether this phone may use another page of the circle that it is in."""
    return "holder" in g and current_holder().role.reaches(LEAST[endpoint])


def _known() -> dict[str, str]:
    return dict(cookie.get("phones", {}))
