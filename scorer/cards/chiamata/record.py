"""The record of a deal of Briscola Chiamata: its table, claim and auction, read and written.

A record is a claim, an auction and the cards (contract.md). A *play* is the stored part of the
cards: the called card, the tricks, hands and discards. Caller and result are on the sheet; a play
and a sheet are a record to examine.

The dead hand, *il morto*, is dealt to nobody and turned over card by card (rules.md A9). At the
table where the cards are played it has a seat of its own, behind those of all the people, and plays
after the dealer; where it took a trick it leads to the next. It neither deals nor bids, and what it
takes is lost to the caller's side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from scorer.cards.trick_game import NUMBERED_DECKS, CardPile, PileReader, turns_of
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import ChiamataRules, FirstLeader
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, Reading, Unanswered, join, read, read_seat, write
from scorer.rules.tables import PACK
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.cards.chiamata.deal import ChiamataDeal
    from scorer.cards.layout import Layout

Play = Mapping[str, Any]
Sheet = ChiamataSheet | ChiamataStart

Calls = tuple[tuple[Seat, Bid | None], ...]

NAME = "Morto"
STORED_NAME = "dead"
MOST_CALLS = 200
OF_HANDS = {"claim.player_points", "hands"}
OF_PLAY = ("auction", "hands", "discards", "tricks")
OF_SHEET = ("caller", "bid", "called_card", "partner", "card_points", "made", "cappotto")
PASS = "pass"  # noqa: S105  # what a player says in the auction


@dataclass(frozen=True, slots=True)
class Claim:
    """The claimed answers of the sheet; ``partner`` is None if it says that there was none."""

    caller: Annotated[Seat, Ask(say("Caller"))]
    bid: Annotated[Bid, Ask(say("Bid"))]
    called_card: Annotated[Card, Ask(say("Called card"))]
    partner: Annotated[Seat | Unanswered | None, Ask(say("Partner"))] = Unanswered.UNANSWERED
    card_points: Annotated[int | None, Ask(say("Card points of the caller's side"), 0, PACK)] = None
    made: Annotated[bool | None, Ask(say("Made"))] = None
    cappotto: Annotated[bool | None, Ask(say("Cappotto"))] = None
    shown: Annotated[bool | None, Ask(say("The called card was shown"))] = None

    @property
    def candidate(self) -> Seat | None:
        """Return the claimed partner: the caller for nobody, None without a claim."""
        # A caller can't be his own partner: that says nothing.
        if isinstance(self.partner, Unanswered) or self.partner == self.caller:
            return None
        return self.caller if self.partner is None else self.partner


ChiamataLayout: TypeAlias = "Layout[ChiamataDeal]"


def first_leader(
    caller: Seat, table: Table[ChiamataRules], dealer: Seat | None, auction: Calls = ()
) -> Seat | None:
    if table.rules.play.first_leader is FirstLeader.CALLER:
        return caller
    return next_of_dealer(table, dealer, auction)


def next_of_dealer(
    table: Table[ChiamataRules], dealer: Seat | None, auction: Calls = ()
) -> Seat | None:
    """Return the player after the dealer; without a dealer, the first to speak in the auction."""
    if dealer is not None:
        return table.after(dealer)
    return auction[0][0] if auction else None


def with_dead_hand(table: Table[ChiamataRules]) -> Table[ChiamataRules]:
    """Add the dead hand to the table, under an unused name, if the rules have one."""
    if not table.rules.dead_hand:
        return table
    names = (NAME, *(f"{NAME} {number}" for number in range(2, len(table.seats) + 2)))
    name = next(name for name in names if name not in table.seats)
    return replace(table, seats=(*table.seats, name), order=table.here)


def from_dealer(
    table: Table[ChiamataRules], dealer: Seat | None, auction: Calls = ()
) -> Table[ChiamataRules]:
    """Order those who play from the dealer's left, so that a dead hand plays after him.

    If nobody knows who dealt, it plays last.
    """
    first = next_of_dealer(table, dealer, auction)
    if first is None or not table.rules.dead_hand:
        return table
    return replace(table, active=turns_of(table.active)[first])


def dead_hand(table: Table[ChiamataRules]) -> Seat | None:
    return Seat(len(table.seats) - 1) if table.rules.dead_hand else None


def in_turn(table: Table[ChiamataRules]) -> tuple[Seat, ...]:
    """Return those who play, in turn from where ``from_dealer`` begins, and then the dead hand."""
    dead = dead_hand(table)
    return table.active if dead is None else (*table.active, dead)


def read_bidding(
    data: dict[str, Any], table: Table[ChiamataRules], reading: Reading
) -> tuple[Calls, Mapping[Seat, CardPile]]:
    auction, hands = read_calls_and_hands(
        data, PileReader(reading, NUMBERED_DECKS[table.rules.deck])
    )
    check_playing(bidders(auction, hands), table, reading)
    return auction, hands


def read_claim(data: dict[str, Any], reading: Reading) -> Claim | None:
    if "claim" not in data:
        reading.fault("missing-key", "claim", say("This answer is missing."))
        return None
    claim = data["claim"]
    if isinstance(claim, dict):
        claim = {key: value for key, value in claim.items() if key != "player_points"}
    return read(Claim, claim, reading, "claim")


def read_player_points(data: dict[str, Any], piles: PileReader) -> dict[Seat, int]:
    claim, path, reading = data.get("claim"), "claim.player_points", piles.reading
    given = claim.get("player_points") if isinstance(claim, dict) else None
    points = {}
    for seat, value in () if given is None else piles.by_player(given, path):
        at = join(path, reading.names[seat])
        if type(value) is not int:
            reading.fault("wrong-type", at, say("A whole number is needed."))
        elif not 0 <= value <= PACK:
            message = say("From %(low)s to %(high)s.", low=0, high=PACK)
            reading.fault("out-of-range", at, message)
        else:
            points[seat] = value
    return points


def read_calls_and_hands(
    data: dict[str, Any], piles: PileReader
) -> tuple[Calls, dict[Seat, CardPile]]:
    calls, hands = data.get("auction"), data.get("hands")
    return (
        () if calls is None else _auction(calls, piles.reading),
        {} if hands is None else piles.hands(hands),
    )


def _auction(data: object, reading: Reading) -> Calls:
    if not isinstance(data, list):
        reading.fault("wrong-type", "auction", say("A list of [name, bid] is needed."))
        return ()
    if len(data) > MOST_CALLS:
        reading.fault("too-many-calls", "auction", say("The auction is too long."))
        return ()
    calls = [_call(call, f"auction[{index}]", reading) for index, call in enumerate(data)]
    return tuple(call for call in calls if call is not None)


def _call(call: object, path: str, reading: Reading) -> tuple[Seat, Bid | None] | None:
    if not isinstance(call, list) or len(call) != 2:
        reading.fault("wrong-type", path, say("A call is a name and a bid: [name, bid]."))
        return None
    seat = read_seat(call[0], reading, f"{path}[0]")
    passed = isinstance(call[1], str) and call[1].strip().lower() == PASS
    bid = None if passed else Bid.read_wire(call[1], reading, f"{path}[1]")
    return None if seat is None or (bid is None and not passed) else (seat, bid)


def write_claim(claim: Claim, points: Mapping[Seat, int], names: Sequence[str]) -> dict[str, Any]:
    """Write a claim with the card points of each player, without its open answers."""
    answers = write(claim, names).items()
    said = {key: value for key, value in answers if value is not None or key == "partner"}
    by_name = {names[seat]: amount for seat, amount in points.items()}
    return {**said, "player_points": by_name} if by_name else said


def bidders(auction: Calls, hands: Mapping[Seat, CardPile]) -> list[tuple[str, Seat]]:
    calls = [(f"auction[{index}][0]", seat) for index, (seat, _) in enumerate(auction)]
    return calls + [("hands", seat) for seat in hands]


def check_playing(
    people: Sequence[tuple[str, Seat]], table: Table[ChiamataRules], reading: Reading
) -> None:
    """Report people who sit the deal out, and a dead hand in a wrong place (``OF_HANDS``)."""
    dead = dead_hand(table)
    for path, seat in people:
        if seat == dead and path not in OF_HANDS:
            message = say("%(name)s is the dead hand.", name=table.name(seat))
            reading.fault("dead-hand", path, message)
        elif seat not in in_turn(table):
            message = say("%(name)s sits this deal out.", name=table.name(seat))
            reading.fault("sits-out", path, message)


def with_sheet(play: Play, sheet: Sheet, reading: Reading) -> dict[str, Any]:
    """Combine a play and its sheet into the body of a record, for people of the same names.

    Without a called card there is no claim, and unreadable tricks become problems of the reading.
    """
    body = {"tricks": [], **{key: play[key] for key in OF_PLAY if key in play}}
    answers, called = write(sheet, reading.names), play.get("called_card")
    claim = {key: answers[key] for key in OF_SHEET if answers.get(key) is not None}
    if "partner" in answers:  # on a sheet, None says that there was none
        claim["partner"] = answers["partner"]
    claim["called_card"] = answers["called_card"] if called is None else called
    if claim["called_card"] is not None:
        return {**body, "claim": claim}
    if body["tricks"] or body.get("discards"):
        reading.fault("missing-key", "called_card", say("Which card was called?"))
    return body
