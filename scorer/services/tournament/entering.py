"""Who enters a tournament: whom of the circle a typed name may mean, and usual partners."""

from collections import Counter
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from scorer.games import all_games
from scorer.notebooks.columns import People
from scorer.rules.game import Game
from scorer.rules.seats import all_seats
from scorer.services.circle import players
from scorer.storage import queries
from scorer.typed_text import looks


def near_names(circle_id: UUID, names: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each name that the circle does not have, those that are near it, if any.

    Who is named, too, is not offered.
    """
    everybody = players.everybody(circle_id)
    known = {looks(player.name) for player in everybody}
    named = {looks(name): name for name in names}
    people = People([[player.name, player.nickname] for player in everybody])
    near = {
        name: [other for other in people.near(name) if looks(other) not in named]
        for look, name in named.items()
        if look not in known
    }
    return {name: others for name, others in near.items() if others}


def usual_pairs(circle_id: UUID) -> list[tuple[str, str]]:
    """Pair the people of a circle, each with whom they played most often, the most usual first."""
    names = {player.player_id: player.name for player in players.active(circle_id)}
    games = [game.slug for game in all_games() if _plays_in_pairs(game)]
    together: Counter[tuple[str, str]] = Counter()
    for player_id, partner_id, count in queries.session.partners_at_four(circle_id, games):
        if player_id in names and partner_id in names:
            one, other = sorted((names[player_id], names[partner_id]))
            together[one, other] += count
    pairs: dict[str, tuple[str, str]] = {}
    for pair in sorted(together, key=lambda pair: (-together[pair], pair)):
        if not pairs.keys() & {*pair}:
            pairs |= dict.fromkeys(pair, pair)
    return [*dict.fromkeys(pairs.values())]


def _plays_in_pairs(game: Game[Any, Any]) -> bool:
    """Whether four play it as two pairs."""
    rules = game.preset
    return 4 in game.seating(rules).for_session and len(game.sides(all_seats(4), rules)) == 2
