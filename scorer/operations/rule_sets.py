"""``rules``: list the presets of a game, or of all games, with what is computed about them."""

from typing import Any

from scorer.games import all_games, find_game
from scorer.operations.requests import Answer
from scorer.rules.game import Game
from scorer.rules.sheet import write


def rule_sets(slug: str | None = None) -> list[Answer]:
    """Return every preset of a game, or of all games; raise UnknownGameError."""
    games = all_games() if slug is None else (find_game(slug),)
    return [rule_set(game, rules) for game in games for rules in game.presets.values()]


def rule_set(game: Game[Any, Any], rules: Any) -> Answer:
    """Write one rule set with its computed facts; ``score`` and ``replay`` take it as ``rules``."""
    return {"game": game.slug, **write(rules), **game.balance_checks(rules)}
