"""What is done about the cards of a deal: record or amend the deal by them, or keep them anyway."""

from collections.abc import Callable
from http import HTTPStatus
from uuid import UUID

from flask import flash, redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError
from scorer.services.base.roles import Role
from scorer.services.book.writing import DealChange
from scorer.services.cards.tricks import Tricks, TricksEntry, open_tricks, write_tricks
from scorer.services.deals import deals
from scorer.services.deals.deals import DealEntry, Recorded
from scorer.services.deals.report import deal_report
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.pages import keep_undo
from scorer.web.cards.forms import KeepTricksForm
from scorer.web.cards.pages import back_url, pages
from scorer.web.deals.forms import VersionForm
from scorer.web.deals.pages import flash_changed, saved
from scorer.web.deals.report import report_page


@pages.post("/record", least=Role.SCOREKEEPER)
def record(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Record the deal under way as its cards prove it."""
    tricks = open_tricks(circle_id, session_id, number)

    def write() -> Recorded:
        entry = DealEntry(tricks.deal_id, number, tricks.proved())
        recorded = deals.record_deal(session_id, entry, current_holder(), loaded=tricks.state)
        keep_undo(session_id, recorded)
        return recorded

    return _attempt(tricks, write)


@pages.post("/amend", least=Role.SCOREKEEPER)
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend the sheet to what the cards prove."""
    tricks, form = open_tricks(circle_id, session_id, number), VersionForm.sent()
    change = DealChange(number, form.version.data or 0, gettext("As the cards show"))

    def write() -> Recorded:
        return deals.amend_deal(
            session_id, change, tricks.proved(), current_holder(), loaded=tricks.state
        )

    return _attempt(tricks, write)


def _attempt(tricks: Tricks, write: Callable[[], Recorded]) -> ResponseReturnValue:
    """Write by the cards and go back; flash what stands in the way."""
    try:
        return saved(back_url(tricks), write())
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash_changed(tricks.number)
    return redirect(back_url(tricks), HTTPStatus.SEE_OTHER)


@pages.post("/keep", least=Role.PLAYER)
def keep(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Keep the cards, whatever they contradict, with a note."""
    tricks, form = open_tricks(circle_id, session_id, number), KeepTricksForm.sent()
    play, seen = tricks.deal.stored_play(), form.seen.data or 0
    entry = TricksEntry(number, seen, play, form.note.data or "")
    try:
        write_tricks(session_id, entry, current_holder())
    except InvalidError as error:
        form.refuse(error.problems)
        page = report_page(deal_report(circle_id, session_id, number), form)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash_changed(number)
    return redirect(back_url(tricks), HTTPStatus.SEE_OTHER)
