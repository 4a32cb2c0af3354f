"""A session's own page: standings, the next deal, the chart, the score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import render_template, request

from scorer.cards import engine
from scorer.services.deal_report import facts
from scorer.services.score_sheet import OUTCOME_WORDS, deal_text, score_sheet
from scorer.storage import queries
from scorer.texts import Text, say, signed
from scorer.web.access import may
from scorer.web.deals.asking import ask_about, dispute_views
from scorer.web.deals.pages import offered_undo, place
from scorer.web.deals.under_way import started_by, started_words
from scorer.web.forms.deals import MOST_DEALS
from scorer.web.sessions.change_log import lines_across
from scorer.web.sessions.ending import ending_view
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.sessions.settling import settlement_view, stake_of
from scorer.web.sessions.sitting_out import sitting_out_view
from scorer.web.views import SeatView, seat_views

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.game import Outcome
    from scorer.services.score_sheet import ScoreSheet
    from scorer.services.state import SessionState
    from scorer.web.deals.asking import AskView

NOTHING_SAVED = {"undo": None, "saved": None}


@dataclass(frozen=True, slots=True)
class StandingView:
    """A line of the standings; ``cents`` is what the balance is worth, where money is played for.

    ``here`` is False for somebody who has left the table, ``out`` says who is out.
    """

    place: int
    seat: int
    name: str
    balance: int
    cents: int | None
    last: int | None
    here: bool
    out: bool
    deals_next: bool
    leader: bool


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The next deal: its number, who deals it, who sits out, how many times it counts."""

    number: int
    dealer: SeatView
    sits_out: list[SeatView]
    times: int


@dataclass(frozen=True, slots=True)
class UnderWay:
    """The deal being played."""

    number: int
    text: Text
    by: Text | str | None
    at: datetime
    cards: bool


@dataclass(frozen=True, slots=True)
class UndoView:
    """What this phone may take back."""

    number: int
    text: Text
    version: int


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """A way in which a deal is not played."""

    code: str
    name: Text
    hint: Text


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a penalty costs."""

    text: Text


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart beside the table of the same numbers."""

    alt: Text


@dataclass(frozen=True, slots=True)
class Total:
    """A balance at the foot of a column."""

    seat: int
    name: str
    balance: int


@pages.get(f"{SESSION}/")
def show(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show where the session stands."""
    asked = request.args.get("before", 0, type=int)
    before = asked if 0 < asked <= MOST_DEALS else None
    return session_page(score_sheet(circle_id, session_id, before), before)


def session_page(sheet: ScoreSheet, before: int | None) -> str:
    """Show a session: standings, the next deal, the chart, the sheet."""
    state = sheet.state
    return render_template(
        "sessions/show.html",
        **place(state),
        standings=_standings(sheet),
        upcoming=None if state.row.ended_at or not state.can_go_on else _upcoming(state),
        resting=None if state.row.ended_at else sitting_out_view(state),
        under_way=_under_way(sheet),
        disputes=dispute_views(sheet.disputes),
        asked=None if before else _asked(sheet),
        ending=ending_view(sheet),
        level=None if sheet.progress.finished else sheet.progress.why,
        **(_undo(state) if may("deals.undo") else NOTHING_SAVED),
        outcomes=_outcomes(state),
        has_caller="caller" in state.game.parts(state.rules),
        has_auction=state.game.start_type is not None,
        penalty=_penalty(state),
        seats=seat_views(state.names, state.table().active),
        chart=Chart(_in_a_sentence(sheet)) if sheet.deal_count else None,
        rows=sheet.rows,
        buys_in=any(cell.back for row in sheet.rows for cell in row.cells),
        opening=_opening(sheet),
        settlement=settlement_view(sheet),
        lines=lines_across(state),
        totals=[
            Total(s.seat, sheet.names[s.seat], s.balance)
            for s in sorted(sheet.standings, key=lambda s: s.seat)
        ],
        show="balances" if request.args.get("show") == "balances" else "payouts",
        before=before,
        older=sheet.older,
        newer=sheet.newer,
        first=sheet.rows[-1].number if sheet.rows else 0,
        last=sheet.rows[0].number if sheet.rows else 0,
        deal_count=sheet.deal_count,
        new_key=str(uuid4()),
    )


def _standings(sheet: ScoreSheet) -> list[StandingView]:
    names, dealer, stake = sheet.names, sheet.state.turn.dealer, stake_of(sheet)
    ended, out = sheet.state.row.ended_at is not None, sheet.state.out
    dealing = {side[0] for side in sheet.sides if dealer in side and not ended}
    return [
        StandingView(
            place_,
            seat,
            names[seat],
            balance,
            stake and balance * stake,
            sheet.last.get(seat),
            here=seat in sheet.state.order,
            out=seat in out,
            deals_next=seat in dealing,
            leader=place_ == 1 and sheet.deal_count > 0,
        )
        for place_, seat, balance in sheet.standings
    ]


def _opening(sheet: ScoreSheet) -> list[int]:
    """The balances brought in, for the last page of the sheet; empty where nobody brought any."""
    opening = [sheet.state.opening[side[0]] for side in sheet.sides]
    return opening if any(opening) and not sheet.older else []


def _upcoming(state: SessionState) -> Upcoming:
    active = state.table().active
    out = [seat for seat in state.order if seat not in active]
    dealer = state.turn.dealer
    return Upcoming(
        state.row.next_number,
        SeatView(dealer, state.names[dealer]),
        seat_views(state.names, out),
        state.turn.times,
    )


def _under_way(sheet: ScoreSheet) -> UnderWay | None:
    started = sheet.started
    if started is None:
        return None
    text = started_words(sheet.state, started.sheet)
    cards = engine.has(sheet.state.game)
    return UnderWay(started.number, text, started_by(started), started.at, cards)


def _asked(sheet: ScoreSheet) -> AskView | None:
    """Ask about the last deal, while nobody has confirmed it."""
    state, last = sheet.state, sheet.rows[0] if sheet.rows else None
    if last is None or not last.unconfirmed:
        return None
    deal = queries.deal(state.circle_id, state.session_id, last.number)
    if deal is None:
        return None
    seen = len(queries.reviews(state.circle_id, deal.deal_id))
    return ask_about(state, deal, facts(state, deal), seen=seen, waits=True)


def _undo(state: SessionState) -> dict[str, Any]:
    """What this phone saved a moment ago, unless it was changed since."""
    offered = offered_undo(state.row)
    deal = queries.deal(state.circle_id, state.session_id, offered.number) if offered else None
    if deal is None or offered is None or deal.version != offered.version or deal.voided:
        return NOTHING_SAVED
    text = say("Undo deal %(number)s: %(what)s", number=deal.number, what=deal_text(state, deal))
    return {
        "undo": UndoView(deal.number, text, deal.version),
        "saved": say("Deal %(number)s is saved.", number=deal.number),
    }


def _outcomes(state: SessionState) -> list[OutcomeView]:
    """The ways in which a deal isn't played, each with who deals next."""
    return [_outcome(state, outcome) for outcome in state.game.outcomes(state.rules)]


def _outcome(state: SessionState, outcome: Outcome) -> OutcomeView:
    turn = state.game.turn_after(state.turn, outcome, state.order, state.rules)
    name = state.names[turn.dealer]
    if turn.times > 1:
        hint = say(
            "%(name)s deals; the next deal counts %(times)s times", name=name, times=turn.times
        )
    elif turn.dealer == state.turn.dealer:
        hint = say("%(name)s deals again, nothing is scored", name=name)
    else:
        hint = say("%(name)s deals next, nothing is scored", name=name)
    return OutcomeView(outcome.value, OUTCOME_WORDS[outcome], hint)


def _penalty(state: SessionState) -> Penalty:
    table = state.table()
    offender = table.active[0]
    paid = state.game.penalty(offender, table).payouts
    fine, share = paid[offender], paid[table.active[-1]]
    told = {"fine": signed(fine), "share": signed(share)}
    if len(state.game.sides(table.active)) < len(table.active):
        return Penalty(say("%(fine)s for the offender’s side, %(share)s for the other", **told))
    return Penalty(say("%(fine)s for the offender, %(share)s for everybody else", **told))


def _in_a_sentence(sheet: ScoreSheet) -> Text:
    parts = ", ".join(f"{sheet.names[s.seat]} {signed(s.balance)}" for s in sheet.standings)
    return say(
        "Balances after %(count)s deals: %(balances)s", count=sheet.deal_count, balances=parts
    )
