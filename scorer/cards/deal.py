"""A deal of any trick game as a value: played forward card by card, and taken back again.

Dealer, hands, discards and whole tricks may be unknown, as when people write a deal down. The code
that examines a record infers what it can. A player may play any card not known to be missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from scorer.cards.layout import Layout, lay_out
from scorer.cards.solver.open_deal import OpenDeal
from scorer.cards.trick_game import EMPTY, UNREAD, CardPile, NumberedDeck, Stock, SuitLetters
from scorer.errors import InvalidError, Problem
from scorer.rules.cards import Card, card_letters, card_name, the_card
from scorer.rules.findings import DealProof, Finding
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading
from scorer.texts import Text, say

if TYPE_CHECKING:
    from scorer.cards.card_lines import DealText
    from scorer.cards.proofs import Proof


class PartKind(StrEnum):
    """The kinds of parts of a deal, in the order in which a proof drops them."""

    POINTS = "points"
    PARTNER = "partner"
    AUCTION = "auction"
    DEALER = "dealer"
    HAND = "hand"
    STOCK = "stock"
    DISCARDS = "discards"
    TRICK = "trick"


class DealPart(NamedTuple):
    """A part of a deal: a trick by its place from 0, a hand or a total by its seat."""

    kind: PartKind
    key: int = 0


PARTNER = DealPart(PartKind.PARTNER)


@dataclass(frozen=True)
class CardDeal(ABC):
    """A deal, played and known in part or whole; a forgotten trick is None.

    Its table has a seat for everybody who plays to the tricks, also for a dead hand. A game adds
    what comes before the first card, such as an auction, and moves other than playing in turn.

    ``keys`` are the parts of the game's records, ``counts`` the numbers of players whose cards can
    be written down, None for all that its rules allow. ``trump_key`` is the part of a play with the
    card called or turned up, ``trump_question`` asks for it; ``not_begun`` is raised if it is
    missing.

    >>> from scorer.cards import engine
    >>> from scorer.games import find_game
    >>> from scorer.rules.game import Table
    >>> from scorer.rules.seats import Seat, all_seats
    >>> tressette = find_game("tressette")
    >>> table = Table(tressette.preset, ("Ada", "Bea", "Ciro", "Dora"), all_seats(4))
    >>> deal = engine.new_deal(tressette, table, Seat(3))
    >>> for text in ("4D", "3D", "2D", "AD"):
    ...     deal = deal.play(Card.parse(text))
    >>> deal.layout.winners, deal.turn
    ([1], 1)
    >>> len(deal.replay_steps()), len(deal.back().open_trick.cards)
    (5, 3)
    >>> print(deal.write_text(), end="")
    rules: to-21
    seats: Ada, Bea, Ciro, Dora
    dealer: Dora
    1. 4D 3D 2D AD
    >>> deal.back().parse_beside(deal.write_text(), None) == deal
    True
    """

    slug: ClassVar[str]
    keys: ClassVar[frozenset[str]]
    counts: ClassVar[tuple[int, ...] | None] = None
    trump_key: ClassVar[str]
    trump_question: ClassVar[Text]
    not_begun: ClassVar[Problem]

    table: Table[Any]
    dealer: Seat | None = None
    hands: Mapping[Seat, CardPile] = field(default_factory=dict)
    discards: CardPile | None = None
    tricks: tuple[CardPile | None, ...] = ()

    @classmethod
    @abstractmethod
    def begun(cls, table: Table[Any], dealer: Seat | None) -> Self:
        """Make a deal without cards for the people at a table."""

    @staticmethod
    def at_table(table: Table[Any]) -> Table[Any]:
        """Return the table with a seat for every hand, after those of the people."""
        return table

    @classmethod
    @abstractmethod
    def examine_record(
        cls, data: dict[str, Any], table: Table[Any], dealer: Seat | None, reading: Reading
    ) -> DealProof | None:
        """Examine a record; None for one that can't be read, whose faults go to the reading."""

    @classmethod
    @abstractmethod
    def examine_play(
        cls,
        play: dict[str, Any],
        sheet: Any,
        table: Table[Any],
        dealer: Seat | None,
        reading: Reading,
    ) -> DealProof | None:
        """Examine the cards of a deal beside its sheet; None before the trump is known."""

    @classmethod
    @abstractmethod
    def read_open_deal(
        cls, data: dict[str, Any], table: Table[Any], dealer: Seat | None, reading: Reading
    ) -> OpenDeal | list[Finding] | None:
        """Read a record with all cards known; otherwise return what is missing or wrong.

        None for a record that can't be read, whose faults go to the reading.
        """

    @abstractmethod
    def open_cards(self) -> OpenDeal | list[Finding]:
        """Return the deal with all cards known, to be solved, or what is unknown or wrong."""

    @abstractmethod
    def prove(self) -> list[Proof]:
        """Prove the result and, in games with a hidden partner, who that is."""

    @abstractmethod
    def prove_problem(self, finding: Finding) -> Proof:
        """Prove one of the problems found by the examination."""

    @classmethod
    @abstractmethod
    def parse(cls, text: DealText) -> CardDeal:
        """Read the text of a deal by itself; raise InvalidError with the place of every problem."""

    @abstractmethod
    def parse_beside(self, text: str | DealText, sheet: Any) -> CardDeal:
        """Read the text of this deal, which has a sheet; raise InvalidError if it doesn't fit."""

    @abstractmethod
    def text_lines(self) -> Iterator[Text]:
        """Write the deal as ``parse_beside`` reads it, in any language: rules and seats first."""

    def write_text(self) -> str:
        """Write the deal as text, in English."""
        return "".join(f"{line}\n" for line in self.text_lines())

    def read_play(
        self, play: Mapping[str, Any], sheet: Any, names: Sequence[str]
    ) -> tuple[Self | None, list[Problem]]:
        """Read the cards as they were written down beside the sheet, for people of these names."""
        reading = Reading(names, self.deck.letters.deck)
        return self.with_play(play, sheet, reading), reading.problems

    def read_stored_play(
        self, play: Mapping[str, Any], sheet: Any
    ) -> tuple[Self | None, list[Problem]]:
        """Read the cards as they are stored: people by the numbers of their seats."""
        return self.read_play(play, sheet, self.stored_names)

    def stored_play(self) -> dict[str, Any]:
        return self.write_play(self.stored_names)

    @property
    @abstractmethod
    def deck(self) -> NumberedDeck:
        """The deck, its cards by number."""

    @property
    @abstractmethod
    def players(self) -> tuple[Seat, ...]:
        """Return everybody who plays to the tricks, in order of play."""

    @property
    @abstractmethod
    def trick_count(self) -> int:
        """Count the tricks of a whole deal."""

    @property
    @abstractmethod
    def dealt(self) -> int:
        """Count the cards that each is dealt at first."""

    @property
    @abstractmethod
    def trump(self) -> int | None:
        """The suit of trumps by its place in the deck, where there are any."""

    @property
    @abstractmethod
    def first_leader(self) -> Seat | None:
        """Return who must lead first, if known; the winner of a trick leads to the next one."""

    @property
    @abstractmethod
    def following(self) -> Collection[Seat]:
        """Return those who must follow suit."""

    @property
    def takes_up(self) -> Seat | None:
        """Return who takes up the monte and lays as many cards aside."""
        return None

    @property
    def stock(self) -> CardPile | None:
        """The stock as it is drawn, where it was written down."""
        return None

    @property
    def drawn(self) -> Stock | None:
        """The stock as far as it is known, where a card is drawn after each trick."""
        return None

    @property
    def aside(self) -> tuple[int, ...]:
        """The cards laid aside, as far as they are known."""
        return () if self.discards is None else self.discards.cards

    def hand_sizes(self, seat: Seat) -> Sequence[int]:
        """Return the sizes that a written hand may have, the usual one first."""
        taken_up = self.laid_aside if seat == self.takes_up else 0
        return self.dealt, self.dealt + taken_up

    @cached_property
    def layout(self) -> Layout[Self]:
        """Lay the deal out; raise InvalidError before the first card may be played."""
        if not self.trump_known:
            raise InvalidError([self.not_begun])
        return lay_out(self)

    @property
    def played(self) -> Self:
        """The deal without the tricks at its end to which nobody has played."""
        tricks = list(self.tricks)
        while tricks and tricks[-1] is not None and not tricks[-1].cards:
            tricks.pop()
        return replace(self, tricks=tuple(tricks))

    @property
    @abstractmethod
    def examined(self) -> DealProof:
        """Examine the deal: what it proves, and its faults."""

    @property
    def examined_fully(self) -> DealProof:
        """Examine it like a single record, over all ways to complete it."""
        return self.examined

    @abstractmethod
    def with_play(self, play: Mapping[str, Any], sheet: Any, reading: Reading) -> Self | None:
        """Read the cards of this deal as they are stored beside its sheet.

        The names of the reading are those in the play. Return None when there are problems in it.
        """

    @abstractmethod
    def write_play(self, names: Sequence[str]) -> dict[str, Any]:
        """Write the cards as ``with_play`` reads them, for people of these names."""

    @property
    @abstractmethod
    def trump_known(self) -> bool:
        """Whether play can begin: in games with a trump, the card that decides it is known."""

    @abstractmethod
    def asks_trump(self, sheet: Any) -> bool:
        """Whether the sheet leaves open which card was called or turned up."""

    @property
    def analysed_side(self) -> Text | None:
        """Return the side that the analysis asks about; None if it asks about a bid."""
        return None

    @property
    def lying_open(self) -> Text | None:
        """Return the cards that lie open before play begins, if any."""
        return None

    @property
    def side_names(self) -> Sequence[Text]:
        """Return the names on each side, where the sides are known."""
        return ()

    @property
    def role_names(self) -> Mapping[str, Text]:
        """The names of the roles in the deal."""
        return {}

    @property
    def laid_aside(self) -> int:
        """Count the cards that are laid aside and never played."""
        return 0

    @property
    def may_discard(self) -> bool:
        """Whether some of the cards laid aside are still unknown."""
        return False

    @property
    def may_show(self) -> bool:
        """Whether people may say, or take back, that the caller showed the called card."""
        return False

    @property
    def says_shown(self) -> bool:
        """Whether people have said that the caller showed it."""
        return False

    @abstractmethod
    def differences(self, sheet: Any) -> list[Finding]:
        """List every difference between the sheet and what the cards prove."""

    @abstractmethod
    def proved_sheet(self, sheet: Any, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the sheet as the cards prove it, with names; None if something is left open."""

    @property
    def stored_names(self) -> tuple[str, ...]:
        return tuple(map(str, range(len(self.table.seats))))

    @cached_property
    def letters(self) -> SuitLetters:
        """The pack's cards, and in which letters they are written."""
        return self.deck.letters_of(self.known_cards)

    def piles(self) -> Iterator[tuple[dict[str, object], CardPile]]:
        """Yield the tricks and the discards, each with its place; tricks are numbered from 1."""
        for number, trick in enumerate(self.tricks, start=1):
            if trick is not None:
                yield {"trick": number}, trick
        if self.discards is not None:
            yield {"discards": True}, self.discards

    def say_the_card(self, number: int) -> Text:
        """Write a card within a sentence, in the letters of this deal."""
        return the_card(self.deck.cards[number], self.letters.deck)

    @property
    def known_cards(self) -> Iterator[int]:
        """Yield every card that is written down anywhere."""
        piles = chain(self.tricks, self.hands.values(), [self.discards])
        return chain.from_iterable(pile.cards for pile in piles if pile is not None)

    @property
    def points_taken(self) -> Mapping[Seat, int]:
        """Return the card points that each player has certainly taken."""
        return self.layout.taken()[0]

    @property
    @abstractmethod
    def status(self) -> str:
        """Whether the result is known: ``open`` while it is not."""

    @property
    @abstractmethod
    def standing(self) -> Text:
        """Describe how far the result is known."""

    def role(self, seat: Seat) -> str:  # noqa: ARG002
        """Return a player's role in the deal, if there are roles and it is known."""
        return ""

    @property
    def points_aside(self) -> int | None:
        """The card points of the cards laid aside, once somebody has them."""
        return None

    @property
    def played_tricks(self) -> list[PlayedTrick]:
        layout = self.layout
        return [
            PlayedTrick(
                number=index + 1,
                forgotten=trick is None,
                played=played_cards(self, trick, layout.leaders[index]),
                winner=layout.winners[index],
                best=layout.places[index],
                worth=layout.worths[index],
            )
            for index, trick in enumerate(self.tricks)
        ]

    @abstractmethod
    def script_state(self) -> dict[str, Any] | None:
        """Write what a script needs to know of the deal, so that a tap sends no request.

        None if the deal has more than cards played in turn: hands, or faults.
        """

    @property
    def open_trick(self) -> CardPile | None:
        """The last trick, if it is not over."""
        last = self.tricks[-1] if self.tricks else None
        return last if last is not None and len(last.cards) < len(self.players) else None

    @property
    def over(self) -> bool:
        """Whether every trick has been entered; cards laid aside may still be entered."""
        return len(self.tricks) >= self.trick_count and self.open_trick is None

    @property
    def next_index(self) -> int:
        """The trick that the next card belongs to, from 0."""
        return len(self.tricks) - (self.open_trick is not None)

    @property
    def trick_number(self) -> int:
        """The number of the trick that the next card belongs to; of the last one at the end."""
        return self.next_index + (not self.over)

    @property
    def turn(self) -> Seat | None:
        """Return the next player; None if the leader is unknown, or the deal is over."""
        layout, last, trick = self.layout, len(self.tricks) - 1, self.open_trick
        if self.over:
            return None
        if trick is not None:
            return layout.player(last, len(trick.cards))
        return layout.next_leader(last) if self.tricks else self.first_leader

    @property
    def left(self) -> tuple[Card, ...]:
        """The cards that were not seen yet."""
        return self.cards(self.layout.unseen())

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards that may be played next; not to follow suit is only a warning."""
        seat, hands = self.turn, self.layout.hands
        if self.over:
            return ()
        if seat is None:
            drawn = [card for card in self.layout.unseen() if not self._is_in_stock(card)]
            return self.cards(drawn)
        if seat in hands:
            return self.cards(card for card in self.layout.unseen() if card in hands[seat])
        index, may_play = self.next_index, self.layout.may_play
        return self.cards(card for card in self.layout.unseen() if may_play(seat, card, index))

    def cards(self, numbers: Iterable[int]) -> tuple[Card, ...]:
        return tuple([self.deck.cards[number] for number in numbers])

    def number_of(self, card: Card, allowed: Collection[Card]) -> int:
        """Return the number of an allowed card; raise InvalidError with the reason for others."""
        number, deck = self.deck.number(card), self.letters.deck
        if card in allowed:
            return number
        if number not in self.letters.pack:
            message = say("There is no card %(card)s in this deck.", card=card_letters(card, deck))
            raise InvalidError.of("card-not-in-deck", "card", message)
        words, holder = card_name(card, deck), self.layout.holders.get(number)
        code, message = "card-not-held", say("The %(card)s is in another hand.", card=words)
        if number in self.layout.seen:
            code, message = "duplicate-card", say("The %(card)s was there before.", card=words)
        elif self._is_in_stock(number):
            code, message = "card-not-drawn", say("The %(card)s lies in the stock.", card=words)
        elif holder is not None:
            message = say("%(name)s has the %(card)s.", name=self.table.name(holder), card=words)
        raise InvalidError.of(code, "card", message)

    def _is_in_stock(self, card: int) -> bool:
        if self.drawn is None or card not in self.drawn.places:
            return False
        return self.layout.drawer(self.drawn.places[card])[1] >= self.next_index

    def play(self, card: Card) -> Self:
        """Play the next card; raise InvalidError if it can't be played. Discards may be unknown."""
        if self.over:
            raise InvalidError.of("trick-count", "move", say("The deal is over."))
        trick, number = self.open_trick, self.number_of(card, self.playable)
        if trick is None:
            return replace(self, tricks=(*self.tricks, CardPile((number,))))
        return self._with_last(trick._replace(cards=(*trick.cards, number)))

    def lead(self, seat: Seat) -> Self:
        """Set the leader of the next trick, or of the open one, if it is unknown."""
        if self.open_trick is not None:
            return self._with_last(self.open_trick._replace(leader=seat))
        return replace(self, tricks=(*self.tricks, CardPile((), leader=seat)))

    def forget(self) -> Self:
        """Add a trick that nobody remembers."""
        return replace(self, tricks=(*self.tricks, None))

    def back(self) -> Self:
        """Undo the last card, the leader or the forgotten trick; an empty deal stays as it is."""
        if self.tricks:
            return self._with_last(without_last_card(self.tricks[-1]))
        return self.undo_discard()

    def undo_discard(self) -> Self:
        return replace(self, discards=without_last_card(self.discards))

    def replay_steps(self) -> list[Self]:
        """Return the deal after each of its cards, from before the first to the last."""
        deal, steps = self, [self]
        while deal.tricks:
            deal = deal.back()
            if deal.open_trick is None or deal.open_trick.cards:
                steps.append(deal)
        return steps[::-1]

    def parts(self) -> Iterator[DealPart]:
        """Yield every part of the deal that a proof may leave out."""
        if self.dealer is not None:
            yield DealPart(PartKind.DEALER)
        yield from (DealPart(PartKind.HAND, seat) for seat in self.hands)
        if self.discards is not None:
            yield DealPart(PartKind.DISCARDS)
        for index, trick in enumerate(self.tricks):
            if trick is not None:
                yield DealPart(PartKind.TRICK, index)

    def only(self, kept: Collection[DealPart]) -> Self:
        hands = {part.key for part in kept if part.kind is PartKind.HAND}
        tricks = {part.key for part in kept if part.kind is PartKind.TRICK}
        return replace(
            self,
            dealer=self.dealer if DealPart(PartKind.DEALER) in kept else None,
            hands={seat: hand for seat, hand in self.hands.items() if seat in hands},
            discards=self.discards if DealPart(PartKind.DISCARDS) in kept else None,
            tricks=tuple([t if index in tricks else None for index, t in enumerate(self.tricks)]),
        )

    def without(self, part: DealPart) -> Self:
        return self.only([other for other in self.parts() if other != part])

    def worth_text(self, points: int) -> str:
        """Write card points as people count them."""
        return str(points)

    def _with_last(self, trick: CardPile | None) -> Self:
        last = () if trick is None else (trick,)
        return replace(self, tricks=(*self.tricks[:-1], *last))

    def write_cards(self, names: Sequence[str]) -> dict[str, Any]:
        """Write hands, discards and tricks as a record has them (contract.md)."""
        document: dict[str, Any] = {}
        if self.hands:
            document["hands"] = {
                names[seat]: pile.texts(self.deck) for seat, pile in self.hands.items()
            }
        if self.discards is not None:
            document["discards"] = self.discards.texts(self.deck)
        tricks = [
            None if trick is None else trick.write_trick(self.deck, names) for trick in self.tricks
        ]
        return {**document, "tricks": tricks}


def without_last_card(pile: CardPile | None) -> CardPile | None:
    if pile is None or not pile.cards:
        return None
    cards = pile.cards[:-1]
    left = CardPile(cards, pile.leader, unread=pile.unread[: cards.count(UNREAD)])
    return None if left == EMPTY else left


class PlayedCard(NamedTuple):
    """A card on the table and who played it, where that is known; an unread one is a ``text``."""

    seat: Seat | None
    card: Card | None
    text: str


class PlayedTrick(NamedTuple):
    """A trick as it lies on the table; one that nobody remembers has no cards there.

    ``best`` is the place of the card that takes it, ``worth`` the card points that its winner
    certainly gets.
    """

    number: int
    forgotten: bool
    played: tuple[PlayedCard, ...]
    winner: Seat | None
    best: int | None
    worth: int


def played_cards(
    deal: CardDeal, pile: CardPile | None, leader: Seat | None = None
) -> tuple[PlayedCard, ...]:
    """Show the cards of a pile, each with who played it where the leader is known."""
    if pile is None:
        return ()
    seats = repeat(None) if leader is None else deal.layout.turns[leader]
    return tuple(
        PlayedCard(seat, None if card == UNREAD else deal.deck.cards[card], text)
        for seat, card, text in zip(seats, pile.cards, pile.texts(deal.deck), strict=False)
    )
