"""A tournament at any moment: who stands where, who sits where next, and whether it is over."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from scorer.errors import Problem
from scorer.rules.questions import Reading
from scorer.texts import Text, say
from scorer.tournaments.facts import (
    PlanKind,
    SeatingMethod,
    Tournament,
    TurnSeating,
    meetings,
)
from scorer.tournaments.individual import Individual
from scorer.tournaments.knockout import Groups, Knockout
from scorer.tournaments.pairs import Danish, Mitchell, RoundRobin
from scorer.tournaments.reading import read_tournament
from scorer.tournaments.standings import EntryStanding, standings
from scorer.tournaments.tables import Tables

PLANS: dict[PlanKind, type[SeatingMethod]] = {
    PlanKind.ROUND_ROBIN: RoundRobin,
    PlanKind.MITCHELL: Mitchell,
    PlanKind.DANISH: Danish,
    PlanKind.KNOCKOUT: Knockout,
    PlanKind.INDIVIDUAL: Individual,
    PlanKind.TABLES: Tables,
    PlanKind.GROUPS: Groups,
}
#: Plans that have room for so many turns and no more.
BOUNDED = (PlanKind.ROUND_ROBIN, PlanKind.MITCHELL, PlanKind.KNOCKOUT, PlanKind.GROUPS)


class Warned(NamedTuple):
    """A rule that the next turn can't keep, and for which two entries."""

    code: str
    field: str
    entries: tuple[str, ...]
    message: Text


@dataclass(frozen=True, kw_only=True)
class TournamentState:
    """What a tournament comes to; a faulty one has no ``kind``.

    The ``method`` draws the next turn when somebody asks for it; there is none while a table still
    plays, or once the plan is at its end.
    """

    kind: PlanKind | None = None
    standings: list[EntryStanding] = field(default_factory=list)
    turn: int = 0
    fits: int | None = None
    playing: bool = False
    method: SeatingMethod | None = None

    @cached_property
    def next(self) -> TurnSeating | None:
        """Who sits where in the next turn, if there is one."""
        seating = self.method.seat(self.turn) if self.method else None
        return seating if seating and seating.tables else None

    @property
    def finished(self) -> bool:
        """Whether no turn is left to draw."""
        return self.kind is not None and not self.playing and self.next is None

    @property
    def winner(self) -> str | None:
        first = [row.entry for row in self.standings if row.place == 1]
        return first[0] if self.finished and len(first) == 1 else None

    @property
    def warnings(self) -> list[Warned]:
        """The rules that the next turn can't keep."""
        if self.method is None or self.next is None:
            return []
        repeated = say("These two have met before, and no other seating is left.")
        apart = say("These two should not meet, and no other seating is left.")
        warnings = []
        for number, sides in enumerate(self.next.tables):
            for pair in meetings(sides):
                where = f"next.tables[{number}]"
                entries = tuple(entry for side in sides for entry in side if entry in pair)
                if pair in self.method.tournament.apart:
                    warnings.append(Warned("apart-meeting", where, entries, apart))
                if pair in self.next.repeated:
                    warnings.append(Warned("repeated-meeting", where, entries, repeated))
        return warnings


def outcome(document: object, reading: Reading) -> TournamentState:
    """Return what a document comes to; with problems, which go to the reading, only what fits."""
    tournament = read_tournament(document, reading)
    if tournament is None or any(
        problem.field.startswith(("entries", "plan")) for problem in reading.problems
    ):
        return TournamentState()
    reading.problems += entry_problems(tournament)
    if any(problem.code == "too-few" for problem in reading.problems):
        return TournamentState()
    plan = PLANS[tournament.plan.kind](tournament)
    rounds, fits = tournament.plan.rounds, plan.fits
    if tournament.plan.kind in BOUNDED and rounds is not None and rounds > fits:
        message = say("Turns that fit without a meeting twice: %(fits)s.", fits=fits)
        reading.fault("too-many-rounds", "plan.rounds", message)
    if reading.problems:
        return TournamentState(fits=fits)
    bracket = plan.bracket(reading) if isinstance(plan, Knockout | Groups) else None
    if reading.problems:
        return TournamentState(fits=fits)
    turn, rows = len(tournament.turns) + 1, standings(tournament)
    playing = turn > 1 and tournament.turns[-1].plays
    over = turn > (rounds or fits) or (bracket is not None and not bracket.pairs())
    return TournamentState(
        kind=tournament.plan.kind,
        standings=rows if bracket is None else bracket.places(rows),
        turn=turn,
        fits=fits,
        playing=playing,
        method=None if playing or over else plan,
    )


class PlanRoom(NamedTuple):
    """How many turns fit, and whether in those that are played everybody meets everybody.

    By the plan ``individual`` it is whether everybody is everybody's partner; where the standings
    decide who meets, that is None.
    """

    fits: int
    all_meet: bool | None


def plan_room(plan: Mapping[str, Any], count: int) -> PlanRoom | None:
    """Return the room of a plan for so many entries; None if it is not for as many."""
    entries = [{"id": str(number), "name": str(number)} for number in range(count)]
    state = outcome({"entries": entries, "plan": plan}, Reading())
    kind, fits = plan["kind"], state.fits
    if fits is None:
        return None
    if kind in (PlanKind.DANISH, PlanKind.KNOCKOUT, PlanKind.GROUPS):
        return PlanRoom(fits, None)
    turns = min(plan.get("rounds") or fits, fits)
    size = plan.get("size", 5) if kind == PlanKind.TABLES else 2
    over = count % (4 if kind == PlanKind.INDIVIDUAL else size)
    return PlanRoom(fits, over <= 1 and (turns - over) * (size - 1) >= count - 1)


def entry_problems(tournament: Tournament) -> list[Problem]:
    """Find whether too few play in the first turn, or somebody comes too late for a knockout."""
    plan, count = tournament.plan, len(tournament.present(1))
    least = {
        PlanKind.INDIVIDUAL: 4,
        PlanKind.TABLES: plan.size,
        PlanKind.GROUPS: plan.groups * max(2, plan.through),
    }.get(plan.kind, 2)
    if count < least:
        message = say(
            "This plan needs %(least)s entries in its first turn, and not %(count)s.",
            least=least,
            count=count,
        )
        return [Problem("too-few", "entries", message)]
    if plan.kind not in (PlanKind.KNOCKOUT, PlanKind.GROUPS):
        return []
    last = Groups(tournament).group_turns if plan.kind is PlanKind.GROUPS else 1
    message = say("Once a knockout has begun, nobody can enter it.")
    return [
        Problem("too-late", f"entries[{number}].from", message)
        for number, entry in enumerate(tournament.entries)
        if entry.first > last
    ]
