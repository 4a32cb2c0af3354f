"""The forms of who is at the table: the seats from a deal on, and since which deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from flask_babel import lazy_gettext
from wtforms import Form, StringField

from scorer.texts import say
from scorer.web.forms import PageForm
from scorer.web.forms.fields import (
    ChoiceField,
    HiddenNumberField,
    ManyField,
    OpenChoiceField,
    RowsField,
    WholeField,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

#: How the form calls the guest, who has no seat yet.
GUEST = "new"
BELONGS = {
    "people": say("The names are right; the places were wrong"),
    "places": say("The places were right; what was written for one was another’s"),
}


class SeatingRow(Form):
    """A seat, or the guest's row, and its place in the order of play."""

    seat = StringField(default="")
    place = StringField(default="")


class SeatingForm(PageForm):
    """How the people sit from deal ``since`` on, as the page that saw so much was told."""

    shown_at: ClassVar[Mapping[str, str]] = {
        "seats": "people",
        "sits_out": "people",
        "by_place": "belongs",
        "from_number": "until",
        "preset": "rules",
    }

    seen = HiddenNumberField(default=-1)
    next_number = HiddenNumberField(default=0)
    since = HiddenNumberField(default=0)
    people = RowsField(SeatingRow)
    here = ManyField()
    dealer = OpenChoiceField()
    guest = StringField(default="")
    opening = WholeField(lazy_gettext("The guest brings in"))
    belongs = ChoiceField(lazy_gettext("What was written down"), None, BELONGS, default="people")
    until = WholeField(lazy_gettext("Up to deal (empty: from then on)"))
    reason = StringField(lazy_gettext("Why?"), default="")
    rules = OpenChoiceField()
    action = StringField(default="")

    @property
    def places(self) -> dict[str, str]:
        """The place that was typed for each seat, and for the guest."""
        return {row.seat.data: row.place.data or "" for row in self.people.data}

    @property
    def guest_place(self) -> str:
        """Where the guest is to sit."""
        return self.places.get(GUEST, "")


class SinceForm(PageForm):
    """Since which deal the people sat otherwise than was written down."""

    since = WholeField(lazy_gettext("Since deal"))
