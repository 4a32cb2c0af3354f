"""``check``: examine a deal that was written down card by card, and compare it with the claim."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from scorer.cards.board import Board
from scorer.cards.faults import DealProof, Finding
from scorer.errors import MOST_PROBLEMS, Problem
from scorer.evening.setting import Setting, read_setting
from scorer.operations.requests import (
    MORE,
    Answer,
    ListedProblem,
    Refusal,
    Request,
    Translate,
    more_problems,
    refused,
)
from scorer.rules.questions import Reading, read_object
from scorer.rules.seats import Seat
from scorer.shapes import (
    Calls,
    CardName,
    Cards,
    Claim,
    Name,
    Points,
    Shape,
    Sheet,
    Tricks,
    gives,
    keys,
    written,
)
from scorer.texts import say

#: The card points of a draw don't make the bid: the answer says `missed`, and a warning the rest.
DRAWN = Finding("drawn", {}, say("It is a draw: neither made nor missed, and nobody pays."))


class CardRecord(Request):
    """A deal written down card by card; what its game doesn't have the engine tells."""

    claim: Claim | None = gives(
        "What was written on the sheet; needed in briscola-chiamata.", unsaid=True
    )
    turned_up: CardName | None = gives("The card whose suit is trump.", unsaid=True)
    trump: str | None = gives("The suit of trumps that was named, in maraffone.", unsaid=True)
    stock: Cards | None = gives("The cards of the stock as they are drawn.", unsaid=True)
    auction: Calls | None = gives("Every call: a name, and a bid or pass.", unsaid=True)
    hands: Mapping[Name, Cards] | None = gives("The cards as dealt, some or all.", unsaid=True)
    discards: Cards | None = gives("What the caller put away.", unsaid=True)
    tricks: Tricks = gives(
        "The tricks in order: cards as they were played; null for one that nobody remembers."
    )


class FoundProblem(Shape):
    """One fault of a record, or what is odd in it."""

    code: str = gives("A code that never changes.")
    where: Mapping[str, object] = gives("Where it is; tricks, cards and calls count from 1.")
    message: str = gives("A sentence in the reader's language.")


class Examined(Shape):
    """What a record proves."""

    id: object = gives("The id of the request, or null.")
    ok: bool = gives("Whether there are no problems.")
    complete: bool = gives("Whether every trick is written down with as many cards as play.")
    winners: list[Name | None] = gives("Who won each trick; null where that is open.")
    card_points: Points = gives("Card points taken for certain, by name; in Tressette in thirds.")
    tricks_won: Points = gives("Tricks taken for certain, by name.")
    exact: bool = gives("Whether the bounds are known to be reached; else they only hold.")
    payouts: Points | None = gives("The payouts by name; null while they are open.")
    problems: list[FoundProblem] = gives("What is impossible, or differs from the claim.")
    warnings: list[FoundProblem] = gives("What is odd but may have been so at the table.")


class Checked(Examined):
    """What a record of Briscola Chiamata proves."""

    partner: Name | None = gives("The partner; null for nobody, and while that is open.")
    alone: bool | None = gives("Whether the caller is alone; null while that is open.")
    side_points: int | None = gives("What the caller's side has taken, if it is known.")
    bounds: list[int] = gives("The least and the most that it can end with.")
    status: Literal["made", "missed", "open"] = gives("Whether the bid is made.")


class TakenBySide(Shape):
    """What a side has taken."""

    players: list[Name] = gives("Who is in it.")
    card_points: int = gives("Card points taken for certain.")
    bounds: list[int] = gives("The least and the most that it can end with.")


class CheckedSides(Examined):
    """What a record of a game proves whose sides are known."""

    sides: list[TakenBySide] = gives("The sides.")
    status: Literal["settled", "open"] = gives("Whether the cards prove a whole sheet.")
    sheet: Sheet | None = gives("The sheet as the cards prove it; null while they don't.")


class CheckedFile(Shape):
    """The deals of a file."""

    ok: bool = gives("Whether nothing is wrong with the heads and with any deal.")
    deals: list[Checked | CheckedSides | Refusal] = gives("The deals; the id is its number.")
    problems: list[ListedProblem] = gives("What is wrong with the heads, by line and column.")


KEYS = keys(CardRecord)


def check(request: object, translate: Translate = str) -> Answer:
    """Answer one record: what it proves, and every problem in it with its trick and card.

    >>> record = {"game": "tressette", "seats": ["Ada", "Bea", "Ciro", "Dora"], "dealer": "Dora"}
    >>> answer = check({**record, "tricks": [["4D", "3D", "2D", "AD"]]})
    >>> answer["ok"], answer["winners"], answer["card_points"]  # in thirds
    (True, ['Bea'], {'Ada': 0, 'Bea': 5, 'Ciro': 0, 'Dora': 0})
    >>> answer = check({**record, "tricks": [["4D", "4D", "2D", "AD"]]})
    >>> [(problem["code"], problem["where"]) for problem in answer["problems"]]
    [('duplicate-card', {'trick': 1, 'card': '4D', 'again': {'trick': 1}})]
    """
    reading = Reading()
    request = read_object(request, KEYS, reading)
    if request is None:
        return refused(None, reading.problems, translate)
    setting = read_setting(request, reading)
    if setting is None:
        return refused(request.get("id"), reading.problems, translate)
    from scorer.cards import games  # late: the other commands need no cards

    board = read_record(request, setting, reading)
    if board is None:
        return refused(request.get("id"), reading.problems, translate)
    return examined_answer(request.get("id"), games.examine(board), board.table.seats, translate)


def read_record(
    request: dict[str, Any], setting: Setting, reading: Reading, without: Problem | None = None
) -> Board | None:
    """Read the cards of a request; what is missing or wrong in it goes to the reading.

    ``without`` is the problem of a game without cards.
    """
    from scorer.cards import card_records, games

    reading.at(setting.seats, setting.deck)
    dealer = setting.read_dealer(request.get("dealer"), reading)
    table = games.at_table(setting.game, setting.table(dealer))
    reading.at(table.seats, setting.deck)
    row = games.card_game(setting.game, request, table, reading, without or games.NO_CHECK)
    return None if row is None else card_records.read_board(row, request, table, dealer, reading)


def examined_answer(
    request_id: object, examined: DealProof, names: tuple[str, ...], translate: Translate
) -> Answer:
    drawn = examined.status == "drawn"
    parts: Answer
    if examined.sides:  # they are known before, and no partner is found out
        sides = [
            {
                "players": [names[seat] for seat in side.seats],
                "card_points": side.card_points,
                "bounds": list(side.bounds),
            }
            for side in examined.sides
        ]
        known = {"exact": examined.exact, "status": examined.status}
        parts = {"sides": sides, **known, "sheet": examined.sheet}
    else:
        parts = {
            "partner": None if examined.partner is None else names[examined.partner],
            "alone": examined.alone,
            "side_points": examined.side_points,
            "bounds": list(examined.bounds),
            "exact": examined.exact,
            "status": "missed" if drawn else examined.status,
        }
    return {
        "id": request_id,
        "ok": not examined.problems,
        "complete": examined.complete,
        "winners": [None if seat is None else names[seat] for seat in examined.winners],
        "card_points": _by_name(examined.card_points, names),
        "tricks_won": _by_name(examined.tricks_won, names),
        **parts,
        "payouts": None if examined.payouts is None else _by_name(examined.payouts, names),
        "problems": _findings(examined.problems, translate),
        "warnings": _findings([*examined.warnings, *([DRAWN] if drawn else [])], translate),
    }


def _by_name(amounts: Mapping[Seat, int], names: tuple[str, ...]) -> dict[str, int]:
    return {names[seat]: amount for seat, amount in amounts.items()}


def _findings(findings: Sequence[Finding], translate: Translate) -> list[Answer]:
    if len(findings) > MOST_PROBLEMS:
        findings = [*findings[:MOST_PROBLEMS], Finding(MORE, {}, more_problems(len(findings)))]
    return [written(FoundProblem, finding, translate) for finding in findings]
