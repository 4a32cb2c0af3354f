"""The forms about a circle: its name and its end, the links into it, its phones and players."""

from __future__ import annotations

from flask_babel import lazy_gettext
from wtforms import BooleanField, IntegerField, StringField
from wtforms.validators import InputRequired

from scorer.services.base.roles import NAMES, Role
from scorer.services.circle.circles import Life
from scorer.texts import say
from scorer.web.base.fields import ChoiceField, UUIDField
from scorer.web.base.forms import PageForm

LIVES = {
    Life.USUAL: say("As usual"),
    Life.DAY: say("A day"),
    Life.WEEK: say("A week"),
    Life.NEVER: say("For good"),
}


#: What is offered to choose from; any other can be typed.
COMMON_ZONES = (
    *("Europe/Rome", "Europe/London", "Europe/Paris", "Europe/Berlin", "Europe/Zurich"),
    *("Europe/Madrid", "Europe/Brussels", "America/New_York", "America/Toronto"),
    *("America/Argentina/Buenos_Aires", "America/Sao_Paulo", "Australia/Melbourne", "UTC"),
)


class ZoneForm(PageForm):
    """The time zone that days and times are shown in."""

    zone = StringField(lazy_gettext("Time zone"), default="")


class DeleteForm(PageForm):
    """The name of a circle, typed before it is deleted."""

    name = StringField(lazy_gettext("Type the name of the circle to delete it"), default="")


class RoleForm(PageForm):
    """What a phone may do from now on."""

    role = ChoiceField("", None, NAMES, default=Role.SCOREKEEPER, validators=[InputRequired()])


class LinkForm(RoleForm):
    """A new link: what it lets phones do, how long, how many of them, and whom it is for."""

    key = UUIDField()
    life = ChoiceField(lazy_gettext("How long does it let phones in?"), None, LIVES)
    once = BooleanField(lazy_gettext("For one phone only"))
    name = StringField(lazy_gettext("Whom is the link for?"), default="", id="link-name")


class CodeForm(PageForm):
    """The wish for a code to be read out."""

    key = UUIDField()


class JoinForm(PageForm):
    """The link that somebody was given, or its code alone."""

    code = StringField(lazy_gettext("The link or code you were given"), default="")


class HoldForm(PageForm):
    """Which player holds a phone; none is nobody in particular."""

    player_id = UUIDField()
    #: The session whose page asked.
    session = UUIDField()


class ClaimsForm(PageForm):
    """The newest entry about this player's other phones that a notice showed."""

    serial = IntegerField()


class RecoveryForm(PageForm):
    """A recovery link that is wanted, or not."""

    key = UUIDField()
    session = UUIDField()
