"""The games: every module or package of this folder, each with its ``GAME``, and installed ones."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from scorer.errors import UnknownGameError
from scorer.rules.game import Game
from scorer.rules.installed_games import installed_games
from scorer.rules.missing_game import missing_game

FIRST = "briscola-chiamata"


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
