"""Who is at a session now, as its pages show it, and passing the pen."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import abort, current_app, flash, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from markupsafe import Markup
from wtforms.validators import InputRequired

from scorer.errors import InvalidError
from scorer.services.base.roles import Role
from scorer.services.circle.circles import phone_words
from scorer.services.live import presence
from scorer.services.live.session_cache import CachedSheet
from scorer.services.live.streams import hub_of
from scorer.web.base.access import current_holder
from scorer.web.base.addresses import session_url
from scorer.web.base.fields import UUIDField
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm
from scorer.web.base.page_cache import cached_part
from scorer.web.base.pages import SESSION, pages


def presence_part(cached: CachedSheet, template: str = "live/_presence.html") -> Markup:
    """Show who is here, this phone too; rendered once for all who see the same."""
    by, mark = current_holder(), cached.mark
    here = presence.company(hub_of(current_app).room, by.circle_id, mark, also=by.phone_id)
    keys = {"circle_id": by.circle_id, "session_id": mark.session_id}

    def render(fresh: Mapping[str, Any]) -> str:
        return render_template(template, company=here, here=keys, **fresh)

    return cached_part((*keys.values(), template, here.shown, here.more), render)


@pages.post(f"{SESSION}/pen", least=Role.SCOREKEEPER, logged="pen-passed")
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


class PenForm(PageForm):
    """The phone that is to have the pen."""

    phone_id = UUIDField(validators=[InputRequired()])
