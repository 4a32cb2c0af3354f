"""A rule set of Briscola Chiamata in plain sentences, made from its values alone."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from scorer.games.briscola_chiamata import figures
from scorer.games.briscola_chiamata.presets import ADDRESSES, NAMES, PRESETS
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
)
from scorer.rules.cards import CARD_POINTS, rank_letter
from scorer.rules.match import MatchEnd, Tie
from scorer.rules.options import Description, Source
from scorer.rules.tables import PACK
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

BLURBS = {
    "classic": say(
        "The usual one: %(caller)s, %(partner)s, %(others)s; taking all the card points doubles it."
    ),
    "classic-plain": say(
        "The usual one without cappotto: %(caller)s, %(partner)s, %(others)s, nothing more."
    ),
    "ladder-bands": say(
        "Ranks are bid, then points: high bids pay more, taking all the tricks doubles it."
    ),
    "monte-5": say("As in Sicily: the caller exchanges cards with those left over."),
    "monte-6": say("As in Sicily, for six: the caller exchanges cards with those left over."),
    "monte-7": say("As in Sicily, for seven: six play, and whoever deals sits out."),
    "bastarda": say("Any points may be bid, nobody plays alone, every deal pays the same."),
    "rulebook": say(
        "French cards and high bids that pay more; the partner is paid half of the caller."
    ),
    "rulebook-literal": say(
        "As the rule book prints it: the partner is paid as much as the caller."
    ),
    "four-literal": say("Four at the table with the figures of five, which do not add up to zero."),
    "four-balanced": say("Four at the table, with figures that add up to zero."),
    "four-of-five": say("Five at the table: four play, and whoever deals sits out."),
    "volata": say(
        "High bids pay more, and whoever takes everything is paid the most, whatever was bid."
    ),
    "scighera": say(
        "A club's tournament: a poor hand is thrown in, and the next deal counts double."
    ),
    "decades": say("Every ten points more in the bid pay one more, and so does taking everything."),
    "declared-points": say(
        "You are paid the points that you bid; whoever misses pays what was short."
    ),
}


@lru_cache(maxsize=256)  # 3 to 10 ms each, and a page of the rules describes a dozen
def describe(rules: ChiamataRules) -> Description:
    rows, loss_rows = figures.rows(rules, made=True), figures.rows(rules, made=False)
    # A missed deal may cost what a made one pays, but for a cappotto.
    made = [row.figures for row in rows if not row.kind]
    missed = [tuple(-amount for amount in row.figures) for row in loss_rows if not row.kind]
    known = NAMES.get(rules.slug)
    players = say("%(count)s players", count=rules.players)
    if rules.sits_out is not None:
        players = say("%(count)s or %(more)s players", count=rules.players, more=rules.players + 1)
    preset, blurb = PRESETS.get(rules.slug), say("The group's own table.")
    if preset and preset == replace(rules, session=preset.session, sits_out=preset.sits_out):
        paid = zip(("caller", "partner", "others"), rows[0].figures if rows else (), strict=False)
        amounts = {role: signed(amount) for role, amount in paid}
        blurb = Text(BLURBS[rules.slug].template, amounts)
    return Description(
        slug=rules.slug,
        name=known if known and str(known) == rules.name else as_it_is(rules.name),
        blurb=blurb,
        players=rules.players,
        seats_text=players,
        words=tuple(words(rules)),
        columns=figures.columns(rules),
        rows=rows,
        loss_rows=() if made == missed else loss_rows,
        sources=(Source(rules.source, ADDRESSES.get(rules.source)),) if rules.source else (),
        checks=figures.checks(rules),
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
