"""Writing a deal down: record, start, finish, amend, each with a preview from the same rules."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from flask import abort, flash, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext

from scorer.cards import engine
from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.rules.game import Outcome
from scorer.services import deals
from scorer.services.deals import DealChange, Entry
from scorer.services.state import load_state, times_of
from scorer.storage import queries
from scorer.web.access import current_holder
from scorer.web.deals.conflict import conflict_page
from scorer.web.deals.pages import (
    DEAL,
    MOST_DEALS,
    deal_url,
    keep_undo,
    pages,
    place,
    session_url,
    wants_json,
)
from scorer.web.deals.previewing import preview_of
from scorer.web.filters import in_words
from scorer.web.sheets import sheet_form
from scorer.web.views import SeatView, by_field, seat_views, side_views

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.rules.game import Table
    from scorer.services.state import SessionState
    from scorer.web.deals.previewing import Preview
    from scorer.web.sheets import Answers


@dataclass(frozen=True, slots=True)
class EntryView:
    """Which deal is being written, and in which way."""

    mode: str
    number: int
    dealer: SeatView
    sits_out: list[SeatView]
    key: str
    version: int | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """What a browser sent: which deal it means, and what the phone saw of it."""

    key: UUID
    number: int
    version: int
    seen: int | None
    reason: str


def read_sent() -> Sent:
    """Read which deal a form means; one that doesn't say so was not made by our page."""
    try:
        key = UUID(request.form["key"])
        number = int(request.form["number"])
        version = int(request.form.get("version") or 0)
    except (ValueError, KeyError):
        abort(HTTPStatus.BAD_REQUEST)
    if not 0 <= number <= MOST_DEALS:
        abort(HTTPStatus.BAD_REQUEST)
    seen = request.form.get("seen", type=int)
    return Sent(key, number, version, seen, request.form.get("reason", ""))


def sent_form(state: SessionState) -> Answers:
    """Read the rest of the form as the game asks it."""
    return sheet_form(state.game)(request.form)


@pages.get("/record")
def record(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask for the next deal, or for the rest of the one under way."""
    state = load_state(circle_id, session_id)
    if state.row.ended_at is not None or not state.can_go_on:
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    started = queries.started_deal(circle_id, session_id)
    if started is not None:
        view = _entry_view(state, "finish", key=str(started.deal_id))
        known = sheet_form(state.game).start_values(state.start_of(started.sheet))
        return entry_page(state, view, known)
    mode = "start" if request.args.get("step") == "start" else "record"
    return entry_page(state, _entry_view(state, mode), _carried(state.turn.times))


def _carried(times: int) -> dict[str, str]:
    return {"times": str(times)} if times > 1 else {}


@pages.post("/record")
def record_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write the deal down, once, however often the browser sends it."""
    sent = read_sent()
    entry = Entry(sent.key, sent.number, lambda state: sent_form(state).sheet(state.table()))

    def work() -> None:
        keep_undo(session_id, deals.record_deal(session_id, entry, current_holder()))

    def view(state: SessionState) -> EntryView:
        return _entry_view(state, "record", key=str(sent.key), number=sent.number)

    return _attempt(circle_id, session_id, sent, work, view)


@pages.post("/record/start")
def start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write down what the auction said, for everybody to see."""
    sent = read_sent()
    entry = Entry(sent.key, sent.number, lambda state: sent_form(state).start(state.table()))

    instead_of = request.form.get("instead_of", type=UUID)

    def work() -> None:
        deals.start_deal(session_id, entry, current_holder(), instead_of=instead_of)

    def view(state: SessionState) -> EntryView:
        return _entry_view(state, "start", key=str(sent.key), number=sent.number)

    following = ""
    if request.form.get("action") == "cards":
        following = url_for(
            "tricks.enter", circle_id=circle_id, session_id=session_id, number=sent.number
        )
    return _attempt(circle_id, session_id, sent, work, view, following=following)


@pages.post("/record/forget")
def forget_start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Drop the deal under way."""
    deals.forget_started(session_id, current_holder())
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post("/record/preview")
def preview(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Say what the form as it stands would pay; nothing is written."""
    state = load_state(circle_id, session_id)
    form, table = sent_form(state), _table_of(state, read_sent().number)
    try:
        shown = preview_of(state, table, form.sheet(table))
    except InvalidError as error:
        return _problems_as_json(state, table, error.problems)
    return jsonify(shown.as_json())


@pages.get(f"{DEAL}/amend")
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Ask for a deal anew, with what stands in it."""
    state = load_state(circle_id, session_id)
    deal = _find_deal(state, number)
    table, sheet = state.table_for(deal, with_balances=True), state.sheet_of(deal)
    view = _amend_view(state, deal)
    if sheet is None:
        return entry_page(state, view, _carried(times_of(state, number)))
    shown = preview_of(state, table, state.game.write_sheet(sheet, state.names))
    return entry_page(state, view, sheet_form(state.game).values(sheet), preview=shown)


@pages.post(f"{DEAL}/amend")
def amend_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Write the new version of a deal."""
    sent = read_sent()
    change = DealChange(number, sent.version, sent.reason, sent.seen)
    entry = Entry(sent.key, number, lambda state: sent_form(state).sheet(_table_of(state, number)))

    def work() -> None:
        deals.amend_deal(session_id, change, entry, current_holder())

    def view(state: SessionState) -> EntryView:
        return _amend_view(state, _find_deal(state, number), sent)

    following = deal_url(circle_id, session_id, number)
    return _attempt(circle_id, session_id, sent, work, view, following=following)


def _attempt(
    circle_id: UUID,
    session_id: UUID,
    sent: Sent,
    work: Callable[[], None],
    view: Callable[[SessionState], EntryView],
    *,
    following: str = "",
) -> ResponseReturnValue:
    """Do what was asked and go on; problems and conflicts come back with what was typed.

    The session is opened by the work itself, and here only where something is to be shown.
    """
    try:
        work()
    except InvalidError as error:
        state = load_state(circle_id, session_id)
        if wants_json():
            table = _table_of(state, sent.number)
            return _problems_as_json(state, table, error.problems)
        page = entry_page(state, view(state), request.form, problems=error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        state = load_state(circle_id, session_id)
        page = conflict_page(state, sent.number, sent_form(state), view(state).mode)
        return page, HTTPStatus.CONFLICT
    following = following or session_url(circle_id, session_id)
    if wants_json():
        return jsonify(ok=True, next=following)
    return redirect(following, HTTPStatus.SEE_OTHER)


def _problems_as_json(
    state: SessionState, table: Table[Any], problems: Sequence[Problem]
) -> ResponseReturnValue:
    placed = sheet_form(state.game).placed(problems, table)
    listed = [
        {"field": field, "message": in_words(message)}
        for field, messages in by_field(placed, {}).items()
        for message in messages
    ]
    return jsonify(ok=False, problems=listed), HTTPStatus.UNPROCESSABLE_ENTITY


def entry_page(
    state: SessionState,
    view: EntryView,
    filled: Mapping[str, str],
    *,
    problems: Sequence[Problem] = (),
    preview: Preview | None = None,
) -> str:
    """Show the form of a deal."""
    form = sheet_form(state.game)
    table = _table_of(state, view.number)
    times = max(state.turn.times, 2 if filled.get("times", "1") not in {"", "1"} else 1)
    return render_template(
        "deals/record.html",
        **place(state),
        entry=view,
        sheet=form.questions(table, filled, times=times),
        sheet_template=form.template,
        columns=side_views(state.names, state.game.sides(table.active)),
        script=form.script,
        has_auction=state.game.start_type is not None,
        card_by_card=engine.has(state.game),
        values=filled,
        problems=by_field(form.placed(problems, table), {}),
        preview=preview,
    )


def _entry_view(state: SessionState, mode: str, *, key: str = "", number: int = 0) -> EntryView:
    table = state.table()
    out = [seat for seat in state.order if seat not in table.active]
    return EntryView(
        mode,
        number or state.row.next_number,
        SeatView(state.turn.dealer, state.names[state.turn.dealer]),
        seat_views(state.names, out),
        key or str(uuid4()),
    )


def _amend_view(state: SessionState, deal: queries.DealRow, sent: Sent | None = None) -> EntryView:
    said = len(queries.reviews(state.circle_id, deal.deal_id))
    return EntryView(
        "amend",
        deal.number,
        SeatView(deal.dealer, state.names[deal.dealer]),
        seat_views(state.names, deal.sits_out),
        str(deal.deal_id),
        sent.version if sent else deal.version,
        sent.seen if sent else said,
    )


def _find_deal(state: SessionState, number: int) -> queries.DealRow:
    deal = queries.deal(state.circle_id, state.session_id, number)
    if deal is None:
        raise NotFoundError(number)
    return deal


def _table_of(state: SessionState, number: int) -> Table[Any]:
    """The people of the deal of that number: of one on the sheet, or of the next."""
    deal = queries.deal(state.circle_id, state.session_id, number)
    return state.table() if deal is None else state.table_for(deal, with_balances=True)


@pages.post("/outcome")
def outcome(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write down a deal that was not played, or a penalty: one tap."""
    state = load_state(circle_id, session_id)
    sent = read_sent()
    entry = Entry(sent.key, sent.number, *_what_became(state))
    try:
        keep_undo(session_id, deals.record_deal(session_id, entry, current_holder()))
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        message = gettext(
            "Deal %(number)s was recorded meanwhile. Look before you go on.", number=sent.number
        )
        flash(message, "problem")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _what_became(state: SessionState) -> tuple[dict[str, str] | None, Outcome]:
    """Read which outcome was tapped, and who is to pay a penalty."""
    offender = request.form.get("offender", type=int)
    became = request.form.get("outcome", type=Outcome)
    if became in (None, Outcome.PLAYED):
        abort(HTTPStatus.BAD_REQUEST)
    if became is not Outcome.PENALTY:
        return None, became
    if offender is None or not 0 <= offender < len(state.names):
        return {}, became
    return {"offender": state.names[offender]}, became
