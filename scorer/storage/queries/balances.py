"""Balances: sums of payouts and of what was brought in, never stored."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select

from scorer.rules.seats import Seat as SeatNumber
from scorer.storage.database import db
from scorer.storage.models import Deal, Payout, Seat
from scorer.storage.queries.parameters import CIRCLE, NO_END, SESSION, UNTIL
from scorer.storage.queries.rows import rows


def balance(*which: ColumnElement[bool]) -> ColumnElement[int]:
    """Make the balance of the seat of a row, of all its payouts or those that match."""
    paid = select(func.coalesce(func.sum(Payout.amount), 0)).where(
        Payout.circle_id == Seat.circle_id,
        Payout.session_id == Seat.session_id,
        Payout.seat == Seat.seat,
        *which,
    )
    return Seat.opening + paid.correlate(Seat).scalar_subquery()


_BALANCES = (
    select(Seat.seat, balance(Payout.number <= UNTIL))
    .where(Seat.circle_id == CIRCLE, Seat.session_id == SESSION)
    .order_by(Seat.seat)
)


def balances(circle_id: UUID, session_id: UUID, *, until: int = NO_END) -> dict[SeatNumber, int]:
    """Return the balance of each seat after deal `until`, or after the last one."""
    found = rows(_BALANCES, circle_id=circle_id, session_id=session_id, until=until)
    return {SeatNumber(seat): int(balance) for seat, balance in found}


_OF_SESSION = (Payout.circle_id == CIRCLE, Payout.session_id == SESSION)
_LAST_PAYOUTS = select(Payout.seat, Payout.amount).where(
    *_OF_SESSION,
    Payout.number == select(func.max(Payout.number)).where(*_OF_SESSION).scalar_subquery(),
)


def last_payouts(circle_id: UUID, session_id: UUID) -> dict[int, int]:
    """Return the payouts of the last deal that has any, by seat."""
    return dict(rows(_LAST_PAYOUTS, circle_id=circle_id, session_id=session_id).tuples().all())


_MATRIX = (
    select(Payout.number, Payout.seat, Payout.amount)
    .where(*_OF_SESSION)
    .order_by(Payout.number, Payout.seat)
)


def payout_matrix(circle_id: UUID, session_id: UUID) -> dict[int, dict[int, int]]:
    """Return the payouts of the deals in order: number -> seat -> amount.

    Deals without payouts are left out.
    """
    found = rows(_MATRIX, circle_id=circle_id, session_id=session_id)
    matrix: dict[int, dict[int, int]] = {}
    for number, seat, amount in found:
        matrix.setdefault(number, {})[seat] = amount
    return matrix


def drop_payouts(circle_id: UUID, session_id: UUID, number: int) -> None:
    """Delete the payouts of a deal, before those of its new version are written."""
    db.session.execute(
        delete(Payout).where(
            Payout.circle_id == circle_id, Payout.session_id == session_id, Payout.number == number
        )
    )


_AMENDED = select(Deal.number).where(
    Deal.circle_id == CIRCLE,
    Deal.session_id == SESSION,
    Deal.voided.is_(False),
    Deal.amended.is_(True),
)


def amended_numbers(circle_id: UUID, session_id: UUID) -> set[int]:
    """Return the numbers of the deals that were amended and are not voided."""
    return set(rows(_AMENDED, circle_id=circle_id, session_id=session_id).scalars())
