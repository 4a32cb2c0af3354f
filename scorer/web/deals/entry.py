"""The entry form of a deal: record, start, finish, amend; and the preview of what it pays."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from json import dumps
from typing import Any
from uuid import UUID, uuid4

from flask import abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorer.cards.games import supports_cards
from scorer.errors import ConflictError, InvalidError, Problem
from scorer.evening.acts import Amend, Record, WrittenSheet
from scorer.evening.session_acts import Cancel, Resume, Start
from scorer.roles import Role
from scorer.rules.game import Table, Turn
from scorer.services.deals import deals
from scorer.services.deals.score_sheet import next_deal, ways_not_played
from scorer.services.deals.what_if import SheetWhatIf, sheet_what_if
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.texts import signed
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.pages import (
    SeatView,
    amounts,
    deal_url,
    keep_cancelled,
    place,
    seat_views,
    session_url,
    side_views,
    wants_json,
)
from scorer.web.deals.blueprint import (
    DEAL,
    EntryMode,
    changed_text,
    end_writing,
    flash_changed,
    pages,
    problems_as_json,
    recorded,
    saved,
)
from scorer.web.deals.conflict import conflict_page
from scorer.web.deals.entry_forms import deal_form
from scorer.web.deals.forms import DealForm, KeyedForm, sent_deal
from scorer.web.deals.phone_data import phone_data


@pages.get("/record", least=Role.SCOREKEEPER, kept=True)
def record(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Ask for the next deal, or for the rest of the one under way.

    With ``form`` a phone gets the form also after the end, to amend deals without a network.
    """
    state = load_state(circle_id, session_id)
    if "form" not in request.args and next_deal(state) is None:
        return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)
    mode = EntryMode.START if request.args.get("step") == "start" else EntryMode.RECORD
    started, key, turn = state.started, uuid4(), state.evening.turn
    if started is not None:
        values = deal_form(state.game).start_values(state.start_of(started.stored, state.rules))
        mode, key = EntryMode.FINISH, started.deal_id
    else:
        values = _carried(turn.times)
    table, spoken = state.table(), None
    if "said" in request.args:
        known = {**values, **request.args}
        answers, rest = deal_form(state.game).heard(known["said"], table, known)
        values, spoken = {**values, **answers}, {"answers": answers, "rest": rest}
    may_come = state.game.buy_in_allowed(table.rules)  # perhaps without a network
    asked = replace(table, active=table.here) if may_come else table
    form = _filled(state, asked, values, key=key, number=state.row.next_number)
    return _entry_page(state, turn, form, mode, table=table, spoken=spoken)


def _carried(times: int) -> dict[str, str]:
    return {"times": str(times)} if times > 1 else {}


def _filled(
    state: SessionState, table: Table[Any], values: Mapping[str, str], **about: object
) -> DealForm:
    """Build an entry form from values as a browser sends them."""
    sent = MultiDict({**values, **{name: str(value) for name, value in about.items()}})
    return deal_form(state.game).at(state.game, table, sent)


def _sent_form(state: SessionState, table: Table[Any]) -> DealForm:
    """Read the entry form that was sent; abort with 400 if it names no deal."""
    form = deal_form(state.game).at(state.game, table, request.form)
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    return form


@pages.post("/record", least=Record.least)
def record_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Record the deal; the same key sent again records nothing more."""
    state = load_state(circle_id, session_id)
    form = _sent_form(state, state.table())
    key, number = form.deal
    act = Record(key=key, number=number, sheet=WrittenSheet(form.sheet()))
    try:
        return saved(session_url(circle_id, session_id), recorded(session_id, act))
    except (InvalidError, ConflictError) as error:
        return _not_saved(state, error, number, EntryMode.RECORD)


@pages.post(f"/record/{Start.name}", least=Start.least)
def start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Store the result of the auction, for every phone of the session."""
    state = load_state(circle_id, session_id)
    form = _sent_form(state, state.table())
    key, number = form.deal
    try:
        replaced = form.instead_of.data
        act = Start(key=key, number=number, sheet=form.start(), instead_of=replaced)
        do(circle_id, session_id, act, by=current_holder())
    except (InvalidError, ConflictError) as error:
        return _not_saved(state, error, number, EntryMode.START)
    end_writing(number)
    address = session_url(circle_id, session_id)
    if form.action.data == "cards":
        address = url_for("tricks.enter", circle_id=circle_id, session_id=session_id, number=number)
    return saved(address)


@pages.post(f"/record/{Cancel.name}", endpoint="cancel_start", least=Cancel.least)
@pages.post(f"/record/{Resume.name}", endpoint="resume_start", least=Resume.least)
def change_start(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Cancel the start of the deal under way, or resume the one that was cancelled last.

    Nothing is done if it is no longer the one that the page showed.
    """
    form, following, by = KeyedForm.sent(), session_url(circle_id, session_id), current_holder()
    key, number = form.deal
    try:
        if request.endpoint == "deals.resume_start":
            deals.resume_start(session_id, key, by)
        else:
            do(circle_id, session_id, Cancel(key=key), by=by)
            keep_cancelled(session_id, key)
    except ConflictError:
        if wants_json():
            form.refuse([Problem("changed-meanwhile", "", changed_text(number))])
            return problems_as_json(form)
        flash_changed(number)
        return redirect(following, HTTPStatus.SEE_OTHER)
    return saved(following)


@pages.post("/record/preview", least=Role.SCOREKEEPER, limit="preview")
def preview(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Return as JSON what the form as it stands would pay, or its problems."""
    state = load_state(circle_id, session_id)
    table, turn = deals.deal_table(state, sent_deal()[1])
    form = _sent_form(state, table)
    try:
        preview = sheet_what_if(state.game, table, form.sheet(), times=turn.times)
    except InvalidError as error:
        form.refuse(error.problems)
        return problems_as_json(form)
    return jsonify(
        ok=True,
        made=preview.score.made,
        headline=in_words(preview.headline),
        notes=[in_words(note) for note in preview.notes],
        payouts=[
            {"seat": paid.seat, "text": signed(paid.amount, burden=state.counted)}
            for paid in amounts(state.names, state.game.around(form.table), preview.score.payouts)
            if paid.amount is not None
        ],
    )


@pages.get(f"{DEAL}/amend", least=Role.SCOREKEEPER)
def amend(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    deal = state.evening.deal(number)
    table, turn = deals.deal_table(state, number)
    sheet, preview = deal.entry.played, None
    values = _carried(turn.times)
    if sheet is not None:
        values = deal_form(state.game).values(sheet)
        answers = state.game.write_sheet(sheet, state.names)
        with suppress(InvalidError):  # what is wrong with it by now is told when it is saved
            preview = sheet_what_if(state.game, table, answers, times=turn.times)
    form = _filled(
        state,
        table,
        values,
        key=deal.deal_id,
        number=number,
        version=deal.version,
        seen=len(deal.reviews),
    )
    return _entry_page(state, turn, form, EntryMode.AMEND, preview)


@pages.post(f"{DEAL}/{Amend.name}", least=Amend.least)
def amend_sent(circle_id: UUID, session_id: UUID, number: int) -> ResponseReturnValue:
    state = load_state(circle_id, session_id)
    table, _ = deals.deal_table(state, number)
    form = _sent_form(state, table)
    amend = Amend(
        version=form.version.data or 0,
        seen=form.seen.data,
        reason=form.reason.data or "",
        sheet=WrittenSheet(form.sheet()),
    )
    try:
        amended = deals.do(circle_id, session_id, number, amend, by=current_holder())
        back = session_url if form.back.data == "session" else partial(deal_url, number=number)
        return saved(back(circle_id, session_id), amended)
    except (InvalidError, ConflictError) as error:
        return _not_saved(state, error, number, EntryMode.AMEND)


def _not_saved(
    state: SessionState, error: InvalidError | ConflictError, number: int, mode: EntryMode
) -> ResponseReturnValue:
    """Show the form as it was sent with its problems, or the two versions of a conflict."""
    state = load_state(state.circle_id, state.session_id)
    table, turn = deals.deal_table(state, number)
    form = _sent_form(state, table)
    if isinstance(error, ConflictError):
        return conflict_page(state, number, form, mode), HTTPStatus.CONFLICT
    form.refuse(error.problems)
    if wants_json():
        return problems_as_json(form)
    return _entry_page(state, turn, form, mode), HTTPStatus.UNPROCESSABLE_ENTITY


#: The forms of deals by the endpoints that they are sent to.
MODES = {
    "deals.record_sent": EntryMode.RECORD,
    "deals.start": EntryMode.START,
    "deals.amend_sent": EntryMode.AMEND,
}


def form_again() -> str | None:
    """Show the form of a deal as it was sent, to be sent once more; None for any other form."""
    mode, keys = MODES.get(request.endpoint or ""), request.view_args or {}
    if mode is None:
        return None
    state = load_state(keys["circle_id"], keys["session_id"])
    table, turn = deals.deal_table(state, sent_deal()[1])
    form = _sent_form(state, table)
    form.form_errors.append(
        gettext("The page was too old to be taken: nothing is saved yet. Save it once more.")
    )
    return _entry_page(state, turn, form, mode)


def _entry_page(
    state: SessionState,
    turn: Turn,
    form: DealForm,
    mode: EntryMode,
    preview: SheetWhatIf | None = None,
    *,
    table: Table[Any] | None = None,
    spoken: Mapping[str, Any] | None = None,
) -> str:
    """Show the entry form; ``preview`` is what the stored sheet pays.

    ``table`` has those who play, if the form has hidden lines for others, too. ``spoken`` is what
    was understood of a deal that was said.
    """
    game, asked = state.game, form.table
    table = table or asked
    if mode is EntryMode.RECORD and state.started is not None:
        mode = EntryMode.FINISH
    return render_template(
        "deals/record.html",
        **place(state),
        form=form,
        mode=mode,
        dealer=SeatView(turn.dealer, state.names[turn.dealer]),
        sits_out=seat_views(state.names, table.sits_out),
        ahead="" if mode is EntryMode.AMEND else dumps(phone_data(state)),
        names=state.names,
        upcoming=next_deal(state),
        outcomes=ways_not_played(state),
        times=state.evening.turn.times,
        columns=side_views(state.names, game.sides(asked.active, table.rules)),
        out=[seat for seat in asked.active if seat not in table.active],
        has_auction=game.has_auction,
        card_by_card=supports_cards(game, len(table.active), table.rules),
        preview=preview,
        paid=amounts(state.names, game.around(table), preview.score.payouts) if preview else [],
        spoken=spoken,
        new_key=str(uuid4()),
    )
