"""Cards and decks (rules.md A1).

Ranks have no order of their own: each deck lists its ranks from strong to weak, and what a card is
worth depends on its place in that list alone: 11, 10, 4, 3, 2, then nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Self

from scorer.texts import Text, as_it_is, listed, say

CARD_POINTS = (11, 10, 4, 3, 2)


class Suit(Enum):
    """A suit by its letter; whether C is cups or clubs, the deck tells."""

    C = "C"
    D = "D"
    S = "S"
    B = "B"
    H = "H"

    def __str__(self) -> str:
        return self.value


#: Of a rank, or another code, that is looked up.
NO_WORDS = as_it_is("")


class Rank(Enum):
    """A rank: its symbol, its name, alone and within a sentence, and how it is spelled.

    King, queen (or knight) and jack are K, Q, J in every deck.
    """

    words: Text
    the: Text
    spellings: list[str]

    ACE = "A", say("Ace"), say("the Ace"), "1 ASSO ACE"
    TWO = "2", say("Two"), say("the Two"), "DUE TWO"
    THREE = "3", say("Three"), say("the Three"), "TRE THREE"
    FOUR = "4", say("Four"), say("the Four"), "QUATTRO FOUR"
    FIVE = "5", say("Five"), say("the Five"), "CINQUE FIVE"
    SIX = "6", say("Six"), say("the Six"), "SEI SIX"
    SEVEN = "7", say("Seven"), say("the Seven"), "SETTE SEVEN"
    EIGHT = "8", say("Eight"), say("the Eight")
    NINE = "9", say("Nine"), say("the Nine")
    TEN = "10", say("Ten"), say("the Ten"), "DIECI TEN"
    JACK = "J", say("Jack"), say("the Jack"), "F FANTE JACK"
    QUEEN = "Q", say("Queen"), say("the Queen"), "C CAVALLO KNIGHT DONNA REGINA QUEEN"
    KING = "K", say("King"), say("the King"), "R RE KING"

    def __new__(
        cls, symbol: str, words: Text = NO_WORDS, the: Text = NO_WORDS, spellings: str = ""
    ) -> Self:
        rank = object.__new__(cls)
        rank._value_, rank.words, rank.the = symbol, words, the
        rank.spellings = [symbol, *spellings.split()]
        return rank

    def __str__(self) -> str:
        return str(self.value)


ITALIAN_SUITS = (Suit.C, Suit.D, Suit.S, Suit.B)
FRENCH_SUITS = (Suit.H, Suit.D, Suit.S, Suit.C)

RANK_NAMES = {spelling: rank for rank in Rank for spelling in rank.spellings}
PRINTED_FIGURES = {"8": Rank.JACK, "9": Rank.QUEEN, "10": Rank.KING}
#: The strongest two as the ladder numbers them (rules.md K2).
LADDER_NUMBERS = {"11": Rank.THREE, "12": Rank.ACE}
#: A Sicilian pack calls its jack a woman, and a French one its queen.
FRENCH_NAMES = ("DONNA", "REGINA")
_SUIT_WORDS = {
    Suit.C: "COPPE CUPS FIORI CLUBS",
    Suit.D: "DENARI COINS QUADRI DIAMONDS",
    Suit.S: "SPADE SPADES SWORDS PICCHE",
    Suit.B: "BASTONI BATONS",
    Suit.H: "CUORI HEARTS",
}
SUIT_NAMES = {word: suit for suit, words in _SUIT_WORDS.items() for word in words.split()} | {
    suit.value: suit for suit in Suit
}
OTHER_DECKS_CLUBS = {True: ("FIORI", "CLUBS"), False: ("COPPE", "CUPS")}
SPELLING = re.compile(
    f"({'|'.join(sorted(RANK_NAMES, key=len, reverse=True))})"
    f"(?: DI | OF | |-)?({'|'.join(sorted(SUIT_NAMES, key=len, reverse=True))})"
)


@dataclass(frozen=True, slots=True)
class Card:
    """One card: ``str(card)`` is its rank and suit, ``KC``; ``Card.parse`` reads it back."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card leniently (``kc``, ``Re di coppe``, ``1D``); raise ValueError otherwise.

        Digits are pips: whether ``10`` is the ten or the king printed with it, the deck knows.

        >>> [str(Card.parse(text)) for text in ("kc", "Re di coppe", "1D")]
        ['KC', 'KC', 'AD']
        >>> all(Card.parse(str(card)) == card for card in DECKS["italian-40"].cards)
        True
        """
        match = SPELLING.fullmatch(" ".join(text.upper().split()))
        if match is None:
            raise ValueError(text)
        return cls(RANK_NAMES[match[1]], SUIT_NAMES[match[2]])

    def write_wire(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Deck:
    """A pack of cards: its suits, and its ranks from strong to weak.

    With ``ladder``, the numbers 11 and 12 also name ranks, as tables that bid ranks write them.
    Its tables are made once: reading and solving a deal looks cards up thousands of times.
    """

    slug: str
    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    ladder: bool = False

    @cached_property
    def strength(self) -> dict[Rank, int]:
        """The place of each rank: 0 is the strongest."""
        return {rank: place for place, rank in enumerate(self.ranks)}

    @cached_property
    def card_points(self) -> dict[Rank, int]:
        return {rank: ([*CARD_POINTS, *[0] * 5])[place] for place, rank in enumerate(self.ranks)}

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Return every card of the deck, suit by suit, from strong to weak."""
        return tuple(Card(rank, suit) for suit in self.suits for rank in self.ranks)

    @property
    def italian(self) -> bool:
        """Whether the suits are cups, coins, swords and batons."""
        return Suit.B in self.suits

    @property
    def rank_list(self) -> Text:
        """The ranks from strong to weak, ``A 3 K``.

        >>> print(DECKS["italian-40"].rank_list)
        A 3 K Q J 7 6 5 4 2
        """
        return listed((rank_letter(rank, self) for rank in self.ranks), " ")

    @cached_property
    def names(self) -> dict[str, Rank]:
        """Return the names of each rank; 8, 9 and 10 are printed on Italian figures."""
        numbered = self.ladder and self.ranks[:2] == (Rank.ACE, Rank.THREE)
        names = {
            **RANK_NAMES,
            **(PRINTED_FIGURES if self.italian else {}),
            **(LADDER_NUMBERS if numbered else {}),
        }
        out = FRENCH_NAMES if self.italian else ()
        return {
            name: rank for name, rank in names.items() if rank in self.strength and name not in out
        }

    def rank(self, text: str) -> Rank:
        rank = self.names.get(text.strip().upper())
        if rank is None:
            raise ValueError(text)
        return rank

    def card(self, text: str) -> Card:
        """Read a card of this deck leniently; raise ValueError for one it doesn't have.

        A French deck may also be written down with the four Italian letters. The letter C is cups
        in one deck and clubs in the other: the words must be those of this deck.

        >>> print(DECKS["italian-40"].card("10c"), DECKS["french-no-8-9-10"].card("Donna di fiori"))
        KC QC
        """
        name = text.strip().upper()
        french = self.italian and name.startswith(FRENCH_NAMES)
        if french or name.endswith(OTHER_DECKS_CLUBS[self.italian]):
            raise ValueError(text)
        card = Card.parse(text)
        rank = self.rank(str(card.rank))
        if card.suit not in {*self.suits, *([] if self.italian else ITALIAN_SUITS)}:
            raise ValueError(text)
        return Card(rank, card.suit)

    def most_points(self, count: int) -> int:
        """Return the most card points that any ``count`` cards can hold (rules.md C2).

        >>> DECKS["italian-40"].most_points(4), DECKS["italian-40"].most_points(40)
        (44, 120)
        """
        worths = sorted((self.card_points[card.rank] for card in self.cards), reverse=True)
        return sum(worths[:count])


def _ranks(symbols: str) -> tuple[Rank, ...]:
    return tuple(Rank(symbol) for symbol in symbols.split())


DECKS = {
    deck.slug: deck
    for deck in (
        Deck("italian-40", ITALIAN_SUITS, _ranks("A 3 K Q J 7 6 5 4 2")),
        Deck("french-no-8-9-10", FRENCH_SUITS, _ranks("A 3 K Q J 7 6 5 4 2")),
        Deck("french-no-7-8-9", FRENCH_SUITS, _ranks("A 10 K Q J 6 5 4 3 2")),
        Deck("no-twos-36", ITALIAN_SUITS, _ranks("A 3 K Q J 7 6 5 4")),
        Deck("no-fours-36", ITALIAN_SUITS, _ranks("A 3 K Q J 7 6 5 2")),
    )
}

#: The same decks where ranks are bid.
LADDER_DECKS = {slug: replace(deck, ladder=True) for slug, deck in DECKS.items()}

#: The figures of an Italian deck: a Q is a knight there, and Italian has letters of its own.
KNIGHT, THE_KNIGHT = say("Knight"), say("the Knight")
FIGURE_LETTERS = {Rank.KING: say("K"), Rank.QUEEN: say("Q"), Rank.JACK: say("J")}
SUIT_WORDS: dict[bool, dict[Suit, Text]] = {
    True: {Suit.C: say("cups"), Suit.D: say("coins"), Suit.S: say("swords"), Suit.B: say("batons")},
    False: {
        Suit.H: say("hearts"),
        Suit.D: say("diamonds"),
        Suit.S: say("spades"),
        Suit.C: say("clubs"),
        Suit.B: say("batons"),
    },
}


def rank_name(rank: Rank, deck: Deck) -> Text:
    """Name a rank as its deck calls it: below the king a knight, or a queen."""
    return KNIGHT if deck.italian and rank is Rank.QUEEN else rank.words


def the_rank(rank: Rank, deck: Deck) -> Text:
    """Name a rank within a sentence: ``the King``."""
    return THE_KNIGHT if deck.italian and rank is Rank.QUEEN else rank.the


def rank_letter(rank: Rank, deck: Deck) -> Text:
    """Write a rank as its deck does: ``K``, which is ``R`` on Italian cards in Italian."""
    letter = FIGURE_LETTERS.get(rank) if deck.italian else None
    return letter or as_it_is(str(rank))


def card_letters(card: Card, deck: Deck) -> Text:
    """Write a card as its deck does: ``KC``, which is ``RC`` on Italian cards in Italian."""
    return listed((rank_letter(card.rank, deck), str(card.suit)), "")


def card_name(card: Card, deck: Deck) -> Text:
    """Name a card in words, ``King of cups``, as its deck calls it.

    >>> print(card_name(Card.parse("KC"), DECKS["italian-40"]))
    King of cups
    """
    return _of_suit(rank_name(card.rank, deck), card, deck)


def the_card(card: Card, deck: Deck) -> Text:
    """Name a card within a sentence: ``the King of cups``."""
    return _of_suit(the_rank(card.rank, deck), card, deck)


def _of_suit(rank: Text, card: Card, deck: Deck) -> Text:
    return say("%(rank)s of %(suit)s", rank=rank, suit=SUIT_WORDS[deck.italian][card.suit])
