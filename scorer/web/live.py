"""Who is at a session now, passing the pen, and the streams of events that pages listen to."""

from functools import partial
from http import HTTPStatus
from uuid import UUID

from flask import Response, abort, current_app, flash, g, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext
from wtforms.validators import InputRequired

from scorer.errors import InvalidError
from scorer.languages import translate
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.circle.circles import phone_words, signature
from scorer.services.live import presence, streams
from scorer.services.session.state import SessionState
from scorer.web.base.access import current_holder, may
from scorer.web.base.fields import UUIDField
from scorer.web.base.filters import in_words
from scorer.web.base.forms import MOST_DEALS, PageForm
from scorer.web.base.pages import CIRCLE, SESSION, session_url
from scorer.web.base.pages import pages as session_pages

pages = Routes("events", __name__)


def who_is_here(state: SessionState) -> presence.PresenceList:
    """List who is at a session now, this phone too."""
    table, phone_id = streams.hub_of(current_app).presence, current_holder().phone_id
    keys, number = (state.circle_id, state.session_id), state.evening.number
    return presence.presence_list(table, *keys, also=phone_id, next_number=number)


@session_pages.post(f"{SESSION}/pen", least=Role.SCOREKEEPER, logged="pen-passed")
def pass_pen(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    form, table = PenForm(request.form), streams.hub_of(current_app).presence
    phone_id = form.phone_id.data
    if not form.validate() or phone_id is None:
        abort(HTTPStatus.BAD_REQUEST)
    g.about = {"phone_id": phone_id}
    try:
        taker = presence.pass_pen(table, session_id, phone_id, by=current_holder())
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    else:
        name = taker.player or in_words(phone_words(taker.phone) or "")
        flash(gettext("%(name)s has the pen now.", name=name), "ok")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


class PenForm(PageForm):
    """The phone that is to have the pen."""

    phone_id = UUIDField(validators=[InputRequired()])


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
