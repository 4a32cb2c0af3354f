"""The form of a named season."""

from __future__ import annotations

from uuid import UUID

from flask_babel import lazy_gettext
from wtforms import StringField
from wtforms.validators import InputRequired

from scorer.services.seasons import NewSeason
from scorer.web.forms import PageForm
from scorer.web.forms.fields import DayField, UUIDField


class SeasonForm(PageForm):
    """A season with a name and a span of days."""

    key = UUIDField(validators=[InputRequired()])
    name = StringField(lazy_gettext("Name"), default="", id="season-name")
    first = DayField(lazy_gettext("From"))
    last = DayField(lazy_gettext("To"))

    @property
    def season(self) -> NewSeason:
        """What the answers mean."""
        return NewSeason(
            self.key.data or UUID(int=0), self.name.data or "", self.first.data, self.last.data
        )
