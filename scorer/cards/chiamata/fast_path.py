"""The fast path: examine a whole deal without a fault in one pass over its cards.

Most records are like that: every trick a list of cards, written as usual, and a claim that agrees
with them. Anything missing, unusual or contradictory is left to the full examination.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from scorer.cards.chiamata.record import first_leader
from scorer.cards.trick_game import NUMBERED_DECKS, NumberedDeck, turns_of
from scorer.games.briscola_chiamata.bids import (
    Bid,
    bid_problems,
    call_problems,
    must_be_lowest,
    usual_bids,
)
from scorer.games.briscola_chiamata.payouts import seat_payouts
from scorer.games.briscola_chiamata.rules import ChiamataRules, ScoreKind
from scorer.rules.findings import DealProof
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.tables import PACK

Said = dict[str, Any]
Counts = dict[Seat, int]

UNUSUAL = frozenset({"auction", "hands", "discards"})
CLAIM = frozenset({"caller", "bid", "called_card", "partner", "card_points", "made", "cappotto"})
BIDS = (str, int)


class WonCall(NamedTuple):
    """The won call: the caller, the bid, the called card by number."""

    caller: Seat
    bid: Bid
    card: int


class Replay(NamedTuple):
    """The tricks of a whole deal; the last of the ``leaders`` is who took the last trick."""

    cards: list[int]
    turns: Mapping[Seat, tuple[Seat, ...]]
    leaders: list[Seat]
    points: Counts
    tricks: Counts

    def player(self, card: int) -> Seat:
        trick, place = divmod(self.cards.index(card), len(self.turns))
        return self.turns[self.leaders[trick]][place]


def examine_whole(
    data: Said, table: Table[ChiamataRules], dealer: Seat | None, seats: Mapping[str, Seat]
) -> DealProof | None:
    """Examine a faultless record; return None if it must be examined in full."""
    deck = NUMBERED_DECKS[table.rules.deck]
    cards = _whole_pack(data, table, deck)
    call = None if cards is None else _call(data.get("claim"), table, deck, seats)
    leader = None if call is None else first_leader(call.caller, table, dealer)
    if cards is None or call is None or leader is None or call.card not in cards:
        return None
    replay = _replay(cards, deck.suit_of(call.card), leader, table, deck)
    examined = _examined(call, replay, table)
    if examined is None or not _agrees(data["claim"], examined, table):
        return None
    if must_be_lowest(call.bid, deck.cards[call.card].rank, table.rules):
        below = {replay.player(card) for card in deck.weaker(call.card)}
        if below != {call.caller} or replay.player(call.card) == call.caller:
            return None
    return examined


def _whole_pack(data: Said, table: Table[ChiamataRules], deck: NumberedDeck) -> list[int] | None:
    """Return the cards in the order of play, if the record has all tricks and nothing else.

    A monte, a dead hand, following suit and paying by points need the full examination.
    """
    rules, tricks = table.rules, data.get("tricks")
    if rules.monte or rules.dead_hand or rules.play.follow_suit:
        return None
    if rules.score.kind is not ScoreKind.UNITS or not UNUSUAL.isdisjoint(data):
        return None
    if type(tricks) is not list or len(tricks) != rules.cards_each:
        return None
    players = len(table.active)
    for trick in tricks:
        if type(trick) is not list or len(trick) != players:
            return None
    try:
        cards = [*map(deck.numbers.__getitem__, chain.from_iterable(tricks))]
    except TypeError:
        return None
    return cards if {*cards} in deck.packs else None


def _call(
    claim: Any, table: Table[ChiamataRules], deck: NumberedDeck, seats: Mapping[str, Seat]
) -> WonCall | None:
    """Return the call, if it is written in the usual form and allowed by the rules."""
    if type(claim) is not dict or not claim.keys() <= CLAIM or type(claim.get("bid")) not in BIDS:
        return None
    rules = table.rules
    try:
        caller, bid = seats[claim["caller"]], usual_bids(rules.deck)[claim["bid"]]
        card = deck.numbers[claim["called_card"]]
    except (KeyError, TypeError):
        return None
    rank = deck.cards[card].rank
    problems = bid_problems(bid, rules, "") or call_problems(bid, rank, rules, "")
    return None if problems or caller not in table.active else WonCall(caller, bid, card)


def _replay(
    cards: list[int], trump: int, leader: Seat, table: Table[ChiamataRules], deck: NumberedDeck
) -> Replay:
    """Return leader and winner of each trick, and everybody's points and tricks."""
    turns, players = turns_of(table.active), len(table.active)
    leaders, points, tricks = [leader], dict.fromkeys(turns, 0), dict.fromkeys(turns, 0)
    each = [cards[start : start + players] for start in range(0, len(cards), players)]
    for place, worth in deck.trick_results(each, trump):
        leader = turns[leader][place]
        leaders.append(leader)
        points[leader] += worth
        tricks[leader] += 1
    return Replay(cards, turns, leaders, points, tricks)


def _examined(call: WonCall, replay: Replay, table: Table[ChiamataRules]) -> DealProof | None:
    """Return the result and the payouts; a draw needs the full examination."""
    rules, bid, holder = table.rules, call.bid, replay.player(call.card)
    partner = None if holder == call.caller else holder
    points = replay.points[call.caller] + (0 if partner is None else replay.points[partner])
    target = rules.target(bid.points)
    if points == rules.draw_points(target):
        return None
    made = points >= target
    return DealProof(
        complete=True,
        winners=replay.leaders[1:],
        card_points=replay.points,
        tricks_won=replay.tricks,
        partner=partner,
        alone=partner is None,
        side_points=points,
        bounds=(points, points),
        exact=True,
        status="made" if made else "missed",
        payouts=seat_payouts(call.caller, partner, rules.score.bands[bid.value], table, made=made),
        problems=[],
        warnings=[],
    )


def _agrees(claim: Said, examined: DealProof, table: Table[ChiamataRules]) -> bool:
    """Whether the claim agrees with the cards; a cappotto needs the full examination."""
    partner = None if examined.partner is None else table.name(examined.partner)
    points, made, cappotto = claim.get("card_points"), claim.get("made"), claim.get("cappotto")
    return (
        claim.get("partner", partner) == partner
        and (partner is not None or table.rules.call.own_card)
        and (points is None or (type(points) is int and points == examined.side_points))
        and (made is None or made is (examined.status == "made"))
        and (cappotto is None or cappotto is False)
        and examined.side_points not in (0, PACK)
    )
