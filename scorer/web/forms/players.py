"""The forms about a player: another name, and two names of one person."""

from __future__ import annotations

from flask_babel import lazy_gettext
from wtforms import BooleanField, StringField
from wtforms.validators import InputRequired

from scorer.web.forms import PageForm
from scorer.web.forms.fields import UUIDField


class RenamePlayerForm(PageForm):
    """What a player is to be called."""

    name = StringField(lazy_gettext("Name"))


class MergeForm(PageForm):
    """Who the same person is, and that this is sure."""

    other = UUIDField(validators=[InputRequired(lazy_gettext("Choose another name"))])
    sure = BooleanField(
        lazy_gettext("They are one person"), [InputRequired(lazy_gettext("Tick this first."))]
    )
