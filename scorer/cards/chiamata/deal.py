"""A deal as a value: played forward card by card, and taken back again.

Whatever may be unknown when people write a deal down may be unknown here too: who dealt, the
auction, hands, discards, whole tricks. What follows from the rest is worked out by the same code
that examines a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scorer.cards import legal_cards
from scorer.cards.chiamata.evidence import weigh
from scorer.cards.chiamata.examination import judge
from scorer.cards.chiamata.record_reader import read_bidding, read_record, with_sheet
from scorer.cards.chiamata.tricks import (
    Calls,
    ChiamataTricks,
    Claim,
    DealRecord,
    dead_hand,
    in_turn,
    stored_names,
    with_dead_hand,
)
from scorer.cards.layout import lay_out
from scorer.cards.trick_game import NUMBERED_DECKS, UNREAD
from scorer.cards.trick_record import EMPTY, CardPile, CardRecord
from scorer.errors import InvalidError, Problem
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.game import Table
from scorer.rules.seats import Seat, next_seat
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorer.cards.chiamata.evidence import ChiamataLayout, Evidence
    from scorer.cards.chiamata.record_reader import Play, Sheet
    from scorer.cards.trick_game import NumberedDeck, SuitLetters
    from scorer.rules.cards import Card
    from scorer.rules.findings import Examined
    from scorer.rules.sheet import Reading
    from scorer.texts import Text


@dataclass(frozen=True)
class CardDeal:
    """A deal as far as it has been played and is known; a forgotten trick is None.

    Its table is one where the cards are played: by some rules a dead hand has a place there.
    ``claim`` is who called what, once somebody has, and what was written on the sheet;
    ``says_partner`` is whether that tells of a partner, or of none; ``says_shown`` is whether it
    does so because the caller was seen to show the called card.
    """

    table: Table[ChiamataRules]
    dealer: Seat | None = None
    auction: Calls = ()
    claim: Claim | None = None
    says_partner: bool = False
    player_points: Mapping[Seat, int] = field(default_factory=dict)
    hands: Mapping[Seat, CardPile] = field(default_factory=dict)
    discards: CardPile | None = None
    tricks: tuple[CardPile | None, ...] = ()
    says_shown: bool = False

    @classmethod
    def begun(cls, table: Table[ChiamataRules], dealer: Seat | None) -> CardDeal:
        """Make a deal of which nothing is known yet, for people at a table."""
        return cls(with_dead_hand(table), dealer)

    @classmethod
    def read(
        cls,
        data: dict[str, Any],
        table: Table[ChiamataRules],
        dealer: Seat | None,
        reading: Reading,
    ) -> CardDeal | None:
        """Read the body of a record (contract.md); before a card is called it has no claim.

        None when the reading has problems, each with its path.
        """
        if "claim" in data or data.get("tricks") or data.get("discards"):
            record = read_record(data, table, reading)
            return None if record is None else cls._of(record, table, dealer)
        auction, hands = read_bidding(data, table, reading)
        return None if reading.problems else cls(table, dealer, auction, hands=hands)

    @classmethod
    def _of(cls, record: DealRecord, table: Table[ChiamataRules], dealer: Seat | None) -> CardDeal:
        cards = record.cards
        return cls(
            table=table,
            dealer=dealer,
            auction=record.auction,
            claim=record.claim,
            says_partner=record.says_partner,
            player_points=record.player_points,
            hands=cards.hands,
            discards=cards.discards,
            # A last trick without a card, or a leader, says nothing.
            tricks=cards.tricks[:-1] if cards.tricks[-1:] == (EMPTY,) else cards.tricks,
        )

    def with_play(self, play: Play, sheet: Sheet, reading: Reading) -> CardDeal | None:
        """Read the cards of this deal as they are stored beside its sheet.

        The names of the reading are those in the play. Return None when there are problems in it.
        That the called card was shown counts until a sheet says who the partner was.
        """
        told = with_sheet(play, sheet, reading)
        deal = None if reading.problems else CardDeal.read(told, self.table, self.dealer, reading)
        if deal is not None and deal.may_show and play.get("shown") is True:
            return deal.show()
        return deal

    @property
    def players(self) -> tuple[Seat, ...]:
        """Everybody who plays to the tricks, in order of play."""
        return in_turn(self.table)

    @property
    def dead_hand(self) -> Seat | None:
        """Whose cards lie on the table and belong to nobody, where the rules have such a hand."""
        return dead_hand(self.table)

    @property
    def words_for_alone(self) -> Text:
        """What is said of a caller who has no partner."""
        return self.table.rules.without_partner

    @property
    def stored_names(self) -> tuple[str, ...]:
        """What everybody is called in a stored play."""
        return stored_names(self.table)

    @property
    def partner_by_showing(self) -> str | None:
        """Who becomes the partner if the caller shows the called card; None before the call."""
        return None if self.caller is None else self.table.name(self.table.after(self.caller))

    @property
    def deck(self) -> NumberedDeck:
        """The deck, its cards by number."""
        return NUMBERED_DECKS[self.table.rules.deck]

    @cached_property
    def letters(self) -> SuitLetters:
        """The pack's cards, and in which letters they are written."""
        piles = [*self.tricks, *self.hands.values(), self.discards]
        called = [] if self.claim is None else [self.deck.number(self.claim.called_card)]
        cards = [card for pile in piles if pile is not None for card in pile.cards]
        return self.deck.letters_of(called + cards)

    def cards(self, numbers: Iterable[int]) -> tuple[Card, ...]:
        """Return cards by their numbers."""
        return tuple([self.deck.cards[number] for number in numbers])

    @cached_property
    def record(self) -> DealRecord:
        """The deal as it is examined; raise InvalidError before a card is called."""
        if self.claim is None:
            raise _refused("no-call", say("Nobody has called a card yet."))
        return DealRecord(
            claim=self.claim,
            says_partner=self.says_partner,
            player_points=self.player_points,
            auction=self.auction,
            called=self.deck.number(self.claim.called_card),
            cards=CardRecord(self.hands, self.discards, self.tricks, self.deck, self.letters),
        )

    @cached_property
    def layout(self) -> ChiamataLayout:
        """Who led, played and won what; raise InvalidError before a card is called."""
        record = self.record
        return lay_out(record.cards, ChiamataTricks.of(record, self.table, self.dealer))

    @cached_property
    def evidence(self) -> Evidence:
        """What the cards prove so far."""
        return weigh(self.layout)

    @cached_property
    def examined(self) -> Examined:
        """What the deal proves, and what is wrong with it."""
        return judge(self.evidence, self.dealer)

    @property
    def caller(self) -> Seat | None:
        """Who called a card; None before that."""
        return None if self.claim is None else self.claim.caller

    @property
    def shown(self) -> bool:
        """Whether the caller had the called card, and has a partner for showing it."""
        if self.claim is None or self.claim.partner is None:
            return False
        side = self.evidence.side
        return side.holder == side.caller and self.claim.partner == side.neighbour

    @property
    def may_discard(self) -> bool:
        """Whether some of the caller's discards are still unknown."""
        laid_aside = 0 if self.discards is None else len(self.discards.cards)
        return self.claim is not None and laid_aside < self.table.rules.monte

    @property
    def discardable(self) -> tuple[Card, ...]:
        """The cards that the caller may lay aside."""
        return self.cards(self._discardable())

    def _discardable(self) -> list[int]:
        """List the numbers of those cards: of the caller's hand and the monte, if it is known."""
        layout, rules, caller = self.layout, self.table.rules, self.record.claim.caller
        hand = self.hands.get(caller)
        if hand is not None and len(hand.cards) == rules.cards_each + rules.monte:
            return [card for card in layout.unseen() if card in hand.cards]
        return legal_cards.not_of_others(layout, caller)

    @property
    def may_show(self) -> bool:
        """Whether the caller may be said to show the called card; a sheet decides it first."""
        monte = self.claim is not None and self.table.rules.monte > 0
        return monte and (self.says_shown or not self.says_partner)

    @property
    def open_trick(self) -> CardPile | None:
        """The last trick, if it is not over."""
        last = self.tricks[-1] if self.tricks else None
        return last if last is not None and len(last.cards) < len(self.players) else None

    @property
    def over(self) -> bool:
        """Whether every trick has been entered; cards laid aside may still be told."""
        return len(self.tricks) >= self.table.rules.cards_each and self.open_trick is None

    def show(self) -> CardDeal:
        """Show the called card: the caller's neighbour becomes the partner."""
        claim = self.record.claim
        neighbour = next_seat(claim.caller, self.table.active)
        told = replace(claim, partner=neighbour)
        return replace(self, claim=told, says_partner=True, says_shown=True)

    def hide(self) -> CardDeal:
        """Undo ``show``."""
        told = replace(self.record.claim, partner=None)
        return replace(self, claim=told, says_partner=False, says_shown=False)

    def discard(self, card: Card) -> CardDeal:
        """Add a card to the caller's discards; raise InvalidError if that is not allowed.

        Discards may be told at any time, also at the end of the deal.
        """
        if not self.may_discard:
            raise _refused("discard-count", say("No card is laid aside now."))
        number = legal_cards.number_of(card, self.layout, self._discardable())
        before = () if self.discards is None else self.discards.cards
        return replace(self, discards=CardPile((*before, number)))

    def take_up(self) -> CardDeal:
        """Undo the last discard."""
        return replace(self, discards=_without_last_card(self.discards))

    def play(self, card: Card) -> CardDeal:
        """Play the next card; raise InvalidError if it can't be played.

        Discards may stay unknown. Not following suit is a warning of the examination, and no reason
        to refuse a card.
        """
        if self.over:
            raise _refused("trick-count", say("The deal is over."))
        trick, allowed = self.open_trick, legal_cards.playable(self.layout)
        number = legal_cards.number_of(card, self.layout, allowed)
        if trick is None:
            return replace(self, tricks=(*self.tricks, CardPile((number,))))
        return self._with_last(trick._replace(cards=(*trick.cards, number)))

    def lead(self, seat: Seat) -> CardDeal:
        """Set the leader of the next trick, or of the open one, if it is unknown."""
        if self.open_trick is not None:
            return self._with_last(self.open_trick._replace(leader=seat))
        return replace(self, tricks=(*self.tricks, CardPile((), leader=seat)))

    def forget(self) -> CardDeal:
        """Add a trick that nobody remembers."""
        return replace(self, tricks=(*self.tricks, None))

    def back(self) -> CardDeal:
        """Undo the last card, the leader or the forgotten trick; an empty deal stays as it is."""
        if self.tricks:
            return self._with_last(_without_last_card(self.tricks[-1]))
        return self.take_up()

    def _with_last(self, trick: CardPile | None) -> CardDeal:
        last = () if trick is None else (trick,)
        return replace(self, tricks=(*self.tricks[:-1], *last))


def _without_last_card(pile: CardPile | None) -> CardPile | None:
    """Take the last card off a pile; return None if nothing is left of it."""
    if pile is None or not pile.cards:
        return None
    cards = pile.cards[:-1]
    left = CardPile(cards, pile.leader, unread=pile.unread[: cards.count(UNREAD)])
    return None if left == EMPTY else left


def _refused(code: str, message: Text) -> InvalidError:
    return InvalidError([Problem(code, "move", message)])
