"""A deal whose cards are all known, laid open to be solved."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from scorer.cards.solver.open_deal import OpenDeal
from scorer.rules.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Collection

    from scorer.cards.layout import Layout

Hands = Mapping[Seat, tuple[int, ...]]


def laid_open(
    layout: Layout[Any],
    hands: Hands,
    ours: Collection[Seat],
    *,
    leader: Seat,
    target: int,
    aside: int,
    dead: Seat | None = None,
    after: int = 0,
) -> OpenDeal:
    """Number the players in order of play, and the cards from the strongest trump on.

    The ``hands`` are those after so many tricks; ``leader`` leads to the next one.
    """
    game, deck, tricks = layout.game, layout.game.deck, layout.record.tricks[after:]
    places = {seat: place for place, seat in enumerate(game.players)}
    pack = sorted(
        layout.record.letters.pack, key=lambda card: (deck.suit_of(card) != game.trump, card)
    )
    numbers = {card: number for number, card in enumerate(pack)}
    before = zip(layout.winners[:after], layout.worths[:after], strict=True)
    played = chain.from_iterable(trick.cards for trick in tricks if trick)
    return OpenDeal(
        height=deck.height,
        points=tuple(deck.points[card] for card in pack),
        hands=tuple(tuple(numbers[card] for card in hands[seat]) for seat in game.players),
        ours=frozenset(places[seat] for seat in ours),
        follows=frozenset(places[seat] for seat in game.following),
        dead=None if dead is None else places[dead],
        aside=aside,
        leader=places[leader],
        played=tuple(numbers[card] for card in played),
        target=target,
        names=tuple(map(game.name, game.players)),
        texts=tuple(str(deck.cards[card]) for card in pack),
        trumps=game.trump is not None,
        tricks_before=after,
        taken_before=sum(worth for winner, worth in before if winner in ours),
    )
