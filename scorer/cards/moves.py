"""The moves of a deal by the rules, each refused with its reason.

A player may play any card not known to be missing; not to follow suit is only a warning.
"""

from __future__ import annotations

from collections.abc import Collection

from scorer.cards.board import Board
from scorer.cards.games import check_begun
from scorer.cards.line import follow
from scorer.errors import InvalidError
from scorer.rules.cards import Card, card_letters, card_name
from scorer.texts import say


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
