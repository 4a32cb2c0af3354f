"""The shapes of answers to programs: documents whose fields are declared once.

A field has its type, a plain sentence, and where its value comes from: an attribute, by default of
its own name, or a function. By that a value is written, and the answer is described to programs.

>>> class Place(Shape):
...     '''A place in the standings.'''
...
...     player: Name = gives("Who has it.", "name")
...     points: int = gives("The sum of the payouts.", lambda row: row.paid - row.brought)
>>> class Row(NamedTuple):
...     name: str
...     paid: int
...     brought: int
>>> written(Place, Row("Ada", 5, 2))
{'player': 'Ada', 'points': 3}
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from inspect import get_annotations
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, NewType, get_args, get_origin, get_type_hints
from uuid import UUID

from scorer.texts import Text

Speak = Callable[[Text], str]

#: The name of a player.
Name = NewType("Name", str)
#: The slug of a game.
GameSlug = NewType("GameSlug", str)
#: A card by its letters.
CardName = NewType("CardName", str)
Cards = list[CardName]
Points = Mapping[Name, int]
#: The sheet of a deal, and rules, as the game that is played describes them.
Sheet = NewType("Sheet", dict[str, Any])
RuleOverrides = NewType("RuleOverrides", dict[str, Any])
RuleSet = NewType("RuleSet", dict[str, Any])
PresetSlug = NewType("PresetSlug", str)
#: What is claimed of a deal whose cards are written down.
Claim = NewType("Claim", dict[str, Any])
#: The rules of a request; without any, those of the first preset of the game.
RulesChoice = PresetSlug | RuleOverrides | None


class OneOf(str):
    """One of some words, which ``schema`` lists."""

    __slots__ = ()
    schema: ClassVar[dict[str, Any]]

    def __init_subclass__(cls, words: Iterable[str]) -> None:
        cls.schema = {"type": "string", "enum": [*words]}


class Shape:
    """A document by its fields, in their order; it has no instances."""


@dataclass(frozen=True, slots=True)
class FieldSource:
    """A field: its sentence, its source, and whether it is left out where it is null.

    ``called`` is its name in the document, if Python can't have that.
    """

    sentence: str
    source: str | Callable[[Any], Any]
    unsaid: bool
    called: str


def gives(
    sentence: str,
    source: str | Callable[[Any], Any] = "",
    *,
    unsaid: bool = False,
    called: str = "",
) -> Any:
    return FieldSource(sentence, source, unsaid, called)


class ShapeField(NamedTuple):
    """A field of a shape, ready to be read; ``shape`` is that of the value, or of its parts."""

    name: str
    kind: Any
    part: FieldSource
    read: Callable[[Any], Any]
    shape: type[Shape] | None
    many: bool


_FIELDS: dict[type[Shape], tuple[ShapeField, ...]] = {}


def fields(kind: type[Shape]) -> tuple[ShapeField, ...]:
    """Return the fields of a shape, first those of its base class."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind)
        bases = [base for base in reversed(kind.__mro__) if issubclass(base, Shape)]
        names = dict.fromkeys(name for base in bases for name in get_annotations(base))
        own = (_field(name, hints[name], getattr(kind, name)) for name in names)
        _FIELDS[kind] = tuple(own)
    return _FIELDS[kind]


def _field(name: str, kind: Any, part: FieldSource) -> ShapeField:
    source = part.source or name
    read = attrgetter(source) if isinstance(source, str) else source
    many = get_origin(kind) in (list, Mapping)
    inner = get_args(kind)[-1] if many else kind
    shapes = [shape for shape in (inner, *get_args(inner)) if is_shape(shape)]
    return ShapeField(part.called or name, kind, part, read, shapes[0] if shapes else None, many)


def keys(kind: type[Shape]) -> frozenset[str]:
    """Return the names of the fields of a shape."""
    return frozenset(field.name for field in fields(kind))


def is_shape(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Shape)


def written(kind: type[Shape], value: Any, speak: Speak = str) -> dict[str, Any]:
    """Write a value as a document, in the words of ``speak``; a document stays as it is."""
    if isinstance(value, Mapping):
        return dict(value)
    document = {}
    for name, _, part, read, shape, many in fields(kind):
        answer = _plain(read(value), shape, speak, many=many)
        if answer is not None or not part.unsaid:
            document[name] = answer
    return document


def _plain(value: Any, shape: type[Shape] | None, speak: Speak, *, many: bool = False) -> Any:
    """Write a value by a shape, or as JSON has it; of ``many``, each by the shape."""
    if value is None or isinstance(value, SCALARS):
        return _scalar(value, speak)
    if isinstance(value, Mapping):
        inner_shape = shape if many else None
        return {str(key): _plain(inner, inner_shape, speak) for key, inner in value.items()}
    if shape is not None and not many:
        return written(shape, value, speak)
    return [_plain(inner, shape, speak) for inner in value]


SCALARS = (bool, int, str, Enum, Text, date, UUID, Fraction)


def _scalar(value: Any, speak: Speak) -> Any:
    match value:
        case Enum():
            return value.value
        case Text():
            return speak(value)
        case datetime():
            return f"{value:%Y-%m-%dT%H:%M:%SZ}"
        case date():
            return value.isoformat()
        case UUID() | Fraction():
            return str(value)
        case _:
            return value


class Trick(Shape):
    """A trick, with who led and who was written down as winning."""

    leader: Name | None = gives("Who led.", unsaid=True)
    cards: Cards | None = gives("The cards in the order in which they were played.")
    winner: Name | None = gives("Who won it.", unsaid=True)


#: The calls of an auction: each a name, and a bid or pass.
Calls = list[list[object]]
Tricks = list[Cards | Trick | None]
