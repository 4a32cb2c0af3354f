"""A session as a file: exported as JSON, CSV or XLSX, imported after a preview."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import cast
from uuid import UUID, uuid4

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue

from scorer.cards.notation.files import ENDING, file_lines
from scorer.errors import InvalidError, Problem
from scorer.roles import Role
from scorer.routes import EXPORT
from scorer.services.base.journal import Kind
from scorer.services.cards.deal_file import deal_file
from scorer.services.files import session_files
from scorer.services.files.spreadsheets import session_places, session_table
from scorer.services.journal.circle_file import note_export
from scorer.services.session.state import load_state
from scorer.web.base import access, downloads
from scorer.web.base.filters import in_words
from scorer.web.base.forms import FileForm
from scorer.web.base.pages import CIRCLE, SESSION, pages, session_url


@pages.post(f"{SESSION}/file", least=Role.SPECTATOR, limit=EXPORT)
def download(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Send the session file, for `scorer replay` or another circle."""
    title = _noted(circle_id, session_id, Kind.EXPORTED)
    document = session_files.exported_session(circle_id, session_id)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return downloads.file([text.encode()], title, "json", "application/json")


@pages.post(f"{SESSION}/<any(csv, xlsx):ending>", least=Role.SPECTATOR, limit=EXPORT)
def download_table(circle_id: UUID, session_id: UUID, ending: str) -> ResponseReturnValue:
    title = _noted(circle_id, session_id, Kind.TABLE_EXPORTED)
    deals = session_table(circle_id, session_id, access.zone_here())
    places = session_places(circle_id, session_id)
    return downloads.table(deals, places, title, ending)


@pages.post(f"{SESSION}/smazzate", least=Role.SPECTATOR, limit=EXPORT)
def download_cards(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Send the session's cards as a file of deals, in the reader's language."""
    title = _noted(circle_id, session_id, Kind.EXPORTED)
    lines = file_lines(deal_file(circle_id, session_id))
    content = (f"{in_words(line)}\n".encode() for line in lines)
    return downloads.file(content, title, ENDING, "text/plain")


def _noted(circle_id: UUID, session_id: UUID, kind: Kind) -> str:
    """Write the journal entry of an export; return the title of the file."""
    note_export(circle_id, session_id, kind, by=access.current_holder())
    row = load_state(circle_id, session_id).row
    return f"{row.started_at:%Y-%m-%d} {row.title}"


@pages.post(f"{CIRCLE}/import", least=Role.SCOREKEEPER, limit=("import", "file"))
def bring_in(circle_id: UUID) -> ResponseReturnValue:
    """Preview a session file or show its problems; import the document once it was previewed."""
    form = FileForm.sent()
    seen, sent = form.document.data, request.files.get("file")
    text = seen or (sent.read(session_files.LONGEST_FILE + 1) if sent else b"")
    try:
        preview = session_files.preview_session(text, cast("UUID", form.key.data), circle_id)
    except InvalidError as error:
        return _page(circle_id, faults=error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    if not seen:
        return _page(circle_id, preview)
    session_id = session_files.keep(preview, access.current_holder())
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


def _page(
    circle_id: UUID,
    preview: session_files.SessionPreview | None = None,
    *,
    faults: Sequence[Problem] = (),
) -> str:
    return render_template(
        "files/import.html",
        preview=preview,
        before=session_files.kept_before(preview, circle_id) if preview else [],
        form=FileForm(key=preview.agreed.new.key, document=preview.document) if preview else None,
        faults=faults,
        deal_of=session_files.deal_of,
        file=FileForm(key=uuid4()),
    )
