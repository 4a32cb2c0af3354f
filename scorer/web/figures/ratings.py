"""Pages of the ratings: who stands where in a game, and how each deal moved somebody."""

from __future__ import annotations

from uuid import UUID

from flask import render_template, request
from flask.typing import ResponseReturnValue

from scorer.errors import NotFoundError
from scorer.games import find_game
from scorer.routes import Routes
from scorer.services.base.roles import Role
from scorer.services.circle import players
from scorer.services.figures.ratings import NEWCOMER, game_ratings, rating_moves
from scorer.web.base.pages import CIRCLE

#: So many deals are a page of the list.
DEALS = 40

pages = Routes("ratings", __name__, url_prefix=CIRCLE)


@pages.get("/rating", least=Role.SPECTATOR)
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the ratings of a game, each with how far off it may be."""
    found = game_ratings(circle_id, request.args.get("game", ""))
    return render_template(
        "figures/ratings.html",
        ratings=found,
        games=[find_game(slug) for slug in found.games] if found else [],
        names=players.names(circle_id),
        newcomer=NEWCOMER,
    )


@pages.get("/players/<uuid:player_id>/rating", least=Role.SPECTATOR)
def show(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show the rating of a player, and how it moved, deal by deal, the newest first."""
    player = players.find(circle_id, player_id)
    found = game_ratings(circle_id, request.args.get("game", ""))
    moves = rating_moves(circle_id, player_id, found.game)[::-1] if found else []
    if found is None or not moves:
        raise NotFoundError(player_id)
    page = max(1, request.args.get("page", 1, type=int))
    shown = moves[(page - 1) * DEALS : page * DEALS]
    return render_template(
        "figures/rating.html",
        player=player,
        game=found.game,
        games=[find_game(slug) for slug in found.games],
        rating=moves[0].after,
        deals=len(moves),
        moves=shown,
        page=page,
        older=page * DEALS < len(moves),
    )
