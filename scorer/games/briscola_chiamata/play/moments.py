"""What is to be seen at one moment of a deal: all that a page shows, so that no page reckons."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from scorer.games.briscola_chiamata.play import moves
from scorer.games.briscola_chiamata.play.examining import laid_aside
from scorer.games.briscola_chiamata.play.lookup import UNREAD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.games.briscola_chiamata.play.deal import Deal
    from scorer.games.briscola_chiamata.play.record import Pile
    from scorer.rules.cards import Card
    from scorer.rules.seats import Seat


class Played(NamedTuple):
    """A card on the table and who played it, as far as that is known; ``text`` if it is unread."""

    seat: Seat | None
    card: Card | None
    text: str


class Trick(NamedTuple):
    """A trick as it lies on the table; of one that nobody remembers nothing lies there.

    ``worth`` is what it brings for certain to the winner.
    """

    number: int
    forgotten: bool
    played: tuple[Played, ...]
    winner: Seat | None
    worth: int


class Moment(NamedTuple):
    """A deal after a card: who is next, what lies on the table, what everybody has so far.

    ``left`` are the cards that were not seen yet, ``playable`` those of them that may come next.
    ``number`` is that of the trick which the next card belongs to. ``aside`` is what the cards that
    were laid aside for a monte are worth, once somebody has won the last trick.
    """

    number: int
    turn: Seat | None
    over: bool
    tricks: tuple[Trick, ...]
    left: tuple[Card, ...]
    playable: tuple[Card, ...]
    card_points: Mapping[Seat, int]
    tricks_won: Mapping[Seat, int]
    aside: int | None
    target: int
    bounds: tuple[int, int]
    status: str
    candidates: tuple[Seat, ...]
    partner: Seat | None
    alone: bool | None


def moment(deal: Deal) -> Moment:
    """Say what is to be seen; raise InvalidError before a card is called."""
    evidence, layout = deal.evidence, deal.layout
    over = deal.phase == "over"
    return Moment(
        number=len(deal.tricks) + (deal.open_trick is None and not over),
        turn=None if over else moves.next_player(layout),
        over=over,
        tricks=tuple(_trick(deal, index, trick) for index, trick in enumerate(deal.tricks)),
        left=deal.cards(layout.unseen()),
        playable=() if over else deal.cards(moves.playable(layout)),
        card_points=evidence.taken,
        tricks_won=evidence.tricks,
        aside=next((points for _, points in laid_aside(layout)), None),
        target=layout.target,
        bounds=evidence.bounds,
        status=evidence.status,
        candidates=evidence.side.candidates,
        partner=evidence.side.partner,
        alone=evidence.side.alone,
    )


def _trick(deal: Deal, index: int, trick: Pile | None) -> Trick:
    winner, worth = deal.layout.winners[index], deal.layout.worths[index]
    if trick is None:
        return Trick(index + 1, forgotten=True, played=(), winner=winner, worth=worth)
    leader = deal.layout.leaders[index]
    seats = repeat(None) if leader is None else deal.layout.turns[leader]
    cards = zip(seats, trick.cards, trick.texts(deal.lookup), strict=False)
    played = tuple(
        Played(seat, None if card == UNREAD else deal.lookup.cards[card], text)
        for seat, card, text in cards
    )
    return Trick(index + 1, forgotten=False, played=played, winner=winner, worth=worth)


def steps(deal: Deal) -> list[Deal]:
    """Give a deal after each of its cards, from before the first to the last."""
    found = [deal]
    while deal.tricks:
        deal = deal.back()
        if deal.open_trick is None or deal.open_trick.cards:
            found.append(deal)
    return found[::-1]
