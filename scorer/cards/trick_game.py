"""Cards by number: a deck, and the piles of cards that were written down.

The cards of a deck are numbered suit by suit, from strong to weak, so that whole deals are looked
up in tables. ``UNREAD`` stands for a card that was written down and can't be read: it is worth
nothing and beats nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import Any, NamedTuple

from scorer.rules.cards import DECKS, ITALIAN_SUITS, Card, Deck, Suit
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, join, read_seat, unknown_keys
from scorer.texts import say

UNREAD = -1


class Stock(NamedTuple):
    """The cards drawn after the tricks, the winner first; ``places`` are known ones, from 0."""

    size: int
    places: Mapping[int, int]


@cache
def turns_of(players: tuple[Seat, ...]) -> Mapping[Seat, tuple[Seat, ...]]:
    """Return the order of play for each leader."""
    return {seat: players[place:] + players[:place] for place, seat in enumerate(players)}


class CardNumbers(dict[str, int]):
    """Numbers of cards by their usual spelling; other spellings are read when looked up."""

    def __init__(self, deck: Deck, cards: Sequence[Card]) -> None:
        super().__init__({str(card): number for number, card in enumerate(cards)})
        self._deck = deck

    def __missing__(self, text: object) -> int:
        """Read a card leniently; raise TypeError for anything but a string."""
        if not isinstance(text, str):
            raise TypeError(text)
        try:
            return self[str(self._deck.card(text))]
        except ValueError:
            return UNREAD


class SuitLetters(NamedTuple):
    """How the suits are written: the numbers of the cards, and the deck with their names."""

    pack: frozenset[int]
    deck: Deck


class NumberedDeck:
    """A deck by number; a French one may be written with Italian letters, and has batons too."""

    def __init__(self, deck: Deck) -> None:
        """Number the cards, and work out once what each is worth and which it beats."""
        self.suits = deck.suits if deck.italian else (*deck.suits, Suit.B)
        self.height = len(deck.ranks)
        self.cards = tuple(Card(rank, suit) for suit in self.suits for rank in deck.ranks)
        self.numbers = CardNumbers(deck, self.cards)
        self.points = (*(deck.card_points[card.rank] for card in self.cards), 0)
        self.letters = self._letters(deck)
        self.italian_letters = self._letters(replace(deck, suits=ITALIAN_SUITS))
        self.packs = (self.letters.pack, self.italian_letters.pack)
        self._strengths = {
            trump: [self._strengths_of(trump, led) for led in range(len(self.cards))]
            for trump in (None, *range(len(self.suits)))
        }

    def _letters(self, deck: Deck) -> SuitLetters:
        return SuitLetters(frozenset(self.numbers[str(card)] for card in deck.cards), deck)

    def _strengths_of(self, trump: int | None, led: int) -> list[int]:
        """Return each card's strength in a trick as a trump, in the suit led, or as neither."""
        bonus = {led // self.height: self.height, trump: 2 * self.height}
        ranked = [
            bonus.get(number // self.height, 0) - number % self.height
            for number in range(len(self.cards))
        ]
        return [*(max(0, strength) for strength in ranked), 0]

    def number(self, card: Card) -> int:
        """Return the number of a card; ``UNREAD`` for one that the deck doesn't have."""
        return self.numbers.get(str(card), UNREAD)

    def suit_of(self, number: int) -> int:
        return number // self.height

    def script_cards(self, pack: Iterable[int]) -> dict[str, list[int]]:
        """Write cards for a script: the suit, the place in it from the strongest, the points."""
        return {
            str(self.cards[card]): [self.suit_of(card), card % self.height, self.points[card]]
            for card in pack
        }

    def weaker(self, number: int) -> range:
        return range(number + 1, (self.suit_of(number) + 1) * self.height)

    def strengths(self, trump: int | None, led: int) -> Sequence[int]:
        """Return each card's strength after one was led; 0 for other suits but trumps."""
        return self._strengths[trump][led]

    def trick_results(
        self, tricks: Iterable[Sequence[int]], trump: int | None
    ) -> list[tuple[int, int]]:
        """Return the index of the winning card and the card points of each complete trick."""
        by_lead, points, results = self._strengths[trump], self.points, []
        for cards in tricks:
            strengths, best, strongest, worth = by_lead[cards[0]], -1, UNREAD, 0
            for card in cards:
                worth += points[card]
                if strengths[card] > best:
                    best, strongest = strengths[card], card
            results.append((cards.index(strongest), worth))
        return results

    def letters_of(self, cards: Iterable[int]) -> SuitLetters:
        """Find out in which letters French cards are written; C is clubs, or else cups.

        Only French letters have hearts, only Italian ones batons: the more frequent of the two
        decides.
        """
        if self.letters.deck.italian:
            return self.letters
        suits = Counter(map(self.suit_of, cards))
        hearts, batons = (suits[self.suits.index(suit)] for suit in (Suit.H, Suit.B))
        return self.italian_letters if batons > hearts else self.letters


NUMBERED_DECKS = {slug: NumberedDeck(deck) for slug, deck in DECKS.items()}


TRICK_KEYS = frozenset({"leader", "cards", "winner"})
MOST_TRICKS = 20
MOST_CARDS = 40
MOST_PEOPLE = 100


class CardPile(NamedTuple):
    """Cards that lie together, by number: a trick, a hand, discards.

    A trick lies in the order it was played, and may say who led it and who won it. ``unread`` has
    the text of unreadable cards.
    """

    cards: tuple[int, ...]
    leader: Seat | None = None
    winner: Seat | None = None
    unread: tuple[str, ...] = ()

    def texts(self, deck: NumberedDeck) -> list[str]:
        """Write the cards; what couldn't be read stays as it was written."""
        unread = iter(self.unread)
        return [next(unread) if card == UNREAD else str(deck.cards[card]) for card in self.cards]

    def in_letters(self, letters: SuitLetters, deck: NumberedDeck) -> CardPile:
        """Leave the cards of other letters unread."""
        cards = tuple(card if card in letters.pack else UNREAD for card in self.cards)
        unread = compress(self.texts(deck), [card == UNREAD for card in cards])
        return self._replace(cards=cards, unread=tuple(unread))

    def write_trick(self, deck: NumberedDeck, names: Sequence[str]) -> Any:
        """Write a trick as ``PileReader`` takes it: its cards, and who led or won it if told."""
        who = {"leader": self.leader, "winner": self.winner}
        by_name = {key: names[seat] for key, seat in who.items() if seat is not None}
        return {**by_name, "cards": self.texts(deck)} if by_name else self.texts(deck)


EMPTY = CardPile(())


class PileReader(NamedTuple):
    """Read piles of cards from JSON; report faults of form with their paths."""

    reading: Reading
    deck: NumberedDeck

    def by_player(self, data: object, path: str) -> Iterator[tuple[Seat, Any]]:
        """Read an object whose keys are players' names."""
        if not isinstance(data, dict):
            self.reading.fault("wrong-type", path, say("An object with players' names is needed."))
            return
        if len(data) > MOST_PEOPLE:
            message = say("There are too many people for a table.")
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
            self.reading.fault("trick-count", "tricks", say("There are too many tricks."))
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
