"""The entry form of any game, derived from the questions of its sheet.

A number for each side or player is a row of boxes, a side or a player is a choice of chips, yes or
no is a tick: each is a field of WTForms. What the browser sends comes back as a sheet of
docs/contract.md; the rules judge it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, get_args, get_origin

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Form, StringField

from scorer.errors import Problem
from scorer.evening.proposals import NOBODY
from scorer.rules.cards import CARD_POINTS, Deck, rank_letter, rank_name
from scorer.rules.game import Game, Table
from scorer.rules.questions import Question, Unanswered, inner_kind, missing, questions
from scorer.rules.seats import PerSide, Seat, Side, Sides
from scorer.texts import Text, as_it_is, say
from scorer.web.base.fields import NumberField, QuestionField, whole
from scorer.web.base.pages import SeatView, seat_views
from scorer.web.deals.forms import DealForm, seat_name

MOST = 9_999
#: The answers to a question of yes or no that may also be left open.
YES, NO = "y", "n"


class FormPart(NamedTuple):
    """A box, a tick or a chip of a question: its field, its value, and its owner."""

    name: str
    value: str
    seats: list[SeatView]
    text: Text | str = ""


class Offer(NamedTuple):
    """An item to pick: its value, its name, and its cards, which nobody else can have then."""

    value: str
    text: Text
    cards: tuple[str, ...] = ()


class Pick(NamedTuple):
    """One of a side's lists to pick from: its field, its subject, its items."""

    name: str
    label: Text
    symbol: str
    offered: list[Offer]


class Picks(NamedTuple):
    """The lists that one side picks from."""

    seats: list[SeatView]
    lists: list[Pick]


class Countable(NamedTuple):
    """Cards that are counted by tapping: their key, their name, their worth and their number."""

    called: Text | str
    name: Text
    worth: int
    most: int


#: A heap that was counted at the table, as people lay the cards together.
HEAP = Countable(as_it_is("+100"), say("A heap of cards"), 100, 10)


def counted_ranks(deck: Deck) -> list[Countable]:
    """List the ranks of a deck that are worth card points."""
    return [
        Countable(rank_letter(rank, deck), rank_name(rank, deck), worth, len(deck.suits))
        for rank, worth in zip(deck.ranks, CARD_POINTS, strict=False)
    ]


class InputHints(NamedTuple):
    """Hints that make a question quick to answer, and its place on the page.

    A counter begins at ``first``, goes by ``step`` and omits ``skip``; ``keys`` are answers for one
    tap, and ``cards`` are counted by tapping. One question of a ``group`` must be answered, and so
    must a ``required`` one, even where a sheet may omit it. Boxes of the chosen side that it
    ``rules_out`` are not asked. Without ``nobody`` somebody must be chosen. Ticks are asked by
    their ``opposite``, with these words. A ``note`` stands beside the question, and one with a
    ``fold`` is folded away under its words.
    """

    first: int | None = None
    step: int = 1
    skip: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    cards: bool = False
    group: str = ""
    required: bool = False
    rules_out: tuple[str, ...] = ()
    nobody: bool = True
    opposite: Text | None = None
    note: Text | None = None
    fold: Text | None = None


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question as the page asks it: by ``number``, ``tick``, ``choice`` or ``pick``."""

    question: Question
    by: str
    parts: list[FormPart]
    hints: InputHints
    total: int | None = None
    picks: list[Picks] = field(default_factory=list)
    needed: bool = False

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def label(self) -> Text:
        return self.hints.opposite or self.question.label

    @property
    def required(self) -> bool:
        """Whether it must be answered; a blank counter means 0, unless it is ``needed``.

        Blank counters alone are no answer of a group.
        """
        must = self.question.required and (self.needed or not self.counted)
        return must or self.hints.required or (self.counted and bool(self.hints.group))

    @property
    def counted(self) -> bool:
        return self.question.ask.counted

    @property
    def low(self) -> int:
        return self.question.ask.low or 0

    @property
    def high(self) -> int:
        high = self.question.ask.high
        return MOST if high is None else high

    @property
    def none(self) -> bool:
        return self.by == "choice" and self.parts[-1].value == NOBODY

    @property
    def alone(self) -> bool:
        """Whether it is a single tick, for the whole table."""
        return self.by == "tick" and not self.parts[0].seats

    def answered(self, form: Form) -> bool:
        lists = (pick.name for side in self.picks for pick in side.lists)
        names = [*(part.name for part in self.parts), *lists]
        return any(form[name].data not in (None, False, "", NOBODY) for name in names)


class Fold(NamedTuple):
    """Questions that are folded away under a few words."""

    title: Text
    questions: list[FormQuestion]

    def open(self, form: Form) -> bool:
        return any(
            question.answered(form) or form[question.name].errors for question in self.questions
        )


#: Up to so many sides have a column each.
COLUMNS = 3
#: What follows the name of a question in the boxes that ask for its opposite.
OPPOSITE = "-not"
#: The path of a problem: its question, then ``[0]`` for a side or ``.Ada`` for somebody.
PLACE = re.compile(r"([^.[]*)(?:\[(\d+)\]|\.(.*))?", re.DOTALL)


def _parts(
    question: Question, hints: InputHints, table: Table[Any], sides: Sides
) -> tuple[str, list[FormPart]] | None:
    name, kind, many = question.name, question.kind, get_origin(question.kind)
    name += OPPOSITE if hints.opposite else ""
    if many is PerSide:
        by = {int: "number", bool: "tick"}.get(inner_kind(get_args(kind)[0]))
        return (by, _each(name, enumerate(sides), table)) if by else None
    if many is not None:
        seats = table.active if many is Mapping else table.here
        by = "number" if many is Mapping else "tick"
        return by, _each(name, ((seat, (seat,)) for seat in seats), table)
    if kind is int or (kind is bool and not question.optional):
        return "tick" if kind is bool else "number", [FormPart(name, "y", [])]
    return "choice", _choices(question, table, sides)


def _each(
    name: str, some: Iterable[tuple[int, Sequence[Seat]]], table: Table[Any]
) -> list[FormPart]:
    return [
        FormPart(f"{name}-{number}", str(number), seat_views(table.seats, seats))
        for number, seats in some
    ]


def _choices(question: Question, table: Table[Any], sides: Sides) -> list[FormPart]:
    name, kind = question.name, question.kind
    if kind in (Side, Seat):
        some = enumerate(sides) if kind is Side else ((seat, (seat,)) for seat in table.active)
        chips = [part._replace(name=name) for part in _each(name, some, table)]
    elif kind is bool:
        chips = [FormPart(name, YES, [], say("yes")), FormPart(name, NO, [], say("no"))]
    else:
        chips = [FormPart(name, choice.value, [], choice.words) for choice in kind]
    none = question.ask.none or say("Nobody")
    return [*chips, FormPart(name, NOBODY, [], none)] if question.optional else chips


def _filled(name: str, hints: InputHints, answer: Any) -> dict[str, str]:
    """Return the values of a question's boxes for a stored answer."""
    if hints.opposite:
        return {f"{name}{OPPOSITE}-{side}": _text(not part) for side, part in enumerate(answer)}
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


class DerivedForm(DealForm):
    """The form of a game, with a field for each question of its sheet at a table."""

    template = "deals/_derived.html"
    script = "deals/derived.js"
    #: By the names of the questions.
    hints: ClassVar[Mapping[str, InputHints]] = {}
    #: Which questions come first, where it isn't as on the sheet.
    order: ClassVar[Sequence[str]] = ()
    #: Questions whose boxes each have a place for what is wrong with them.
    apart: ClassVar[frozenset[str]] = frozenset()
    #: Whether counting adds to what stands in the box, because many cards are worth the same.
    counter_goes_on: ClassVar[bool] = False

    @classmethod
    def at(
        cls, game: Game[Any, Any], table: Table[Any], sent: MultiDict[str, str] | None = None
    ) -> DealForm:
        names = {question.name for question in game.asks(table)}
        names |= {
            name.partition("-")[0]
            for name, value in (sent or {}).items()
            if value not in ("", NOBODY) and (value != "0" or "-" not in name)
        }
        fields: dict[str, Any] = {}
        for question in questions(game.sheet_type):
            if question.name in names:
                fields |= cls._fields_of(question, table, game.sides(table.active, table.rules))
        form: type[DealForm] = type(cls.__name__, (cls,), fields)
        return form(game, table, sent)

    @property
    def first(self) -> Text:
        """The questions of an empty form."""
        if all(len(side) == 2 for side in self.sides):
            return say("What did each pair take?")
        if any(len(side) > 1 for side in self.sides):
            return say("What did each side take?")
        return say("What did each take?")

    @property
    def sides(self) -> Sides:
        return self.game.sides(self.table.active, self.table.rules)

    @property
    def only_counts(self) -> bool:
        """Whether all questions are counters: then a form of blank boxes answers nothing."""
        return all(
            question.ask.counted
            for question in questions(self.game.sheet_type)
            if question.name in self
        )

    @classmethod
    def _fields_of(cls, question: Question, table: Table[Any], sides: Sides) -> dict[str, Any]:
        """Make the fields of a question: its own, or one for each side, seat, or list of a side."""
        fields: dict[str, Any]
        if answering := _parts(question, cls.hints.get(question.name, InputHints()), table, sides):
            by, parts = answering
            kind = {"number": NumberField, "tick": BooleanField, "choice": StringField}[by]
            fields = {part.name: kind() for part in parts}
        else:
            lists = [cls.lists(question.name, side, table) for side in range(len(sides))]
            fields = {pick.name: StringField() for picks in lists for pick in picks}
        return {question.name: QuestionField(), **fields}

    def sheet(self) -> dict[str, Any]:
        answers = {}
        for question in questions(self.game.sheet_type):
            if question.name not in self:
                continue
            answer = self._answer(question)
            if answer is None and self.hints_of(question).required:
                answer = ""  # which no sheet may have: the rules refuse it
            if answer is not None:
                answers[question.name] = None if answer == NOBODY else answer
        return answers

    def _answer(self, question: Question) -> Any:
        name, kind = question.name, question.kind
        if get_origin(kind) is PerSide:
            return self._per_side(question, get_args(kind)[0])
        if get_origin(kind) is Mapping:
            boxes = {seat: self[f"{name}-{seat}"].data for seat in self.table.active}
            filled = {self.table.name(seat): n for seat, n in boxes.items() if n is not None}
            return filled if filled or question.required else None
        if get_origin(kind) is tuple:
            ticked = (seat for seat in self.table.here if self[f"{name}-{seat}"].data)
            return [self.table.name(seat) for seat in ticked]
        answer = self[name].data
        if kind is bool and question.optional:
            return {YES: True, NO: False}.get(answer, answer or None)
        if kind in (int, bool) or answer in (None, "", NOBODY):
            return None if answer == "" else answer
        if kind is Side:
            number = whole(answer, digits=6)
            return answer if number is None else number
        if kind is Seat:
            return seat_name(self.table, answer) or answer
        return answer

    def _per_side(self, question: Question, kind: Any) -> list[Any] | None:
        name, sides = question.name, range(len(self.sides))
        if get_origin(kind) is tuple:
            lists = [self.listed(name, side) for side in sides]
            return lists if any(lists) else None
        if self.hints_of(question).opposite:
            return [not self[f"{name}{OPPOSITE}-{side}"].data for side in sides]
        answers = [self[f"{name}-{side}"].data for side in sides]
        if kind is bool:
            return answers
        if question.ask.counted:
            if self.only_counts and all(answer is None for answer in answers):
                return None
            answers = [0 if answer is None else answer for answer in answers]
            return answers if question.required or any(answers) else None
        return answers if any(answer is not None for answer in answers) else None

    def listed(self, name: str, side: int) -> list[Any]:
        return []

    def picked(self, name: str, side: int, what: object) -> str:
        key = f"{name}-{side}-{what}"
        return (self[key].data or "") if key in self else ""

    @property
    def heads(self) -> list[list[SeatView]]:
        """Return the names over the columns of boxes; none if there are many sides."""
        sides = self.sides
        return (
            [seat_views(self.table.seats, side) for side in sides] if len(sides) <= COLUMNS else []
        )

    @cached_property
    def questions(self) -> list[FormQuestion]:
        place = {name: number for number, name in enumerate(self.order)}
        worded = sorted(self._worded, key=lambda each: place.get(each.name, len(place)))
        return [asked_so for question in worded if (asked_so := self._as_asked(question))]

    @property
    def _worded(self) -> list[Question]:
        asked = (each for each in questions(self.game.sheet_type) if each.name in self)
        return [self.game.worded(each, self.table) for each in asked]

    @property
    def folds(self) -> list[Fold]:
        folds: dict[str, Fold] = {}
        for question in self.questions:
            title = question.hints.fold
            if title is not None:
                folds.setdefault(str(title), Fold(title, [])).questions.append(question)
        return list(folds.values())

    def pays(self) -> dict[str, Any]:
        """Return the terms, with the sums required of answers."""
        totals = {each.name: total for each in self._worded if (total := self.total(each))}
        terms = self.terms()
        told = {"terms": [*terms, {"each": "bonus"}], "totals": totals} if terms else {}
        whole = self.whole(self.table.rules)
        return {**super().pays(), **told, **({"wins": whole} if whole else {})}

    @classmethod
    def whole(cls, rules: Any) -> Mapping[str, Any] | None:
        """Return the answer that wins the match: its ``name`` and the ``least`` of a side."""
        return None

    @classmethod
    def decides(cls, sheet: Any, rules: Any) -> Mapping[str, Any]:
        whole = cls.whole(rules)
        answers = getattr(sheet, whole["name"]) if whole else None
        return {"wins": True} if whole and whole["least"] in (answers or ()) else {}

    def terms(self) -> Sequence[Mapping[str, Any]]:
        """Return the points of a side's answers as ``Term`` of pays.js, if possible."""
        return ()

    def _as_asked(self, question: Question) -> FormQuestion | None:
        """Return a question for the page; None if no field can answer it."""
        table, sides, hints = self.table, self.sides, self.hints_of(question)
        answering = _parts(question, hints, table, sides)
        if answering is not None:
            by, parts = answering
            if not hints.nobody:
                parts = [part for part in parts if part.value != NOBODY]
            return FormQuestion(
                question, by, parts, hints, total=self.total(question), needed=self.only_counts
            )
        picks = [
            Picks(
                seat_views(table.seats, seats),
                [self.offering(pick) for pick in self.lists(question.name, side, table)],
            )
            for side, seats in enumerate(sides)
        ]
        empty = not any(side.lists for side in picks)
        return None if empty else FormQuestion(question, "pick", [], hints, picks=picks)

    def hints_of(self, question: Question) -> InputHints:
        return self.hints.get(question.name, InputHints())

    def total(self, question: Question) -> int | None:
        """Return the sum of all sides' answers, if it is certain."""
        return question.ask.total

    def countable(self) -> list[Countable]:
        return []

    def refuse(self, problems: Iterable[Problem]) -> None:
        super().refuse(self._placed(problem) for problem in problems)

    def _placed(self, problem: Problem) -> Problem:
        name, side, whose = PLACE.findall(problem.field.removeprefix("sheet."))[0]
        if whose in self.table.seats and name in self.apart:
            return Problem(problem.code, f"{name}-{self.table.seats.index(whose)}", problem.message)
        if self.hints.get(name, InputHints()).required and name in self and not self[name].data:
            return Problem(problem.code, name, missing(name))
        by_side = (
            question.name for question in questions(self.game.sheet_type) if question.by_side
        )
        if side and name in by_side:
            whose = self.table.names(self.sides[int(side)])
        message = say("%(name)s: %(answer)s", name=whose, answer=problem.message)
        return Problem(problem.code, name, message if whose else problem.message)

    @classmethod
    def lists(cls, name: str, side: int, table: Table[Any]) -> list[Pick]:
        return []

    def offering(self, pick: Pick) -> Pick:
        """Return a list to pick from, with its present answer."""
        return pick

    @classmethod
    def picks(cls, name: str, side: int, answers: tuple[Any, ...]) -> dict[str, str]:
        """Return the values of the lists for stored answers."""
        return {}

    @classmethod
    def values(cls, sheet: Any) -> dict[str, str]:
        filled: dict[str, str] = {}
        for question in questions(type(sheet)):
            answer, kind = getattr(sheet, question.name), question.kind
            if get_origin(kind) is PerSide and get_origin(get_args(kind)[0]) is tuple:
                for side, parts in enumerate(answer or ()):
                    filled |= cls.picks(question.name, side, parts)
            elif answer is not None or kind not in (int, bool):
                filled |= _filled(question.name, cls.hints.get(question.name, InputHints()), answer)
            if answer is False and question.optional:
                filled[question.name] = NO
        return {name: value for name, value in filled.items() if value}
