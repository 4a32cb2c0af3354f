"""A deal read from text, leniently; the text and its examples are in docs/notation.md.

The lines are sorted by their headings. The table is read first, then whatever was said of the deal:
it becomes the body of a record, with the place where each part of it stands.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from scorer.errors import MOST_PROBLEMS, Problem
from scorer.games.briscola_chiamata.game import GAME
from scorer.games.briscola_chiamata.play.dead_hand import people, with_dead_hand
from scorer.games.briscola_chiamata.play.notation.parts import Parts
from scorer.games.briscola_chiamata.play.notation.scanning import Line
from scorer.rules.game import Table
from scorer.rules.seats import MOST_SEATS, Seat, all_seats
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.rules import ChiamataRules

    Here = tuple[Table[ChiamataRules], Seat | None]

HEADINGS = {
    "rules": "rules",
    "regole": "rules",
    "seats": "seats",
    "players": "seats",
    "posti": "seats",
    "giocatori": "seats",
    "dealer": "dealer",
    "mazziere": "dealer",
    "out": "out",
    "fuori": "out",
    "auction": "auction",
    "asta": "auction",
    "caller": "caller",
    "chiamante": "caller",
    "result": "result",
    "risultato": "result",
    "taken": "taken",
    "presi": "taken",
    "discards": "discards",
    "scarti": "discards",
}
HEADING = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:", re.IGNORECASE)
HAND = re.compile(r"\s*(?:hand|mano|carte)\s+", re.IGNORECASE)
TRICK = re.compile(r"([0-9]{1,3})[.)]", re.ASCII)
NAME = re.compile(r'[^,;"]+')
START = "1:1"
LONGEST_TEXT = (
    8_000  # a deal with every call, hand and trick, among names of forty letters, is half
)


class Told(NamedTuple):
    """What a text tells: who sits at the table, who deals, the body of a record.

    ``places`` are where the parts of the body stand in the text, by their paths.
    """

    table: Table[ChiamataRules]
    dealer: Seat | None
    body: dict[str, Any]
    places: dict[str, str]

    def placed(self, problem: Problem) -> Problem:
        """Give a problem of the body the place in the text instead of the path."""
        known = [path for path in self.places if problem.field.startswith(path)]
        place = self.places[max(known, key=len)] if known else START
        message = say(
            "Line %(line)s: %(message)s", line=place.partition(":")[0], message=problem.message
        )
        return Problem(problem.code, place, message)


def read_text(
    text: str, table: Table[ChiamataRules] | None, dealer: Seat | None
) -> tuple[Told | None, list[Problem]]:
    """Read a text, for a table where one is known: then its rules and its people hold."""
    if len(text) - text.count("\r") > LONGEST_TEXT:  # browsers end lines with two letters
        message = say("The text of a deal has at most %(most)s letters.", most=LONGEST_TEXT)
        return None, [Problem("too-long", START, message)]
    problems: list[Problem] = []
    reader = _Reader(problems)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.sort(Line(line, number, problems))
    here = reader.table(dealer) if table is None else reader.known(table, dealer)
    told = None
    if here is not None and not problems:
        told = Told(*here, reader.body(here[0]), reader.places)
    if len(problems) >= MOST_PROBLEMS:
        message = say("So much is wrong here that the rest was not read.")
        problems.append(Problem("too-many-problems", START, message))
    return (None if problems else told), problems


class _Reader:
    """Sorts the lines by their headings, then reads one heading after the other."""

    def __init__(self, problems: list[Problem]) -> None:
        """Begin with nothing read."""
        self.problems = problems
        self.places: dict[str, str] = {}
        self._lines: dict[str, Line] = {}
        self._hands: list[Line] = []
        self._tricks: list[tuple[int | None, Line]] = []

    def sort(self, line: Line) -> None:
        """Put a line to its heading; one without any is a trick."""
        heading = line.match(HEADING)
        if heading:
            key = HEADINGS[heading[1].lower()]
            if key in self._lines:
                line.fault("said-twice", say("This was said before."))
            self._lines[key] = line
        elif line.match(HAND):
            self._hands.append(line)
        elif line.more:
            number = line.match(TRICK)
            self._tricks.append((int(number[1]) if number else None, line))

    def known(self, table: Table[ChiamataRules], dealer: Seat | None) -> Here:
        """Read who deals at a table that is known; a text that names other people is refused."""
        for _ in self._names_in("seats", table.seats):
            pass
        return table, self._dealer(people(table), dealer)

    def table(self, dealer: Seat | None) -> Here | None:
        """Read by which rules a deal is played, by whom, and who deals."""
        rules, names = self._rules(), self._seats()
        if not names:
            return None
        dealer = self._dealer(names, dealer)
        out = [names.index(name) for name in self._names_in("out", names)]
        everybody = all_seats(len(names))
        active = tuple(seat for seat in everybody if seat not in out)
        if not out and dealer is not None:
            active = GAME.active(dealer, everybody, rules)
        if len(active) != rules.players:
            message = say(
                "These rules are for %(wanted)s players; there are %(count)s.",
                wanted=rules.players,
                count=len(active),
            )
            self.problems.append(Problem("seats-count", START, message))
        return with_dead_hand(Table(rules, names, active)), dealer

    def _rules(self) -> ChiamataRules:
        line = self._lines.get("rules")
        if line is None or not line.more:
            return GAME.preset
        written = line.text[line.at :].strip()
        try:
            given = json.loads(written) if written.startswith("{") else written
        except (ValueError, RecursionError):
            given = written
        rules, problems = GAME.rules_from(given)
        for problem in problems:
            told = say("%(field)s: %(message)s", field=problem.field, message=problem.message)
            line.fault(problem.code, told)
        return rules

    def _seats(self) -> tuple[str, ...]:
        line, names = self._lines.get("seats"), list[str]()
        if line is None:
            message = say("Who plays? A line with the seats is needed.")
            self.problems.append(Problem("missing-key", START, message))
            return ()
        while line.more:
            place, found = line.place, line.match(NAME)
            name = found[0].strip() if found else line.word()
            if len(names) == MOST_SEATS:
                line.fault("seats-count", say("So many people don't fit around a table."), place)
                return ()
            if not name.strip():
                line.fault("bad-name", say("A name has from 1 to 200 letters."), place)
                continue
            if name in names:
                message = say("There is more than one %(name)s: names are unique.", name=name)
                line.fault("duplicate-name", message, place)
            names.append(name)
        return tuple(names)

    def _dealer(self, names: tuple[str, ...], dealer: Seat | None) -> Seat | None:
        found = [Seat(names.index(name)) for name in self._names_in("dealer", names)]
        return found[0] if found else dealer

    def _names_in(self, heading: str, names: tuple[str, ...]) -> Iterator[str]:
        line = self._lines.get(heading)
        while line is not None and line.more:
            name = line.name(names)
            if name is not None:
                yield name

    def body(self, table: Table[ChiamataRules]) -> dict[str, Any]:
        """Read what was said of the deal."""
        parts = Parts(table.seats, table.rules.cards, self.places)
        for heading, read in parts.by_heading.items():
            if heading in self._lines:
                read(self._lines[heading])
        for line in self._hands:
            parts.hand(line)
        for number, line in self._tricks:
            parts.trick(number, line)
        return parts.body
