"""What the script of the grid needs to know of a deal, so that a tap asks no server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.play.dead_hand import dead_hand, in_turn

if TYPE_CHECKING:
    from scorer.games.briscola_chiamata.play.deal import Deal


def script_view(deal: Deal) -> str | None:
    """Write it as JSON; None where a deal has more to it than cards played in turn."""
    if deal.claim is None or deal.hands or _faulty(deal):
        return None
    claim, layout, lookup = deal.claim, deal.layout, deal.lookup
    partner = claim.caller if claim.partner is None else claim.partner
    cards = {
        str(lookup.cards[number]): [
            lookup.suit_of(number),
            number % lookup.height,
            lookup.points[number],
        ]
        for number in deal.letters.pack
    }
    return json.dumps(
        {
            "playing": in_turn(deal.table),
            "dead": dead_hand(deal.table),
            "caller": claim.caller,
            "called": str(claim.called_card),
            "first": layout.first_leader,
            "said": partner if deal.says_partner and not deal.says_shown else None,
            "each": deal.table.rules.cards_each,
            "monte": deal.table.rules.monte,
            "target": layout.target,
            "cards": cards,
        }
    )


def _faulty(deal: Deal) -> bool:
    """Whether the record itself has problems, and not the claim, nor discards told one by one."""
    return any(
        "claim" not in found.where and not (found.code == "discard-count" and deal.may_discard)
        for found in deal.examined.problems
    )
