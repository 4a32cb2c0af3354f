"""Questions and answers: read a document into a dataclass, and write it back.

A sheet and a rule set are frozen dataclasses whose annotated fields are the questions. From the
types of the fields come a reader that finds every fault at once, each with its path, and a writer
that is its inverse. The forms of the pages are derived from the same fields.
"""

import types
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, make_dataclass, replace
from datetime import date
from enum import Enum, StrEnum
from functools import partial
from inspect import Parameter, signature
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

from scorer.errors import MOST_PROBLEMS, Problem
from scorer.rules.cards import DECKS, NO_WORDS, SUIT_NAMES, SUIT_WORDS, Card, Deck, Rank, Suit
from scorer.rules.seats import PerSide, Seat, Side, all_seats
from scorer.texts import Text, about, as_it_is, did_you_mean, listed, say
from scorer.typed_text import PLAYER_NAME, TypedText, read_day

Reader = Callable[[Any, "Reading", str], Any]

T = TypeVar("T")
LONGEST_LIST = 100
LONGEST_NUMBER = 10


@dataclass(frozen=True, slots=True)
class Ask:
    """The question of a field: its label, and the bounds of a number.

    ``hint`` explains the label to players. ``none`` is the label of choosing nothing, if that is an
    answer. ``total`` is the sum of the answers of all sides. A ``counted`` number starts at 0, and
    a blank one on a form means 0. An ``unsaid`` field is left out of a document where it equals its
    default. A text is one line, of ``longest`` letters at most, or as people may have ``typed`` it.
    With ``named_by``, the label is the text in that option of the rules; without a text there, the
    question isn't asked. Null is no answer to what is ``needed``, though a form may lack it. A
    ``player`` is a key, in documents a name. An amount of money is in ``cents``.
    """

    label: Text | str
    low: int | None = None
    high: int | None = None
    none: Text | None = None
    total: int | None = None
    counted: bool = False
    unsaid: bool = False
    longest: int | None = None
    typed: TypedText | None = None
    hint: Text | None = None
    named_by: str = ""
    needed: bool = False
    player: bool = False
    cents: bool = False


class Choice(StrEnum):
    """An enum written as code and name, ``"caller", say("The caller")``; compared as the code."""

    words: Text

    def __new__(cls, code: str, words: Text = NO_WORDS) -> Self:
        choice = str.__new__(cls, code)
        choice._value_ = code
        choice.words = words
        return choice


class Unanswered(Enum):
    """The mark of a question that was left out, where null is an answer."""

    UNANSWERED = "unanswered"


class Reading:
    """One document being read: who sits where, which deck, and the problems found so far.

    ``keys`` are those of the people, where they have any. ``typed`` are the problems of texts
    and amounts, which whoever takes the answers finds, too, in the words of the pages.
    """

    __slots__ = ("deck", "keys", "names", "problems", "seats", "typed")

    def __init__(
        self, names: Sequence[str] = (), deck: Deck | None = None, keys: Sequence[UUID] = ()
    ) -> None:
        self.problems: list[Problem] = []
        self.typed: list[Problem] = []
        self.keys = keys
        self.at(tuple(names), deck)

    def at(self, names: tuple[str, ...], deck: Deck | None) -> None:
        """Continue the reading with these people, in order of play, and this deck."""
        self.names, self.deck = names, deck
        self.seats = dict(zip(names, all_seats(len(names)), strict=True))

    def fault(self, code: str, path: str, message: Text) -> None:
        """Report a problem; reading goes on, so that all of them are found."""
        self.problems.append(Problem(code, path, message))

    def unknown(
        self, code: str, path: str, message: Text, word: str, known: Collection[str]
    ) -> None:
        """Report an unknown word, with a suggestion unless there are too many problems."""
        few = len(self.problems) < MOST_PROBLEMS
        said = did_you_mean(message, word, known) if few else about(word, message)
        self.fault(code, path, said)


class Question(NamedTuple):
    """A field of a sheet or of rules; ``optional`` may be null, ``by_side`` has one a side."""

    name: str
    kind: Any
    ask: Ask
    required: bool
    default: Any
    optional: bool
    by_side: bool
    reader: Reader

    @property
    def label(self) -> Text:
        """Return the field's label; a plain text, or its name, is not translated."""
        label = self.ask.label
        return label if isinstance(label, Text) else as_it_is(label)


_QUESTIONS: dict[type[Any], tuple[Question, ...]] = {}


class Json(dict[str, Any]):
    """A part of a document that is read later; ``schema`` describes it, as JSON Schema does."""

    schema: ClassVar[dict[str, Any]] = {"type": "object"}

    @classmethod
    def read_wire(cls, value: object, _reading: Reading, _path: str) -> object:
        return value


def questions(kind: type[Any]) -> tuple[Question, ...]:
    """Return the questions of a sheet or a rule set, in the order of its fields."""
    if kind not in _QUESTIONS:
        hints = get_type_hints(kind, include_extras=True)
        asked = (part for part in fields(kind) if not part.metadata.get("page"))
        _QUESTIONS[kind] = tuple(_question(part, hints[part.name]) for part in asked)
    return _QUESTIONS[kind]


def body_of(called: str, *acts: Callable[..., Any]) -> type[Any]:
    """Return the body of acts: a dataclass of those parameters that are questions."""
    asked = {
        name: (name, hints[name], field(default=MISSING if default is Parameter.empty else default))
        for act in acts
        for hints in [get_type_hints(act, include_extras=True)]
        for name, parameter in signature(act).parameters.items()
        for default in [parameter.default]
        if get_origin(hints.get(name)) is Annotated
    }
    namespace = {"__doc__": acts[0].__doc__}
    return make_dataclass(called, asked.values(), kw_only=True, namespace=namespace)


def _question(asked: Any, hint: Any) -> Question:
    ask = Ask(asked.name)
    if get_origin(hint) is Annotated:
        hint, ask = get_args(hint)
    required = asked.default is MISSING and asked.default_factory is MISSING
    kind = inner_kind(hint)
    optional = kind is not hint and not ask.needed
    by_side = kind is Side or get_origin(kind) is PerSide
    reader = _read_seat_or_nobody if optional and kind is Seat else _reader(kind, ask)
    return Question(asked.name, kind, ask, required, asked.default, optional, by_side, reader)


def join(path: str, key: str) -> str:
    """Return the path of a key inside the field at ``path``."""
    return f"{path}.{key}" if path else key


def placed(problems: Iterable[Problem], path: str) -> list[Problem]:
    """Return problems with ``path`` put before their fields."""
    return [replace(problem, field=join(path, problem.field)) for problem in problems]


def read(kind: type[T], data: object, reading: Reading, path: str) -> T | None:
    """Read an object into the dataclass ``kind``; None when the reading found problems in it."""
    if read_whole := getattr(kind, "read_wire", None):
        whole: T | None = read_whole(data, reading, path)
        return whole
    if not isinstance(data, dict):
        named = ", ".join(question.name for question in questions(kind))
        reading.fault("wrong-type", path, say("An object is needed, with: %(all)s.", all=named))
        return None
    before, head = len(reading.problems), join(path, "")
    answers = {}
    for name, _, ask, required, _, optional, _, reader in questions(kind):
        if name in data:
            value = data[name]
            null = optional and value is None
            answers[name] = None if null else reader(value, reading, head + name)
        elif required:
            reading.fault("missing-key", head + name, missing(ask.label))
    if len(answers) < len(data):
        unknown_keys(data, [question.name for question in questions(kind)], reading, path)
    return kind(**answers) if len(reading.problems) == before else None


#: What a page says beside the question itself.
NO_ANSWER = say("This answer is missing.")


def missing(label: Text | str) -> Text:
    """Return the message that an answer is missing, by the label of its question or by its key."""
    return say("This answer is missing: %(key)s.", key=label)


def read_object(
    value: object, known: Collection[str], reading: Reading, path: str = ""
) -> dict[str, Any] | None:
    """Return an object as it is, noting every unknown key; None if it is something else."""
    if not isinstance(value, dict):
        reading.fault("wrong-type", path, say("An object with named fields is needed."))
        return None
    unknown_keys(value, known, reading, path)
    return value


def unknown_keys(data: Iterable[str], known: Collection[str], reading: Reading, path: str) -> None:
    """Report every unknown key: a misspelt key must not pass for an answer left out."""
    unknown = [key for key in data if key not in known]
    if not unknown:
        return
    message, every = say("Nothing of this name is known here."), sorted(known)
    for key in unknown:
        reading.unknown("unknown-key", join(path, key), message, key, every)


def write(value: Any, names: Sequence[str] = (), *, whole: bool = False) -> Any:
    """Write a dataclass as the JSON object that ``read`` takes for people of the same names.

    A ``whole`` object also has the ``unsaid`` fields that equal their defaults.
    """
    if hasattr(value, "write_wire"):
        return value.write_wire()
    answers = {}
    for question in questions(type(value)):
        answer = getattr(value, question.name)
        unsaid = question.ask.unsaid and answer == question.default
        if not isinstance(answer, Unanswered) and (whole or not unsaid):
            answers[question.name] = _write(answer, question.kind, names, whole=whole)
    return answers


def _write(value: Any, kind: Any, names: Sequence[str], *, whole: bool) -> Any:
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if hasattr(value, "write_wire"):
        return value.write_wire()
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return write(value, names, whole=whole)
    kind = inner_kind(kind)
    if isinstance(value, Mapping):
        return {
            names[seat]: _write(part, get_args(kind)[1], names, whole=whole)
            for seat, part in value.items()
        }
    if isinstance(value, tuple):
        return [_write(part, get_args(kind)[0], names, whole=whole) for part in value]
    return names[value] if kind is Seat else value


def inner_kind(kind: Any) -> Any:
    """Return the type of an answer that may be missing: ``int`` for ``int | None``."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    (inner,) = (part for part in get_args(kind) if part not in (types.NoneType, Unanswered))
    return inner


def _reader(kind: Any, ask: Ask) -> Reader:
    if kind is not inner_kind(kind):
        inner = _reader(inner_kind(kind), ask)
        return lambda value, reading, path: None if value is None else inner(value, reading, path)
    if kind in READERS:
        return read_player if ask.player else READERS[kind]
    if kind is int:
        return number_reader(ask)
    if get_origin(kind) is not None:
        return _many_reader(kind, ask)
    if hasattr(kind, "read_wire"):
        return kind.read_wire  # type: ignore[no-any-return]  # a classmethod of the protocol's shape
    if issubclass(kind, Enum):
        return choice_reader(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return partial(read, kind)
    return partial(_read_plain, kind, ask) if ask.longest is None else line_reader(ask.longest)


def read_suit(value: object, reading: Reading, path: str) -> Suit | None:
    """Read a suit of the deck that is played, by its letter or its name."""
    suit = SUIT_NAMES.get(value.strip().upper()) if isinstance(value, str) else None
    deck = reading.deck or DECKS["italian-40"]
    if suit is not None and (reading.deck is None or suit in deck.suits):
        return suit
    words = SUIT_WORDS[deck.italian]
    suits = listed(
        say("%(letter)s (%(suit)s)", letter=str(suit), suit=words[suit]) for suit in deck.suits
    )
    message = say("A suit is needed, by its letter and not by a number: %(all)s.", all=suits)
    reading.fault("unknown-suit", path, message)
    return None


def read_rank(value: object, reading: Reading, path: str) -> Rank | None:
    deck = reading.deck or DECKS["italian-40"]
    try:
        return deck.rank(str(value))
    except ValueError:
        message = say("A rank of this pack is needed: %(all)s.", all=deck.rank_list)
        reading.fault("unknown-rank", path, message)
        return None


def read_card(value: object, reading: Reading, path: str) -> Card | None:
    if not isinstance(value, str):
        reading.fault("wrong-type", path, say("A card is needed, such as KC."))
        return None
    try:
        return reading.deck.card(value) if reading.deck else Card.parse(value)
    except ValueError:
        message = say("There is no card %(card)s in this deck.", card=value)
        reading.fault("card-not-in-deck", path, about(value, message))
        return None


def _many_reader(kind: Any, ask: Ask) -> Reader:
    many = get_origin(kind)
    if many is Mapping:
        who, inner = get_args(kind)
        return partial(_read_map, who=_reader(who, ask), inner=_reader(inner, ask))
    part = get_args(kind)[0]
    needed = LISTS[part is bool if many is PerSide else None]
    return partial(_read_list, needed=needed, kind=many, inner=_reader(part, ask))


#: What is needed for a list: of anything, of numbers for the sides, of yes and no for the sides.
LISTS = {
    None: say("A list is needed."),
    False: say("A list is needed, with a value for each side: [1, 0]."),
    True: say("A list is needed, with yes or no for each side: [true, false]."),
}


def _read_list(
    value: Any,
    reading: Reading,
    path: str,
    *,
    needed: Text,
    kind: type[tuple[Any, ...]],
    inner: Reader,
) -> tuple[Any, ...]:
    if not isinstance(value, list):
        reading.fault("wrong-type", path, needed)
        return kind()
    if len(value) > LONGEST_LIST:
        reading.fault("too-long", path, say("The list is too long."))
        return kind()
    return kind(inner(part, reading, f"{path}[{number}]") for number, part in enumerate(value))


def _read_map(
    value: Any, reading: Reading, path: str, *, who: Reader, inner: Reader
) -> dict[Any, Any]:
    answers: dict[Any, Any] = {}
    if not isinstance(value, dict):
        reading.fault("wrong-type", path, say("An object with a value for each name is needed."))
        return answers
    for name, part in value.items():
        key = who(name, reading, join(path, name))
        if key is not None:
            answers[key] = inner(part, reading, join(path, name))
    return answers


def read_seat(value: Any, reading: Reading, path: str) -> Seat | None:
    if not isinstance(value, str):
        reading.fault("wrong-type", path, say("The name of a player is needed."))
        return None
    seat = reading.seats.get(value)
    if seat is None:
        message = say("Nobody called %(name)s plays here.", name=value)
        reading.unknown("unknown-name", path, message, value, reading.names)
    return seat


def read_player(value: Any, reading: Reading, path: str) -> UUID | None:
    """Read the name of somebody who has a key."""
    seat = read_seat(value, reading, path)
    return None if seat is None else reading.keys[seat]


def _text_reader(parse: Callable[[Any], object], needed: Text) -> Reader:
    """Return the reader of what a text stands for."""

    def read_text(value: Any, reading: Reading, path: str) -> object:
        try:
            return parse(value)
        except (AttributeError, TypeError, ValueError):
            reading.fault("wrong-type", path, needed)
            return None

    return read_text


NOBODY_WORDS = {
    *("", "-", "alone", "himself", "herself", "nobody", "none", "null", "solo", "sola"),
    *("da solo", "da sola", "in mano", "nessuno"),
}


def _read_seat_or_nobody(value: Any, reading: Reading, path: str) -> Seat | None:
    """Read a name, or null for nobody."""
    if not isinstance(value, str):
        message = say("The name of a player is needed, or null for nobody.")
        reading.fault("wrong-type", path, message)
        return None
    if value in reading.seats or value.strip().casefold() not in NOBODY_WORDS:
        return read_seat(value, reading, path)
    message = say("Nobody called %(name)s plays here. For nobody, write null.", name=value)
    if not value.strip():
        message = say("Nothing is written here. For nobody, write null.")
    reading.fault("unknown-name", path, message)
    return None


def read_side(value: Any, reading: Reading, path: str) -> Side | None:
    """Read the number of a side; the table checks whether it exists."""
    if type(value) is not int:
        message = say("The number of a side is needed: 0 for whoever sits first, 1 for the next.")
        reading.fault("wrong-type", path, message)
        return None
    return Side(value)


READERS: dict[Any, Reader] = {
    Seat: read_seat,
    Side: read_side,
    Suit: read_suit,
    Rank: read_rank,
    Card: read_card,
    UUID: _text_reader(UUID, say("A UUID is needed.")),
    date: _text_reader(
        lambda value: read_day(str(value)), say("A date is needed, such as 2026-11-20.")
    ),
    bytes: _text_reader(
        lambda value: b64decode(str(value), validate=True), say("A file in base64 is needed.")
    ),
    Any: lambda value, _reading, _path: value,
}
#: What makes a request one: the same key again does nothing more.
SentKey = Annotated[UUID, Ask("A UUID that the program makes: the same again does nothing more")]
RulesDocument = Annotated[Any, Ask("The rules: a preset, or an object merged deeply over one")]
#: What somebody or something is called from now on.
NewName = Annotated[str, Ask(say("Name"), typed=PLAYER_NAME)]


def side_problems(sheet: Any, count: int, path: str) -> list[Problem]:
    """Find every answer of a sheet that doesn't fit the number of sides at the table."""
    problems = []
    for question in questions(type(sheet)):
        if not question.by_side:
            continue
        answer, field = getattr(sheet, question.name), join(path, question.name)
        if answer is None or answer == question.default:
            continue
        if isinstance(answer, PerSide) and len(answer) != count:
            message = say(
                "One value for each side is needed: %(count)s, and not %(given)s.",
                count=count,
                given=len(answer),
            )
            problems.append(Problem("sides-count", field, message))
        elif question.kind is Side and not 0 <= answer < count:
            message = say(
                "There is no side %(side)s: they are numbered from 0 to %(last)s.",
                side=answer,
                last=count - 1,
            )
            problems.append(Problem("unknown-side", field, message))
    return problems


def number_reader(ask: Ask) -> Reader:
    low, high = ask.low, ask.high

    def read_number(value: Any, reading: Reading, path: str) -> int | None:
        if type(value) is not int:
            message = say("A whole number is needed.")
            if isinstance(value, str) and value.isdecimal() and len(value) <= LONGEST_NUMBER:
                message = say(
                    "A whole number is needed, without quotation marks: %(number)s.", number=value
                )
            reading.fault("wrong-type", path, message)
            return None
        problems = reading.typed if ask.cents else reading.problems
        if low is not None and value < low:
            problems.append(Problem("out-of-range", path, say("At least %(low)s.", low=low)))
        elif high is not None and value > high:
            problems.append(Problem("out-of-range", path, say("At most %(high)s.", high=high)))
        return value

    return read_number


def line_reader(longest: int) -> Reader:
    """Return the reader of a line of text, without extra spaces."""

    def read_line(value: Any, reading: Reading, path: str) -> str:
        line = " ".join(value.split()) if isinstance(value, str) else ""
        if not isinstance(value, str):
            reading.fault("wrong-type", path, PLAIN[str])
        elif not line.isprintable():
            reading.fault("wrong-type", path, say("A line of plain text is needed."))
        elif len(line) > longest:
            message = say("At most %(longest)s letters.", longest=longest)
            reading.fault("too-long", path, message)
        return line

    return read_line


def choice_reader(kind: type[Enum]) -> Reader:
    choices = {member.value: member for member in kind}
    every = ", ".join(choices)

    def read_choice(value: Any, reading: Reading, path: str) -> Enum | None:
        if not isinstance(value, str):
            reading.fault("wrong-type", path, say("One of these is needed: %(all)s.", all=every))
            return None
        choice = choices.get(value)
        if choice is None:
            message = say("There is no choice %(word)s here.", word=value)
            reading.unknown("unknown-choice", path, message, value, choices)
        return choice

    return read_choice


PLAIN = {
    bool: say("True or false is needed: no number, and no quotation marks."),
    str: say("A text is needed."),
}


def _read_plain(kind: type[Any], ask: Ask, value: Any, reading: Reading, path: str) -> Any:
    if type(value) is not kind:
        reading.fault("wrong-type", path, PLAIN[kind])
    elif ask.typed is not None:
        reading.typed += ask.typed.problems(value, path)
    return value
