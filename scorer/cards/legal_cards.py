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


def playable(layout: Layout[Any]) -> list[int]:
    """The cards that may be played next; who doesn't follow suit is warned later, not refused."""
    seat = next_player(layout)
    if seat is None:
        return layout.unseen()
    if seat in layout.hands:
        return [card for card in layout.unseen() if card in layout.hands[seat]]
    return not_of_others(layout, seat)


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
        message = say("There is no card %(card)s in this deck.", card=str(card))
        raise InvalidError([Problem("card-not-in-deck", "card", message)])
    name, holder = record.say_card(number), layout.holders.get(number)
    code, message = "card-not-held", say("The %(card)s is in another hand.", card=name)
    if number in layout.seen:
        code, message = "duplicate-card", say("The %(card)s was there before.", card=name)
    elif holder is not None:
        message = say("%(name)s has the %(card)s.", name=layout.game.name(holder), card=name)
    raise InvalidError([Problem(code, "card", message)])
