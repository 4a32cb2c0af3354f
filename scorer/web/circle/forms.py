"""The forms about a circle: its name and its end, the links into it, its phones and players."""

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


#: The zones in the list; any other can be typed.
COMMON_ZONES = (
    *("Europe/Rome", "Europe/London", "Europe/Paris", "Europe/Berlin", "Europe/Zurich"),
    *("Europe/Madrid", "Europe/Brussels", "America/New_York", "America/Toronto"),
    *("America/Argentina/Buenos_Aires", "America/Sao_Paulo", "Australia/Melbourne", "UTC"),
)


class ZoneForm(PageForm):
    """The time zone of the circle's pages."""

    zone = StringField(lazy_gettext("Time zone"), default="")


class DeleteForm(PageForm):
    """The name of a circle, typed before it is deleted."""

    name = StringField(lazy_gettext("Type the name of the circle to delete it"), default="")


class RoleForm(PageForm):
    """The role of a phone."""

    role = ChoiceField("", None, NAMES, default=Role.SCOREKEEPER, validators=[InputRequired()])


class LinkForm(RoleForm):
    """A new link: its role, how long it works, for how many phones, and for whom."""

    key = UUIDField()
    life = ChoiceField(lazy_gettext("How long does it let phones in?"), None, LIVES)
    once = BooleanField(lazy_gettext("For one phone only"))
    name = StringField(lazy_gettext("Whom is the link for?"), default="", id="link-name")


class CodeForm(PageForm):
    """A new spoken code."""

    key = UUIDField()


class JoinForm(PageForm):
    """The link or the spoken code that somebody received."""

    code = StringField(lazy_gettext("The link or code you were given"), default="")


class HoldForm(PageForm):
    """The player who holds a phone, or nobody in particular."""

    player_id = UUIDField()
    #: The session to return to.
    session = UUIDField()


class ClaimsForm(PageForm):
    """The newest journal entry in the notice about a player's other phones."""

    serial = IntegerField()


class RecoveryForm(PageForm):
    """A request for a recovery link, or its dismissal."""

    key = UUIDField()
    session = UUIDField()
