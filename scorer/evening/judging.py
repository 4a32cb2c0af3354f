"""A judged deal: its answers, and what they pay.

Three words for three things: the *sheet* is the object of the game, *answers* are it as a document
by the players' names, and *stored* is the same by the numbers of the seats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from scorer.errors import InvalidError, Problem, existing, refuse
from scorer.evening.agreed import (
    BUY_IN,
    AgreedSheet,
    agreed_problems,
    agreed_score,
    agreed_text,
    read_agreed,
)
from scorer.rules.game import Game, Outcome, PenaltySheet, Score, Table, read_penalty, with_times
from scorer.rules.questions import Reading, read, write
from scorer.rules.seats import MOST_SEATS, Seat, wrong_count
from scorer.texts import Text, say

OFFENDER = "offender"
#: How stored sheets name the seats.
NUMBERS = tuple(str(number) for number in range(MOST_SEATS))
#: The outcomes of deals that have a sheet.
WITH_SHEET = (Outcome.PLAYED, Outcome.PENALTY, Outcome.AGREED)
NOTHING: Mapping[Seat, int] = {}
OUTCOME_WORDS = {
    Outcome.MISDEAL: say("Misdeal"),
    Outcome.ALL_PASSED: say("All passed"),
    Outcome.THROWN_IN: say("Thrown in"),
    Outcome.REDEAL: say("Dealt again"),
    Outcome.PENALTY: say("Penalty"),
    Outcome.AGREED: say("Agreed"),
}


class JudgedDeal(NamedTuple):
    """A judged deal: who played, its sheet by its outcome, its payouts by seat."""

    game: Game[Any, Any]
    outcome: Outcome
    table: Table[Any]
    sheet: Any = None
    paid: Mapping[Seat, int] = NOTHING
    made: bool | None = None

    @property
    def sits_out(self) -> tuple[Seat, ...]:
        return self.table.sits_out

    @property
    def score(self) -> Score:
        """Return the payouts with their reasons, computed again from the sheet."""
        if self.sheet is None:
            return Score((), {}, None)
        return self.former or _score(self.game, self.outcome, self.table, self.sheet)

    @property
    def former(self) -> Score | None:
        """Return the score by the rules of 0.3 if it was paid so, and would not be today."""
        score = None if self.played is None else self.game.former_score(self.sheet, self.table)
        return score if score is not None and score.payouts == self.paid else None

    @property
    def played(self) -> Any:
        return self.sheet if self.outcome is Outcome.PLAYED else None

    @property
    def won(self) -> tuple[Seat, ...]:
        """Return who won it; nobody if it was not played (contract.md, Places)."""
        if self.outcome is Outcome.PENALTY or not self.paid:
            return ()
        paid = self.sheet.payouts if self.outcome is Outcome.AGREED else self.paid
        return tuple(sorted(self.game.won(self.played, self.table, paid)))

    @property
    def back_in(self) -> Mapping[Seat, int]:
        """Return the part of the payouts with which each who was out comes back in."""
        if not self.game.eliminates or not self.outcome.counts:
            return NOTHING
        if self.played is not None:
            return self.game.back_in(self.sheet, self.table, self.paid)
        steps = (step for step in self.score.steps if step.rule == BUY_IN)
        return {seat: amount for step in steps for seat, amount in step.amounts.items()}

    @property
    def buy_ins(self) -> Mapping[Seat, Any]:
        """Return the sheet with each side that is out back in, or out again (rules.md D4)."""
        sheets: dict[Seat, Any] = {}
        table = self.table
        if not self.game.buy_in_allowed(table.rules):
            return sheets
        for side in self.game.sides(table.here, table.rules):
            others = tuple(seat for seat in self.sheet.buy_in if seat not in side)
            coming = others if others != self.sheet.buy_in else (*others, side[0])
            sheets[side[0]] = replace(self.sheet, buy_in=coming)
        return {seat: other for seat, other in sheets.items() if not self._problems(other)}

    def _problems(self, sheet: Any) -> Sequence[Problem]:
        if self.outcome is Outcome.AGREED:
            return [*agreed_problems(self.game, sheet, self.table)]
        return self.game.sheet_problems(sheet, self.table)

    @property
    def roles(self) -> Mapping[Seat, str]:
        """The role of each player, in games with roles; of a penalty the offender."""
        if self.outcome is Outcome.PENALTY:
            return {self.sheet.offender: OFFENDER}
        return {} if self.played is None else self.game.roles(self.sheet)

    @property
    def bid(self) -> str | None:
        """The bid as documents write it, where there was one."""
        return None if self.played is None else self.game.bid(self.sheet)

    @property
    def times(self) -> int:
        return int((self.stored or {}).get("times", 1))

    @property
    def text(self) -> Text:
        if self.played is not None:
            return self.game.summary(self.sheet, replace(self.table, paid=self.paid))
        words = OUTCOME_WORDS[self.outcome]
        if self.sheet is None:
            return words
        if self.outcome is Outcome.AGREED:
            return agreed_text(self.sheet)
        return say("%(what)s: %(name)s", what=words, name=self.table.seats[self.sheet.offender])

    @property
    def stored(self) -> dict[str, Any] | None:
        return self.answers(NUMBERS)

    def answers(self, names: Sequence[str]) -> dict[str, Any] | None:
        """Write the sheet for people of these names, by seat."""
        if self.sheet is None:
            return None
        if self.played is not None:
            return self.game.write_sheet(self.sheet, names)
        answers: dict[str, Any] = write(self.sheet, names)
        return answers


class StoredDeal(JudgedDeal):
    """A deal as it was stored: in place of its sheet it has the answers by seat, read late.

    So a damaged sheet raises InvalidError only where somebody looks at it.
    """

    @cached_property
    def sheet(self) -> Any:
        if self.outcome not in WITH_SHEET:
            return None
        if self.outcome == Outcome.PENALTY:
            return PenaltySheet(Seat(int(self[3][OFFENDER]))) if self[3] else None
        kind = AgreedSheet if self.outcome == Outcome.AGREED else self.game.sheet_type
        return read_stored(self.game, kind, self[3], self.table.rules)

    @cached_property
    def made(self) -> bool | None:
        return None if self.played is None else self.score.made

    @property
    def stored(self) -> dict[str, Any] | None:
        answers: dict[str, Any] | None = self[3]
        return answers

    def _replace(self, **fields: Any) -> JudgedDeal:  # type: ignore[override]  # its sheet is read
        return JudgedDeal(*self[:3], self.sheet, self.paid, self.made)._replace(**fields)


def read_stored(game: Game[Any, Any], kind: type[Any], stored: object, rules: Any) -> Any:
    """Read stored answers, by the numbers of the seats; raise InvalidError."""
    reading = Reading(NUMBERS, game.deck(rules))
    sheet = read(kind, stored, reading, "sheet")
    if sheet is None:
        raise InvalidError(reading.problems)
    return sheet


def read_start(game: Game[Any, Any], stored: Mapping[str, Any], rules: Any) -> Any:
    """Read the start of a deal under way; raise InvalidError if the rules don't allow it."""
    return read_stored(game, existing(game.start_type), stored, rules)


def judge(
    game: Game[Any, Any],
    table: Table[Any],
    outcome: Outcome,
    answers: Any,
    *,
    times: int = 1,
    path: str = "sheet",
) -> tuple[JudgedDeal | None, list[Problem]]:
    """Read the answers for a deal and pay it; None, with the problems, if they are wrong.

    ``times`` is the multiplier of a played deal whose sheet has none.
    """
    sheet: Any
    if outcome not in WITH_SHEET:
        if answers is None:
            return JudgedDeal(game, outcome, table), []
        return None, [unexpected_sheet(path)]
    if outcome is Outcome.PENALTY:
        sheet, problems = read_penalty(answers, table, path)
    elif outcome is Outcome.AGREED:
        sheet, problems = read_agreed(game, answers, table, path)
    else:
        sheet, problems = game.read_sheet(with_times(answers, times), table, path)
    return (None if sheet is None else _paid(game, outcome, table, sheet)), problems


def _score(game: Game[Any, Any], outcome: Outcome, table: Table[Any], sheet: Any) -> Score:
    if outcome is Outcome.PENALTY:
        return game.penalty(sheet.offender, table)
    if outcome is Outcome.AGREED:
        return agreed_score(game, sheet, table)
    return game.score(sheet, table)


def _paid(game: Game[Any, Any], outcome: Outcome, table: Table[Any], sheet: Any) -> JudgedDeal:
    score = _score(game, outcome, table, sheet)
    return JudgedDeal(game, outcome, table, sheet, score.payouts, score.made)


def judged_formerly(game: Game[Any, Any], table: Table[Any], answers: Any) -> JudgedDeal | None:
    """Pay a played deal by the rules of 0.3, if by those of today it is refused or pays otherwise.

    None if 0.3 had no other rules for it.
    """
    reading = Reading(table.seats, game.deck(table.rules))
    sheet = read(game.sheet_type, answers, reading, "sheet")
    score = None if sheet is None else game.former_score(sheet, table)
    if score is None:
        return None
    return JudgedDeal(game, Outcome.PLAYED, table, sheet, score.payouts, score.made)


def unexpected_sheet(path: str) -> Problem:
    """Return the problem that a deal has a sheet though it was not played."""
    return Problem("unexpected-sheet", path, say("A deal that was not played has no sheet."))


def judged(
    game: Game[Any, Any], table: Table[Any], outcome: Outcome, answers: Any, *, times: int = 1
) -> JudgedDeal:
    """Judge a deal as `judge` does; raise InvalidError with all its problems.

    A wrong number of players is raised alone; of a deal that was not played no answers are read.
    """
    check_count(game, table)
    given = answers if outcome in WITH_SHEET else None
    entry, problems = judge(game, table, outcome, given, times=times)
    if entry is None:
        raise InvalidError(problems)
    return entry


def judged_again(entry: JudgedDeal, table: Table[Any], names: Sequence[str]) -> JudgedDeal:
    """Judge a deal at another table, for people of these names by seat; raise InvalidError.

    The sheet is read again only if its people or its deck changed. A deal that was paid by the
    rules of 0.3 is paid by them again, unless its rules changed.
    """
    game, sheet = entry.game, entry.played
    if table.rules == entry.table.rules and entry.former is not None:
        check_count(game, table)
        former = judged_formerly(game, table, entry.answers(names))
        if former is not None:
            return former
    if (
        sheet is None
        or names != table.seats
        or game.deck(table.rules) != game.deck(entry.table.rules)
    ):
        return judged(game, table, entry.outcome, entry.answers(names))
    check_count(game, table)
    refuse(game.sheet_problems(sheet, table))
    return _paid(game, entry.outcome, table, sheet)


def check_count(game: Game[Any, Any], table: Table[Any], path: str = "") -> None:
    """Raise InvalidError if too many or too few play for the rules."""
    wrong = wrong_count(len(table.active), game.seating(table.rules).playing, path)
    if wrong is not None:
        raise InvalidError([wrong])
