"""The cards beside the sheet: what they prove, where they differ, and what is done about it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import flash, redirect, request
from flask_babel import gettext

from scorer.cards import engine
from scorer.errors import ConflictError, InvalidError
from scorer.services.deals import DealChange
from scorer.services.tricks import (
    TricksEntry,
    amend_by_tricks,
    open_tricks,
    record_by_tricks,
    write_tricks,
)
from scorer.web.access import current_holder
from scorer.web.deals.pages import keep_undo, sent_version
from scorer.web.filters import in_words
from scorer.web.tricks.pages import back_url, pages

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.tricks import Tricks


@pages.post("/record")
def record(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Write the deal under way on the sheet, as its cards prove it."""
    tricks = open_tricks(circle_id, session_id, number)

    def work() -> None:
        keep_undo(session_id, record_by_tricks(tricks, current_holder()))

    return _attempt(tricks, work)


@pages.post("/amend")
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend the sheet to what the cards prove: one tap."""
    tricks = open_tricks(circle_id, session_id, number)
    change = DealChange(number, sent_version().version.data or 0, gettext("As the cards show"))
    return _attempt(tricks, lambda: amend_by_tricks(tricks, change, current_holder()))


@pages.post("/keep")
def keep(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Keep the cards as they are, whatever they contradict, with a note."""
    tricks = open_tricks(circle_id, session_id, number)
    play, note = engine.stored_play(tricks.deal), request.form.get("note", "")
    entry = TricksEntry(number, request.form.get("seen", 0, type=int), play, note)
    return _attempt(tricks, lambda: write_tricks(session_id, entry, current_holder()))


def _attempt(tricks: Tricks, work: Callable[[], object]) -> ResponseReturnValue:
    """Do it, and go back to where one came from; what stands in the way is said there."""
    where = back_url(tricks)
    try:
        work()
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash(
            gettext(
                "Deal %(number)s was changed meanwhile: look at it first.", number=tricks.number
            ),
            "problem",
        )
    return redirect(where, HTTPStatus.SEE_OTHER)
