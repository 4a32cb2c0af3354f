"""A rule set of Briscola Chiamata in plain sentences and figures, made from its values alone."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from scorer.games.briscola_chiamata import payouts
from scorer.games.briscola_chiamata.bids import LOWEST_TARGET, Bid
from scorer.games.briscola_chiamata.presets import ADDRESSES, DIFFERENCES, PRESETS
from scorer.games.briscola_chiamata.rules import (
    MOST_TIMES,
    PLAIN_CALL,
    AllPass,
    AuctionStyle,
    CallRank,
    CappottoOp,
    CappottoSide,
    CappottoTest,
    ChiamataRules,
    FirstLeader,
    ScoreKind,
    symmetric,
)
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.rules.bands import PACK
from scorer.rules.cards import CARD_POINTS, rank_letter
from scorer.rules.game import Table
from scorer.rules.match import MatchEnd, Tie
from scorer.rules.options import Check, Description, PayoutRow, Source
from scorer.rules.seats import Seat, all_seats
from scorer.texts import (
    Text,
    as_it_is,
    card_count,
    card_point_count,
    deal_count,
    often,
    point_count,
    say,
    signed,
)

BLURB = say("A caller with a secret partner against all the others.")
ABOUT = (
    say(
        "After the deal there is an auction. Whoever bids highest is the caller and names a card: "
        "its suit is the briscola, and whoever holds it is the caller's partner. Nobody else "
        "knows who that is until the card is played."
    ),
    say(
        "Then the cards are played in tricks. The strongest briscola takes the trick, or without "
        "one the strongest card of the suit that was led; whoever takes it leads to the next."
    ),
    say(
        "The five strongest ranks of each suit are worth %(points)s card points, %(pack)s in all. "
        "The caller's side wins when its tricks hold the card points that the bid asks for.",
        points=", ".join(map(str, CARD_POINTS)),
        pack=PACK,
    ),
    say(
        "A caller who holds the called card plays alone against all. That, too, comes out only in "
        "the play: so the partner is written down after the last trick."
    ),
)


@lru_cache(maxsize=256)  # 3 to 10 ms each, and a page of the rules describes a dozen
def describe(rules: ChiamataRules) -> Description:
    rows, loss_rows = payout_rows(rules, made=True), payout_rows(rules, made=False)
    # A missed deal may cost what a made one pays, but for a cappotto.
    made = [row.figures for row in rows if not row.kind]
    missed = [tuple(-amount for amount in row.figures) for row in loss_rows if not row.kind]
    known = DIFFERENCES.get(rules.slug)
    players = say("%(count)s players", count=rules.players)
    if rules.sits_out is not None:
        players = say("%(count)s or %(more)s players", count=rules.players, more=rules.players + 1)
    preset, blurb = PRESETS.get(rules.slug), say("The group's own table.")
    if preset and preset == replace(rules, session=preset.session, sits_out=preset.sits_out):
        paid = zip(("caller", "partner", "others"), rows[0].figures if rows else (), strict=False)
        amounts = {role: signed(amount) for role, amount in paid}
        blurb = Text(DIFFERENCES[rules.slug].blurb.template, amounts)
    return Description(
        slug=rules.slug,
        name=known.name if known and str(known.name) == rules.name else as_it_is(rules.name),
        blurb=blurb,
        players=rules.players,
        seats_text=players,
        words=tuple(words(rules)),
        columns=columns(rules),
        rows=rows,
        loss_rows=() if made == missed else loss_rows,
        sources=(Source(rules.source, ADDRESSES.get(rules.source)),) if rules.source else (),
        checks=checks(rules),
    )


def words(rules: ChiamataRules) -> Iterator[Text]:
    yield from _deal_words(rules)
    yield from _auction_words(rules)
    yield from _call_words(rules)
    yield from _play_words(rules)
    yield _target_words(rules)
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        yield say(
            "Made: the caller and the partner are each paid the points that were bid, the others "
            "nothing."
        )
        if rules.dead_hand:
            yield say(
                "A caller who makes it without a partner is paid twice the points that were bid."
            )
        elif rules.call.own_card:
            yield say("A caller who makes it alone is paid twice the points that were bid.")
        yield say(
            "Missed: the caller and the partner each pay what their side was short, and each "
            "other player is paid the card points of the other side."
        )
    else:
        yield _cappotto_words(rules)
    if rules.score.blind > 1:
        yield say(
            "Whoever bids blind: everything counts %(times)s.", times=often(rules.score.blind)
        )
    if draw := rules.draw:
        values = {"points": card_point_count(draw.card_points), "target": PLAIN_CALL}
        yield say(
            "With exactly %(points)s of the caller's side, where %(target)s were needed, the deal "
            "is a draw (patta): nobody pays.",
            **values,
        )
        if draw.times > 1:
            yield say("The deal after it counts %(times)s.", times=often(draw.times))
    yield from _throw_in_words(rules)
    if rules.penalty != 1:
        yield say(
            "Whoever has to pay a penalty pays each of the others %(points)s.", points=rules.penalty
        )
    yield _end_words(rules)


def _deal_words(rules: ChiamataRules) -> Iterator[Text]:
    yield say(
        "%(players)s play, with %(cards)s each.",
        players=rules.players,
        cards=card_count(rules.cards_each),
    )
    if rules.dead_hand:
        yield say(
            "As many cards are dealt to nobody, as a dead hand (morto): they are turned over "
            "one by one, between the dealer and whoever comes next; what the dead hand takes "
            "counts against the caller."
        )
    if rules.sits_out:
        yield say("With %(count)s at the table the dealer sits out.", count=rules.players + 1)
    pack = {"count": len(rules.cards.cards), "ranks": rules.cards.rank_list}
    if rules.cards.italian:
        yield say("%(count)s Italian cards, from strong to weak: %(ranks)s.", **pack)
    else:
        yield say("%(count)s French cards, from strong to weak: %(ranks)s.", **pack)


def _auction_words(rules: ChiamataRules) -> Iterator[Text]:
    auction, ranks = rules.auction, rules.cards.ranks
    bids = {
        "strongest": rank_letter(ranks[0], rules.cards),
        "weakest": rank_letter(ranks[-1], rules.cards),
        "low": auction.lowest,
        "high": auction.highest,
    }
    match auction.style:
        case AuctionStyle.POINTS:
            yield say("Points are bid, from %(low)s to %(high)s.", **bids)
        case AuctionStyle.LADDER:
            yield say("Ranks are bid, from %(strongest)s down to %(weakest)s.", **bids)
        case AuctionStyle.LADDER_THEN_POINTS:
            yield say(
                "Ranks are bid, from %(strongest)s down to %(weakest)s; then points, from "
                "%(low)s to %(high)s.",
                **bids,
            )
        case _:
            yield say("How the auction goes is the table's affair.")
    if auction.all_pass is AllPass.NEXT_DEALER:
        yield say("When everybody passes, the next dealer deals.")
    else:
        yield say("When everybody passes, the same dealer deals again.")
    if auction.all_pass_times > 1:
        yield say("The deal after it counts %(times)s.", times=often(auction.all_pass_times))


def _call_words(rules: ChiamataRules) -> Iterator[Text]:
    yield CALLABLE[rules.call.rank if rules.auction.ranks_bid else CallRank.ANY]
    exact = rules.auction.ranks_bid and rules.call.rank is CallRank.EXACT
    if exact and rules.call.lowest_not_held:
        yield say(
            "After a bid of %(weakest)s it may also be the lowest briscola that the caller "
            "doesn't hold.",
            weakest=rank_letter(rules.cards.ranks[-1], rules.cards),
        )
    if rules.call.own_card:
        yield say("A caller who names a card of their own plays alone against all.")
    else:
        yield say("Nobody may name a card of their own.")
    if rules.dead_hand and rules.call.own_card:
        yield say("Where the called card is in the dead hand, the caller has no partner either.")
    elif rules.dead_hand:
        yield say("Where the called card is in the dead hand, the caller has no partner.")


CALLABLE = {
    CallRank.EXACT: say("The caller names a card of the rank that was bid."),
    CallRank.ANY: say("The caller names any card."),
    CallRank.BID_OR_STRONGER: say(
        "The caller names a card of the rank that was bid, or of a stronger one."
    ),
    CallRank.BID_OR_WEAKER: say(
        "The caller names a card of the rank that was bid, or of a weaker one."
    ),
}


def _play_words(rules: ChiamataRules) -> Iterator[Text]:
    if rules.monte:
        yield say(
            "Then the caller takes the monte, %(cards)s, and lays as many aside: they "
            "go with the last trick.",
            cards=card_count(rules.monte),
        )
        yield say(
            "A caller who finds the called card in the monte, or holds it, may show it: then "
            "the next player is the partner."
        )
    suit = say("suit must be followed") if rules.play.follow_suit else say("any card may be played")
    if rules.play.first_leader is FirstLeader.CALLER:
        yield say("The caller leads to the first trick; %(suit)s.", suit=suit)
    else:
        yield say("The player after the dealer leads to the first trick; %(suit)s.", suit=suit)


def _target_words(rules: ChiamataRules) -> Text:
    floor = rules.floor
    if rules.auction.style is AuctionStyle.LADDER:
        return say("The caller's side needs %(points)s.", points=card_point_count(floor))
    if rules.auction.ranks_bid:
        return say(
            "The caller's side needs %(points)s, or as many as were bid if that is more.",
            points=card_point_count(floor),
        )
    if floor <= rules.auction.lowest:
        return say("The caller's side needs as many card points as were bid.")
    return say(
        "The caller's side needs as many card points as were bid, and at least %(floor)s.",
        floor=floor,
    )


def _cappotto_words(rules: ChiamataRules) -> Text:
    cappotto = rules.score.cappotto
    if cappotto is None:
        return say("Taking everything pays nothing extra.")
    values = {"cappotto": EVERYTHING[cappotto.test][cappotto.side], "value": cappotto.value}
    match cappotto.op:
        case CappottoOp.TIMES:
            times = often(cappotto.value)
            return say("%(cappotto)s: everything counts %(times)s.", **values, times=times)
        case CappottoOp.ADD:
            return say("%(cappotto)s: the deal is worth %(value)s more.", **values)
        case _:
            return say("%(cappotto)s: the deal is worth %(value)s, whatever was bid.", **values)


EVERYTHING = {
    CappottoTest.ALL_POINTS: {
        CappottoSide.CALLER: say("Cappotto, all the card points for the caller's side"),
        CappottoSide.BOTH: say("Cappotto, all the card points for one side"),
    },
    CappottoTest.ALL_TRICKS: {
        CappottoSide.CALLER: say("Cappotto, all the tricks for the caller's side"),
        CappottoSide.BOTH: say("Cappotto, all the tricks for one side"),
    },
}


def _throw_in_words(rules: ChiamataRules) -> Iterator[Text]:
    throw_in = rules.throw_in
    if throw_in is None:
        return
    points = card_point_count(throw_in.max_points)
    if throw_in.four_twos:
        yield say(
            "A hand with at most %(points)s, or with four twos, may be thrown in.",
            points=points,
        )
    else:
        yield say("A hand with at most %(points)s may be thrown in.", points=points)
    if throw_in.same_dealer:
        yield say("Then the same dealer deals again.")
    else:
        yield say("Then the next dealer deals.")
    if throw_in.times > 1:
        yield say("The deal after it counts %(times)s.", times=often(throw_in.times))
    if throw_in.compound:
        yield say(
            "Where several multipliers wait for a deal they are multiplied, up to %(most)s times.",
            most=MOST_TIMES,
        )


def _end_words(rules: ChiamataRules) -> Text:
    session = rules.session
    values = {"target": point_count(session.target or 0), "deals": deal_count(session.deals or 0)}
    match session.end, session.tie:
        case MatchEnd.OPEN, _:
            text = say("The session has no fixed end.")
        case MatchEnd.TIME, _:
            text = say("The session ends when the time is up.")
        case MatchEnd.TARGET, Tie.PLAY_ON:
            text = say("The first to %(target)s wins; if two are level, the play goes on.")
        case MatchEnd.TARGET, _:
            text = say("The first to %(target)s wins; if two are level, they share it.")
        case _, Tie.PLAY_ON:
            text = say(
                "After %(deals)s the highest balance wins; if two are level, the play goes on."
            )
        case _:
            text = say("After %(deals)s the highest balance wins; if two are level, they share it.")
    return Text(text.template, values)


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


def payout_rows(rules: ChiamataRules, *, made: bool) -> tuple[PayoutRow, ...]:
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
