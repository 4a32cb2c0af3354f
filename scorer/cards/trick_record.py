"""The cards of a deal as they were written down: hands, tricks, cards laid aside (contract.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from scorer.cards.trick_game import UNREAD, NumberedDeck, SuitLetters
from scorer.rules.cards import the_card
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, join, read_seat, unknown_keys
from scorer.texts import Text, say

TRICK_KEYS = frozenset({"leader", "cards", "winner"})
MOST_TRICKS = 20
MOST_CARDS = 40
MOST_PEOPLE = 100


class CardPile(NamedTuple):
    """Cards that lie together, by number: a trick, a hand, discards.

    A trick lies in the order it was played, and may say who led it and who won it. ``unread`` is
    what was written where a card can't be read.
    """

    cards: tuple[int, ...]
    leader: Seat | None = None
    winner: Seat | None = None
    unread: tuple[str, ...] = ()

    def texts(self, deck: NumberedDeck) -> list[str]:
        """Write the cards; what couldn't be read stays as it was written."""
        unread = iter(self.unread)
        return [next(unread) if card == UNREAD else str(deck.cards[card]) for card in self.cards]

    def write_trick(self, deck: NumberedDeck, names: Sequence[str]) -> Any:
        """Write a trick as ``PileReader`` takes it: its cards, and who led or won it if told."""
        who = {"leader": self.leader, "winner": self.winner}
        by_name = {key: names[seat] for key, seat in who.items() if seat is not None}
        return {**by_name, "cards": self.texts(deck)} if by_name else self.texts(deck)


EMPTY = CardPile(())


class CardRecord(NamedTuple):
    """The cards of a deal as written down; a trick that nobody remembers is None.

    The ``stock`` lies in the order in which it is drawn from.
    """

    hands: Mapping[Seat, CardPile]
    discards: CardPile | None
    tricks: tuple[CardPile | None, ...]
    deck: NumberedDeck
    letters: SuitLetters
    stock: CardPile | None = None

    def piles(self) -> Iterator[tuple[dict[str, object], CardPile]]:
        """Every pile of played cards, with where it is; the tricks count from 1."""
        for number, trick in enumerate(self.tricks, start=1):
            if trick is not None:
                yield {"trick": number}, trick
        if self.discards is not None:
            yield {"discards": True}, self.discards

    def say_the_card(self, number: int) -> Text:
        """Say a card within a sentence, in the words of this record."""
        return the_card(self.deck.cards[number], self.letters.deck)

    def in_letters(self, letters: SuitLetters) -> CardRecord:
        """Leave the cards of other letters unread."""

        def known(pile: CardPile) -> CardPile:
            cards = tuple(card if card in letters.pack else UNREAD for card in pile.cards)
            unread = compress(pile.texts(self.deck), [card == UNREAD for card in cards])
            return pile._replace(cards=cards, unread=tuple(unread))

        return CardRecord(
            hands={seat: known(hand) for seat, hand in self.hands.items()},
            discards=None if self.discards is None else known(self.discards),
            tricks=tuple(None if trick is None else known(trick) for trick in self.tricks),
            deck=self.deck,
            letters=letters,
        )


class PileReader(NamedTuple):
    """Reads piles of cards from JSON; faults of form go to the reading, each with its path."""

    reading: Reading
    deck: NumberedDeck

    def by_player(self, data: object, path: str) -> Iterator[tuple[Seat, Any]]:
        """Read an object whose keys are players' names."""
        if not isinstance(data, dict):
            self.reading.fault("wrong-type", path, say("An object with players' names is needed."))
            return
        if len(data) > MOST_PEOPLE:
            message = say("So many people don't fit around a table.")
            self.reading.fault("seats-count", path, message)
            return
        for name, value in data.items():
            seat = read_seat(name, self.reading, join(path, name))
            if seat is not None:
                yield seat, value

    def hands(self, data: object) -> dict[Seat, CardPile]:
        piles = {
            seat: self.pile(cards, join("hands", self.reading.names[seat]))
            for seat, cards in self.by_player(data, "hands")
        }
        return {seat: pile for seat, pile in piles.items() if pile is not None}

    def tricks(self, data: dict[str, Any]) -> tuple[CardPile | None, ...]:
        """Read the tricks of a record: lists of cards, or objects with a leader or a winner."""
        tricks = data.get("tricks")
        if "tricks" not in data:
            self.reading.fault("missing-key", "tricks", say("This answer is missing."))
        elif not isinstance(tricks, list):
            self.reading.fault("wrong-type", "tricks", say("A list of tricks is needed."))
        elif len(tricks) > MOST_TRICKS:
            self.reading.fault("trick-count", "tricks", say("No deal has so many tricks."))
        else:
            return tuple([self._trick(trick, f"tricks[{i}]") for i, trick in enumerate(tricks)])
        return ()

    def _trick(self, trick: object, path: str) -> CardPile | None:
        if not isinstance(trick, dict):
            return self.pile(trick, path)
        unknown_keys(trick, TRICK_KEYS, self.reading, path)
        if "cards" not in trick:
            self.reading.fault("missing-key", f"{path}.cards", say("This answer is missing."))
        pile = self.pile(trick.get("cards"), f"{path}.cards")
        leader, winner = (
            None if trick.get(key) is None else read_seat(trick[key], self.reading, f"{path}.{key}")
            for key in ("leader", "winner")
        )
        return None if pile is None else pile._replace(leader=leader, winner=winner)

    def pile(self, texts: object, path: str) -> CardPile | None:
        """Read a list of cards; a card that can't be read is kept as it was written."""
        if texts is None:
            return None
        listed = texts if isinstance(texts, list) else None
        if listed is not None and len(listed) > MOST_CARDS:
            message = say("The pack has fewer cards than that.")
            self.reading.fault("too-many-cards", path, message)
            return None
        try:
            cards = None if listed is None else tuple(map(self.deck.numbers.__getitem__, listed))
        except TypeError:
            cards = None
        if listed is None or cards is None:
            self.reading.fault("wrong-type", path, say("A list of cards is needed: [7B, 2D]."))
            return None
        if UNREAD in cards:
            return CardPile(cards, unread=tuple(compress(listed, [n == UNREAD for n in cards])))
        return CardPile(cards)
