"""The form that edits a rule set, derived from its options: what is typed, and the document of it.

A box is called by the path of its option, after ``rules.``; the cells of rows by their column too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from werkzeug.datastructures import MultiDict

from scorer.rules.options import Kind, Option, flat, options
from scorer.rules.sheet import write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorer.errors import Problem
    from scorer.rules.game import Game
    from scorer.texts import Text

HEAD = "rules."
TICKED = "y"
#: What is left out as a whole, by a tick before it.
WHOLE = {Kind.GROUP, Kind.ROWS}
NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9]{1,9}", re.ASCII)
IN_ROW = re.compile(r"(.+)\[(\d+)\]")

Typed = MultiDict[str, str]


@dataclass(frozen=True, slots=True)
class Box:
    """An option as the form shows it: what was typed or chosen, and what is wrong with it."""

    option: Option
    value: str
    rows: tuple[tuple[str, ...], ...]
    wrong_rows: frozenset[int]
    wrong: bool

    @property
    def name(self) -> str:
        """What its input is called."""
        return HEAD + self.option.path


class RulesForm:
    """A rule set being edited: what was typed so far."""

    def __init__(self, game: Game[Any, Any], typed: Typed) -> None:
        """Take what was typed, for the rules of a game."""
        self.game = game
        self.typed = typed
        self.options = options(game.rules_type)

    @classmethod
    def of(cls, game: Game[Any, Any], rules: Any) -> RulesForm:
        """Fill the form with rules."""
        typed: Typed = MultiDict()
        _fill(typed, options(game.rules_type), write(rules, whole=True), game)
        return cls(game, typed)

    @property
    def document(self) -> dict[str, Any]:
        """What was typed, as a document for the rules to judge."""
        return _document(self.options, self.typed)

    def with_row(self, path: str) -> RulesForm:
        """Give the form with one more row, to be filled in."""
        return self._with_rows(path, [*_typed_rows(self._option(path), self.typed), ()])

    def without_row(self, path: str, index: int) -> RulesForm:
        """Give the form without one of its rows."""
        rows = _typed_rows(self._option(path), self.typed)
        return self._with_rows(path, [row for n, row in enumerate(rows) if n != index])

    def _option(self, path: str) -> Option | None:
        rows = (option for option in flat(self.options) if option.kind is Kind.ROWS)
        return next((option for option in rows if option.path == path), None)

    def _with_rows(self, path: str, rows: Sequence[Sequence[str]]) -> RulesForm:
        option, typed = self._option(path), self.typed.copy()
        for column in range(len(option.columns) if option else 0):
            cells = [row[column] if column < len(row) else "" for row in rows]
            typed.setlist(f"{HEAD}{path}.{column}", cells)
        return RulesForm(self.game, typed)

    def boxes(self, problems: Sequence[Problem] = ()) -> dict[str, Box]:
        """Give every box by the path of its option."""
        wrong = {_place(problem.field) for problem in problems}
        return {option.path: self._box(option, wrong) for option in flat(self.options)}

    def _box(self, option: Option, wrong: set[tuple[str, int | None]]) -> Box:
        mine = {row for path, row in wrong if path == HEAD + option.path}
        rows = tuple(_typed_rows(option, self.typed)) or (("",) * len(option.columns),)
        return Box(
            option,
            self.typed.get(HEAD + option.path, ""),
            rows,
            frozenset(row for row in mine if row is not None),
            wrong=bool(mine),
        )


def beside(problems: Sequence[Problem]) -> dict[str, list[Text]]:
    """Sort problems to the boxes they stand beside; those of a row say which."""
    found: dict[str, list[Text]] = {}
    for problem in problems:
        path, row = _place(problem.field)
        message = problem.message
        if row is not None:
            message = say("Row %(number)s: %(what)s", number=row + 1, what=message)
        found.setdefault("" if path == "rules" else path, []).append(message)
    return found


def _place(field: str) -> tuple[str, int | None]:
    """Say which box a problem stands beside, and in which of its rows."""
    found = IN_ROW.fullmatch(field)
    return (found[1], int(found[2])) if found else (field, None)


def _fill(
    typed: Typed, some: Sequence[Option], answers: Mapping[str, Any] | None, game: Game[Any, Any]
) -> None:
    """Write answers into boxes; what is left out whole is filled with what it usually says."""
    for option in some:
        said = None if answers is None else answers[option.name]
        whole = option.kind in WHOLE
        if option.optional and whole and said is not None:
            typed.add(HEAD + option.path, TICKED)
        missing = answers is None or (whole and said is None)
        _fill_one(typed, option, _usual(option, game) if missing else said, game)


def _fill_one(typed: Typed, option: Option, answer: Any, game: Game[Any, Any]) -> None:
    name = HEAD + option.path
    match option.kind:
        case Kind.GROUP:
            _fill(typed, option.parts, answer, game)
        case Kind.ROWS:
            for row in answer or ():
                for column, cell in enumerate(row):
                    typed.add(f"{name}.{column}", str(cell))
        case Kind.TICK:
            typed.setlist(name, [TICKED] if answer else [])
        case _:
            typed.add(name, "" if answer is None else str(answer))


def _usual(option: Option, game: Game[Any, Any]) -> Any:
    """What the first preset says that says anything, or the least that may be said."""
    for preset in game.presets.values():
        answer = write(preset, whole=True)
        for key in option.path.split("."):
            answer = None if answer is None else answer[key]
        if answer is not None:
            return answer
    if option.optional or option.kind in WHOLE:
        return None
    return option.choices[0][0] if option.choices else option.low


def _document(some: Sequence[Option], typed: Typed) -> dict[str, Any]:
    return {option.name: _answer(option, typed) for option in some}


def _answer(option: Option, typed: Typed) -> Any:
    name = HEAD + option.path
    if option.optional and option.kind in WHOLE and not typed.get(name):
        return None
    match option.kind:
        case Kind.GROUP:
            return _document(option.parts, typed)
        case Kind.ROWS:
            return [
                [typed_number(cell) for cell in row]
                for row in _typed_rows(option, typed)
                if any(row)
            ]
        case Kind.TICK:
            return bool(typed.get(name))
        case Kind.CHOICE:
            return typed.get(name, "") or (None if option.optional else "")
        case _:
            text = typed.get(name, "")
            return typed_number(text) if text.strip() or not option.optional else None


def typed_number(text: str) -> int | str:
    """Read a number; what is none is kept as it was typed, for the rules to refuse."""
    stripped = text.strip()
    if NUMBER.fullmatch(stripped):
        return int(stripped.replace("\N{MINUS SIGN}", "-"))
    return text


def _typed_rows(option: Option | None, typed: Typed) -> Iterator[tuple[str, ...]]:
    if option is None or option.kind is not Kind.ROWS:
        return
    columns = [typed.getlist(f"{HEAD}{option.path}.{n}") for n in range(len(option.columns))]
    yield from zip_longest(*columns, fillvalue="")
