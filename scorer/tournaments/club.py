"""A club evening as it was written down: its plan, who takes part, the turns, their tables.

What it comes to is said by `tournament.outcome` of its document; here are only the facts. A table
of a published turn is a session elsewhere: what that came to is among the facts, too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any, NamedTuple, Self

from scorer.errors import Problem
from scorer.rules.questions import Reading
from scorer.tournaments.facts import PlanKind, Sides, TieBreak, TurnDrawn, written_side
from scorer.tournaments.reading import FORMAT, read_tournament
from scorer.tournaments.standings import EntryStanding, standings
from scorer.tournaments.tournament import TournamentState, outcome
from scorer.typed_text import looks


class TurnTime(StrEnum):
    """A turn that is over, the one that was published last, or one that is not published."""

    PAST = "past"
    CURRENT = "current"
    NEXT = "next"


#: By its turn and its number in it, both from 1.
TableKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClubEntry:
    """A person or two partners; in from the turn ``first`` on, out before ``withdrawn``."""

    number: int
    people: tuple[str, ...]
    first: int = 1
    withdrawn: int | None = None

    @property
    def id(self) -> str:
        """The id of the entry in the document."""
        return str(self.number)

    @property
    def name(self) -> str:
        return ", ".join(self.people)

    @property
    def document(self) -> dict[str, Any]:
        since = {"from": self.first} if self.first > 1 else {}
        until = {} if self.withdrawn is None else {"withdrawn": self.withdrawn}
        return {"id": self.id, "name": self.name, **since, **until}


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table as it was drawn; ``scores`` and who ``forfeit`` it are what a director wrote."""

    sides: Sides
    scores: tuple[int, ...] | None = None
    forfeit: int | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.sides))

    @property
    def decided(self) -> bool:
        """Whether a director wrote what it came to."""
        return self.scores is not None or self.forfeit is not None


class Penalty(NamedTuple):
    """The points that an entry loses in a turn, and why."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClubTurn:
    """A turn as it was drawn for the ``drawn``th time."""

    tables: tuple[ClubTable, ...]
    byes: tuple[str, ...] = ()
    drawn: int = 1
    published: bool = False
    penalties: Mapping[int, Penalty] = field(default_factory=dict)


class PlayedTable(NamedTuple):
    """What the session of a table has come to, side by side, and whether it is over.

    ``people`` are those who sit there, side by side.
    """

    scores: tuple[int, ...]
    over: bool
    people: tuple[tuple[str, ...], ...] = ()
    session: str = ""


@dataclass(frozen=True, kw_only=True)
class ClubEvening:
    """The facts of a tournament; ``settings`` are the plan, points and ties of its document.

    ``people`` is how many play together as one entry. Only the last turn may be unpublished.
    """

    name: str
    game: str
    rules: Any
    settings: Mapping[str, Any]
    people: int = 1
    seed: str = ""
    entries: tuple[ClubEntry, ...] = ()
    turns: tuple[ClubTurn, ...] = ()
    played: Mapping[TableKey, PlayedTable] = field(default_factory=dict)
    over: bool = False
    prizes: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, ClubEntry]:
        return {entry.id: entry for entry in self.entries}

    @property
    def kind(self) -> str:
        return str(self.settings["plan"]["kind"])

    @property
    def published(self) -> tuple[ClubTurn, ...]:
        """The turns that are played or were."""
        return tuple(turn for turn in self.turns if turn.published)

    @property
    def drawn(self) -> ClubTurn | None:
        """The turn that was drawn and is not published."""
        return self.turns[-1] if self.turns and not self.turns[-1].published else None

    @property
    def next_turn(self) -> int:
        """The number of the first turn that is not published."""
        return len(self.published) + 1

    def time_of(self, turn: int) -> TurnTime:
        if turn == len(self.published):
            return TurnTime.CURRENT
        return TurnTime.PAST if turn < self.next_turn else TurnTime.NEXT

    def with_turn(self, number: int, turn: ClubTurn) -> Self:
        """Return the evening with another content of a turn."""
        return replace(self, turns=(*self.turns[: number - 1], turn, *self.turns[number:]))

    def entry_of(self, person: str) -> ClubEntry | None:
        """Return the entry that somebody plays in."""
        wanted = looks(person)
        found = (entry for entry in self.entries if wanted in map(looks, entry.people))
        return next(found, None)

    def people_at(self, sides: Sides) -> list[list[str]]:
        """Return who sits at a table, side by side."""
        return [[person for entry in side for person in self.by_id[entry].people] for side in sides]

    def seated(self, turn: int, number: int) -> list[list[str]]:
        """Return who sits at a table, side by side: where it was published, as it was then."""
        played = self.played.get((turn, number))
        if played and played.people:
            return [[*side] for side in played.people]
        return self.people_at(self.turns[turn - 1].tables[number - 1].sides)

    def seats_at(self, sides: Sides) -> list[str]:
        """Return who sits at a table in order of play: one of each side, then their partners.

        The first of each side has the number of the side.
        """
        rows = zip_longest(*self.people_at(sides))
        return [person for row in rows for person in row if person is not None]

    def scores(self, turn: int, number: int) -> tuple[int, ...] | None:
        """Return what a table came to; None while it plays.

        In turns that are over the sessions count as they stand, even if one is taken up again.
        """
        table = self.turns[turn - 1].tables[number - 1]
        if table.decided:
            return table.scores
        played = self.played.get((turn, number))
        counts = played and (played.over or self.time_of(turn) is not TurnTime.CURRENT)
        return played.scores if played and counts else None

    def is_open(self, turn: int, number: int) -> bool:
        """Whether a table still plays."""
        table = self.turns[turn - 1].tables[number - 1]
        return not table.decided and self.scores(turn, number) is None

    @property
    def open_tables(self) -> list[int]:
        """The numbers of the tables of the last published turn that still play."""
        last = len(self.published)
        tables = self.turns[last - 1].tables if last else ()
        return [number for number, _ in enumerate(tables, 1) if self.is_open(last, number)]

    @property
    def document(self) -> dict[str, Any]:
        """The document of the format ``scorer-tournament/1``, with the published turns."""
        return {
            "format": FORMAT,
            "name": self.name,
            "game": self.game,
            "rules": self.rules,
            "entries": [entry.document for entry in self.entries],
            **self.settings,
            "seed": self.seed,
            "rounds": [*self._rounds()],
        }

    def _rounds(self) -> Iterator[dict[str, Any]]:
        for number, turn in enumerate(self.published, 1):
            tables = [
                self._table(table, (number, place)) for place, table in enumerate(turn.tables, 1)
            ]
            penalty = {str(entry): lost.points for entry, lost in turn.penalties.items()}
            penalties = {"penalty": penalty} if penalty else {}
            yield {"round": number, "tables": tables, "byes": [*turn.byes], **penalties}

    def _table(self, table: ClubTable, key: TableKey) -> dict[str, Any]:
        scores, played = self.scores(*key), self.played.get(key)
        return {
            "table": key[1],
            "sides": [written_side(side, self.kind) for side in table.sides],
            "scores": None if scores is None else [*scores],
            **({"forfeit": str(table.forfeit)} if table.forfeit is not None else {}),
            **({"session": played.session} if played and played.session else {}),
        }

    @property
    def state(self) -> TournamentState:
        """Who stands where, and who sits where next."""
        return self._came_to[0]

    @property
    def ranks_singles(self) -> bool:
        """Whether the people of pairs have standings of their own.

        In a knockout they don't, as its places go by the turn of going out.
        """
        return self.people > 1 and self.kind not in (PlanKind.KNOCKOUT, PlanKind.GROUPS)

    @cached_property
    def singles(self) -> list[EntryStanding]:
        """Who of the pairs stands where by the tables at which each sat, with whomever.

        A bye or a penalty is that of who plays for the entry now.
        """
        tournament = read_tournament(self.document, Reading())
        if tournament is None or not self.ranks_singles:
            return []
        ties = tuple(tie for tie in tournament.ties if tie is not TieBreak.LOT)
        turns = [self._singly(number, turn) for number, turn in enumerate(tournament.turns, 1)]
        entered = chain.from_iterable(entry.people for entry in self.entries)
        sides = (side for turn in turns for table in turn.tables for side in table.sides)
        everybody = dict.fromkeys([*entered, *chain.from_iterable(sides)])
        return standings(replace(tournament, ties=ties), turns, everybody)

    def _singly(self, number: int, turn: TurnDrawn) -> TurnDrawn:
        """Return a turn with people in the place of entries."""
        tables = []
        for place, table in enumerate(turn.tables, 1):
            sides = tuple(map(tuple, self.seated(number, place)))
            by_side = zip(table.sides, sides, strict=True)
            gave_up = (seated[0] for side, seated in by_side if table.forfeit in side)
            tables.append(replace(table, sides=sides, forfeit=next(gave_up, None)))
        people = {entry.id: entry.people for entry in self.entries}
        byes = chain.from_iterable(people[entry] for entry in turn.byes)
        penalty = {who: lost for entry, lost in turn.penalty.items() for who in people[entry]}
        return TurnDrawn(tuple(tables), tuple(byes), penalty)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the document."""
        return self._came_to[1]

    @cached_property
    def _came_to(self) -> tuple[TournamentState, list[Problem]]:
        reading = Reading()
        return outcome(self.document, reading), reading.problems
