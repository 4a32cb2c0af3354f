"""The entry forms of the games: what each asks, and how its answers become a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.errors import NotFoundError
from scorer.games import all_games
from scorer.web.sheets.briscola_chiamata import ChiamataForm

if TYPE_CHECKING:
    from scorer.rules.game import Game

FORMS = {"briscola-chiamata": ChiamataForm}


def playable_games() -> list[Game[Any, Any]]:
    """Give the games that can be written down on the pages: those with an entry form."""
    return [game for game in all_games() if game.slug in FORMS]


def sheet_form(game: Game[Any, Any]) -> type[ChiamataForm]:
    """Give the entry form of a game; raise NotFoundError where it has none."""
    if game.slug not in FORMS:
        raise NotFoundError(game.slug)
    return FORMS[game.slug]
