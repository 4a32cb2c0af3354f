"""The slips of the tables: what is on them, and the page that a phone opens by one."""

from http import HTTPStatus
from typing import NamedTuple
from uuid import UUID

import segno
from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from wtforms import StringField

from scorer.errors import NotFoundError, Problem
from scorer.routes import address_of, slip_secrets
from scorer.services.circle.phones import kind_of_browser
from scorer.services.tournament import slips
from scorer.texts import say
from scorer.web.base import access
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import session_url
from scorer.web.tournament.making import pages


class PaperSlip(NamedTuple):
    """The address on the slip of a table, and its code; whether it lets any phone write there."""

    url: str
    code: str
    writes: bool


def slip_of(circle_id: UUID, session_id: UUID) -> PaperSlip:
    """Return the slip of a table: its secret, for directors, or the page of its session."""
    secret = slips.opening(slip_secrets(session_id)) if access.may("tournaments.draw") else None
    if secret is None:
        url = address_of("sessions.show", circle_id=circle_id, session_id=session_id)
    else:
        url = address_of("tournaments.table", _anchor=secret)
    code = segno.make(url, error="m").svg_data_uri(scale=3, border=2, light="#fff", dark="#000")
    return PaperSlip(url, str(code), secret is not None)


class SlipForm(PageForm):
    """The secret of a slip; a script reads it from the fragment of the address."""

    code = StringField(lazy_gettext("The address on the slip"), default="")


@pages.get("/table")
def table() -> ResponseReturnValue:
    """Show the form for a slip, which a script sends."""
    access.browser_token()
    return _slip_page(SlipForm())


def _slip_page(form: SlipForm) -> ResponseReturnValue:
    page = render_template("circle/join.html", form=form, sent_to=url_for("tournaments.sit_down"))
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post("/table", limit="join")
def sit_down() -> ResponseReturnValue:
    """Let this phone write at the table of a slip."""
    form = SlipForm(request.form)
    secret = (form.code.data or "").rsplit("#", 1)[-1].strip()
    known, token = access.known_phones(), access.browser_token()
    browser = kind_of_browser(request.user_agent.string)
    try:
        phone, session_id = slips.sit_down(secret, known, browser_token=token, browser=browser)
    except NotFoundError:
        message = say("This slip opens nothing: its turn is over, or it was mistyped.")
        form.refuse([Problem("unknown-code", "code", message)])
        return _slip_page(form)
    access.remember(phone.circle_id, phone.phone_id)
    return redirect(session_url(phone.circle_id, session_id), HTTPStatus.SEE_OTHER)
