"""What may be done next in a deal: whose turn it is, which cards may be called, laid aside, played.

Nobody's hand need be known. A card may come from whoever is not known to lack it: every card that
was not seen yet and is in nobody else's hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import InvalidError, Problem
from scorer.games.briscola_chiamata.auction import call_problems
from scorer.games.briscola_chiamata.play.dead_hand import dead_hand
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.games.briscola_chiamata.play.deal import Deal
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.rules.cards import Card
    from scorer.rules.seats import Seat


def next_player(layout: Layout) -> Seat | None:
    """Who plays the next card; None where nothing tells who leads."""
    last = len(layout.record.tricks) - 1
    trick = layout.trick(last)
    if trick is not None and layout.in_play(last):
        return layout.player(last, len(trick.cards))
    return layout.first_leader if last < 0 else layout.next_leader(last)


def callable_cards(deal: Deal) -> tuple[Card, ...]:
    """The cards that whoever won the auction may name."""
    return tuple(
        [card for card in deal.cards(sorted(deal.letters.pack)) if not call_faults(deal, card)]
    )


def call_faults(deal: Deal, card: Card) -> list[Problem]:
    """Find why whoever won the auction can't name a card, by his hand too where that is known."""
    if deal.won is None or deal.lookup.number(card) not in deal.letters.pack:
        return [_strange(card)]
    (caller, bid), trumps = deal.won, None
    if caller in deal.hands:
        held = deal.cards(deal.hands[caller].cards)
        trumps = {other.rank for other in held if other.suit == card.suit}
    return call_problems(bid, card.rank, deal.table.rules, "card", trumps=trumps)


def discardable(layout: Layout) -> list[int]:
    """The cards that the caller may lay aside: of his hand and the monte, if that is known."""
    rules, caller = layout.table.rules, layout.record.claim.caller
    hand = layout.record.hands.get(caller)
    if hand is not None and len(hand.cards) == rules.cards_each + rules.monte:
        return [card for card in layout.unseen() if card in hand.cards]
    return _not_of_others(layout, caller)


def playable(layout: Layout, *, following: bool = False) -> list[int]:
    """The cards that may be played next, or those with which suit is followed where it must be.

    The dead hand is turned over as it lies, and follows no suit.
    """
    seat = next_player(layout)
    if seat is None:
        return layout.unseen()
    if seat not in layout.hands:
        return _not_of_others(layout, seat)
    held = [card for card in layout.unseen() if card in layout.hands[seat]]
    must_follow = layout.table.rules.play.follow_suit and seat != dead_hand(layout.table)
    return _following(layout, held) if following and must_follow else held


def _not_of_others(layout: Layout, seat: Seat) -> list[int]:
    return [card for card in layout.unseen() if layout.holders.get(card, seat) == seat]


def _following(layout: Layout, held: list[int]) -> list[int]:
    last = len(layout.record.tricks) - 1
    trick, suit_of = layout.trick(last), layout.record.lookup.suit_of
    if trick is None or not (layout.in_play(last) and trick.cards):
        return held
    return [card for card in held if suit_of(card) == suit_of(trick.cards[0])] or held


def take(deal: Deal, card: Card, allowed: Sequence[int]) -> int:
    """Give the number of a card that is among those allowed; raise InvalidError, saying why not."""
    number = deal.lookup.number(card)
    if number in allowed:
        return number
    raise InvalidError([_refusal(deal, number, card)])


def _refusal(deal: Deal, number: int, card: Card) -> Problem:
    if number not in deal.letters.pack:
        return _strange(card)
    name = deal.record.say_card(number)
    if number in deal.layout.seen:
        return Problem("duplicate-card", "card", say("The %(card)s was there before.", card=name))
    holder = deal.layout.holders.get(number)
    if holder is None:
        return Problem("card-not-held", "card", say("The %(card)s is in another hand.", card=name))
    message = say("%(name)s has the %(card)s.", name=deal.table.name(holder), card=name)
    return Problem("card-not-held", "card", message)


def _strange(card: Card) -> Problem:
    message = say("There is no card %(card)s in this deck.", card=str(card))
    return Problem("card-not-in-deck", "card", message)
