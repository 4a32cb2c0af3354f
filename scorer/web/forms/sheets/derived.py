"""The entry form of any game, derived from the questions of its sheet.

A number for each side or player is a row of boxes, a side or a player is a choice of chips, yes or
no is a tick: each is a field of WTForms. What the browser sends comes back as a sheet of
docs/contract.md; the rules judge it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, get_args, get_origin

from wtforms import BooleanField, RadioField, SelectField

from scorer.errors import Problem
from scorer.rules.seats import Seat, Side
from scorer.rules.sheet import Ask, Unanswered, inner_kind, questions
from scorer.rules.sides import PerSide
from scorer.texts import say
from scorer.web.forms.deals import DealForm
from scorer.web.forms.fields import NumberField, QuestionField, choices, whole
from scorer.web.forms.sheets.asked import NOBODY, Asked, DerivedQuestions, Ease, Fold, Part, Picks
from scorer.web.views import seat_views

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from werkzeug.datastructures import MultiDict

    from scorer.rules.game import Game, Table
    from scorer.rules.sheet import Question
    from scorer.rules.sides import Sides
    from scorer.texts import Text
    from scorer.web.forms.sheets.asked import Countable, Pick

#: Up to so many sides have a column each.
COLUMNS = 3


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


class Place(NamedTuple):
    """What a problem is about: a question, and perhaps the answer of a side or of somebody."""

    name: str
    side: int | None = None
    who: str = ""


def _place(path: str) -> Place:
    """Read the path of a problem: ``sheet.cards[0]`` is of a side, ``sheet.hands.Ada`` of Ada."""
    path = path.removeprefix("sheet.")
    name = path.partition("[")[0].partition(".")[0]
    inside = path[len(name) :]
    if inside.startswith("."):
        return Place(name, who=inside[1:])
    side = inside[1:].partition("]")[0]
    return Place(name, int(side) if side.isdecimal() else None)


def asked_with(
    game: Game[Any, Any], table: Table[Any], filled: Mapping[str, str]
) -> list[Question]:
    """Give the questions that have a meaning, and those that have an answer all the same."""
    named = {
        name.partition("-")[0] for name, value in filled.items() if value not in ("", "0", NOBODY)
    }
    asked = {question.name for question in game.asks(table)}
    return [one for one in questions(game.sheet_type) if one.name in asked | named]


class DerivedForm(DealForm):
    """The form of a game, with the fields that answer what its sheet asks at a table."""

    template = "games/_sheet.html"
    script = "derived.js"
    #: What makes questions quick, by their names.
    ease: ClassVar[Mapping[str, Ease]] = {}
    #: Which questions come first, where it isn't as on the sheet.
    order: ClassVar[Sequence[str]] = ()
    #: What is asked of somebody who has said nothing yet.
    first = say("What did each side take?")
    #: Questions whose boxes each have a place for what is wrong with them.
    apart: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def at(
        cls, game: Game[Any, Any], table: Table[Any], sent: MultiDict[str, str] | None = None
    ) -> DealForm:
        """Make the form with a field for each answer that is asked for at a table, or was sent."""
        fields: dict[str, Any] = {}
        for question in asked_with(game, table, sent or {}):
            fields |= cls._fields_of(question, table, game.sides(table.active, table.rules))
        form: type[DealForm] = type(cls.__name__, (cls,), fields)
        return form(game, table, sent)

    @property
    def sides(self) -> Sides:
        """The sides at the table."""
        return self.game.sides(self.table.active, self.table.rules)

    @property
    def only_counts(self) -> bool:
        """Whether all that is asked are counters: with every box blank, nothing is answered."""
        asked = (one for one in questions(self.game.sheet_type) if one.name in self)
        return all(one.ask is not None and one.ask.counted for one in asked)

    @classmethod
    def _fields_of(cls, question: Question, table: Table[Any], sides: Sides) -> dict[str, Any]:
        """Make the fields of a question: its own, or one for each side, seat, or list of a side."""
        found = _parts(question, table, sides)
        if found is None:
            picks = [
                pick for side in range(len(sides)) for pick in cls.lists(question.name, side, table)
            ]
            return {question.name: QuestionField(), **{one.name: _picked(one) for one in picks}}
        by, parts = found
        if by == "choice":
            return {
                question.name: RadioField(
                    choices=choices(part.value for part in parts), validate_choice=False
                )
            }
        kind = {"number": NumberField, "tick": BooleanField}[by]
        fields = {part.name: kind() for part in parts}
        return fields if question.name in fields else {question.name: QuestionField(), **fields}

    def sheet(self) -> dict[str, Any]:
        """Return the answers as a sheet; what was not answered is left out."""
        answers = {}
        for question in questions(self.game.sheet_type):
            answer = self._answer(question) if question.name in self else None
            if answer is not None:
                answers[question.name] = None if answer == NOBODY else answer
        return answers

    def start(self) -> dict[str, Any]:
        """Nothing is known before the play."""
        return {}

    def _answer(self, question: Question) -> Any:
        name, kind = question.name, inner_kind(question.kind)
        if get_origin(kind) is PerSide:
            return self._per_side(question, get_args(kind)[0])
        if get_origin(kind) is Mapping:
            boxes = {seat: self[f"{name}-{seat}"].data for seat in self.table.active}
            return {self.table.name(seat): n for seat, n in boxes.items() if n is not None}
        if get_origin(kind) is tuple:
            ticked = (seat for seat in self.table.order if self[f"{name}-{seat}"].data)
            return [self.table.name(seat) for seat in ticked]
        answer = self[name].data
        if kind in (int, bool) or answer in (None, "", NOBODY):
            return None if answer == "" else answer
        if kind is Side:
            number = whole(answer, digits=6)
            return answer if number is None else number
        if kind is Seat:
            known = {str(seat): who for seat, who in enumerate(self.table.seats)}
            return known.get(answer, answer)
        return answer

    def _per_side(self, question: Question, kind: Any) -> list[Any] | None:
        name, sides = question.name, range(len(self.sides))
        if get_origin(kind) is tuple:
            lists = [self.listed(name, side) for side in sides]
            return lists if any(lists) else None
        answers = [self[f"{name}-{side}"].data for side in sides]
        if kind is bool:
            return answers
        if question.ask and question.ask.counted:
            if self.only_counts and all(answer is None for answer in answers):
                return None
            answers = [0 if answer is None else answer for answer in answers]
            return answers if question.required or any(answers) else None
        return answers if any(answer is not None for answer in answers) else None

    def listed(self, name: str, side: int) -> list[Any]:
        """Return what a side picked from its lists."""
        return []

    def picked(self, name: str, side: int, what: object) -> str:
        """Return what was picked from one list of a side."""
        key = f"{name}-{side}-{what}"
        return (self[key].data or "") if key in self else ""

    def questions(self, *, times: int = 1) -> DerivedQuestions:
        """Return what the form asks for one deal."""
        table, sides = self.table, self.sides
        found = (self._asked(question, sides) for question in self._in_order())
        asked = [one for one in found if one is not None]
        heads = [seat_views(table.seats, side) for side in sides]
        folds: dict[str, Fold] = {}
        for one in asked:
            if one.ease.fold is not None:
                folds.setdefault(str(one.ease.fold), Fold(one.ease.fold, [])).asked.append(one)
        return DerivedQuestions(
            seats=seat_views(table.seats, table.active),
            sides=heads if len(heads) <= COLUMNS else [],
            asked=[one for one in asked if one.ease.fold is None],
            folds=list(folds.values()),
            cards=self.countable(),
            first=self.first,
            rules=table.rules,
            side_of={int(seat): number for number, side in enumerate(sides) for seat in side},
            balances={int(seat): amount for seat, amount in (table.balances or {}).items()},
        )

    def _in_order(self) -> list[Question]:
        place = {name: number for number, name in enumerate(self.order)}
        every = questions(self.game.sheet_type)
        asked = [self.game.worded(one, self.table) for one in every if one.name in self]
        return sorted(asked, key=lambda one: place.get(one.name, len(place)))

    def _asked(self, question: Question, sides: Sides) -> Asked | None:
        """Say how a question is asked; None where nothing on a page can answer it."""
        table = self.table
        ask, ease = question.ask or Ask(question.name), self.ease_of(question)
        found = _parts(question, table, sides)
        if found is not None:
            by, parts = found
            if not ease.nobody:
                parts = [part for part in parts if part.value != NOBODY]
            total = self.total(question)
            return Asked(question, ask.label, by, parts, ease, total=total, needed=self.only_counts)
        picks = [
            Picks(seat_views(table.seats, seats), self.lists(question.name, side, table))
            for side, seats in enumerate(sides)
        ]
        empty = not any(side.lists for side in picks)
        return None if empty else Asked(question, ask.label, "pick", [], ease, picks=picks)

    def ease_of(self, question: Question) -> Ease:
        """Say what makes a question quick."""
        return self.ease.get(question.name, Ease())

    def total(self, question: Question) -> int | None:
        """Say what the answers of all sides come to together, if that is sure."""
        return question.ask.total if question.ask else None

    def countable(self) -> list[Countable]:
        """Give the cards that can be counted by tapping."""
        return []

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at its question, with the name of the side or player it is about."""
        super().refuse(self._placed(problem) for problem in problems)

    def _placed(self, problem: Problem) -> Problem:
        place = _place(problem.field)
        if place.who in self.table.seats and place.name in self.apart:
            field = f"{place.name}-{self.table.seats.index(place.who)}"
            return Problem(problem.code, field, problem.message)
        whose = place.who or self._side(place)
        message = say("%(name)s: %(answer)s", name=whose, answer=problem.message)
        return Problem(problem.code, place.name, message if whose else problem.message)

    def _side(self, place: Place) -> Text | str:
        """Name the side that a problem is of, if its question has an answer for each side."""
        sides = self.sides
        kinds = {one.name: inner_kind(one.kind) for one in questions(self.game.sheet_type)}
        per_side = get_origin(kinds.get(place.name)) is PerSide
        known = per_side and place.side is not None and place.side < len(sides)
        return self.table.names(sides[place.side or 0]) if known else ""

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        """Give the lists that a side picks from, for a question that has several answers."""
        return []

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Any, ...]) -> dict[str, str]:
        """Return what the lists send for the answers that were stored."""
        return {}

    @classmethod
    def values(cls, sheet: Any) -> dict[str, str]:
        """Return what the form sends for a sheet, to amend a deal."""
        filled: dict[str, str] = {}
        for question in questions(type(sheet)):
            answer = getattr(sheet, question.name)
            if _is_listed(question):
                for side, parts in enumerate(answer or ()):
                    filled |= cls.picks(question.name, side, parts)
            else:
                filled |= _filled(question.name, answer)
        return {name: value for name, value in filled.items() if value}

    @classmethod
    def start_values(cls, start: Any) -> dict[str, str]:
        """Nothing is known before the play."""
        return {}


def _picked(pick: Pick) -> SelectField:
    return SelectField(
        choices=choices(offer.value for offer in pick.offered), validate_choice=False
    )
