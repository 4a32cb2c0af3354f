"""The forms of rule sets: the screen that edits one, derived from its options, and imports.

A field of the rules is called by the path of its option, after ``rules.``; the cells of rows by
their column too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any, ClassVar, cast

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, StringField, TextAreaField
from wtforms.validators import InputRequired

from scorer.errors import Problem
from scorer.rules.game import Game
from scorer.rules.options import Option, OptionKind, flat, options
from scorer.rules.questions import body_of, write
from scorer.services.session import house_rules
from scorer.texts import say
from scorer.web.base.fields import ChoiceField, NumberField, UploadField, UUIDField, number
from scorer.web.base.forms import PageForm, field_for

HEAD = "rules."
#: So many digits a number of the rules has at most.
DIGITS = 9
#: What is left out as a whole, by a tick before it.
WHOLE = {OptionKind.GROUP, OptionKind.ROWS}
IN_ROW = re.compile(r"(.+)\[(\d+)\]")


class TableField(Field):
    """Rows of numbers, one for each column; optional rows have a tick."""

    def __init__(self, label: Any, option: Option, **more: Any) -> None:
        super().__init__(label, **more)
        self.columns, self.optional = option.columns, option.optional
        self.path, self.ticked = option.path, False
        self.rows: list[tuple[str, ...]] = []
        self.wrong_rows: set[int] = set()

    def process(self, formdata: Any, data: Any = None, *_: Any, **__: Any) -> None:
        self.process_errors, self.errors = [], []
        there, rows = data or (False, ())
        self.ticked = self.optional and there
        self.rows = [tuple(map(str, row)) for row in rows or ()]
        if formdata is not None:
            columns = [formdata.getlist(f"{self.name}.{n}") for n in range(len(self.columns))]
            self.rows = list(zip_longest(*columns, fillvalue=""))
            self.ticked = bool(formdata.get(self.name))

    @property
    def shown(self) -> list[tuple[str, ...]]:
        return self.rows or [("",) * len(self.columns)]

    @property
    def answer(self) -> list[list[int | str | None]] | None:
        if self.optional and not self.ticked:
            return None
        return [[number(cell, digits=DIGITS) for cell in row] for row in self.rows if any(row)]


class RulesForm(PageForm):
    """The rules of a game; ``rules_form`` makes it with a field for each option."""

    options: ClassVar[tuple[Option, ...]]

    def __init__(
        self, typed: MultiDict[str, str] | None = None, answers: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(typed, prefix=HEAD, data=answers)

    @property
    def document(self) -> dict[str, Any]:
        return self._document(self.options)

    def _document(self, some: Sequence[Option]) -> dict[str, Any]:
        return {option.name: self._answer(option) for option in some}

    def _answer(self, option: Option) -> Any:
        match option.kind:
            case OptionKind.GROUP if option.optional and not self[option.path].data:
                return None
            case OptionKind.GROUP:
                return self._document(option.parts)
            case OptionKind.ROWS:
                return cast("TableField", self[option.path]).answer
            case OptionKind.CHOICE:
                return self[option.path].data or (None if option.optional else "")
            case _:
                return self[option.path].data

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem at its field; those of a row name it."""
        for problem in problems:
            path, message = problem.field, problem.message
            if row := IN_ROW.fullmatch(path):
                path, index = row[1], int(row[2])
                message = say("Row %(number)s: %(what)s", number=index + 1, what=message)
                if field := self.rows(path.removeprefix(HEAD)):
                    field.wrong_rows.add(index)
            super().refuse([Problem(problem.code, path, message)])

    def rows(self, path: str) -> TableField | None:
        return next((f for f in self if isinstance(f, TableField) and f.path == path), None)


@cache  # a class with its fields is made once
def rules_form(game: Game[Any, Any]) -> type[RulesForm]:
    every_option = options(game.rules_type)
    fields = {
        option.path: _field(option)
        for option in flat(every_option)
        if option.kind is not OptionKind.GROUP or option.optional
    }
    return type(
        f"{game.rules_type.__name__}Form", (RulesForm,), {"options": every_option, **fields}
    )


def _field(option: Option) -> Any:
    words: Any = {"label": option.label, "description": option.hint}  # shown by our own macros
    otherwise = option.none if option.optional else None
    match option.kind:
        case OptionKind.GROUP | OptionKind.TICK:
            return BooleanField(**words)
        case OptionKind.ROWS:
            return TableField(option=option, **words)
        case OptionKind.CHOICE:
            return ChoiceField(otherwise=otherwise, words=dict(option.choices), **words)
        case OptionKind.TEXT:
            return StringField(default="", **words)
        case _:
            return NumberField(otherwise=otherwise, digits=DIGITS, **words)


def filled_in(game: Game[Any, Any], rules: Any) -> RulesForm:
    """Fill the form with rules; omitted groups get their default answers."""
    document = write(rules, whole=True)
    presets = [write(preset, whole=True) for preset in game.presets.values()]
    answers: dict[str, Any] = {}
    for option in flat(options(game.rules_type)):
        inside, answer = _look_up(document, option.path)
        has_answer = answer is not None or (inside and option.kind not in WHOLE)
        shown = answer if has_answer else _usual(option, presets)
        match option.kind:
            case OptionKind.GROUP:
                answers[option.path] = answer is not None
            case OptionKind.ROWS:
                answers[option.path] = (answer is not None, shown)
            case _:
                answers[option.path] = shown
    return rules_form(game)(answers=answers)


def _look_up(document: Any, path: str) -> tuple[bool, Any]:
    """Find an answer, and whether all its groups exist."""
    for key in path.split("."):
        if document is None:
            return False, None
        document = document[key]
    return True, document


def _usual(option: Option, presets: Iterable[Any]) -> Any:
    """Return the default: the first preset's answer, or else the computed or the lowest one."""
    for preset in presets:
        _, answer = _look_up(preset, option.path)
        if answer is not None:
            return answer
    if option.optional or option.kind in WHOLE:
        return None
    least = option.choices[0][0] if option.choices else option.low
    return least if option.usual is None else option.usual


#: What a new version of a rule set asks.
EDIT = body_of("Edit", house_rules.save_version)


class RuleSetForm(PageForm):
    """The screen that edits a rule set: its name, and its rules as ``rules``."""

    name = field_for(EDIT, "name")
    key = UUIDField(validators=[InputRequired()])
    version = field_for(EDIT, "version")
    action = StringField(default="look")

    def __init__(
        self, typed: MultiDict[str, str] | None = None, *, rules: RulesForm, **values: Any
    ) -> None:
        self.rules = rules
        super().__init__(typed, **values)

    @property
    def problems(self) -> dict[str, Sequence[str]]:
        """Return the problems of the name and of the rules, "" for either as a whole."""
        own, rules = super().problems, self.rules.problems
        whole = [*own.get("", ()), *rules.get("", ())]
        return own | rules | ({"": whole} if whole else {})

    def refuse(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem.field.startswith("rules"):
                self.rules.refuse([problem])
            else:
                super().refuse([problem])


class LookForm(PageForm):
    """A table from elsewhere: the text of its link or document, or a file."""

    document = TextAreaField(lazy_gettext("The link or the text of a table"), default="")
    file = UploadField(lazy_gettext("A file with a table"))


class KeepRulesForm(PageForm):
    """A previewed table, and its name in this circle."""

    key = UUIDField(validators=[InputRequired()])
    document = StringField(default="")
    name = field_for(EDIT, "name")
