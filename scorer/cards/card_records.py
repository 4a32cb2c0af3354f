"""Records: deals in JSON (contract.md), read with the path of every fault, and written.

A record has the cards and a claim. A *play* is what is stored of the cards beside a sheet, which
has the claim; together they are a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scorer.cards.board import EMPTY, Board, CardDeck, Facts, PlayedTrick
from scorer.errors import Problem
from scorer.rules.game import Table
from scorer.rules.questions import Reading, join, read_seat, unknown_keys
from scorer.rules.seats import Seat
from scorer.shapes import Trick, keys
from scorer.texts import Text, say

MOST_TRICKS, MOST_CARDS, MOST_PEOPLE = 20, 40, 100
TRICK_KEYS = keys(Trick)
#: The name of the dead hand in stored cards: its place moves when somebody joins.
STORED_DEAD = "dead"


class CardGame(NamedTuple):
    """A game whose deals can be written down card by card, and what only it reads.

    ``keys`` are the parts of its records, ``counts`` the numbers of players, None for all that its
    rules allow. ``trump_question`` asks what decides the trump, ``not_begun`` is the problem if
    that is missing. ``claim_of`` makes a claim of a sheet; it is None where ``beside``, which makes
    the body of a record of a play and its sheet, has written the claim there. ``plays`` says
    whether it is dealt and won as usual by some rules.
    """

    keys: frozenset[str]
    counts: tuple[int, ...] | None
    facts: Callable[[Table[Any]], Facts]
    claim_of: Callable[[Any], Any]
    beside: Callable[[Mapping[str, Any], Any, Reading], dict[str, Any]]
    read_claim: Callable[[Board, Mapping[str, Any], Reading, bool], Board]
    read_rest: Callable[[Board, Mapping[str, Any], Reading, bool], Board]
    write_rest: Callable[[Board, Sequence[str]], dict[str, Any]]
    trump_question: Text
    not_begun: Problem
    at_table: Callable[[Table[Any]], Table[Any]] = lambda table: table
    plays: Callable[[Any], bool] = lambda _rules: True


def by_player(data: object, path: str, reading: Reading) -> Iterator[tuple[Seat, Any]]:
    """Read an object whose keys are players' names."""
    if not isinstance(data, dict):
        reading.fault("wrong-type", path, say("An object with players' names is needed."))
    elif len(data) > MOST_PEOPLE:
        reading.fault("seats-count", path, say("There are too many people for a table."))
    else:
        for name, value in data.items():
            seat = read_seat(name, reading, join(path, name))
            if seat is not None:
                yield seat, value


class CardReader:
    """Read cards from JSON; faults of form get their paths, ``unread`` the texts of no card."""

    def __init__(self, reading: Reading, deck: CardDeck) -> None:
        self.reading, self.deck, self.unread = reading, deck, list[str]()

    def hands(self, data: object) -> dict[Seat, tuple[int, ...]]:
        hands = {
            seat: self.cards(cards, join("hands", self.reading.names[seat]))
            for seat, cards in by_player(data, "hands", self.reading)
        }
        return {seat: cards for seat, cards in hands.items() if cards is not None}

    def tricks(self, data: Mapping[str, Any]) -> tuple[PlayedTrick | None, ...]:
        """Read lists of cards, or objects with a leader or a winner; empty ones at the end go."""
        tricks, read = data.get("tricks"), list[PlayedTrick | None]()
        if "tricks" not in data:
            self.reading.fault("missing-key", "tricks", say("This answer is missing."))
        elif not isinstance(tricks, list):
            self.reading.fault("wrong-type", "tricks", say("A list of tricks is needed."))
        elif len(tricks) > MOST_TRICKS:
            self.reading.fault("trick-count", "tricks", say("There are too many tricks."))
        else:
            read = [self._trick(trick, f"tricks[{i}]") for i, trick in enumerate(tricks)]
        while read and read[-1] == EMPTY:
            read.pop()
        return tuple(read)

    def _trick(self, trick: object, path: str) -> PlayedTrick | None:
        if not isinstance(trick, dict):
            cards = self.cards(trick, path)
            return None if cards is None else PlayedTrick(cards)
        unknown_keys(trick, TRICK_KEYS, self.reading, path)
        if "cards" not in trick:
            self.reading.fault("missing-key", f"{path}.cards", say("This answer is missing."))
        cards = self.cards(trick.get("cards"), f"{path}.cards")
        leader, winner = (
            None if trick.get(key) is None else read_seat(trick[key], self.reading, f"{path}.{key}")
            for key in ("leader", "winner")
        )
        return None if cards is None else PlayedTrick(cards, leader, winner)

    def cards(self, texts: object, path: str) -> tuple[int, ...] | None:
        if texts is None:
            return None
        if isinstance(texts, list) and len(texts) > MOST_CARDS:
            message = say("The pack has fewer cards than that.")
            self.reading.fault("too-many-cards", path, message)
        elif isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            return tuple([self._card(text) for text in texts])
        else:
            self.reading.fault("wrong-type", path, say("A list of cards is needed: [7B, 2D]."))
        return None

    def _card(self, text: str) -> int:
        text = self.deck.spelling(text)
        if text in self.deck.numbers:
            return self.deck.numbers[text]
        if text not in self.unread:
            self.unread.append(text)
        return len(self.deck.cards) + self.unread.index(text)


def read_board(
    game: CardGame,
    data: Mapping[str, Any],
    table: Table[Any],
    dealer: Seat | None,
    reading: Reading,
    *,
    begun: bool = False,
    claim: Any = None,
) -> Board | None:
    """Read the body of a record; None when the reading has problems, each with its path.

    The board of a deal that is ``begun`` may lack the card called or turned up. A ``claim`` counts
    instead of the one in the record.
    """
    facts = game.facts(table)
    facts = facts._replace(deck=facts.deck.as_written(_texts(data)))
    reader = CardReader(reading, facts.deck)
    early = begun and not ("claim" in data or data.get("tricks") or data.get("discards"))
    board = Board(facts, table, dealer, claim=claim)
    board = replace(
        game.read_claim(board, data, reading, early),
        hands={} if data.get("hands") is None else reader.hands(data["hands"]),
        aside=reader.cards(data.get("discards"), "discards"),
        stock=reader.cards(data.get("stock"), "stock"),
        tricks=() if early else reader.tricks(data),
    )
    board = replace(game.read_rest(board, data, reading, early), unread=tuple(reader.unread))
    return None if reading.problems else board


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield every text in a record that should be a card."""
    claim, hands, tricks = (data.get(key) for key in ("claim", "hands", "tricks"))
    piles: list[Any] = [[claim.get("called_card")]] if isinstance(claim, dict) else []
    piles += [*hands.values()] if isinstance(hands, dict) else []
    piles += [data.get("discards"), *(tricks if isinstance(tricks, list) else [])]
    for pile in piles:
        cards = pile.get("cards") if isinstance(pile, dict) else pile
        if isinstance(cards, list):
            yield from (text for text in cards if isinstance(text, str))


def write_board(game: CardGame, board: Board, names: Sequence[str]) -> dict[str, Any]:
    """Write a board and who dealt as ``read_board`` takes them, for people of these names."""

    def written(cards: tuple[int, ...]) -> list[str]:
        return [board.text(card) for card in cards]

    def trick(pile: PlayedTrick | None) -> Any:
        if pile is None:
            return None
        who = {"leader": pile.leader, "winner": pile.winner}
        by_name = {key: names[seat] for key, seat in who.items() if seat is not None}
        cards = written(pile.cards)
        return {**by_name, "cards": cards} if by_name else cards

    document: dict[str, Any] = {} if board.dealer is None else {"dealer": names[board.dealer]}
    document |= game.write_rest(board, names)
    if board.stock is not None:
        document["stock"] = written(board.stock)
    if board.hands:
        document["hands"] = {names[seat]: written(cards) for seat, cards in board.hands.items()}
    if board.aside is not None:
        document["discards"] = written(board.aside)
    return document | {"tricks": [*map(trick, board.tricks)]}


def read_play(
    game: CardGame, play: Mapping[str, Any], sheet: Any, begun: Board, reading: Reading
) -> Board | None:
    """Read the cards that are written down beside a sheet, for the people of a board."""
    body, claim = game.beside(play, sheet, reading), game.claim_of(sheet)
    return read_board(game, body, begun.table, begun.dealer, reading, begun=True, claim=claim)


def write_play(game: CardGame, board: Board, names: Sequence[str]) -> dict[str, Any]:
    document = write_board(game, board, names)
    play = {key: document[key] for key in document if key not in ("dealer", "claim")}
    if board.trump_card is not None:
        play.setdefault(board.facts.trump_key, board.text(board.trump_card))
    return {**play, "shown": True} if board.says_shown else play


def stored_names(board: Board) -> tuple[str, ...]:
    """Name people by the numbers of their seats, as cards are stored."""
    names = tuple(map(str, range(len(board.table.seats))))
    return names if board.facts.dead is None else (*names[:-1], STORED_DEAD)
