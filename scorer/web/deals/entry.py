"""Writing a deal down: record, start, finish, amend, each with a preview from the same rules."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import abort, flash, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorer.cards import engine
from scorer.errors import ConflictError, InvalidError, NotFoundError
from scorer.rules.game import Outcome
from scorer.services import deals
from scorer.services.deals import DealChange, Entry
from scorer.services.reviews import review_count
from scorer.services.state import load_state
from scorer.services.what_if import sheet_what_if
from scorer.texts import signed
from scorer.web.access import current_holder
from scorer.web.deals.conflict import conflict_page
from scorer.web.deals.pages import (
    DEAL,
    deal_url,
    flash_changed,
    keep_undo,
    pages,
    place,
    session_url,
    wants_json,
)
from scorer.web.filters import in_words
from scorer.web.forms.deals import KeyedForm, OutcomeForm
from scorer.web.forms.sheets import deal_form
from scorer.web.views import SeatView, amounts, seat_views, side_views

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.rules.game import Table
    from scorer.services.state import SessionState
    from scorer.services.what_if import SheetWhatIf
    from scorer.storage.queries import DealRow
    from scorer.web.forms.deals import DealForm


@pages.get("/record")
def record(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask for the next deal, or for the rest of the one under way."""
    state = load_state(circle_id, session_id)
    if state.row.ended_at is not None or not state.can_go_on:
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    started = state.started
    mode = "start" if request.args.get("step") == "start" else "record"
    values, key = _carried(state.turn.times), uuid4()
    if started is not None:
        mode, key = "finish", started.deal_id
        values = deal_form(state.game).start_values(state.start_of(started.sheet))
    form = _filled(state, state.table(), values, key=key, number=state.row.next_number)
    return entry_page(state, form, mode)


def _carried(times: int) -> dict[str, str]:
    return {"times": str(times)} if times > 1 else {}


def _filled(
    state: SessionState, table: Table[Any], values: Mapping[str, str], **about: object
) -> DealForm:
    """Make an entry form as if a browser had sent these values."""
    sent = MultiDict({**values, **{name: str(value) for name, value in about.items()}})
    return deal_form(state.game).at(state.game, table, sent)


def _sent_form(state: SessionState, table: Table[Any]) -> DealForm:
    """Read the entry form that was sent; one that names no deal was not made by our page."""
    form = deal_form(state.game).at(state.game, table, request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    return form


@pages.post("/record")
def record_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write the deal down, once, however often the browser sends it."""
    state = load_state(circle_id, session_id)
    form = _sent_form(state, state.table())
    entry = Entry(*form.deal, form.sheet())
    try:
        recorded = deals.record_deal(session_id, entry, current_holder(), loaded=state)
        keep_undo(session_id, recorded)
    except (InvalidError, ConflictError) as error:
        return _not_saved(error, circle_id, session_id, form.deal[1], "record")
    return _saved(session_url(circle_id, session_id))


@pages.post("/record/start")
def start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write down what the auction said, for everybody to see."""
    state = load_state(circle_id, session_id)
    form = _sent_form(state, state.table())
    key, number = form.deal
    try:
        deals.start_deal(
            session_id,
            Entry(key, number, form.start()),
            current_holder(),
            instead_of=form.instead_of.data,
            loaded=state,
        )
    except (InvalidError, ConflictError) as error:
        return _not_saved(error, circle_id, session_id, number, "start")
    if form.action.data == "cards":
        address = url_for("tricks.enter", circle_id=circle_id, session_id=session_id, number=number)
        return _saved(address)
    return _saved(session_url(circle_id, session_id))


@pages.post("/record/forget")
def forget_start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Drop the deal under way, if it is still the one that the page showed."""
    form = KeyedForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    key, number = form.deal
    try:
        deals.forget_started(session_id, key, current_holder())
    except ConflictError:
        flash_changed(number)
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


@pages.post("/record/preview")
def preview(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Say what the form as it stands would pay; nothing is written."""
    state = load_state(circle_id, session_id)
    about = KeyedForm(request.form)
    if not about.validate():
        abort(HTTPStatus.BAD_REQUEST)
    deal, table = deals.find_table(state, about.deal[1])
    form, times = _sent_form(state, table), deals.times_for(state, deal)
    try:
        found = sheet_what_if(state.game, table, form.sheet(), times=times)
    except InvalidError as error:
        form.refuse(error.problems)
        return _problems_as_json(form)
    return jsonify(
        ok=True,
        made=found.score.made,
        headline=in_words(found.headline),
        notes=[in_words(note) for note in found.notes],
        payouts=[
            {"seat": paid.seat, "text": signed(paid.amount)}
            for paid in amounts(state.names, state.game.around(form.table), found.score.payouts)
            if paid.amount is not None
        ],
    )


@pages.get(f"{DEAL}/amend")
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Ask for a deal anew, with what stands in it."""
    state = load_state(circle_id, session_id)
    deal, table = deals.find_table(state, number)
    if deal is None:
        raise NotFoundError(number)
    sheet, found = state.sheet_of(deal), None
    times = deals.times_for(state, deal)
    values = _carried(times)
    if sheet is not None:
        values = deal_form(state.game).values(sheet)
        answers = state.game.write_sheet(sheet, state.names)
        with suppress(InvalidError):  # what is wrong with it by now is told when it is saved
            found = sheet_what_if(state.game, table, answers, times=times)
    form = _filled(
        state,
        table,
        values,
        key=deal.deal_id,
        number=number,
        version=deal.version,
        seen=review_count(circle_id, deal.deal_id),
    )
    return entry_page(state, form, "amend", deal=deal, preview=found)


@pages.post(f"{DEAL}/amend")
def amend_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    """Write the new version of a deal."""
    state = load_state(circle_id, session_id)
    _, table = deals.find_table(state, number)
    form = _sent_form(state, table)
    change = DealChange(number, form.version.data or 0, form.reason.data or "", form.seen.data)
    entry = Entry(form.deal[0], number, form.sheet())
    try:
        deals.amend_deal(session_id, change, entry, current_holder(), loaded=state)
    except (InvalidError, ConflictError) as error:
        return _not_saved(error, circle_id, session_id, number, "amend")
    return _saved(deal_url(circle_id, session_id, number))


def _saved(following: str) -> ResponseReturnValue:
    if wants_json():
        return jsonify(ok=True, next=following)
    return redirect(following, HTTPStatus.SEE_OTHER)


def _not_saved(
    error: InvalidError | ConflictError, circle_id: UUID, session_id: UUID, number: int, mode: str
) -> ResponseReturnValue:
    """Show the form with what was typed and what is wrong, or the two versions of a conflict."""
    state = load_state(circle_id, session_id)
    deal, table = deals.find_table(state, number)
    form = _sent_form(state, table)
    if isinstance(error, ConflictError):
        return conflict_page(state, number, form, mode), HTTPStatus.CONFLICT
    form.refuse(error.problems)
    if wants_json():
        return _problems_as_json(form)
    if mode == "record" and state.started is not None:
        mode = "finish"
    page = entry_page(state, form, mode, deal=deal if mode == "amend" else None)
    return page, HTTPStatus.UNPROCESSABLE_ENTITY


def _problems_as_json(form: DealForm) -> ResponseReturnValue:
    return jsonify(ok=False, problems=form.as_json()), HTTPStatus.UNPROCESSABLE_ENTITY


def entry_page(
    state: SessionState,
    form: DealForm,
    mode: str,
    *,
    deal: DealRow | None = None,
    preview: SheetWhatIf | None = None,
) -> str:
    """Show the form of a deal; ``mode`` is ``record``, ``start``, ``finish`` or ``amend``.

    ``deal`` is the one that is amended, ``preview`` what its sheet pays as it stands.
    """
    game, table = state.game, form.table
    dealer = deal.dealer if deal else state.turn.dealer
    out = deal.sits_out if deal else [seat for seat in state.order if seat not in table.active]
    return render_template(
        "deals/record.html",
        **place(state),
        form=form,
        mode=mode,
        dealer=SeatView(dealer, state.names[dealer]),
        sits_out=seat_views(state.names, out),
        sheet=form.questions(times=state.turn.times),
        sheet_template=form.template,
        columns=side_views(state.names, game.sides(table.active)),
        script=form.script,
        has_auction=game.start_type is not None,
        card_by_card=engine.has(game),
        preview=preview,
        paid=amounts(state.names, game.around(table), preview.score.payouts) if preview else [],
    )


@pages.post("/outcome")
def outcome(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Write down a deal that was not played, or a penalty: one tap."""
    state, form = load_state(circle_id, session_id), OutcomeForm(request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    key, number = form.deal
    became, sheet = Outcome(form.outcome.data), None
    if became is Outcome.PENALTY:
        names = {str(seat): name for seat, name in enumerate(state.names)}
        offender = names.get(form.offender.data or "")
        sheet = {"offender": offender} if offender else {}
    try:
        entry = Entry(key, number, sheet, became)
        recorded = deals.record_deal(session_id, entry, current_holder(), loaded=state)
        keep_undo(session_id, recorded)
    except InvalidError as error:
        flash(in_words(error.problems[0].message), "problem")
    except ConflictError:
        message = gettext(
            "Deal %(number)s was recorded meanwhile. Look before you go on.", number=number
        )
        flash(message, "problem")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
