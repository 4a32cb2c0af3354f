"""The entry form of Briscola Chiamata: chips and steppers in, a sheet of contract.md out.

Beside it is an example deal, paid by the score table that is being edited.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, StringField

from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import spoken
from scorer.games.briscola_chiamata.bids import LOWEST_TARGET, Bid, bid_words, callable_ranks
from scorer.games.briscola_chiamata.payouts import signed_weights
from scorer.games.briscola_chiamata.rules import (
    PLAIN_CALL,
    AuctionStyle,
    CallRank,
    CappottoSide,
    ChiamataRules,
    ScoreKind,
)
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart, points_range
from scorer.rules.bands import PACK
from scorer.rules.cards import SUIT_WORDS, Deck, Rank, rank_letter, rank_name
from scorer.rules.game import Game, Table
from scorer.rules.match import MatchEnd, SessionEnd, Tie
from scorer.rules.seats import Seat, all_seats, every_seat
from scorer.services.circle.players import offered_names
from scorer.services.deals.what_if import sheet_what_if
from scorer.texts import Text, say
from scorer.web.base.fields import NumberField, QuestionField, whole
from scorer.web.base.pages import SeatView, seat_views
from scorer.web.cards.views import suit_symbol
from scorer.web.deals.entry_forms.derived import Countable, counted_ranks
from scorer.web.deals.forms import DealForm, seat_name

LADDERS = {AuctionStyle.LADDER, AuctionStyle.LADDER_THEN_POINTS}
QUICK = (61, 65, 70, 75, 80, 85, 90, 95, 100, 110, 120)
QUICK_AFTER_LADDER = 4
#: The card points of the caller's side, by the side that took everything.
TOOK_ALL = {"caller": PACK, "others": 0}
ALONE = "alone"
#: The answers that can be said.
SPOKEN = (
    "caller",
    "bid_rank",
    "bid_points",
    "called_rank",
    "suit",
    "partner",
    "card_points",
    "result",
)
#: The choices of the example deal, as they are where nothing was sent.
USUAL = {"caller": "0", "partner": "2", "points": "75", "bid": "", "everything": ""}
#: Players of the circle whose names an example deal may have.
LIKELY_NAMES = 6


class CardChip(NamedTuple):
    """A rank or suit that is offered: its code, its name, and the letter or symbol of its chip."""

    code: str
    name: Text
    face: Text | str


def _chips(ranks: Sequence[Rank], deck: Deck) -> list[CardChip]:
    return [CardChip(str(rank), rank_name(rank, deck), rank_letter(rank, deck)) for rank in ranks]


def called(rules: ChiamataRules) -> dict[str, Any]:
    """Return the table of payouts as data: the worth of a bid, and the share of each role.

    A row of ``bids`` has the least bid, what it is worth, and that with everything taken by the
    caller's side or by the others. A share is a multiple of the worth ``of`` a role.
    """
    score, draw, cappotto = rules.score, rules.draw, rules.score.cappotto
    both = cappotto is not None and cappotto.side is CappottoSide.BOTH
    bids = [
        (bid, unit, cappotto.worth(unit) if cappotto else unit) for bid, unit in score.bands.rows
    ]
    units = score.kind is ScoreKind.UNITS
    return {
        "bids": [(bid, unit, whole, whole if both else unit) for bid, unit, whole in bids],
        "made": _shares(rules, made=True) if units else DECLARED_MADE,
        "missed": _shares(rules, made=False) if units else DECLARED_MISSED,
        "blind": score.blind,
        "floor": rules.floor,
        "held": [points_range(tricks, rules) for tricks in range(rules.cards_each + 1)],
        "by_tricks": rules.counts_tricks,
        "draw": draw
        and {
            "needed": PLAIN_CALL,
            "card_points": draw.card_points,
            "more": draw.times,
            "compound": rules.throw_in is not None and rules.throw_in.compound,
        },
    }


#: Where the points that were bid are paid themselves, and those by which they were missed.
DECLARED_MADE = {"of": ("bid", "bid", "bid"), "with": (1, 1, 0), "alone": (2, 0, 0)}
DECLARED_MISSED = {"of": ("short", "short", "rest"), "with": (1, 1, 1), "alone": (1, 0, 1)}


def _shares(rules: ChiamataRules, *, made: bool) -> dict[str, Any]:
    """Return the multiples of caller, partner and each other."""
    somebody, shares = Seat(0), partial(signed_weights, rules=rules, made=made)
    return {"of": ("unit", "unit", "unit"), "with": shares(somebody), "alone": shares(None)}


class ChiamataForm(DealForm):
    """The form of Briscola Chiamata; the rules judge its answers."""

    slug = "briscola-chiamata"

    template = "deals/_chiamata.html"
    script = "deals/record.js"
    shown_at: ClassVar[Mapping[str, str]] = {
        "made": "card_points",
        "other_points": "card_points",
        "suit": "called_card",
        "called_rank": "called_card",
        "shown": "called_card",
        "cappotto": "card_points",
    }

    caller = StringField()
    bid = QuestionField()
    bid_rank = StringField()
    bid_points = NumberField()
    called_card = QuestionField()
    suit = StringField()
    called_rank = StringField()
    partner = StringField()
    card_points = NumberField()
    other_points = NumberField()
    result = StringField()
    tricks_won = NumberField()
    cappotto = StringField()
    shown = BooleanField()
    blind = BooleanField()
    times = NumberField()

    @classmethod
    def start_values(cls, start: ChiamataStart | ChiamataSheet) -> dict[str, str]:
        bid, called = start.bid, start.called_card
        filled = {
            "caller": str(start.caller),
            "bid_rank": str(bid.rank) if bid.rank else "",
            "bid_points": "" if bid.points is None else str(bid.points),
        }
        if called is not None:
            own_rank = "" if called.rank == bid.rank else str(called.rank)
            filled |= {"suit": str(called.suit), "called_rank": own_rank}
        return filled

    @classmethod
    def values(cls, sheet: ChiamataSheet) -> dict[str, str]:
        made = sheet.made if sheet.card_points is None else sheet.card_points == PACK
        took_all = "caller" if made else "others"
        optional: Mapping[str, object] = {
            "card_points": sheet.card_points,
            "tricks_won": sheet.tricks_won,
            "cappotto": took_all if sheet.cappotto else None,
            "shown": sheet.shown or None,
            "blind": sheet.blind or None,
        }
        return {
            **cls.start_values(sheet),
            **{name: "y" if n is True else str(n) for name, n in optional.items() if n is not None},
            "partner": "alone" if sheet.partner is None else str(sheet.partner),
            "result": {None: "", True: "made", False: "missed"}[sheet.made],
            "times": str(sheet.times),
        }

    @classmethod
    def heard(
        cls, text: str, table: Table[Any], known: Mapping[str, str]
    ) -> tuple[dict[str, str], str]:
        before = {name: known[name] for name in SPOKEN if known.get(name)}
        names = {seat: table.seats[seat] for seat in table.active}
        return spoken.heard(text, names, table.rules, before)

    @property
    def seats(self) -> list[SeatView]:
        return seat_views(self.table.seats, self.table.active)

    @property
    def ranks(self) -> list[CardChip]:
        rules: ChiamataRules = self.table.rules
        return _chips(rules.cards.ranks, rules.cards) if rules.offers_ranks else []

    @property
    def quick_bids(self) -> list[int]:
        rules: ChiamataRules = self.table.rules
        low, high = rules.auction.lowest, rules.auction.highest
        if rules.auction.style is not AuctionStyle.LADDER_THEN_POINTS:
            return [points for points in QUICK if low <= points <= high]
        edges = [low, *(band for band, _ in rules.score.bands.rows if low < band <= high)]
        more = [points for points in QUICK if low < points <= high and points not in edges]
        return sorted([*edges, *more][:QUICK_AFTER_LADDER])

    @property
    def suits(self) -> list[CardChip]:
        deck = self.table.rules.cards
        words = SUIT_WORDS[deck.italian]
        return [CardChip(str(suit), words[suit], suit_symbol(suit, deck)) for suit in deck.suits]

    @property
    def call_ranks(self) -> list[CardChip]:
        """The ranks that may be called; none if the bid is a rank and names the card itself."""
        rules: ChiamataRules = self.table.rules
        ladder = rules.auction.style in LADDERS
        if ladder and rules.call.rank is CallRank.EXACT and not rules.call.lowest_not_held:
            return []
        bid = Bid(rules.cards.ranks[-1], None) if ladder else Bid(None, rules.auction.lowest)
        return _chips(callable_ranks(bid, rules), rules.cards)

    @property
    def floor(self) -> int:
        """The fewest card points that make any bid."""
        rules: ChiamataRules = self.table.rules
        return max(rules.floor, min(PLAIN_CALL, rules.auction.lowest))

    @property
    def tricks(self) -> int:
        """The number of tricks if they decide a cappotto, else 0."""
        rules: ChiamataRules = self.table.rules
        return rules.cards_each if rules.counts_tricks else 0

    @property
    def whose(self) -> Text:
        caller = seat_name(self.table, self.caller.data)
        if self.partner.data == "alone" and caller:
            return say("taken by %(name)s", name=caller)
        return say("by caller and partner") if self.partner.data else say("by the caller’s side")

    def countable(self) -> list[Countable]:
        return counted_ranks(self.table.rules.cards)

    @classmethod
    def example(
        cls, game: Game[Any, Any], rules: ChiamataRules, circle_id: UUID, sent: MultiDict[str, str]
    ) -> dict[str, Any]:
        chosen = {name: sent.get(f"example.{name}", usual) for name, usual in USUAL.items()}
        return example_deal(game, rules, chosen, offered_names(circle_id)[:LIKELY_NAMES])

    def pays(self) -> dict[str, Any]:
        sides = every_seat(self.table.here)
        return {**super().pays(), "sides": sides, "called": called(self.table.rules)}

    def ends(self) -> Mapping[str, Any]:
        session: SessionEnd = self.table.rules.session
        ends = {
            MatchEnd.TARGET: {"target": session.target},
            MatchEnd.DEALS: {"deals": session.deals},
        }
        told: Mapping[str, Any] = ends.get(session.end, {})
        return {**told, "by_seat": True, "shared": session.tie is Tie.SHARED}

    def sheet(self) -> dict[str, Any]:
        name = seat_name(self.table, self.partner.data)
        alone = {"partner": None} if self.partner.data == ALONE else {}
        return {
            **self.start(),
            **self._points(),
            "tricks_won": self.tricks_won.data,
            "cappotto": True if self.cappotto.data else None,
            "shown": self.shown.data,
            "blind": self.blind.data,
            **({"partner": name} if name else alone),
            **({} if self.times.data is None else {"times": self.times.data}),
        }

    def start(self) -> dict[str, Any]:
        rules, suit = self.table.rules, self.suit.data
        bid, caller = self._bid(), seat_name(self.table, self.caller.data)
        two = rules.auction.style in LADDERS and self.bid_points.data is not None
        after_two = str(rules.cards.ranks[-1]) if two else ""
        rank = self.called_rank.data or self.bid_rank.data or after_two
        return {
            **({"caller": caller} if caller else {}),
            **({"bid": bid} if bid != "" else {}),
            **({"called_card": f"{rank}{suit}"} if suit else {}),
        }

    def _bid(self) -> str | int:
        """Write the bid; in the box for points 7 means seven points, never the rank."""
        rules, points = self.table.rules, self.bid_points.data
        if rules.auction.style is AuctionStyle.NONE and not rules.offers_points:
            return str(rules.cards.ranks[0])
        if points is None:
            return self.bid_rank.data or ""
        if rules.auction.style is AuctionStyle.LADDER_THEN_POINTS:
            return f"{rules.cards.ranks[-1]}@{points}"
        return points if isinstance(points, int) else f"@{points}"

    def _points(self) -> dict[str, Any]:
        """Return the points, also if they contradict a cappotto, which the rules then refuse."""
        points, others = self.card_points.data, self.other_points.data
        if points is None and others is not None:
            points = PACK - others if isinstance(others, int) else others
        result, everything = self.result.data, TOOK_ALL.get(self.cappotto.data or "")
        if everything is not None and points in (None, PACK - everything):
            won = everything > 0
            if points is not None:
                return {"card_points": points, "made": won}
            if result == ("missed" if won else "made"):
                return {"card_points": everything, "made": not won}
            return {"card_points": everything}
        if points is not None or result not in ("made", "missed"):
            return {"card_points": points}
        return {"card_points": None, "made": result == "made"}


def example_deal(
    game: Game[Any, Any], rules: ChiamataRules, values: dict[str, str], known: Sequence[str]
) -> dict[str, Any]:
    """Return the choices by these rules, the chosen ones, and their payouts or problems.

    An outdated choice is reset. ``alone`` is the choice of no partner, if the rules allow it.
    """
    usual = [name for name in ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia") if name not in known]
    names = tuple([*known, *usual][: rules.players])
    seats, bids = [str(seat) for seat in all_seats(rules.players)], _bids(rules)
    if values["caller"] not in seats:
        values["caller"] = USUAL["caller"]
    partners = [seat for seat in seats if seat != values["caller"]]
    if values["partner"] not in [*partners, *([ALONE] if rules.may_be_alone else [])]:
        values["partner"] = partners[1]
    if values["bid"] not in map(_code, bids):
        usual_pay = rules.score.bands[LOWEST_TARGET]
        more = (bid for bid in bids if bid.value > LOWEST_TARGET)
        paid_more = (bid for bid in more if rules.score.bands[bid.value] != usual_pay)
        values["bid"] = _code(next(paid_more, bids[0]))
    paid, refusal = None, None
    try:
        table = Table(rules, names, all_seats(rules.players))
        paid = sheet_what_if(game, table, _example_sheet(names, values))
    except InvalidError as error:
        refusal = error.problems[0].message
    alone = say("Alone") if rules.call.own_card else None
    return {
        "names": names,
        "partners": [SeatView(int(seat), names[int(seat)]) for seat in partners],
        "bids": [(_code(bid), bid_words(bid, rules.cards)) for bid in bids],
        "chosen": values,
        "alone": say("Nobody") if rules.dead_hand else alone,
        "everything": rules.score.cappotto is not None,
        "paid": paid,
        "refusal": refusal,
    }


def _bids(rules: ChiamataRules) -> list[Bid]:
    """List every bid that may win the auction; without an auction one rank stands for all."""
    style, ranks, auction = rules.auction.style, rules.cards.ranks, rules.auction
    if not (rules.offers_ranks or rules.offers_points):
        return [Bid(ranks[0], None)]
    bids = [Bid(rank, None) for rank in ranks] if rules.offers_ranks else []
    if rules.offers_points:
        two = ranks[-1] if style is AuctionStyle.LADDER_THEN_POINTS else None
        bids += [Bid(two, points) for points in range(auction.lowest, auction.highest + 1)]
    return bids


def _code(bid: Bid) -> str:
    """Write a bid so that 7 points are not the rank of that name."""
    return f"{bid.rank or ''}@{'' if bid.points is None else bid.points}"


def _example_sheet(names: Sequence[str], values: Mapping[str, str]) -> dict[str, Any]:
    points = whole(values["points"], digits=9)
    alone = values["partner"] == ALONE
    rank, _, points_bid = values["bid"].partition("@")
    return {
        "caller": names[int(values["caller"])],
        "bid": values["bid"] if rank and points_bid else rank or int(points_bid),
        "partner": None if alone else names[int(values["partner"])],
        "card_points": values["points"] if points is None else points,
        "cappotto": True if values["everything"] and points in (0, PACK) else None,
    }
