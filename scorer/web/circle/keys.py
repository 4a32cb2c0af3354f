"""The page where owners make keys of programs, shown once, and revoke them."""

from http import HTTPStatus
from uuid import UUID, uuid4, uuid5

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import lazy_gettext
from wtforms import StringField
from wtforms.validators import InputRequired

from scorer.roles import Role
from scorer.routes import derived_secrets
from scorer.services.circle import circles, programs
from scorer.services.circle.circles import Life
from scorer.web.base.access import browser_token, current_holder
from scorer.web.base.fields import ChoiceField, UUIDField
from scorer.web.base.pages import CIRCLE
from scorer.web.circle.circles import pages
from scorer.web.circle.sharing import ALLOWED, RoleForm

LIVES = {life: life.words for life in (Life.MONTH, Life.YEAR, Life.NEVER)}


class KeyForm(RoleForm):
    """A new key: its role, its program, and how long it is valid."""

    key = UUIDField(validators=[InputRequired()])
    life = ChoiceField(lazy_gettext("How long does it work?"), None, LIVES, default=Life.YEAR)
    name = StringField(lazy_gettext("What is the program called?"), default="", id="key-name")


@pages.get(f"{CIRCLE}/keys", least=Role.OWNER)
def keys(circle_id: UUID) -> ResponseReturnValue:
    return _keys_page(circle_id, KeyForm(key=uuid4(), role=Role.PLAYER))


def _keys_page(circle_id: UUID, form: KeyForm, secret: str = "") -> ResponseReturnValue:
    page = render_template(
        "circle/keys.html",
        keys=programs.listed_keys(circle_id),
        form=form,
        roles=ALLOWED,
        secret=secret,
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post(f"{CIRCLE}/keys", least=Role.OWNER, logged="key-made")
def new_key(circle_id: UUID) -> ResponseReturnValue:
    """Make a key and show its secret, which is stored nowhere, in the answer alone.

    A form sent twice makes one key and shows the same secret, but not to another browser.
    """
    form = KeyForm.sent()
    made_by = (form.key.data or uuid4()).hex
    seed = uuid5(circle_id, f"{made_by} {browser_token()}").hex
    secret, key_id = derived_secrets(f"key {seed}")[0], uuid5(circle_id, made_by)
    life = circles.LIVES.get(Life(form.life.chosen))
    new = programs.NewKey(key_id, form.name.data or "", form.answers["role"], life)
    if not form.attempt(programs.make_key, circle_id, new, secret, by=current_holder()):
        return _keys_page(circle_id, form)
    shown = secret if programs.find_program(secret) else ""
    return _keys_page(circle_id, KeyForm(key=uuid4(), role=Role.PLAYER), shown)


@pages.post(f"{CIRCLE}/keys/<uuid:key_id>/revoke", least=Role.OWNER, logged="key-revoked")
def revoke_key(circle_id: UUID, key_id: UUID) -> ResponseReturnValue:
    programs.revoke_key(circle_id, key_id, by=current_holder())
    return redirect(url_for("circles.keys", circle_id=circle_id), HTTPStatus.SEE_OTHER)
