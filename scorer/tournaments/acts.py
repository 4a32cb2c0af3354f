"""What people do to a tournament, each in one place, as `evening.acts` has it for deals.

An act declares what it needs (its fields, read from a form or a document), the least role, its kind
in the journal, and its words. `apply` is pure: it returns the evening as it is then, the same
evening if the act was done before, or raises ConflictError or InvalidError.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

from scorer.errors import ConflictError, InvalidError, refuse
from scorer.roles import Role
from scorer.rules.questions import Ask, Json, Reading, read_object
from scorer.texts import Text, say
from scorer.tournaments.club import (
    ClubEntry,
    ClubEvening,
    ClubTable,
    ClubTurn,
    Penalty,
    TurnTime,
)
from scorer.tournaments.facts import MOST_POINTS, digest
from scorer.typed_text import REASON, looks, one_line, read_name

TURN = Ask("The number of the turn", low=1)
TABLE = Ask("The number of the table", low=1)
ENTRY = Ask("The number of the entry", low=1)
#: The keys of the document that say how it is played.
SETTINGS = {"plan", "points", "ties", "bye", "apart"}
MOST_PRIZES = 30
NEXT, BEGUN = (TurnTime.NEXT,), (TurnTime.PAST, TurnTime.CURRENT)
PEOPLE = Ask("Who it is: one name, or those of two partners")


class TournamentAct(ABC):
    """Something that people do to a tournament; ``noted`` is its kind in the journal."""

    name: ClassVar[str]
    noted: ClassVar[str]
    #: What the journal says, of rows of which tables.
    done: ClassVar[Text]
    subjects: ClassVar[tuple[str, ...]]
    least: ClassVar[Role] = Role.SCOREKEEPER
    limit: ClassVar[tuple[str, ...]] = ()
    #: Which turns it changes.
    times: ClassVar[tuple[TurnTime, ...]] = NEXT
    #: Whether it can be done after the end.
    late: ClassVar[bool] = False

    def do(self, evening: ClubEvening) -> ClubEvening:
        """Return the evening after the act; raise InvalidError after the end."""
        if evening.over and not self.late:
            message = say("This tournament is over. Take it up again first.")
            raise InvalidError.of("tournament-over", "", message)
        return self.apply(evening)

    @abstractmethod
    def apply(self, evening: ClubEvening) -> ClubEvening:
        """Return the evening with what the act writes."""


def sound(before: ClubEvening, after: ClubEvening) -> ClubEvening:
    """Return the evening after an act; refuse problems of its document that are new."""
    known = {(problem.code, problem.field) for problem in before.problems}
    refuse(one for one in after.problems if (one.code, one.field) not in known)
    return after


def undrawn(evening: ClubEvening) -> ClubEvening:
    """Return the evening without a draw that was not published: it no longer holds."""
    return replace(evening, turns=evening.published)


def refuse_open_tables(evening: ClubEvening, field: str) -> None:
    """Raise InvalidError while a table of the last turn plays."""
    if evening.open_tables:
        numbers = ", ".join(map(str, evening.open_tables))
        message = say("These tables still play: %(all)s.", all=numbers)
        raise InvalidError.of("tables-open", field, message)


def known_entry(evening: ClubEvening, number: int) -> ClubEntry:
    """Find an entry; raise InvalidError."""
    entry = evening.by_id.get(str(number))
    if entry is None:
        message = say("No entry has the id %(id)s.", id=number)
        raise InvalidError.of("unknown-entry", "entry", message)
    return entry


def read_people(
    evening: ClubEvening, names: Sequence[str], but: ClubEntry | None = None
) -> tuple[str, ...]:
    """Read who an entry is, all of whom are in no other one; raise InvalidError."""
    people: list[str] = []
    for name in names:
        people.append(read_name(name, people, "people"))
    if len(people) != evening.people:
        message = say("Two partners are needed, as here pairs play.")
        if evening.people == 1:
            message = say("One name is needed, as here everybody plays alone.")
        raise InvalidError.of("people-count", "people", message)
    others = (entry for entry in evening.entries if entry is not but)
    entered = {looks(person) for entry in others for person in entry.people}
    for person in people:
        if looks(person) in entered:
            message = say("%(word)s is entered twice.", word=person)
            raise InvalidError.of("entry-twice", "people", message)
    return tuple(people)


def with_entry(evening: ClubEvening, entry: ClubEntry) -> ClubEvening:
    """Return the evening with an entry as it is now, new ones at the end."""
    others = {**{other.number: other for other in evening.entries}, entry.number: entry}
    return replace(evening, entries=tuple(others.values()))


@dataclass(frozen=True, kw_only=True)
class AddEntry(TournamentAct):
    """Enter somebody from the next turn on; in a knockout only before the first."""

    name = "enter"
    noted = "entered"
    done = say("Entry %(number)s of “%(name)s” came in.")
    subjects = ("tournament_entry",)

    people: Annotated[tuple[str, ...], PEOPLE]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        number = max((entry.number for entry in evening.entries), default=0) + 1
        people = read_people(evening, self.people)
        entry = ClubEntry(number, people, first=evening.next_turn)
        return sound(evening, with_entry(undrawn(evening), entry))


@dataclass(frozen=True, kw_only=True)
class WithdrawEntry(TournamentAct):
    """Take an entry out from the next turn on; before the first turn it is gone."""

    name = "withdraw"
    noted = "entry-withdrawn"
    done = say("Entry %(number)s of “%(name)s” withdrew.")
    subjects = ("tournament_entry", "tournament_player")

    entry: Annotated[int, ENTRY]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        entry, turn = known_entry(evening, self.entry), evening.next_turn
        if entry.withdrawn is not None:
            return evening
        after = undrawn(evening)
        if entry.first < turn:
            return with_entry(after, replace(entry, withdrawn=turn))
        others = tuple(other for other in evening.entries if other is not entry)
        return sound(evening, replace(after, entries=others))


@dataclass(frozen=True, kw_only=True)
class ReturnEntry(TournamentAct):
    """Take a withdrawal back, as long as no turn was played without the entry."""

    name = "return"
    noted = "entry-returned"
    done = say("Entry %(number)s of “%(name)s” is back.")
    subjects = ("tournament_entry",)

    entry: Annotated[int, ENTRY]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        entry = known_entry(evening, self.entry)
        if entry.withdrawn is None:
            return evening
        if entry.withdrawn != evening.next_turn:
            message = say("A turn was played without them: they can’t come back.")
            raise InvalidError.of("too-late", "entry", message)
        return with_entry(undrawn(evening), replace(entry, withdrawn=None))


@dataclass(frozen=True, kw_only=True)
class Substitute(TournamentAct):
    """Let others play on for an entry; whoever sat at a table that was published stays there."""

    name = "substitute"
    noted = "substituted"
    done = say("Somebody else plays for entry %(number)s of “%(name)s”.")
    subjects = ("tournament_player",)

    entry: Annotated[int, ENTRY]
    people: Annotated[tuple[str, ...], PEOPLE]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        entry = known_entry(evening, self.entry)
        return with_entry(evening, replace(entry, people=read_people(evening, self.people, entry)))


class PlanSettings(Json):
    """The plan, the points, the ties and what else a document says of how it is played."""

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> object:
        return read_object(value, SETTINGS, reading, path)


@dataclass(frozen=True, kw_only=True)
class SetPlan(TournamentAct):
    """Play by another plan, for other points or ties; until the first turn is published."""

    name = "plan"
    noted = "plan-set"
    done = say("“%(name)s” has another plan.")
    subjects = ("tournament",)

    settings: Annotated[PlanSettings, Ask("The keys of the document that are meant")]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        if evening.published:
            message = say("The plan can’t be changed any more: the first turn is published.")
            raise InvalidError.of("too-late", "plan", message)
        settings = {**evening.settings, **self.settings}
        return sound(evening, replace(undrawn(evening), settings=settings))


@dataclass(frozen=True, kw_only=True)
class DrawTurn(TournamentAct):
    """Draw the next turn once no table plays, to be looked at; ``again`` draws it anew.

    Lots are drawn by the seed of the first turn: a hash of ``log``, the end of the circle's journal
    before the draw, and of the turn's number.
    """

    name = "draw"
    noted = "turn-drawn"
    done = say("Turn %(number)s of “%(name)s” was drawn.")
    subjects = ("tournament_turn",)

    turn: Annotated[int, TURN]
    again: Annotated[bool, Ask("Whether to draw anew what is drawn")] = False
    log: str = field(default="", metadata={"page": True})

    def apply(self, evening: ClubEvening) -> ClubEvening:
        if self.turn != evening.next_turn:
            raise ConflictError(self.turn)
        before = evening.drawn
        if before is not None and not self.again:
            return evening
        refuse_open_tables(evening, "turn")
        fresh = undrawn(evening)
        if self.turn == 1:
            fresh = replace(fresh, seed=digest(self.log, "1"))
        refuse(fresh.problems)
        seating = fresh.state.next
        if seating is None:
            message = say("All turns of the plan are played.")
            raise InvalidError.of("tournament-finished", "turn", message)
        turn = ClubTurn(
            tables=tuple(ClubTable(sides) for sides in seating.tables),
            byes=tuple(seating.byes),
            drawn=before.drawn + 1 if before else 1,
        )
        return replace(fresh, turns=(*fresh.turns, turn))


@dataclass(frozen=True, kw_only=True)
class PublishTurn(TournamentAct):
    """Publish the draw that was looked at, the ``drawn``th one: its tables are sessions then."""

    name = "publish"
    noted = "turn-published"
    done = say("Turn %(number)s of “%(name)s” was published.")
    subjects = ("tournament_turn",)

    turn: Annotated[int, TURN]
    drawn: Annotated[int, Ask("Which draw of the turn it is", low=1)]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        drawn = evening.turns[self.turn - 1] if self.turn <= len(evening.turns) else None
        if drawn is None or drawn.drawn != self.drawn:
            raise ConflictError(self.turn)
        if drawn.published:
            return evening
        refuse_open_tables(evening, "turn")
        return replace(evening, turns=(*evening.published, replace(drawn, published=True)))


@dataclass(frozen=True, kw_only=True)
class TableAct(TournamentAct):
    """An act on a table of a published turn."""

    times = BEGUN

    turn: Annotated[int, TURN]
    table: Annotated[int, TABLE]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        begun = evening.time_of(self.turn) in self.times
        tables = evening.turns[self.turn - 1].tables if begun else ()
        if self.table > len(tables):
            message = say("There is no such table.")
            raise InvalidError.of("wrong-table", "table", message)
        decided = self.decide(tables[self.table - 1])
        tables = (*tables[: self.table - 1], decided, *tables[self.table :])
        turn = replace(evening.turns[self.turn - 1], tables=tables)
        return sound(evening, evening.with_turn(self.turn, turn))

    @abstractmethod
    def decide(self, table: ClubTable) -> ClubTable:
        """Return the table with what the director wrote."""


@dataclass(frozen=True, kw_only=True)
class WriteScores(TableAct):
    """Write the result of a table by hand; without scores what its session came to counts."""

    name = "scores"
    noted = "scores-written"
    done = say("A result of turn %(number)s of “%(name)s” was written by hand.")
    subjects = ("tournament_table",)

    scores: Annotated[
        tuple[int, ...] | None, Ask("The scores, one a side", low=-MOST_POINTS, high=MOST_POINTS)
    ] = None

    def decide(self, table: ClubTable) -> ClubTable:
        return replace(table, scores=self.scores, forfeit=None)


@dataclass(frozen=True, kw_only=True)
class Forfeit(TableAct):
    """Let an entry give up its table."""

    name = "forfeit"
    noted = "forfeited"
    done = say("A table of turn %(number)s of “%(name)s” was given up.")
    subjects = ("tournament_table",)

    entry: Annotated[int, ENTRY]

    def decide(self, table: ClubTable) -> ClubTable:
        if str(self.entry) not in table.entries:
            message = say("%(id)s does not sit at this table.", id=self.entry)
            raise InvalidError.of("wrong-table", "entry", message)
        return replace(table, scores=None, forfeit=self.entry)


@dataclass(frozen=True, kw_only=True)
class Penalise(TournamentAct):
    """Take points off an entry in a turn, for a reason; with 0 none."""

    name = "penalise"
    noted = "penalised"
    done = say("The penalty points of turn %(number)s of “%(name)s” were set.")
    subjects = ("tournament_turn",)
    times = BEGUN

    turn: Annotated[int, TURN]
    entry: Annotated[int, ENTRY]
    points: Annotated[int, Ask("The points that it loses", low=0, high=MOST_POINTS)]
    reason: Annotated[str, Ask("Reason", typed=REASON)]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        entry, reason = known_entry(evening, self.entry), REASON.read(self.reason, "reason")
        if not reason:
            message = say("Say in a few words why.")
            raise InvalidError.of("no-reason", "reason", message)
        if evening.time_of(self.turn) not in self.times:
            message = say("This turn has not begun.")
            raise InvalidError.of("wrong-turn", "turn", message)
        turn = evening.turns[self.turn - 1]
        others = {number: lost for number, lost in turn.penalties.items() if number != entry.number}
        new = {entry.number: Penalty(self.points, reason)} if self.points else {}
        return evening.with_turn(self.turn, replace(turn, penalties={**others, **new}))


@dataclass(frozen=True, kw_only=True)
class SetPrizes(TournamentAct):
    """Name the prizes; one that begins with a number is for that place."""

    name = "prizes"
    noted = "prizes-set"
    done = say("The prizes of “%(name)s” were set.")
    subjects = ("tournament",)
    times = ()
    late = True

    prizes: Annotated[tuple[str, ...], Ask("The prizes, each on one line")]

    def apply(self, evening: ClubEvening) -> ClubEvening:
        prizes = tuple(filter(None, map(one_line, self.prizes)))
        if len(prizes) > MOST_PRIZES or any(len(prize) > REASON.longest for prize in prizes):
            message = say("At most 30 prizes, of at most 200 letters each.")
            raise InvalidError.of("too-long", "prizes", message)
        return evening if prizes == evening.prizes else replace(evening, prizes=prizes)


@dataclass(frozen=True, kw_only=True)
class CloseTournament(TournamentAct):
    """End a tournament, once no table plays: its sessions end with it."""

    name = "close"
    noted = "tournament-closed"
    done = say("The tournament “%(name)s” ended.")
    subjects = ("tournament",)
    times = ()
    late = True

    def apply(self, evening: ClubEvening) -> ClubEvening:
        if evening.over:
            return evening
        refuse_open_tables(evening, "")
        return replace(undrawn(evening), over=True)


@dataclass(frozen=True, kw_only=True)
class ReopenTournament(TournamentAct):
    """Take up a tournament that has ended."""

    name = "reopen"
    noted = "tournament-reopened"
    done = say("The tournament “%(name)s” went on.")
    subjects = ("tournament",)
    times = ()
    late = True

    def apply(self, evening: ClubEvening) -> ClubEvening:
        return replace(evening, over=False)


#: All that is done to a tournament, by name.
TOURNAMENT_ACTS: dict[str, type[TournamentAct]] = {
    act.name: act
    for act in (
        *(AddEntry, WithdrawEntry, ReturnEntry, Substitute, SetPlan, DrawTurn, PublishTurn),
        *(WriteScores, Forfeit, Penalise, SetPrizes, CloseTournament, ReopenTournament),
    )
}
