"""The call of Briscola Chiamata: what is claimed, the auction, who leads; read and written.

The dead hand, *il morto*, is dealt to nobody and turned over card by card (rules.md A9). At the
table where the cards are played it has a seat of its own, behind those of all the people, and plays
after the dealer; where it took a trick it leads to the next. It neither deals nor bids, and what it
takes is lost to the caller's side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from scorer.cards.board import Board, Calls, Facts, card_deck
from scorer.cards.card_records import by_player
from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.rules import ChiamataRules, FirstLeader
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.bands import PACK
from scorer.rules.cards import DECKS, Card, card_letters
from scorer.rules.game import Table
from scorer.rules.questions import Ask, Reading, Unanswered, join, read, read_seat, write
from scorer.rules.seats import Seat, next_seat
from scorer.texts import say

DEAD_NAME = "Morto"
MOST_CALLS = 200
PASS = "pass"  # noqa: S105  # what a player says in the auction
OF_PLAY = ("auction", "hands", "discards", "tricks", "shown")
OF_SHEET = ("caller", "bid", "called_card", "partner", "card_points", "made", "cappotto")
CALLED = say("Which card was called?")


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


def chiamata_facts(table: Table[ChiamataRules]) -> Facts:
    rules = table.rules
    return Facts(
        game=GAME,
        deck=card_deck(DECKS[rules.deck]),
        each=rules.cards_each,
        tricks=rules.cards_each,
        leads_first=first_leader,
        follows=rules.play.follow_suit,
        monte=rules.monte,
        dead=Seat(len(table.seats) - 1) if rules.dead_hand else None,
        trump_key="called_card",
    )


def with_dead_hand(table: Table[ChiamataRules]) -> Table[ChiamataRules]:
    """Add the dead hand to the table, under an unused name, if the rules have one."""
    if not table.rules.dead_hand:
        return table
    names = (DEAD_NAME, *(f"{DEAD_NAME} {number}" for number in range(2, len(table.seats) + 2)))
    name = next(name for name in names if name not in table.seats)
    return replace(table, seats=(*table.seats, name), order=table.here)


def first_leader(board: Board) -> Seat | None:
    if board.claim is not None and board.table.rules.play.first_leader is FirstLeader.CALLER:
        caller: Seat = board.claim.caller
        return caller
    return board.next_of_dealer()


def read_call(board: Board, data: Mapping[str, Any], reading: Reading, early: bool) -> Board:  # noqa: FBT001  # a row of the table of games takes them in order
    """Read the claim and the auction of a record; of an ``early`` one only the auction."""
    claim, totals = (None, {}) if early else _read_claim(data, reading)
    calls = data.get("auction")
    auction = () if calls is None else _read_auction(calls, reading)
    return replace(board, claim=claim, totals=totals, auction=auction)


def settle_call(board: Board, data: Mapping[str, Any], reading: Reading, early: bool) -> Board:  # noqa: FBT001  # a row of the table of games takes them in order
    """Check who is named, number the called card, and order those who play."""
    claim = board.claim
    if early or (claim is not None and len(board.table.active) < len(board.table.seats)):
        _check_playing(board, reading)
    if claim is None or reading.problems:
        return _from_dealer(board) if early else board
    called = board.deck.number(claim.called_card)
    if called is None:
        card = card_letters(claim.called_card, board.deck.letters)
        message = say("There is no card %(card)s in this deck.", card=card)
        reading.fault("card-not-in-deck", "claim.called_card", message)
    if claim.shown and board.facts.monte and isinstance(claim.partner, Unanswered):
        claim = replace(claim, partner=next_seat(claim.caller, board.table.active))
    board = _from_dealer(replace(board, claim=claim, trump_card=called))
    return show(board, shown=True) if data.get("shown") is True and may_show(board) else board


def _read_claim(data: Mapping[str, Any], reading: Reading) -> tuple[Claim | None, dict[Seat, int]]:
    claim, totals = data.get("claim"), dict[Seat, int]()
    if "claim" not in data:
        reading.fault("missing-key", "claim", say("This answer is missing."))
        return None, totals
    if isinstance(claim, dict):
        totals = _read_totals(claim.get("player_points"), reading)
        claim = {key: value for key, value in claim.items() if key != "player_points"}
    return read(Claim, claim, reading, "claim"), totals


def _read_totals(data: object, reading: Reading) -> dict[Seat, int]:
    path, totals = "claim.player_points", dict[Seat, int]()
    for seat, value in () if data is None else by_player(data, path, reading):
        at = join(path, reading.names[seat])
        if type(value) is not int:
            reading.fault("wrong-type", at, say("A whole number is needed."))
        elif not 0 <= value <= PACK:
            reading.fault("out-of-range", at, say("From %(low)s to %(high)s.", low=0, high=PACK))
        else:
            totals[seat] = value
    return totals


def _read_auction(data: object, reading: Reading) -> Calls:
    if not isinstance(data, list):
        reading.fault("wrong-type", "auction", say("A list of [name, bid] is needed."))
    elif len(data) > MOST_CALLS:
        reading.fault("too-many-calls", "auction", say("The auction is too long."))
    else:
        calls = [_read_bid(call, f"auction[{index}]", reading) for index, call in enumerate(data)]
        return tuple(call for call in calls if call is not None)
    return ()


def _read_bid(call: object, path: str, reading: Reading) -> tuple[Seat, Bid | None] | None:
    if not isinstance(call, list) or len(call) != 2:
        reading.fault("wrong-type", path, say("A call is a name and a bid: [name, bid]."))
        return None
    seat = read_seat(call[0], reading, f"{path}[0]")
    passed = isinstance(call[1], str) and call[1].strip().lower() == PASS
    bid = None if passed else Bid.read_wire(call[1], reading, f"{path}[1]")
    return None if seat is None or (bid is None and not passed) else (seat, bid)


def _check_playing(board: Board, reading: Reading) -> None:
    """Report people who sit the deal out, and a dead hand where only people can be."""
    claim: Claim | None = board.claim
    people = [] if claim is None else [("claim.caller", claim.caller)]
    if claim is not None and isinstance(claim.partner, int):
        people.append(("claim.partner", claim.partner))
    people += [("claim.player_points", seat) for seat in board.totals]
    people += [(f"auction[{index}][0]", seat) for index, (seat, _) in enumerate(board.auction)]
    for path, seat in [*people, *(("hands", seat) for seat in board.hands)]:
        name = board.table.name(seat)
        if seat == board.facts.dead and path not in ("claim.player_points", "hands"):
            reading.fault("dead-hand", path, say("%(name)s is the dead hand.", name=name))
        elif seat not in board.players:
            reading.fault("sits-out", path, say("%(name)s sits this deal out.", name=name))


def _from_dealer(board: Board) -> Board:
    """Order those who play from the dealer's left, so that a dead hand plays after him.

    If nobody knows who dealt, it plays last.
    """
    first, table = board.next_of_dealer(), board.table
    if first is None or board.facts.dead is None:
        return board
    at = table.active.index(first)
    return replace(board, table=replace(table, active=table.active[at:] + table.active[:at]))


def write_call(board: Board, names: Sequence[str]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if board.claim is not None:
        answers = write(board.claim, names).items()
        claim = {key: value for key, value in answers if value is not None or key == "partner"}
        totals = {names[seat]: total for seat, total in board.totals.items()}
        document["claim"] = {**claim, "player_points": totals} if totals else claim
    if board.auction:
        document["auction"] = [
            [names[seat], bid.write_wire() if bid else PASS] for seat, bid in board.auction
        ]
    return document


def call_beside(
    play: Mapping[str, Any], sheet: ChiamataSheet | ChiamataStart, reading: Reading
) -> dict[str, Any]:
    """Combine a play and its sheet into the body of a record, for people of the same names.

    Without a called card there is no claim, and tricks become a problem of the reading.
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
        reading.fault("missing-key", "called_card", CALLED)
    return {key: body[key] for key in body if key not in ("tricks", "discards")}


def may_show(board: Board) -> bool:
    """Whether people may say, or take back, that the caller showed the called card.

    They may not where the sheet says who the partner was.
    """
    if board.claim is None or not board.facts.monte:
        return False
    return board.says_shown or board.claim.candidate is None


def show(board: Board, *, shown: bool) -> Board:
    """Say that the caller showed the called card, or take it back: the next becomes partner."""
    neighbour = next_seat(board.claim.caller, board.table.active)
    partner = neighbour if shown else Unanswered.UNANSWERED
    return replace(board, claim=replace(board.claim, partner=partner), says_shown=shown)
