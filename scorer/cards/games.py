"""The games whose deals can be written down card by card: what differs between them.

This is the entry to the cards for the rest of the program. To add a game, add a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from scorer.cards import call, chiamata, sides
from scorer.cards.board import Board, Facts
from scorer.cards.card_records import CardGame, read_play, stored_names, write_play
from scorer.cards.faults import DealProof
from scorer.errors import InvalidError, Problem
from scorer.games import briscola, briscola_chiamata, maraffone, traversone, tressette
from scorer.games.maraffone import MaraffoneSheet
from scorer.games.traversone import TraversoneSheet
from scorer.games.tressette import TressetteSheet
from scorer.rules.game import Game, Table
from scorer.rules.questions import Reading, unknown_keys
from scorer.rules.seats import Seat
from scorer.texts import say

NO_CHECK = Problem("no-check", "game", say("Tricks are not checked in this game."))
NO_SOLVE = Problem("no-solve", "game", say("Deals of this game are not solved."))
PARTS = frozenset({"claim", "hands", "tricks"})


def _of_sides(
    claim: type[Any],
    keys: set[str],
    counts: tuple[int, ...],
    facts: Callable[[Table[Any]], Facts],
    *,
    trump: str = "turned_up",
    plays: Callable[[Any], bool] = lambda _rules: True,
) -> CardGame:
    """Return the row of a game whose sides are known before the first card."""
    question = sides.TRUMP_QUESTIONS[trump]
    return CardGame(
        keys=PARTS | keys,
        counts=counts,
        facts=facts,
        claim_of=partial(sides.claim_of, claim),
        beside=lambda play, _sheet, _reading: {"tricks": [], **play},
        read_claim=partial(sides.read_answers, claim),
        read_rest=sides.read_trump,
        write_rest=sides.write_trump,
        trump_question=question,
        not_begun=Problem("no-trump", "move", question),
        plays=plays,
    )


CARD_GAMES = {
    briscola.GAME.slug: _of_sides(
        sides.BriscolaClaim,
        {"turned_up", "stock"},
        (2, 3, 4),
        sides.briscola_facts,
        plays=lambda rules: bool(rules.plain),
    ),
    tressette.GAME.slug: _of_sides(TressetteSheet, {"stock"}, (2, 4), sides.tressette_facts),
    maraffone.GAME.slug: _of_sides(
        MaraffoneSheet, {"trump"}, (4,), sides.maraffone_facts, trump="trump"
    ),
    traversone.GAME.slug: _of_sides(TraversoneSheet, set(), (3, 4, 5, 6), sides.traversone_facts),
    briscola_chiamata.GAME.slug: CardGame(
        keys=PARTS | {"auction", "discards", "called_card"},
        counts=None,
        facts=call.chiamata_facts,
        claim_of=lambda _sheet: None,
        beside=call.call_beside,
        read_claim=call.read_call,
        read_rest=call.settle_call,
        write_rest=call.write_call,
        trump_question=call.CALLED,
        not_begun=Problem("no-call", "move", say("Nobody has called a card yet.")),
        at_table=call.with_dead_hand,
    ),
}
ALL_KEYS = frozenset().union(*(game.keys for game in CARD_GAMES.values()))


def supports_cards(
    game: Game[Any, Any], players: int | None = None, rules: Any | None = None
) -> bool:
    """Return whether a game's deals can be written down card by card, for a number of players.

    Some ``rules`` of a game change how it is dealt or won, and then they can't.

    >>> from scorer.games import find_game
    >>> [supports_cards(find_game("tressette"), players) for players in (2, 3, 4)]
    [True, False, True]
    >>> supports_cards(find_game("scopa"))
    False
    """
    row = CARD_GAMES.get(game.slug)
    if row is None or not (rules is None or row.plays(rules)):
        return False
    return players is None or row.counts is None or players in row.counts


def card_game(
    game: Game[Any, Any],
    data: Mapping[str, Any],
    table: Table[Any],
    reading: Reading,
    without: Problem = NO_CHECK,
) -> CardGame | None:
    """Return the row of the game of a record, or a play, for a number of people.

    None if there is none; the reading gets the reason (``without`` for a game without cards) and
    the keys that only other games have.
    """
    row = CARD_GAMES.get(game.slug)
    if row is None:
        reading.problems.append(without)
        return None
    if not (ALL_KEYS - row.keys).isdisjoint(data):
        unknown_keys([key for key in data if key in ALL_KEYS], row.keys, reading, "")
    if supports_cards(game, len(table.active), table.rules):
        return row
    message = say("In this game, cards are not written down for this number of players.")
    if not row.plays(table.rules):
        message = say("By these rules, cards are not written down.")
    reading.fault("no-cards", "seats", message)
    return None


def row_of(board: Board) -> CardGame:
    return CARD_GAMES[board.facts.game.slug]


def at_table(game: Game[Any, Any], table: Table[Any]) -> Table[Any]:
    """Return the table with a seat for every hand: some rules deal more hands than people.

    The extra hands have seats after everybody's, and are not among those at the table.
    """
    row = CARD_GAMES.get(game.slug)
    return table if row is None else row.at_table(table)


def begin(game: Game[Any, Any], table: Table[Any], dealer: Seat | None) -> Board:
    """Return the board of a deal of the people at a table; no card is known yet."""
    row = CARD_GAMES[game.slug]
    table = row.at_table(table)
    board, reading = Board(row.facts(table), table, dealer), Reading(table.seats)
    return row.read_rest(row.read_claim(board, {}, reading, True), {}, reading, True)


def check_begun(board: Board) -> None:
    """Raise InvalidError if play can't begin yet."""
    if not board.ready:
        raise InvalidError([row_of(board).not_begun])


def examine(board: Board) -> DealProof:
    """Examine a deal: what it proves, and its faults; raise InvalidError before it has begun.

    If nobody said so, a called card may or may not have been shown.
    """
    check_begun(board)
    board = board.played()
    if not isinstance(board.claim, call.Claim):
        return sides.examine_sides(board)
    evidence = chiamata.weigh(board, may_be_shown=board.claim.shown is None)
    return chiamata.judge(chiamata.exactly(evidence))


def examined(board: Board) -> DealProof:
    """Examine the cards beside their sheet: the called card was shown only if somebody said so.

    The bounds are those of the counted cards.
    """
    if isinstance(board.claim, call.Claim):
        return chiamata.judge(chiamata.evidence_of(board))
    return examine(board)


def read_stored(
    begun: Board, play: Mapping[str, Any], sheet: Any
) -> tuple[Board | None, list[Problem]]:
    """Read the cards as they are stored beside a sheet: people by the numbers of their seats."""
    reading = Reading(stored_names(begun), begun.deck.letters)
    return read_play(row_of(begun), play, sheet, begun, reading), reading.problems


def stored_play(board: Board) -> dict[str, Any]:
    return write_play(row_of(board), board, stored_names(board))
