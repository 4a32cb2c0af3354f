"""The fast path of examining: a whole deal without a fault, checked in one pass over its cards.

Most records are like that: every trick a list of cards, written as usual, and a claim that agrees
with them. Anything missing, unusual or contradictory is left to the full examination.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.cards.chiamata.record import first_leader
from scorer.cards.trick_game import NUMBERED_DECKS, turns_of
from scorer.games.briscola_chiamata.auction import bid_problems, call_problems, must_be_lowest
from scorer.games.briscola_chiamata.bids import usual_bids
from scorer.games.briscola_chiamata.payouts import by_role
from scorer.games.briscola_chiamata.rules import ScoreKind
from scorer.rules.findings import Examined
from scorer.rules.tables import PACK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.cards.trick_game import NumberedDeck
    from scorer.games.briscola_chiamata.bids import Bid
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat

    Said = dict[str, Any]
    Counts = dict[Seat, int]

UNUSUAL = frozenset({"auction", "hands", "discards"})
CLAIM = frozenset({"caller", "bid", "called_card", "partner", "card_points", "made", "cappotto"})
BIDS = (str, int)


class WonCall(NamedTuple):
    """Who called which card, by its number, after which bid."""

    caller: Seat
    bid: Bid
    card: int


class SideResult(NamedTuple):
    """How a deal ended for the caller's side; ``partner`` is None if the caller was alone."""

    partner: Seat | None
    points: int
    made: bool


def examine_whole(
    data: Said, table: Table[ChiamataRules], dealer: Seat | None, seats: Mapping[str, Seat]
) -> Examined | None:
    """Examine a faultless record; return None where it must be examined in full."""
    deck = NUMBERED_DECKS[table.rules.deck]
    cards = _whole_pack(data, table, deck)
    call = None if cards is None else _call(data.get("claim"), table, deck, seats)
    leader = None if call is None else first_leader(call.caller, table, dealer)
    if cards is None or call is None or leader is None or call.card not in cards:
        return None
    holder, winners, points, tricks = _replay(cards, call.card, leader, table, deck)
    side = _side(call, holder, points, table.rules)
    if side is None or not _agrees(data["claim"], side, table):
        return None
    unit = table.rules.score.bands[call.bid.value]
    return Examined(
        complete=True,
        winners=winners,
        card_points=points,
        tricks_won=tricks,
        partner=side.partner,
        alone=side.partner is None,
        side_points=side.points,
        bounds=(side.points, side.points),
        status="made" if side.made else "missed",
        payouts=by_role(call.caller, side.partner, unit, table, made=side.made),
        problems=[],
        warnings=[],
    )


def _whole_pack(data: Said, table: Table[ChiamataRules], deck: NumberedDeck) -> list[int] | None:
    """The cards in the order of play, if the record has all tricks and nothing but tricks.

    A monte, a dead hand, following suit and paying by points need the full examination.
    """
    rules, tricks = table.rules, data.get("tricks")
    if rules.monte or rules.dead_hand or rules.play.follow_suit:
        return None
    if rules.score.kind is not ScoreKind.UNITS or not UNUSUAL.isdisjoint(data):
        return None
    if type(tricks) is not list or len(tricks) != rules.cards_each:
        return None
    for trick in tricks:
        if type(trick) is not list or len(trick) != len(table.active):
            return None
    try:
        cards = [*map(deck.numbers.__getitem__, chain.from_iterable(tricks))]
    except TypeError:
        return None
    return cards if {*cards} in deck.packs else None


def _call(
    said: Any, table: Table[ChiamataRules], deck: NumberedDeck, seats: Mapping[str, Seat]
) -> WonCall | None:
    """Who called what, if it is written in the usual form and allowed by the rules."""
    if type(said) is not dict or not said.keys() <= CLAIM or type(said.get("bid")) not in BIDS:
        return None
    rules = table.rules
    try:
        caller, bid = seats[said["caller"]], usual_bids(rules.deck)[said["bid"]]
        card = deck.numbers[said["called_card"]]
    except (KeyError, TypeError):
        return None
    rank = deck.cards[card].rank
    problems = bid_problems(bid, rules, "") or call_problems(bid, rank, rules, "")
    if problems or must_be_lowest(bid, rank, rules) or caller not in table.active:
        return None
    return WonCall(caller, bid, card)


def _replay(
    cards: list[int], called: int, leader: Seat, table: Table[ChiamataRules], deck: NumberedDeck
) -> tuple[Seat, list[Seat], Counts, Counts]:
    """Who played the called card, who won each trick, and everybody's points and tricks."""
    turns, players = turns_of(table.active), len(table.active)
    leaders, points, tricks = [leader], dict.fromkeys(turns, 0), dict.fromkeys(turns, 0)
    each = [cards[start : start + players] for start in range(0, len(cards), players)]
    for place, worth in deck.settle(each, deck.suit_of(called)):
        leader = turns[leader][place]
        leaders.append(leader)
        points[leader] += worth
        tricks[leader] += 1
    index, place = divmod(cards.index(called), players)
    return turns[leaders[index]][place], leaders[1:], points, tricks


def _side(call: WonCall, holder: Seat, points: Counts, rules: ChiamataRules) -> SideResult | None:
    """How the deal ended for the caller's side; a draw needs the full examination."""
    alone, bid = holder == call.caller, call.bid
    ours = points[call.caller] + (0 if alone else points[holder])
    target = rules.target(bid.value, points_bid=bid.points is not None)
    if ours == rules.draw_points(target):
        return None
    return SideResult(None if alone else holder, ours, ours >= target)


def _agrees(said: Said, side: SideResult, table: Table[ChiamataRules]) -> bool:
    """Whether the claim agrees with the cards; a cappotto needs the full examination."""
    partner = None if side.partner is None else table.name(side.partner)
    points, made, cappotto = said.get("card_points"), said.get("made"), said.get("cappotto")
    return (
        said.get("partner", partner) == partner
        and (partner is not None or table.rules.call.own_card)
        and (points is None or (type(points) is int and points == side.points))
        and (made is None or made is side.made)
        and (cappotto is None or cappotto is False)
        and 0 < side.points < PACK
    )
