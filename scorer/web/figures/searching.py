"""Searches of deals, as forms, chips and links; spans of dates."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from flask import request
from flask_babel import format_date, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Field, StringField
from wtforms.validators import ValidationError

from scorer.evening.judging import OUTCOME_WORDS
from scorer.ledger.records import DealKey, DealSearch
from scorer.rules.game import Game, Outcome
from scorer.services.base.clock import now
from scorer.services.figures.figures import Run
from scorer.services.figures.standings import circle_standings
from scorer.texts import Text, as_it_is, say
from scorer.web.base.access import zone_here
from scorer.web.base.fields import ANY, ANYBODY, ANYTHING, ChoiceField, DayField, PlayerField
from scorer.web.base.filters import address
from scorer.web.base.forms import DatesForm

SIDES = {
    "caller": say("called, with a partner"),
    "alone": say("called, alone"),
    "partner": say("was the partner"),
    "defender": say("played against"),
}
ROLES = {"calls": say("called")} | SIDES
ROLES |= {"dealer": say("dealt"), "offender": say("paid a penalty")}
PARTS = SIDES | {"against": say("points went between the two")}
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
    "year": say("Year"),
    "month": say("Month"),
    "dates": say("From–to"),
}
#: The fields that depend on another field.
BESIDE = {"player": ("with", "part"), "with": ("part",)}


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
        """Return the first day of the span and its last; None if it is open."""
        match self.code:
            case "year":
                return today.replace(month=1, day=1), None
            case "month":
                return today.replace(day=1), None
            case "dates":
                return self.since.data, self.until.data
            case _:
                return None, None


def asked_standings(circle_id: UUID) -> dict[str, Any]:
    """Return the standings of the game and the span in the page's address."""
    span = SpanForm(request.args)
    if span.code == "dates":
        span.validate()
    bounds = span.bounds(now().astimezone(zone_here()).date())
    standings = circle_standings(circle_id, request.args.get("game", ""), *bounds)
    return {"standings": standings, "span": span, "spans": SPANS, "problems": span.problems}


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

    def __init__(
        self,
        args: MultiDict[str, str],
        games: Sequence[Game[Any, Any]],
        people: Mapping[UUID, str],
    ) -> None:
        super().__init__(args)
        self.levels = {level.code: level for game in games for level in game.levels}
        everybody = [(str(key), name) for key, name in people.items()]
        self.player.choices += everybody
        self.other.choices += everybody
        self.game.choices += [(game.slug, game.name) for game in games]
        self.bid.choices += [(code, level.name) for code, level in self.levels.items()]

    def validate_role(self, field: ChoiceField) -> None:
        if field.chosen == "dealer" and not self.player.chosen:
            raise ValidationError(lazy_gettext("Somebody deals every time: choose who."))

    def validate_other(self, field: ChoiceField) -> None:
        """Refuse a second player where there is no first, or where both are the same."""
        other, player = field.chosen, self.player.chosen
        if other and not player:
            raise ValidationError(lazy_gettext("Choose the first player, too."))
        if other and other == player:
            raise ValidationError(lazy_gettext("Choose somebody else here."))

    def validate_part(self, field: ChoiceField) -> None:
        if field.chosen and not self.other.data:
            raise ValidationError(lazy_gettext("Choose whose part that was."))

    def validate_state(self, field: ChoiceField) -> None:
        parts = {self.role.chosen, self.part.chosen} - {"", "dealer"}
        if field.chosen == "voided" and parts:
            raise ValidationError(
                lazy_gettext("A deal that is voided pays nobody, whatever part was played.")
            )

    @property
    def sought(self) -> DealSearch:
        bid = self.bid.chosen
        return DealSearch(
            **self.moments,
            game=self.game.chosen,
            player=self.player.key,
            role=self.role.chosen,
            other=self.other.key,
            other_role=self.part.chosen,
            bids=self.levels[bid].bids if bid else (),
            made={"made": True, "missed": False}.get(self.result.chosen),
            outcome=self.kind.chosen,
            state=self.state.chosen,
        )


class Chip(NamedTuple):
    """One criterion of the search in words, and the address without it."""

    words: Text
    url: str


def search_url(circle_id: UUID, **criteria: str) -> str:
    given: dict[str, Any] = {name: value for name, value in criteria.items() if value}
    return address("history.deals", circle_id=circle_id, **given)


def of_day(day: date) -> dict[str, str]:
    """Return the search for the deals of a day that aren't voided."""
    return {"state": "stands", "from": day.isoformat(), "to": day.isoformat()}


def from_run(run: Run) -> str:
    """Return the cursor of a list whose first deal is the last call of a run."""
    return write_cursor(DealKey(run.last.session_id, run.last.number + 1))


def write_cursor(cursor: DealKey) -> str:
    """Write a cursor: the deal after which a list continues."""
    return f"{cursor.session_id}.{cursor.number}"


def chips(circle_id: UUID, form: SearchForm) -> Iterator[Chip]:
    """Yield the criteria of a search, each with the address of the search without it."""
    criteria = form.criteria
    for field in form:
        words = _words(field)
        if words is not None:
            gone = {field.name, *BESIDE.get(field.name, ())}
            rest = {name: value for name, value in criteria.items() if name not in gone}
            yield Chip(words, search_url(circle_id, **rest))


def _words(field: Field) -> Text | None:
    """Return a criterion in words; None if its field is empty or invalid."""
    match field:
        case DayField(data=date() as data):
            day = format_date(data, "d MMM y")
            return (
                say("from %(day)s", day=day) if field.name == "from" else say("to %(day)s", day=day)
            )
        case ChoiceField(chosen=code) if code:
            words = dict(field.choices)[code]
            if field.name == "bid":
                return say("bid %(level)s", level=words)
            return words if isinstance(words, Text) else as_it_is(words)
    return None
