"""Notes, photos and public pages of sessions for programs."""

from datetime import datetime
from typing import Any
from uuid import UUID

from flask_babel import get_locale

from scorer.api.answers import Authored, Page, listed
from scorer.api.routes import SESSION, CircleRoutes
from scorer.roles import Role
from scorer.routes import public_url
from scorer.services.album import last_page, notes
from scorer.services.album.photos import MOST_SENT
from scorer.services.live.events import session_mark
from scorer.services.tournament.tournaments import load_tournament
from scorer.shapes import Shape, gives

blueprint = CircleRoutes("api_album", __name__)
PEN = Role.SCOREKEEPER
NOTE = f"{SESSION}/notes/<uuid:note>"
#: Bytes of a body with a photo.
LARGEST = MOST_SENT * 4 // 3 + 64 * 1024


class ListedNote(Authored):
    """A note on a session or on one of its deals."""

    id: UUID = gives("The key of the note.", "note_id")
    number: int | None = gives("The deal that it is about; null for the session.")
    text: str = gives("What it says; empty where it is a photo only.")
    photo: bool = gives("Whether there is a photo.", lambda row: bool(row.photo))


@blueprint.reads(f"{SESSION}/notes", listed("notes", ListedNote))
def notes_of(circle: UUID, session: UUID) -> Page:
    """List the notes of a session and its deals, oldest first."""
    session_mark(circle, session)
    return Page(notes.notes_of(circle, session))


blueprint.writes(
    "post",
    f"{SESSION}/notes",
    notes_of,
    body=notes.NewNote,
    least=Role.PLAYER,
    limit=("note", "picture"),
    largest=LARGEST,
    sandboxed=True,
)(notes.add_note)
blueprint.writes("delete", NOTE, notes_of, least=Role.PLAYER, name="take_back_note")(
    notes.take_back
)
blueprint.reads(f"{NOTE}/photo", "image/jpeg", limit=("picture",), name="photo")(notes.photo_of)


class ListedPage(Shape):
    """A public page of a session or a tournament."""

    id: UUID = gives("The key of the page.", "page_id")
    url: str | None = gives(
        "Its address; null where the key of the server is another now.",
        lambda page: public_url(page.page_id, get_locale().language),
    )
    names: bool = gives("Whether it shows full names instead of initials.")
    money: bool = gives("Whether it shows who pays whom.")
    created_at: datetime = gives("When it was made.")


@blueprint.reads(f"{SESSION}/public", listed("pages", ListedPage), least=PEN)
def public_pages(circle: UUID, session: UUID) -> Page:
    """List the public pages of a session that are open."""
    session_mark(circle, session)
    return Page(last_page.standing_pages(circle, session))


PUBLISHED: dict[str, Any] = {"least": PEN, "logged": "page-published"}
REVOKED: dict[str, Any] = {"least": PEN, "logged": "page-revoked"}
blueprint.writes("post", f"{SESSION}/public", public_pages, **PUBLISHED, name="publish_session")(
    last_page.publish
)
blueprint.writes(
    "delete", f"{SESSION}/public/<uuid:page>", public_pages, **REVOKED, name="revoke_public_page"
)(last_page.revoke)


OF_TOURNAMENT = "/<uuid:circle>/tournaments/<uuid:tournament>/public"


@blueprint.reads(OF_TOURNAMENT, listed("pages", ListedPage), least=PEN)
def tournament_pages(circle: UUID, tournament: UUID) -> Page:
    """List the public pages of a tournament that are open."""
    load_tournament(circle, tournament)
    return Page(last_page.standing_pages(circle, tournament))


blueprint.writes(
    "post", OF_TOURNAMENT, tournament_pages, **PUBLISHED, name="publish_tournament_page"
)(last_page.publish_tournament)
blueprint.writes(
    "delete",
    f"{OF_TOURNAMENT}/<uuid:page>",
    tournament_pages,
    **REVOKED,
    name="revoke_tournament_page",
)(last_page.revoke)
