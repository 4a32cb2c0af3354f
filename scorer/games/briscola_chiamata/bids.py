"""Bids in their order, the auction, and the call: what the rules allow (rules.md A3, A5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scorer.errors import Problem
from scorer.games.briscola_chiamata.rules import AuctionStyle, CallRank, ChiamataRules
from scorer.rules.bands import PACK
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
from scorer.rules.questions import Reading
from scorer.rules.seats import Seat, next_seat
from scorer.texts import Text, about, as_it_is, listed, nearest, point_count, say

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
        """Return the bid in a text, read leniently; raise ValueError for other text.

        >>> Bid.parse("re"), Bid.parse("2@75")
        (Bid(rank=<Rank.KING: 'K'>, points=None), Bid(rank=<Rank.TWO: '2'>, points=75))
        >>> str(Bid.parse("75")), Bid.parse("K").value
        ('75', 61)
        """
        rank, at, points = text.strip().partition("@")
        if at:
            if not POINTS_SPELLING.fullmatch(points.strip()) or deck.rank(rank) != deck.ranks[-1]:
                raise ValueError(text)
            return cls(deck.ranks[-1], int(points))
        if POINTS_SPELLING.fullmatch(rank) and rank not in deck.names:
            return cls(None, int(rank))
        return cls(deck.rank(rank), None)

    schema: ClassVar[dict[str, Any]] = {"type": ["string", "integer"], "maximum": PACK}

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
    """Return the message for a text that is not a bid: a similar bid, or how bids are written."""
    message = about(text, say("%(bid)s is not a bid of this game.", bid=text))
    meant = _meant(text, deck)
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
    """Return the intended bid of ``3@70``, ``2 a 72``, ``cavalo`` or the card ``KC``."""
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
    """Return the levels of bids, lowest first: an ace, a three, down to a two, then points.

    Points stand alone and after the lowest rank of each deck. Alone they are omitted if their text
    is also a rank: nobody bids so few.
    """
    ranks = [Level(str(rank), rank_name(rank, ITALIAN), (str(rank),)) for rank in ITALIAN.ranks]
    for low, high in TENS:
        bids = tuple(
            str(bid)
            for points in range(low, high + 1)
            for bid in (Bid(None, points), *(Bid(rank, points) for rank in LAST_RANKS))
            if str(bid) not in RANKS
        )
        name = say("%(low)s–%(high)s", low=low, high=high)
        name = name if low else say("up to %(high)s", high=high)
        ranks.append(Level(f"{low}-{high}", name, bids))
    return tuple(ranks)


LADDER_STYLES = {AuctionStyle.LADDER, AuctionStyle.LADDER_THEN_POINTS}


def level(bid: Bid, rules: ChiamataRules) -> int:
    """Return a bid's place in the order of all bids; the highest wins (rules.md A3)."""
    ladder = rules.auction.style in LADDER_STYLES
    if bid.points is not None:
        return len(rules.cards.ranks) * ladder + bid.points - rules.auction.lowest
    return rules.cards.strength[bid.rank] if bid.rank else 0


def bid_problems(bid: Bid, rules: ChiamataRules, path: str) -> list[Problem]:
    """Return the problem of a bid that these rules don't allow: a rank, or a number of points."""
    auction = rules.auction
    if bid.points is None:
        if rules.floor > 0:
            return []
        message = say(
            "By these rules a rank is not a bid: the least card points to win are 0, so that it "
            "would need none."
        )
        if auction.style is AuctionStyle.POINTS:
            message = say(
                "By these rules a rank is not a bid: bid points, from %(low)s to %(high)s.",
                low=auction.lowest,
                high=auction.highest,
            )
        return [Problem("bid-style", path, message)]
    if auction.style is AuctionStyle.LADDER:
        message = say(
            "Only ranks are bid by these rules, and no points: %(ranks)s.",
            ranks=rules.cards.rank_list,
        )
        return [Problem("bid-style", path, _as_a_rank(message, bid, rules))]
    after_two = bid.rank is not None and auction.style is not AuctionStyle.NONE
    lowest = auction.after_two if after_two else auction.lowest
    if lowest <= bid.points <= auction.highest:
        return []
    message = say("Points are bid from %(low)s to %(high)s.", low=lowest, high=auction.highest)
    return [Problem("bid-range", path, _as_a_rank(message, bid, rules))]


def _as_a_rank(message: Text, bid: Bid, rules: ChiamataRules) -> Text:
    number, deck = str(bid), rules.cards
    if not rules.auction.ranks_bid or number not in {*RANK_NAMES, *deck.names}:
        return message
    values = {"message": message, "number": number, "ranks": deck.rank_list}
    if number in deck.names:
        return say(
            '%(message)s A number is points: the rank is written as a text, "%(number)s".', **values
        )
    return say("%(message)s There is no %(number)s in this pack: %(ranks)s.", **values)


def bid_warnings(bid: Bid, rules: ChiamataRules) -> list[Problem]:
    if bid.rank is None or rules.auction.style is not AuctionStyle.POINTS:
        return []
    message = say(
        "By these rules points are bid, from %(low)s to %(high)s, and no ranks.",
        low=rules.auction.lowest,
        high=rules.auction.highest,
    )
    return [Problem("bid-style", "bid", message)]


@dataclass(frozen=True, slots=True)
class Auction:
    """The highest bid, who made it, who passed; faults, and bids that skip others."""

    rules: ChiamataRules
    active: tuple[Seat, ...]
    turn: Seat
    passed: frozenset[Seat] = frozenset()
    caller: Seat | None = None
    bid: Bid | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the auction is over: one bidder is left, with a bid, or nobody is."""
        left = len(self.active) - len(self.passed)
        return left == 0 or (left == 1 and self.bid is not None)

    def say_bid(self, seat: Seat, bid: Bid | None, path: str) -> Auction:
        """Return the auction after the next bid or pass (None), with the problems found in it.

        A bid with a problem does not become the highest, and bids after a pass are ignored. A bid
        that is only out of turn counts, as the record may lack a turn.
        """
        faults = self._faults(seat, bid, path)
        if seat in self.passed:
            return replace(self, problems=(*self.problems, *faults))
        passed = self.passed if bid else self.passed | {seat}
        counts = bid and all(fault.code == "bid-turn" for fault in faults)
        caller, highest = (seat, bid) if counts else (self.caller, self.bid)
        bidding = frozenset(self.active) - passed
        return replace(
            self,
            turn=next_seat(seat, self.active, bidding) if bidding else seat,
            passed=passed,
            caller=caller,
            bid=highest,
            problems=(*self.problems, *faults),
            warnings=(*self.warnings, *(self._oddities(bid, path) if bid else ())),
        )

    def _faults(self, seat: Seat, bid: Bid | None, path: str) -> list[Problem]:
        if seat in self.passed:
            message = say("Whoever has passed is out of the auction.")
            return [Problem("bid-after-pass", path, message)]
        deck, faults = self.rules.cards, [] if bid is None else bid_problems(bid, self.rules, path)
        if seat != self.turn or self.closed:
            faults.append(Problem("bid-turn", path, say("It is another player's turn to bid.")))
        if bid and self.bid and level(bid, self.rules) <= level(self.bid, self.rules):
            bids = {"bid": the_bid(bid, deck), "last": the_bid(self.bid, deck)}
            message = say("The bid to beat is already %(last)s: %(bid)s doesn't beat it.", **bids)
            faults.append(Problem("bid-not-higher", path, message))
        return faults

    def _oddities(self, bid: Bid, path: str) -> list[Problem]:
        last_rank = len(self.rules.cards.ranks) - 1
        ladder = self.rules.auction.style is AuctionStyle.LADDER_THEN_POINTS
        skips = self.bid is None or level(self.bid, self.rules) < last_rank
        if not (ladder and bid.points is not None and skips):
            return []
        two = the_rank(self.rules.cards.ranks[-1], self.rules.cards)
        message = say("Points are bid only after somebody has bid %(rank)s.", rank=two)
        return [Problem("bid-skips-two", path, message)]


def callable_ranks(bid: Bid, rules: ChiamataRules) -> tuple[Rank, ...]:
    """Return the ranks that may be called after a bid, whatever the caller holds (rules.md A5)."""
    ranks, rule = rules.cards.ranks, rules.call.rank
    rank = bid.rank or (ranks[-1] if rules.auction.style in LADDER_STYLES else None)
    if rank is None or rule is CallRank.ANY:
        return ranks
    place = rules.cards.strength[rank]
    if rule is CallRank.BID_OR_STRONGER:
        return ranks[: place + 1]
    if rule is CallRank.BID_OR_WEAKER:
        return ranks[place:]
    return ranks if rank == ranks[-1] and rules.call.lowest_not_held else (rank,)


def call_problems(bid: Bid, called: Rank, rules: ChiamataRules, path: str) -> list[Problem]:
    """Return the problem of a rank that can't be called; all rules allow the rank that was bid."""
    if called == bid.rank or called in callable_ranks(bid, rules):
        return []
    ranks = callable_ranks(bid, rules)
    message = say(
        "The bid was %(bid)s, so the called card must be one of these: %(ranks)s.",
        bid=the_bid(bid, rules.cards),
        ranks=listed(rank_name(rank, rules.cards) for rank in ranks),
    )
    if len(ranks) == 1:
        message = say(
            "The bid was %(bid)s, so the called card must be %(rank)s of one of the suits.",
            bid=the_bid(bid, rules.cards),
            rank=the_rank(ranks[0], rules.cards),
        )
    return [Problem("call-rank", path, message)]


def must_be_lowest(bid: Bid, called: Rank, rules: ChiamataRules) -> bool:
    """Whether a call is allowed only as the lowest trump that the caller doesn't hold."""
    two = rules.cards.ranks[-1]
    if not rules.call.lowest_not_held or rules.call.rank is not CallRank.EXACT or called == two:
        return False
    return bid.rank == two or (
        bid.rank is None and rules.auction.style is AuctionStyle.LADDER_THEN_POINTS
    )
