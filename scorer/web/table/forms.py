"""The forms of a session: a new one, a file of one, other rules, who is at the table."""

from collections.abc import Mapping
from typing import Any, ClassVar

from flask_babel import lazy_gettext
from wtforms import BooleanField, Form, HiddenField, StringField
from wtforms.validators import InputRequired

from scorer.texts import say
from scorer.web.base.fields import (
    AmountField,
    ChoiceField,
    HiddenNumberField,
    ManyField,
    OpenChoiceField,
    RowsField,
    UUIDField,
    WholeField,
    whole,
)
from scorer.web.base.forms import PageForm

LAST = 99
#: How the form calls the guest, who has no seat yet.
GUEST = "new"
BELONGS = {
    "people": say("The names are right; the places were wrong"),
    "places": say("The places were right; what was written for one was another’s"),
}
ENDS = {
    "rules": say("As the rules say"),
    "points": say("At a target"),
    "deals": say("After some deals"),
    "open": say("When we stop"),
}


def place_of(text: str | None) -> int:
    """Read a place in the order of play; what is none comes last."""
    place = whole(text or "", digits=2)
    return LAST if place is None else place


class PlayerRow(Form):
    """Somebody who plays: the name, the place in the order of play, the balance brought in."""

    player = StringField(default="")
    place = StringField(default="")
    opening = WholeField()


class StakeForm(PageForm):
    """What a point of a session is worth."""

    stake = AmountField(
        lazy_gettext("What a point is worth; leave it empty if you don’t play for money")
    )


class NewSessionForm(PageForm):
    """What the people agree on before the first deal."""

    shown_at: ClassVar[Mapping[str, str]] = {
        "preset": "rules",
        "session.target": "target",
        "session.deals": "deals",
        "seats": "players",
        "opening": "openings",
    }

    key = UUIDField(validators=[InputRequired()])
    circle = UUIDField()
    game = HiddenField(default="")
    players = RowsField(PlayerRow)
    first_dealer = OpenChoiceField(default="0")
    openings = BooleanField(lazy_gettext("Balances from before"))
    kind = OpenChoiceField()
    rules = OpenChoiceField()
    end = OpenChoiceField(lazy_gettext("It ends"), words=ENDS, default="rules")
    target = WholeField(lazy_gettext("Balance to reach"))
    deals = WholeField(lazy_gettext("Number of deals"))
    stake = AmountField(lazy_gettext("What a point is worth, if you play for money"))
    title = StringField(lazy_gettext("Name"), default="")

    @property
    def seated(self) -> list[PlayerRow]:
        """The rows that have names, in the order of their places."""
        named = [row for row in self.players.data if (row.player.data or "").strip()]
        return sorted(named, key=lambda row: place_of(row.place.data))

    @property
    def names(self) -> list[str]:
        """Who plays, in order of play."""
        return [row.player.data or "" for row in self.seated]

    @property
    def dealer(self) -> int:
        """Which of those who play deals first."""
        chosen = whole(self.first_dealer.data or "")
        rows, seated = self.players.data, self.seated
        if chosen is None or not 0 <= chosen < len(rows) or rows[chosen] not in seated:
            return 0
        return seated.index(rows[chosen])

    @property
    def brought(self) -> list[int]:
        """The balances brought in, in order of play; none where nobody asked for them."""
        return [row.opening.data or 0 for row in self.seated] if self.openings.data else []

    def rows(self, count: int) -> list[PlayerRow]:
        """So many rows: those who play, and blank ones."""
        return [*self.seated[:count], *(PlayerRow() for _ in range(count - len(self.seated)))]

    def validate(self, extra_validators: Mapping[str, Any] | None = None) -> bool:
        """Look at the balances too, where there are to be any."""
        sound = [row.validate() for row in self.seated] if self.openings.data else []
        return super().validate(extra_validators) and all(sound)


class RulesChangeForm(PageForm):
    """By which rules to go on, from which deal, until when is played, and why.

    ``next_number`` and ``written`` say what the page had seen of the session.
    """

    rules = OpenChoiceField(lazy_gettext("By which table do you go on?"), "–")
    from_number = WholeField(name="from")
    end = OpenChoiceField(lazy_gettext("The session ends"), default="keep")
    reason = StringField(lazy_gettext("Why? It is written into the sheet."), default="")
    next_number = HiddenNumberField(default=0)
    written = HiddenNumberField()


class WhatIfForm(PageForm):
    """By which rules to look at the whole session, and which page of its deals."""

    rules = OpenChoiceField(lazy_gettext("Which table?"), "–")
    page = WholeField(default=1)


class SitOutForm(PageForm):
    """Who is to sit out deal ``number`` instead of whom; with nobody chosen it is by turn."""

    number = HiddenNumberField(default=0)
    seen = HiddenNumberField(default=0)
    instead = HiddenNumberField()
    chosen = HiddenNumberField()


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


class TitleForm(PageForm):
    """What an evening is to be called."""

    title = StringField(lazy_gettext("Title"), default="")
