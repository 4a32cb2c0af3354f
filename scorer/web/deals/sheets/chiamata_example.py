"""An example deal of Briscola Chiamata, paid by the score table that is being edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wtforms import StringField

from scorer.games.briscola_chiamata.bids import LOWEST_TARGET, Bid, bid_words
from scorer.games.briscola_chiamata.rules import AuctionStyle, ChiamataRules
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat, all_seats
from scorer.rules.tables import PACK
from scorer.texts import Text, say
from scorer.web.base.fields import whole
from scorer.web.base.forms import PageForm
from scorer.web.base.views import SeatAmount, SeatView

ALONE = "alone"


class ExampleForm(PageForm):
    """The choices of the example deal; what is left out is as usual."""

    caller = StringField(default="0")
    partner = StringField(default="2")
    points = StringField(default="75")
    bid = StringField(default="")
    everything = StringField(default="")


@dataclass(frozen=True, slots=True)
class ChosenExample:
    """What the example deal is: the choices, and which of them was made."""

    names: tuple[str, ...]
    partners: list[SeatView]
    bids: list[tuple[str, Text]]
    values: dict[str, str]
    alone: Text | None
    everything: bool


@dataclass(frozen=True, slots=True)
class PaidExample:
    """What the example deal pays, step by step; or why it can't be played."""

    headline: Text | None
    steps: list[tuple[Text, list[SeatAmount]]]
    payouts: list[SeatAmount]
    total: int
    refusal: Text | None


def chosen(rules: ChiamataRules, form: ExampleForm, known: Sequence[str]) -> ChosenExample:
    """Say what can be chosen by these rules, and what was; what no longer can be is as usual."""
    names = _names(known, rules.players)
    seats, bids = [str(seat) for seat in all_seats(rules.players)], _bids(rules)
    values = dict(form.data)
    if values["caller"] not in seats:
        values["caller"] = form.caller.default
    partners = [seat for seat in seats if seat != values["caller"]]
    if values["partner"] not in [*partners, *([ALONE] if rules.may_be_alone else [])]:
        values["partner"] = partners[1]
    if values["bid"] not in map(_code, bids):
        values["bid"] = _code(_middle(rules, bids))
    everything = rules.score.cappotto is not None
    offered = [(_code(bid), bid_words(bid, rules.cards)) for bid in bids]
    beside = [SeatView(int(seat), names[int(seat)]) for seat in partners]
    return ChosenExample(names, beside, offered, values, _alone(rules), everything)


def _alone(rules: ChiamataRules) -> Text | None:
    """What is chosen in a partner's place, where a caller can be without one."""
    if rules.dead_hand:
        return say("Nobody")
    return say("Alone") if rules.call.own_card else None


def _names(known: Sequence[str], count: int) -> tuple[str, ...]:
    usual = [name for name in ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia") if name not in known]
    return tuple([*known, *usual][:count])


def _bids(rules: ChiamataRules) -> list[Bid]:
    """Every bid that may win the auction; without an auction a rank stands in for all."""
    style, ranks, auction = rules.auction.style, rules.cards.ranks, rules.auction
    if style is AuctionStyle.NONE:
        return [Bid(ranks[0], None)]
    bids = [] if style is AuctionStyle.POINTS else [Bid(rank, None) for rank in ranks]
    if style is not AuctionStyle.LADDER:
        two = ranks[-1] if style is AuctionStyle.LADDER_THEN_POINTS else None
        bids += [Bid(two, points) for points in range(auction.lowest, auction.highest + 1)]
    return bids


def _code(bid: Bid) -> str:
    """Write a bid so that 7 points are not the rank of that name."""
    return f"{bid.rank or ''}@{'' if bid.points is None else bid.points}"


def _middle(rules: ChiamataRules, bids: Sequence[Bid]) -> Bid:
    """The first bid that is paid more than the lowest one, if there is such a bid."""
    bands = rules.score.bands
    telling = (
        bid
        for bid in bids
        if bid.value > LOWEST_TARGET and bands[bid.value] != bands[LOWEST_TARGET]
    )
    return next(telling, bids[0])


def paid(game: Game[Any, Any], rules: ChiamataRules, deal: ChosenExample) -> PaidExample:
    """Pay the example deal by the same code that pays every other."""
    table = Table(rules, deal.names, all_seats(rules.players))
    sheet, problems = game.read_sheet(_sheet(deal), table)
    if sheet is None:
        return PaidExample(None, [], [], 0, problems[0].message)
    score = game.score(sheet, table)
    return PaidExample(
        game.headline(sheet, table),
        [(step.text, _of(deal.names, step.amounts)) for step in score.steps],
        _of(deal.names, score.payouts),
        sum(score.payouts.values()),
        None,
    )


def _of(names: Sequence[str], paid_: Mapping[Seat, int]) -> list[SeatAmount]:
    return [SeatAmount(seat, names[seat], amount) for seat, amount in paid_.items()]


def _sheet(deal: ChosenExample) -> dict[str, Any]:
    values, points = deal.values, whole(deal.values["points"], digits=9)
    alone = values["partner"] == ALONE
    rank, _, points_bid = values["bid"].partition("@")
    return {
        "caller": deal.names[int(values["caller"])],
        "bid": values["bid"] if rank and points_bid else rank or int(points_bid),
        "partner": None if alone else deal.names[int(values["partner"])],
        "card_points": values["points"] if points is None else points,
        "cappotto": True if values["everything"] and points in (0, PACK) else None,
    }
