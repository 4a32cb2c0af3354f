"""The score table in figures: what each bid pays each role, and whether that adds up."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.bids import LOWEST_TARGET, Bid
from scorer.games.briscola_chiamata.rules import AuctionStyle, ChiamataRules, ScoreKind, symmetric
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.game import Table
from scorer.rules.options import Check, PayoutRow
from scorer.rules.seats import Seat, all_seats
from scorer.texts import Text, as_it_is, say, signed

CALLER, PARTNER, OTHER = Seat(0), Seat(1), Seat(2)


def columns(rules: ChiamataRules) -> tuple[Text, ...]:
    """Return the heads of the columns: the bid and each role that these rules allow."""
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        return ()
    partnered = (say("Bid"), say("Caller"), say("Partner"), say("Each defender"))
    if not rules.may_be_alone:
        return partnered
    alone = say("Caller without a partner") if rules.dead_hand else say("Caller alone")
    return (*partnered, alone, say("Each of the others"))


def rows(rules: ChiamataRules, *, made: bool) -> tuple[PayoutRow, ...]:
    """Return a row for each band, then the rows with a cappotto if it changes any figure."""
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        return ()
    bands = list(_bands(rules))
    # A made bid of 120 takes everything, so the plain rows are those of rules without a cappotto.
    without = replace(rules, score=replace(rules.score, cappotto=None))
    plain = [PayoutRow(label, _figures(without, bid, made=made)) for label, bid in bands]
    everything = [
        PayoutRow(
            say("Cappotto: %(bid)s", bid=label),
            _figures(rules, bid, made=made, cappotto=True),
            "cappotto",
        )
        for label, bid in bands
    ]
    if all(row.figures == other.figures for row, other in zip(plain, everything, strict=True)):
        return tuple(plain)
    if len({row.figures for row in everything}) == 1:
        everything = [replace(everything[0], label=say("Cappotto"))]
    return (*plain, *everything)


def _bands(rules: ChiamataRules) -> Iterator[tuple[Text, Bid]]:
    """Yield the bands that a bid can fall in, each with its label and one of its bids."""
    points = range(rules.auction.lowest, rules.auction.highest + 1)
    if rules.auction.style is AuctionStyle.LADDER:
        points = range(0)
    all_bands = rules.score.bands.bands()
    for low, end, _ in all_bands:
        ranks = rules.auction.ranks_bid and low <= LOWEST_TARGET <= end
        bids = range(max(low, points.start), min(end + 1, points.stop))
        if len(all_bands) == 1:
            yield say("Any bid"), Bid(None, LOWEST_TARGET)
        elif ranks and bids:
            yield say("Ranks, %(points)s", points=_span(bids)), Bid(None, LOWEST_TARGET)
        elif ranks:
            yield say("Cards"), Bid(None, LOWEST_TARGET)
        elif bids:
            yield _span(bids), Bid(None, bids[0])


def _span(bids: range) -> Text:
    return as_it_is(f"{bids[0]}–{bids[-1]}" if len(bids) > 1 else str(bids[0]))


def _figures(
    rules: ChiamataRules, bid: Bid, *, made: bool, cappotto: bool = False
) -> tuple[int, ...]:
    """Return what a deal pays each role: with a partner and, where allowed, alone."""
    seats = all_seats(rules.players)
    table = Table(rules, tuple(map(str, seats)), seats)
    sheet = ChiamataSheet(CALLER, bid, PARTNER, made=made, cappotto=cappotto)
    paid = payouts.score(sheet, table).payouts
    figures = (paid[CALLER], paid[PARTNER], paid[OTHER])
    if not rules.may_be_alone:
        return figures
    paid = payouts.score(replace(sheet, partner=None), table).payouts
    return (*figures, paid[CALLER], paid[OTHER])


def checks(rules: ChiamataRules) -> tuple[Check, ...]:
    """Return checks whether rules are zero-sum and symmetric, with a partner and alone.

    A table whose unit falls while the bid rises gets a check too, as it rewards lower bids.
    """
    ways = (False, True) if rules.may_be_alone else (False,)
    units = [unit for _, unit in rules.score.bands.rows]
    falls = rules.score.kind is ScoreKind.UNITS and any(b < a for a, b in pairwise(units))
    answers = [_sum_check(rules, alone=alone) for alone in ways]
    for alone in ways:
        who, holds = _who(rules, alone=alone), symmetric(rules)["alone" if alone else "partnered"]
        text = say("%(who)s: made and missed pay differently", who=who)
        if holds:
            text = say("%(who)s: made or missed, for the same points", who=who)
        answers.append(Check(text, holds, "symmetry"))
    if falls:
        answers.append(Check(say("a higher bid pays less"), holds=False))
    return tuple(answers)


def _who(rules: ChiamataRules, *, alone: bool) -> Text:
    return rules.without_partner if alone else say("with a partner")


def _sum_check(rules: ChiamataRules, *, alone: bool) -> Check:
    who = _who(rules, alone=alone)
    made = rules.score.total(rules.players, alone=alone)
    missed = rules.score.missed.total(rules.players, alone=alone)
    holds = False
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        text = say("%(who)s: winnings and losses don’t cancel out", who=who)
    elif made == missed == 0:
        holds, text = True, say("%(who)s: what the winners get, the others pay", who=who)
    elif made == missed:
        text = say("%(who)s: winnings and losses leave %(sum)s", who=who, sum=signed(made))
    else:
        text = say(
            "%(who)s: winnings and losses leave %(made)s when made, %(missed)s when missed",
            who=who,
            made=signed(made),
            missed=signed(-missed),
        )
    return Check(text, holds, "sum")
