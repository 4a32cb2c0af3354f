"""What there is to see at one point of a deal: all that a page shows, so that no page computes."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.cards import legal_cards
from scorer.cards.chiamata.evidence import taken_with_discards
from scorer.cards.trick_game import UNREAD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.cards.chiamata.deal import CardDeal
    from scorer.cards.trick_record import CardPile
    from scorer.rules.cards import Card
    from scorer.rules.seats import Seat


class PlayedCard(NamedTuple):
    """A card on the table and who played it, as far as that is known; ``text`` if it is unread."""

    seat: Seat | None
    card: Card | None
    text: str


class PlayedTrick(NamedTuple):
    """A trick as it lies on the table; of one that nobody remembers nothing lies there.

    ``best`` is the place of the card that takes it, ``worth`` what it brings for certain to the
    winner.
    """

    number: int
    forgotten: bool
    played: tuple[PlayedCard, ...]
    winner: Seat | None
    best: int | None
    worth: int


class PlayState(NamedTuple):
    """A deal after a card: who is next, what lies on the table, what everybody has so far.

    ``left`` are the cards that were not seen yet, ``playable`` those of them that may come next.
    ``number`` is that of the trick which the next card belongs to. ``discards`` are the cards that
    are known to have been laid aside for a monte; ``aside`` is what those cards are worth, once
    somebody has won the last trick. ``complete`` is whether every card was played.
    """

    number: int
    turn: Seat | None
    over: bool
    complete: bool
    tricks: tuple[PlayedTrick, ...]
    left: tuple[Card, ...]
    playable: tuple[Card, ...]
    card_points: Mapping[Seat, int]
    tricks_won: Mapping[Seat, int]
    discards: tuple[PlayedCard, ...]
    aside: int | None
    target: int
    bounds: tuple[int, int]
    status: str
    candidates: tuple[Seat, ...]
    partner: Seat | None
    alone: bool | None


def play_state(deal: CardDeal) -> PlayState:
    """Give what there is to see; raise InvalidError before a card is called."""
    evidence, layout, over = deal.evidence, deal.layout, deal.over
    return PlayState(
        number=len(deal.tricks) + (deal.open_trick is None and not over),
        turn=None if over else legal_cards.next_player(layout),
        over=over,
        complete=layout.complete,
        tricks=tuple(_trick(deal, index, trick) for index, trick in enumerate(deal.tricks)),
        left=deal.cards(layout.unseen()),
        playable=() if over else deal.cards(legal_cards.playable(layout)),
        card_points=evidence.taken,
        tricks_won=evidence.tricks,
        discards=_cards(deal, deal.discards, None),
        aside=next((points for _, points in taken_with_discards(layout)), None),
        target=layout.game.target,
        bounds=evidence.bounds,
        status=evidence.status,
        candidates=evidence.side.candidates,
        partner=evidence.side.partner,
        alone=evidence.side.alone,
    )


def _trick(deal: CardDeal, index: int, trick: CardPile | None) -> PlayedTrick:
    return PlayedTrick(
        number=index + 1,
        forgotten=trick is None,
        played=_cards(deal, trick, deal.layout.leaders[index]),
        winner=deal.layout.winners[index],
        best=deal.layout.places[index],
        worth=deal.layout.worths[index],
    )


def _cards(deal: CardDeal, pile: CardPile | None, leader: Seat | None) -> tuple[PlayedCard, ...]:
    if pile is None:
        return ()
    seats = repeat(None) if leader is None else deal.layout.turns[leader]
    return tuple(
        PlayedCard(seat, None if card == UNREAD else deal.deck.cards[card], text)
        for seat, card, text in zip(seats, pile.cards, pile.texts(deal.deck), strict=False)
    )


def replay_steps(deal: CardDeal) -> list[CardDeal]:
    """Give a deal after each of its cards, from before the first to the last."""
    found = [deal]
    while deal.tricks:
        deal = deal.back()
        if deal.open_trick is None or deal.open_trick.cards:
            found.append(deal)
    return found[::-1]


def script_state(deal: CardDeal) -> dict[str, Any] | None:
    """Write what a script needs to know of a deal, so that a tap asks no server.

    None where a deal has more to it than cards played in turn: hands, or faults of its own.
    Discards that are told one by one, and what the claim says, are none.
    """
    if deal.claim is None or deal.hands:
        return None
    for found in deal.examined.problems:
        discarding = found.code == "discard-count" and deal.may_discard
        if "claim" not in found.where and not discarding:
            return None
    claim, game, deck = deal.claim, deal.layout.game, deal.deck
    partner = claim.caller if claim.partner is None else claim.partner
    return {
        "playing": deal.players,
        "dead": deal.dead_hand,
        "caller": claim.caller,
        "called": str(claim.called_card),
        "first": game.first_leader,
        "said": partner if deal.says_partner and not deal.says_shown else None,
        "each": game.trick_count,
        "monte": game.laid_aside,
        "target": game.target,
        "cards": {
            str(deck.cards[number]): [
                deck.suit_of(number),
                number % deck.height,
                deck.points[number],
            ]
            for number in deal.letters.pack
        },
    }
