"""A trick record as written down: claim, auction, hands, discards, tricks (contract.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING
from typing import Annotated
from typing import Any

from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.rules.cards import ITALIAN_SUITS
from scorer.rules.cards import Card
from scorer.rules.cards import Suit
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask
from scorer.rules.sheet import Reading
from scorer.rules.sheet import join
from scorer.rules.sheet import read
from scorer.rules.sheet import read_seat
from scorer.rules.sheet import unknown_keys
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.rules.game import Table

TRICK_KEYS = frozenset({"leader", "cards", "winner"})
MOST_TRICKS = 10
PASS = "pass"  # noqa: S105  # what a player says in the auction


@dataclass(frozen=True, slots=True)
class Claim:
    """What was written on the sheet, as far as it was: the record is compared with it."""

    caller: Annotated[Seat, Ask("Caller")]
    bid: Annotated[Bid, Ask("Bid")]
    called_card: Annotated[Card, Ask("Called card")]
    partner: Annotated[Seat | None, Ask("Partner")] = None
    card_points: Annotated[int | None, Ask("Card points of the caller's side", 0, PACK)] = None
    made: Annotated[bool | None, Ask("Made")] = None
    cappotto: Annotated[bool | None, Ask("Cappotto")] = None


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: its cards in playing order (None for one that can't be read), who led, who won."""

    cards: tuple[Card | None, ...]
    texts: tuple[str, ...]
    leader: Seat | None = None
    winner: Seat | None = None

    @property
    def known(self) -> tuple[Card, ...]:
        """The cards that could be read."""
        return tuple(card for card in self.cards if card is not None)


@dataclass(frozen=True, slots=True)
class Record:
    """A deal as it was written down; a trick that nobody remembers is None."""

    claim: Claim
    says_partner: bool
    player_points: Mapping[Seat, int]
    auction: tuple[tuple[Seat, Bid | None], ...] | None
    hands: Mapping[Seat, Trick]
    discards: Trick | None
    tricks: tuple[Trick | None, ...]
    suits: tuple[Suit, ...]


@dataclass(slots=True)
class Reader:
    """Reads a record; the faults of its form go to the reading, with their paths."""

    reading: Reading
    rules: ChiamataRules
    suits: tuple[Suit, ...] = field(default=())

    def record(self, data: dict[str, Any], table: Table[ChiamataRules]) -> Record | None:
        """Read the whole record; None when its form has faults."""
        before = len(self.reading.problems)
        self.suits = self._suits(data)
        claim, says_partner, points = self._claim(data)
        auction = self._auction(data.get("auction"))
        hands = self._hands(data.get("hands"))
        discards = self._pile(data.get("discards"), "discards", _cards_in_deck(self.rules))
        tricks = self._tricks(data)
        self._check_playing(claim, auction, table)
        if claim is None or len(self.reading.problems) > before:
            return None
        return Record(claim, says_partner, points, auction, hands, discards, tricks, self.suits)

    def _check_playing(
        self,
        claim: Claim | None,
        auction: tuple[tuple[Seat, Bid | None], ...] | None,
        table: Table[ChiamataRules],
    ) -> None:
        """Whoever sits the deal out neither calls nor bids."""
        told = (
            {} if claim is None else {"claim.caller": claim.caller, "claim.partner": claim.partner}
        )
        told |= {f"auction[{i}][0]": seat for i, (seat, _) in enumerate(auction or ())}
        for path, seat in told.items():
            if seat is not None and seat not in table.active:
                message = say("%(name)s sits this deal out.", name=table.name(seat))
                self.reading.fault("sits-out", path, message)

    def _suits(self, data: dict[str, Any]) -> tuple[Suit, ...]:
        """The letters of this record: French cards may be written down with the Italian ones."""
        deck = self.rules.cards
        if deck.italian or not _says_batons(data):
            return deck.suits
        return ITALIAN_SUITS

    def _claim(self, data: dict[str, Any]) -> tuple[Claim | None, bool, dict[Seat, int]]:
        if "claim" not in data:
            self.reading.fault("missing-key", "claim", say("This answer is missing."))
            return None, False, {}
        claim = data["claim"]
        if not isinstance(claim, dict):
            read(Claim, claim, self.reading, "claim")
            return None, False, {}
        points = self._player_points(claim.get("player_points"))
        told = {key: value for key, value in claim.items() if key != "player_points"}
        return read(Claim, told, self.reading, "claim"), "partner" in claim, points

    def _player_points(self, data: object) -> dict[Seat, int]:
        path = "claim.player_points"
        points: dict[Seat, int] = {}
        for name, value in self._named(data, path).items():
            if type(value) is not int:
                self.reading.fault("wrong-type", f"{path}.{name}", say("A whole number is needed."))
            elif not 0 <= value <= PACK:
                message = say("From %(low)s to %(high)s.", low=0, high=PACK)
                self.reading.fault("out-of-range", f"{path}.{name}", message)
            else:
                points[self.reading.seats[name]] = value
        return points

    def _named(self, data: object, path: str) -> dict[str, Any]:
        """Read an object whose keys are players' names; None is an empty one."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.reading.fault("wrong-type", path, say("An object with players' names is needed."))
            return {}
        known = {name: value for name, value in data.items() if name in self.reading.seats}
        for name in data.keys() - known.keys():
            message = say("Nobody called %(name)s plays here.", name=name)
            self.reading.fault("unknown-name", join(path, name), message)
        return known

    def _auction(self, data: object) -> tuple[tuple[Seat, Bid | None], ...] | None:
        if data is None:
            return None
        if not isinstance(data, list):
            self.reading.fault("wrong-type", "auction", say("A list of [name, bid] is needed."))
            return None
        calls = [self._call(call, f"auction[{i}]") for i, call in enumerate(data)]
        return tuple(call for call in calls if call is not None)

    def _call(self, call: object, path: str) -> tuple[Seat, Bid | None] | None:
        if not isinstance(call, list) or len(call) != 2:
            self.reading.fault("wrong-type", path, say("A call is a name and a bid: [name, bid]."))
            return None
        seat = read_seat(call[0], self.reading, f"{path}[0]")
        passed = isinstance(call[1], str) and call[1].strip().lower() == PASS
        bid = None if passed else Bid.read_wire(call[1], self.reading, f"{path}[1]")
        return None if seat is None or (bid is None and not passed) else (seat, bid)

    def _hands(self, data: object) -> dict[Seat, Trick]:
        hands = {}
        for name, cards in self._named(data, "hands").items():
            pile = self._pile(cards, f"hands.{name}", _cards_in_deck(self.rules))
            if pile is not None:
                hands[self.reading.seats[name]] = pile
        return hands

    def _tricks(self, data: dict[str, Any]) -> tuple[Trick | None, ...]:
        if "tricks" not in data:
            self.reading.fault("missing-key", "tricks", say("This answer is missing."))
            return ()
        tricks = data["tricks"]
        if not isinstance(tricks, list):
            self.reading.fault("wrong-type", "tricks", say("A list of tricks is needed."))
            return ()
        if len(tricks) > 10 * MOST_TRICKS:
            self.reading.fault("trick-count", "tricks", say("No deal has so many tricks."))
            return ()
        return tuple(self._trick(trick, f"tricks[{i}]") for i, trick in enumerate(tricks))

    def _trick(self, trick: object, path: str) -> Trick | None:
        if not isinstance(trick, dict):
            return self._pile(trick, path, _cards_in_deck(self.rules))
        unknown_keys(trick, TRICK_KEYS, self.reading, path)
        if "cards" not in trick:
            self.reading.fault("missing-key", f"{path}.cards", say("This answer is missing."))
        pile = self._pile(trick.get("cards"), f"{path}.cards", _cards_in_deck(self.rules))
        who = {
            key: read_seat(trick[key], self.reading, f"{path}.{key}")
            for key in ("leader", "winner")
            if trick.get(key) is not None
        }
        return None if pile is None else Trick(pile.cards, pile.texts, **who)

    def _pile(self, cards: object, path: str, most: int) -> Trick | None:
        if cards is None:
            return None
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            self.reading.fault("wrong-type", path, say("A list of cards is needed: [7B, 2D]."))
            return None
        if len(cards) > most:
            self.reading.fault("too-many-cards", path, say("The pack has fewer cards than that."))
            return None
        return Trick(tuple(self.card(text) for text in cards), tuple(cards))

    def card(self, text: str) -> Card | None:
        """Read a card of the deck in the letters of this record; None when it has none such."""
        try:
            card = self.rules.cards.card(text)
        except ValueError:
            return None
        return card if card.suit in self.suits else None


def _cards_in_deck(rules: ChiamataRules) -> int:
    return len(rules.cards.cards)


def _says_batons(data: dict[str, Any]) -> bool:
    """Whether any card of the record is of batons, a suit that French cards don't have."""
    tricks = data.get("tricks")
    piles = [
        pile.get("cards") if isinstance(pile, dict) else pile
        for pile in (tricks if isinstance(tricks, list) else [])
    ]
    texts = (text for pile in piles if isinstance(pile, list) for text in pile)
    return any(isinstance(text, str) and text.strip().upper().endswith("B") for text in texts)
