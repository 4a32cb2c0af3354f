"""The history of a circle: its sessions in lists, and any past deal by who played what in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from scorer.games import find_game
from scorer.ledger import standings
from scorer.rules.game import Level
from scorer.rules.seats import Seat
from scorer.rules.sides import gathered, named
from scorer.services.circles import opened_circles
from scorer.services.roles import Role
from scorer.services.score_sheet import deal_text
from scorer.services.state import SessionTerms, listed_rules, marks_of, session_terms
from scorer.storage import queries
from scorer.storage.queries import DealRow, SessionRow, Sought
from scorer.texts import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from scorer.storage.models import CardSession
    from scorer.storage.queries import DealKey, SoughtSession

#: The pages ask with the one, the API is told the other.
__all__ = ["SessionRow", "Sought"]

PAGE = 20
#: So many past and open sessions are shown; for each past one so many of the newest are looked at.
PAST, MOST_OPEN, NEWEST = 3, 6, 4
#: So many deals are counted; beyond that there are "more".
COUNTED = 200
#: How many sessions are looked through at first, and how many times more each time after that.
FIRST_SESSIONS, MORE = 8, 5
#: A session of so many deals is looked through alone, from its end, and no further than needed.
LONG = 500


@dataclass(frozen=True, slots=True)
class SideBalance:
    """A side by the mark of its first seat and its names, and its balance."""

    mark: int
    name: Text
    balance: int


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a list, as it stands; partners are one as long as they are level.

    ``deals`` are those that were played, ``people`` all who sat at the table, by seat.
    """

    session_id: UUID
    title: str
    game_name: Text
    lowest_leads: bool
    started_at: datetime
    ended_at: datetime | None
    deals: int
    standings: list[SideBalance]
    people: list[str]


@dataclass(frozen=True, slots=True)
class CircleSummary:
    """A circle that a browser belongs to: who plays, what is open and what was played last."""

    circle_id: UUID
    name: str
    players: list[str]
    open_sessions: list[SessionSummary]
    last: SessionSummary | None
    may_write: bool
    zone: str


def known_circles(
    known: Mapping[UUID, UUID], used_at: datetime | None = None
) -> list[CircleSummary]:
    """List, by name, the circles whose phone this browser says it is and still is."""
    opened = opened_circles(known, used_at)
    open_ = queries.open_sessions([circle.circle_id for circle in opened])
    return [
        CircleSummary(
            circle_id=circle.circle_id,
            name=circle.circle,
            players=[
                one.name for one in queries.players(circle.circle_id) if one.retired_at is None
            ],
            open_sessions=[_summary(row) for row in open_ if row.circle_id == circle.circle_id],
            last=next(map(_summary, queries.sessions(circle.circle_id, limit=1)), None),
            may_write=circle.role.reaches(Role.SCOREKEEPER),
            zone=circle.zone,
        )
        for circle in opened
    ]


class Tonight(NamedTuple):
    """The session that is open, and whether the phone may write in it."""

    circle_id: UUID
    session_id: UUID
    may_write: bool


def tonight(known: Mapping[UUID, UUID], used_at: datetime | None = None) -> Tonight | None:
    """Return the session that is open and began last, of all circles of a browser."""
    opened = {one.circle_id: one for one in opened_circles(known, used_at)}
    found = queries.open_sessions(list(opened))
    if not found:
        return None
    newest = max(found, key=lambda row: row.started_at)
    may_write = opened[newest.circle_id].role.reaches(Role.SCOREKEEPER)
    return Tonight(newest.circle_id, newest.session_id, may_write)


def open_sessions(circle_id: UUID) -> list[SessionSummary]:
    """List some sessions of a circle that are still open."""
    return [_summary(row) for row in queries.open_sessions([circle_id])[:MOST_OPEN]]


def newest_open(circle_id: UUID) -> UUID | None:
    """Return the session of a circle that is open and began last, if there is one."""
    found = queries.open_sessions([circle_id])
    return found[0].session_id if found else None


def past_sessions(circle_id: UUID) -> list[SessionSummary]:
    """List the sessions of a circle that ended last."""
    newest = queries.sessions(circle_id, limit=NEWEST * PAST)
    ended = [row for row in newest if row.ended_at is not None]
    return [_summary(row) for row in ended[:PAST]]


def ended_sessions(
    circle_id: UUID, before: UUID | None = None
) -> tuple[list[SessionSummary], UUID | None]:
    """Give a page of the sessions that have ended, newest first, and after which one it goes on."""
    rows, more = session_page(circle_id, before)
    ended = [_summary(row) for row in rows if row.ended_at is not None]
    return ended, rows[-1].session_id if more else None


def _summary(row: SessionRow) -> SessionSummary:
    game, names = find_game(row.game), [one.name for one in row.standings]
    rules = listed_rules(row.game, row.rules)
    totals = {Seat(one.seat): one.balance for one in row.standings}
    sides = {side[0]: side for side, _ in gathered(game.sides(tuple(totals), rules), totals)}
    lowest_leads = game.leads_lowest(rules)
    marks = dict(
        zip(totals, marks_of([(one.joined, one.place) for one in row.standings]), strict=True)
    )
    ranked = standings({seat: totals[seat] for seat in sides}, lowest_first=lowest_leads)
    return SessionSummary(
        session_id=row.session_id,
        title=row.title,
        game_name=game.name,
        lowest_leads=lowest_leads,
        started_at=row.started_at,
        ended_at=row.ended_at,
        deals=row.played,
        standings=[
            SideBalance(marks[seat], named(sides[seat], names), balance)
            for _, seat, balance in ranked
        ],
        people=[one.name for one in sorted(row.standings, key=lambda one: one.seat)],
    )


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to look for in a circle: its players, its games, and what is bid in them."""

    players: Mapping[UUID, str]
    games: Mapping[str, Text]
    levels: Mapping[str, Level]


def choices(circle_id: UUID) -> Choices:
    """Say what there is to look for in a circle."""
    games = [find_game(slug) for slug in queries.games_played(circle_id)]
    return Choices(
        players={player.player_id: player.name for player in queries.players(circle_id)},
        games={game.slug: game.name for game in games},
        levels={level.code: level for game in games for level in game.levels},
    )


def session_page(circle_id: UUID, before: UUID | None = None) -> tuple[list[SessionRow], bool]:
    """Give a page of the circle's sessions, newest first, and whether there are older ones."""
    rows = queries.sessions(circle_id, limit=PAGE + 1, before=before)
    return rows[:PAGE], len(rows) > PAGE


class Cursor(NamedTuple):
    """The last deal that was shown: older ones follow it."""

    session_id: UUID
    number: int


class PaidSeat(NamedTuple):
    """What a deal paid somebody, and the part that he or she had in it, if there are parts."""

    mark: int
    name: str
    part: Text | None
    amount: int


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A deal in a list, told in a line; the amount is that of the player who is asked for.

    ``paid`` begins with those who had a part.
    """

    session: SessionTerms
    deal: DealRow
    text: Text
    amount: int | None
    paid: tuple[PaidSeat, ...]


@dataclass(frozen=True, slots=True)
class FoundDeals:
    """A page of the deals that were found: how many there are, if that was counted to the end."""

    lines: tuple[FoundDeal, ...]
    older: Cursor | None
    count: int | None

    @property
    def sessions(self) -> list[tuple[CardSession, list[FoundDeal]]]:
        """The deals by session, as far as they follow each other in one."""
        return [(row, list(some)) for row, some in groupby(self.lines, lambda one: one.session.row)]


def find_deals(circle_id: UUID, sought: Sought, before: Cursor | None = None) -> FoundDeals:
    """Find deals of the circle, the newest first; ``before`` asks for those older than one."""
    most = PAGE if before else COUNTED
    keys = list(islice(_keys(circle_id, sought, before), most + 1))
    shown = keys[:PAGE]
    more = len(keys) > PAGE
    return FoundDeals(
        tuple(_lines(circle_id, sought, shown)),
        Cursor(shown[-1].session_id, shown[-1].number) if more else None,
        len(keys) if before is None and len(keys) <= COUNTED else None,
    )


def _keys(circle_id: UUID, sought: Sought, before: Cursor | None) -> Iterator[DealKey]:
    """Find the keys of the deals, a few sessions at a time, so that a page needs few of them."""
    last, limit = None, FIRST_SESSIONS
    if before is not None:
        yield from _rest(circle_id, sought, before)
        last = before.session_id
    while sessions := _sessions(circle_id, sought, last, limit):
        yield from _keys_of(circle_id, sought, sessions)
        last, limit = sessions[-1].session_id, limit * MORE


def _rest(circle_id: UUID, sought: Sought, before: Cursor) -> list[DealKey]:
    """Find the deals of a session that are older than one of them."""
    first = queries.sought_sessions(circle_id, sought, limit=1, start=before.session_id)
    if [one.session_id for one in first] != [before.session_id]:
        return []
    alone = [before.session_id]
    return queries.sought_deals(circle_id, sought, alone, below=before.number, limit=COUNTED + 1)


def _sessions(
    circle_id: UUID, sought: Sought, last: UUID | None, limit: int
) -> list[SoughtSession]:
    """List the next sessions after the last one."""
    found = queries.sought_sessions(circle_id, sought, limit=limit + 1, start=last)
    return [one for one in found if one.session_id != last][:limit]


def _keys_of(
    circle_id: UUID, sought: Sought, sessions: Sequence[SoughtSession]
) -> Iterator[DealKey]:
    """Give the keys of the deals of some sessions, in the order of the sessions."""
    short = [one.session_id for one in sessions if one.deals <= LONG]
    keys: dict[UUID, list[DealKey]] = {}
    for key in queries.sought_deals(circle_id, sought, short) if short else ():
        keys.setdefault(key.session_id, []).append(key)
    for session in sessions:
        if session.deals > LONG:
            alone = [session.session_id]
            yield from queries.sought_deals(circle_id, sought, alone, limit=COUNTED + 1)
        yield from keys.get(session.session_id, ())


def _lines(circle_id: UUID, sought: Sought, keys: Sequence[DealKey]) -> Iterator[FoundDeal]:
    deals = queries.deals_by_key(circle_id, [key.deal_id for key in keys])
    sessions = session_terms(circle_id, {key.session_id for key in keys})
    for key in keys:
        deal, session = deals[key.deal_id], sessions[key.session_id]
        seats = [seat.seat for seat in session.seats if seat.player_id == sought.player]
        amount = deal.payouts.get(seats[0]) if seats else None
        yield FoundDeal(session, deal, deal_text(session, deal), amount, _paid(session, deal))


def _paid(session: SessionTerms, deal: DealRow) -> tuple[PaidSeat, ...]:
    sheet = session.sheet_of(deal)
    roles = session.game.roles(sheet) if sheet is not None else {}
    parts = session.game.parts(session.terms(deal.number, deal.serial).rules)
    marks = session.marks
    paid = [
        PaidSeat(marks[seat], session.names[seat], parts.get(roles.get(Seat(seat), "")), amount)
        for seat, amount in deal.payouts.items()
    ]
    places = [*parts.values(), None]
    return tuple(sorted(paid, key=lambda one: places.index(one.part)))


def evenings(
    circle_id: UUID, before: UUID | None = None, *, zone: tzinfo = UTC
) -> tuple[list[list[SessionSummary]], bool]:
    """Give a page of the circle's evenings, newest first: the sessions of each day in a zone.

    An evening is split over pages only if it alone is longer than a page. The second value tells
    whether there are older ones.
    """
    rows = queries.sessions(circle_id, limit=PAGE + 1, before=before)
    grouped: list[list[SessionSummary]] = []
    for row in map(_summary, rows):
        day = row.started_at.astimezone(zone).date()
        if grouped and grouped[-1][0].started_at.astimezone(zone).date() == day:
            grouped[-1].append(row)
        else:
            grouped.append([row])
    if len(rows) <= PAGE:
        return grouped, False
    if len(grouped) == 1:
        return [grouped[0][:PAGE]], True
    return grouped[:-1], True
