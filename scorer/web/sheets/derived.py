"""The entry form of any game, derived from the questions of its sheet.

A number for each side or player is a row of boxes, a side or a player is a choice of chips, yes or
no is a tick. What the browser sends comes back as a sheet of contract.md; the rules judge it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple
from typing import get_args
from typing import get_origin

from scorer.rules.seats import Seat
from scorer.rules.seats import Side
from scorer.rules.sheet import Ask
from scorer.rules.sheet import Unanswered
from scorer.rules.sheet import inner_kind
from scorer.rules.sheet import questions
from scorer.rules.sides import PerSide
from scorer.texts import Text
from scorer.texts import say
from scorer.web.sheets.numbers import number
from scorer.web.views import SeatView
from scorer.web.views import seat_views

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

    from werkzeug.datastructures import MultiDict

    from scorer.rules.game import Game
    from scorer.rules.game import Table
    from scorer.rules.sheet import Question
    from scorer.rules.sides import Sides

NOBODY = "nobody"
MOST = 9_999


class Part(NamedTuple):
    """A box, a tick or a chip of a question: its field, what it sends, and whose it is."""

    name: str
    value: str
    seats: list[SeatView]
    text: Text | str = ""


class Pick(NamedTuple):
    """One of several lists to pick from, for a side: its field, what it is about, what there is."""

    name: str
    label: Text
    symbol: str
    offered: Sequence[tuple[str, Text]]


class Picks(NamedTuple):
    """The lists that one side picks from."""

    seats: list[SeatView]
    lists: list[Pick]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the page asks it.

    It is answered by ``number`` boxes, ``tick`` marks, ``choice`` chips, or ``pick`` lists.
    """

    name: str
    label: Text | str
    by: str
    parts: list[Part]
    low: int
    high: int
    total: int | None
    rare: bool
    required: bool
    picks: list[Picks] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Questions:
    """What the form asks at one table, and what it asks where it is folded away.

    Two ``sides`` head two columns of boxes.
    """

    seats: list[SeatView]
    sides: list[list[SeatView]]
    asked: list[Asked]
    rare: list[Asked]

    def rare_answered(self, values: Mapping[str, str]) -> bool:
        """Whether one of the rare questions has an answer."""
        parts = (part for one in self.rare for part in one.parts)
        lists = (pick for one in self.rare for side in one.picks for pick in side.lists)
        names = [*(part.name for part in parts), *(pick.name for pick in lists)]
        return any(values.get(name, "") not in ("", NOBODY) for name in names)


def _asked(question: Question, table: Table[Any], sides: Sides) -> Asked | None:
    """Say how a question is asked; None where it is of a kind that no box can answer."""
    ask = question.ask or Ask(question.name)
    found = _parts(question, table, sides)
    if found is None:
        return None
    by, parts = found
    low, high = ask.low or 0, MOST if ask.high is None else ask.high
    return Asked(
        question.name, ask.label, by, parts, low, high, ask.total, ask.rare, question.required
    )


def _parts(question: Question, table: Table[Any], sides: Sides) -> tuple[str, list[Part]] | None:
    name, kind = question.name, inner_kind(question.kind)
    if get_origin(kind) is PerSide:
        of_sides = [
            Part(f"{name}-{side}", "y", seat_views(table.seats, seats))
            for side, seats in enumerate(sides)
        ]
        by = {int: "number", bool: "tick"}.get(inner_kind(get_args(kind)[0]))
        return (by, of_sides) if by else None
    if get_origin(kind) is Mapping:
        return "number", [_of_seat(f"{name}-{seat}", seat, table) for seat in table.active]
    if get_origin(kind) is tuple:
        return "tick", [_of_seat(f"{name}-{seat}", Seat(seat), table) for seat in table.order]
    if kind in (int, bool):
        return "tick" if kind is bool else "number", [Part(name, "y", [])]
    return "choice", _choices(question, kind, table, sides)


def _of_seat(name: str, seat: Seat, table: Table[Any]) -> Part:
    return Part(name, str(seat), seat_views(table.seats, [seat]))


def _choices(question: Question, kind: Any, table: Table[Any], sides: Sides) -> list[Part]:
    name = question.name
    if kind is Side:
        chips = [
            Part(name, str(side), seat_views(table.seats, seats))
            for side, seats in enumerate(sides)
        ]
    elif kind is Seat:
        chips = [_of_seat(name, seat, table) for seat in table.active]
    else:
        chips = [Part(name, str(choice.value), [], str(choice.value)) for choice in kind]
    none = (question.ask.none if question.ask else None) or say("Nobody")
    return chips if question.required else [*chips, Part(name, NOBODY, [], none)]


def _is_listed(question: Question) -> bool:
    """Whether each side gives several answers."""
    kind = inner_kind(question.kind)
    return get_origin(kind) is PerSide and get_origin(get_args(kind)[0]) is tuple


def _filled(name: str, answer: Any) -> dict[str, str]:
    """Fill the boxes of a question with the answer that was stored."""
    if isinstance(answer, PerSide):
        return {f"{name}-{side}": _text(part) for side, part in enumerate(answer)}
    if isinstance(answer, Mapping):
        return {f"{name}-{seat}": _text(part) for seat, part in answer.items()}
    if isinstance(answer, tuple):
        return {f"{name}-{seat}": "y" for seat in answer}
    if isinstance(answer, Unanswered):
        return {}
    return {name: NOBODY if answer is None else _text(answer)}


def _text(answer: Any) -> str:
    if answer is None or answer is False:
        return ""
    if answer is True:
        return "y"
    return str(answer.value if isinstance(answer, Enum) else answer)


class Heads(Mapping[str, str]):
    """Puts what is wrong with a part to its question: ``card_points[0]`` to ``card_points``."""

    def __getitem__(self, path: str) -> str:
        """Give the question that a path is in."""
        return path.partition("[")[0].partition(".")[0]

    def __iter__(self) -> Iterator[str]:
        """Nothing is moved by name."""
        return iter(())

    def __len__(self) -> int:
        """Nothing is moved by name."""
        return 0


class Answers:
    """What a browser sent for a deal; ``sheet`` reads it, the rules judge it."""

    def __init__(self, game: Game[Any, Any], sent: MultiDict[str, str]) -> None:
        """Keep what was sent."""
        self.game = game
        self.sent = sent

    def sheet(self, table: Table[Any]) -> dict[str, Any]:
        """Write the answers as a sheet; what was not answered is left out."""
        sides = self.game.sides(table.active)
        answers = {}
        for question in self.game.asks(table.rules):
            answer = self._answer(question, table, len(sides))
            if answer is not None:
                answers[question.name] = None if answer == NOBODY else answer
        return answers

    def start(self, table: Table[Any]) -> dict[str, Any]:
        """Nothing is written before the play."""
        return {}

    def _answer(self, question: Question, table: Table[Any], sides: int) -> Any:
        name, kind = question.name, inner_kind(question.kind)
        if get_origin(kind) is PerSide:
            return self._per_side(name, get_args(kind)[0], sides)
        if get_origin(kind) is Mapping:
            return self._per_seat(name, table)
        if get_origin(kind) is tuple:
            return self._ticked_seats(name, table)
        if kind is bool:
            return name in self.sent
        if kind is int:
            return number(self.sent.get(name))
        return self._chosen(name, kind, table)

    def _per_side(self, name: str, kind: Any, sides: int) -> list[Any] | None:
        if kind is bool:
            return [f"{name}-{side}" in self.sent for side in range(sides)]
        if get_origin(kind) is tuple:
            lists = [self.listed(name, side) for side in range(sides)]
            return lists if any(lists) else None
        answers = [number(self.sent.get(f"{name}-{side}")) for side in range(sides)]
        return answers if any(answer is not None for answer in answers) else None

    def listed(self, name: str, side: int) -> list[Any]:
        """Write what a side picked from its lists."""
        return []

    def _per_seat(self, name: str, table: Table[Any]) -> dict[str, Any]:
        boxes = {seat: number(self.sent.get(f"{name}-{seat}")) for seat in table.active}
        return {table.name(seat): answer for seat, answer in boxes.items() if answer is not None}

    def _ticked_seats(self, name: str, table: Table[Any]) -> list[str]:
        return [table.name(seat) for seat in table.order if f"{name}-{seat}" in self.sent]

    def _chosen(self, name: str, kind: Any, table: Table[Any]) -> Any:
        chosen = self.sent.get(name, "")
        if chosen in ("", NOBODY):
            return chosen or None
        if kind is Side:
            return number(chosen)
        if kind is Seat:
            known = {str(seat): who for seat, who in enumerate(table.seats)}
            return known.get(chosen, chosen)
        return chosen


class DerivedForm:
    """The form of a game; called with what a browser sent, it gives the answers to be read."""

    answers = Answers
    template = "games/_sheet.html"
    script = "derived.js"
    moved = Heads()

    def __init__(self, game: Game[Any, Any]) -> None:
        """Derive the form of a game."""
        self.game = game

    def __call__(self, sent: MultiDict[str, str]) -> Answers:
        """Take what a browser sent."""
        return self.answers(self.game, sent)

    def questions(self, table: Table[Any], *, times: int = 1) -> Questions:
        """Say what the form asks for one deal."""
        sides = self.game.sides(table.active)
        found = (self._asked(question, table, sides) for question in self.game.asks(table.rules))
        asked = [one for one in found if one is not None]
        return Questions(
            seat_views(table.seats, table.active),
            [seat_views(table.seats, side) for side in sides] if len(sides) == 2 else [],
            [one for one in asked if not one.rare],
            [one for one in asked if one.rare],
        )

    def _asked(self, question: Question, table: Table[Any], sides: Sides) -> Asked | None:
        """Say how a question is asked; None where nothing on a page can answer it."""
        asked = _asked(question, table, sides)
        if asked is not None:
            return asked
        picks = [
            Picks(seat_views(table.seats, seats), self.lists(question.name, side, table))
            for side, seats in enumerate(sides)
        ]
        ask = question.ask or Ask(question.name)
        empty = not any(side.lists for side in picks)
        return None if empty else Asked(
            question.name, ask.label, "pick", [], 0, 0, None, True, question.required, picks
        )  # fmt: skip

    def lists(self, name: str, side: int, table: Table[Any]) -> list[Pick]:
        """Give the lists that a side picks from, for a question that has several answers."""
        return []

    def picked(self, name: str, side: int, answers: tuple[Any, ...]) -> dict[str, str]:
        """Say what is picked from the lists, for the answers that were stored."""
        return {}

    def values(self, sheet: Any) -> dict[str, str]:
        """Fill the form from a sheet, to amend a deal."""
        filled: dict[str, str] = {}
        for question in questions(type(sheet)):
            answer = getattr(sheet, question.name)
            if _is_listed(question):
                for side, parts in enumerate(answer or ()):
                    filled |= self.picked(question.name, side, parts)
            else:
                filled |= _filled(question.name, answer)
        return {name: value for name, value in filled.items() if value}

    def start_values(self, stored: Any) -> dict[str, str]:
        """Nothing is written before the play."""
        return {}
