"""The games whose deals can be written down card by card: what differs between them.

This is the entry to the cards for the rest of the program. To add a game, add a row. Moves are
refused with their reasons: a player may play any card not known to be missing; not to follow suit
is only a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from scorer.cards import call, chiamata, sides
from scorer.cards.board import Board, Facts
from scorer.cards.card_records import CardGame, read_play, stored_names, write_play
from scorer.cards.faults import DealProof
from scorer.cards.line import follow
from scorer.errors import InvalidError, Problem
from scorer.games import briscola, briscola_chiamata, maraffone, traversone, tressette
from scorer.games.maraffone import MaraffoneSheet
from scorer.games.traversone import TraversoneSheet
from scorer.games.tressette import TressetteSheet
from scorer.rules.cards import Card, card_letters, card_name
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


def play(board: Board, card: Card) -> Board:
    """Play the next card; raise InvalidError if it can't be played. Discards may be unknown."""
    check_begun(board)
    if board.over:
        raise InvalidError.of("trick-count", "move", say("The deal is over."))
    return board.put(_allowed(board, card, follow(board).playable))


def discard(board: Board, card: Card) -> Board:
    """Lay a card aside for the caller, at any time; raise InvalidError if it can't be."""
    if not may_discard(board):
        raise InvalidError.of("discard-count", "move", say("No card is laid aside now."))
    return board.lay(_allowed(board, card, discardable(board)))


def may_discard(board: Board) -> bool:
    """Whether some of the cards laid aside are still unknown."""
    return board.claim is not None and len(board.aside or ()) < board.facts.monte


def discardable(board: Board) -> list[int]:
    """Return the cards that the caller may lay aside: hand and monte, if known."""
    line, caller, facts = follow(board), board.claim.caller, board.facts
    hand = board.hands.get(caller, ())
    if len(hand) == facts.each + facts.monte:
        return [card for card in line.unseen() if card in hand]
    return [card for card in line.unseen() if line.holders.get(card, caller) == caller]


def _allowed(board: Board, card: Card, allowed: Collection[int]) -> int:
    """Return the number of an allowed card; raise InvalidError with the reason for others."""
    line, number, letters = follow(board), board.deck.number(card), board.deck.letters
    if number is None:
        text = card_letters(card, letters)
        message = say("There is no card %(card)s in this deck.", card=text)
        raise InvalidError.of("card-not-in-deck", "card", message)
    if number in allowed:
        return number
    words, holder, drawn = card_name(card, letters), line.holders.get(number), board.stock_places
    code, message = "card-not-held", say("The %(card)s is in another hand.", card=words)
    if number in line.seen:
        code, message = "duplicate-card", say("The %(card)s was there before.", card=words)
    elif drawn and number in drawn and line.drawer(drawn[number])[1] >= board.index:
        code, message = "card-not-drawn", say("The %(card)s lies in the stock.", card=words)
    elif holder is not None:
        message = say("%(name)s has the %(card)s.", name=board.table.name(holder), card=words)
    raise InvalidError.of(code, "card", message)


def replay_steps(board: Board) -> list[Board]:
    """Return the board after each of its cards, from before the first to the last."""
    steps = [board]
    while board.tricks:
        board = board.back()
        if board.open_trick is None or board.open_trick.cards:
            steps.append(board)
    return steps[::-1]


def read_stored(
    begun: Board, play: Mapping[str, Any], sheet: Any
) -> tuple[Board | None, list[Problem]]:
    """Read the cards as they are stored beside a sheet: people by the numbers of their seats."""
    reading = Reading(stored_names(begun), begun.deck.letters)
    return read_play(row_of(begun), play, sheet, begun, reading), reading.problems


def stored_play(board: Board) -> dict[str, Any]:
    return write_play(row_of(board), board, stored_names(board))
