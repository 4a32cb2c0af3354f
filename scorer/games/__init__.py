"""The games: every module or package of this folder, each with its ``GAME``, and installed ones.

Installed ones are found by their entry points (docs/a-game). What is imported so is code that
whoever runs the server has installed and trusts.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

from scorer.errors import UnknownGameError
from scorer.rules.game import Game, Table
from scorer.rules.match import Tally
from scorer.rules.missing_game import missing_game
from scorer.rules.questions import questions, write
from scorer.rules.seats import all_seats
from scorer.texts import Text

FIRST = "briscola-chiamata"
GROUP = "scorer.games"
#: A slug is a part of addresses, documents and names of files.
SLUG = re.compile("[a-z][a-z0-9-]{0,39}")
log = logging.getLogger(__name__)


@cache  # listing the modules of the folder takes a millisecond, and each page finds a game
def all_games() -> tuple[Game[Any, Any], ...]:
    """Return every game, the main one first and the others by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    ours = [module.GAME for module in modules]
    games = [*ours, *installed_games(ours)]
    return tuple(sorted(games, key=lambda game: (game.slug != FIRST, game.slug)))


def find_game(slug: str) -> Game[Any, Any]:
    """Return the game of that slug or alias; raise UnknownGameError."""
    for game in all_games():
        if slug in (game.slug, *game.aliases):
            return game
    raise UnknownGameError(slug)


def stored_game(slug: str) -> Game[Any, Any]:
    """Return the game of something stored: where it is not installed, what stands for it."""
    try:
        return find_game(slug)
    except UnknownGameError:
        return missing_game(slug)


def installed_games(ours: Collection[Game[Any, Any]]) -> Iterator[Game[Any, Any]]:
    """Yield the games of other distributions; a faulty one is logged and left out."""
    taken = {name for game in ours for name in (game.slug, *game.aliases)}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            game = point.load()
            check_game(game, taken)
        except Exception:  # whatever is wrong with it, the others are played
            log.exception("The game %s (%s) is left out", point.name, point.value)
        else:
            taken |= {game.slug, *game.aliases}
            yield game


def check_game(game: Any, taken: Collection[str]) -> None:
    """Raise an error if a game can't be offered beside those whose names are ``taken``.

    Its pages and documents are made of what is asked here.
    """
    if not isinstance(game, Game):
        raise TypeError(f"{game!r} is no Game")
    for name in (game.slug, *game.aliases):
        if name in taken or not SLUG.fullmatch(name):
            raise ValueError(f"the slug {name!r} is taken, or not one of a-z, 0-9 and -")
    texts: tuple[object, ...] = (game.name, game.blurb, *game.about)
    if not all(isinstance(text, Text) and str(text) for text in texts):
        raise TypeError("its name, blurb and about are texts, marked by say()")
    if not (game.presets and questions(game.sheet_type)):
        raise ValueError("it has no presets, or its sheet has no questions")
    for slug, rules in game.presets.items():
        if rules.slug != slug or game.rules_from(write(rules)) != (rules, []):
            raise ValueError(f"the preset {slug!r} is not read as it is written")
        _check_preset(game, rules)


def _check_preset(game: Game[Any, Any], rules: Any) -> None:
    """Raise an error if a rule set can't be described, or no session can begin by it."""
    game.describe(rules), game.end_text(rules), game.outcomes(rules)
    for count in game.seating(rules).for_session:
        seats = all_seats(count)
        game.asks(Table(rules, tuple(map(str, seats)), seats))
        tally = Tally(dict.fromkeys(seats, 0), 0)
        if not game.sides(seats, rules) or game.progress(tally, rules).finished:
            raise ValueError(f"no session begins by {rules.slug!r} with {count}")
