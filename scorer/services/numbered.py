"""The cards of a deal as they are stored: people by the numbers of their seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.games.briscola_chiamata.play.dead_hand import kept_names
from scorer.games.briscola_chiamata.play.notation.writing import play_of
from scorer.rules.sheet import Reading
from scorer.services.open_table import NUMBERS

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.deal import Deal


def by_number(deal: Deal) -> Reading:
    """Read cards of a deal as they are stored."""
    return Reading(kept_names(deal.table, NUMBERS), deal.table.rules.cards)


def numbered_play(deal: Deal) -> dict[str, Any]:
    """Write the cards of a deal as they are stored."""
    return play_of(deal, kept_names(deal.table, NUMBERS))
