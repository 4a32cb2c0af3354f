"""A file of deals brought into a session: pasted or sent, previewed, and then stored."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from uuid import UUID

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext, ngettext
from wtforms import StringField, TextAreaField

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.roles import Role
from scorer.services.cards import deal_file
from scorer.texts import say
from scorer.web.base.access import current_holder
from scorer.web.base.fields import JSONField, UploadField
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import SESSION, pages, place, session_url

KEEP = "keep"


class DealFileForm(PageForm):
    """A file of deals, pasted or sent; ``seen`` are the versions of their cards by number."""

    text = TextAreaField(lazy_gettext("Paste it here"), default="")
    file = UploadField(lazy_gettext("Or a file: .smazzate"))
    seen = JSONField()
    action = StringField(default="")

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show everything that is wrong beside the text, with its line and column."""
        placed = []
        for problem in problems:
            line, _, column = problem.field.partition(":")
            message, inner = problem.message, problem.message.values.get("message")
            if inner is not None:
                message = say(
                    "Line %(line)s, column %(column)s: %(message)s",
                    line=line,
                    column=column,
                    message=inner,
                )
            placed.append(Problem(problem.code, "text", message))
        super().refuse(placed)


@pages.get(f"{SESSION}/cards", least=Role.PLAYER)
def cards(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    return _page(circle_id, session_id, DealFileForm())


@pages.post(f"{SESSION}/cards", least=Role.PLAYER, limit="file")
def cards_sent(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Preview the deals of a file; store them once the preview was seen."""
    form = DealFileForm.sent()
    sent = request.files.get("file")
    if sent and not (form.text.data or "").strip():
        form.text.data = sent.read(4 * deal_file.LONGEST_TEXT).decode("utf-8-sig", errors="replace")
    return preview_page(circle_id, session_id, form)


def preview_page(circle_id: UUID, session_id: UUID, form: DealFileForm) -> ResponseReturnValue:
    try:
        preview = deal_file.preview_file(circle_id, session_id, form.text.data or "")
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(circle_id, session_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    seen = form.seen.data or {}
    form.seen.data = {str(deal.number): deal.tricks.seen for deal in preview}
    if form.action.data != KEEP:
        return _page(circle_id, session_id, form, preview)
    changed = [deal for deal in preview if deal.changes]
    try:
        deal_file.keep_file(session_id, changed, seen, current_holder())
    except ConflictError:
        flash(gettext("Another phone has written down other cards meanwhile"), "problem")
        return _page(circle_id, session_id, form, preview), HTTPStatus.CONFLICT
    message = ngettext(
        "The cards of %(num)d deal are kept.", "The cards of %(num)d deals are kept.", len(changed)
    )
    flash(message, "ok")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _page(
    circle_id: UUID,
    session_id: UUID,
    form: DealFileForm,
    preview: Sequence[deal_file.DealPreview] | None = None,
) -> str:
    return render_template(
        "cards/bring.html",
        **place(deal_file.state_with_cards(circle_id, session_id)),
        form=form,
        preview=preview,
        changed=[deal for deal in preview or () if deal.changes],
    )
