"""The cards of a deal in a session file: read beside its sheet, and compared with it."""

from typing import Any

from scorer.errors import Problem
from scorer.rules.findings import Finding
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat
from scorer.rules.sheet import Reading, read_object
from scorer.texts import say

OF_CARDS = {"called_card", "turned_up", "auction", "hands", "stock", "discards", "tricks"}
KEYS = frozenset({"note"} | OF_CARDS)
#: What a finding can be about as a whole.
WHOLE = ("hands", "auction", "discards", "stock", "turned_up")


def check_form(play: object, reading: Reading, path: str) -> None:
    """Note what can't be a play at all, whatever deal it is of."""
    play = {} if play is None else read_object(play, KEYS, reading, path)
    if play and not isinstance(play.get("note"), str | None):
        reading.fault("wrong-type", f"{path}.note", say("A text is needed."))


def compare(
    game: Game[Any, Any], play: dict[str, Any], sheet: Any, table: Table[Any], dealer: Seat
) -> tuple[list[Problem], list[Problem]]:
    """Find what of a deal's cards can't be read, and what is wrong with them or with the sheet.

    The second stops nobody: cards are written down to be looked at, and what a deal pays is what
    its sheet says. The fields are those of the deal.
    """
    from scorer.cards import engine  # late: most sessions have no cards

    played = engine.at_table(game, table)
    reading = Reading(played.seats, game.deck(table.rules))
    examined = engine.examine_play(game, play, sheet, table=played, dealer=dealer, reading=reading)
    unread = [Problem(one.code, _field(one.field, play), one.message) for one in reading.problems]
    found = [] if examined is None else [*examined.problems, *examined.warnings]
    return unread, [Problem(one.code, _field(path_of(one), play), one.message) for one in found]


def not_kept(path: str) -> Problem:
    """Say that a deal has cards which nobody could look at."""
    message = say("Only a deal that was played keeps its cards, in a game that knows how.")
    return Problem("play-not-kept", path, message)


def _field(of_record: str, play: dict[str, Any]) -> str:
    """Where something is: what the record calls its claim is on the sheet, but for the card."""
    head, _, rest = of_record.partition(".")
    if head != "claim":
        return f"play.{of_record}"
    in_play = rest == "called_card" and play.get(rest) is not None
    return f"play.{rest}" if in_play else f"sheet.{rest}"


def path_of(finding: Finding) -> str:
    """Write where a finding is as the path of a field of the record."""
    match finding.where:
        case {"claim": name}:
            return f"claim.{name}"
        case {"trick": int(number)}:
            return f"tricks[{number - 1}]"
        case {"call": int(number)}:
            return f"auction[{number - 1}]"
        case {"hand": name}:
            return f"hands.{name}"
        case _:
            return next((name for name in WHOLE if name in finding.where), "tricks")
