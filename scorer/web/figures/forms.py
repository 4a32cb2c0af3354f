"""Forms that are sent in the address: searches, and spans of dates."""

from datetime import date
from uuid import UUID

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, StringField
from wtforms.validators import InputRequired, ValidationError

from scorer.rules.game import Outcome
from scorer.services.book.writing import OUTCOME_WORDS
from scorer.services.deals.history import Choices, DealSearch
from scorer.services.figures.seasons import NewSeason
from scorer.texts import say
from scorer.web.base.fields import (
    ANY,
    ANYBODY,
    ANYTHING,
    ChoiceField,
    DayField,
    PlayerField,
    UUIDField,
)
from scorer.web.base.forms import DatesForm, PageForm

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
SPANS = {
    "all": say("Always"),
    "year": say("This year"),
    "month": say("This month"),
    "dates": say("From–to"),
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
    def criteria(self) -> dict[str, str]:
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
    def sought(self) -> DealSearch:
        """What the answers mean."""
        bid = self.bid.chosen
        return DealSearch(
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


class NicknameForm(PageForm):
    """What the others call a player."""

    nickname = StringField(lazy_gettext("Nickname"), default="")


class MergeForm(PageForm):
    """Two players who are one person, and the tick that confirms it."""

    other = UUIDField(validators=[InputRequired(lazy_gettext("Choose another name"))])
    sure = BooleanField(
        lazy_gettext("They are one person"), [InputRequired(lazy_gettext("Tick this first."))]
    )
