"""Acts on a deal: void, restore, review, undo, accept a proposal, write what the cards prove."""

from collections.abc import Callable
from functools import partial, update_wrapper
from http import HTTPStatus
from uuid import UUID

from flask import flash, redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.cards.games import stored_play
from scorer.errors import ConflictError, InvalidError
from scorer.roles import Role
from scorer.services.base.author import Holder
from scorer.services.cards.tricks import Tricks, TricksEntry, open_tricks, write_tricks
from scorer.services.deals import deals, reviews
from scorer.services.deals.deals import DealEntry, RecordedDeal
from scorer.services.deals.report import deal_report
from scorer.services.session.writing import DealChange
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.pages import deal_url, forget_undo, keep_undo, session_url
from scorer.web.cards.pages import back_url
from scorer.web.cards.pages import pages as card_pages
from scorer.web.deals.conflict import overtaken_page
from scorer.web.deals.forms import KeepTricksForm, VersionForm
from scorer.web.deals.pages import DEAL, carry_out, flash_changed, pages, saved
from scorer.web.deals.report import report_page

Do = Callable[[UUID, DealChange, Holder], RecordedDeal | bool]

#: What a form of a deal's page does, who may do it, and the form of that page which shows its
#: problems; without one they are flashed.
ACTS: dict[str, tuple[Do, Role, str]] = {
    "void": (deals.void_deal, Role.SCOREKEEPER, "void"),
    "restore": (deals.restore_deal, Role.SCOREKEEPER, "void"),
    "dispute": (partial(reviews.review_deal, reviews.DISPUTE), Role.PLAYER, "dispute"),
    "confirm": (partial(reviews.review_deal, reviews.CONFIRM), Role.PLAYER, "dispute"),
    "uphold": (partial(reviews.review_deal, reviews.UPHOLD), Role.SCOREKEEPER, "uphold"),
    "withdraw": (reviews.withdraw_dispute, Role.PLAYER, "dispute"),
    "accept": (deals.accept_proposal, Role.SCOREKEEPER, ""),
}


def act(name: str, circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Carry out the act of a form on a deal, and go back to the page that sent it."""
    form, (do, _, shown) = VersionForm.sent(), ACTS[name]
    change = DealChange(
        number=number,
        version=form.version.data or 0,
        reason=form.full_reason,
        seen=None if shown == "void" else form.seen.data or 0,
        proposed_form=form.right.data,
    )
    if shown == "void":
        forget_undo()
    in_session = form.back.data == "session"

    def done() -> RecordedDeal | bool:
        answer = do(session_id, change, current_holder())
        if name == "accept":
            flash(gettext("Deal %(number)s is amended as proposed.", number=number), "ok")
        return answer

    def refused() -> str:
        return report_page(deal_report(circle_id, session_id, number), **{shown: form})

    return carry_out(
        done,
        form,
        following=session_url(circle_id, session_id)
        if in_session
        else deal_url(circle_id, session_id, number),
        refused=refused if shown else None,
        overtaken=lambda: overtaken_page(circle_id, session_id, number, name, form),
    )


for _name, (_, _least, _shown) in ACTS.items():
    # The check of tokens reads the __name__ of a view, which a partial has not.
    _view = update_wrapper(partial(act, _name), act)
    _limit = "dispute" if _name == "dispute" else ()
    pages.post(f"{DEAL}/{_name}", endpoint=_name, least=_least, limit=_limit)(_view)


@pages.post(f"{DEAL}/undo", least=Role.SCOREKEEPER)
def undo(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    form = VersionForm.sent()
    form.reason.data = gettext("Taken back right after saving")

    def void() -> None:
        change = DealChange(number, form.version.data or 0, form.full_reason)
        deals.void_deal(session_id, change, current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")

    forget_undo()
    return carry_out(
        void,
        form,
        following=session_url(circle_id, session_id),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, "void", form),
    )


@card_pages.post("/record", least=Role.SCOREKEEPER)
def record(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Record the deal under way as its cards prove it."""
    tricks = open_tricks(circle_id, session_id, number)

    def write() -> RecordedDeal:
        entry = DealEntry(tricks.deal_id, number, tricks.proved())
        recorded = deals.record_deal(tricks.state, entry, current_holder())
        keep_undo(session_id, recorded)
        return recorded

    return _attempt(tricks, write)


@card_pages.post("/amend", least=Role.SCOREKEEPER)
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend the sheet to what the cards prove."""
    tricks, form = open_tricks(circle_id, session_id, number), VersionForm.sent()
    change = DealChange(number, form.version.data or 0, gettext("As the cards show"))

    state, by = tricks.state, current_holder()
    return _attempt(tricks, lambda: deals.amend_deal(state, change, tricks.proved(), by))


def _attempt(tricks: Tricks, write: Callable[[], RecordedDeal]) -> ResponseReturnValue:
    """Write what the cards prove and go back; flash the problems."""
    try:
        return saved(back_url(tricks), write())
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        flash_changed(tricks.number)
    return redirect(back_url(tricks), HTTPStatus.SEE_OTHER)


@card_pages.post("/keep", least=Role.PLAYER)
def keep(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Store the cards with a note, though they contradict the sheet."""
    tricks, form = open_tricks(circle_id, session_id, number), KeepTricksForm.sent()
    play, seen = stored_play(tricks.board), form.seen.data or 0
    entry = TricksEntry(number, seen, play, form.note.data or "")
    try:
        if not form.attempt(write_tricks, session_id, entry, current_holder()):
            page = report_page(deal_report(circle_id, session_id, number), form)
            return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        flash_changed(number)
    return redirect(back_url(tricks), HTTPStatus.SEE_OTHER)
