"""What keeps a database from working: said by its errors, each in the engine's own way."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy.exc import InterfaceError, OperationalError

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError


class Trouble(Enum):
    """Why nothing can be read, or nothing be written, until somebody looks after the server."""

    FULL = "no room"
    READ_ONLY = "read only"
    DAMAGED = "damaged"
    AWAY = "away"


#: The codes of SQLite without their details, and the classes or codes of PostgreSQL.
SQLITE = {8: Trouble.READ_ONLY, 11: Trouble.DAMAGED, 13: Trouble.FULL, 26: Trouble.DAMAGED}
POSTGRES = {
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
}


def trouble(error: DBAPIError) -> Trouble | None:
    """Say what is the matter with the database; None when it was the question that was wrong."""
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    found = SQLITE.get(code) or POSTGRES.get(getattr(error.orig, "sqlstate", None) or "")
    if found is None and isinstance(error, OperationalError | InterfaceError):
        return Trouble.AWAY
    return found
