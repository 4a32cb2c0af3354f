"""The score sheet of a session: standings, a row for each deal, and who deals the next ones."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from scorer.charts import Balances, SeatLine
from scorer.errors import existing
from scorer.evening import JudgedDeal
from scorer.evening.walk import NO_TABLE, Deal
from scorer.ledger import Standing, Transfer, settlement
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.match import Progress
from scorer.rules.plain_game import signed_if_less
from scorer.rules.seats import Seat, Sides, named
from scorer.services.base.caching import LRUCache
from scorer.services.deals.reviews import proposal_text, unconfirmed
from scorer.services.session.state import (
    SessionState,
    SessionTerms,
    paid_by,
    progress,
    progress_after,
    put_out,
    ranked,
)
from scorer.services.session.writing import OUTCOME_WORDS
from scorer.storage import models, queries
from scorer.storage.queries.deals import DealMark, DealRow
from scorer.texts import Text, deal_count, listed, often, say, signed

PAGE = 15
#: Deals and rows that a process caches, of some 2 kB each.
MOST_ROWS = 512


class SheetCell(NamedTuple):
    """What a deal paid a side, None if it sat out, and the balance after it, None if it was away.

    ``seat`` is the first of the side, ``role_name`` what its role is called. If it came back in
    after the deal, ``back`` is the change of its balance by that, and ``reentry`` the new balance.
    """

    seat: Seat
    payout: int | None
    balance: int | None
    role: str
    role_name: Text | None
    back: int | None
    reentry: int | None


@dataclass(frozen=True, slots=True, eq=False)
class SheetRow:
    """One deal on the sheet; the same object as long as its values are the same.

    ``back_in`` says who came back in after it, and with how many points; ``turned`` that since it
    was recorded an amendment has changed who won it.
    """

    number: int
    summary: Text
    voided: bool
    amended: bool
    disputed: bool
    unconfirmed: bool
    cells: tuple[SheetCell, ...]
    back_in: Text | None
    turned: Text | None


def chart_balances(state: SessionState) -> Balances:
    """Return the numbers of a session's chart: each side is one line."""
    amended = queries.session.amended_numbers(state.circle_id, state.session_id)
    matrix = queries.session.payout_matrix(state.circle_id, state.session_id)
    return Balances(
        lines=tuple(_chart_line(state, side, matrix) for side in state.sides),
        deals=tuple(matrix),
        amended=frozenset(amended).intersection(matrix),
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

    ``here`` is False for somebody who has left the table, ``out`` says who is out. Partners may
    have several ``nicknames``.
    """

    place: int
    seat: Seat
    name: Text
    nicknames: tuple[str, ...]
    balance: int
    cents: int | None
    last: int | None
    here: bool
    out: bool
    deals_next: bool
    leader: bool


class ScoreSheet(NamedTuple):
    """A session as its page shows it: standings, and one page of deals, newest first.

    Partners share a line: ``standings`` and cells have the first seat of each of the ``sides``.
    ``played`` counts the deals that were played and not voided; ``disputes`` has the newest dispute
    of each disputed deal, with its proposal; ``newest`` is the newest deal of the session, if the
    page begins with it; ``waiting`` has the unconfirmed deals, each with its number of reviews.
    """

    state: SessionState
    sides: Sides
    totals: dict[Seat, int]
    standings: list[Standing]
    last: dict[int, int]
    progress: Progress
    disputes: list[tuple[models.Review, Text | None]]
    rows: tuple[SheetRow, ...]
    newest: DealRow | None
    waiting: dict[int, int]
    played: int
    older: int | None
    newer: int | None

    @property
    def deal_count(self) -> int:
        return self.state.row.next_number - 1

    @property
    def names(self) -> dict[Seat, Text]:
        return {side[0]: named(side, self.state.names) for side in self.sides}

    @property
    def stake(self) -> int | None:
        """Return a point's worth in cents; None without money, or where the lowest leads."""
        return None if self.state.lowest_leads else self.state.row.stake_cents

    @property
    def settlement(self) -> list[Transfer[Seat]] | None:
        """Return the transfers that settle the session; None without money."""
        return settlement(self.totals, self.stake) if self.stake and self.deal_count else None

    @property
    def leftover(self) -> int:
        """The cents that nobody owes (or gets, if negative) because balances don't cancel."""
        return sum(self.totals.values()) * (self.stake or 0)

    @property
    def standing_rows(self) -> list[StandingRow]:
        state, names = self.state, self.names
        dealers = () if state.row.ended_at else (state.now.turn.dealer,)
        nicknames = {
            side[0]: tuple(filter(None, (state.seats[seat].nickname for seat in side)))
            for side in self.sides
        }
        dealing = {side[0] for side in self.sides if set(side) & set(dealers)}
        return [
            StandingRow(
                place=place,
                seat=seat,
                name=names[seat],
                nicknames=nicknames[seat],
                balance=balance,
                cents=self.stake and balance * self.stake,
                last=self.last.get(seat),
                here=seat in state.order,
                out=seat in state.out,
                deals_next=seat in dealing,
                leader=place == 1 and self.deal_count > 0,
            )
            for place, seat, balance in self.standings
        ]

    @property
    def opening(self) -> list[int]:
        """The balances brought in, for the last page; empty where nobody brought any."""
        opening = [self.state.opening[side[0]] for side in self.sides]
        return opening if any(opening) and not self.older else []

    @property
    def in_a_sentence(self) -> Text:
        """The balances in words, instead of a chart of them."""
        names, burden = self.names, self.state.counted
        text = listed(
            listed((names[standing.seat], signed(standing.balance, burden=burden)), " ")
            for standing in self.standings
        )
        deals = deal_count(self.played)
        if burden:
            return say("Totals after %(deals)s: %(totals)s", deals=deals, totals=text)
        return say("Balances after %(deals)s: %(balances)s", deals=deals, balances=text)


def score_sheet(state: SessionState, before: int | None = None, *, most: int = PAGE) -> ScoreSheet:
    """Return a session's page with the ``most`` newest deals, those numbered below ``before``."""
    circle_id, session_id = state.circle_id, state.session_id
    below = queries.NO_END if before is None else before
    marks = queries.deals.newest_marks(circle_id, session_id, limit=most, before=below)
    deals = _deals(state, marks)
    seats = queries.session.totals(circle_id, session_id)
    totals = {Seat(seat): balance for seat, balance, *_ in seats}
    played, disputed = seats[0][2:]
    sides = state.sides
    balances = {side[0]: totals[side[0]] for side in sides}
    places = ranked(state, totals)
    waiting = unconfirmed(state, marks)
    begins = bool(deals) and deals[0].number == state.row.next_number - 1
    # What the last deal that stands and pays paid is most often on the newest page.
    paying = (deal for deal in deals if begins and deal.payouts and not deal.voided)
    last = next(paying, None)
    disputes = queries.deals.disputes(circle_id, session_id) if disputed else []
    newer = None
    if deals and not begins:  # 0 is the newest page
        newer = deals[0].number + PAGE + 1
        newer = newer if newer < state.row.next_number else 0
        until = queries.session.balances(circle_id, session_id, until=deals[0].number)
        balances = {seat: until[seat] for seat in balances}
    rows = _rows(state, marks, deals, balances, waiting)
    paid = next((row.cells for row in rows if last and row.number == last.number), None)
    return ScoreSheet(
        state=state,
        sides=sides,
        totals=totals,
        standings=places,
        last=queries.session.last_payouts(circle_id, session_id)
        if paid is None
        else {cell.seat: cell.payout for cell in paid if cell.payout is not None},
        progress=_progress(state, places),
        disputes=[
            (dispute, None if dispute.proposal is None else proposal_text(state, dispute.proposal))
            for dispute in disputes
        ],
        rows=rows,
        newest=deals[0] if begins else None,
        waiting=waiting,
        played=played,
        older=deals[-1].number if deals and deals[-1].number > 1 else None,
        newer=newer,
    )


def _progress(state: SessionState, places: Sequence[Standing]) -> Progress:
    """Return whether the end is reached, and if not, whether a tie keeps them playing."""
    leading, second = places[0], places[1:2]
    last = state.row.next_number - 1
    level = last > 0 and any(other.place == leading.place for other in second)
    if state.row.finished_number is None and level and state.game.can_end(state.rules):
        return progress_after(state, last)
    return progress(state)


_cached_deals: LRUCache[DealRow] = LRUCache(MOST_ROWS)
_cached_rows: LRUCache[SheetRow] = LRUCache(MOST_ROWS)


def _deals(state: SessionState, marks: Sequence[DealMark]) -> list[DealRow]:
    """Return the deals with these marks; those that are not cached are read at once."""
    found = ((mark, _cached_deals.look_up((state.circle_id, mark))) for mark in marks)
    deals = {mark: deal for mark, deal in found if deal is not None}
    missing = [mark for mark in marks if mark not in deals]
    if missing:
        bounds = missing[-1].number - 1, missing[0].number + 1
        read = queries.deals.deals_between(state.circle_id, state.session_id, *bounds)
        by_number = {deal.number: deal for deal in read}
        for mark in missing:
            deals[mark] = existing(by_number.get(mark.number))
            _cached_deals.put((state.circle_id, mark), deals[mark])
    return [deals[mark] for mark in marks]


def _rows(
    state: SessionState,
    marks: Sequence[DealMark],
    deals: Sequence[DealRow],
    balances: dict[Seat, int],
    waiting: Collection[int],
) -> tuple[SheetRow, ...]:
    """Make the rows from the newest deal down, subtracting each payout from the balances."""
    running, rows = dict(balances), []
    for mark, deal in zip(marks, deals, strict=True):
        waits = mark.number in waiting
        key = state.circle_id, mark, waits, state.names, state.changes, tuple(running.items())
        rows.append(_cached_rows.get(key, partial(_row, state, deal, running, waits=waits)))
        if not deal.voided:
            for seat in running:
                running[seat] -= deal.payouts.get(seat, 0)
    return tuple(rows)


def _row(state: SessionState, deal: DealRow, running: dict[Seat, int], *, waits: bool) -> SheetRow:
    sheet = state.sheet_of(deal)
    roles = state.game.roles(sheet) if sheet else {}
    terms = state.terms(deal.number, deal.serial)
    bought: Mapping[Seat, int] = {}
    if sheet and not deal.voided:
        paid = {Seat(seat): amount for seat, amount in deal.payouts.items()}
        bought = state.game.back_in(sheet, state.table_for(deal), paid)
    names = state.game.role_names(terms.rules)
    return SheetRow(
        number=deal.number,
        summary=_deal_text(state, deal, sheet),
        voided=deal.voided,
        amended=deal.amended,
        disputed=deal.disputed,
        unconfirmed=waits,
        cells=tuple(
            SheetCell(
                seat=seat,
                payout=_of_the_cards(deal, seat, bought),
                balance=balance - bought.get(seat, 0) if seat in terms.order else None,
                role=roles.get(seat, ""),
                role_name=names.get(roles.get(seat, "")),
                back=bought.get(seat),
                reentry=balance if seat in bought else None,
            )
            for seat, balance in running.items()
        ),
        back_in=_back_in(state, bought, running) if bought else None,
        turned=_turned(state, deal) if deal.amended and not deal.voided else None,
    )


def _turned(state: SessionState, deal: DealRow) -> Text | None:
    """Say who won a deal instead of whom, if that has changed since it was recorded."""
    versions = queries.deals.deal_versions(state.circle_id, deal.deal_id)
    before, now = (state.entry_of(version).won for version in (versions[0], versions[-1]))
    if set(before) == set(now):
        return None
    names = [named(won, state.names) if won else say("nobody") for won in (before, now)]
    values = {"number": deal.number, "before": names[0], "now": names[1]}
    return say("Deal %(number)s goes from %(before)s to %(now)s.", **values)


def _back_in(state: SessionState, bought: Mapping[Seat, int], balances: Mapping[Seat, int]) -> Text:
    names = {side[0]: named(side, state.names) for side in state.sides}
    who = listed(
        listed((names[seat], signed_if_less(balance)), " ")
        for seat, balance in balances.items()
        if seat in bought
    )
    return say("Back in: %(who)s", who=who)


def _of_the_cards(deal: DealRow, seat: Seat, bought: Mapping[Seat, int]) -> int | None:
    """Return what a deal paid a seat without buying in; None if it sat out."""
    if seat in deal.sits_out or seat not in deal.payouts:
        return None
    return deal.payouts[seat] - bought.get(seat, 0)


def deal_at(state: SessionState, number: int) -> DealRow | None:
    """Find a deal of a session by its number; None for the next one."""
    return queries.deals.deal(state.circle_id, state.session_id, number)


def deal_text(state: SessionTerms, deal: DealRow) -> Text:
    """Describe a deal of any outcome in a line."""
    return _deal_text(state, deal, state.sheet_of(deal))


def _deal_text(state: SessionTerms, deal: DealRow, sheet: Any) -> Text:
    if sheet is not None:
        return state.game.summary(sheet, replace(state.table_for(deal), paid=paid_by(deal)))
    words = OUTCOME_WORDS[Outcome(deal.outcome)]
    if deal.outcome == Outcome.PENALTY and deal.stored is not None:
        return say("%(what)s: %(name)s", what=words, name=state.names[int(deal.stored["offender"])])
    return words


#: Deals that a phone can go on for without a network.
MOST_AHEAD = 40


class NextDeal(NamedTuple):
    """The next deal: its number, its dealer, who sits out, its multiplier."""

    number: int
    dealer: str
    sits_out: tuple[str, ...]
    times: int


class NotPlayed(NamedTuple):
    """An outcome of a deal that is not played, and who deals then.

    With ``again`` the same dealer deals. ``more`` is the multiplier of the next deal; with
    ``compound`` it multiplies the one already carried over.
    """

    code: str
    name: Text
    hint: Text
    again: bool
    more: int
    compound: bool


def next_deal(state: SessionState) -> NextDeal | None:
    """Describe the next deal; None if the session has ended or too few are left for one."""
    if state.row.ended_at or not state.can_go_on:
        return None
    return NextDeal(
        number=state.row.next_number,
        dealer=state.names[state.now.turn.dealer],
        sits_out=tuple(state.names[seat] for seat in state.table().sits_out),
        times=state.now.turn.times,
    )


def ways_not_played(state: SessionState) -> list[NotPlayed]:
    """List the outcomes of the next deal if it is not played, each with who deals then."""
    return [_not_played(state, outcome) for outcome in state.game.outcomes(state.rules)]


def _not_played(state: SessionState, outcome: Outcome) -> NotPlayed:
    turn, once, twice = (
        state.game.turn_after(before, outcome, state.order, state.rules)
        for before in (state.now.turn, *(state.now.turn._replace(times=n) for n in (1, 2)))
    )
    name = state.names[turn.dealer]
    if turn.times > 1:
        hint = say(
            "%(name)s deals; the next deal counts %(times)s", name=name, times=often(turn.times)
        )
    elif turn.dealer == state.now.turn.dealer:
        hint = say("%(name)s deals again, nothing is scored", name=name)
    else:
        hint = say("%(name)s deals next, nothing is scored", name=name)
    return NotPlayed(
        code=outcome.value,
        name=OUTCOME_WORDS[outcome],
        hint=hint,
        again=turn.dealer == state.now.turn.dealer,
        more=once.times,
        compound=twice.times > max(once.times, 2),
    )


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


def ahead(state: SessionState) -> dict[str, Any]:
    """Return the next turns as JSON, for a phone without a network.

    They begin with deal ``number``, whose multiplier is ``times``; ``balances`` are those before
    it, after ``played`` deals. The turns are those of all at the table, also of those who are out.
    """
    turns = state.now.ahead(MOST_AHEAD, everybody=True) if next_deal(state) else ()
    key = state.circle_id, state.session_id
    return {
        "number": state.row.next_number,
        "times": state.now.turn.times,
        "dealer": state.now.turn.dealer,
        "active": state.table().active,
        "played": queries.deals.played_count(*key),
        "lowest": state.lowest_leads,
        "out": put_out([state])[state.session_id],
        "turns": [{"dealer": turn.dealer, "active": active} for turn, active in turns],
        "balances": queries.session.balances(*key),
    }


#: The newest deals among which one was played and stands, where somebody may buy in.
FEW = 8


class BuyInOffer(NamedTuple):
    """A side that is out after ``deal`` and may come back in, or that is ``back`` and may stay out.

    The deal is amended to ``sheet``, which pays ``payouts``; ``cost`` is what coming back takes.
    """

    deal: DealRow
    seen: int
    name: Text
    back: bool
    sheet: Any
    payouts: dict[Seat, int]
    cost: Text


def buy_in_offers(state: SessionState) -> list[BuyInOffer]:
    """List who may come back in after the last deal that was played, or stay out after all."""
    if not state.game.eliminates or state.row.ended_at:
        return []
    marks = queries.deals.newest_marks(state.circle_id, state.session_id, limit=FEW)
    for mark, deal in zip(marks, _deals(state, marks), strict=True):
        if deal.outcome == Outcome.PLAYED and not deal.voided:
            return list(_offers_after(state, deal, mark.reviews))
    return []


def _offers_after(state: SessionState, deal: DealRow, seen: int) -> Iterator[BuyInOffer]:
    sheet, table = state.sheet_of(deal), state.table_for(deal, with_balances=True)
    now = state.game.score(sheet, table)
    sides = {side[0]: side for side in state.game.sides(table.here, table.rules)}
    for seat, other in state.game.buy_ins(sheet, table).items():
        then = state.game.score(other, table)
        costs = [step for step in (*now.steps, *then.steps) if step.rule == "buy-in"]
        yield BuyInOffer(
            deal=deal,
            seen=seen,
            name=named(sides[seat], state.names),
            back=len(then.steps) < len(now.steps),
            sheet=other,
            payouts=then.payouts,
            cost=next(step.text for step in costs if seat in step.amounts),
        )


#: Written deals that a phone can put right without a network, the newest.
MOST_WRITTEN = 200


class WrittenDeal(NamedTuple):
    """A deal as it stands, its table, its sheet, and its number of reviews."""

    deal: DealRow
    table: Table[Any]
    sheet: Any
    seen: int


def slip_parts(state: SessionState) -> dict[int, dict[Seat, list[int]]]:
    """Return what each deal paid each seat by the columns of the game's slip."""
    parts = {}
    for deal, table, sheet, _ in written_deals(state) if state.game.slip else ():
        if sheet is not None:
            steps = state.game.score(sheet, table).steps
            parts[deal.number] = {
                seat: [
                    sum(step.amounts.get(seat, 0) for step in steps if step.rule in rules)
                    for _, rules in state.game.slip
                ]
                for seat in table.active
            }
    return parts


def written_deals(state: SessionState) -> list[WrittenDeal]:
    """List the deals of a session, newest first; ``sheet`` is None if one was not played."""
    marks = queries.deals.newest_marks(state.circle_id, state.session_id, limit=MOST_WRITTEN)
    return [
        WrittenDeal(deal, state.table_for(deal), state.sheet_of(deal), mark.reviews)
        for mark, deal in zip(marks, _deals(state, marks), strict=True)
    ]


def turns_after(state: SessionState, written: Sequence[WrittenDeal]) -> dict[int, dict[str, Any]]:
    """Return as JSON the next turn, by deals as if each were the last that stands; by 0 if none is.

    ``written`` begins with the newest. Those who are out have their turns, too.
    """
    evening, turns = replace(state.now, totals={}, last=None), {}
    turns[0] = evening.turn
    for deal, _, sheet, _ in reversed(written):
        turn = Turn(Seat(deal.dealer), evening.turn.times)
        entry = JudgedDeal(state.game, Outcome(deal.outcome), NO_TABLE, sheet)
        last = Deal(deal.number, turn, entry, terms=state.terms(deal.number, deal.serial))
        after = replace(evening, last=last)
        turns[deal.number] = after.turn
        evening = evening if deal.voided else after
    return {
        number: {
            "dealer": turn.dealer,
            "times": turn.times,
            "active": evening.here.active(state.game, turn.dealer),
        }
        for number, turn in turns.items()
    }
