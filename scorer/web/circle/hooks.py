"""Pages of the web hooks of a circle: make one, try it, remove it."""

from datetime import timedelta
from http import HTTPStatus
from uuid import UUID, uuid4, uuid5

from flask import current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import SelectMultipleField, StringField
from wtforms.validators import InputRequired
from wtforms.widgets import CheckboxInput

from scorer.routes import Routes
from scorer.services.base.clock import now
from scorer.services.base.roles import Role
from scorer.services.circle import hooks
from scorer.web.base.access import current_holder
from scorer.web.base.fields import UUIDField
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import CIRCLE
from scorer.web.circle.links import FRESH_SECONDS

#: How long the secret of a new hook is shown.
SHOWN = timedelta(seconds=FRESH_SECONDS)
pages = Routes("hooks", __name__, url_prefix=f"{CIRCLE}/hooks")


class HookForm(PageForm):
    """A new web hook."""

    key = UUIDField(validators=[InputRequired()])
    address = StringField(lazy_gettext("Address"), default="")
    events = SelectMultipleField(
        lazy_gettext("What is it told?"),
        choices=list(hooks.EVENTS),  # type: ignore[arg-type]  # its types are of older versions
        coerce=hooks.HookEvent,
        option_widget=CheckboxInput(),
    )


@pages.get("/", least=Role.OWNER)
def index(circle_id: UUID) -> ResponseReturnValue:
    return _page(circle_id, HookForm(key=uuid4(), events=[hooks.HookEvent.EVENING_ENDED]))


def _page(circle_id: UUID, form: HookForm) -> ResponseReturnValue:
    """Show the hooks, and the secret of one for ten minutes on the phone that made it."""
    listed, here = hooks.listed_hooks(circle_id), current_holder().phone_id
    fresh = [hook for hook in listed if hook.phone_id == here and now() < hook.at + SHOWN]
    texts = {"words": hooks.EVENTS, "failures": hooks.FAILURES}
    page = render_template("circle/hooks.html", hooks=listed, fresh=fresh, form=form, **texts)
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post("/", least=Role.OWNER, limit="hook", logged="hook-made")
def make(circle_id: UUID) -> ResponseReturnValue:
    form = HookForm.sent()
    hook_id = uuid5(circle_id, f"{form.key.data} {current_holder().phone_id}")
    new = hook_id, (form.address.data or "").strip(), form.events.data or (), current_holder()
    if not form.attempt(hooks.make_hook, *new, private=current_app.config["HOOKS_PRIVATE"]):
        return _page(circle_id, form)
    return _back(circle_id)


@pages.post("/<uuid:hook_id>/test", least=Role.OWNER, limit="hook", logged="hook-tried")
def test(circle_id: UUID, hook_id: UUID) -> ResponseReturnValue:
    hooks.try_hook(circle_id, hook_id)
    flash(gettext("A test is on its way: open this page again in a few seconds."), "ok")
    return _back(circle_id)


@pages.post("/<uuid:hook_id>/remove", least=Role.OWNER, logged="hook-removed")
def remove(circle_id: UUID, hook_id: UUID) -> ResponseReturnValue:
    hooks.remove_hook(circle_id, hook_id, by=current_holder())
    return _back(circle_id)


def _back(circle_id: UUID) -> ResponseReturnValue:
    return redirect(url_for("hooks.index", circle_id=circle_id), HTTPStatus.SEE_OTHER)
