"""A record whose sides are known, as a deal to be solved with the cards open.

Where cards are drawn, all of them are in the hands once the stock is empty: the deal is solved from
there. Who has what follows from the tricks played after that, or from the hands as they were dealt
and the stock; one hand may be missing, it is the rest of the pack.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorer.cards import record_faults
from scorer.cards.solver.open_deal import OpenDeal
from scorer.rules.findings import Finding
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.cards.sides.deal import SidesDeal
    from scorer.rules.seats import Seat

    Hands = Mapping[Seat, tuple[int, ...]]


def open_cards(deal: SidesDeal) -> OpenDeal | list[Finding]:
    """Open the cards of a deal; else say what is missing or wrong in it."""
    found = [*record_faults.faults(deal.layout)]
    if found:
        return found
    drawn = deal.drawn_tricks
    leader = ([*deal.layout.leaders, deal.turn][drawn:] or [None])[0]
    unknown = None in deal.layout.winners[:drawn] or None in deal.tricks
    hands = None if leader is None or unknown else _hands(deal, drawn)
    if hands is None or leader is None:
        message = say(
            "All cards, and who led, must be known: every trick, or the hands and what was drawn."
        )
        return [Finding("cards-unknown", {"hands": True}, message)]
    return _open_deal(deal, hands, drawn, leader)


def _hands(deal: SidesDeal, drawn: int) -> Hands | None:
    """What everybody holds once nothing is drawn any more; None where that is not all known."""
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
    return _with_rest(deal, {seat: cards - gone for seat, cards in held.items()}, gone)


def _with_rest(deal: SidesDeal, held: Mapping[Seat, set[int]], gone: set[int]) -> Hands | None:
    """Give the one hand that is missing what is left of the pack; None where more is missing."""
    rest = deal.letters.pack.difference(gone, *held.values())
    hands = {seat: tuple(sorted(held.get(seat, rest))) for seat in deal.players}
    return hands if all(len(hand) == deal.dealt for hand in hands.values()) else None


def _open_deal(deal: SidesDeal, hands: Hands, drawn: int, leader: Seat) -> OpenDeal:
    """Number the players in order of play, and the cards from the trumps on."""
    layout, deck, side = deal.layout, deal.deck, deal.sides[0]
    places = {seat: place for place, seat in enumerate(deal.players)}
    trump = layout.game.trump
    pack = sorted(deal.letters.pack, key=lambda card: (deck.suit_of(card) != trump, card))
    numbers = {card: number for number, card in enumerate(pack)}
    before = zip(layout.winners[:drawn], layout.worths[:drawn], strict=True)
    played = chain.from_iterable(trick.cards for trick in deal.tricks[drawn:] if trick)
    return OpenDeal(
        height=deck.height,
        points=tuple(deck.points[card] for card in pack),
        hands=tuple(tuple(numbers[card] for card in hands[seat]) for seat in deal.players),
        ours=frozenset(places[seat] for seat in side),
        follows=frozenset(places.values() if deal.follows else ()),
        dead=None,
        aside=deal.last_worth,
        leader=places[leader],
        played=tuple(numbers[card] for card in played),
        target=deal.target,
        names=tuple(map(deal.table.name, deal.players)),
        texts=tuple(str(deck.cards[card]) for card in pack),
        trumps=trump is not None,
        tricks_before=drawn,
        taken_before=sum(worth for winner, worth in before if winner in side),
    )
