"""The history of a circle: lists of its sessions, and the search of its deals."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, date, datetime, tzinfo
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import ScorerError
from scorer.evening.deal import Deal
from scorer.games import stored_game
from scorer.ledger import standings
from scorer.ledger.records import DealKey, DealSearch
from scorer.roles import Holder, Role
from scorer.rules.game import Game
from scorer.rules.seats import Seat, gathered, named
from scorer.services.circle.circles import opened_circles
from scorer.services.circle.players import marks_of
from scorer.services.session.sessions import next_session
from scorer.services.session.state import SessionState, listed_rules, load_states
from scorer.storage import queries
from scorer.storage.models import CardSession
from scorer.storage.queries.session import SessionRow
from scorer.storage.queries.tournament import TournamentName
from scorer.texts import Text

PAGE = 20
#: Maximum of years to go back to.
MOST_YEARS = 20
#: The past and open sessions that are shown; for each past one so many of the newest are read.
PAST, MOST_OPEN, NEWEST = 3, 6, 4
#: Deals are counted up to this number.
COUNTED = 200


class SideBalance(NamedTuple):
    """A side: the mark of its first seat, its names and its balance."""

    seat: Seat
    mark: int
    name: Text
    balance: int


class SessionSummary(NamedTuple):
    """A session in a list; partners are one side while their balances are equal.

    ``people`` are all who sat at the table, by seat. ``before`` are the sessions of the same
    evening before it, the first one first. A table of a ``tournament`` stands for that.
    """

    row: SessionRow
    game: Game[Any, Any]
    lowest_leads: bool
    counted: bool
    standings: list[SideBalance]
    people: list[str]
    before: tuple[CardSession, ...] = ()
    tournament: TournamentName | None = None

    @property
    def over(self) -> bool:
        return (self.tournament or self.row).ended_at is not None

    @property
    def first(self) -> SessionRow | CardSession:
        """The session that the evening began with."""
        return next(iter(self.before), self.row)

    @property
    def games(self) -> list[Text]:
        """The games of the evening in their order."""
        rows: list[SessionRow | CardSession] = [*self.before, self.row]
        names = [stored_game(row.game).name_in(row.rules) for row in rows]
        return [*{str(name): name for name in names}.values()]


class CircleSummary(NamedTuple):
    """A circle of this browser, by its phone there: the open sessions, and the last one."""

    phone: Holder
    open_sessions: list[SessionSummary]
    last: SessionSummary | None

    @property
    def may_write(self) -> bool:
        return self.phone.role.reaches(Role.SCOREKEEPER)


def known_circles(
    known: Mapping[UUID, UUID], used_at: datetime | None = None
) -> list[CircleSummary]:
    """List the circles of this browser by name, without those that it was removed from."""
    phones = opened_circles(known, used_at)
    open_ = queries.session.open_sessions([phone.circle_id for phone in phones])
    return [
        CircleSummary(
            phone=phone,
            open_sessions=_summaries([row for row in open_ if row.circle_id == phone.circle_id]),
            last=next(iter(_summaries(queries.session.sessions(phone.circle_id, limit=1))), None),
        )
        for phone in phones
    ]


def newest_session(
    known: Mapping[UUID, UUID], used_at: datetime | None = None
) -> tuple[Holder, UUID] | None:
    """Return the newest open session of all circles of a browser, with the phone in its circle."""
    phones = {phone.circle_id: phone for phone in opened_circles(known, used_at)}
    newest = next(iter(queries.session.open_sessions(list(phones))), None)
    return None if newest is None else (phones[newest.circle_id], newest.session_id)


def open_sessions(circle_id: UUID) -> list[SessionSummary]:
    return _summaries(queries.session.open_sessions([circle_id])[:MOST_OPEN])


def newest_open(circle_id: UUID) -> UUID | None:
    rows = queries.session.open_sessions([circle_id])
    return rows[0].session_id if rows else None


def past_sessions(circle_id: UUID) -> list[SessionSummary]:
    newest = queries.session.sessions(circle_id, limit=NEWEST * PAST, tables=False)
    return [evening for evening in _evenings(circle_id, newest) if evening.over][:PAST]


def _evenings(circle_id: UUID, rows: Sequence[SessionRow]) -> list[SessionSummary]:
    """Return the sessions of a list without those that were gone on from, each after those."""
    following = [next_session(row.session_id) for row in rows]
    gone_on = {row.went_on_from for row in queries.session.sessions_by_key(circle_id, following)}
    newest = [row for row in rows if row.session_id not in gone_on]
    earlier = queries.session.sessions_before(circle_id, [row.session_id for row in newest])
    by_key: dict[UUID | None, CardSession] = {row.session_id: row for row in earlier}
    tournaments = queries.tournament.tournaments_of(circle_id, [row.session_id for row in newest])

    def before(key: UUID | None) -> tuple[CardSession, ...]:
        rows = list[CardSession]()
        while row := by_key.get(key):
            rows.insert(0, row)
            key = row.went_on_from
        return tuple(rows)

    return [
        summary._replace(
            before=before(summary.row.went_on_from),
            tournament=tournaments.get(summary.row.session_id),
        )
        for summary in _summaries(newest)
    ]


def ended_sessions(
    circle_id: UUID, before: UUID | None = None
) -> tuple[list[SessionSummary], UUID | None]:
    """Return a page of the sessions that have ended, newest first, and the next page's cursor."""
    rows, more = session_rows(circle_id, before)
    ended = _summaries([row for row in rows if row.ended_at is not None])
    return ended, rows[-1].session_id if more else None


def _summaries(rows: Sequence[SessionRow]) -> list[SessionSummary]:
    """Return sessions of one circle as lists show them."""
    keys, out = [row.session_id for row in rows if stored_game(row.game).eliminates], {}
    if keys:
        with suppress(ScorerError):  # a damaged session must not break the list
            states = load_states(rows[0].circle_id, keys)
            out = {key: state.evening.behind for key, state in states.items()}
    return [_summary(row, out.get(row.session_id, {})) for row in rows]


def _summary(row: SessionRow, out: Mapping[Seat, int]) -> SessionSummary:
    game, names = stored_game(row.game), [standing.name for standing in row.standings]
    rules = listed_rules(game, row.rules)
    totals = {Seat(standing.seat): standing.balance for standing in row.standings}
    sides = {side[0]: side for side, _ in gathered(game.sides(tuple(totals), rules), totals)}
    lowest_leads = game.leads_lowest(rules)
    came = [(standing.joined, standing.place) for standing in row.standings]
    marks = dict(zip(totals, marks_of(came), strict=True))
    firsts = {seat: totals[seat] for seat in sides}
    ranked = standings(firsts, lowest_first=lowest_leads, out=out)
    return SessionSummary(
        row=row,
        game=game,
        lowest_leads=lowest_leads,
        counted=lowest_leads or not game.adds_up(rules),
        standings=[
            SideBalance(seat, marks[seat], named(sides[seat], names), balance)
            for _, seat, balance in ranked
        ],
        people=names,
    )


def games_played(circle_id: UUID) -> list[Game[Any, Any]]:
    """List the games that a circle has played and that are installed."""
    games = map(stored_game, queries.session.games_played(circle_id))
    return [game for game in games if not game.missing]


def session_rows(circle_id: UUID, before: UUID | None = None) -> tuple[list[SessionRow], bool]:
    """Return a page of the circle's sessions, newest first, and whether there are older ones."""
    rows = queries.session.sessions(circle_id, limit=PAGE + 1, before=before)
    return rows[:PAGE], len(rows) > PAGE


class PaidSeat(NamedTuple):
    """What a deal paid a seat, and what its role is called, if the game has roles."""

    mark: int
    name: str
    role_name: Text | None
    amount: int


class FoundDeal(NamedTuple):
    """A deal in a list, computed when it is shown; ``seat`` is that of the searched player."""

    session: SessionState
    deal: Deal
    seat: int | None

    @property
    def text(self) -> Text:
        return self.deal.entry.text

    @property
    def amount(self) -> int | None:
        return None if self.seat is None else self.deal.entry.paid.get(Seat(self.seat))

    @property
    def paid(self) -> list[PaidSeat]:
        """What it paid each seat, those with a role first."""
        session, deal, entry = self.session, self.deal, self.deal.entry
        roles = session.game.roles(entry.played) if entry.played is not None else {}
        names = session.game.role_names(entry.table.rules)
        marks = session.marks
        paid = [
            PaidSeat(marks[seat], session.names[seat], names.get(roles.get(Seat(seat), "")), amount)
            for seat, amount in deal.entry.paid.items()
        ]
        places = [*names.values(), None]
        return sorted(paid, key=lambda seat: places.index(seat.role_name))


@dataclass(frozen=True, slots=True)
class FoundDeals:
    """A page of the found deals, and the number of all, up to `COUNTED`."""

    lines: tuple[FoundDeal, ...]
    older: DealKey | None
    count: int | None

    @property
    def sessions(self) -> list[tuple[CardSession, list[FoundDeal]]]:
        return [
            (row, list(some)) for row, some in groupby(self.lines, lambda deal: deal.session.row)
        ]


def find_deals(circle_id: UUID, search: DealSearch, before: DealKey | None = None) -> FoundDeals:
    """Find deals of the circle, newest first; ``before`` is the last one of the page before."""
    keys = queries.deals.find_deals(circle_id, search, limit=PAGE + 1, before=before)
    shown, count = keys[:PAGE], len(keys)
    more = count > PAGE
    if more and before is None:
        count = queries.deals.count_deals(circle_id, search, limit=COUNTED + 1)
    sessions = load_states(circle_id, {key.session_id for key in shown})
    lines = []
    for key in shown:
        session = sessions[key.session_id]
        seat = next((row.seat for row in session.seats if row.player_id == search.player), None)
        lines.append(FoundDeal(session, session.evening.deal(key.number), seat))
    return FoundDeals(
        tuple(lines),
        shown[-1] if more else None,
        count if before is None and count <= COUNTED else None,
    )


def years(circle_id: UUID, *, zone: tzinfo = UTC) -> list[int]:
    """List the years from a circle's last session back to its first one, twenty at most."""
    found = queries.session.first_and_last_start(circle_id)
    if not found:
        return []
    oldest, newest = (moment.astimezone(zone).year for moment in found[0])
    return list(range(newest, max(oldest, newest - MOST_YEARS + 1) - 1, -1))


def evenings(
    circle_id: UUID,
    before: UUID | None = None,
    *,
    year: int | None = None,
    zone: tzinfo = UTC,
) -> tuple[list[list[SessionSummary]], bool]:
    """Return a page of the circle's evenings by day in a zone, newest first, or from a year back.

    A day is split over pages only if it alone is longer than a page. The second value says whether
    there are older ones.
    """
    until = datetime(year + 1, 1, 1, tzinfo=zone) if year and year < MAXYEAR else None
    rows = queries.session.sessions(
        circle_id, limit=PAGE + 1, before=before, until=until, tables=False
    )
    more = len(rows) > PAGE
    if more:
        last = _day(rows[-1], zone)
        rows = [row for row in rows if _day(row, zone) != last] or rows[:PAGE]
    listed = groupby(_evenings(circle_id, rows), lambda summary: _day(summary.row, zone))
    return [list(summaries) for _, summaries in listed], more


def _day(row: SessionRow, zone: tzinfo) -> date:
    return row.started_at.astimezone(zone).date()
