"""The end of a session on its page: who won and why, the next match, playing on all the same."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import flash, redirect
from flask_babel import gettext

from scorer.errors import ConflictError
from scorer.rules.sides import named
from scorer.services import sessions
from scorer.services.next_match import next_match, start_next_match
from scorer.texts import Text, say
from scorer.web.deals.pages import session_url
from scorer.web.sessions.new import title_of_today
from scorer.web.sessions.pages import SESSION, pages
from scorer.web.views import SeatAmount, amounts, joined

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.score_sheet import ScoreSheet
    from scorer.services.state import SessionState


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
    sides = state.game.sides(state.terms(number).order)
    won = [named(side, state.names) for side in sides if set(side) <= set(progress.winners)]
    points = progress.victory_points
    return Ending(
        text=say("The end is reached: %(winners)s won.", winners=joined(won)),
        why=progress.why,
        number=number,
        points=amounts(state.names, sides, points) if points else [],
        following=_following(state),
    )


def _following(state: SessionState) -> Following:
    found = next_match(state)
    url = session_url(state.circle_id, found.session_id) if found.begun else None
    return Following(state.names[found.dealer], url)


@pages.post(f"{SESSION}/end")
def end(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """End the session."""
    sessions.end_session(circle_id, session_id)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/next")
def start_next(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Start the next match, or go to it where it has begun."""
    try:
        following = start_next_match(circle_id, session_id, title=title_of_today())
    except ConflictError:
        flash(gettext("Something was written meanwhile. Look before you go on."), "problem")
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    return redirect(session_url(circle_id, following), HTTPStatus.SEE_OTHER)


@pages.post(f"{SESSION}/reopen")
def reopen(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Take the session up again."""
    sessions.reopen_session(circle_id, session_id)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
