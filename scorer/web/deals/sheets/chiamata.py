"""The entry form of Briscola Chiamata: chips and steppers in, a sheet of contract.md out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple

from wtforms import BooleanField, StringField

from scorer.games.briscola_chiamata.auction import callable_ranks
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import (
    PLAIN_CALL,
    AuctionStyle,
    CallRank,
    CappottoTest,
    ChiamataRules,
)
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart, points_range
from scorer.rules.cards import SUIT_WORDS, Card, Deck, Rank, rank_letter, rank_name
from scorer.rules.game import Table
from scorer.rules.tables import PACK
from scorer.texts import Text, say
from scorer.web.base.fields import NumberField, QuestionField
from scorer.web.base.views import SeatView, seat_views
from scorer.web.cards.faces import suit_symbol
from scorer.web.deals.forms import DealForm
from scorer.web.deals.sheets.questions import Countable, counted_ranks

LADDERS = {AuctionStyle.LADDER, AuctionStyle.LADDER_THEN_POINTS}
QUICK = (61, 65, 70, 75, 80, 85, 90, 95, 100, 110, 120)
QUICK_AFTER_LADDER = 4
#: The card points of the caller's side, by the side that took everything.
TOOK_ALL = {"caller": PACK, "others": 0}


class RankChip(NamedTuple):
    """A rank that is offered: its code, its name, and what the chip shows."""

    code: str
    name: Text
    called: Text


class SuitChip(NamedTuple):
    """A suit that is offered: its code, its name, and its symbol."""

    code: str
    name: Text
    symbol: str


def _name(seat: str | None, table: Table[ChiamataRules]) -> str:
    """Return the name of the seat with the number that the form sent, or ""."""
    known = {str(place): name for place, name in enumerate(table.seats)}
    return known.get(seat or "", "")


def _chips(ranks: Sequence[Rank], deck: Deck) -> list[RankChip]:
    return [RankChip(str(rank), rank_name(rank, deck), rank_letter(rank, deck)) for rank in ranks]


def _bid_values(bid: Bid, called: Card | None) -> dict[str, str]:
    rank = str(bid.rank) if bid.rank else ""
    filled = {"bid_rank": rank, "bid_points": "" if bid.points is None else str(bid.points)}
    if called is None:
        return filled
    own_rank = "" if str(called.rank) == rank else str(called.rank)
    return {**filled, "suit": str(called.suit), "called_rank": own_rank}


def _took_all(sheet: ChiamataSheet) -> str:
    made = sheet.made if sheet.card_points is None else sheet.card_points == PACK
    return "caller" if made else "others"


def pay_table(rules: ChiamataRules) -> dict[str, Any]:
    """Return all of the rules that decides what a deal pays, as plain values."""
    score = rules.score
    return {
        "kind": score.kind.value,
        "bands": score.bands.write_wire(),
        "made": score.weights(made=True)._asdict(),
        "missed": score.weights(made=False)._asdict(),
        "cappotto": asdict(score.cappotto) if score.cappotto else None,
        "blind": score.blind,
        "floor": rules.floor,
        "held": [points_range(tricks, rules) for tricks in range(rules.cards_each + 1)],
        "draw": asdict(rules.draw) if rules.draw else None,
        "compound": rules.throw_in is not None and rules.throw_in.compound,
        "lowest": str(rules.cards.ranks[-1]),
        "style": rules.auction.style.value,
    }


class ChiamataForm(DealForm):
    """The form of Briscola Chiamata; ``sheet`` reads its answers, the rules judge them."""

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
        """Return what the form sends for what was said in the auction."""
        return {"caller": str(start.caller), **_bid_values(start.bid, start.called_card)}

    @classmethod
    def values(cls, sheet: ChiamataSheet) -> dict[str, str]:
        """Return what the form sends for a sheet, to amend a deal."""
        optional: Mapping[str, object] = {
            "card_points": sheet.card_points,
            "tricks_won": sheet.tricks_won,
            "cappotto": _took_all(sheet) if sheet.cappotto else None,
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

    @property
    def seats(self) -> list[SeatView]:
        """Who plays."""
        return seat_views(self.table.seats, self.table.active)

    @property
    def ranks(self) -> list[RankChip]:
        """The ranks that may be bid."""
        deck = self.table.rules.cards
        return _chips(deck.ranks, deck) if self.table.rules.auction.style in LADDERS else []

    @property
    def quick_bids(self) -> list[int]:
        """The points that are one tap away."""
        rules: ChiamataRules = self.table.rules
        low, high = rules.auction.lowest, rules.auction.maximum
        if rules.auction.style is AuctionStyle.POINTS:
            return [points for points in QUICK if low <= points <= high]
        edges = [low, *(band for band, _ in rules.score.bands.rows if low < band <= high)]
        more = [points for points in QUICK if low < points <= high and points not in edges]
        return sorted([*edges, *more][:QUICK_AFTER_LADDER])

    @property
    def suits(self) -> list[SuitChip]:
        """The suits of the called card."""
        deck = self.table.rules.cards
        words = SUIT_WORDS[deck.italian]
        return [SuitChip(str(suit), words[suit], suit_symbol(suit, deck)) for suit in deck.suits]

    @property
    def call_ranks(self) -> list[RankChip]:
        """The ranks that the bid leaves open: none where a rank bid names the card itself."""
        rules: ChiamataRules = self.table.rules
        ladder = rules.auction.style in LADDERS
        if ladder and rules.call.rank is CallRank.EXACT and not rules.call.lowest_not_held:
            return []
        bid = Bid(rules.cards.ranks[-1], None) if ladder else Bid(None, rules.auction.lowest)
        return _chips(callable_ranks(bid, rules), rules.cards)

    @property
    def floor(self) -> int:
        """The least card points that make any bid."""
        rules: ChiamataRules = self.table.rules
        return max(rules.floor, min(PLAIN_CALL, rules.auction.lowest))

    @property
    def tricks(self) -> int:
        """How many tricks there are, where a cappotto is known by them."""
        rules: ChiamataRules = self.table.rules
        cappotto = rules.score.cappotto
        by_tricks = cappotto is not None and cappotto.test is CappottoTest.ALL_TRICKS
        return rules.cards_each if by_tricks else 0

    @property
    def whose(self) -> Text:
        """Whose card points are asked."""
        caller = _name(self.caller.data, self.table)
        if self.partner.data == "alone" and caller:
            return say("taken by %(name)s", name=caller)
        return (
            say("taken by caller and partner")
            if self.partner.data
            else say("taken by the caller’s side")
        )

    def countable(self) -> list[Countable]:
        """Give the ranks that are worth something."""
        return counted_ranks(self.table.rules.cards)

    def pay(self) -> dict[str, Any]:
        """Return the score table, for ``static/deals/chiamata_pay.js``."""
        return pay_table(self.table.rules)

    def sheet(self) -> dict[str, Any]:
        """Return the answers as a sheet; what was not answered is left out."""
        answers = {
            **self.start(),
            **self._partner(),
            **self._points(),
            "tricks_won": self.tricks_won.data,
            "cappotto": True if self.cappotto.data else None,
            "shown": bool(self.shown.data),
            "blind": bool(self.blind.data),
        }
        if self.times.data is not None:
            answers["times"] = self.times.data
        return answers

    def start(self) -> dict[str, Any]:
        """Return what is known when the auction is over."""
        bid = self._bid(self.table.rules)
        caller = _name(self.caller.data, self.table)
        card = self._called_card(self.table.rules)
        return {
            **({"caller": caller} if caller else {}),
            **({"bid": bid} if bid != "" else {}),
            **({"called_card": card} if card else {}),
        }

    def _bid(self, rules: ChiamataRules) -> str | int:
        """Write the bid: what stands in the box for points is never a rank, 7 is seven points."""
        points = self.bid_points.data
        if rules.auction.style is AuctionStyle.NONE:
            return str(rules.cards.ranks[0])
        if points is None:
            return self.bid_rank.data or ""
        if rules.auction.style is AuctionStyle.LADDER_THEN_POINTS:
            return f"{rules.cards.ranks[-1]}@{points}"
        return points if isinstance(points, int) else f"@{points}"

    def _called_card(self, rules: ChiamataRules) -> str:
        if not self.suit.data:
            return ""
        ladder = rules.auction.style in LADDERS
        two = ladder and self.bid_points.data is not None
        after_two = str(rules.cards.ranks[-1]) if two else ""
        return f"{self.called_rank.data or self.bid_rank.data or after_two}{self.suit.data}"

    def _partner(self) -> dict[str, str | None]:
        if self.partner.data == "alone":
            return {"partner": None}
        name = _name(self.partner.data, self.table)
        return {"partner": name} if name else {}

    def _points(self) -> dict[str, Any]:
        points, others = self.card_points.data, self.other_points.data
        if points is None and others is not None:
            points = PACK - others if isinstance(others, int) else others
        everything = TOOK_ALL.get(self.cappotto.data or "")
        if everything is not None and points in (None, PACK - everything):
            return self._all_points(everything, points)
        if points is not None or self.result.data not in ("made", "missed"):
            return {"card_points": points}
        return {"card_points": None, "made": self.result.data == "made"}

    def _all_points(self, everything: int, points: int | str | None) -> dict[str, Any]:
        """Return the points of a cappotto.

        A contradicting answer is passed on, so that validation rejects it.
        """
        won = everything > 0
        if points is not None:
            return {"card_points": points, "made": won}
        if self.result.data == ("missed" if won else "made"):
            return {"card_points": everything, "made": not won}
        return {"card_points": everything}
