"""The forms of who is at the table: the seats from a deal on, and since which deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from flask_babel import lazy_gettext
from wtforms import Form, StringField

from scorer.web.forms import PageForm
from scorer.web.forms.fields import HiddenNumberField, ManyField, RowsField, WholeField

if TYPE_CHECKING:
    from collections.abc import Mapping

#: How the form calls the guest, who has no seat yet.
GUEST = "new"


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
        "preset": "rules",
    }

    seen = HiddenNumberField(default=-1)
    next_number = HiddenNumberField(default=0)
    since = HiddenNumberField(default=0)
    people = RowsField(SeatingRow)
    here = ManyField()
    dealer = StringField(default="")
    guest = StringField(default="")
    opening = WholeField(lazy_gettext("The guest brings in"))
    belongs = StringField(default="people")
    until = WholeField(lazy_gettext("Up to deal (empty: from then on)"))
    reason = StringField(lazy_gettext("Why?"), default="")
    rules = StringField(default="")
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
