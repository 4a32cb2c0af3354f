"""The forms about a circle: its name and its end, the links into it, its phones and players."""

from __future__ import annotations

from flask_babel import lazy_gettext
from wtforms import BooleanField, StringField
from wtforms.validators import InputRequired

from scorer.services.roles import NAMES, Role
from scorer.web.forms import PageForm
from scorer.web.forms.fields import ChoiceField, UUIDField


class NameForm(PageForm):
    """What a circle or a player is to be called."""

    name = StringField(lazy_gettext("Name"), default="")


class TitleForm(PageForm):
    """What an evening is to be called."""

    title = StringField(lazy_gettext("Title"), default="")


class DeleteForm(PageForm):
    """The name of a circle, typed before it is deleted."""

    name = StringField(lazy_gettext("Type the name of the circle to delete it"), default="")


class RoleForm(PageForm):
    """What a phone may do from now on."""

    role = ChoiceField("", None, NAMES, default=Role.SCOREKEEPER, validators=[InputRequired()])


class LinkForm(RoleForm):
    """A new link: what it lets phones do, and whom it is for."""

    name = StringField(lazy_gettext("Whom is the link for?"), default="", id="link-name")


class JoinForm(PageForm):
    """The link that somebody was given, or its code alone."""

    code = StringField(lazy_gettext("The link or code you were given"), default="")


class HoldForm(PageForm):
    """Which player holds a phone; none is nobody in particular."""

    player_id = UUIDField()


class MergeForm(PageForm):
    """Two players who are one person, and the tick that confirms it."""

    other = UUIDField(validators=[InputRequired(lazy_gettext("Choose another name"))])
    sure = BooleanField(
        lazy_gettext("They are one person"), [InputRequired(lazy_gettext("Tick this first."))]
    )
