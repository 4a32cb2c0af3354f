"""Pages of the games: how each is played, and its tables to agree on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, render_template

from scorer.errors import NotFoundError
from scorer.games import all_games, find_game
from scorer.rules.description import Description
from scorer.texts import Text

if TYPE_CHECKING:
    from scorer.rules.game import Game

pages = Blueprint("games", __name__, url_prefix="/rules")


@dataclass(frozen=True, slots=True)
class GameView:
    """A game with its rules in paragraphs, and every table that it knows."""

    slug: str
    name: Text
    blurb: Text
    rules: tuple[Text, ...]
    presets: list[Description]


@pages.get("/")
def index() -> str:
    """List the games."""
    return render_template("rules/index.html", games=[game_view(game) for game in all_games()])


@pages.get("/<slug>/")
def show(slug: str) -> str:
    """Show how a game is played, and its tables."""
    return render_template("rules/game.html", game=game_view(find_game(slug)))


@pages.get("/<slug>/<preset>/")
def preset(slug: str, preset: str) -> str:
    """Show one table in words and figures."""
    game = find_game(slug)
    if preset not in game.presets:
        raise NotFoundError(preset)
    return render_template(
        "rules/preset.html",
        game=game,
        preset=game.describe(game.presets[preset]),
        others=[game.describe(rules) for name, rules in game.presets.items() if name != preset],
    )


def game_view(game: Game[Any, Any]) -> GameView:
    """Show a game and describe its tables."""
    presets = [game.describe(rules) for rules in game.presets.values()]
    return GameView(game.slug, game.name, game.blurb, game.about, presets)
