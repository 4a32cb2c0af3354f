"""A deal of an evening, and what was written of it: its versions, and reviews of them.

They are added, never changed, as changes of the terms are.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from scorer.errors import Problem
from scorer.evening.judging import NOTHING, JudgedDeal
from scorer.evening.terms import Terms, TermsChange
from scorer.rules.game import Outcome, Turn
from scorer.rules.seats import Seat

#: The moment of what no clock saw.
NO_TIME = datetime.min.replace(tzinfo=UTC)
DISPUTE, CONFIRM, UPHOLD = "dispute", "confirm", "uphold"


class Author(NamedTuple):
    """Who writes: a phone and its name, the player who holds it, and when."""

    phone_id: UUID | None = None
    written_by: str | None = None
    at: datetime = NO_TIME
    phone: str | None = None


class Version(NamedTuple):
    """What was written for a deal; ``payouts`` stay, whatever newer rules of the game say.

    ``change`` is the serial of the change of rules or seats that caused it, ``serial`` its place
    among all that was written of the session.
    """

    deal_id: UUID
    version: int
    number: int
    act: str
    outcome: Outcome
    dealer: Seat
    sits_out: Sequence[Seat]
    stored: dict[str, Any] | None
    voided: bool
    payouts: Mapping[Seat, int]
    serial: int
    phone_id: UUID | None = None
    written_by: str | None = None
    at: datetime = NO_TIME
    reason: str | None = None
    change: int | None = None
    phone: str | None = None


class Review(NamedTuple):
    """A dispute or confirmation of a version of a deal, or what settles a dispute."""

    deal_id: UUID
    review: int
    number: int
    kind: str
    version: int
    serial: int
    phone_id: UUID | None = None
    written_by: str | None = None
    at: datetime = NO_TIME
    reason: str | None = None
    proposal: dict[str, Any] | None = None
    phone: str | None = None

    @property
    def settles(self) -> bool:
        """Whether it settles the disputes before it."""
        return self.kind == UPHOLD


class Started(NamedTuple):
    """The deal under way: the answers known before the cards are played, and who gave them."""

    deal_id: UUID
    number: int
    stored: dict[str, Any]
    phone_id: UUID | None
    at: datetime


Fact = Version | Review | TermsChange
VersionRow = TypeVar("VersionRow", bound=Any)
ReviewRow = TypeVar("ReviewRow", bound=Any)


class Deal(NamedTuple):
    """A line of the score sheet: its turn, its judged answers, and, once booked, the balances.

    ``terms`` are those that it was booked by, ``totals`` the balances after it by seat. ``play``
    are its cards as a session file has them. ``versions`` and ``reviews`` are what was written of
    it, oldest first.
    """

    number: int
    turn: Turn
    entry: JudgedDeal
    voided: bool = False
    terms: Terms | None = None
    totals: Mapping[Seat, int] = NOTHING
    play: Any = None
    versions: tuple[Version, ...] = ()
    reviews: tuple[Review, ...] = ()

    def __repr__(self) -> str:
        counts = "voided" if self.voided else self.payouts
        return f"<Deal {self.number}, dealt by {self.dealer}, {self.outcome}: {counts}>"

    @property
    def paid(self) -> Mapping[Seat, int]:
        """Return its payouts by seat; none while it is voided."""
        return NOTHING if self.voided else self.entry.paid

    @property
    def payouts(self) -> dict[str, int]:
        """Return its payouts by name; none while it is voided."""
        names = self.entry.table.seats
        return {names[seat]: amount for seat, amount in self.paid.items()}

    @property
    def named_totals(self) -> dict[str, int]:
        """Return the balances after it by name."""
        names = self.entry.table.seats
        return {names[seat]: balance for seat, balance in self.totals.items()}

    @property
    def won(self) -> list[str]:
        """Return the names of who won it; nobody while it is voided."""
        return [] if self.voided else [self.entry.table.seats[seat] for seat in self.entry.won]

    @property
    def dealer(self) -> str:
        return self.entry.table.seats[self.turn.dealer]

    @property
    def outcome(self) -> Outcome:
        return self.entry.outcome

    @property
    def current(self) -> Version:
        return self.versions[-1]

    @property
    def deal_id(self) -> UUID:
        return self.versions[0].deal_id

    @property
    def version(self) -> int:
        return self.current.version

    @property
    def amended(self) -> bool:
        return any(version.act == "amend" for version in self.versions)

    @property
    def disputed(self) -> bool:
        return not self.voided and bool(self.reviews) and bool(self.open_disputes)

    @property
    def confirmed(self) -> bool:
        """Whether somebody confirmed this version."""
        return any(r.kind == CONFIRM and r.version == self.version for r in self.reviews)

    @property
    def amended_by_hand(self) -> Version | None:
        """The newest amendment that no change of rules or seats caused."""
        return amended_by_hand(self.versions)

    @property
    def open_disputes(self) -> list[Review]:
        """The disputes since the deal was last amended or upheld, oldest first."""
        return open_disputes(self.versions, self.reviews)

    def settling_since(self, seen: int) -> list[Review]:
        """List its disputes and upholds, after the first ``seen`` reviews."""
        unseen = self.reviews[max(seen, 0) :]
        return [review for review in unseen if review.kind in {DISPUTE, UPHOLD}]


def depends_on_earlier(written: Deal, booked: Deal, wrong: Sequence[Problem]) -> bool:
    """Return whether a deal that is not voided became impossible, or would pay otherwise.

    ``booked`` is the same deal, judged again after others were changed.
    """
    return not booked.voided and (bool(wrong) or booked.paid != written.paid)


def amended_by_hand(versions: Sequence[VersionRow]) -> VersionRow | None:
    """Return the newest amendment that no change of rules or seats caused."""
    amends = (v for v in versions[::-1] if v.act == "amend" and v.change is None)
    return next(amends, None)


def open_disputes(versions: Sequence[Any], reviews: Sequence[ReviewRow]) -> list[ReviewRow]:
    """List the disputes since a deal was last amended or upheld, oldest first."""
    upheld = max((place for place, r in enumerate(reviews, 1) if r.kind == UPHOLD), default=0)
    last = amended_by_hand(versions)
    amended = last.version if last else 0
    return [r for r in reviews[upheld:] if r.kind == DISPUTE and r.version >= amended]
