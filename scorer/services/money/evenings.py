"""What a session comes to in money, for everybody to see and deal by deal."""

from itertools import accumulate
from typing import NamedTuple
from uuid import UUID

from scorer.errors import existing
from scorer.rules.seats import Seat
from scorer.services.session.settling import (
    PayTerms,
    Way,
    pay_of,
    pays_points,
    places,
    points_behind,
    times_bought_in,
    worth,
)
from scorer.services.session.state import SessionState, load_state
from scorer.storage import queries


class Amount(NamedTuple):
    """The cents of a player: positive where money is owed to the player."""

    player_id: UUID
    name: str
    cents: int


class EveningMoney(NamedTuple):
    """A session, how the ledger pays it, and everybody's amounts by a way to pay.

    ``by_points`` says whether paying by points moves any money.
    """

    state: SessionState
    pay: PayTerms | None
    shares: list[Amount]
    buys_in: bool
    by_points: bool

    @property
    def offered(self) -> PayTerms:
        """How it is paid, or what to offer: by points, or a pot where somebody bought in."""
        fee = self.state.game.buy_in_fee(self.state.rules)
        if self.pay is not None:
            return self.pay
        if self.by_points:
            return PayTerms(Way.POINTS, self.state.row.stake_cents or 0)
        return PayTerms(Way.POT if fee else Way.DIFFERENCE, 0, fee)


def evening_money(
    circle_id: UUID, session_id: UUID, wanted: PayTerms | None = None
) -> EveningMoney:
    """Return how the ledger pays a session, and everybody's amount.

    A ``wanted`` way is shown instead of that of the ledger.
    """
    state = load_state(circle_id, session_id)
    pay = pay_of(circle_id, session_id)
    shown = wanted or pay
    cents = worth(state, shown) if shown else {}
    shares = [
        Amount(player.player_id, player.name, cents.get(player.player_id, 0))
        for player in state.seats
    ]
    return EveningMoney(
        state,
        pay,
        shares,
        buys_in=bool(times_bought_in(state)),
        by_points=not state.lowest_leads and pays_points(state.evening.totals),
    )


class PaidDeal(NamedTuple):
    """A deal of a player, or None for the opening balance: points, balance after it, and cents."""

    number: int | None
    points: int
    balance: int
    cents: int | None


class DealByDeal(NamedTuple):
    """How the amount of a player in a session results from the deals.

    ``shared`` is the difference between the amount and the sum of the deals, if balances don't
    cancel. ``behind`` counts the points behind the first, ``bought`` how often the player bought
    in. ``posted`` is the part that is in the ledger.
    """

    name: str
    pay: PayTerms
    deals: list[PaidDeal]
    balance: int
    cents: int
    shared: int
    behind: int
    place: int
    bought: int
    posted: int


def deal_by_deal(evening: EveningMoney, player_id: UUID) -> DealByDeal:
    """Explain the amount of a player in a session by its deals; raise NotFoundError."""
    state, pay = evening.state, existing(evening.pay)
    seats = {player.player_id: seat for seat, player in enumerate(state.seats)}
    seat = Seat(existing(seats.get(player_id)))
    totals = state.evening.totals
    cents = evening.shares[seat].cents
    stake = pay.stake if pay.way is Way.POINTS else None
    paid = {deal.number: deal.paid for deal in state.deals}
    points: dict[int | None, int] = {number: by[seat] for number, by in paid.items() if seat in by}
    if state.opening[seat]:
        points = {None: state.opening[seat], **points}
    balances = accumulate(points.values())
    return DealByDeal(
        name=state.names[seat],
        pay=pay,
        deals=[
            PaidDeal(number, got, balance, None if stake is None else got * stake)
            for (number, got), balance in zip(points.items(), balances, strict=True)
        ],
        balance=totals[seat],
        cents=cents,
        shared=0 if stake is None else cents - totals[seat] * stake,
        behind=points_behind(state)[seat],
        place=places(state)[seat],
        bought=times_bought_in(state)[seat],
        posted=queries.money.posted(state.circle_id, [state.session_id]).get(player_id, 0),
    )
