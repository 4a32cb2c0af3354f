"""What each bid pays each role, read off the code that pays a deal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.bids import LEAST, Bid
from scorer.games.briscola_chiamata.rules import AuctionStyle, Kind
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.description import Row
from scorer.rules.game import Table
from scorer.rules.seats import Seat, all_seats
from scorer.texts import as_it_is, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.texts import Text

CALLER, PARTNER, OTHER = Seat(0), Seat(1), Seat(2)


def columns(rules: ChiamataRules) -> tuple[Text, ...]:
    """Head the columns: the bid and each role; nobody is alone where that isn't allowed."""
    if rules.score.kind is Kind.DECLARED_POINTS:
        return ()
    partnered = (say("Bid"), say("Caller"), say("Partner"), say("Each other"))
    if not rules.may_be_alone:
        return partnered
    alone = say("Caller without a partner") if rules.dead_hand else say("Caller alone")
    return (*partnered, alone, say("Each against"))


def rows(rules: ChiamataRules, *, made: bool) -> tuple[Row, ...]:
    """Say what each band pays, and then what a cappotto makes of it."""
    if rules.score.kind is Kind.DECLARED_POINTS:
        return ()
    bands = list(_bands(rules))
    plain = [Row(label, _figures(rules, bid, made=made)) for label, bid in bands]
    everything = [_cappotto_row(rules, label, bid, made=made) for label, bid in bands]
    if all(row.figures == other.figures for row, other in zip(plain, everything, strict=True)):
        return tuple(plain)
    if len({row.figures for row in everything}) == 1:
        everything = [replace(everything[0], label=say("Cappotto"))]
    return (*plain, *everything)


def _cappotto_row(rules: ChiamataRules, label: Text, bid: Bid, *, made: bool) -> Row:
    figures = _figures(rules, bid, made=made, cappotto=True)
    return Row(say("Cappotto: %(bid)s", bid=label), figures, "cappotto")


def _bands(rules: ChiamataRules) -> Iterator[tuple[Text, Bid]]:
    """Give the bands that a bid can fall in: each with its label and one of its bids."""
    points = _points_range(rules)
    all_bands = rules.score.bands.bands()
    for low, end, _ in all_bands:
        ranks = rules.auction.ranks_bid and low <= LEAST <= end
        bids = range(max(low, points.start), min(end + 1, points.stop))
        if len(all_bands) == 1:
            yield say("Any bid"), Bid(None, LEAST)
        elif ranks and bids:
            yield say("Ranks, %(points)s", points=_span(bids)), Bid(None, LEAST)
        elif ranks:
            yield say("Ranks"), Bid(None, LEAST)
        elif bids:
            yield _span(bids), Bid(None, bids[0])


def _points_range(rules: ChiamataRules) -> range:
    if rules.auction.style is AuctionStyle.LADDER:
        return range(0)
    return range(rules.auction.lowest, rules.auction.highest + 1)


def _span(bids: range) -> Text:
    return as_it_is(f"{bids[0]}–{bids[-1]}" if len(bids) > 1 else str(bids[0]))


def _figures(
    rules: ChiamataRules, bid: Bid, *, made: bool, cappotto: bool = False
) -> tuple[int, ...]:
    """Pay a deal and read off the roles: with a partner and, where that may be, alone."""
    seats = all_seats(rules.players)
    table = Table(rules, tuple(map(str, seats)), seats)
    sheet = ChiamataSheet(CALLER, bid, PARTNER, made=made, cappotto=cappotto)
    paid = payouts.score(sheet, table).payouts
    figures = (paid[CALLER], paid[PARTNER], paid[OTHER])
    if not rules.may_be_alone:
        return figures
    paid = payouts.score(replace(sheet, partner=None), table).payouts
    return (*figures, paid[CALLER], paid[OTHER])


def mirrored(made_rows: tuple[Row, ...], missed_rows: tuple[Row, ...]) -> bool:
    """Whether an ordinary deal costs, missed, what it pays when it is made."""
    made = [row.figures for row in made_rows if not row.kind]
    missed = [row.figures for row in missed_rows if not row.kind]
    return made == [tuple(-figure for figure in figures) for figures in missed]
