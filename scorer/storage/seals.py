"""The seal of an SQLite file: a checksum of all its bytes, kept in it for as long as nobody writes.

SQLite finds damage to what it uses, and the chain finds the rest of what is kept. The unused space
of its pages holds whatever was there before, and nobody can say what that should be: only the file
as a whole can be known again. Its checksum lies in the number that SQLite keeps in the header for
whoever uses the file (`user_version`). The first write takes it away in its own transaction, so a
seal that is there and wrong means damage, or another program.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    import sqlite3
    from typing import BinaryIO

UNSEALED = 0
HEADER = 100
CHUNK = 1 << 20
#: Where the seal lies in the header.
PLACE = slice(60, 64)
#: What SQLite changes in the header when it opens, copies or seals a file: whether it has a log,
#: two counters of changes, the seal, and by which version it was written.
CHANGING = (slice(18, 20), slice(24, 28), slice(40, 44), PLACE, slice(92, 100))


def put_seal(connection: sqlite3.Connection, database: Path) -> None:
    """Seal the file of a connection that nobody else has open, and that has no log.

    The file is closed after the connection, whose locks the system would take away otherwise.
    """
    with database.open("rb") as file:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version={checksum(file)}")
        connection.execute("COMMIT")
        connection.close()


def is_sealed(connection: Any) -> bool:
    """Say whether nobody has written since the file was sealed, by a connection of the driver."""
    (seal,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(seal != UNSEALED)


def is_broken(database: Path) -> bool:
    """Say whether a sealed file is not what was sealed; this process must not have it open.

    While somebody writes there is nothing to compare.
    """
    before = _state(database)
    if before is None:
        return False
    with database.open("rb") as file:
        seal = int.from_bytes(file.read(HEADER)[PLACE], "big", signed=True)
        same = seal in {UNSEALED, checksum(file)}
    return not same and _state(database) == before


def _state(database: Path) -> tuple[int, int] | None:
    """Give what tells whether a file is written to; None when it is, or when it isn't there."""
    log = Path(f"{database}-wal")
    if not database.is_file() or (log.exists() and log.stat().st_size):
        return None
    found = database.stat()
    return found.st_mtime_ns, found.st_size


def checksum(file: BinaryIO) -> int:
    """Give the checksum of a file, as the number of the header takes it; never that of no seal."""
    file.seek(0)
    header = bytearray(file.read(HEADER))
    for part in CHANGING:
        header[part] = bytes(len(header[part]))
    found = crc32(header)
    while chunk := file.read(CHUNK):
        found = crc32(chunk, found)
    return int.from_bytes((found or 1).to_bytes(4, "big"), "big", signed=True)
