"""What a session is worth in money, and its entries in the ledger.

The first entry is written when a session ends. Later changes (an amended deal, another stake,
another way to pay) post the difference as a correction.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Self
from uuid import UUID, uuid4

from babel.numbers import get_currency_precision

from scorer.errors import Problem, refuse
from scorer.ledger.money import by_points, difference, pot
from scorer.rules.questions import Ask, Choice
from scorer.rules.seats import Seat
from scorer.services.base import journal
from scorer.services.base.journal import Author, authored
from scorer.services.session.state import SessionState, load_state, lock_state
from scorer.storage import models, queries, transaction
from scorer.texts import Text, TypedAmount, say

#: Maximum of an amount, in cents.
MOST_CENTS = 1_000_000
#: The currency of a circle that has chosen none.
USUAL_CURRENCY = "EUR"


class Way(Choice):
    """How a session becomes money."""

    POINTS = "points", say("Each point: who is below zero pays who is above")
    DIFFERENCE = "difference", say("The points that each is behind the first, to the first")
    PLACE = "place", say("The places that each is behind the first, to the first")
    POT = "pot", say("Everybody puts in the same, and the first takes the pot")
    NOTHING = "nothing", say("No money for this one")


STAKE = say("How much: a point, a place, or each into the pot")
A_STAKE = say("A stake from %(least)s to %(most)s.")
FEE = say("Into the pot for each time somebody bought in")


@dataclass(frozen=True, slots=True)
class PayTerms:
    """How a session is paid, with amounts in cents."""

    way: Annotated[Way, Ask(say("How is it paid?"))]
    stake: Annotated[int, Ask(STAKE, low=0, high=MOST_CENTS, cents=True)] = 0
    fee: Annotated[int, Ask(FEE, low=0, high=MOST_CENTS, cents=True)] = 0

    @property
    def meant(self) -> Self:
        """The terms without amounts that the way to pay doesn't ask for."""
        stake = 0 if self.way is Way.NOTHING else self.stake
        return replace(self, stake=stake or 0, fee=(self.way is Way.POT and self.fee) or 0)


def pay_of(circle_id: UUID, session_id: UUID) -> PayTerms | None:
    """Return how a session is paid, by its newest entry; None if it has none."""
    last = queries.money.last_posted(circle_id, session_id)
    return None if last is None else PayTerms(Way(last.way), last.stake_cents, last.fee_cents)


def worth(state: SessionState, pay: PayTerms) -> dict[UUID, int]:
    """Return the cents that each player wins or loses by a session."""
    totals, stake = state.evening.totals, pay.stake
    place_of = places(state)
    first = [seat for seat, place in place_of.items() if place == 1]
    match pay.way:
        case Way.NOTHING:
            amounts = {}
        case Way.POINTS:
            amounts = by_points(totals, stake)
        case Way.DIFFERENCE:
            behind = points_behind(state)
            amounts = pot({seat: points * stake for seat, points in behind.items()}, first)
        case Way.PLACE:
            amounts = pot({seat: (place - 1) * stake for seat, place in place_of.items()}, first)
        case _:
            bought = times_bought_in(state)
            amounts = pot({seat: stake + bought[seat] * pay.fee for seat in totals}, first)
    return {state.seats[seat].player_id: cents for seat, cents in amounts.items() if cents}


def places(state: SessionState) -> dict[Seat, int]:
    """Return the place of each seat; partners have that of their side."""
    by_first = {row.seat: row.place for row in state.ranked}
    return {seat: by_first[side[0]] for side in state.sides for seat in side}


def points_behind(state: SessionState) -> dict[Seat, int]:
    """Return the points that each is behind the first; whoever left early may be ahead, by 0."""
    totals, sign = state.evening.totals, 1 if state.lowest_leads else -1
    best = next(totals[seat] for seat, place in places(state).items() if place == 1)
    return {seat: max(sign * (balance - best), 0) for seat, balance in totals.items()}


def times_bought_in(state: SessionState) -> Counter[Seat]:
    """Count how often each seat bought in, in games where one can."""
    deals = state.deals if state.game.eliminates else ()
    return Counter(seat for deal in deals if not deal.voided for seat in deal.entry.back_in)


@transaction
def post_evening(circle_id: UUID, session_id: UUID, pay: PayTerms, *, by: Author = None) -> None:
    """Post a session that has ended, or the difference to another way; raise InvalidError."""
    pay = pay.meant
    least, fee = int(pay.way is not Way.NOTHING), say("An amount up to %(most)s.")
    problems = amount_problems(circle_id, "stake", pay.stake, least=least)
    problems += amount_problems(circle_id, "fee", pay.fee, fee, least=0)
    with lock_state(circle_id, session_id) as state:
        if state.row.ended_at is None:
            problems = [Problem("session-open", "", say("End the session first."))]
        refuse(problems)
        if pay.way is Way.POINTS:
            journal.change(journal.Kind.STAKE_SET, state.row, by, stake_cents=pay.stake)
        _post(state, pay, by)
        state.row.version += 1


def amount_problems(
    circle_id: UUID | None, field: str, cents: int | None, wanted: Text = A_STAKE, *, least: int = 1
) -> list[Problem]:
    """Find whether an amount is out of its bounds, which are said in the circle's currency."""
    if cents is None or least <= cents <= MOST_CENTS:
        return []
    circle = queries.find(models.Circle, circle_id) if circle_id else None
    decimals = get_currency_precision((circle and circle.currency) or USUAL_CURRENCY)
    bounds = {"least": TypedAmount(1, decimals), "most": TypedAmount(MOST_CENTS, decimals)}
    return [Problem("out-of-range", field, Text(wanted.template, bounds))]


def settle(
    state: SessionState, by: Author, *, number: int | None = None, anew: bool = False
) -> None:
    """Post the difference that a change makes to an ended session, in the caller's transaction.

    With ``anew`` a session without an entry gets one, because it ends or its stake is set.
    ``number`` is the changed deal.
    """
    row = state.row
    if row.ended_at is None or row.next_number == 1:
        return
    before = pay_of(row.circle_id, row.session_id)
    if before is None and not anew:
        return
    pay = _following(state, before, anew=anew)
    if pay is not None:
        _post(state, pay, by, number)


def still_to_post(row: models.CardSession) -> dict[UUID, int]:
    """Return the amounts to post if the session ended now; none once it has ended."""
    before = pay_of(row.circle_id, row.session_id)
    if before is not None and row.ended_at is not None:
        return {}
    state = load_state(row.circle_id, row.session_id)
    pay = _following(state, before, anew=True)
    return _unposted(state, pay) if pay else {}


def is_for_money(row: models.CardSession, *, lowest_leads: bool) -> bool:
    """Whether a session is played for money, by its newest entry or else by its stake."""
    pay = pay_of(row.circle_id, row.session_id)
    return bool(row.stake_cents and not lowest_leads) if pay is None else pay.way is not Way.NOTHING


def _following(state: SessionState, before: PayTerms | None, *, anew: bool) -> PayTerms | None:
    """Return how a session is paid from now on; None if it stays out of the ledger."""
    stake = 0 if state.lowest_leads else state.row.stake_cents or 0
    by_stake = PayTerms(Way.POINTS, stake) if stake else PayTerms(Way.NOTHING)
    if before is None:
        pays = stake and pays_points(state.evening.totals)
        return by_stake if pays else None
    if before.way is Way.POINTS or (anew and before.way is Way.NOTHING):
        return by_stake
    return before


def pays_points(totals: Mapping[Seat, int]) -> bool:
    """Whether points come to money: some are below zero and some above, or all still at zero."""
    return any(by_points(totals, 1).values()) or not any(totals.values())


def _unposted(state: SessionState, pay: PayTerms) -> dict[UUID, int]:
    return difference(worth(state, pay), queries.money.posted(state.circle_id, [state.session_id]))


def _post(state: SessionState, pay: PayTerms, by: Author, number: int | None = None) -> None:
    """Write an entry of the amounts that are not posted yet, if there are any."""
    before = pay_of(state.circle_id, state.session_id)
    more = _unposted(state, pay)
    if before == pay and not more:
        return
    entry = models.LedgerEntry(
        circle_id=state.circle_id,
        entry_id=uuid4(),
        kind="evening" if before is None else "correction",
        session_id=state.session_id,
        number=number,
        way=pay.way.value,
        stake_cents=pay.stake,
        fee_cents=pay.fee,
        **authored(by, state.row.ended_at if before is None else None),
    )
    lines = [
        (player.player_id, more[player.player_id])
        for player in state.seats
        if player.player_id in more
    ]
    kind = journal.Kind.EVENING_POSTED if before is None else journal.Kind.CORRECTION_POSTED
    journal.post(kind, entry, lines, by)
