"""A record whose sides are known, as a deal to be solved with the cards open.

Where cards are drawn, all of them are in the hands once the stock is empty: the deal is solved from
there. Who has what follows from the tricks played after that, or from the hands as they were dealt
and the stock; one hand may be missing, it is the rest of the pack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.cards import record_faults
from scorer.cards.solver.open_deal import Hands, OpenDeal, laid_open
from scorer.rules.findings import Finding
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.cards.sides.deal import SidesDeal


def open_cards(deal: SidesDeal) -> OpenDeal | list[Finding]:
    """Open the cards of a deal; else say what is missing or wrong in it."""
    findings = [*record_faults.faults(deal.layout)]
    if findings:
        return findings
    drawn = deal.drawn_tricks
    leader = ([*deal.layout.leaders, deal.turn][drawn:] or [None])[0]
    unknown = None in deal.layout.winners[:drawn] or None in deal.tricks
    hands = None if leader is None or unknown else _hands(deal, drawn)
    if hands is None or leader is None:
        message = say(
            "All cards, and who led, must be known: every trick, or the hands and what was drawn."
        )
        return [Finding("cards-unknown", {"hands": True}, message)]
    return laid_open(
        deal.layout,
        hands,
        deal.sides[0],
        leader=leader,
        target=deal.target,
        aside=deal.last_worth,
        after=drawn,
    )


def _hands(deal: SidesDeal, drawn: int) -> Hands | None:
    """Return all hands once the stock is empty; None if a card is unknown."""
    layout = deal.layout
    played = [play for index in range(drawn) for play in layout.plays(index)]
    later = [play for index in range(drawn, len(deal.tricks)) for play in layout.plays(index)]
    if layout.complete:
        return {seat: tuple(card for who, card in later if who == seat) for seat in deal.players}
    gone = {card for _, card in played}
    held = {seat: {*hand.cards} for seat, hand in deal.hands.items()}
    for place, card in enumerate(() if deal.stock is None else deal.stock.cards):
        drawer, _ = layout.drawer(place)
        if drawer in held:
            held[drawer].add(card)
    rest = deal.letters.pack.difference(gone, *held.values())
    hands = {seat: tuple(sorted(held.get(seat, rest) - gone)) for seat in deal.players}
    return hands if all(len(hand) == deal.dealt for hand in hands.values()) else None
