"""Pages of the games: how each is played, and its tables to agree on."""

from flask import render_template

from scorer.errors import NotFoundError
from scorer.games import all_games, find_game
from scorer.routes import Routes

pages = Routes("games", __name__, url_prefix="/rules")


@pages.get("/", kept=True)
def index() -> str:
    return render_template("table/games.html", games=all_games())


@pages.get("/<slug>/", kept=True)
def show(slug: str) -> str:
    game = find_game(slug)
    presets = [game.describe(rules) for rules in game.presets.values()]
    return render_template("table/game.html", game=game, presets=presets)


@pages.get("/<slug>/<preset>/", kept=True)
def preset(slug: str, preset: str) -> str:
    game = find_game(slug)
    if preset not in game.presets:
        raise NotFoundError(preset)
    return render_template(
        "table/preset.html",
        game=game,
        preset=game.describe(game.presets[preset]),
        others=[game.describe(rules) for name, rules in game.presets.items() if name != preset],
    )
