"""A deal of an evening, and what was written of it: its versions, and reviews of them.

They are added, never changed, as changes of the terms are. Beside them stand the deal under way and
the timer of its turn, which are not kept.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self
from uuid import UUID

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


class Timer(NamedTuple):
    """The timer of a turn that ends by the clock; nothing ticks, each moment is that of an act.

    Each pause moves ``since``, from which the minutes count, on by its length. It stands from
    ``paused`` on, until it is continued.
    """

    minutes: int
    since: datetime
    paused: datetime | None = None

    @property
    def up(self) -> datetime:
        """When it is up, unless it stands until then."""
        return self.since + timedelta(minutes=self.minutes)

    def left(self, now: datetime) -> timedelta:
        """Return the time that is left at a moment, less than none once it is up."""
        return self.up - (self.paused or now)

    def is_up(self, now: datetime) -> bool:
        return self.left(now) <= timedelta()

    def pause(self, now: datetime) -> Self:
        """Return the timer as it stands from a moment on; one that is up or stands stays."""
        return self if self.paused or self.is_up(now) else self._replace(paused=now)

    def go_on(self, now: datetime) -> Self:
        """Return the timer as it runs again with the time that was left."""
        if self.paused is None:
            return self
        return self._replace(since=self.since + (now - self.paused), paused=None)


Fact = Version | Review | TermsChange


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
        amends = (v for v in self.versions[::-1] if v.act == "amend" and v.change is None)
        return next(amends, None)

    @property
    def open_disputes(self) -> list[Review]:
        """The disputes since the deal was last amended or upheld, oldest first."""
        kinds = [review.kind for review in self.reviews]
        upheld = max((place for place, kind in enumerate(kinds, 1) if kind == UPHOLD), default=0)
        last = self.amended_by_hand
        amended = last.version if last else 0
        since = self.reviews[upheld:]
        return [r for r in since if r.kind == DISPUTE and r.version >= amended]

    def settling_since(self, seen: int) -> list[Review]:
        """List its disputes and upholds, after the first ``seen`` reviews."""
        unseen = self.reviews[max(seen, 0) :]
        return [review for review in unseen if review.kind in {DISPUTE, UPHOLD}]
