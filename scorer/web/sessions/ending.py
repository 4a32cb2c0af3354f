"""The end of a session: the winners, the next match, and the settlement in money."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import flash, redirect
from flask_babel import gettext

from scorer.errors import ConflictError
from scorer.ledger import settlement
from scorer.rules.sides import named
from scorer.services import sessions
from scorer.services.next_match import next_match, start_next_match
from scorer.texts import Text, joined, say
from scorer.web.access import current_holder
from scorer.web.deals.pages import last_page_url, session_url
from scorer.web.filters import in_words, money
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import SeatAmount, SeatView, amounts

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.score_sheet import ScoreSheet


@dataclass(frozen=True, slots=True)
class Ending:
    """The end that the rules set: who won, why, with which deal, and what comes next.

    ``points`` are victory points, where those are counted.
    """

    text: Text
    why: Text | None
    number: int
    points: list[SeatAmount]
    following: Following | None


@dataclass(frozen=True, slots=True)
class Following:
    """The next match: who deals first, and its address once it has begun."""

    dealer: str
    url: str | None


def ending_view(sheet: ScoreSheet) -> Ending | None:
    """Show the end that was reached, if one was."""
    state, progress, number = sheet.state, sheet.progress, sheet.state.row.finished_number
    if not progress.finished or number is None:
        return None
    terms = state.terms(number)
    sides = state.game.sides(terms.order, terms.rules)
    won = [
        in_words(named(side, state.names)) for side in sides if set(side) <= set(progress.winners)
    ]
    points, match = progress.victory_points, next_match(state)
    url = session_url(state.circle_id, match.session_id) if match.begun else None
    return Ending(
        text=say("The end is reached: %(winners)s won.", winners=joined(won)),
        why=progress.why,
        number=number,
        points=amounts(state.names, sides, points) if points else [],
        following=Following(state.names[match.dealer], url),
    )


class Payment(NamedTuple):
    """Somebody hands cents to somebody."""

    payer: SeatView
    payee: SeatView
    cents: int


class Settlement(NamedTuple):
    """Who hands what to whom, and what is left over where the balances don't cancel."""

    transfers: list[Payment]
    leftover: Text | None


def settlement_view(sheet: ScoreSheet) -> Settlement | None:
    """Say who hands what to whom, where a stake was agreed on and something was played."""
    stake = sheet.stake
    if not stake or not sheet.deal_count:
        return None
    names, totals = sheet.state.names, sheet.totals
    transfers = [
        Payment(
            SeatView(one.payer, names[one.payer]), SeatView(one.payee, names[one.payee]), one.cents
        )
        for one in settlement(totals, stake)
    ]
    return Settlement(transfers, _leftover(sum(totals.values()) * stake))


def _leftover(cents: int) -> Text | None:
    if cents > 0:
        return say(
            "The balances don’t cancel out: %(amount)s of what was won is owed by nobody. "
            "Who won shares what there is.",
            amount=money(cents),
        )
    if cents < 0:
        return say(
            "The balances don’t cancel out: %(amount)s of what was lost goes to nobody. "
            "Who lost shares what is to be paid.",
            amount=money(-cents),
        )
    return None


@pages.post(f"{SESSION}/end")
def end(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """End the session."""
    sessions.end_session(circle_id, session_id, by=current_holder())
    return redirect(last_page_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/next")
def start_next(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Start the next match, or go to it where it has begun."""
    try:
        following = start_next_match(circle_id, session_id, by=current_holder())
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    return redirect(session_url(circle_id, following), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/reopen")
def reopen(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Take the session up again."""
    sessions.reopen_session(circle_id, session_id, by=current_holder())
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
