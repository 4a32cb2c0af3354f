"""Statistics over many deals: calls, partners, who pays whom. No floats anywhere.

A record is kept by seat for one session, and by person for all of them: records can be added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

Who = TypeVar("Who", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)

CALLING = ("caller", "alone")
DEFENDER = "defender"
PENALTY = "penalty"


class DealResult(NamedTuple):
    """A deal that is not voided and pays: its bid, if any, its payouts and roles by seat."""

    number: int
    penalty: bool
    bid: str | None
    made: bool | None
    payouts: dict[int, int]
    roles: dict[int, str]


@dataclass(frozen=True, slots=True)
class DealSearch:
    """The criteria of a search; omitted ones match anything.

    ``role`` is the player's role, or anybody's if there is no player: a role of payouts, or "calls"
    (caller or alone), "defender", "dealer". ``other`` is another player, in ``other_role``: one of
    these, or "against" (points went between the two). ``bids`` are alternatives. ``until`` is
    exclusive. ``state`` is "stands", "voided", "amended" or "disputed".
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
    """The key of a deal: its session and its number."""

    session_id: UUID
    number: int


@dataclass(slots=True)
class DealTally:
    """Deals, those made, and what they paid; ``decided`` were made or missed, no draws."""

    deals: int = 0
    made: int = 0
    points: int = 0
    decided: int = 0

    def add(self, points: int, *, made: bool | None = None) -> None:
        self.deals += 1
        self.made += bool(made)
        self.points += points
        self.decided += made is not None

    def plus(self, more: DealTally) -> None:
        self.deals += more.deals
        self.made += more.made
        self.points += more.points
        self.decided += more.decided


@dataclass(slots=True)
class Flow:
    """The points that came from somebody: numerators by denominator, which adds up quickly."""

    deals: int = 0
    parts: Counter[int] = field(default_factory=Counter)

    def add(self, numerator: int, denominator: int) -> None:
        self.deals += 1
        self.parts[denominator] += numerator

    def plus(self, more: Flow) -> None:
        self.deals += more.deals
        self.parts.update(more.parts)

    @property
    def points(self) -> Fraction:
        """The exact sum; negative where more was paid than received."""
        parts = (Fraction(above, below) for below, above in self.parts.items())
        return sum(parts, Fraction())


@dataclass(slots=True)
class DealStatistics(Generic[Who]):
    """The statistics of one person: by part, by own bid, by partner, and the point flow.

    ``partners`` were the person's partners, ``callers`` those whose partner the person was.
    ``calls`` are the person's own calls by number, in order, each with whether it was made; draws
    are left out there and in ``bids``. ``unbalanced`` counts the deals whose points don't sum to
    zero: they have no flow.
    """

    parts: defaultdict[str, DealTally] = field(default_factory=lambda: defaultdict(DealTally))
    bids: defaultdict[str, DealTally] = field(default_factory=lambda: defaultdict(DealTally))
    partners: defaultdict[Who, DealTally] = field(default_factory=lambda: defaultdict(DealTally))
    callers: defaultdict[Who, DealTally] = field(default_factory=lambda: defaultdict(DealTally))
    flow: defaultdict[Who, Flow] = field(default_factory=lambda: defaultdict(Flow))
    unbalanced: int = 0
    calls: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def everything(self) -> DealTally:
        """All deals; each is of one part."""
        total = DealTally()
        for tally in self.parts.values():
            total.plus(tally)
        return total

    def plus(self, more: DealStatistics[Other], names: Mapping[Other, Who]) -> None:
        """Add another record of the same person; ``names`` translates the keys of the others."""
        self.unbalanced += more.unbalanced
        for named, added in ((self.parts, more.parts), (self.bids, more.bids)):
            for name, tally in added.items():
                named[name].plus(tally)
        for others, joined in ((self.partners, more.partners), (self.callers, more.callers)):
            for who, tally in joined.items():
                others[names[who]].plus(tally)
        for who, flow in more.flow.items():
            self.flow[names[who]].plus(flow)


def records(deals: Iterable[DealResult]) -> dict[int, DealStatistics[int]]:
    """Return the record of each seat that was paid, from the deals of a session in order."""
    by_seat: defaultdict[int, DealStatistics[int]] = defaultdict(DealStatistics)
    for deal in deals:
        for seat, points in deal.payouts.items():
            record = by_seat[seat]
            # Who has no role in a deal with a bid is a defender.
            part = deal.roles.get(seat) or ("" if deal.bid is None else DEFENDER)
            part = PENALTY if deal.penalty else part
            record.parts[part].add(points, made=deal.made)
            if part in CALLING and deal.bid is not None and deal.made is not None:
                record.bids[deal.bid].add(points, made=deal.made)
                record.calls.append((deal.number, deal.made))
        seats = {role: seat for seat, role in deal.roles.items()}
        if "caller" in seats and "partner" in seats:
            caller, partner, made = seats["caller"], seats["partner"], deal.made
            by_seat[partner].callers[caller].add(deal.payouts[partner], made=made)
            by_seat[caller].partners[partner].add(deal.payouts[caller], made=made)
        _let_flow(by_seat, deal)
    return by_seat


def _let_flow(by_seat: Mapping[int, DealStatistics[int]], deal: DealResult) -> None:
    """Credit what each loser pays to the winners in proportion to what they win."""
    if sum(deal.payouts.values()):
        for seat in deal.payouts:
            by_seat[seat].unbalanced += 1
        return
    won = {seat: points for seat, points in deal.payouts.items() if points > 0}
    lost = {seat: -points for seat, points in deal.payouts.items() if points < 0}
    pot = sum(won.values())
    for winner, gain in won.items():
        for loser, loss in lost.items():
            by_seat[winner].flow[loser].add(gain * loss, pot)
            by_seat[loser].flow[winner].add(-gain * loss, pot)


class Contest(NamedTuple):
    """A deal that was played: its sides, their places, and the call, if there is one.

    The winners have place 0; equal sides share a place. In a game with calls the first side is the
    caller's, and the caller is its first seat. ``won`` are the seats that won it, by the game.
    """

    number: int
    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]
    bid: str | None = None
    made: bool | None = None
    won: tuple[int, ...] = ()

    def place_of(self, seat: int) -> int | None:
        """Return the place of a seat's side; None if the seat did not play."""
        places = zip(self.sides, self.places, strict=True)
        return next((place for side, place in places if seat in side), None)


def called(deal: DealResult) -> Contest | None:
    """Return the caller's side against the rest; None if nobody called."""
    caller = next((seat for seat, role in deal.roles.items() if role in CALLING), None)
    if caller is None or deal.penalty:
        return None
    partners = tuple(seat for seat, role in deal.roles.items() if role == "partner")
    places = {True: (0, 1), False: (1, 0), None: (0, 0)}[deal.made]
    side = caller, *partners
    sides = side, tuple(sorted(seat for seat in deal.payouts if seat not in side))
    won = () if deal.made is None else sides[not deal.made]
    return Contest(deal.number, sides, places, deal.bid, deal.made, won)


def contest(
    deal: DealResult,
    sides: Sequence[tuple[int, ...]],
    won: tuple[int, ...] = (),
    *,
    lowest_first: bool = False,
) -> Contest | None:
    """Rank the sides of a deal without a call by their payouts; None for a penalty or one side."""
    if deal.penalty or len(sides) < 2:
        return None
    sign = 1 if lowest_first else -1
    paid = [sign * sum(deal.payouts[seat] for seat in side) for side in sides]
    places = tuple(sum(other < amount for other in paid) for amount in paid)
    return Contest(deal.number, tuple(sides), places, won=won)
