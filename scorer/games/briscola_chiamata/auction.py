"""The auction and the call: which bids and calls the rules allow (rules.md A3, A5, B10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorer.errors import Problem
from scorer.games.briscola_chiamata.bids import Bid, the_bid
from scorer.games.briscola_chiamata.rules import AuctionStyle, CallRank, ChiamataRules
from scorer.rules.cards import RANK_NAMES, Rank, rank_name, the_rank
from scorer.rules.seats import Seat, next_seat
from scorer.texts import Text, listed, say

LADDER_STYLES = {AuctionStyle.LADDER, AuctionStyle.LADDER_THEN_POINTS}


def level(bid: Bid, rules: ChiamataRules) -> int:
    """Return a bid's place in the order of all bids; the highest wins (rules.md A3)."""
    ladder = rules.auction.style in LADDER_STYLES
    if bid.points is not None:
        return len(rules.cards.ranks) * ladder + bid.points - rules.auction.lowest
    return rules.cards.strength[bid.rank] if bid.rank else 0


def bid_problems(bid: Bid, rules: ChiamataRules, path: str) -> list[Problem]:
    """Return the problem of a bid that these rules don't allow: a rank, or so many points."""
    auction = rules.auction
    if bid.points is None:
        is_bid = rules.floor > 0 or auction.style is AuctionStyle.NONE
        return [] if is_bid else [Problem("bid-style", path, _no_target(rules))]
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


def _no_target(rules: ChiamataRules) -> Text:
    if rules.auction.style is AuctionStyle.POINTS:
        return say(
            "By these rules a rank is no bid: points are bid, from %(low)s to %(high)s.",
            low=rules.auction.lowest,
            high=rules.auction.highest,
        )
    return say(
        "By these rules a rank is no bid: the least card points to win are 0, so that it would "
        "need none."
    )


def _as_a_rank(message: Text, bid: Bid, rules: ChiamataRules) -> Text:
    number, deck = str(bid), rules.cards
    if not rules.auction.ranks_bid or number not in {*RANK_NAMES, *deck.names}:
        return message
    if number in deck.names:
        return say(
            '%(message)s A number is points: the rank is written as a text, "%(number)s".',
            message=message,
            number=number,
        )
    return say(
        "%(message)s There is no %(number)s in this pack: %(ranks)s.",
        message=message,
        number=number,
        ranks=deck.rank_list,
    )


def bid_warnings(bid: Bid, rules: ChiamataRules, path: str) -> list[Problem]:
    if bid.rank is None or rules.auction.style is not AuctionStyle.POINTS:
        return []
    message = say(
        "By these rules points are bid, from %(low)s to %(high)s, and no ranks.",
        low=rules.auction.lowest,
        high=rules.auction.highest,
    )
    return [Problem("bid-style", path, message)]


@dataclass(frozen=True, slots=True)
class Auction:
    """The state of an auction: the highest bid so far, who made it, and who has passed.

    ``problems`` are faults; ``warnings`` are jumps that some tables don't allow.
    """

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
        return replace(
            self,
            turn=self._turn_after(seat, passed),
            passed=passed,
            caller=caller,
            bid=highest,
            problems=(*self.problems, *faults),
            warnings=(*self.warnings, *(self._oddities(bid, path) if bid else ())),
        )

    def _turn_after(self, seat: Seat, passed: frozenset[Seat]) -> Seat:
        bidding = frozenset(self.active) - passed
        return next_seat(seat, self.active, bidding) if bidding else seat

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
    """Return the ranks that may be called after a bid with one hand or another (rules.md A5)."""
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
    """Return the problem of a rank that can't be called, whatever the caller holds.

    All rules allow the rank that was bid.
    """
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
