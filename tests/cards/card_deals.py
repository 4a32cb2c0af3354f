"""Deals of the second program as values of the first, and moves that may be made in them."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.chiamata.proofs import prove_partner, prove_problem, prove_result
from scorer.cards.chiamata.record import with_dead_hand
from scorer.cards.deal import CardDeal
from scorer.cards.proofs import Proof
from scorer.games import find_game
from scorer.games.briscola_chiamata import GAME
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import Reading
from tests.games import tables
from tests.games.played import deals, parts
from tests.samples import RECORD

LADDER = {
    "preset": "classic",
    "auction": {"style": "ladder-then-points"},
    "call": {"rank": "exact", "lowest_not_held": True},
}
#: A deal col monte after its call; Bea may have taken up the king of cups.
MONTE_RECORD: dict[str, Any] = {
    "rules": "monte-5",
    "seats": RECORD["seats"],
    "dealer": "Ezio",
    "claim": {"caller": "Bea", "bid": "75", "called_card": "KC"},
    "tricks": [],
}
#: The hands of the sample record.
HANDS: dict[str, list[str]] = {
    name: [
        trick[(seat - leader) % 5]
        for trick, leader in zip(RECORD["tricks"], (0, 4, 3, 1, 4, 1, 2, 1), strict=True)
    ]
    for seat, name in enumerate(RECORD["seats"])
}


def table_of(record: dict[str, Any]) -> tuple[Table[Any], Seat | None]:
    """The table that a request is about, and who deals."""
    rules, problems = GAME.rules_from(record["rules"])
    assert not problems
    seats, dealer = tuple(record["seats"]), record.get("dealer")
    everybody = all_seats(len(seats))
    if dealer is None:
        return with_dead_hand(Table(rules, seats, everybody)), None
    seat = Seat(seats.index(dealer))
    return with_dead_hand(Table(rules, seats, GAME.active(seat, everybody, rules))), seat


def value_of(record: dict[str, Any]) -> ChiamataDeal:
    """The deal of a request that can be read."""
    table, dealer = table_of(record)
    reading = Reading(table.seats, table.rules.cards)
    deal = ChiamataDeal.read(record, table, dealer, reading)
    assert deal is not None, reading.problems
    return deal


@st.composite
def values(draw: st.DrawFn) -> ChiamataDeal:
    """Give any part of a lawful deal."""
    return value_of(draw(parts(draw(deals()))))


def begun(deal: tables.Deal) -> ChiamataDeal:
    """The deal after the call, the hands known to those who test."""
    claim = {"caller": deal.caller, "bid": deal.bid, "called_card": deal.called}
    return value_of({**deal.request, "claim": claim, "hands": deal.hands, "tricks": []})


def offered(deal: ChiamataDeal) -> tuple[Card, ...]:
    """The cards that may come next: laid aside first, where there is a monte."""
    return deal.discardable if is_laying(deal) else deal.playable


def is_laying(deal: ChiamataDeal) -> bool:
    return deal.may_discard and not deal.tricks


def on(deal: ChiamataDeal, move: Card) -> ChiamataDeal:
    """Do what comes next."""
    return deal.discard(move) if is_laying(deal) else deal.play(move)


def request(deal: CardDeal) -> dict[str, Any]:
    """Write a deal as a whole request to check it."""
    names, table, game = deal.table.seats, deal.table, find_game(deal.slug)
    seats = [names[seat] for seat in table.order or all_seats(len(names))]
    heading = {"game": game.slug, "rules": game.rules_named(table.rules), "seats": seats}
    if isinstance(deal, ChiamataDeal):
        return {**heading, **deal.write(names)}
    dealer = None if deal.dealer is None else names[deal.dealer]
    return {**heading, "dealer": dealer, **deal.write_play(names)}


def card(text: str) -> Card:
    return Card.parse(text)


class Proofs(NamedTuple):
    """Everything that is proved of a deal."""

    partner: Proof | None
    result: Proof | None
    problems: tuple[Proof, ...]


def prove_all(deal: ChiamataDeal) -> Proofs:
    """Prove who the partner was, how the deal ended, and every problem of it."""
    problems = tuple(prove_problem(deal, finding) for finding in deal.examined.problems)
    return Proofs(prove_partner(deal), prove_result(deal), problems)
