"""What deals somebody looks for: read from an address, said again as chips, kept in links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from flask import url_for
from flask_babel import format_date

from scorer.errors import Problem
from scorer.games import find_game
from scorer.rules.game import Level, Outcome
from scorer.services.score_sheet import OUTCOME_WORDS
from scorer.storage import queries
from scorer.storage.models import Player
from scorer.storage.queries import Sought
from scorer.texts import Text, as_it_is, say

if TYPE_CHECKING:
    from collections.abc import Iterator


FIELDS = ("player", "role", "with", "part", "game", "bid", "result", "kind", "state", "from", "to")
#: What says something only beside another field.
BESIDE = {"player": ("with", "part"), "with": ("part",)}
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
    "voided": say("voided"),
    "amended": say("amended"),
    "disputed": say("disputed"),
}
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)


class Chip(NamedTuple):
    """One thing that is asked for, in words, and the address without it."""

    words: Text
    url: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from in a circle."""

    circle_id: UUID
    players: Mapping[str, Player]
    games: Mapping[str, Text]
    levels: Mapping[str, Level]


def choices(circle_id: UUID) -> Choices:
    """List the players of the circle, the games that it played, and what is bid in them."""
    games = [find_game(slug) for slug in queries.games_played(circle_id)]
    return Choices(
        circle_id,
        {str(player.player_id): player for player in queries.players(circle_id)},
        {game.slug: game.name for game in games},
        {level.code: level for game in games for level in game.levels},
    )


@dataclass(frozen=True, slots=True)
class Search:
    """What was asked for as it was typed, what that means, and what is wrong with it."""

    asked: Mapping[str, str]
    sought: Sought
    problems: list[Problem] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.asked)


def read_search(args: Mapping[str, str], known: Choices) -> Search:
    """Read an address; what cannot be meant is a problem of its field."""
    asked = {name: args[name].strip() for name in FIELDS if args.get(name, "").strip()}
    reading = _Reading(asked, known)
    sought = Sought(
        game=reading.one_of("game", known.games),
        since=reading.day("from"),
        until=reading.day("to", timedelta(days=1)),
        player=reading.player("player"),
        role=reading.one_of("role", ROLES),
        other=reading.player("with"),
        other_role=reading.one_of("part", PARTS),
        bids=known.levels[asked["bid"]].bids if reading.one_of("bid", known.levels) else (),
        made={"made": True, "missed": False}.get(reading.one_of("result", RESULTS)),
        outcome=reading.one_of("kind", KINDS),
        state=reading.one_of("state", STATES),
    )
    reading.check(sought)
    return Search(asked, sought, reading.problems)


@dataclass(slots=True)
class _Reading:
    asked: Mapping[str, str]
    known: Choices
    problems: list[Problem] = field(default_factory=list)

    def fault(self, name: str, message: Text) -> None:
        self.problems.append(Problem("bad-filter", name, message))

    def one_of(self, name: str, words: Mapping[str, object]) -> str:
        value = self.asked.get(name, "")
        if value and value not in words:
            self.fault(name, say("Choose one of these."))
            return ""
        return value

    def player(self, name: str) -> UUID | None:
        value = self.asked.get(name, "").lower()
        if value and value not in self.known.players:
            self.fault(name, say("There is no such player here."))
            return None
        return UUID(value) if value else None

    def day(self, name: str, more: timedelta = timedelta()) -> datetime | None:
        text = self.asked.get(name)
        if text is None:
            return None
        try:
            found = date.fromisoformat(text)
        except ValueError:
            found = date.min
        if not FIRST_DAY <= found <= LAST_DAY:
            self.fault(name, say("A date like 2026-11-20 is needed."))
            return None
        return datetime.combine(found + more, time(), UTC)

    def check(self, sought: Sought) -> None:
        """Find what doesn't go together."""
        if sought.since and sought.until and sought.since >= sought.until:
            self.fault("to", say("The end is before the beginning."))
        if sought.role == "dealer" and sought.player is None:
            self.fault("role", say("Somebody deals every time: choose who."))
        if sought.other is not None and sought.player is None:
            self.fault("with", say("Choose the first player, too."))
        if sought.other is not None and sought.other == sought.player:
            self.fault("with", say("Choose somebody else here."))
        if sought.other_role and "with" not in self.asked:
            self.fault("part", say("Choose whose part that was."))
        if sought.state == "voided" and {sought.role, sought.other_role} - {"", "dealer"}:
            self.fault("state", say("A deal that is voided pays nobody, whatever part was played."))


def search_url(circle_id: UUID, **asked: str) -> str:
    """The address of the deals that are asked for."""
    given: dict[str, Any] = {name: value for name, value in asked.items() if value}
    return url_for("history.deals", circle_id=circle_id, **given)


def chips(search: Search, known: Choices) -> Iterator[Chip]:
    """Say what is asked for, each thing with the address of all the rest."""
    for name, value in search.asked.items():
        words = _words(name, value, known)
        if words is not None:
            gone = {name, *BESIDE.get(name, ())}
            rest = {key: kept for key, kept in search.asked.items() if key not in gone}
            yield Chip(words, search_url(known.circle_id, **rest))


def _words(name: str, value: str, known: Choices) -> Text | None:
    """Say one thing that is asked for; None where it cannot be meant."""
    match name:
        case "player" | "with":
            player = known.players.get(value.lower())
            told = None if player is None else as_it_is(player.name)
        case "bid":
            level = known.levels.get(value)
            told = None if level is None else say("bid %(level)s", level=level.name)
        case "from" | "to":
            told = _day_words(name, value)
        case _:
            told = WORDS.get(name, known.games).get(value)
    return told


WORDS = {"role": ROLES, "part": PARTS, "result": RESULTS, "kind": KINDS, "state": STATES}


def _day_words(name: str, value: str) -> Text | None:
    try:
        day = format_date(date.fromisoformat(value), "d MMM y")
    except ValueError:
        return None
    return say("from %(day)s", day=day) if name == "from" else say("to %(day)s", day=day)
