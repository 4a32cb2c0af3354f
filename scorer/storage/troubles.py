"""Why the database failed, read from the error codes of its engine."""

from __future__ import annotations

from enum import Enum

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError


class Trouble(Enum):
    """Why a statement failed that was itself correct."""

    #: Another transaction at the same moment: another try may succeed.
    BUSY = "busy"
    FULL = "no room"
    READ_ONLY = "read only"
    DAMAGED = "damaged"
    AWAY = "away"


#: By the primary result code of SQLite, and by the SQLSTATE of PostgreSQL.
SQLITE = {
    5: Trouble.BUSY,
    8: Trouble.READ_ONLY,
    11: Trouble.DAMAGED,
    13: Trouble.FULL,
    26: Trouble.DAMAGED,
}
POSTGRES = {
    "40001": Trouble.BUSY,
    "40P01": Trouble.BUSY,
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
}


def trouble(error: DBAPIError) -> Trouble | None:
    """Give the reason of a failure; None when the statement itself was wrong."""
    primary_code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    found = SQLITE.get(primary_code) or POSTGRES.get(getattr(error.orig, "sqlstate", None) or "")
    if found is None and isinstance(error, OperationalError | InterfaceError):
        return Trouble.AWAY
    return found
