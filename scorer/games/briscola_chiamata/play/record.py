"""A trick record as written down: claim, auction, hands, discards, tricks (contract.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, compress
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.play.dead_hand import dead_hand, in_turn
from scorer.games.briscola_chiamata.play.lookup import LOOKUPS, UNREAD
from scorer.rules.cards import Card, Suit
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, join, read, read_seat, unknown_keys
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorer.games.briscola_chiamata.play.lookup import Letters, Lookup
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table
    from scorer.rules.sheet import Reading
    from scorer.texts import Text

    Calls = tuple[tuple[Seat, Bid | None], ...]

TRICK_KEYS = frozenset({"leader", "cards", "winner"})
MOST_TRICKS = 20
TRICK_PATHS = tuple(f"tricks[{index}]" for index in range(MOST_TRICKS))
MOST_CARDS = 40
MOST_CALLS = 200
MOST_PEOPLE = 100
POINTS, HANDS = OF_HANDS = ("claim.player_points", "hands")
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


class Pile(NamedTuple):
    """Cards that lie together, by number: a trick, a hand, discards.

    A trick lies in the order it was played, and may tell who led it and who was said to win it.
    ``unread`` is what was written where a card can't be read.
    """

    cards: tuple[int, ...]
    leader: Seat | None = None
    winner: Seat | None = None
    unread: tuple[str, ...] = ()

    def texts(self, lookup: Lookup) -> list[str]:
        """Write the cards; what couldn't be read stays as it was written."""
        unread = iter(self.unread)
        return [next(unread) if card == UNREAD else str(lookup.cards[card]) for card in self.cards]


class Record(NamedTuple):
    """A deal as it was written down; a trick that nobody remembers is None."""

    claim: Claim
    says_partner: bool
    player_points: Mapping[Seat, int]
    auction: Calls
    hands: Mapping[Seat, Pile]
    discards: Pile | None
    tricks: tuple[Pile | None, ...]
    called: int
    lookup: Lookup
    letters: Letters

    def piles(self) -> Iterator[tuple[dict[str, object], Pile]]:
        """Every pile of played cards, with where it is; the tricks count from 1."""
        for number, trick in enumerate(self.tricks, start=1):
            if trick is not None:
                yield {"trick": number}, trick
        if self.discards is not None:
            yield {"discards": True}, self.discards

    def say_card(self, number: int) -> Text:
        """Say a card in the words of this record."""
        return self.lookup.name(number, self.letters)


def read_record(
    data: dict[str, Any], table: Table[ChiamataRules], reading: Reading
) -> Record | None:
    """Read a whole record; None when the reading has problems, each with its path."""
    reader = _Reader(reading, LOOKUPS[table.rules.deck])
    claim, points = reader.claim(data), reader.player_points(data)
    auction, hands = reader.bidding(data)
    discards = reader.pile(data.get("discards"), "discards")
    tricks = reader.tricks(data)
    if len(table.active) < len(table.seats) and claim is not None:
        _check_playing(_everybody(claim, points, auction, hands), table, reading)
    if claim is None or reading.problems:
        return None
    lookup = reader.lookup
    record = Record(
        claim,
        _says_partner(data, claim),
        points,
        auction,
        hands,
        discards,
        tricks,
        lookup.numbers[data["claim"]["called_card"]],
        lookup,
        lookup.letters,
    )
    return record if table.rules.cards.italian else _in_its_letters(record, reading)


def read_bidding(
    data: dict[str, Any], table: Table[ChiamataRules], reading: Reading
) -> tuple[Calls, Mapping[Seat, Pile]]:
    """Read what there is of a deal before a card is called: calls, and hands."""
    reader = _Reader(reading, LOOKUPS[table.rules.deck])
    auction, hands = reader.bidding(data)
    _check_playing(_bidders(auction, hands), table, reading)
    return auction, hands


def _says_partner(data: dict[str, Any], claim: Claim) -> bool:
    """Whether the claim tells of a partner; a caller can't be his own, so that tells nothing."""
    return "partner" in data["claim"] and claim.partner != claim.caller


class _Reader(NamedTuple):
    """Reads the parts of a record; the faults of their form go to the reading."""

    reading: Reading
    lookup: Lookup

    def claim(self, data: dict[str, Any]) -> Claim | None:
        if "claim" not in data:
            self.reading.fault("missing-key", "claim", say("This answer is missing."))
            return None
        told = data["claim"]
        if isinstance(told, dict) and "player_points" in told:
            told = {key: value for key, value in told.items() if key != "player_points"}
        return read(Claim, told, self.reading, "claim")

    def player_points(self, data: dict[str, Any]) -> dict[Seat, int]:
        claim, path = data.get("claim"), "claim.player_points"
        told = claim.get("player_points") if isinstance(claim, dict) else None
        if told is None:
            return {}
        points = {}
        for seat, value in self._by_player(told, path):
            at = join(path, self.reading.names[seat])
            if type(value) is not int:
                self.reading.fault("wrong-type", at, say("A whole number is needed."))
            elif not 0 <= value <= PACK:
                self.reading.fault(
                    "out-of-range", at, say("From %(low)s to %(high)s.", low=0, high=PACK)
                )
            else:
                points[seat] = value
        return points

    def _by_player(self, data: object, path: str) -> Iterator[tuple[Seat, Any]]:
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

    def bidding(self, data: dict[str, Any]) -> tuple[Calls, dict[Seat, Pile]]:
        calls, hands = data.get("auction"), data.get("hands")
        return (
            () if calls is None else self.auction(calls),
            {} if hands is None else self.hands(hands),
        )

    def auction(self, data: object) -> Calls:
        if not isinstance(data, list):
            self.reading.fault("wrong-type", "auction", say("A list of [name, bid] is needed."))
            return ()
        if len(data) > MOST_CALLS:
            self.reading.fault("too-many-calls", "auction", say("No auction is as long as that."))
            return ()
        calls = [self._call(call, f"auction[{index}]") for index, call in enumerate(data)]
        return tuple(call for call in calls if call is not None)

    def _call(self, call: object, path: str) -> tuple[Seat, Bid | None] | None:
        if not isinstance(call, list) or len(call) != 2:
            self.reading.fault("wrong-type", path, say("A call is a name and a bid: [name, bid]."))
            return None
        seat = read_seat(call[0], self.reading, f"{path}[0]")
        passed = isinstance(call[1], str) and call[1].strip().lower() == PASS
        bid = None if passed else Bid.read_wire(call[1], self.reading, f"{path}[1]")
        return None if seat is None or (bid is None and not passed) else (seat, bid)

    def hands(self, data: object) -> dict[Seat, Pile]:
        piles = {
            seat: self.pile(cards, join("hands", self.reading.names[seat]))
            for seat, cards in self._by_player(data, "hands")
        }
        return {seat: pile for seat, pile in piles.items() if pile is not None}

    def tricks(self, data: dict[str, Any]) -> tuple[Pile | None, ...]:
        tricks = data.get("tricks")
        if "tricks" not in data:
            self.reading.fault("missing-key", "tricks", say("This answer is missing."))
        elif not isinstance(tricks, list):
            self.reading.fault("wrong-type", "tricks", say("A list of tricks is needed."))
        elif len(tricks) > MOST_TRICKS:
            self.reading.fault("trick-count", "tricks", say("No deal has so many tricks."))
        else:
            told = zip(tricks, TRICK_PATHS, strict=False)
            return tuple(
                [
                    self._trick(trick, path) if isinstance(trick, dict) else self.pile(trick, path)
                    for trick, path in told
                ]
            )
        return ()

    def _trick(self, trick: dict[str, Any], path: str) -> Pile | None:
        unknown_keys(trick, TRICK_KEYS, self.reading, path)
        if "cards" not in trick:
            self.reading.fault("missing-key", f"{path}.cards", say("This answer is missing."))
        pile = self.pile(trick.get("cards"), f"{path}.cards")
        leader, winner = self._player(trick, "leader", path), self._player(trick, "winner", path)
        return None if pile is None else pile._replace(leader=leader, winner=winner)

    def _player(self, trick: dict[str, Any], key: str, path: str) -> Seat | None:
        name = trick.get(key)
        return None if name is None else read_seat(name, self.reading, f"{path}.{key}")

    def pile(self, texts: object, path: str) -> Pile | None:
        if texts is None:
            return None
        if not isinstance(texts, list) or len(texts) > MOST_CARDS:
            return self._no_cards(texts, path)
        try:
            cards = tuple(map(self.lookup.numbers.__getitem__, texts))
        except TypeError:
            return self._no_cards(texts, path)
        if UNREAD in cards:
            return Pile(cards, unread=tuple(compress(texts, [n == UNREAD for n in cards])))
        return Pile(cards)

    def _no_cards(self, texts: object, path: str) -> None:
        if isinstance(texts, list) and len(texts) > MOST_CARDS:
            message = say("The pack has fewer cards than that.")
            self.reading.fault("too-many-cards", path, message)
        else:
            self.reading.fault("wrong-type", path, say("A list of cards is needed: [7B, 2D]."))


def _everybody(
    claim: Claim, points: Mapping[Seat, int], auction: Calls, hands: Mapping[Seat, Pile]
) -> Iterator[tuple[str, Seat]]:
    """Everybody whom a record tells something of, with where it does."""
    yield "claim.caller", claim.caller
    if claim.partner is not None:
        yield "claim.partner", claim.partner
    yield from ((POINTS, seat) for seat in points)
    yield from _bidders(auction, hands)


def _bidders(auction: Calls, hands: Mapping[Seat, Pile]) -> Iterator[tuple[str, Seat]]:
    yield from ((f"auction[{index}][0]", seat) for index, (seat, _) in enumerate(auction))
    yield from ((HANDS, seat) for seat in hands)


def _check_playing(
    people: Iterator[tuple[str, Seat]], table: Table[ChiamataRules], reading: Reading
) -> None:
    """Whoever sits the deal out neither calls, nor bids, nor holds cards; the dead hand does."""
    dead = dead_hand(table)
    for path, seat in people:
        if seat == dead and path not in OF_HANDS:
            message = say("%(name)s is the dead hand.", name=table.name(seat))
            reading.fault("dead-hand", path, message)
        elif seat not in in_turn(table):
            message = say("%(name)s sits this deal out.", name=table.name(seat))
            reading.fault("sits-out", path, message)


def letters_of(lookup: Lookup, cards: Iterable[int]) -> Letters:
    """Find out in which letters French cards are written; C is clubs, or else cups.

    Hearts are in the one alphabet only, batons in the other: whichever there are more of.
    """
    if lookup.letters.words.italian:
        return lookup.letters
    suits = Counter(map(lookup.suit_of, cards))
    hearts, batons = (suits[lookup.suits.index(suit)] for suit in (Suit.H, Suit.B))
    return lookup.italian_letters if batons > hearts else lookup.letters


def _in_its_letters(record: Record, reading: Reading) -> Record | None:
    """Leave what is of other letters unread; the called card must not be."""
    piles = [pile for _, pile in record.piles()] + list(record.hands.values())
    cards = [record.called, *chain.from_iterable(pile.cards for pile in piles)]
    letters = letters_of(record.lookup, cards)
    if record.called not in letters.pack:
        message = say("There is no card %(card)s in this deck.", card=str(record.claim.called_card))
        reading.fault("card-not-in-deck", "claim.called_card", message)
        return None
    record = record._replace(letters=letters)
    return record if letters.pack.issuperset(cards) else _limited(record, letters)


def _limited(record: Record, letters: Letters) -> Record:
    """Leave the cards of other letters unread."""

    def known(pile: Pile) -> Pile:
        texts = pile.texts(record.lookup)
        cards = tuple(card if card in letters.pack else UNREAD for card in pile.cards)
        unread = tuple(compress(texts, [card == UNREAD for card in cards]))
        return pile._replace(cards=cards, unread=unread)

    return record._replace(
        hands={seat: known(hand) for seat, hand in record.hands.items()},
        discards=None if record.discards is None else known(record.discards),
        tricks=tuple(None if trick is None else known(trick) for trick in record.tricks),
    )
