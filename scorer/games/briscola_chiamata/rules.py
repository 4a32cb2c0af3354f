"""The rule set of Briscola Chiamata: every rule that a table can choose, as data (rules.md A10)."""

from dataclasses import asdict, dataclass, replace
from typing import Annotated

from scorer.rules.bands import PACK, ScoreTable
from scorer.rules.cards import DECKS, LADDER_DECKS, LADDER_NUMBERS, Deck
from scorer.rules.game import NamedRules
from scorer.rules.match import SessionEnd
from scorer.rules.questions import Ask, Choice, Reading
from scorer.texts import Text, card_count, say

#: 61: the fewest card points that are more than half of the pack.
PLAIN_CALL = PACK // 2 + 1
#: The highest multiplier of a deal.
MOST_TIMES = 100


class DeckName(Choice):
    """The decks that the game is played with."""

    ITALIAN_40 = "italian-40", say("Italian, 40 cards")
    FRENCH_NO_8_9_10 = "french-no-8-9-10", say("French, without 8, 9 and 10")
    FRENCH_NO_7_8_9 = "french-no-7-8-9", say("French, without 7, 8 and 9")
    NO_TWOS_36 = "no-twos-36", say("Italian, 36 cards, without the twos")
    NO_FOURS_36 = "no-fours-36", say("Italian, 36 cards, without the fours")


class SitsOut(Choice):
    """Who sits out when more people are at the table than play."""

    DEALER = "dealer", say("The dealer")


class AuctionStyle(Choice):
    """What is bid: points, ranks, or ranks and then points; NONE if bids are not written down."""

    POINTS = "points", say("Points")
    LADDER = "ladder", say("Cards")
    LADDER_THEN_POINTS = "ladder-then-points", say("Cards, then points")
    NONE = "none", say("Not written down")


class AllPass(Choice):
    """Who deals after a deal in which nobody bids."""

    NEXT_DEALER = "next-dealer", say("The next dealer deals")
    SAME_DEALER = "same-dealer", say("The same dealer deals again")


class CallRank(Choice):
    """Which rank may be called after a rank was bid (rules.md K3)."""

    EXACT = "exact", say("Of the rank that was bid")
    ANY = "any", say("Any card")
    BID_OR_STRONGER = "bid-or-stronger", say("Of the rank that was bid, or stronger")
    BID_OR_WEAKER = "bid-or-weaker", say("Of the rank that was bid, or weaker")


class FirstLeader(Choice):
    """Who leads to the first trick."""

    NEXT_OF_DEALER = "next-of-dealer", say("The player after the dealer")
    CALLER = "caller", say("The caller")


class ScoreKind(Choice):
    """How a deal is paid: units by weight, or the points that were bid (rules.md T8)."""

    UNITS = "units", say("Points by the table, to each by role")
    DECLARED_POINTS = "declared-points", say("The points that were bid")


class CappottoTest(Choice):
    """What makes a cappotto: taking all the card points, or all the tricks (rules.md K11)."""

    ALL_POINTS = "all-points", say("All the card points")
    ALL_TRICKS = "all-tricks", say("All the tricks")


class CappottoSide(Choice):
    """Whose cappotto counts: only that of the caller's side, or that of either side."""

    CALLER = "caller", say("The caller’s side only")
    BOTH = "both", say("Either side")


class CappottoOp(Choice):
    """What a cappotto does to the unit."""

    TIMES = "times", say("Multiplies what the table pays")
    ADD = "add", say("Is added to what the table pays")
    SET = "set", say("Takes the place of what the table pays")


@dataclass(frozen=True, slots=True)
class AuctionRules:
    """What may be bid, and what follows when everybody passes."""

    style: Annotated[AuctionStyle, Ask(say("What is bid"))]
    minimum: Annotated[int, Ask(say("Lowest points that can be bid"), low=0, high=PACK)]
    maximum: Annotated[int, Ask(say("Highest points that can be bid"), low=0, high=PACK)]
    after_two: Annotated[
        int,
        Ask(
            say("Lowest points after a two"),
            low=0,
            high=PACK,
            hint=say("Whoever goes on after a two bids points."),
        ),
    ]
    all_pass: Annotated[AllPass, Ask(say("Everybody passes"))]
    all_pass_times: Annotated[
        int,
        Ask(
            say("After all passed, the next deal counts"),
            low=1,
            high=MOST_TIMES,
            unsaid=True,
            hint=say("1: as any other."),
        ),
    ] = 1

    @property
    def lowest(self) -> int:
        if self.style is AuctionStyle.NONE:
            return 0
        ladder = self.style is AuctionStyle.LADDER_THEN_POINTS
        return self.after_two if ladder else self.minimum

    @property
    def ranks_bid(self) -> bool:
        return self.style is not AuctionStyle.POINTS

    @property
    def ranks_numbered(self) -> bool:
        """Whether a bid of 11 or 12 can only be a rank, because so few points cannot be bid."""
        if self.style is AuctionStyle.LADDER_THEN_POINTS:
            return self.after_two > max(map(int, LADDER_NUMBERS))
        return self.style is AuctionStyle.LADDER

    @property
    def highest(self) -> int:
        return PACK if self.style is AuctionStyle.NONE else self.maximum

    def check(self, reading: Reading, path: str) -> None:
        if self.lowest > self.maximum:
            field = "after_two" if self.style is AuctionStyle.LADDER_THEN_POINTS else "minimum"
            message = say("The lowest bid is above the highest.")
            reading.fault("empty-range", f"{path}.{field}", message)


@dataclass(frozen=True, slots=True)
class Call:
    """Which cards may be called: of which rank, and whether a card of one's own (rules.md A5)."""

    rank: Annotated[CallRank, Ask(say("Called rank"))]
    own_card: Annotated[
        bool,
        Ask(
            say("One’s own card may be called"),
            hint=say("Whoever does so plays alone against all."),
        ),
    ]
    lowest_not_held: Annotated[
        bool,
        Ask(
            say("After a two: the lowest card not held"),
            hint=say("With the 2 and the 4 in hand one may call the 5."),
        ),
    ]


@dataclass(frozen=True, slots=True)
class PlayRules:
    """Who leads first, and whether suit must be followed."""

    first_leader: Annotated[FirstLeader, Ask(say("First to lead"))]
    follow_suit: Annotated[bool, Ask(say("Suit must be followed"))]


@dataclass(frozen=True, slots=True)
class CappottoRules:
    """What makes a cappotto, for which side it counts, and how it changes the unit."""

    test: Annotated[CappottoTest, Ask(say("Cappotto by"))]
    side: Annotated[CappottoSide, Ask(say("Cappotto of"))]
    op: Annotated[CappottoOp, Ask(say("Effect"))]
    value: Annotated[
        int, Ask(say("Value"), low=0, high=100, hint=say("Multiplied by 2, it pays double."))
    ]

    def worth(self, unit: int) -> int:
        worth = {
            CappottoOp.SET: self.value,
            CappottoOp.ADD: unit + self.value,
            CappottoOp.TIMES: unit * self.value,
        }
        return worth[self.op]


@dataclass(frozen=True, slots=True)
class Loss:
    """The weights of a missed bid; None keeps the weight of a made bid.

    They replace the weights of ``Pay`` and do not multiply them. Together with those kept they
    should be zero-sum. Unused with declared points.
    """

    caller: Annotated[int | None, Ask(say("Caller"), low=0, high=1000)] = None
    partner: Annotated[int | None, Ask(say("Partner"), low=0, high=1000)] = None
    defender: Annotated[int | None, Ask(say("Each defender"), low=0, high=1000)] = None
    alone: Annotated[int | None, Ask(say("Caller alone"), low=0, high=1000)] = None
    against_alone: Annotated[int | None, Ask(say("Each of the others"), low=0, high=1000)] = None


@dataclass(frozen=True)
class Pay:
    """How a deal is paid: the units by bid, the weights of the roles, the cappotto (rules.md A7).

    ``bands`` gives the unit for a bid; each role wins or pays its weight times that unit.
    """

    kind: Annotated[ScoreKind, Ask(say("Payment"))]
    bands: Annotated[
        ScoreTable,
        Ask(
            say("Bands"),
            hint=say(
                "“71, worth 2”: bids from 71 up are worth 2 points, up to the next row. "
                "The row with 0 is for bids of a card."
            ),
        ),
    ]
    caller: Annotated[int, Ask(say("Caller"), low=0, high=1000)]
    partner: Annotated[int, Ask(say("Partner"), low=0, high=1000)]
    defender: Annotated[int, Ask(say("Each defender"), low=0, high=1000)]
    alone: Annotated[int, Ask(say("Caller alone"), low=0, high=1000)]
    against_alone: Annotated[int, Ask(say("Each of the others"), low=0, high=1000)]
    loss: Annotated[Loss | None, Ask(say("A missed bid"), none=say("costs the same"))]
    cappotto: Annotated[
        CappottoRules | None,
        Ask(
            say("Cappotto"),
            none=say("pays nothing extra"),
            hint=say("Cappotto: one side takes everything."),
        ),
    ]
    blind: Annotated[
        int,
        Ask(
            say("A bid made blind counts"),
            low=1,
            high=100,
            unsaid=True,
            hint=say("Blind: before looking at one’s cards. 1: as any other."),
        ),
    ] = 1

    @property
    def missed(self) -> "Pay":
        """How a missed bid is paid: the same, but for the weights in ``loss``."""
        given = {} if self.loss is None else asdict(self.loss)
        return replace(self, **{role: n for role, n in given.items() if n is not None})

    def total(self, players: int, *, alone: bool) -> int:
        """Return the sum of all payouts when the caller's side wins a unit of 1: 0 if zero-sum."""
        if alone:
            return self.alone - (players - 1) * self.against_alone
        return self.caller + self.partner - (players - 2) * self.defender


@dataclass(frozen=True, slots=True)
class ThrowIn:
    """Which hands may be thrown in, and the multiplier of the next deal then (rules.md A7, A11)."""

    max_points: Annotated[int, Ask(say("Card points in hand, at most"), low=0, high=PACK)]
    four_twos: Annotated[bool, Ask(say("Also with four twos"))] = False
    times: Annotated[int, Ask(say("The next deal counts"), low=1, high=MOST_TIMES)] = 1
    same_dealer: Annotated[bool, Ask(say("The same dealer deals again"))] = True
    compound: Annotated[
        bool,
        Ask(
            say("Doublings that wait multiply each other"),
            unsaid=True,
            hint=say("Double and double again is 4 times; else it stays double."),
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Which card points of the caller's side are a draw, and the multiplier of the next deal."""

    card_points: Annotated[
        int,
        Ask(
            say("Card points of a draw"),
            low=0,
            high=PACK,
            hint=say("60 is half of the 120 in the pack. It counts only where 61 are needed."),
        ),
    ] = PACK // 2
    times: Annotated[int, Ask(say("The next deal counts"), low=1, high=MOST_TIMES)] = 2


@dataclass(frozen=True)
class ChiamataRules(NamedRules):
    """A rule set: a preset, or the house rules of a circle."""

    players: Annotated[int, Ask(say("Players"), low=4, high=6)]
    deck: Annotated[DeckName, Ask(say("Deck"))]
    cards_each: Annotated[int, Ask(say("Cards each"), low=1, high=10)]
    monte: Annotated[
        int,
        Ask(
            say("Monte"),
            low=0,
            high=12,
            hint=say("Cards for the caller: he takes them up and lays as many aside. 0: none."),
        ),
    ]
    sits_out: Annotated[SitsOut | None, Ask(say("Sits out"), none=say("Nobody"))]
    auction: Annotated[AuctionRules, Ask(say("Auction"))]
    call: Annotated[Call, Ask(say("Call"))]
    play: Annotated[PlayRules, Ask(say("Play"))]
    floor: Annotated[
        int,
        Ask(
            say("Least card points to win"),
            low=0,
            high=PACK,
            hint=say("Of the 120 of the pack. Whoever bids more points needs those."),
        ),
    ]
    score: Annotated[Pay, Ask(say("Score table"))]
    throw_in: Annotated[ThrowIn | None, Ask(say("Throwing in"), none=say("not allowed"))]
    session: Annotated[SessionEnd, Ask(say("End of the session"))]
    source: Annotated[str, Ask(say("Source"))] = ""
    dead_hand: Annotated[
        bool,
        Ask(
            say("With a dead hand (morto)"),
            unsaid=True,
            hint=say("Cards that are dealt to nobody and turned over one by one."),
        ),
    ] = False
    draw: Annotated[Draw | None, Ask(say("A draw"), none=say("does not exist"), unsaid=True)] = None
    penalty: Annotated[
        int,
        Ask(
            say("A penalty pays each of the others"),
            low=0,
            high=1000,
            unsaid=True,
            hint=say("By whoever made the mistake."),
        ),
    ] = 1

    @property
    def cards(self) -> Deck:
        return (LADDER_DECKS if self.auction.ranks_numbered else DECKS)[self.deck]

    @property
    def hands(self) -> int:
        """Count the hands that are dealt, a dead hand included."""
        return self.players + self.dead_hand

    @property
    def offers_ranks(self) -> bool:
        """Whether a form offers ranks as bids: if the floor is 0, only where nothing else is bid.

        A rank would need no card points then (rules.md A4).
        """
        style = self.auction.style
        after_ranks = style is AuctionStyle.LADDER_THEN_POINTS and self.floor > 0
        return style is AuctionStyle.LADDER or after_ranks

    @property
    def offers_points(self) -> bool:
        """Whether a form offers points as bids: without an auction only where a rank is no bid."""
        style = self.auction.style
        if style is AuctionStyle.NONE:
            return self.floor == 0
        return style is not AuctionStyle.LADDER

    @property
    def may_be_alone(self) -> bool:
        """Whether a caller may have no partner: the called card is his own or in the dead hand."""
        return self.call.own_card or self.dead_hand

    @property
    def without_partner(self) -> Text:
        """The words for a caller without a partner; with a dead hand he need not hold the card."""
        return say("no partner") if self.dead_hand else say("alone")

    @property
    def counts_tricks(self) -> bool:
        """Whether a cappotto is defined by tricks instead of points."""
        cappotto = self.score.cappotto
        return cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS

    def target(self, points_bid: int | None) -> int:
        """Return the card points that the caller's side needs (rules.md A4)."""
        return self.floor if points_bid is None else max(self.floor, points_bid)

    def draw_points(self, target: int) -> int | None:
        """Return the card points of the caller's side that are a draw; None if 61 aren't needed."""
        return self.draw.card_points if self.draw and target == PLAIN_CALL else None

    def carried(self, waiting: int, more: int) -> int:
        """Return the multiplier of the next deal, from a waiting one and a new one."""
        compound = self.throw_in is not None and self.throw_in.compound
        return min(waiting * more if compound else max(waiting, more), MOST_TIMES)


def check_rules(rules: ChiamataRules, reading: Reading, path: str) -> None:
    """Report faults across fields: the deal and the pack, the range of bids, the session's end."""
    dealt, pack = rules.hands * rules.cards_each + rules.monte, len(rules.cards.cards)
    if dealt != pack:
        values = {"players": rules.players, "cards": card_count(rules.cards_each)}
        values |= {"dealt": dealt, "pack": pack, "monte": rules.monte}
        message = say(
            "%(players)s players with %(cards)s each and a monte of %(monte)s make %(dealt)s "
            "cards of a pack of %(pack)s.",
            **values,
        )
        if rules.dead_hand:
            message = say(
                "%(players)s players and a dead hand with %(cards)s each make %(dealt)s cards "
                "of a pack of %(pack)s.",
                **values,
            )
        reading.fault("deal-size", f"{path}.cards_each", message)
    if rules.dead_hand and rules.monte:
        message = say("A dead hand is dealt, or a monte, and not both.")
        reading.fault("dead-hand-and-monte", f"{path}.dead_hand", message)
    rules.auction.check(reading, f"{path}.auction")
    rules.session.check(reading, f"{path}.session")


def zero_sum(rules: ChiamataRules) -> dict[str, bool]:
    """Return whether payouts add up to 0, made and missed: with a partner, and alone."""
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        return {"partnered": False, "alone": False}
    sides = [rules.score, rules.score.missed]
    return {
        "partnered": not any(side.total(rules.players, alone=False) for side in sides),
        "alone": not any(side.total(rules.players, alone=True) for side in sides),
    }


def symmetric(rules: ChiamataRules) -> dict[str, bool]:
    """Return whether a missed bid costs what it pays when made: with a partner, and alone.

    The cappotto of one side only is left out: it is shown beside the table.
    """
    if rules.score.kind is ScoreKind.DECLARED_POINTS:
        return {"partnered": False, "alone": False}
    made, missed = rules.score, rules.score.missed
    return {
        "partnered": (made.caller, made.partner, made.defender)
        == (missed.caller, missed.partner, missed.defender),
        "alone": (made.alone, made.against_alone) == (missed.alone, missed.against_alone),
    }
