"""A game: its questions, its problems, and its payouts with their reasons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar

from scorer.errors import Problem
from scorer.rules.cards import Deck
from scorer.rules.match import Ends, Progress, Tally
from scorer.rules.options import Description, difference, merged
from scorer.rules.questions import (
    Ask,
    Question,
    Reading,
    placed,
    questions,
    read,
    side_problems,
    write,
)
from scorer.rules.seats import Seat, Seating, Sides, all_seats, every_seat, named, next_seat
from scorer.texts import Text, as_it_is, say, signed


class Outcome(StrEnum):
    """The outcome of a deal (rules.md A11)."""

    PLAYED = "played"
    MISDEAL = "misdeal"
    ALL_PASSED = "all-passed"
    THROWN_IN = "thrown-in"
    REDEAL = "redeal"
    PENALTY = "penalty"
    AGREED = "agreed"

    @property
    def counts(self) -> bool:
        """Whether it counts among the deals and passes the turn, as a played deal does."""
        return self in {Outcome.PLAYED, Outcome.AGREED}


@dataclass(frozen=True, slots=True)
class NamedRules:
    """The name of a rule set, in documents and addresses and for people."""

    slug: Annotated[str, Ask(say("Slug"))]
    name: Annotated[str, Ask(say("Name"))]


R = TypeVar("R", bound=NamedRules)


@dataclass(frozen=True, slots=True)
class Table(Generic[R]):
    """The people around a table for one deal: the rules, all names by seat, and who plays.

    ``order`` has the seats of all at the table in order of play; it is empty if that is the order
    of their numbers, and ``here`` has them in either case. ``active`` are those who play, in the
    same order. ``balances`` are those before the deal, None for a deal outside of a session.
    ``first`` says whether it is the first deal of a session; None if unknown. ``paid`` is what the
    deal was paid where that is told; None where its sheet alone says so.
    """

    rules: R
    seats: tuple[str, ...]
    active: tuple[Seat, ...]
    order: tuple[Seat, ...] = ()
    balances: Mapping[Seat, int] | None = None
    first: bool | None = None
    paid: Mapping[Seat, int] | None = None

    @property
    def here(self) -> tuple[Seat, ...]:
        return self.order or all_seats(len(self.seats))

    @property
    def sits_out(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.here if seat not in self.active)

    def name(self, seat: Seat) -> str:
        return self.seats[seat]

    def names(self, side: Sequence[Seat]) -> Text:
        return named(side, self.seats)

    def sitting_out(self, roles: Mapping[str, Seat | None]) -> list[Problem]:
        """Find those on a sheet, by field, who don't play the deal."""
        return [
            Problem("sits-out", field, say("%(name)s sits this deal out.", name=self.name(seat)))
            for field, seat in roles.items()
            if seat is not None and seat not in self.active
        ]

    def after(self, seat: Seat) -> Seat:
        """Return the next active seat after ``seat``, which may sit out itself."""
        return next_seat(seat, self.here, self.active)


class Turn(NamedTuple):
    """The next deal: who deals, and how many times it counts."""

    dealer: Seat
    times: int = 1


def with_times(answers: Any, times: int) -> Any:
    """Return a sheet's answers, with the carried-over multiplier unless they have one."""
    if times == 1 or not isinstance(answers, dict):
        return answers
    return {"times": times, **answers}


@dataclass(frozen=True, slots=True)
class NothingSaid:
    """The start of a deal in games that record nothing before the play."""


@dataclass(frozen=True, slots=True)
class PenaltySheet:
    """A penalty: who broke a rule."""

    offender: Annotated[Seat, Ask(say("Offender"))]


def read_penalty(
    data: object, table: Table[Any], path: str
) -> tuple[PenaltySheet | None, list[Problem]]:
    """Return the penalty that was read, and the problems; the offender must play this deal."""
    reading = Reading(table.seats)
    sheet = read(PenaltySheet, data, reading, path)
    if sheet is not None:
        reading.problems += table.sitting_out({f"{path}.offender": sheet.offender})
    return (None if reading.problems else sheet), reading.problems


class Step(NamedTuple):
    """A step of a payout: its rule, what it pays to whom, a sentence, and two words (``brief``)."""

    rule: str
    text: Text
    amounts: Mapping[Seat, int]
    brief: Text | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What a deal pays: the payouts are the sums of the steps, nothing else."""

    steps: tuple[Step, ...]
    payouts: dict[Seat, int]
    made: bool | None

    @classmethod
    def of(
        cls, active: Sequence[Seat], steps: Sequence[Step], *, made: bool | None = None
    ) -> Score:
        """Add the steps up for those who played, and those who come back in by them."""
        payouts = dict.fromkeys(active, 0)
        for step in steps:
            for seat, amount in step.amounts.items():
                payouts[seat] = payouts.get(seat, 0) + amount
        return cls(tuple(steps), payouts, made)


class Fact(NamedTuple):
    """An answer recorded for a deal: its label and value."""

    label: Text
    value: Text | str


class Level(NamedTuple):
    """A step of the ladder of bids: its code, its name, and its bids."""

    code: str
    name: Text
    bids: tuple[str, ...]


class Kinds(NamedTuple):
    """The kinds of a game's rule sets: the question, and the name of each."""

    question: Text
    words: Mapping[str, Text]


S = TypeVar("S")


class Game(ABC, Generic[S, R]):
    """A card game, from which form, API, store and pages derive the rest."""

    slug: ClassVar[str]
    name: ClassVar[Text]
    #: One sentence that introduces the game, and the paragraphs of its page.
    blurb: ClassVar[Text]
    about: ClassVar[tuple[Text, ...]]
    aliases: ClassVar[tuple[str, ...]] = ()
    #: Whether whoever is out is left out of the next deals, and may pay to come back.
    eliminates: ClassVar[bool] = False
    #: Whether the balances before a deal say what its sheet may have.
    balances_count: ClassVar[bool] = False
    #: Whether the end, or who deals next, may depend on what the last sheet says.
    last_sheet_counts: ClassVar[bool] = False
    #: Whether only the sheet of a deal says who won it.
    sheet_names_winner: ClassVar[bool] = False
    #: Whether it only stands for a game that is not installed.
    missing: ClassVar[bool] = False
    #: Whether each session gives the game a name and an end of its own.
    named_by_session: ClassVar[bool] = False
    #: Presets that a new session proposes to so many people, where it isn't the first one.
    proposed: ClassVar[Mapping[int, str]] = {}
    #: The columns of the printed slip, each with the steps that it adds up; none for other sheets.
    slip: ClassVar[tuple[tuple[Text, frozenset[str]], ...]] = ()
    #: What is often wrong in a deal that is voided.
    mistakes: ClassVar[tuple[Text, ...]] = (say("Wrong points"),)
    levels: ClassVar[tuple[Level, ...]] = ()
    #: The deck that the cards on a sheet belong to, where the rules don't choose it.
    pack: ClassVar[Deck | None] = None
    kinds: ClassVar[Kinds | None] = None
    sheet_type: type[S]
    rules_type: type[R]
    start_type: type[Any] | None = None
    presets: Mapping[str, R]

    @abstractmethod
    def seating(self, rules: R) -> Seating:
        """Return the numbers of people that the game is for."""

    def name_in(self, rules: Mapping[str, Any]) -> Text:
        """Return what a session calls the game, by its stored rules."""
        return self.name

    def irrelevant_questions(self, table: Table[R]) -> Mapping[str, bool]:
        """Return some questions of the sheet, each with whether it is irrelevant at this table."""
        return {}

    def worded(self, question: Question, table: Table[R]) -> Question:
        """Return a question for this table, whose rules may give it a name or a sum."""
        name = self._own_name(question, table)
        return (
            question._replace(ask=replace(question.ask, label=as_it_is(name))) if name else question
        )

    def _own_name(self, question: Question, table: Table[R]) -> str:
        return str(getattr(table.rules, question.ask.named_by)) if question.ask.named_by else ""

    def asks(self, table: Table[R]) -> tuple[Question, ...]:
        out = self.irrelevant_questions(table)
        return tuple(
            self.worded(question, table)
            for question in questions(self.sheet_type)
            if not out.get(question.name)
            and (self._own_name(question, table) or not question.ask.named_by)
        )

    def check_rules(self, rules: R, reading: Reading, path: str) -> None:
        """Report problems between fields of a rule set, each valid by itself; none by default."""

    @abstractmethod
    def problems(self, sheet: S, table: Table[R]) -> Iterable[Problem]:
        """Find the problems of a sheet whose fields are each valid, with the field's name."""

    @abstractmethod
    def score(self, sheet: S, table: Table[R]) -> Score:
        """Return who is paid what, and why, for a sheet without problems."""

    def former_score(self, sheet: S, table: Table[R]) -> Score | None:
        """Return what 0.3 paid for a sheet that is now refused or pays otherwise; None if neither.

        What is stored keeps its payouts.
        """
        return None

    @abstractmethod
    def summary(self, sheet: S, table: Table[R]) -> Text:
        """Return a deal in a line of the score sheet."""

    @abstractmethod
    def headline(self, sheet: S, table: Table[R]) -> Text:
        """Return a deal in a sentence."""

    @abstractmethod
    def facts(self, sheet: S, table: Table[R]) -> list[Fact]:
        """List the recorded answers of a deal."""

    @abstractmethod
    def describe(self, rules: R) -> Description:
        """Return a rule set for the people at the table, in words and figures."""

    def ends(self, rules: R) -> Ends:
        """Return when a session ends: by the ``target`` and the ``deals`` of most rules."""
        return Ends(getattr(rules, "target", None), getattr(rules, "deals", None))

    def progress(self, tally: Tally, rules: R) -> Progress:
        """Return whether the session has come to its end, and who won."""
        return self.ends(rules).progress(tally, self.sides_at(tally, rules))

    def end_text(self, rules: R) -> Text:
        """Return in a few words when a session ends."""
        return self.ends(rules).text

    def can_end(self, rules: R) -> bool:
        """Return whether a rule ends the session; otherwise the people end it when they like."""
        return self.ends(rules)[:2] != (None, None)

    def sides_at(self, tally: Tally, rules: R) -> Sides:
        """Return those whose balances are compared at the end of a session."""
        return self.sides(tally.here, rules)

    def sides(self, active: Sequence[Seat], rules: R, sheet: S | None = None) -> Sides:
        """Return who wins and loses together; in some games only the sheet of a deal tells.

        Answers by side have a value for each side that is known without the sheet.
        """
        return every_seat(active)

    def leads_lowest(self, rules: R) -> bool:
        return self.ends(rules).lowest

    def adds_up(self, rules: R) -> bool:
        """Whether the balances of different evenings may be added; if not, evenings won count."""
        return False

    def cancels(self, rules: R) -> bool:
        """Whether what some win in a deal the others lose, whoever plays with whom."""
        return self.adds_up(rules) and all(self.balance_checks(rules).get("zero_sum", {}).values())

    def won(self, sheet: S | None, table: Table[R], paid: Mapping[Seat, int]) -> tuple[Seat, ...]:
        """Return who won a played deal: the sides paid best, nobody if all are level.

        ``sheet`` is None for a deal that was not scored by its sheet. All of a side are paid alike.
        """
        amounts = {paid[seat] for seat in table.active}
        if len(amounts) < 2:
            return ()
        best = min(amounts) if self.leads_lowest(table.rules) else max(amounts)
        return tuple(seat for seat in table.active if paid[seat] == best)

    def around(self, table: Table[R]) -> Sides:
        """Return the sides in order of play; each seat that sits out is a side too."""
        sides = (*self.sides(table.active, table.rules), *every_seat(table.sits_out))
        return tuple(sorted(sides, key=lambda side: table.here.index(side[0])))

    def still_in(
        self, order: tuple[Seat, ...], balances: Mapping[Seat, int], rules: R
    ) -> tuple[Seat, ...]:
        """Return those at the table who are still in, and so play the next deals."""
        return order

    def back_in(self, sheet: S, table: Table[R], payouts: Mapping[Seat, int]) -> Mapping[Seat, int]:
        """Return the part of the payouts with which each who was out comes back in."""
        return {}

    def buy_in_allowed(self, rules: R) -> bool:
        """Return whether somebody who is out may come back in."""
        return False

    def buy_in_problems(
        self, buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[R]
    ) -> Iterable[Problem]:
        """Find the problems of who comes back in after a deal with these amounts."""
        if buy_in:
            yield Problem("buy-in-off", "buy_in", say("By these rules nobody comes back in."))

    def buy_in_steps(
        self, buy_in: Sequence[Seat], amounts: Mapping[Seat, int], table: Table[R]
    ) -> Iterable[Step]:
        """Return the steps with which they come back in."""
        return ()

    def buy_in_fee(self, rules: R) -> int:
        """Return what coming back in costs, in cents, for the pot."""
        return 0

    def turn_minutes(self, rules: R) -> int | None:
        """Return the minutes of a turn that ends by the clock; None if the rules have no clock."""
        return None

    @property
    def has_auction(self) -> bool:
        return self.start_type is not None and bool(questions(self.start_type))

    def started(self, start: Any, table: Table[R]) -> Text:
        """Return the words for the start of a deal, in games that record one."""
        return self.name

    def outcomes(self, rules: R) -> tuple[Outcome, ...]:
        """Return the outcomes of deals that are not played."""
        return (Outcome.MISDEAL,)

    def rules_for(self, count: int, data: dict[str, Any]) -> dict[str, Any]:
        """Return the rules, fitted to the number of people who came if the game can."""
        return data

    def roles(self, sheet: S) -> dict[Seat, str]:
        return {}

    def role_names(self, rules: R) -> Mapping[str, Text]:
        return {}

    def bid(self, sheet: S) -> str | None:
        """Return the bid as documents write it; None in a game without bids."""
        return None

    def warnings(self, sheet: S, table: Table[R]) -> list[Problem]:
        """Return what is unusual in a sheet but no problem."""
        return []

    def deck(self, rules: R) -> Deck | None:
        return self.pack

    def kind(self, rules: R) -> str:
        """Return which of the game's kinds a rule set is; "" belongs to all of them."""
        return ""

    def balance_checks(self, rules: R) -> dict[str, Any]:
        """Return computed facts to show with rules, such as whether they are zero-sum."""
        return {}

    @property
    def preset(self) -> R:
        """The first preset: the default."""
        return next(iter(self.presets.values()))

    def active(self, dealer: Seat, order: tuple[Seat, ...], rules: R) -> tuple[Seat, ...]:
        """Return who of those at the table plays the deal, in order of play."""
        return order

    def turn_after(
        self,
        turn: Turn,
        outcome: Outcome,
        order: tuple[Seat, ...],
        rules: R,
        sheet: S | None = None,
    ) -> Turn:
        """Return who deals next, and how many times that deal counts.

        ``sheet`` is that of the deal, if it was played and is known. The rules are in rules.md A2
        and A11.
        """
        if outcome.counts:
            return Turn(next_seat(turn.dealer, order))
        return turn

    def who_sits_out(self, count: int, rules: R) -> Text | None:
        """Return the words for who sits out among a number of people; None if nobody does."""
        return None

    def rules_from(self, data: object, path: str = "rules") -> tuple[R, list[Problem]]:
        """Read rules: a preset's slug, an object merged deeply over one, or None for the first.

        Return the first preset with the problems, so that the caller can read the rest.
        """
        if isinstance(data, str) and data in self.presets:
            return self.presets[data], []
        reading, rules = Reading(), self.preset if data is None else None
        slug = data.get("preset", self.preset.slug) if isinstance(data, dict) else data
        if isinstance(data, dict) and isinstance(slug, str) and slug in self.presets:
            computed = {"preset", "game", *self.balance_checks(self.preset)}
            override = {key: value for key, value in data.items() if key not in computed}
            whole = merged(write(self.presets[slug]), override)
            rules = read(self.rules_type, whole, reading, path)
        elif isinstance(data, dict | str) and isinstance(slug, str):
            where = path if isinstance(data, str) else f"{path}.preset"
            message = say("There is no preset %(slug)s.", slug=slug)
            reading.unknown("unknown-preset", where, message, slug, self.presets)
        elif isinstance(data, dict):
            reading.fault("wrong-type", f"{path}.preset", say("A text is needed."))
        elif data is not None:
            reading.fault("wrong-type", path, say("Rules are the name of a preset, or an object."))
        if rules is not None:
            self.check_rules(rules, reading, path)
        return rules if rules and not reading.problems else self.preset, reading.problems

    def rules_named(self, rules: R) -> str | dict[str, Any]:
        """Return rules as a request names them: a preset's slug, or what differs from one."""
        preset = self.presets.get(rules.slug, self.preset)
        other = difference(write(preset), write(rules))
        return {"preset": preset.slug, **other} if other else preset.slug

    def read_sheet(
        self, data: object, table: Table[R], path: str = "sheet"
    ) -> tuple[S | None, list[Problem]]:
        """Read one deal's answers and find every problem in them."""
        reading = Reading(table.seats, self.deck(table.rules))
        sheet = read(self.sheet_type, data, reading, path)
        if sheet is None:
            return None, reading.problems
        problems = self.sheet_problems(sheet, table, path)
        return (None if problems else sheet), problems

    def sheet_problems(self, sheet: S, table: Table[R], path: str = "sheet") -> list[Problem]:
        """Find every problem of a sheet at a table, also answers for a wrong number of sides."""
        count = len(self.sides(table.active, table.rules))
        return side_problems(sheet, count, path) or placed(self.problems(sheet, table), path)

    def read_start(self, data: object, table: Table[R]) -> tuple[Any, list[Problem]]:
        """Read the start of a deal, in games that record one."""
        reading = Reading(table.seats, self.deck(table.rules))
        if self.start_type is None:
            message = say("In this game nothing is written before the play.")
            reading.fault("no-start", "sheet", message)
            return None, reading.problems
        start = read(self.start_type, data, reading, "sheet")
        if start is not None:
            reading.problems += placed(self.start_problems(start, table), "sheet")
        return (None if reading.problems else start), reading.problems

    def start_problems(self, start: Any, table: Table[R]) -> list[Problem]:
        """Find every fault of the start of a deal."""
        return []

    def write_sheet(self, sheet: S, names: Sequence[str]) -> dict[str, Any]:
        """Write a sheet as the object that ``read_sheet`` takes for people of these names."""
        answers: dict[str, Any] = write(sheet, names)
        return answers

    def fine(self, rules: R) -> int:
        """Return what a penalty pays each other side."""
        return 1

    def penalty(self, offender: Seat, table: Table[R]) -> Score:
        """Return the score of a penalty: the offender's side pays the others (rules.md A7 T9)."""
        sides = self.sides(table.active, table.rules)
        (own,) = (side for side in sides if offender in side)
        others = [seat for seat in table.active if seat not in own]
        point = self.fine(table.rules) * (-1 if self.leads_lowest(table.rules) else 1)
        fine = -point * (len(sides) - 1)
        values = {"name": table.names(own), "amount": signed(fine)}
        text = say("Penalty for %(name)s → %(amount)s.", **values)
        if len(own) == 1:
            text = say(
                "Penalty for %(name)s: %(point)s for each of the others, %(others)s × %(point)s → "
                "%(amount)s.",
                **values,
                others=len(others),
                point=abs(point),
            )
        steps = [
            Step("penalty", text, dict.fromkeys(own, fine)),
            Step(
                "penalty",
                say("Each of the others: %(amount)s.", amount=signed(point)),
                dict.fromkeys(others, point),
            ),
        ]
        return Score.of(table.active, steps)
