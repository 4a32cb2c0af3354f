"""Boards of the second program's deals, and moves that may be made on them."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

from scorer.cards.board import Board
from scorer.cards.card_records import read_board, write_board
from scorer.cards.games import CARD_GAMES, discard, discardable, examined, may_discard, play, row_of
from scorer.cards.line import follow
from scorer.cards.proofs import Proof, prove_partner, prove_problem, prove_result
from scorer.games import find_game
from scorer.games.briscola_chiamata import GAME
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.questions import Reading
from scorer.rules.seats import Seat, all_seats
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
    game = find_game(record.get("game", GAME.slug))
    rules, problems = game.rules_from(record.get("rules"))
    assert not problems
    seats, dealer = tuple(record["seats"]), record.get("dealer")
    everybody = all_seats(len(seats))
    seat = None if dealer is None else Seat(seats.index(dealer))
    active = everybody if seat is None else game.active(seat, everybody, rules)
    return CARD_GAMES[game.slug].at_table(Table(rules, seats, active)), seat


def value_of(record: dict[str, Any]) -> Board:
    """The board of a request that can be read."""
    (table, dealer), row = table_of(record), CARD_GAMES[record.get("game", GAME.slug)]
    reading = Reading(table.seats, row.facts(table).deck.letters)
    begun = "auction" in row.keys
    board = read_board(row, record, table, dealer, reading, begun=begun)
    assert board is not None, reading.problems
    return board


@st.composite
def values(draw: st.DrawFn) -> Board:
    """Give any part of a lawful deal."""
    return value_of(draw(parts(draw(deals()))))


def begun(deal: tables.Deal) -> Board:
    """The board after the call, the hands known to those who test."""
    claim = {"caller": deal.caller, "bid": deal.bid, "called_card": deal.called}
    return value_of({**deal.request, "claim": claim, "hands": deal.hands, "tricks": []})


def offered(board: Board) -> list[Card]:
    """The cards that may come next: laid aside first, where there is a monte."""
    cards = discardable(board) if is_laying(board) else follow(board).playable
    return [board.deck.cards[number] for number in cards]


def is_laying(board: Board) -> bool:
    return may_discard(board) and not board.tricks


def on(board: Board, move: Card) -> Board:
    """Do what comes next."""
    return discard(board, move) if is_laying(board) else play(board, move)


def request(board: Board) -> dict[str, Any]:
    """Write a deal as a whole request to check it."""
    names, table, game = board.table.seats, board.table, board.facts.game
    seats = [names[seat] for seat in table.order or all_seats(len(names))]
    heading = {"game": game.slug, "rules": game.rules_named(table.rules), "seats": seats}
    return {**heading, **write_board(row_of(board), board, names)}


def card(text: str) -> Card:
    return Card.parse(text)


class Proofs(NamedTuple):
    """Everything that is proved of a deal."""

    partner: Proof | None
    result: Proof | None
    problems: tuple[Proof, ...]


def prove_all(board: Board) -> Proofs:
    """Prove who the partner was, how the deal ended, and every problem of it."""
    problems = tuple(prove_problem(board, finding) for finding in examined(board).problems)
    return Proofs(prove_partner(board), prove_result(board), problems)
