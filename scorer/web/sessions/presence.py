"""Who is at a session now, as its pages show it, and passing the pen."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import abort, current_app, flash, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from markupsafe import Markup

from scorer.errors import InvalidError
from scorer.services import presence
from scorer.services.circles import phone_words
from scorer.services.kept_sheets import KeptSheet
from scorer.services.streams import hub_of
from scorer.web.access import current_holder
from scorer.web.deals.pages import session_url
from scorer.web.filters import in_words
from scorer.web.forms.circles import PenForm
from scorer.web.keeping import kept_part
from scorer.web.sessions.pages import SESSION, pages


def presence_part(kept: KeptSheet, template: str = "sessions/_presence.html") -> Markup:
    """Show who is here, this phone too; rendered once for all who see the same."""
    by, mark = current_holder(), kept.mark
    here = presence.company(hub_of(current_app).room, by.circle_id, mark, also=by.phone_id)
    keys = {"circle_id": by.circle_id, "session_id": mark.session_id}

    def render(fresh: Mapping[str, Any]) -> str:
        return render_template(template, company=here, here=keys, **fresh)

    return kept_part((*keys.values(), template, here.shown, here.more), render)


@pages.post(f"{SESSION}/pen")
def pass_pen(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Hand the pen to a phone that is here."""
    form, room = PenForm(request.form), hub_of(current_app).room
    phone_id = form.phone_id.data
    if not form.validate() or phone_id is None:
        abort(HTTPStatus.BAD_REQUEST)
    g.about = {"phone_id": phone_id}
    try:
        taker = presence.pass_pen(room, session_id, phone_id, by=current_holder())
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    else:
        name = taker.player or in_words(phone_words(taker.phone) or "")
        flash(gettext("%(name)s has the pen now.", name=name), "ok")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
