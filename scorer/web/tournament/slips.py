"""The slips of the tables: what is on them, and the page that a phone opens by one."""

from http import HTTPStatus
from typing import NamedTuple
from uuid import UUID

import segno
from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from wtforms import StringField

from scorer.routes import address_of, derived_secrets
from scorer.services.tournament import slips
from scorer.texts import say
from scorer.web.base import access
from scorer.web.base.pages import session_url
from scorer.web.circle.sharing import SecretForm
from scorer.web.tournament.making import pages


class PaperSlip(NamedTuple):
    """The address on the slip of a table, and its code; whether it lets any phone write there."""

    url: str
    code: str
    writes: bool


def slip_of(circle_id: UUID, session_id: UUID) -> PaperSlip:
    """Return the slip of a table: its secret, for directors, or the page of its session."""
    seed = slips.slip_seed(session_id)
    secret = slips.opening(derived_secrets(seed)) if access.may("tournaments.draw") else None
    if secret is None:
        url = address_of("sessions.show", circle_id=circle_id, session_id=session_id)
    else:
        url = address_of("tournaments.table", _anchor=secret)
    code = segno.make(url, error="m").svg_data_uri(scale=3, border=2, light="#fff", dark="#000")
    return PaperSlip(url, str(code), secret is not None)


class SlipForm(SecretForm):
    """The secret of a slip."""

    code = StringField(lazy_gettext("The address on the slip"), default="")
    unknown = say("This slip opens nothing: its turn is over, or it was mistyped.")


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
    entered = form.let_in(slips.sit_down)
    if entered is None:
        return _slip_page(form)
    phone, session_id = entered
    access.remember(phone.circle_id, phone.phone_id)
    return redirect(session_url(phone.circle_id, session_id), HTTPStatus.SEE_OTHER)
