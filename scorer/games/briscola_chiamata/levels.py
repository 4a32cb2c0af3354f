"""The steps of an auction: each rank a step of its own, and above them the points in tens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.bids import ITALIAN, Bid
from scorer.rules.cards import DECKS, RANK_WORDS
from scorer.rules.game import Level
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.rules.cards import Rank

#: The lowest and the highest points of each step: those of most tables that pay by bands.
TENS = ((0, 70), (71, 80), (81, 90), (91, 100), (101, 120))
#: The ranks after which points may be bid, each the weakest of a deck.
LAST_RANKS = tuple(dict.fromkeys(deck.ranks[-1] for deck in DECKS.values()))
RANKS = tuple(str(rank) for rank in ITALIAN.ranks)


def levels() -> tuple[Level, ...]:
    """Give the steps from the lowest on: an ace, a three, down to a two, then points."""
    return (*map(_rank, ITALIAN.ranks), *(_points(low, high) for low, high in TENS))


def _rank(rank: Rank) -> Level:
    return Level(str(rank), RANK_WORDS[rank], (str(rank),))


def _points(low: int, high: int) -> Level:
    bids = tuple(str(bid) for points in range(low, high + 1) for bid in _at(points))
    if low == 0:
        return Level(f"{low}-{high}", say("up to %(high)s", high=high), bids)
    return Level(f"{low}-{high}", say("%(low)s–%(high)s", low=low, high=high), bids)


def _at(points: int) -> Iterator[Bid]:
    """Give the bids of so many points: bare, and after the rank that is the last of a deck.

    So few points that they are written like a rank are taken for the rank: nobody bids them.
    """
    if str(points) not in RANKS:
        yield Bid(None, points)
    for rank in LAST_RANKS:
        yield Bid(rank, points)
