"""How a page of a session learns that another phone wrote something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import jsonify

from scorer.errors import NotFoundError
from scorer.storage import queries
from scorer.web.sessions.pages import SESSION, pages

if TYPE_CHECKING:
    from uuid import UUID

    from flask.typing import ResponseReturnValue


@pages.get(f"{SESSION}/version")
def version(circle_id: UUID, session_id: UUID) -> ResponseReturnValue:
    """Give the number that grows with everything that is written in a session."""
    row = queries.session(circle_id, session_id)
    if row is None:
        raise NotFoundError(session_id)
    return jsonify(version=row.version)
