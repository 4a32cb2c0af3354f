"""Authorisation: the phone that the cookie names in a circle, its role, and what that allows.

A view declares which role its page needs (`scorer.routes`). ``enter`` reads it before any view
runs; ``may`` reads it for views and templates.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID

from flask import Flask, current_app, g, request
from flask import session as cookie
from werkzeug import Response

from scorer.errors import NotFoundError, RefusedError
from scorer.roles import Holder, Role
from scorer.routes import facts_of
from scorer.services.base.clock import now, zone_called
from scorer.services.circle import players
from scorer.services.circle.circles import holder, today
from scorer.services.circle.phones import PhoneClaim, claims, kind_of_browser, note_use
from scorer.services.session.settling import USUAL_CURRENCY
from scorer.storage.models import Circle
from scorer.texts import say
from scorer.web.base.headers import clear_site_data
from scorer.web.base.names import short_names

MOST_CIRCLES, MOST_CLAIMS = 40, 10
#: The questions of a circle that a browser can dismiss: who holds this phone, whether to make a
#: recovery link, and what the circle is called.
WHO, RECOVERY, NAME = "who", "recovery", "name"

REFUSALS = {
    Role.OWNER: say("Only an owner of the circle may do that."),
    Role.SCOREKEEPER: say(
        "Only a phone with the pen may do that. An owner of the circle can hand it over."
    ),
    Role.PLAYER: say("This phone may only watch. An owner of the circle can change that."),
}


def remember(circle_id: UUID, phone_id: UUID) -> None:
    known = {**_known(), circle_id.hex: phone_id.hex}
    cookie["phones"] = dict(list(known.items())[-MOST_CIRCLES:])
    cookie.permanent = True
    g.entered = circle_id, phone_id


def known_phones() -> dict[UUID, UUID]:
    """Return the phone of this browser in each circle, as stored in the cookie."""
    return {UUID(circle_id): UUID(phone_id) for circle_id, phone_id in _known().items()}


def used_at() -> datetime | None:
    """Return the last day on which this browser opened a page of a circle, by its cookie."""
    return datetime.fromisoformat(f"{cookie['day']}T00:00Z") if "day" in cookie else None


def set_cookie(response: Response, name: str, value: str, seconds: int) -> Response:
    """Set a cookie beside the signed one, which no script reads; 0 seconds delete it."""
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    response.set_cookie(name, value, seconds, secure=secure, httponly=True, samesite="Lax")
    return response


def dismiss_question(question: str, circle_id: UUID) -> None:
    """Store in the cookie that this browser has dismissed a question of a circle."""
    mark = _mark(question, circle_id)
    others = [other for other in cookie.get("put_off", ()) if other != mark]
    cookie["put_off"] = [*others, mark][-MOST_CIRCLES:]


def is_dismissed(question: str, circle_id: UUID) -> bool:
    """Whether this browser has dismissed a question of a circle, so that it is not asked again."""
    return _mark(question, circle_id) in cookie.get("put_off", ())


def _mark(question: str, circle_id: UUID) -> str:
    """Return the short mark of a dismissed question: browsers keep only 4096 bytes of a cookie."""
    return question[0] + circle_id.hex[:6]


def new_claims() -> list[PhoneClaim]:
    """List other phones claimed for this player, without those shown to this browser before."""
    seen = cookie.get("claims", {}).get(current_holder().phone_id.hex[:6], 0)
    return [claim for claim in claims(current_holder()) if claim.serial > seen]


def see_claims() -> list[PhoneClaim]:
    """List the new claims; note in the cookie, for a few circles, that this browser saw them."""
    unseen = new_claims()
    if unseen:
        mark = current_holder().phone_id.hex[:6]
        seen = {key: serial for key, serial in cookie.get("claims", {}).items() if key != mark}
        cookie["claims"] = dict([*seen.items(), (mark, unseen[0].serial)][-MOST_CLAIMS:])
    return unseen


def browser_token() -> str:
    """Return the random token in this browser's cookie; the first call creates and stores it.

    It grants no access. It distinguishes a form that this browser sends twice from the same form
    sent by another browser, even if the first response was lost.
    """
    if "browser" not in cookie:
        cookie["browser"] = secrets.token_urlsafe(16)
        cookie.permanent = True
    return str(cookie["browser"])


def leave(circle_id: UUID, response: Response) -> Response:
    """Remove the circle from the cookie and have the browser clear its cached pages.

    If it was the last circle, the data stored by the pages is cleared, too.
    """
    cookie["phones"] = {key: value for key, value in _known().items() if key != circle_id.hex}
    return clear_site_data(response, storage=not _known())


def enter(circle_id: UUID, session_id: UUID | None = None) -> None:
    """Authorise this browser's phone for the requested page of a circle, or of its session.

    Raise NotFoundError if it has no phone there, so that strangers can't tell whether the circle
    exists, and RefusedError if its role is too low. A phone that is only at a table is a stranger
    to all else.
    """
    phone_id = _known().get(circle_id.hex)
    if phone_id is None:
        raise NotFoundError
    phone = holder(circle_id, UUID(phone_id), used_at(), at_table=True)
    facts = facts_of(request.endpoint)
    is_admitted = facts.admits(phone, session_id)
    if phone.revoked_at and not is_admitted:
        raise NotFoundError
    g.holder = phone
    g.zone, g.currency = phone.zone, phone.currency
    if not is_admitted:
        raise RefusedError(REFUSALS[facts.role])
    day = now().date().isoformat()
    if cookie.get("day") != day:  # sent again, so that it is kept for 400 days from today
        cookie["day"] = day


def current_holder() -> Holder:
    """Return the Holder of this request: a phone of the page's circle, with its role there."""
    phone: Holder = g.holder
    return phone


def zone() -> str:
    """Return the name of the time zone of the page's circle, or "" if none was chosen."""
    return str(g.get("zone", ""))


def currency() -> str:
    """Return the currency of the page's circle, or the usual one if none was chosen."""
    return str(g.get("currency") or USUAL_CURRENCY)


def use_circle_formats(circle: Circle) -> None:
    """Use this circle's time zone and currency on a public page."""
    g.zone, g.currency = circle.zone, circle.currency
    use_names_of(circle.circle_id)


def use_names_of(*circle_ids: UUID) -> dict[str, str]:
    """Use the short names of the people of these circles on the page; return those."""
    g.called = {}  # so that the page of an error reads nothing again
    short = short_names(players.nicknames(*circle_ids))
    differing = {name: called for name, called in short.items() if name != called}
    g.called = differing
    return differing


def use_whole_names() -> None:
    """Use the whole names of people on the page, as on paper that they sign."""
    g.called = {}


def short_name(name: str) -> str:
    """Return what a person is called in the page's circle; partners in a list each by theirs."""
    called: Mapping[str, str] | None = g.get("called")
    if called is None and "holder" in g:
        called = use_names_of(current_holder().circle_id)
    if not called:
        return name
    if name in called or ", " not in name:
        return called.get(name, name)
    return ", ".join(called.get(each, each) for each in name.split(", "))


def zone_here() -> tzinfo:
    """Return the time zone of the page's circle, or UTC if none was chosen."""
    return zone_called(zone())


def register(app: Flask) -> None:
    """Guard every page with a circle in its address, and pass that circle to the templates."""

    @app.url_value_preprocessor
    def guard(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values and "circle_id" in values:
            enter(values["circle_id"], values.get("session_id"))

    @app.before_request
    def note_today() -> None:
        """Record with every form, after its CSRF check, that the phone was used today."""
        if "holder" in g and request.method == "POST":
            note_use(current_holder(), kind_of_browser(request.user_agent.string))

    for question in (may, unseen_in):
        app.add_template_global(question)

    @app.context_processor
    def for_templates() -> dict[str, Any]:
        """Return the page's circle, if any, and the keys of its addresses."""
        phone: Holder | None = g.get("holder")
        circle = phone and {
            "circle_id": phone.circle_id,
            "name": short_name(phone.circle),  # that may be those of its players
            "currency": phone.currency,
        }
        return {"circle": circle, "place": circle and {"circle_id": circle["circle_id"]}}


def unseen_in() -> UUID | None:
    """Return the page's circle if this phone was not seen there today, else None.

    Reading a page notes no use of the phone, so the page reports it by a form of its own.
    """
    if "holder" not in g or current_holder().last_seen_at == today():
        return None
    return current_holder().circle_id


def may(endpoint: str) -> bool:
    """Whether this phone may use a page, by its endpoint, of the circle that it is in.

    About a session that can only be read (``g.read_only``), it may what a spectator may.
    """
    if "holder" not in g:
        return False
    facts = facts_of(endpoint)
    if g.get("read_only") and not Role.SPECTATOR.reaches(facts.role):
        return False
    return facts.admits(current_holder(), (request.view_args or {}).get("session_id"))


def _known() -> dict[str, str]:
    return dict(cookie.get("phones", {}))
