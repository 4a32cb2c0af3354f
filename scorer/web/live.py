"""Who is at a session now, passing the pen, and the streams of events that pages listen to."""

from functools import partial
from http import HTTPStatus
from typing import cast
from uuid import UUID

from flask import Response, current_app, g, redirect, request
from flask import session as cookie
from flask.typing import ResponseReturnValue
from flask_babel import get_locale
from wtforms.validators import InputRequired

from scorer.languages import translate
from scorer.roles import Holder, Role
from scorer.routes import Routes
from scorer.services.circle.circles import signature
from scorer.services.live import presence, streams
from scorer.services.session.state import SessionState
from scorer.web.base.access import current_holder, may
from scorer.web.base.fields import UUIDField
from scorer.web.base.forms import MOST_DEALS, PageForm
from scorer.web.base.pages import CIRCLE, SESSION, flashing, session_url
from scorer.web.base.pages import pages as session_pages

pages = Routes("events", __name__)


def who_is_here(state: SessionState) -> presence.PresenceList:
    """List who is at a session now, this phone too."""
    table, phone_id = streams.hub_of(current_app).presence, current_holder().phone_id
    keys, number = (state.circle_id, state.session_id), state.evening.number
    return presence.presence_list(table, *keys, also=phone_id, next_number=number)


@session_pages.post(f"{SESSION}/pen", least=Role.SCOREKEEPER, logged="pen-passed")
def pass_pen(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    phone_id, table = PenForm.sent_phone(), streams.hub_of(current_app).presence
    with flashing():
        presence.pass_pen(table, session_id, phone_id, by=current_holder())
        cookie["passed"] = [session_id.hex, phone_id.hex]
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@session_pages.post(f"{SESSION}/pen/back", least=Role.PLAYER, logged="pen-taken-back")
def take_pen_back(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    phone_id = PenForm.sent_phone()
    with flashing():
        presence.take_pen_back(session_id, phone_id, by=current_holder())
    cookie.pop("passed", None)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def passed_to(session_id: UUID, company: presence.PresenceList) -> Holder | None:
    """Return the phone that this one passed the pen to, while that has it and this one doesn't."""
    session, phone = cookie.get("passed", ("", ""))
    taker = company.known.get(UUID(phone)) if session == session_id.hex else None
    has_it_again = current_holder().role is Role.SCOREKEEPER
    return taker if taker and taker.role is Role.SCOREKEEPER and not has_it_again else None


class PenForm(PageForm):
    """The phone that is to have the pen, or had it."""

    phone_id = UUIDField(validators=[InputRequired()])

    @classmethod
    def sent_phone(cls) -> UUID:
        """Return the phone that was sent, and log it; abort with 400 if there is none."""
        phone_id = cast("UUID", cls.sent().phone_id.data)
        g.about = {"phone_id": phone_id}
        return phone_id


@pages.get(f"{SESSION}/events", endpoint="of_session", least=Role.SPECTATOR)
@pages.get(f"{CIRCLE}/events", endpoint="of_circle", least=Role.SPECTATOR)
def listen(circle_id: UUID, session_id: UUID | None = None) -> Response:
    """Stream an event for each change of a session, or of any session of the circle."""
    writes = request.args.get("writes", 0, type=int) if may("deals.record") else 0
    here, speak = current_holder(), partial(translate, language=get_locale().language)
    return streams.stream_answer(
        circle_id,
        here.phone_id,
        session_id,
        writes=writes if 0 < writes <= MOST_DEALS else 0,
        meets=session_id is not None and "presence" in request.args,
        beats="beats" in request.args,
        sign=partial(signature, here.role, speak),
    )
