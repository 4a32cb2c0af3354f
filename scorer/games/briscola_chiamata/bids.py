"""Bids: a rank, points, or points after a two, as one ordered set (rules.md A3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from scorer.rules.cards import (
    DECKS,
    LADDER_NUMBERS,
    RANK_NAMES,
    Card,
    Deck,
    Rank,
    rank_letter,
    rank_name,
    the_rank,
)
from scorer.rules.game import Level
from scorer.rules.sheet import Reading
from scorer.rules.suggestions import nearest
from scorer.rules.tables import PACK
from scorer.texts import Text, as_it_is, point_count, say

ITALIAN = DECKS["italian-40"]
POINTS_SPELLING = re.compile(r"[0-9]{1,6}", re.ASCII)
WORDS = re.compile(r"\w+")
LOWEST_TARGET, LONGEST_GUESS = 61, 40
#: The highest number that may name a rank; nobody bids so few points.
MOST_LIKE_A_RANK = 12


@dataclass(frozen=True, slots=True)
class Bid:
    """What a player offers: ``K``, ``75``, or ``2@75``; at least one of the two is there."""

    rank: Rank | None
    points: int | None

    def __str__(self) -> str:
        if self.points is None:
            return str(self.rank)
        return f"{self.rank}@{self.points}" if self.rank else str(self.points)

    @property
    def value(self) -> int:
        """The points that are looked up in a score table: 61 for a rank (rules.md A4)."""
        return LOWEST_TARGET if self.points is None else self.points

    @classmethod
    def parse(cls, text: str, deck: Deck = ITALIAN) -> Bid:
        """Return the bid in a text, read leniently; raise ValueError if it is none.

        >>> Bid.parse("re"), Bid.parse("2@75")
        (Bid(rank=<Rank.KING: 'K'>, points=None), Bid(rank=<Rank.TWO: '2'>, points=75))
        >>> str(Bid.parse("75")), Bid.parse("K").value
        ('75', 61)
        """
        exact = usual_bids(deck.slug).get(text)
        if exact is not None and not (deck.ladder and text in LADDER_NUMBERS):
            return exact
        rank, at, points = text.strip().partition("@")
        if at:
            if not POINTS_SPELLING.fullmatch(points.strip()) or deck.rank(rank) != deck.ranks[-1]:
                raise ValueError(text)
            return cls(deck.ranks[-1], int(points))
        if POINTS_SPELLING.fullmatch(rank) and rank not in deck.names:
            return cls(None, int(rank))
        return cls(deck.rank(rank), None)

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> Bid | None:
        """Return the bid in a JSON value, or None and note why; a number is always points."""
        if type(value) is int:
            return cls(None, value)
        if not isinstance(value, str):
            message = say("A bid is a rank, points, or points after a two: K, 75, 2@75.")
            reading.fault("wrong-type", path, message)
            return None
        try:
            return cls.parse(value, reading.deck or ITALIAN)
        except ValueError:
            reading.fault("bad-bid", path, no_bid(value, reading.deck or ITALIAN))
            return None

    def write_wire(self) -> str | int:
        """Return the bid as text, or as a number if its text would be read as a rank."""
        text = str(self)
        like_a_rank = text in RANK_NAMES or text in LADDER_NUMBERS
        return self.points if self.points is not None and like_a_rank else text

    @classmethod
    def say_wire(cls, value: str | int, deck: Deck) -> Text:
        """Return a valid bid in JSON as people write it."""
        bid = cls(None, value) if isinstance(value, int) else cls.parse(value, deck)
        return bid_letters(bid, deck)


def no_bid(text: str, deck: Deck) -> Text:
    """Return the message for a text that is no bid: what was meant, or how bids are written."""
    message, meant = say("%(bid)s is not a bid of this game.", bid=text), _meant(text, deck)
    if meant is not None:
        letters = bid_letters(meant, deck)
        return say("%(message)s Did you mean %(meant)s?", message=message, meant=letters)
    return say(
        "%(message)s A bid is a rank (%(ranks)s), points (75), or points after a two (%(after)s).",
        message=message,
        ranks=deck.rank_list,
        after=str(Bid(deck.ranks[-1], 75)),
    )


def _meant(text: str, deck: Deck) -> Bid | None:
    """Return the bid that ``3@70``, ``2 a 72``, ``cavalo`` or the card ``KC`` was meant to be."""
    if len(text) > LONGEST_GUESS:
        return None
    words = WORDS.findall(text.upper())
    points = [int(word) for word in words if POINTS_SPELLING.fullmatch(word)]
    if points and MOST_LIKE_A_RANK < points[-1] <= PACK:
        return Bid(deck.ranks[-1] if words[0] in RANK_NAMES else None, points[-1])
    try:
        return Bid(deck.rank(str(Card.parse(text).rank)), None)
    except ValueError:
        name = nearest(text, deck.names)
        return None if name is None else Bid(deck.names[name], None)


@cache
def usual_bids(slug: str) -> dict[str | int, Bid]:
    """Return the usual bids with a deck, by their text; bids of points also by their number."""
    deck, points = DECKS[slug], [Bid(None, number) for number in range(PACK + 1)]
    bids = [bid for bid in points if str(bid) not in deck.names]
    bids += [Bid(rank, None) for rank in deck.ranks]
    bids += [Bid(deck.ranks[-1], bid.points) for bid in points]
    return {**dict(enumerate(points)), **{str(bid): bid for bid in bids}}


def bid_words(bid: Bid, deck: Deck) -> Text:
    """Return a bid in words, standing alone: ``King``, ``75 points``, ``Two at 75``."""
    if bid.rank is None:
        return point_count(bid.points or 0)
    return _ranked(bid, rank_name(bid.rank, deck))


def the_bid(bid: Bid, deck: Deck) -> Text:
    """Return a bid in words, within a sentence: ``the King``, ``75``, ``the Two at 75``."""
    if bid.rank is None:
        return say("%(points)s", points=bid.points)
    return _ranked(bid, the_rank(bid.rank, deck))


def _ranked(bid: Bid, rank: Text) -> Text:
    if bid.points is None:
        return rank
    return say("%(rank)s at %(points)s", rank=rank, points=bid.points)


def bid_letters(bid: Bid, deck: Deck) -> Text:
    """Return a bid as people write it: ``K``, ``75``, ``2@75``."""
    if bid.rank is None or bid.points is not None:
        return as_it_is(str(bid))
    return rank_letter(bid.rank, deck)


#: The lowest and the highest points of each level: the bands of most score tables.
TENS = ((0, 70), (71, 80), (81, 90), (91, 100), (101, 120))
#: The ranks after which points may be bid, each the weakest of a deck.
LAST_RANKS = tuple(dict.fromkeys(deck.ranks[-1] for deck in DECKS.values()))
RANKS = tuple(str(rank) for rank in ITALIAN.ranks)


def levels() -> tuple[Level, ...]:
    """Return the levels of bids, lowest first: an ace, a three, down to a two, then points."""
    ranks = (Level(str(rank), rank_name(rank, ITALIAN), (str(rank),)) for rank in ITALIAN.ranks)
    return (*ranks, *(_points(low, high) for low, high in TENS))


def _points(low: int, high: int) -> Level:
    bids = tuple(str(bid) for points in range(low, high + 1) for bid in _at(points))
    if low == 0:
        return Level(f"{low}-{high}", say("up to %(high)s", high=high), bids)
    return Level(f"{low}-{high}", say("%(low)s–%(high)s", low=low, high=high), bids)


def _at(points: int) -> Iterator[Bid]:
    """Yield the bids of so many points: alone, and after the lowest rank of each deck.

    Points alone are left out if their text is also a rank: nobody bids so few.
    """
    if str(points) not in RANKS:
        yield Bid(None, points)
    for rank in LAST_RANKS:
        yield Bid(rank, points)
