"""Stored tournaments as club evenings: made, read with what their tables came to, acted on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple, TypeVar
from uuid import UUID, uuid5

from scorer.errors import InvalidError, Problem, existing, refuse
from scorer.evening.deal import Timer
from scorer.evening.session_acts import End
from scorer.games import find_game
from scorer.rules.questions import write as written_rules
from scorer.rules.seats import Seat, all_seats, wrong_count
from scorer.services.base import journal
from scorer.services.base.caching import LRUCache
from scorer.services.base.clock import now
from scorer.services.base.journal import Author, Kind
from scorer.services.circle.circles import NAME, derived_secrets, digest
from scorer.services.circle.players import find_player
from scorer.services.session.sessions import NewSession, begin, check_session
from scorer.services.session.state import SessionState, load_states, lock_state, states_at
from scorer.services.session.writing import do_within
from scorer.services.tournament.slips import slip_seed
from scorer.storage import models, queries, transaction, write
from scorer.storage.queries.tournament import PublishedTable
from scorer.texts import say
from scorer.tournaments.acts import DrawTurn, TournamentAct, read_people
from scorer.tournaments.club import (
    ClubEntry,
    ClubEvening,
    ClubTable,
    ClubTurn,
    Penalty,
    PlayedTable,
    TableKey,
)
from scorer.tournaments.facts import SINGLE, PlanKind
from scorer.typed_text import one_line

Session = TypeVar("Session")

#: So many that have not ended are offered on the circle's page.
MOST_OPEN = 3
#: So many are kept in memory.
MOST_KNOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTournament:
    """A tournament before its first turn; the same ``key`` twice is one tournament.

    ``rules`` are a document, ``entries`` the names of each entry, ``people`` of them.
    """

    key: UUID
    name: str
    game: str
    rules: Any
    settings: Mapping[str, Any]
    people: int
    entries: Sequence[Sequence[str]]


class StoredTournament(NamedTuple):
    """A tournament as it is now: its row, what was written of it, and its published tables.

    ``states`` are the sessions of the tables.
    """

    row: models.TournamentRow
    evening: ClubEvening
    tables: Mapping[TableKey, PublishedTable]
    states: Mapping[TableKey, SessionState]

    @property
    def key(self) -> tuple[UUID, UUID]:
        return self.row.circle_id, self.row.tournament_id

    @property
    def timers(self) -> dict[TableKey, Timer]:
        """The timers of the tables that have one."""
        timers = {place: state.evening.timer for place, state in self.states.items()}
        return {place: timer for place, timer in timers.items() if timer}

    def session_at(self, turn: int, number: int) -> UUID:
        """Return the session that a table is."""
        return self.tables[turn, number].session_id


def tournaments(circle_id: UUID) -> list[models.TournamentRow]:
    """List the tournaments of a circle, newest first."""
    return queries.tournament.tournaments(circle_id)


def open_tournaments(circle_id: UUID) -> list[models.TournamentRow]:
    """List the newest tournaments that have not ended."""
    return queries.tournament.open_tournaments(circle_id, MOST_OPEN)


def load_tournament(circle_id: UUID, tournament_id: UUID) -> StoredTournament:
    """Return a tournament with its standings and its next turn; raise NotFoundError."""
    row = existing(queries.find(models.TournamentRow, circle_id, tournament_id))
    return _read(row)


#: After each deal every phone of the evening reads the same one: forty pairs take 11 ms each time.
#: Each is kept as it was at a version of its tournament, and at the marks of its tables.
_known: LRUCache[tuple[int, Mapping[TableKey, PublishedTable], ClubEvening]] = LRUCache(
    MOST_KNOWN, cost=lambda _: 1
)


def _read(row: models.TournamentRow) -> StoredTournament:
    key = row.circle_id, row.tournament_id
    tables = tables_of(row)
    sessions = states_at(row.circle_id, [table.mark for table in tables.values()])
    states = {
        place: sessions[table.session_id]
        for place, table in tables.items()
        if table.session_id in sessions
    }
    known = _known.look_up(key)
    if known is not None and known[:2] == (row.version, tables):
        return StoredTournament(row, known[2], tables, states)
    evening = club_evening(row, tables, states, _came_to)
    if tables:  # without their marks nothing tells of a new name
        _known.put(key, (row.version, tables, evening))
    return StoredTournament(row, evening, tables, states)


def tables_of(row: models.TournamentRow) -> dict[TableKey, PublishedTable]:
    """Read the tables of all published turns."""
    tables = queries.tournament.tables(row.circle_id, row.tournament_id)
    return {(table.turn, table.number): table for table in tables}


def club_evening(
    row: models.TournamentRow,
    tables: Mapping[TableKey, PublishedTable],
    sessions: Mapping[TableKey, Session],
    came_to: Callable[[Session, int], PlayedTable],
) -> ClubEvening:
    """Read a tournament, with what the session of each table came to for so many sides."""
    key = row.circle_id, row.tournament_id
    turns = tuple(_read_turn(turn, tables) for turn in queries.tournament.turns(*key))
    played = {
        (turn, number): came_to(session, len(turns[turn - 1].tables[number - 1].sides))
        for (turn, number), session in sessions.items()
    }
    entered = queries.tournament.entered_players(*key)
    entries = tuple(
        ClubEntry(number, tuple(player.name for player in players), first, withdrawn)
        for (number, first, withdrawn), players in groupby(
            entered, lambda player: (player.entry, player.first, player.withdrawn)
        )
    )
    return ClubEvening(
        name=row.name,
        game=row.game,
        rules=row.rules,
        settings=row.settings,
        people=row.people,
        seed=row.seed,
        entries=entries,
        turns=turns,
        over=row.ended_at is not None,
        prizes=tuple(row.prizes or ()),
        played=played,
    )


def _read_turn(row: models.TournamentTurn, tables: Mapping[TableKey, PublishedTable]) -> ClubTurn:
    drawn = []
    for number, sides in enumerate(row.seating["tables"], 1):
        written = tables.get((row.turn, number))
        scores = None if written is None or written.scores is None else tuple(written.scores)
        forfeit = written.forfeit if written else None
        drawn.append(ClubTable(tuple(tuple(side) for side in sides), scores, forfeit))
    return ClubTurn(
        tables=tuple(drawn),
        byes=tuple(row.seating["byes"]),
        drawn=row.drawn,
        published=row.published_at is not None,
        penalties={int(entry): Penalty(*lost) for entry, lost in row.penalties.items()},
    )


def _came_to(state: SessionState, sides: int) -> PlayedTable:
    """Return the balance of the first seat of each side; where the lowest leads, less is more."""
    totals, evening = state.evening.totals, state.evening
    sign, count = -1 if state.lowest_leads else 1, len(evening.began.order)
    over = evening.last_played is not None and (evening.over or evening.ended is not None)
    return PlayedTable(
        scores=tuple(sign * totals[Seat(side)] for side in range(sides)),
        over=over,
        people=tuple(evening.names[side:count:sides] for side in range(sides)),
        session=str(state.session_id),
    )


@transaction
def make_tournament(circle_id: UUID, new: NewTournament, *, by: Author = None) -> None:
    """Make a tournament with its entries; raise InvalidError with every problem."""
    if queries.find(models.TournamentRow, circle_id, new.key) is not None:
        return
    evening = check_new(new)
    row = models.TournamentRow(
        circle_id=circle_id,
        tournament_id=new.key,
        name=evening.name,
        game=evening.game,
        rules=evening.rules,
        settings=dict(evening.settings),
        people=evening.people,
        started_at=now(),
    )
    ids = [
        [find_player(circle_id, person, by) for person in entry.people] for entry in evening.entries
    ]
    entered = [[str(player_id) for player_id in players] for players in ids]
    write(row)
    journal.created(Kind.TOURNAMENT_MADE, row, by, entered=entered)
    for entry, players in zip(evening.entries, ids, strict=True):
        write(*_entry_rows(row, entry, players))


def check_new(new: NewTournament) -> ClubEvening:
    """Return a tournament before its first turn; raise InvalidError with every problem."""
    name = one_line(new.name)
    problems = NAME.problems(name, "name")
    game = find_game(new.game)
    rules, faults = game.rules_from(new.rules)
    problems += faults
    evening = ClubEvening(
        name=name,
        game=game.slug,
        rules=written_rules(rules),
        settings=new.settings,
        people=new.people,
    )
    for names in new.entries:
        try:
            people = read_people(evening, names)
        except InvalidError as error:
            problems += error.problems
        else:
            entry = ClubEntry(len(evening.entries) + 1, people)
            evening = replace(evening, entries=(*evening.entries, entry))
    if not problems:
        problems += evening.problems or _table_problems(evening)
    refuse(problems)
    return evening


def _table_problems(evening: ClubEvening) -> list[Problem]:
    """Find whether the rules are for as many, and for the same sides, as the plan seats."""
    game = find_game(evening.game)
    rules, _ = game.rules_from(evening.rules)
    single, count = evening.kind == PlanKind.TABLES, _table_size(evening)
    if evening.kind in SINGLE and evening.people != 1:
        message = say("By this plan everybody plays alone.")
        return [Problem("people-count", "people", message)]
    if wrong := wrong_count(count, game.seating(rules).for_session, "rules"):
        return [wrong]
    if len(game.sides(all_seats(count), rules)) != (count if single else 2):
        message = say("By these rules two sides don’t play against each other.")
        if single:
            message = say("By these rules not everybody plays alone.")
        return [Problem("wrong-sides", "rules", message)]
    return []


def _table_size(evening: ClubEvening) -> int:
    """Return how many people sit at a table by the plan."""
    match evening.kind:
        case PlanKind.TABLES:
            size: int = evening.settings["plan"].get("size", 5)
            return size
        case PlanKind.INDIVIDUAL:
            return 4
        case _:
            return 2 * evening.people


def _entry_rows(
    row: models.TournamentRow, entry: ClubEntry, players: Sequence[UUID]
) -> list[models.TournamentEntry | models.TournamentPlayer]:
    key: dict[str, Any] = {
        "circle_id": row.circle_id,
        "tournament_id": row.tournament_id,
        "entry": entry.number,
    }
    people = [
        models.TournamentPlayer(**key, place=place, player_id=player_id)
        for place, player_id in enumerate(players)
    ]
    return [models.TournamentEntry(**key, first=entry.first, withdrawn=entry.withdrawn), *people]


@transaction
def direct(circle_id: UUID, tournament_id: UUID, act: TournamentAct, *, by: Author = None) -> None:
    """Do something to a tournament; raise as the act does."""
    circle = queries.circle.circle_for_update(circle_id)
    row = existing(queries.tournament.tournament_for_update(circle_id, tournament_id))
    if isinstance(act, DrawTurn):
        act = replace(act, log=existing(circle).chain)
    before = _read(row)
    after = act.do(before.evening)
    if after is before.evening:
        return
    if after.settings != before.evening.settings:
        refuse(_table_problems(after))
    row.version += 1
    _TournamentWriter(before, Kind(act.noted), by).save(after)


class _TournamentWriter:
    """Writes how an evening differs from its rows, each difference with its entry."""

    def __init__(self, before: StoredTournament, kind: Kind, by: Author) -> None:
        self.row, self.before, self.kind, self.by = before.row, before, kind, by
        circle_id, tournament_id = before.key
        self.key: dict[str, Any] = {"circle_id": circle_id, "tournament_id": tournament_id}

    def save(self, after: ClubEvening) -> None:
        """Write what has changed."""
        before = self.before.evening
        columns: dict[str, Any] = {"seed": after.seed, "settings": dict(after.settings)}
        if after.over != before.over:
            columns["ended_at"] = now() if after.over else None
        prizes = [*after.prizes] or None
        journal.change(self.kind, self.row, self.by, prizes=prizes, **columns)
        self._save_entries(before, after)
        self._save_turns(before, after)
        if after.over and not before.over:
            self._end_sessions()

    def _save_entries(self, before: ClubEvening, after: ClubEvening) -> None:
        rows = {row.entry: row for row in queries.tournament.entries(*self.before.key)}
        for entry in after.entries:
            row, old = rows.pop(entry.number, None), before.by_id.get(entry.id)
            if row is None or old is None:
                self._enter(entry)
            elif entry != old:
                withdrawn = entry.withdrawn
                journal.change(self.kind, row, self.by, first=entry.first, withdrawn=withdrawn)
                if entry.people != old.people:
                    self._seat_others(entry)
        for row in rows.values():
            for player in queries.tournament.partners(*self.before.key, row.entry):
                journal.remove(self.kind, player, self.by)
            journal.remove(self.kind, row, self.by)
            queries.drop(models.TournamentEntry, *self.before.key, row.entry)

    def _enter(self, entry: ClubEntry) -> None:
        ids = [find_player(self.row.circle_id, person, self.by) for person in entry.people]
        rows = _entry_rows(self.row, entry, ids)
        players = [str(player_id) for player_id in ids]
        journal.created(self.kind, rows[0], self.by, players=players)
        write(*rows)

    def _seat_others(self, entry: ClubEntry) -> None:
        players = queries.tournament.partners(*self.before.key, entry.number)
        for player, person in zip(players, entry.people, strict=True):
            player_id = find_player(self.row.circle_id, person, self.by)
            journal.change(self.kind, player, self.by, player_id=player_id)

    def _save_turns(self, before: ClubEvening, after: ClubEvening) -> None:
        rows = {row.turn: row for row in queries.tournament.turns(*self.before.key)}
        for number, turn in enumerate(after.turns, 1):
            row = rows.pop(number, None)
            if row is None:
                new = models.TournamentTurn(**self.key, turn=number, **_turn_columns(turn))
                journal.create(self.kind, new, self.by)
            elif turn != (old := before.turns[number - 1]):
                self._change_turn(row, number, old, turn)
        for row in rows.values():
            journal.remove(Kind.TURN_UNDRAWN, row, self.by)
            queries.drop(models.TournamentTurn, *self.before.key, row.turn)

    def _change_turn(
        self, row: models.TournamentTurn, number: int, old: ClubTurn, turn: ClubTurn
    ) -> None:
        columns = _turn_columns(turn)
        if turn.published and not old.published:
            self._end_sessions()
            self._note_next_turn(number)
            tables = self._begin_tables(number, turn)
            columns["published_at"] = now()
            slips = [_slip(table) for table in tables]
            beside = {
                "tables": [str(table.session_id) for table in tables],
                "slips": [secret.secret_hash for secret in slips],
            }
            journal.change(self.kind, row, self.by, beside, **columns)
            write(*tables, *slips)
            return
        journal.change(self.kind, row, self.by, **columns)
        pairs = zip(old.tables, turn.tables, strict=False)
        for place, (table_before, table) in enumerate(pairs, 1):
            if table != table_before and (number, place) in self.before.tables:
                row_key = (*self.before.key, number, place)
                written = existing(queries.find(models.TournamentTable, *row_key))
                scores = None if table.scores is None else [*table.scores]
                journal.change(self.kind, written, self.by, scores=scores, forfeit=table.forfeit)

    def _begin_tables(self, number: int, turn: ClubTurn) -> list[models.TournamentTable]:
        """Begin the sessions of a turn, each of which has the same key if it is begun again."""
        evening, tables = self.before.evening, []
        for place, table in enumerate(turn.tables, 1):
            new = NewSession(
                key=uuid5(self.row.tournament_id, f"{number}/{place}/{turn.drawn}"),
                game=evening.game,
                rules=evening.rules,
                players=tuple(evening.seats_at(table.sides)),
                first_dealer=Seat(0),
                title=f"{evening.name} · {number}/{place}",
                circle_id=self.row.circle_id,
            )
            session = begin(check_session(new, counted=True), self.by)
            columns = {**self.key, "turn": number, "number": place}
            tables.append(models.TournamentTable(**columns, session_id=session.session_id))
        return tables

    def _note_next_turn(self, number: int) -> None:
        """Let the pages of the turn before say where each player goes next."""
        tables = self.before.tables.items()
        over = [table.session_id for (turn, _), table in tables if turn == number - 1]
        queries.tournament.note_next_turn(self.row.circle_id, over)

    def _end_sessions(self) -> None:
        """End the sessions of turns that are over; those that have ended are not locked."""
        tables = self.before.tables.values()
        states = load_states(self.row.circle_id, [table.session_id for table in tables])
        for session_id in [key for key, state in states.items() if not state.evening.over]:
            with lock_state(self.row.circle_id, session_id) as state:
                if not state.evening.over:
                    do_within(state, End(), self.by)


def _slip(table: models.TournamentTable) -> models.LinkSecret:
    """Return the secret of the slip of a table, stored only as a hash."""
    return models.LinkSecret(
        secret_hash=digest(derived_secrets(slip_seed(table.session_id))[0]),
        circle_id=table.circle_id,
        link_id=table.session_id,
    )


def _turn_columns(turn: ClubTurn) -> dict[str, Any]:
    tables = [[[*side] for side in table.sides] for table in turn.tables]
    return {
        "drawn": turn.drawn,
        "seating": {"tables": tables, "byes": [*turn.byes]},
        "penalties": {str(entry): [*lost] for entry, lost in turn.penalties.items()},
    }
