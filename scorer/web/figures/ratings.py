"""Pages of the ratings of a game, and of one player's, deal by deal."""

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

#: Deals on a page of the list.
DEALS = 40

pages = Routes("ratings", __name__, url_prefix=CIRCLE)


@pages.get("/rating", least=Role.SPECTATOR)
def index(circle_id: UUID) -> ResponseReturnValue:
    """List the ratings of a game with their margins."""
    ratings = game_ratings(circle_id, request.args.get("game", ""))
    return render_template(
        "figures/ratings.html",
        ratings=ratings,
        games=[find_game(slug) for slug in ratings.games] if ratings else [],
        names=players.names(circle_id),
        newcomer=NEWCOMER,
    )


@pages.get("/players/<uuid:player_id>/rating", least=Role.SPECTATOR)
def show(circle_id: UUID, player_id: UUID) -> ResponseReturnValue:
    """Show the rating of a player, and its moves, newest first."""
    player = players.find(circle_id, player_id)
    ratings = game_ratings(circle_id, request.args.get("game", ""))
    moves = rating_moves(circle_id, player_id, ratings.game)[::-1] if ratings else []
    if ratings is None or not moves:
        raise NotFoundError(player_id)
    page = max(1, request.args.get("page", 1, type=int))
    shown = moves[(page - 1) * DEALS : page * DEALS]
    return render_template(
        "figures/rating.html",
        player=player,
        game=ratings.game,
        games=[find_game(slug) for slug in ratings.games],
        rating=moves[0].after,
        deals=len(moves),
        moves=shown,
        page=page,
        older=page * DEALS < len(moves),
    )
