"""What the grid says of the monte: what the caller laid aside, and whether he showed the card."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import request

if TYPE_CHECKING:
    from scorer.cards.engine import CardDeal

#: What leaves the cards that were laid aside on the table, until they are all there.
LAYING = ("take-up", "show", "hide")


class MonteView(NamedTuple):
    """How the grid stands to the monte.

    ``laying`` is whether the cards that are tapped are laid aside, ``laid`` whether the last one
    was. Where the caller may be said to show the called card, ``neighbour`` becomes the partner.
    """

    laying: bool
    laid: bool
    may_show: bool
    shows: bool
    neighbour: str | None


def monte_view(deal: CardDeal) -> MonteView:
    """Say how the grid stands to the monte, after what was tapped."""
    laid = "lay" in request.form
    laying, neighbour = _is_laying(deal, laid=laid), deal.partner_by_showing
    return MonteView(laying, laid, deal.may_show, deal.says_shown, neighbour)


def _is_laying(deal: CardDeal, *, laid: bool) -> bool:
    did = request.form.get("do")
    if deal.claim is None or did == "lay":
        return deal.claim is not None and deal.table.rules.monte > 0
    return did in LAYING or (deal.may_discard and laid)
