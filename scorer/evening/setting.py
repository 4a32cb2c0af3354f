"""What every document names first: the game, its rules, the people around the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.errors import Problem, UnknownGameError
from scorer.games import all_games, find_game
from scorer.rules.cards import Deck
from scorer.rules.game import Game, Table
from scorer.rules.questions import Reading, join, missing, read_seat
from scorer.rules.seats import MOST_SEATS, Seat, all_seats, wrong_count
from scorer.texts import did_you_mean, listed, say

LONGEST_NAME = 200


@dataclass(frozen=True, eq=False)
class Setting:
    """The game, its rules, the people."""

    game: Game[Any, Any]
    rules: Any
    seats: tuple[str, ...]

    @property
    def sits_out(self) -> bool:
        return len(self._active(Seat(0))) < len(self.seats)

    @property
    def deck(self) -> Deck | None:
        return self.game.deck(self.rules)

    def read_dealer(self, name: object, reading: Reading) -> Seat | None:
        """Read who deals; it is required if somebody sits out."""
        if name is not None:
            return read_seat(name, reading, "dealer")
        if self.sits_out:
            reading.fault("missing-key", "dealer", say("The dealer sits out: who deals?"))
        return None

    def table(self, dealer: Seat | None) -> Table[Any]:
        """The people of a deal; if the dealer is unknown, all of them play."""
        active = all_seats(len(self.seats)) if dealer is None else self._active(dealer)
        return Table(self.rules, self.seats, active)

    def _active(self, dealer: Seat) -> tuple[Seat, ...]:
        return self.game.active(dealer, all_seats(len(self.seats)), self.rules)


def read_setting(data: dict[str, Any], reading: Reading, *, most: int = 0) -> Setting | None:
    """Read ``game``, ``rules`` and up to ``most`` ``seats``; None when one has problems."""
    before = len(reading.problems)
    seats = read_seats(data.get("seats"), reading) if require(data, "seats", reading) else ()
    game = _read_game(data, reading)
    if game is None:
        return None
    rules, problems = rules_of(game, data.get("rules"))
    reading.problems += problems
    setting = Setting(game, rules, seats)
    if len(reading.problems) == before and len(seats) > most:
        wrong = wrong_count(len(seats), game.seating(rules).for_deal)
        reading.problems += [wrong] if wrong else []
    return setting if len(reading.problems) == before else None


def rules_of(
    game: Game[Any, Any], data: object, path: str = "rules"
) -> tuple[Any, Sequence[Problem]]:
    """Read the rules of a game; the problem of another game's preset names that game."""
    rules, problems = game.rules_from(data, path)
    slug = data.get("preset") if isinstance(data, dict) else data
    whose = [other.name for other in all_games() if slug in list(other.presets)]
    if whose and problems and problems[0].code == "unknown-preset":
        message = say(
            "The preset %(slug)s is one of %(other)s, and this is %(game)s. There are: %(all)s.",
            slug=slug,
            other=listed(whose),
            game=game.name,
            all=", ".join(game.presets),
        )
        problems = [replace(problems[0], message=message)]
    return rules, problems


def require(data: dict[str, Any], key: str, reading: Reading, path: str = "") -> bool:
    if key in data:
        return True
    reading.fault("missing-key", join(path, key), missing(key))
    return False


def _read_game(data: dict[str, Any], reading: Reading) -> Game[Any, Any] | None:
    if not require(data, "game", reading):
        return None
    slug = data["game"]
    try:
        if isinstance(slug, str):
            return find_game(slug)
    except UnknownGameError:
        reading.problems.append(unknown_game(slug))
        return None
    reading.fault("wrong-type", "game", say("The name of a game is needed."))
    return None


def unknown_game(slug: str) -> Problem:
    message = say("There is no game %(slug)s.", slug=slug)
    games = [game.slug for game in all_games()]
    return Problem("unknown-game", "game", did_you_mean(message, slug, games))


def read_seats(value: object, reading: Reading, path: str = "seats") -> tuple[str, ...]:
    """Read the names in order of play: texts, not empty, each once."""
    names: list[str] = []
    for index, name in enumerate(_read_list(value or None, reading, path) or ()):
        place = f"{path}[{index}]"
        if not isinstance(name, str):
            reading.fault("wrong-type", place, say("The name of a player is needed."))
        elif not 0 < len(name.strip()) <= len(name) <= LONGEST_NAME:
            reading.fault("bad-name", place, say("A name has from 1 to 200 letters."))
        elif name in names:
            message = say("There is more than one %(name)s: names are unique.", name=name)
            reading.fault("duplicate-name", place, message)
        else:
            names.append(name)
    return tuple(names)


def _read_list(given: object, reading: Reading, path: str) -> list[Any] | None:
    """Read a list of no more names than there are seats; None when it has problems."""
    if not isinstance(given, list):
        reading.fault("wrong-type", path, say("A list of the players' names is needed."))
    elif len(given) > MOST_SEATS:
        reading.fault("seats-count", path, say("There are too many people for a table."))
    else:
        return given
    return None


def read_player(name: object, seats: tuple[str, ...], reading: Reading, path: str) -> Seat | None:
    here = Reading(seats)
    here.problems = reading.problems
    return read_seat(name, here, path)


def read_names(
    given: object, seats: tuple[str, ...], reading: Reading, path: str
) -> list[Seat] | None:
    """Read the names of some of the people at the table; None when they have problems."""
    if (listed_names := _read_list(given, reading, path)) is None:
        return None
    named = [
        read_player(name, seats, reading, f"{path}[{number}]")
        for number, name in enumerate(listed_names)
    ]
    there = [seat for seat in named if seat is not None]
    return there if len(there) == len(named) else None
