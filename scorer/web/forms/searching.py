"""Forms that are sent in the address: searches, and spans of dates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.validators import ValidationError

from scorer.rules.game import Outcome
from scorer.services.history import Choices, Sought
from scorer.services.ledger_page import SoughtMoney
from scorer.services.writing import OUTCOME_WORDS
from scorer.texts import Text, say
from scorer.web.access import zone_here
from scorer.web.forms import PageForm
from scorer.web.forms.fields import ChoiceField, DayField

ROLES = {
    "calls": say("called"),
    "caller": say("called, with a partner"),
    "alone": say("called, alone"),
    "partner": say("was the partner"),
    "defender": say("played against"),
    "dealer": say("dealt"),
    "offender": say("paid a penalty"),
}
PARTS = {
    "caller": say("called, with a partner"),
    "alone": say("called, alone"),
    "partner": say("was the partner"),
    "defender": say("played against"),
    "against": say("points went between the two"),
}
RESULTS = {"made": say("made"), "missed": say("missed")}
KINDS = {Outcome.PLAYED.value: say("Played")} | {
    outcome.value: words for outcome, words in OUTCOME_WORDS.items()
}
STATES = {
    "stands": say("not voided"),
    "voided": say("only voided"),
    "amended": say("only amended"),
    "disputed": say("only disputed"),
}
GROUPS = {
    "phones": say("phones and links"),
    "names": say("names"),
    "rules": say("rules"),
    "evenings": say("sessions"),
    "under-way": say("deals under way"),
    "money": say("money"),
    "files": say("files"),
}
SPANS = {
    "all": say("Always"),
    "year": say("This year"),
    "month": say("This month"),
    "dates": say("From–to"),
}
ANYBODY, ANYTHING, ANY = (lazy_gettext("anybody"), lazy_gettext("anything"), lazy_gettext("any"))
NOBODY = lazy_gettext("There is no such player here.")
FEWEST = lazy_gettext("with as few payments as possible")


class DatesForm(PageForm):
    """A search with a span of dates; what is left empty may be anything."""

    since = DayField(lazy_gettext("From"), name="from", id="from")
    until = DayField(lazy_gettext("To"), name="to", id="to")

    def validate_until(self, field: DayField) -> None:
        """Refuse an end before the beginning."""
        if self.since.data and field.data and field.data < self.since.data:
            raise ValidationError(lazy_gettext("The end is before the beginning."))

    @property
    def asked(self) -> dict[str, str]:
        """The criteria as they were typed, by the names of the fields."""
        typed = {one.name: one.typed if isinstance(one, DayField) else one.data for one in self}
        return {name: value for name, value in typed.items() if value}

    @property
    def moments(self) -> dict[str, datetime | None]:
        """The span as moments, the second one exclusive."""
        return {
            "since": _start(self.since.data),
            "until": _start(self.until.data, timedelta(days=1)),
        }


class SpanForm(DatesForm):
    """The span of dates of the standings, open at an end that is left out."""

    span = StringField(default="")

    @property
    def code(self) -> str:
        """The code of the span; without one, "dates" if a date was typed, and else "all"."""
        typed = self.since.typed or self.until.typed
        code = self.span.data or ("dates" if typed else "all")
        return code if code in SPANS else "all"

    @property
    def asked(self) -> dict[str, str]:
        """The dates as they were typed, by the names of the fields."""
        fields = (self.since, self.until) if self.code == "dates" else ()
        return {field.name: field.typed for field in fields if field.typed}

    def bounds(self, today: date) -> tuple[date | None, date | None]:
        """Return the first day of the span and its last; None where it is open."""
        match self.code:
            case "year":
                return today.replace(month=1, day=1), None
            case "month":
                return today.replace(day=1), None
            case "dates":
                return self.since.data, self.until.data
            case _:
                return None, None


class PlayerField(ChoiceField):
    """A player of the circle, or nobody."""

    def __init__(self, label: Any, otherwise: Any, **more: Any) -> None:
        """Offer ``otherwise`` for nobody; the form adds the players."""
        super().__init__(label, otherwise, unknown=NOBODY, **more)

    @property
    def key(self) -> UUID | None:
        """The key of the player that was chosen."""
        return UUID(self.chosen) if self.chosen else None


class SearchForm(DatesForm):
    """The search of deals."""

    player = PlayerField(lazy_gettext("Who"), ANYBODY)
    role = ChoiceField(lazy_gettext("What did they do?"), ANYTHING, ROLES)
    other = PlayerField(lazy_gettext("And who else?"), ANYBODY, name="with", id="with")
    part = ChoiceField(lazy_gettext("What did the other one do?"), ANYTHING, PARTS)
    game = ChoiceField(lazy_gettext("Game"), ANY)
    bid = ChoiceField(lazy_gettext("Bid"), ANY)
    result = ChoiceField(lazy_gettext("What came of it?"), ANYTHING, RESULTS)
    kind = ChoiceField(lazy_gettext("Kind"), ANY, KINDS)
    state = ChoiceField(lazy_gettext("Which deals?"), lazy_gettext("all"), STATES)
    # declared again, to be the last ones in the list of criteria
    since = DayField(lazy_gettext("From"), name="from", id="from")
    until = DayField(lazy_gettext("To"), name="to", id="to")

    def __init__(self, args: MultiDict[str, str], known: Choices) -> None:
        """Read an address, with the options of a circle."""
        super().__init__(args)
        self.known = known
        people = [(str(key), name) for key, name in known.players.items()]
        self.player.choices += people
        self.other.choices += people
        self.game.choices += known.games.items()
        self.bid.choices += [(code, level.name) for code, level in known.levels.items()]

    def validate_role(self, field: ChoiceField) -> None:
        """Refuse a dealer without a player."""
        if field.chosen == "dealer" and not self.player.chosen:
            raise ValidationError(lazy_gettext("Somebody deals every time: choose who."))

    def validate_other(self, field: ChoiceField) -> None:
        """Refuse a second player without a first, or who is the first."""
        other, player = field.chosen, self.player.chosen
        if other and not player:
            raise ValidationError(lazy_gettext("Choose the first player, too."))
        if other and other == player:
            raise ValidationError(lazy_gettext("Choose somebody else here."))

    def validate_part(self, field: ChoiceField) -> None:
        """Refuse a part without a second player."""
        if field.chosen and not self.other.data:
            raise ValidationError(lazy_gettext("Choose whose part that was."))

    def validate_state(self, field: ChoiceField) -> None:
        """Refuse a part in deals that pay nobody."""
        parts = {self.role.chosen, self.part.chosen} - {"", "dealer"}
        if field.chosen == "voided" and parts:
            raise ValidationError(
                lazy_gettext("A deal that is voided pays nobody, whatever part was played.")
            )

    @property
    def sought(self) -> Sought:
        """What the answers mean."""
        bid = self.bid.chosen
        return Sought(
            **self.moments,
            game=self.game.chosen,
            player=self.player.key,
            role=self.role.chosen,
            other=self.other.key,
            other_role=self.part.chosen,
            bids=self.known.levels[bid].bids if bid else (),
            made={"made": True, "missed": False}.get(self.result.chosen),
            outcome=self.kind.chosen,
            state=self.state.chosen,
        )


class JournalForm(DatesForm):
    """The search of the journal."""

    player = ChoiceField(lazy_gettext("Who"), ANYBODY, unknown=NOBODY)
    kind = ChoiceField(lazy_gettext("What"), ANYTHING, GROUPS)

    def __init__(self, args: MultiDict[str, str], doers: Mapping[str, Text | str]) -> None:
        """Read an address, with those who have entries."""
        super().__init__(args)
        self.player.choices += doers.items()

    @property
    def sought(self) -> dict[str, Any]:
        """What the answers mean, by the names that the service gives them."""
        return {**self.moments, "who": self.player.chosen, "group": self.kind.chosen}


class LedgerForm(DatesForm):
    """The search of the ledger, and the banker."""

    player = PlayerField(lazy_gettext("Who"), ANYBODY)
    banker = PlayerField(lazy_gettext("Who pays whom?"), FEWEST)

    def __init__(self, args: MultiDict[str, str], people: Mapping[UUID, str]) -> None:
        """Read an address, with the players of a circle."""
        super().__init__(args)
        offered = [(str(key), name) for key, name in people.items()]
        self.player.choices += offered
        through = lazy_gettext("everybody through %(name)s")
        self.banker.choices += [(key, through % {"name": name}) for key, name in offered]

    @property
    def sought(self) -> SoughtMoney:
        """What the answers mean."""
        return SoughtMoney(player=self.player.key, **self.moments)


def _start(day: date | None, more: timedelta = timedelta()) -> datetime | None:
    return datetime.combine(day + more, time(), zone_here()) if day else None
