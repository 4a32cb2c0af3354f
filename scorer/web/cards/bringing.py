"""A file of deals brought into a session: pasted or sent, looked at, and then kept."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import flash, redirect, render_template, request
from flask_babel import gettext, ngettext

from scorer.errors import ConflictError, InvalidError
from scorer.services.base.roles import Role
from scorer.services.cards.deal_file import LONGEST_TEXT, keep_file, preview_file, state_with_cards
from scorer.web.base.access import current_holder
from scorer.web.base.addresses import session_url
from scorer.web.base.pages import SESSION, pages, place
from scorer.web.cards.forms import DealFileForm

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue

    from scorer.services.cards.deal_file import DealFilePreview

KEEP = "keep"


@pages.get(f"{SESSION}/cards", least=Role.PLAYER)
def cards(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    return _page(circle_id, session_id, DealFileForm())


@pages.post(f"{SESSION}/cards", least=Role.PLAYER, limit="file")
def cards_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Show what the deals of a file come to; keep them once that was seen."""
    form = DealFileForm.sent()
    sent = request.files.get("file")
    if sent and not (form.text.data or "").strip():
        form.text.data = sent.read(4 * LONGEST_TEXT).decode("utf-8-sig", errors="replace")
    return preview_page(circle_id, session_id, form)


def preview_page(circle_id: UUID, session_id: UUID, form: DealFileForm) -> ResponseReturnValue:
    """Look at the file of a form, show what is wrong beside it, or keep it where that is asked."""
    try:
        preview = preview_file(circle_id, session_id, form.text.data or "")
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(circle_id, session_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    seen, form.seen.data = form.seen.data, preview.seen
    if form.action.data != KEEP:
        return _page(circle_id, session_id, form, preview)
    try:
        keep_file(session_id, preview, seen or {}, current_holder())
    except ConflictError:
        flash(gettext("Another phone has written down other cards meanwhile"), "problem")
        return _page(circle_id, session_id, form, preview), HTTPStatus.CONFLICT
    count = len(preview.changed)
    message = ngettext(
        "The cards of %(num)d deal are kept.", "The cards of %(num)d deals are kept.", count
    )
    flash(message, "ok")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _page(
    circle_id: UUID, session_id: UUID, form: DealFileForm, preview: DealFilePreview | None = None
) -> str:
    state = state_with_cards(circle_id, session_id)
    return render_template("cards/bring.html", **place(state), form=form, preview=preview)
