"""A sheet told as a list of facts, from its questions and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

from scorer.rules.game import Fact
from scorer.rules.seats import Seat, Side
from scorer.rules.sheet import Unanswered, inner_kind, questions
from scorer.rules.sides import PerSide
from scorer.texts import Text, as_it_is, listed, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorer.rules.game import Table
    from scorer.rules.sides import Sides

NOTHING = as_it_is("–")


def sheet_facts(sheet: Any, table: Table[Any], sides: Sides) -> list[Fact]:
    """List what was written down for a deal; what was left out isn't told."""
    told = []
    for question in questions(type(sheet)):
        answer = getattr(sheet, question.name)
        if not isinstance(answer, Unanswered) and (question.required or answer != question.default):
            label = question.ask.label if question.ask else question.name
            told.append(Fact(_text(label), _told(answer, question.kind, table, sides)))
    return told


def _text(label: Text | str) -> Text:
    return label if isinstance(label, Text) else as_it_is(label)


def _told(answer: Any, kind: Any, table: Table[Any], sides: Sides) -> Text | str:
    """Tell an answer: a side and a seat by their names, a list part by part."""
    kind = inner_kind(kind)
    if answer is None:
        return say("nobody") if kind is Side else NOTHING
    if kind is Side:
        return table.names(sides[answer])
    if kind is Seat:
        return table.name(answer)
    if isinstance(answer, Mapping):
        return _each(map(table.name, answer), answer.values(), get_args(kind)[1], table, sides)
    if isinstance(answer, PerSide):
        return _each(map(table.names, sides), answer, get_args(kind)[0], table, sides)
    if isinstance(answer, tuple):
        parts = [_told(part, get_args(kind)[0], table, sides) for part in answer]
        return listed(parts) if parts else NOTHING
    return _plain(answer)


def _each(
    names: Iterable[str], answers: Iterable[Any], kind: Any, table: Table[Any], sides: Sides
) -> Text:
    told = (
        say("%(name)s: %(answer)s", name=name, answer=_told(answer, kind, table, sides))
        for name, answer in zip(names, answers, strict=True)
    )
    return listed(told, between=" · ")


def _plain(answer: Any) -> Text | str:
    if isinstance(answer, bool):
        return say("yes") if answer else say("no")
    if hasattr(answer, "words"):
        words: Text = answer.words
        return words
    return str(answer.value if isinstance(answer, Enum) else answer)
