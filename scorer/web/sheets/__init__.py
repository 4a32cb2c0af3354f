"""The entry forms of the games: what each asks, and how its answers become a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.web.sheets.briscola_chiamata import ChiamataForm

if TYPE_CHECKING:
    from scorer.rules.game import Game

FORMS = {"briscola-chiamata": ChiamataForm}


def sheet_form(game: Game[Any, Any]) -> type[ChiamataForm]:
    """Give the entry form of a game."""
    return FORMS[game.slug]
