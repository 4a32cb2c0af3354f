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
from scorer.web.deals.pages import MOST_DEALS, offered_undo, place
from scorer.web.deals.under_way import started_by, started_words
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
    from scorer.services.open_table import OpenTable
    from scorer.services.score_sheet import ScoreSheet
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
    here = sheet.here
    return render_template(
        "sessions/show.html",
        **place(here),
        standings=_standings(sheet),
        upcoming=None if here.row.ended_at or not here.can_go_on else _upcoming(here),
        resting=None if here.row.ended_at else sitting_out_view(here),
        under_way=_under_way(sheet),
        disputes=dispute_views(sheet.disputes),
        asked=None if before else _asked(sheet),
        ending=ending_view(sheet),
        level=None if sheet.progress.finished else sheet.progress.why,
        **(_undo(here) if may("deals.undo") else NOTHING_SAVED),
        outcomes=_outcomes(here),
        has_caller="caller" in here.game.parts(here.rules),
        has_auction=here.game.start_type is not None,
        penalty=_penalty(here),
        seats=seat_views(here.names, here.table().active),
        chart=Chart(_in_a_sentence(sheet)) if sheet.deal_count else None,
        rows=sheet.rows,
        buys_in=any(cell.back for row in sheet.rows for cell in row.cells),
        opening=_opening(sheet),
        settlement=settlement_view(sheet),
        lines=lines_across(here),
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
    names, dealer, stake = sheet.names, sheet.here.turn.dealer, stake_of(sheet)
    ended, out = sheet.here.row.ended_at is not None, sheet.here.out
    dealing = {side[0] for side in sheet.sides if dealer in side and not ended}
    return [
        StandingView(
            place_,
            seat,
            names[seat],
            balance,
            stake and balance * stake,
            sheet.last.get(seat),
            here=seat in sheet.here.order,
            out=seat in out,
            deals_next=seat in dealing,
            leader=place_ == 1 and sheet.deal_count > 0,
        )
        for place_, seat, balance in sheet.standings
    ]


def _opening(sheet: ScoreSheet) -> list[int]:
    """The balances brought in, for the last page of the sheet; empty where nobody brought any."""
    opening = [sheet.here.opening[side[0]] for side in sheet.sides]
    return opening if any(opening) and not sheet.older else []


def _upcoming(here: OpenTable) -> Upcoming:
    active = here.table().active
    out = [seat for seat in here.order if seat not in active]
    dealer = here.turn.dealer
    return Upcoming(
        here.row.next_number,
        SeatView(dealer, here.names[dealer]),
        seat_views(here.names, out),
        here.turn.times,
    )


def _under_way(sheet: ScoreSheet) -> UnderWay | None:
    started = sheet.started
    if started is None:
        return None
    text = started_words(sheet.here, started.sheet)
    cards = engine.has(sheet.here.game)
    return UnderWay(started.number, text, started_by(started), started.at, cards)


def _asked(sheet: ScoreSheet) -> AskView | None:
    """Ask about the last deal, while nobody has confirmed it."""
    here, last = sheet.here, sheet.rows[0] if sheet.rows else None
    if last is None or not last.unconfirmed:
        return None
    deal = queries.deal(here.circle_id, here.session_id, last.number)
    if deal is None:
        return None
    seen = len(queries.reviews(here.circle_id, deal.deal_id))
    return ask_about(here, deal, facts(here, deal), seen=seen, waits=True)


def _undo(here: OpenTable) -> dict[str, Any]:
    """What this phone saved a moment ago, unless it was changed since."""
    offered = offered_undo(here.row)
    deal = queries.deal(here.circle_id, here.session_id, offered.number) if offered else None
    if deal is None or offered is None or deal.version != offered.version or deal.voided:
        return NOTHING_SAVED
    text = say("Undo deal %(number)s: %(what)s", number=deal.number, what=deal_text(here, deal))
    return {
        "undo": UndoView(deal.number, text, deal.version),
        "saved": say("Deal %(number)s is saved.", number=deal.number),
    }


def _outcomes(here: OpenTable) -> list[OutcomeView]:
    """The ways in which a deal isn't played, each with who deals next."""
    return [_outcome(here, outcome) for outcome in here.game.outcomes(here.rules)]


def _outcome(here: OpenTable, outcome: Outcome) -> OutcomeView:
    turn = here.game.turn_after(here.turn, outcome, here.order, here.rules)
    name = here.names[turn.dealer]
    if turn.times > 1:
        hint = say(
            "%(name)s deals; the next deal counts %(times)s times", name=name, times=turn.times
        )
    elif turn.dealer == here.turn.dealer:
        hint = say("%(name)s deals again, nothing is scored", name=name)
    else:
        hint = say("%(name)s deals next, nothing is scored", name=name)
    return OutcomeView(outcome.value, OUTCOME_WORDS[outcome], hint)


def _penalty(here: OpenTable) -> Penalty:
    table = here.table()
    offender = table.active[0]
    paid = here.game.penalty(offender, table).payouts
    fine, share = paid[offender], paid[table.active[-1]]
    told = {"fine": signed(fine), "share": signed(share)}
    if len(here.game.sides(table.active)) < len(table.active):
        return Penalty(say("%(fine)s for the offender’s side, %(share)s for the other", **told))
    return Penalty(say("%(fine)s for the offender, %(share)s for everybody else", **told))


def _in_a_sentence(sheet: ScoreSheet) -> Text:
    parts = ", ".join(f"{sheet.names[s.seat]} {signed(s.balance)}" for s in sheet.standings)
    return say(
        "Balances after %(count)s deals: %(balances)s", count=sheet.deal_count, balances=parts
    )
