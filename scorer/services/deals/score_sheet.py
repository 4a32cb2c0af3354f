"""The score sheet of a session: standings, a row for each deal, and who deals the next ones."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from scorer.charts import Balances, SeatLine
from scorer.evening.deal import Deal, Review
from scorer.evening.judging import OUTCOME_WORDS
from scorer.evening.proposals import proposal_text
from scorer.ledger import Transfer, settlement
from scorer.rules.game import Outcome
from scorer.rules.match import Progress
from scorer.rules.plain_game import signed_if_less
from scorer.rules.seats import Seat, named
from scorer.services.session.state import SessionState
from scorer.texts import Text, deal_count, listed, often, say, signed

PAGE = 15


class SheetCell(NamedTuple):
    """What a deal paid a side, None if it sat out, and the balance after it, None if it was away.

    ``seat`` is the first of the side, ``role_name`` what its role is called. If it came back in
    after the deal, ``back`` is the change of its balance by that.
    """

    seat: Seat
    payout: int | None
    balance: int | None
    role: str
    role_name: Text | None
    back: int | None


class SheetRow(NamedTuple):
    """One deal on the sheet.

    ``back_in`` says who came back in after it, and with how many points; ``turned`` that since it
    was recorded an amendment has changed who won it.
    """

    deal: Deal
    unconfirmed: bool
    cells: tuple[SheetCell, ...]
    back_in: Text | None
    turned: Text | None


def chart_balances(state: SessionState) -> Balances:
    """Return the numbers of a session's chart: each side is one line."""
    matrix = {deal.number: deal.paid for deal in state.deals if deal.paid}
    amended = {deal.number for deal in state.deals if deal.amended}
    return Balances(
        lines=tuple(_chart_line(state, side, matrix) for side in state.sides),
        deals=tuple(matrix),
        amended=frozenset(amended).intersection(matrix),
        lower_is_better=state.lowest_leads,
        counted=state.counted,
    )


def _chart_line(
    state: SessionState, side: tuple[Seat, ...], matrix: Mapping[int, Mapping[Seat, int]]
) -> SeatLine:
    seat = side[0]
    paid = [deal.get(seat) for deal in matrix.values()]
    arrived = state.first_deal(seat) if state.changes else 0
    return SeatLine(
        names=tuple(state.names[seat] for seat in side),
        mark=state.marks[seat],
        balances=tuple(accumulate((points or 0 for points in paid), initial=state.opening[seat])),
        played=tuple(place for place, points in enumerate(paid, 1) if points is not None),
        start=sum(number < arrived for number in matrix),
    )


class StandingRow(NamedTuple):
    """A line of the standings; ``cents`` is what the balance is worth, if there is a stake.

    ``here`` is False for somebody who has left the table, ``out`` says who is out.
    """

    place: int
    seat: Seat
    name: Text
    balance: int
    cents: int | None
    last: int | None
    here: bool
    out: bool
    deals_next: bool
    leader: bool


class ScoreSheet(NamedTuple):
    """A session as its page shows it: standings, and one page of deals, newest first.

    Partners share a line: rows and cells have the first seat of each side. ``disputes`` has the
    newest dispute of each disputed deal, with its proposal; ``newest`` is the newest deal of the
    session, if the page begins with it.
    """

    state: SessionState
    progress: Progress
    disputes: list[tuple[Review, Text | None]]
    rows: tuple[SheetRow, ...]
    newest: Deal | None
    older: int | None
    newer: int | None

    @property
    def deal_count(self) -> int:
        return self.state.row.next_number - 1

    @property
    def names(self) -> dict[Seat, Text]:
        return {side[0]: named(side, self.state.names) for side in self.state.sides}

    @property
    def stake(self) -> int | None:
        """Return a point's worth in cents; None without money, or where the lowest leads."""
        return None if self.state.lowest_leads else self.state.row.stake_cents

    @property
    def settlement(self) -> list[Transfer[Seat]] | None:
        """Return the transfers that settle the session; None without money."""
        totals = self.state.evening.totals
        return settlement(totals, self.stake) if self.stake and self.deal_count else None

    @property
    def leftover(self) -> int:
        """The cents that nobody owes (or gets, if negative) because balances don't cancel."""
        return sum(self.state.evening.totals.values()) * (self.stake or 0)

    @property
    def standing_rows(self) -> list[StandingRow]:
        state, names = self.state, self.names
        paid = next((deal for deal in reversed(state.deals) if deal.paid), None)
        dealers = () if state.row.ended_at else (state.evening.turn.dealer,)
        dealing = {side[0] for side in state.sides if set(side) & set(dealers)}
        return [
            StandingRow(
                place=place,
                seat=seat,
                name=names[seat],
                balance=balance,
                cents=self.stake and balance * self.stake,
                last=_of_the_cards(paid, seat, _bought(paid)) if paid else None,
                here=seat in state.order,
                out=seat in state.out,
                deals_next=seat in dealing,
                leader=place == 1 and self.deal_count > 0,
            )
            for place, seat, balance in state.ranked
        ]

    @property
    def opening(self) -> list[int]:
        """The balances brought in, for the last page; empty where nobody brought any."""
        opening = [self.state.opening[side[0]] for side in self.state.sides]
        return opening if any(opening) and not self.older else []

    @property
    def in_a_sentence(self) -> Text:
        """The balances in words, instead of a chart of them."""
        names, burden = self.names, self.state.counted
        text = listed(
            listed((names[standing.seat], signed(standing.balance, burden=burden)), " ")
            for standing in self.state.ranked
        )
        deals = deal_count(self.state.evening.played)
        if burden:
            return say("Totals after %(deals)s: %(totals)s", deals=deals, totals=text)
        return say("Balances after %(deals)s: %(balances)s", deals=deals, balances=text)


def score_sheet(state: SessionState, before: int | None = None, *, most: int = PAGE) -> ScoreSheet:
    """Return a session's page with the ``most`` newest deals, those numbered below ``before``."""
    below = len(state.deals) if before is None else min(max(before - 1, 0), len(state.deals))
    shown = state.deals[max(below - most, 0) : below][::-1]
    newer, begins = None, bool(shown) and below == len(state.deals)
    if shown and not begins:  # 0 is the newest page
        newer = shown[0].number + PAGE + 1
        newer = newer if newer < state.row.next_number else 0
    disputed = [deal.open_disputes[-1] for deal in state.deals if deal.disputed]
    waiting = state.evening.waiting
    return ScoreSheet(
        state=state,
        progress=_progress(state),
        disputes=[
            (each, None if each.proposal is None else proposal_text(state.evening, each.proposal))
            for each in disputed
        ],
        rows=tuple(_row(state, deal, waits=deal.number in waiting) for deal in shown),
        newest=shown[0] if begins else None,
        older=shown[-1].number if shown and shown[-1].number > 1 else None,
        newer=newer,
    )


def _progress(state: SessionState) -> Progress:
    """Return whether the end is reached, and if not, whether a tie keeps them playing."""
    leading, second = state.ranked[0], state.ranked[1:2]
    level = bool(state.deals) and any(other.place == leading.place for other in second)
    ended = state.evening.ended is not None
    if ended or (level and state.game.can_end(state.rules)):
        return state.evening.result
    return Progress(finished=False)


def _row(state: SessionState, deal: Deal, *, waits: bool) -> SheetRow:
    entry, order = deal.entry, deal.entry.table.here
    roles = {} if entry.played is None else state.game.roles(entry.sheet)
    bought = _bought(deal)
    names = state.game.role_names(entry.table.rules)
    return SheetRow(
        deal=deal,
        unconfirmed=waits,
        cells=tuple(
            SheetCell(
                seat=seat,
                payout=_of_the_cards(deal, seat, bought),
                balance=deal.totals[seat] - bought.get(seat, 0) if seat in order else None,
                role=roles.get(seat, ""),
                role_name=names.get(roles.get(seat, "")),
                back=bought.get(seat),
            )
            for seat, *_ in state.sides
        ),
        back_in=_back_in(state, bought, deal.totals) if bought else None,
        turned=_turned(state, deal) if deal.amended and not deal.voided else None,
    )


def _turned(state: SessionState, deal: Deal) -> Text | None:
    """Say who won a deal instead of whom, if that has changed since it was recorded."""
    before, now = state.evening.entry_at(deal.versions[0]).won, deal.entry.won
    if set(before) == set(now):
        return None
    names = [named(won, state.names) if won else say("nobody") for won in (before, now)]
    values = {"number": deal.number, "before": names[0], "now": names[1]}
    return say("Deal %(number)s goes from %(before)s to %(now)s.", **values)


def _back_in(state: SessionState, bought: Mapping[Seat, int], balances: Mapping[Seat, int]) -> Text:
    who = listed(
        listed((named(side, state.names), signed_if_less(balances[side[0]])), " ")
        for side in state.sides
        if side[0] in bought
    )
    return say("Back in: %(who)s", who=who)


def _bought(deal: Deal) -> Mapping[Seat, int]:
    """Return who came back in after a deal, and what that cost."""
    return {} if deal.voided else deal.entry.back_in


def _of_the_cards(deal: Deal, seat: Seat, bought: Mapping[Seat, int]) -> int | None:
    """Return what a deal paid a seat without buying in; None if it sat out."""
    if seat in deal.entry.sits_out or seat not in deal.entry.paid:
        return None
    return deal.entry.paid[seat] - bought.get(seat, 0)


class NextDeal(NamedTuple):
    """The next deal: its number, its dealer, who sits out, its multiplier."""

    number: int
    dealer: str
    sits_out: tuple[str, ...]
    times: int


class NotPlayed(NamedTuple):
    """An outcome of a deal that is not played, and who deals then."""

    code: str
    name: Text
    hint: Text


def next_deal(state: SessionState) -> NextDeal | None:
    """Describe the next deal; None if the session has ended or too few are left for one."""
    if state.row.ended_at or not state.can_go_on:
        return None
    return NextDeal(
        number=state.row.next_number,
        dealer=state.names[state.evening.turn.dealer],
        sits_out=tuple(state.names[seat] for seat in state.table().sits_out),
        times=state.evening.turn.times,
    )


def ways_not_played(state: SessionState) -> list[NotPlayed]:
    """List the outcomes of the next deal if it is not played, each with who deals then."""
    return [_not_played(state, outcome) for outcome in state.game.outcomes(state.rules)]


def _not_played(state: SessionState, outcome: Outcome) -> NotPlayed:
    turn = state.game.turn_after(state.evening.turn, outcome, state.order, state.rules)
    name = state.names[turn.dealer]
    if turn.times > 1:
        hint = say(
            "%(name)s deals; the next deal counts %(times)s", name=name, times=often(turn.times)
        )
    elif turn.dealer == state.evening.turn.dealer:
        hint = say("%(name)s deals again, nothing is scored", name=name)
    else:
        hint = say("%(name)s deals next, nothing is scored", name=name)
    return NotPlayed(code=outcome.value, name=OUTCOME_WORDS[outcome], hint=hint)


def penalty_text(state: SessionState) -> Text:
    table = state.table()
    offender = table.active[0]
    paid = state.game.penalty(offender, table).payouts
    burden = state.lowest_leads
    fine, share = (signed(paid[seat], burden=burden) for seat in (offender, table.active[-1]))
    values = {"fine": fine, "share": share}
    if len(state.game.sides(table.active, table.rules)) < len(table.active):
        return say("%(fine)s for the offender’s side, %(share)s for the other", **values)
    return say("%(fine)s for the offender, %(share)s for everybody else", **values)


class BuyInOffer(NamedTuple):
    """A side that is out after ``deal`` and may come back in, or that is ``back`` and may stay out.

    The deal is amended to ``sheet``, which pays ``payouts``; ``cost`` is what coming back takes.
    """

    deal: Deal
    name: Text
    back: bool
    sheet: Any
    payouts: dict[Seat, int]
    cost: Text


def buy_in_offers(state: SessionState) -> list[BuyInOffer]:
    """List who may come back in after the last deal that was played, or stay out after all."""
    if not state.game.eliminates or state.row.ended_at:
        return []
    last = state.evening.last_played
    return list(_offers_after(state, last)) if last is not None else []


def _offers_after(state: SessionState, deal: Deal) -> Iterator[BuyInOffer]:
    entry, table = deal.entry, deal.entry.table
    now = entry.score
    sides = {side[0]: side for side in state.game.sides(table.here, table.rules)}
    for seat, other in entry.buy_ins.items():
        then = entry._replace(sheet=other).score
        costs = [step for step in (*now.steps, *then.steps) if step.rule == "buy-in"]
        yield BuyInOffer(
            deal=deal,
            name=named(sides[seat], state.names),
            back=len(then.steps) < len(now.steps),
            sheet=other,
            payouts=then.payouts,
            cost=next(step.text for step in costs if seat in step.amounts),
        )


def slip_parts(state: SessionState) -> dict[int, dict[Seat, list[int]]]:
    """Return what each deal paid each seat by the columns of the game's slip."""
    parts = {}
    for deal in state.deals if state.game.slip else ():
        if deal.entry.played is not None:
            steps = deal.entry.score.steps
            parts[deal.number] = {
                seat: [
                    sum(step.amounts.get(seat, 0) for step in steps if step.rule in rules)
                    for _, rules in state.game.slip
                ]
                for seat in deal.entry.table.active
            }
    return parts
