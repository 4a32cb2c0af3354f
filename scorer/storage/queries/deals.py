"""Queries of deals: their versions, reviews and payouts, and the search of the history."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    String,
    and_,
    bindparam,
    cast,
    func,
    or_,
    select,
    tuple_,
)
from sqlalchemy.orm import aliased

from scorer.ledger.records import CALLING, DealResult
from scorer.rules.game import Outcome
from scorer.storage.database import db
from scorer.storage.models import (
    HIGHEST_SEAT,
    CardSession,
    Deal,
    DealVersion,
    JournalEntry,
    Payout,
    Phone,
    Review,
    Seat,
)
from scorer.storage.queries.base import (
    BEFORE,
    CIRCLE,
    DEAL,
    DEALS,
    LIMIT,
    NO_END,
    NUMBER,
    NUMBERS,
    SESSION,
    SESSIONS,
    UNTIL,
    columns,
    rows,
    same,
    with_phone,
)
from scorer.storage.queries.circle import seated


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal as it stands: its line on the sheet and what its current version says.

    `payouts` is what the sheet pays, also for a voided deal, which counts for nothing.
    `recorded_by` wrote it down first; `written_by` wrote the version that stands, on `phone`.
    """

    deal_id: UUID
    session_id: UUID
    number: int
    outcome: str
    dealer: int
    sits_out: tuple[int, ...]
    stored: dict[str, Any] | None
    payouts: dict[int, int]
    voided: bool
    amended: bool
    disputed: bool
    version: int
    serial: int
    recorded_at: datetime
    recorded_by: str | None
    written_at: datetime
    written_by: str | None
    phone: str | None
    phone_id: UUID | None
    made: bool | None


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of a deal, and the serial of the change of rules or seats that had it written."""

    number: int
    version: int
    serial: int
    act: str
    outcome: str
    dealer: int
    sits_out: tuple[int, ...]
    stored: dict[str, Any] | None
    voided: bool
    payouts: dict[int, int]
    written_by: str | None
    phone: str | None
    reason: str | None
    change: int | None
    at: datetime


_Current = aliased(DealVersion, name="current")
_First = aliased(DealVersion, name="first")

_IN_SESSION = (Deal.circle_id == CIRCLE, Deal.session_id == SESSION)
_STANDS = Deal.voided.is_(False)
_PLAYED = (*_IN_SESSION, _STANDS, Deal.outcome == Outcome.PLAYED.value)
_CURRENT = same(_Current, Deal, "deal_id", "version")
# Looked up for the rows of an answer only, whatever the planner knows of the tables.
_RECORDED_BY = (
    select(_First.written_by)
    .where(_First.circle_id == Deal.circle_id, _First.deal_id == Deal.deal_id, _First.version == 1)
    .scalar_subquery()
)
_DEALS = (
    select(
        *columns(
            DealRow,
            Deal,
            sits_out=_Current.sits_out,
            stored=_Current.stored,
            payouts=_Current.payouts,
            serial=_Current.serial,
            recorded_by=_RECORDED_BY,
            written_at=_Current.at,
            written_by=_Current.written_by,
            phone=Phone.name,
            phone_id=_Current.phone_id,
        )
    )
    .join(_Current, _CURRENT)
    .outerjoin(Phone, same(Phone, _Current, "phone_id"))
)

_DEAL = _DEALS.where(*_IN_SESSION, Deal.number == NUMBER)


def deal(circle_id: UUID, session_id: UUID, number: int) -> DealRow | None:
    deals = _rows(_DEAL, circle_id=circle_id, session_id=session_id, number=number)
    return next(iter(deals), None)


_DEAL_BY_KEY = _DEALS.where(Deal.circle_id == CIRCLE, Deal.deal_id == DEAL)


def deal_by_key(circle_id: UUID, deal_id: UUID) -> DealRow | None:
    """Find one deal of the circle, of whatever session, by the key that the phone made for it."""
    return next(iter(_rows(_DEAL_BY_KEY, circle_id=circle_id, deal_id=deal_id)), None)


_DEALS_BY_KEY = _DEALS.where(Deal.circle_id == CIRCLE, Deal.deal_id.in_(DEALS))


def deals_by_key(circle_id: UUID, deal_ids: Collection[UUID]) -> dict[UUID, DealRow]:
    """Find several deals of the circle as they stand, each by its own key."""
    deals = _rows(_DEALS_BY_KEY, circle_id=circle_id, deal_ids=list(deal_ids))
    return {deal.deal_id: deal for deal in deals}


_DEALS_BY_NUMBER = _DEALS.where(*_IN_SESSION, Deal.number.in_(NUMBERS))


def deals_by_number(circle_id: UUID, session_id: UUID, numbers: Collection[int]) -> list[DealRow]:
    parameters = {"circle_id": circle_id, "session_id": session_id, "numbers": list(numbers)}
    return _rows(_DEALS_BY_NUMBER, **parameters)


_DEAL_TO_CHANGE = select(Deal).where(*_IN_SESSION, Deal.number == NUMBER)


def deal_to_change(circle_id: UUID, session_id: UUID, number: int) -> Deal | None:
    """Find one deal by its number, to be changed; the session's row is locked first."""
    parameters = {"circle_id": circle_id, "session_id": session_id, "number": number}
    return db.session.scalar(_DEAL_TO_CHANGE, parameters)


_NEWEST = _DEALS.where(*_IN_SESSION, Deal.number < BEFORE).order_by(Deal.number.desc()).limit(LIMIT)


def newest_deals(
    circle_id: UUID, session_id: UUID, *, limit: int, before: int | None = None
) -> list[DealRow]:
    """List a page of the sheet, newest first, of the deals numbered below `before`."""
    below = NO_END if before is None else before
    return _rows(_NEWEST, circle_id=circle_id, session_id=session_id, limit=limit, before=below)


_ALL = _DEALS.where(*_IN_SESSION).order_by(Deal.number)


def all_deals(circle_id: UUID, session_id: UUID) -> list[DealRow]:
    """List every deal of a session in order, the voided ones too."""
    return _rows(_ALL, circle_id=circle_id, session_id=session_id)


_VERSIONS = (
    select(*columns(VersionRow, DealVersion, number=Deal.number, phone=Phone.name))
    .join(Deal, same(Deal, DealVersion, "deal_id"))
    .outerjoin(Phone, same(Phone, DealVersion, "phone_id"))
    .where(DealVersion.circle_id == CIRCLE, DealVersion.deal_id == DEAL)
    .order_by(DealVersion.version)
)


def deal_versions(circle_id: UUID, deal_id: UUID) -> list[VersionRow]:
    versions = []
    for row in rows(_VERSIONS, circle_id=circle_id, deal_id=deal_id):
        number, version, serial, act, outcome, dealer, seats, stored, voided, payouts, *rest = row
        sits_out, paid = tuple(seats), _by_seat(payouts)
        versions.append(
            VersionRow(
                number, version, serial, act, outcome, dealer, sits_out, stored, voided, paid, *rest
            )
        )
    return versions


_COUNT = select(func.count()).select_from(Deal)
_PLAYED_COUNT = _COUNT.where(*_PLAYED, Deal.number <= UNTIL)


def played_count(circle_id: UUID, session_id: UUID, *, until: int = NO_END) -> int:
    """Count the deals of a session, up to deal `until` or all, that were played and stand."""
    result = rows(_PLAYED_COUNT, circle_id=circle_id, session_id=session_id, until=until)
    return result.scalar_one()


_SHEET_COUNTS = select(
    _COUNT.where(*_PLAYED).scalar_subquery().label("played"),
    _COUNT.where(*_IN_SESSION, Deal.disputed.is_(True)).scalar_subquery().label("disputed"),
)


def sheet_counts(circle_id: UUID, session_id: UUID) -> Counter[str]:
    """Count the deals of a session that were ``played`` and stand, and those ``disputed``."""
    result = rows(_SHEET_COUNTS, circle_id=circle_id, session_id=session_id)
    return +Counter(result.mappings().one())


_OUTCOMES = select(Deal.number, Deal.outcome).where(*_IN_SESSION, _STANDS).order_by(Deal.number)


def standing_outcomes(circle_id: UUID, session_id: UUID) -> list[tuple[int, str]]:
    """List the number and the outcome of every deal that stands, in order."""
    return list(rows(_OUTCOMES, circle_id=circle_id, session_id=session_id).tuples())


_LAST_PLAYED = select(func.coalesce(func.max(Deal.number), 0)).where(*_PLAYED).scalar_subquery()
_SINCE_LAST_PLAYED = (
    select(Deal.number, Deal.outcome, Deal.dealer, _Current.stored)
    .join(_Current, _CURRENT)
    .where(*_IN_SESSION, _STANDS, Deal.number >= _LAST_PLAYED)
    .order_by(Deal.number)
)


def deals_since_last_played(
    circle_id: UUID, session_id: UUID
) -> list[tuple[int, str, int, dict[str, Any] | None]]:
    """List number, outcome, dealer and sheet of the deals that stand, from the last played on.

    They say who deals next and which multiplier is carried over. Before the first played deal
    they are all that stand.
    """
    result = rows(_SINCE_LAST_PLAYED, circle_id=circle_id, session_id=session_id)
    return list(result.tuples())


_SAT_OUT = (
    select(Deal.number, _Current.serial, Deal.dealer, _Current.sits_out)
    .join(_Current, _CURRENT)
    .where(*_PLAYED)
    .order_by(Deal.number)
)


def sat_out(circle_id: UUID, session_id: UUID) -> list[tuple[int, int, int, list[int]]]:
    """List number, serial and dealer of each deal that counts, and who sat it out, in order."""
    result = rows(_SAT_OUT, circle_id=circle_id, session_id=session_id)
    return list(result.tuples())


def _rows(statement: Select[Any], **parameters: object) -> list[DealRow]:
    return [
        DealRow(
            key, session, number, outcome, dealer, tuple(sits_out), stored, _by_seat(payouts), *rest
        )
        for key, session, number, outcome, dealer, sits_out, stored, payouts, *rest in rows(
            statement, **parameters
        )
    ]


def _by_seat(payouts: dict[str, int]) -> dict[int, int]:
    return {int(seat): amount for seat, amount in payouts.items()}


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What somebody said of a version of a deal, when, why and on which phone."""

    kind: str
    version: int
    phone_id: UUID | None
    phone: str | None
    written_by: str | None
    reason: str | None
    at: datetime
    proposal: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """The newest dispute of a deal that is disputed."""

    number: int
    written_by: str | None
    phone: str | None
    reason: str | None
    proposal: dict[str, Any] | None


_OF_DEAL = same(Deal, Review, "deal_id")
_REVIEWS = (
    with_phone(ReviewRow, Review)
    .where(Review.circle_id == CIRCLE, Review.deal_id == DEAL)
    .order_by(Review.review)
)


def reviews(circle_id: UUID, deal_id: UUID) -> list[ReviewRow]:
    """List what was said of a deal, oldest first."""
    result = rows(_REVIEWS, circle_id=circle_id, deal_id=deal_id)
    return [ReviewRow(*row) for row in result]


_SAID_OF = select(Review.deal_id, Review.version, Review.kind).where(
    Review.circle_id == CIRCLE, Review.deal_id.in_(DEALS)
)


def said_of(circle_id: UUID, deal_ids: Collection[UUID]) -> list[tuple[UUID, int, str]]:
    """List deal, version and kind of the reviews of these deals, in no order."""
    result = rows(_SAID_OF, circle_id=circle_id, deal_ids=list(deal_ids))
    return list(result.tuples())


_NEWEST_NUMBER = select(func.max(Deal.number)).where(*_IN_SESSION).scalar_subquery()
_LAST_RECORDED = (
    select(DealVersion.serial)
    .join(Deal, same(Deal, DealVersion, "deal_id"))
    .where(*_IN_SESSION, Deal.number == _NEWEST_NUMBER, DealVersion.version == 1)
)


def last_recorded(circle_id: UUID, session_id: UUID) -> int:
    """Return the serial in the session's chain of its newest recorded deal, 0 for none."""
    result = rows(_LAST_RECORDED, circle_id=circle_id, session_id=session_id)
    return result.scalar_one_or_none() or 0


_LATEST = (
    select(func.max(Review.review))
    .where(_OF_DEAL, Review.kind == "dispute")
    .correlate(Deal)
    .scalar_subquery()
)
_DISPUTES = (
    select(Deal.number, Review.written_by, Phone.name, Review.reason, Review.proposal)
    .join(Review, and_(_OF_DEAL, Review.review == _LATEST))
    .outerjoin(Phone, same(Phone, Review, "phone_id"))
    .where(*_IN_SESSION, Deal.disputed.is_(True))
    .order_by(Deal.number)
)


def disputes(circle_id: UUID, session_id: UUID) -> list[DisputeRow]:
    result = rows(_DISPUTES, circle_id=circle_id, session_id=session_id)
    return [DisputeRow(*row) for row in result]


class SessionVersion(NamedTuple):
    """A session and the head of its hash chain: the same head means the same payouts."""

    session_id: UUID
    game: str
    started_at: datetime
    chain: str
    title: str


_IN_ORDER = (CardSession.started_at, CardSession.session_id)
_CHAINS = select(CardSession.chain).where(CardSession.circle_id == CIRCLE).order_by(*_IN_ORDER)


def session_chains(circle_id: UUID) -> list[str]:
    """List the heads of the hash chains of all sessions, oldest session first."""
    return list(rows(_CHAINS, circle_id=circle_id).scalars())


_STATES = (
    select(
        CardSession.session_id,
        CardSession.game,
        CardSession.started_at,
        CardSession.chain,
        CardSession.title,
    )
    .where(CardSession.circle_id == CIRCLE)
    .order_by(*_IN_ORDER)
)


_RECORDED = (
    select(JournalEntry.key, func.min(JournalEntry.serial))
    .where(
        JournalEntry.circle_id == CIRCLE,
        JournalEntry.subject == CardSession.__tablename__,
        JournalEntry.key.in_(bindparam("keys", expanding=True)),
    )
    .group_by(JournalEntry.key)
)


def session_versions(circle_id: UUID) -> list[SessionVersion]:
    """List the sessions of the circle, oldest first, with the heads of their hash chains.

    Those of one moment, such as files of one day, go by when they were recorded, then by title.
    """
    sessions = [SessionVersion(*row) for row in rows(_STATES, circle_id=circle_id)]
    times = Counter(session.started_at for session in sessions)
    level = [str(session.session_id) for session in sessions if times[session.started_at] > 1]
    if level:
        entries = dict(rows(_RECORDED, circle_id=circle_id, keys=level).tuples().all())
        sessions.sort(
            key=lambda session: (
                session.started_at,
                entries.get(str(session.session_id), 0),
                session.title,
            )
        )
    return sessions


_RULES = select(CardSession.session_id, CardSession.rules).where(
    CardSession.circle_id == CIRCLE, CardSession.session_id.in_(SESSIONS)
)


def session_rules(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    result = rows(_RULES, circle_id=circle_id, session_ids=list(session_ids))
    return {row.session_id: row.rules for row in result}


_PAID = (
    select(
        cast(Payout.session_id, String),  # as text: parsed once a session, not once a row
        Payout.number,
        Deal.outcome,
        Deal.bid,
        Deal.made,
        Payout.seat,
        Payout.amount,
        Payout.role,
    )
    .join(Deal, same(Deal, Payout, "session_id", "number"))
    .where(Payout.circle_id == CIRCLE, Payout.session_id.in_(SESSIONS))
    .order_by(Payout.session_id, Payout.number)
)
_SESSION, _NUMBER, _WHAT, _PAYOUT = itemgetter(0), itemgetter(1), slice(2, 5), slice(5, 8)


def paid_deals(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, list[DealResult]]:
    """Return the deals of some sessions that have payouts, in order, by session."""
    deals: dict[UUID, list[DealResult]] = {}
    paid = rows(_PAID, circle_id=circle_id, session_ids=list(session_ids))
    for session_id, of_session in groupby(paid, _SESSION):
        by_number = groupby(of_session, _NUMBER)
        deals[UUID(session_id)] = [_played(number, list(payouts)) for number, payouts in by_number]
    return deals


def _played(number: int, payouts: Sequence[Row[Any]]) -> DealResult:
    outcome, bid, made = payouts[0][_WHAT]
    paid = [row[_PAYOUT] for row in payouts]
    return DealResult(
        number,
        outcome == Outcome.PENALTY,
        bid,
        made,
        {seat: amount for seat, amount, _ in paid},
        {seat: role for seat, _, role in paid if role},
    )


_SEATED = select(Seat.session_id, Seat.seat, Seat.player_id).where(
    Seat.circle_id == CIRCLE, Seat.session_id.in_(SESSIONS)
)


def seated_players(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, dict[int, UUID]]:
    """Return the seats of some sessions of the circle: session -> seat -> player."""
    seated: dict[UUID, dict[int, UUID]] = {}
    result = rows(_SEATED, circle_id=circle_id, session_ids=list(session_ids))
    for session_id, seat, player_id in result:
        seated.setdefault(session_id, {})[seat] = player_id
    return seated


DealKeys = Select[tuple[UUID, UUID, int]]


@dataclass(frozen=True, slots=True)
class DealSearch:
    """The criteria of a search; what is left out may be anything.

    ``role`` is a part of the player, or of anybody where there is no player: a role of payouts, or
    "calls" (caller or alone), "defender", "dealer". ``other`` is another player, in ``other_role``:
    one of these, or "against" (points went between the two). ``bids`` are alternatives. ``until``
    is exclusive. ``state`` is "stands", "voided", "amended" or "disputed".
    """

    game: str = ""
    since: datetime | None = None
    until: datetime | None = None
    player: UUID | None = None
    role: str = ""
    other: UUID | None = None
    other_role: str = ""
    bids: tuple[str, ...] = ()
    made: bool | None = None
    outcome: str = ""
    state: str = ""


class DealKey(NamedTuple):
    """The keys of a deal."""

    deal_id: UUID
    session_id: UUID
    number: int


_NEWEST_FIRST = (CardSession.started_at.desc(), CardSession.session_id.desc())
_LAST = (
    select(CardSession.started_at, CardSession.session_id)
    .where(CardSession.circle_id == CIRCLE, CardSession.session_id == SESSION)
    .scalar_subquery()
)


def find_sessions(
    circle_id: UUID, search: DealSearch, *, limit: int, after: UUID | None = None
) -> list[UUID]:
    """List the sessions that match, newest first, after one of them."""
    statement = select(CardSession.session_id).where(
        CardSession.circle_id == CIRCLE, *_of_sessions(search)
    )
    if after is not None:
        statement = statement.where(tuple_(CardSession.started_at, CardSession.session_id) < _LAST)
    newest = statement.order_by(*_NEWEST_FIRST).limit(LIMIT)
    return list(rows(newest, circle_id=circle_id, session_id=after, limit=limit).scalars())


def _of_sessions(search: DealSearch) -> Iterator[ColumnElement[bool]]:
    if search.game:
        yield CardSession.game == search.game
    if search.since is not None:
        yield CardSession.started_at >= search.since
    if search.until is not None:
        yield CardSession.started_at < search.until
    for person in (search.player, search.other):
        if person is not None:
            yield seated(person)


def find_deals(
    circle_id: UUID,
    search: DealSearch,
    session_ids: Collection[UUID],
    *,
    limit: int,
    below: int | None = None,
) -> list[DealKey]:
    """Find the deals of these sessions that match, newest first, below a number."""
    statement: DealKeys = (
        select(Deal.deal_id, Deal.session_id, Deal.number)
        .join(CardSession, same(CardSession, Deal, "session_id"))
        .where(Deal.circle_id == CIRCLE, Deal.session_id.in_(SESSIONS))
        .where(*_of_sessions(search), *_of_deals(search))
    )
    if below is not None:
        statement = statement.where(Deal.number < below)
    if search.player is not None or search.role:
        statement = _with_part(statement, search)
    newest = statement.order_by(*_NEWEST_FIRST, Deal.number.desc()).limit(LIMIT)
    parameters = {"circle_id": circle_id, "session_ids": list(session_ids), "limit": limit}
    return [DealKey(*row) for row in rows(newest, **parameters)]


def _of_deals(search: DealSearch) -> Iterator[ColumnElement[bool]]:
    if search.bids:
        yield Deal.bid.in_(search.bids)
    if search.made is not None:
        yield Deal.made.is_(search.made)
    if search.outcome:
        yield Deal.outcome == search.outcome
    if search.state:
        yield {
            "stands": Deal.voided.is_(False),
            "voided": Deal.voided.is_(True),
            "amended": Deal.amended.is_(True),
            "disputed": Deal.disputed.is_(True),
        }[search.state]


_Seat, _OtherSeat = aliased(Seat), aliased(Seat)
_Paid, _OtherPaid = aliased(Payout), aliased(Payout)


def _with_part(statement: DealKeys, search: DealSearch) -> DealKeys:
    """Narrow to deals in which the player and the other one had their roles."""
    if search.player is None:
        part = select(_Paid.seat).where(_of_deal(_Paid), _role(_Paid, search.role))
        return statement.where(part.correlate(Deal).exists())
    statement = _with_player(statement, _Seat, _Paid, search.player, search.role)
    if search.other is None:
        return statement
    role = "" if search.other_role == "against" else search.other_role
    statement = _with_player(statement, _OtherSeat, _OtherPaid, search.other, role)
    return statement.where(*_against()) if search.other_role == "against" else statement


def _with_player(statement: DealKeys, seat: Any, paid: Any, player: UUID, role: str) -> DealKeys:
    statement = statement.join(
        seat,
        and_(
            seat.circle_id == Deal.circle_id,
            seat.session_id == Deal.session_id,
            seat.player_id == player,
        ),
    )
    if role == "dealer":
        return statement.where(Deal.dealer == seat.seat)
    of_seat = and_(_of_deal(paid), paid.seat == seat.seat)
    if role:
        return statement.join(paid, of_seat).where(_role(paid, role))
    pays = (
        and_(seat.seat == number, DealVersion.payouts[str(number)].as_integer().is_not(None))
        for number in range(HIGHEST_SEAT + 1)
    )
    current = select(DealVersion.version).where(
        DealVersion.circle_id == Deal.circle_id,
        DealVersion.deal_id == Deal.deal_id,
        DealVersion.version == Deal.version,
        or_(*pays),
    )
    would_pay = and_(Deal.voided.is_(True), current.correlate(Deal, seat).exists())
    return statement.outerjoin(paid, of_seat).where(or_(paid.amount.is_not(None), would_pay))


def _of_deal(paid: Any) -> ColumnElement[bool]:
    return same(paid, Deal, "session_id", "number")


def _role(paid: Any, role: str) -> ColumnElement[bool]:
    """Make the condition that a payout is for a role; that of a defender has none."""
    match role:
        case "calls":
            part: ColumnElement[bool] = paid.role.in_(CALLING)
        case "defender":
            played = Deal.outcome == Outcome.PLAYED.value
            part = and_(paid.role == "", played, Deal.bid.is_not(None))
        case _:
            part = paid.role == role
    return part


def _against() -> Iterator[ColumnElement[bool]]:
    """Make the conditions that one won and the other lost, in a deal that sums to zero."""
    everybody = aliased(Payout)
    together = select(func.sum(everybody.amount)).where(_of_deal(everybody))
    yield _Paid.amount * _OtherPaid.amount < 0
    yield together.correlate(Deal).scalar_subquery() == 0
