"""Balances: always the sum of payouts and of what was brought in, never stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete
from sqlalchemy import func
from sqlalchemy import select

from scorer.storage.database import db
from scorer.storage.models import Deal
from scorer.storage.models import Payout
from scorer.storage.models import Seat

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import ColumnElement


def balance(until: int | None = None) -> ColumnElement[int]:
    """Sum what the seat of the row brought in and was paid, up to and including deal `until`."""
    paid = select(func.coalesce(func.sum(Payout.amount), 0)).where(
        Payout.circle_id == Seat.circle_id,
        Payout.session_id == Seat.session_id,
        Payout.seat == Seat.seat,
    )
    if until is not None:
        paid = paid.where(Payout.number <= until)
    return Seat.opening + paid.correlate(Seat).scalar_subquery()


def balances(circle_id: UUID, session_id: UUID, *, until: int | None = None) -> dict[int, int]:
    """Give the balance of each seat, after deal `until` or after the last one."""
    found = db.session.execute(
        select(Seat.seat, balance(until))
        .where(Seat.circle_id == circle_id, Seat.session_id == session_id)
        .order_by(Seat.seat)
    )
    return dict(found.tuples().all())


def last_payouts(circle_id: UUID, session_id: UUID) -> dict[int, int]:
    """Give what the last deal that stands and pays paid to each seat."""
    here = (Payout.circle_id == circle_id, Payout.session_id == session_id)
    last = select(func.max(Payout.number)).where(*here).scalar_subquery()
    found = db.session.execute(
        select(Payout.seat, Payout.amount).where(*here, Payout.number == last)
    )
    return dict(found.tuples().all())


def payout_matrix(circle_id: UUID, session_id: UUID) -> dict[int, dict[int, int]]:
    """Give what each deal that stands paid to each seat that played: number -> seat -> amount.

    The deals are in their order; those that pay nobody are left out.
    """
    found = db.session.execute(
        select(Payout.number, Payout.seat, Payout.amount)
        .where(Payout.circle_id == circle_id, Payout.session_id == session_id)
        .order_by(Payout.number, Payout.seat)
    )
    matrix: dict[int, dict[int, int]] = {}
    for number, seat, amount in found:
        matrix.setdefault(number, {})[seat] = amount
    return matrix


def drop_payouts(circle_id: UUID, session_id: UUID, number: int) -> None:
    """Take away what one deal paid, before its new version pays anew."""
    db.session.execute(
        delete(Payout).where(
            Payout.circle_id == circle_id,
            Payout.session_id == session_id,
            Payout.number == number,
        )
    )


def amended_numbers(circle_id: UUID, session_id: UUID) -> set[int]:
    """Give the numbers of the deals that stand and were corrected at least once."""
    found = db.session.scalars(
        select(Deal.number).where(
            Deal.circle_id == circle_id,
            Deal.session_id == session_id,
            Deal.voided.is_(False),
            Deal.amended.is_(True),
        )
    )
    return set(found)
