"""The cards of a deal as a value: cards by number, what is known of the play, and its moves.

In the words of chess and bridge programs this is a *board*; the ``Deal`` of an evening has the
sheet. A card is its number in the deck, suit by suit from strong to weak; a number beyond the deck
is a card that couldn't be read, whose text is in ``Board.unread``. All but the table may be
unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeVar

from scorer.games.briscola_chiamata.bids import Bid
from scorer.rules.cards import Card, Deck, Suit, the_card
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat
from scorer.texts import Text

T = TypeVar("T")

#: The suits of a French deck in Italian letters, in its own order.
WRITTEN_SUITS = (Suit.D, Suit.S, Suit.C, Suit.B)


class CardDeck:
    """The cards of a deck by number; ``letters`` is the deck with the suits as they are written.

    A French deck may be written with the Italian letters: then it is a deck of its own.
    """

    def __init__(self, deck: Deck, *, italian_letters: bool = False) -> None:
        self._reads = deck
        self.letters = replace(deck, suits=WRITTEN_SUITS) if italian_letters else deck
        self.height, self.cards = len(deck.ranks), self.letters.cards
        self.numbers = {str(card): number for number, card in enumerate(self.cards)}
        self.points = [deck.card_points[card.rank] for card in self.cards]
        self.pack = frozenset(range(len(self.cards)))

    def spelling(self, text: str) -> str:
        """Return the usual spelling of a card in any letters; the text itself if it is no card."""
        card = None if text in self.numbers else self._card(text)
        return text if card is None else str(card)

    def _card(self, text: str) -> Card | None:
        try:
            return self._reads.card(text)
        except ValueError:
            return None

    def as_written(self, texts: Iterable[str]) -> CardDeck:
        """Return the deck in the letters of these cards: batons are Italian, hearts French."""
        if self.letters.italian:
            return self
        suits = Counter(card.suit for card in map(self._card, texts) if card is not None)
        return card_deck(self._reads, italian_letters=suits[Suit.B] > suits[Suit.H])

    def number(self, card: Card) -> int | None:
        return self.numbers.get(str(card))

    def suit(self, card: int) -> int:
        return card // self.height

    def weaker(self, card: int) -> range:
        return range(card + 1, (self.suit(card) + 1) * self.height)

    def strength(self, card: int, led: int, trump: int | None) -> int:
        """Return the strength of a card in a trick; 0 if it can't take it."""
        suit, place = divmod(card, self.height)
        rank = self.height - place
        return rank + self.height if suit == trump else rank if suit == led else 0

    def result(self, cards: Sequence[int], trump: int | None) -> tuple[int, int]:
        """Return the place of the card that takes a trick, and the trick's card points."""
        led = self.suit(cards[0])
        strengths = [self.strength(card, led, trump) for card in cards]
        return strengths.index(max(strengths)), sum([self.points[card] for card in cards])


#: Each deck is numbered once.
card_deck = cache(CardDeck)


class Facts(NamedTuple):
    """All that differs between games in the play itself.

    Everybody is dealt ``each`` cards, whoever calls takes up the ``monte`` and lays as many aside;
    ``dead`` is the seat of a hand that nobody holds. ``trump_key`` is the part of a record that
    decides the trump, if the game has one. Points are counted in ``unit`` card points,
    ``last_worth`` are those of the last trick, ``target`` those of more than half where the sides
    are known before. One of the cards ``left_out``, if any, is not dealt.
    """

    game: Game[Any, Any]
    deck: CardDeck
    each: int
    tricks: int
    leads_first: Callable[[Board], Seat | None]
    follows: bool = False
    trump_key: str = ""
    monte: int = 0
    dead: Seat | None = None
    unit: int = 1
    last_worth: int = 0
    target: int = 0
    left_out: frozenset[int] = frozenset()


class PlayedTrick(NamedTuple):
    """A trick in the order it was played; it may say who led it and who won it."""

    cards: tuple[int, ...]
    leader: Seat | None = None
    winner: Seat | None = None


EMPTY = PlayedTrick(())
Calls = tuple[tuple[Seat, Bid | None], ...]


@dataclass(frozen=True)
class Board:
    """The cards of a deal, known in part or whole; a forgotten trick is None.

    ``trump_card`` is the card called or turned up, or one of the suit that was named, ``claim``
    what is written on the sheet, ``aside`` what the caller laid aside, ``stock`` what was drawn,
    ``totals`` the card points written down for each player. A ``claim`` of None means that no card
    is called yet. ``says_shown`` is set if people said that the caller showed the called card.
    """

    facts: Facts
    table: Table[Any]
    dealer: Seat | None = None
    claim: Any = None
    trump_card: int | None = None
    auction: Calls = ()
    hands: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    aside: tuple[int, ...] | None = None
    stock: tuple[int, ...] | None = None
    tricks: tuple[PlayedTrick | None, ...] = ()
    totals: Mapping[Seat, int] = field(default_factory=dict)
    says_shown: bool = False
    unread: tuple[str, ...] = field(default=(), compare=False)
    _computed: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def computed(self, function: Callable[[Board], T]) -> T:
        """Return what a function gives for this board; a proof asks the same many times."""
        if function not in self._computed:
            self._computed[function] = function(self)
        value: T = self._computed[function]
        return value

    @property
    def deck(self) -> CardDeck:
        return self.facts.deck

    def text(self, card: int) -> str:
        """Write a card; one that couldn't be read stays as it was written."""
        cards = self.deck.cards
        return str(cards[card]) if card < len(cards) else self.unread[card - len(cards)]

    def card_name(self, card: int) -> Text:
        """Name a card within a sentence, in the letters of this deal: the King of cups."""
        return the_card(self.deck.cards[card], self.deck.letters)

    @property
    def ready(self) -> bool:
        """Whether play can begin: what decides the trump, if anything does, is known."""
        decided = self.trump_card is not None or not self.facts.trump_key
        return self.claim is not None and decided

    @property
    def called(self) -> int:
        """The called card; raise ValueError before the call."""
        if self.trump_card is None:
            raise ValueError("no card is called yet")
        return self.trump_card

    @property
    def trump(self) -> int | None:
        return None if self.trump_card is None else self.deck.suit(self.trump_card)

    @property
    def takes_up(self) -> Seat | None:
        """Return who takes up the monte and lays as many cards aside."""
        return self.claim.caller if self.facts.monte and self.claim is not None else None

    @property
    def first_leader(self) -> Seat | None:
        """Return who must lead first, if known."""
        return self.facts.leads_first(self)

    def next_of_dealer(self) -> Seat | None:
        """Return the player after the dealer; without a dealer, the first to speak."""
        if self.dealer is not None:
            return self.table.after(self.dealer)
        return self.auction[0][0] if self.auction else None

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """Everybody who plays to the tricks in order, the dead hand last."""
        dead = self.facts.dead
        return self.table.active if dead is None else (*self.table.active, dead)

    @cached_property
    def turns(self) -> Mapping[Seat, tuple[Seat, ...]]:
        seats = self.players
        return {seat: seats[place:] + seats[:place] for place, seat in enumerate(seats)}

    @property
    def open_trick(self) -> PlayedTrick | None:
        """The last trick, if it is not over."""
        last = self.tricks[-1] if self.tricks else None
        return last if last is not None and len(last.cards) < len(self.players) else None

    @property
    def index(self) -> int:
        """The trick that the next card belongs to, from 0."""
        return len(self.tricks) - (self.open_trick is not None)

    @property
    def trick_number(self) -> int:
        """The number of the trick that the next card belongs to; of the last one at the end."""
        return self.index + (not self.over)

    @property
    def over(self) -> bool:
        """Whether every trick has been entered; cards laid aside may still be entered."""
        return self.index >= self.facts.tricks

    @property
    def complete(self) -> bool:
        """Whether all the cards of every trick are written down."""
        sizes = [0 if trick is None else len(trick.cards) for trick in self.tricks]
        return sizes == [len(self.players)] * self.facts.tricks

    @property
    def stock_size(self) -> int:
        return (self.facts.tricks - self.facts.each) * len(self.players)

    @property
    def stock_places(self) -> Mapping[int, int] | None:
        """The places of known cards in the stock; None where nothing is drawn."""
        no_trump = self.facts.trump_key and self.trump_card is None
        if no_trump or self.facts.tricks == self.facts.each:
            return None
        size, cards = self.stock_size, self.stock or ()
        # A stock with a card too few or too many doesn't tell where any of them lay.
        places = {card: place for place, card in enumerate(cards) if len(cards) == size}
        turned_up = {} if self.trump_card is None else {self.trump_card: size - 1}
        return turned_up | places

    def put(self, card: int) -> Board:
        """Put the next card on the table."""
        trick = self.open_trick
        if trick is None:
            return replace(self, tricks=(*self.tricks, PlayedTrick((card,))))
        return self._with_last(trick._replace(cards=(*trick.cards, card)))

    def lead(self, seat: Seat) -> Board:
        """Say who leads the next trick, or led the open one."""
        if self.open_trick is not None:
            return self._with_last(self.open_trick._replace(leader=seat))
        return replace(self, tricks=(*self.tricks, PlayedTrick((), leader=seat)))

    def forget(self) -> Board:
        """Add a trick that nobody remembers."""
        return replace(self, tricks=(*self.tricks, None))

    def lay(self, card: int) -> Board:
        """Lay a card aside for the caller."""
        return replace(self, aside=(*(self.aside or ()), card))

    def back(self) -> Board:
        """Undo the last card, the leader or the forgotten trick; before the first, a card aside."""
        if not self.tricks:
            return self.take_up()
        last = self.tricks[-1]
        left = (
            EMPTY if last is None or not last.cards else PlayedTrick(last.cards[:-1], last.leader)
        )
        return self._with_last(None if left == EMPTY else left)

    def take_up(self) -> Board:
        """Undo the last card laid aside."""
        return replace(self, aside=(self.aside or ())[:-1] or None)

    def played(self) -> Board:
        """Return the board without the tricks at its end to which nobody has played."""
        tricks = list(self.tricks)
        while tricks and tricks[-1] is not None and not tricks[-1].cards:
            tricks.pop()
        return self if len(tricks) == len(self.tricks) else replace(self, tricks=tuple(tricks))

    def _with_last(self, trick: PlayedTrick | None) -> Board:
        return replace(self, tricks=(*self.tricks[:-1], *([] if trick is None else [trick])))
