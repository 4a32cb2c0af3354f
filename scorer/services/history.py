"""The history of a circle: its evenings, and any past deal by who played what in it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scorer.services.score_sheet import deal_text
from scorer.services.state import SessionTerms, session_terms
from scorer.storage import queries
from scorer.storage.queries import DealRow
from scorer.texts import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from scorer.storage.queries import DealKey, SessionRow, Sought, SoughtSession

PAGE = 20
#: So many deals are counted; beyond that there are "more".
COUNTED = 200
#: How many sessions are looked through at first, and how many times more each time after that.
FIRST_SESSIONS, MORE = 8, 5
#: A session of so many deals is looked through alone, from its end, and no further than needed.
LONG = 500


class Cursor(NamedTuple):
    """The last deal that was shown: older ones follow it."""

    session_id: UUID
    number: int


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A deal in a list, told in a line; the amount is that of the player who is asked for."""

    session: SessionTerms
    deal: DealRow
    text: Text
    amount: int | None


@dataclass(frozen=True, slots=True)
class FoundDeals:
    """A page of the deals that were found: how many there are, if that was counted to the end."""

    lines: tuple[FoundDeal, ...]
    older: Cursor | None
    count: int | None


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
        yield FoundDeal(session, deal, deal_text(session, deal), amount)


def evenings(circle_id: UUID, before: UUID | None = None) -> tuple[list[list[SessionRow]], bool]:
    """Give a page of the circle's evenings, newest first: the sessions of each, by their date.

    An evening is never torn apart, unless it alone is longer than a page. Say, too, whether there
    are older ones.
    """
    rows = queries.sessions(circle_id, limit=PAGE + 1, before=before)
    grouped: list[list[SessionRow]] = []
    for row in rows:
        if grouped and grouped[-1][0].started_at.date() == row.started_at.date():
            grouped[-1].append(row)
        else:
            grouped.append([row])
    if len(rows) <= PAGE:
        return grouped, False
    if len(grouped) == 1:
        return [grouped[0][:PAGE]], True
    return grouped[:-1], True
