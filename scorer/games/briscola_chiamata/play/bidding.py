"""The auction of a record: whether it could go so, and whether it made the caller (rules.md A3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.auction import Auction
from scorer.rules.findings import Finding
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorer.errors import Problem
    from scorer.games.briscola_chiamata.play.record import Calls, Claim
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat


def follow(calls: Calls, table: Table[ChiamataRules], dealer: Seat | None) -> Auction:
    """Follow the calls; without a dealer, whoever spoke first sat after him.

    The paths of what is wrong are the numbers of the calls, from 1.
    """
    first = calls[0][0] if dealer is None else table.after(dealer)
    auction = Auction(table.rules, table.active, first)
    for number, (seat, bid) in enumerate(calls, start=1):
        auction = auction.say_bid(seat, bid, str(number))
    return auction


def problems(auction: Auction, claim: Claim) -> Iterator[Finding]:
    """Find faulty calls; where there are none, what the auction came to and the claim differs."""
    if auction.problems:
        yield from _at_their_calls(auction.problems)
    elif not auction.closed:
        yield Finding("auction-open", {"auction": True}, say("The auction is not over."))
    elif auction.caller is None:
        message = say("Everybody passed: then nobody is the caller.")
        yield Finding("caller-mismatch", {"claim": "caller"}, message)
    elif auction.caller != claim.caller:
        message = say("Whoever bid highest is the caller.")
        yield Finding("caller-mismatch", {"claim": "caller"}, message)
    elif auction.bid != claim.bid:
        message = say("The highest bid was %(bid)s.", bid=str(auction.bid))
        yield Finding("bid-mismatch", {"claim": "bid"}, message)


def warnings(auction: Auction) -> Iterator[Finding]:
    """Find what is odd in the calls."""
    return _at_their_calls(auction.warnings)


def _at_their_calls(problems: Sequence[Problem]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(problem.code, {"call": int(problem.field)}, problem.message)
