"""Acts on a deal: those of `evening.acts`, undo, and writing what the cards prove."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import flash, redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.cards.games import stored_play
from scorer.errors import ConflictError, InvalidError
from scorer.evening.acts import ACTS, Accept, Amend, DealAct, Record, ReviewAct, Void, WrittenSheet
from scorer.roles import Role
from scorer.services.cards.tricks import Tricks, TricksEntry, open_tricks, write_tricks
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.deals.report import deal_report
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.pages import deal_url, forget_undo, session_url
from scorer.web.cards.replay import back_url
from scorer.web.cards.replay import pages as card_pages
from scorer.web.deals.blueprint import DEAL, carry_out, flash_changed, pages, recorded, saved
from scorer.web.deals.conflict import overtaken_page
from scorer.web.deals.forms import KeepTricksForm, VersionForm
from scorer.web.deals.report import report_page


def read_act(kind: type[DealAct], form: VersionForm) -> DealAct:
    """Read an act as the forms of a deal's page send it."""
    said: dict[str, Any] = {
        "version": form.version.data or 0,
        "reason": form.full_reason,
        "seen": form.seen.data or 0,
        "coded": form.right.data,
    }
    return kind(**{name: said[name] for name in kind.__dataclass_fields__.keys() & said.keys()})


def view_of(kind: type[DealAct]) -> Callable[..., ResponseReturnValue]:
    """Make the view that does an act, and goes back to the page that sent it."""

    def view(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
        form = VersionForm.sent()
        if issubclass(kind, Void):
            forget_undo()
        urls = {"session": session_url(circle_id, session_id)}

        def done() -> Done:
            act = read_act(kind, form)
            answer = deals.do(circle_id, session_id, number, act, by=current_holder())
            if kind is Accept:
                flash(gettext("Deal %(number)s is amended as proposed.", number=number), "ok")
            return answer

        def refused() -> str:
            return report_page(deal_report(circle_id, session_id, number), **{kind.shown: form})

        return carry_out(
            done,
            form,
            following=urls.get(form.back.data or "") or deal_url(circle_id, session_id, number),
            refused=refused if kind.shown else None,
            writes=not issubclass(kind, ReviewAct),
            overtaken=lambda: overtaken_page(circle_id, session_id, number, kind, form),
        )

    view.__name__ = kind.name
    return view


@pages.app_template_global("act_title")
def act_title(name: str, number: int) -> str:
    """Return what a button says that does something to a deal."""
    return in_words(ACTS[name].title(number))


for _kind in ACTS.values():
    _post = pages.post(f"{DEAL}/{_kind.name}", least=_kind.least, limit=_kind.limit)
    _post(view_of(_kind))


@pages.post(f"{DEAL}/undo", least=Role.SCOREKEEPER)
def undo(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    form = VersionForm.sent()
    form.reason.data = gettext("Taken back right after saving")

    def void() -> None:
        deals.do(circle_id, session_id, number, read_act(Void, form), by=current_holder())
        flash(gettext("Deal %(number)s no longer counts.", number=number), "ok")

    forget_undo()
    return carry_out(
        void,
        form,
        following=session_url(circle_id, session_id),
        overtaken=lambda: overtaken_page(circle_id, session_id, number, Void, form),
    )


@card_pages.post("/record", least=Role.SCOREKEEPER)
def record(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Record the deal under way as its cards prove it."""
    tricks = open_tricks(circle_id, session_id, number)

    def write() -> Done:
        sheet = WrittenSheet(tricks.proved())
        return recorded(session_id, Record(key=tricks.deal_id, number=number, sheet=sheet))

    return _attempt(tricks, write)


@card_pages.post("/amend", least=Role.SCOREKEEPER)
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Amend the sheet to what the cards prove."""
    tricks, form = open_tricks(circle_id, session_id, number), VersionForm.sent()
    version, reason, by = form.version.data or 0, gettext("As the cards show"), current_holder()

    def write() -> Done:
        amend = Amend(version=version, reason=reason, sheet=WrittenSheet(tricks.proved()))
        return deals.do(circle_id, session_id, number, amend, by=by)

    return _attempt(tricks, write)


def _attempt(tricks: Tricks, write: Callable[[], Done]) -> ResponseReturnValue:
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
