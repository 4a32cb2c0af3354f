"""The options of a rule set, and its description for pages.

Options are derived from the annotated fields; the screen that edits a rule set, and the list of
what differs between two, are made of them. Plain texts among the fields, such as the slug, tell
rule sets apart and are no options; a text of limited length is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum, auto
from typing import Any, NamedTuple

from scorer.rules.bands import Rows
from scorer.rules.questions import Question, join, questions, write
from scorer.texts import Text, as_it_is, listed, say

NOTHING = as_it_is("–")


class OptionKind(Enum):
    """The kinds of answers."""

    NUMBER = auto()
    TICK = auto()
    CHOICE = auto()
    TEXT = auto()
    ROWS = auto()
    GROUP = auto()


class Option(NamedTuple):
    """One option: its path in the document, its name, and its possible answers.

    An ``optional`` one may be null, called ``none``. ``choices`` are codes with their names; the
    ``high`` of a text is its greatest length. A group has ``parts``; each row has as many numbers
    as there are ``columns``. ``usual`` is the default number. ``hint`` explains the name.
    """

    path: str
    label: Text
    kind: OptionKind
    optional: bool = False
    low: int | None = None
    high: int | None = None
    none: Text = NOTHING
    choices: tuple[tuple[str, Text], ...] = ()
    parts: tuple[Option, ...] = ()
    columns: tuple[Text, ...] = ()
    usual: Any = None
    hint: Text | None = None

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


class Difference(NamedTuple):
    """An option that two rule sets answer differently."""

    label: Text
    old: Text
    new: Text


def options(rules_type: type[Any], path: str = "") -> tuple[Option, ...]:
    """List the options of a rule set, or of a part of it, in the order of its fields."""
    return tuple(
        _option(question, join(path, question.name))
        for question in questions(rules_type)
        if question.kind is not str or question.ask.longest is not None
    )


def flat(some: tuple[Option, ...]) -> Iterator[Option]:
    """Yield options with those inside the groups, each group before its parts."""
    for option in some:
        yield option
        yield from flat(option.parts)


def _option(question: Question, path: str) -> Option:
    kind, ask = question.kind, question.ask
    option = Option(
        path,
        question.label,
        _kind(kind),
        optional=question.optional,
        low=ask.low,
        high=ask.high if ask.longest is None else ask.longest,
        none=ask.none or NOTHING,
        hint=ask.hint,
    )
    match option.kind:
        case OptionKind.CHOICE:
            return option._replace(
                choices=tuple(
                    (member.value, getattr(member, "words", as_it_is(member.value)))
                    for member in kind
                )
            )
        case OptionKind.GROUP:
            return option._replace(parts=options(kind, path))
        case OptionKind.ROWS:
            return option._replace(columns=kind.columns)
        case _:
            return option if question.required else option._replace(usual=question.default)


def _kind(kind: Any) -> OptionKind:
    if kind is bool:
        return OptionKind.TICK
    if kind is int:
        return OptionKind.NUMBER
    if kind is str:
        return OptionKind.TEXT
    if issubclass(kind, Rows):
        return OptionKind.ROWS
    return OptionKind.GROUP if is_dataclass(kind) else OptionKind.CHOICE


def differences(old: Any, new: Any) -> tuple[Difference, ...]:
    """List what two rule sets of a game answer differently, in the order of the fields."""
    return tuple(_differences(options(type(old)), write(old, whole=True), write(new, whole=True)))


def _differences(some: tuple[Option, ...], old: Any, new: Any) -> Iterator[Difference]:
    for option in some:
        before, after = old[option.name], new[option.name]
        if before == after:
            continue
        if option.kind is OptionKind.GROUP and before is not None and after is not None:
            for inner in _differences(option.parts, before, after):
                label = say("%(group)s: %(what)s", group=option.label, what=inner.label)
                yield inner._replace(label=label)
        else:
            yield Difference(option.label, _told(option, before), _told(option, after))


def _told(option: Option, answer: Any) -> Text:
    """Write an answer in words: a group by all its parts, rows one after another."""
    match option.kind:
        case _ if answer is None or answer == "":
            return option.none
        case OptionKind.TICK:
            return say("yes") if answer else say("no")
        case OptionKind.CHOICE:
            return dict(option.choices)[answer]
        case OptionKind.ROWS:
            return as_it_is(", ".join(" → ".join(map(str, row)) for row in answer))
        case OptionKind.GROUP:
            texts = ((part.label, _told(part, answer[part.name])) for part in option.parts)
            return listed(
                (say("%(what)s: %(answer)s", what=what, answer=text) for what, text in texts), "; "
            )
        case _:
            return as_it_is(str(answer))


def merged(base: Any, override: Any) -> Any:
    """Merge two JSON values deeply: objects key by key, anything else is replaced.

    >>> merged({"score": {"base": 1, "fine": 2}}, {"score": {"fine": 4}})
    {'score': {'base': 1, 'fine': 4}}
    """
    if isinstance(base, dict) and isinstance(override, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in override.items()}}
    return override


def difference(base: Any, whole: Any) -> Any:
    """Return the smallest override that, merged over ``base``, gives ``whole`` (same shape).

    >>> difference({"deck": "italian-40", "fine": 2}, {"deck": "italian-40", "fine": 4})
    {'fine': 4}
    """
    if isinstance(base, dict) and isinstance(whole, dict):
        return {
            key: difference(base.get(key), value)
            for key, value in whole.items()
            if key not in base or base[key] != value
        }
    return whole


def shortest(rules: Any, presets: Iterable[Any]) -> dict[str, Any]:
    """Return a rule set as an override of the preset that makes it shortest, with its name."""
    names, document = [option.name for option in options(type(rules))], write(rules, whole=True)
    chosen = {name: document[name] for name in names}
    overrides = []
    for preset in presets:
        base = write(preset, whole=True)
        changed = difference({name: base[name] for name in names}, chosen)
        override = {"preset": preset.slug, "name": rules.name, **changed}
        overrides.append((len(json.dumps(changed)), preset.slug != rules.slug, override))
    return min(overrides, key=lambda one: one[:2])[-1]


@dataclass(frozen=True, slots=True)
class PayoutRow:
    """A row of payouts: the bid, the payout of each role, and the ``kind`` of an unusual one."""

    label: Text
    figures: tuple[int, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A computed property of a rule set: about the ``sum`` or the ``symmetry`` of what it pays."""

    text: Text
    holds: bool
    about: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule set was published: a name, and an address if any."""

    name: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that a page shows of a rule set.

    ``words`` are the rules in plain sentences. ``rows`` say what a made deal pays, and
    ``loss_rows`` what a missed one pays, if it doesn't cost the same; the first of ``columns``
    heads the labels. Without rows, the words say what is paid.
    """

    slug: str
    name: Text
    blurb: Text
    players: int
    seats_text: Text
    words: tuple[Text, ...]
    sources: tuple[Source, ...]
    columns: tuple[Text, ...] = ()
    rows: tuple[PayoutRow, ...] = ()
    loss_rows: tuple[PayoutRow, ...] = ()
    checks: tuple[Check, ...] = ()

    @property
    def zero_sum(self) -> bool | None:
        """Whether winnings and losses cancel; None if the game has no such check."""
        return self._holds("sum")

    @property
    def symmetric(self) -> bool | None:
        """Whether a missed bid costs what it pays when made; None if the game has no such check."""
        return self._holds("symmetry")

    def _holds(self, about: str) -> bool | None:
        answers = [check.holds for check in self.checks if check.about == about]
        return all(answers) if answers else None
