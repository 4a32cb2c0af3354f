"""A session as it is stored, to be looked at from all sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import UUID

from scorer.errors import ScorerError
from scorer.games import find_game
from scorer.rules.seats import Seat
from scorer.services.open_table import table_at
from scorer.storage import models, queries
from scorer.storage.queries import SeatRow
from scorer.texts import signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorer.errors import Problem
    from scorer.services.open_table import OpenTable

AnySeat = TypeVar("AnySeat", bound=int)

DAMAGE = (ArithmeticError, AttributeError, LookupError, ScorerError, TypeError, ValueError)


class Finding(NamedTuple):
    """Something that differs: in which deal, if in one, and what."""

    number: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it is stored."""

    row: models.CardSession
    seats: list[SeatRow]
    deals: list[models.Deal]
    versions: dict[UUID, list[models.DealVersion]]
    opinions: dict[UUID, list[models.Opinion]]
    changes: list[models.SessionChange]
    paid: dict[int, dict[int, int]]
    roles: dict[int, dict[int, str]]

    def versions_of(self, deal: models.Deal) -> list[models.DealVersion]:
        """The versions of a deal, oldest first."""
        return self.versions.get(deal.deal_id, [])

    def opinions_of(self, deal: models.Deal) -> list[models.Opinion]:
        """What was said of a deal, oldest first."""
        return self.opinions.get(deal.deal_id, [])

    def balances_before(self, number: int) -> dict[Seat, int]:
        """Give everybody's balance before a deal."""
        balances = {Seat(seat.seat): seat.opening for seat in self.seats}
        for counted, payouts in self.paid.items():
            for seat, amount in payouts.items() if counted < number else ():
                balances[Seat(seat)] += amount
        return balances

    def said(self, payouts: Mapping[AnySeat, int]) -> str:
        """Tell payouts in a few words."""
        names = {seat.seat: seat.name for seat in self.seats}
        told = (f"{names.get(seat, seat)} {signed(n)}" for seat, n in sorted(payouts.items()))
        return ", ".join(told) or "nobody"


def kept_session(row: models.CardSession) -> Kept:
    """Read everything that is stored of a session."""
    circle_id, session_id = row.circle_id, row.session_id
    paid: dict[int, dict[int, int]] = {}
    roles: dict[int, dict[int, str]] = {}
    for payout in queries.stored_payouts(circle_id, session_id):
        paid.setdefault(payout.number, {})[payout.seat] = payout.amount
        roles.setdefault(payout.number, {})[payout.seat] = payout.role
    return Kept(
        row,
        queries.seats(circle_id, session_id),
        queries.stored_deals(circle_id, session_id),
        queries.stored_versions(circle_id, session_id),
        queries.stored_opinions(circle_id, session_id),
        queries.session_changes(circle_id, session_id),
        paid,
        roles,
    )


def opened(kept: Kept) -> OpenTable:
    """Open a session whose rules can be read; raise one of DAMAGE."""
    game = find_game(kept.row.game)
    changed: list[Any] = [change.rules for change in kept.changes if change.rules is not None]
    for document in (kept.row.rules, *changed):
        _, problems = game.rules_from(document)
        if problems:
            raise ValueError(said(problems))
    if [seat.seat for seat in kept.seats] != list(range(len(kept.seats))):
        raise ValueError(f"seats {[seat.seat for seat in kept.seats]}")
    rules, _ = game.rules_from(kept.row.rules)
    began = [seat for seat in kept.seats if not seat.joined]
    if len(began) < game.seat_counts(rules)[0]:
        raise ValueError(f"{len(began)} seats")
    return table_at(kept.row)


def said(problems: Sequence[Problem]) -> str:
    """Tell problems in a line."""
    return "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
