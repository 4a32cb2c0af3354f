"""Which cards may come next, from whoever is next to play, and why another one may not.

Nobody's hand need be known. A card may come from whoever is not known to lack it: every card that
was not seen yet and is in nobody else's hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer.errors import InvalidError, Problem
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorer.cards.layout import Layout
    from scorer.rules.cards import Card
    from scorer.rules.seats import Seat


def next_player(layout: Layout[Any]) -> Seat | None:
    """Who plays the next card; None where nothing tells who leads."""
    last = len(layout.record.tricks) - 1
    trick = layout.trick(last)
    if trick is not None and layout.in_play(last):
        return layout.player(last, len(trick.cards))
    leader: Seat | None = layout.game.first_leader
    return leader if last < 0 else layout.next_leader(last)


def playable(layout: Layout[Any], *, following: bool = False) -> list[int]:
    """The cards that may be played next; if ``following``, suit is followed where it must be."""
    seat = next_player(layout)
    if seat is None:
        return layout.unseen()
    if seat not in layout.hands:
        return not_of_others(layout, seat)
    held = [card for card in layout.unseen() if card in layout.hands[seat]]
    last, suit_of = len(layout.record.tricks) - 1, layout.record.deck.suit_of
    trick = layout.trick(last)
    must_follow = following and layout.game.must_follow(seat)
    if not must_follow or trick is None or not (layout.in_play(last) and trick.cards):
        return held
    return [card for card in held if suit_of(card) == suit_of(trick.cards[0])] or held


def not_of_others(layout: Layout[Any], seat: Seat) -> list[int]:
    """The cards that were not seen yet and are in nobody else's hand."""
    return [card for card in layout.unseen() if layout.holders.get(card, seat) == seat]


def number_of(card: Card, layout: Layout[Any], allowed: Sequence[int]) -> int:
    """Give the number of a card that is among those allowed; raise InvalidError, saying why not."""
    record = layout.record
    number = record.deck.number(card)
    if number in allowed:
        return number
    if number not in record.letters.pack:
        raise InvalidError([strange(card)])
    name, holder = record.say_card(number), layout.holders.get(number)
    code, message = "card-not-held", say("The %(card)s is in another hand.", card=name)
    if number in layout.seen:
        code, message = "duplicate-card", say("The %(card)s was there before.", card=name)
    elif holder is not None:
        message = say("%(name)s has the %(card)s.", name=layout.game.name(holder), card=name)
    raise InvalidError([Problem(code, "card", message)])


def strange(card: Card) -> Problem:
    """Say that a card is not in the deck."""
    message = say("There is no card %(card)s in this deck.", card=str(card))
    return Problem("card-not-in-deck", "card", message)
