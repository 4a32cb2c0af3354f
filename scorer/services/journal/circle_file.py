"""A circle as a file: all its stored rows, one a line, the same from either engine.

A file may hold several circles, one after the other; then it is a backup of a whole database.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from uuid import UUID

from sqlalchemy.exc import DataError, IntegrityError

from scorer.documents import decode, decode_object
from scorer.errors import InvalidError, NotFoundError, existing
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.circle.circles import find
from scorer.services.journal.verify import circle_findings
from scorer.storage import models, one_moment, queries, revision, transaction, transfer
from scorer.texts import Text, say
from scorer.typed_text import looks, one_line

#: A row, after the name of its table.
NamedRow = tuple[str, dict[str, Any]]

FORMAT = "scorer-circle/1"
#: The first line of a backup, before its circles: it holds the keys that sign the cookies.
BACKUP = "scorer-backup/1"
LONGEST_LINE = 1024 * 1024


class Imported(NamedTuple):
    """An imported circle, and its number of rows."""

    circle_id: UUID
    name: str
    rows: int


def find_circle(text: str) -> UUID:
    """Find a circle by its key or its name, in any case; raise NotFoundError."""
    every = queries.circle.circles(queries.circle.circle_ids())
    key = text.strip().replace("-", "").casefold()
    name = looks(one_line(text))
    alike = [circle for circle in every if looks(one_line(circle.name)) == name]
    exactly = [circle for circle in alike if circle.name == text]
    circles = [circle for circle in every if circle.circle_id.hex == key] or exactly or alike
    if not circles:
        raise NotFoundError(f"unknown circle {text}: scorer circles lists them")
    if len(circles) > 1:
        keys = ", ".join(str(circle.circle_id) for circle in circles)
        raise NotFoundError(
            f"{len(circles)} circles are called {text}: give the key of one, {keys}"
        )
    return circles[0].circle_id


def export_circle(circle_id: UUID) -> Iterator[bytes]:
    with one_moment():
        yield from _export(circle_id)


@transaction
def note_export(
    circle_id: UUID,
    session_id: UUID | None = None,
    kind: journal.Kind = journal.Kind.EXPORTED,
    *,
    by: Author = None,
) -> None:
    """Write a journal entry that a circle or session is exported, as a file or a table."""
    row = (
        existing(queries.find(models.CardSession, circle_id, session_id))
        if session_id
        else find(circle_id)
    )
    journal.note(kind, row, by)


def export_all() -> Iterator[bytes]:
    """Yield the lines of all circles, all from one moment."""
    with one_moment():
        circle_ids = queries.circle.circle_ids()
        for circle_id in transfer.track_progress("circles", circle_ids):
            yield from _export(circle_id)


def backup_lines(keys: Sequence[str]) -> Iterator[bytes]:
    """Yield the lines of a backup: the keys that sign the cookies, then all circles."""
    yield _line({"format": BACKUP, "keys": list(keys), "made_at": now().isoformat()})
    yield from export_all()


def backup_heading(path: Path) -> tuple[list[str], datetime | None]:
    """Return the keys of a backup file and its moment; raise InvalidError if they are malformed."""
    with path.open("rb") as file:
        heading = FileLines(file).next() or {}
    keys, made_at = heading.get("keys", []), heading.get("made_at")
    sound = isinstance(keys, list) and all(isinstance(key, str) and key for key in keys)
    try:
        moment = made_at and datetime.fromisoformat(made_at).astimezone(UTC)
    except (TypeError, ValueError):
        sound, moment = False, None
    if not sound:
        raise InvalidError.of("bad-line", "line 1", say("This line cannot be read."))
    return keys, moment


def newest_entry(path: Path) -> datetime | None:
    """Return when the newest row in a file of circles was written; importing finds what is bad."""
    newest = None
    with path.open("rb") as file:
        for line in file:
            (values, *_) = (decode_object(line) or {}).values() or ({},)
            if isinstance(values, dict) and isinstance(values.get("at"), str):
                with suppress(ValueError, OverflowError):
                    at = datetime.fromisoformat(values["at"]).astimezone(UTC)
                    newest = max(newest or at, at)
    return newest


def _sums(lines: Iterable[bytes]) -> dict[UUID, str]:
    """Return the SHA-256 of every circle in the lines of a file."""
    ends: dict[UUID, str] = {}
    heading = dict[str, Any]()
    for line in lines:
        if line.startswith(b'{"circle_id":'):
            heading = decode(line)
        elif line.startswith(b'{"end":'):
            ends[UUID(heading["circle_id"])] = decode(line)["end"]["sha256"]
    return ends


def differing(path: Path) -> list[UUID]:
    """List the circles of a file whose export would differ from it."""
    with path.open("rb") as file:
        kept = _sums(file)
    stands = _sums(export_all()) if kept else {}
    return [circle_id for circle_id, end in kept.items() if stands.get(circle_id) != end]


def _export(circle_id: UUID) -> Iterator[bytes]:
    rows, digest = 0, hashlib.sha256()
    heading = {"format": FORMAT, "revision": revision(), "circle_id": str(circle_id)}
    digest.update(line := _line(heading))
    yield line
    count = partial(transfer.row_count, circle_id)
    for name, row in transfer.track_progress("rows", transfer.rows_of(circle_id), count):
        rows += 1
        digest.update(line := _line({name: row}))
        yield line
    yield _line({"end": {"rows": rows, "sha256": digest.hexdigest()}})


def _line(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def is_circle_file(path: Path) -> bool:
    """Whether a file begins like a file of circles, of any version."""
    with path.open("rb") as file:
        return "format" in (decode_object(file.readline(LONGEST_LINE)) or {})


@transaction
def import_circles(path: Path) -> list[Imported]:
    """Import every circle of a file, or none: raise InvalidError with the line at fault.

    A circle in which `scorer verify` finds something is refused.
    """
    with path.open("rb") as file:
        lines, circles = FileLines(file), list[Imported]()
        while (heading := lines.heading()) is not None:
            circle_id = _read_heading(heading, lines)
            rows = _keep(_rows(circle_id, lines), lines)
            circle = queries.find(models.Circle, circle_id)
            if circle is None:
                raise lines.fault("no-circle", say("There is no circle in this file."))
            for what in circle_findings(circle_id):
                message = say("What is stored here differs: %(what)s", what=what)
                raise lines.fault("damaged", message)
            circles.append(Imported(circle_id, circle.name, rows))
    if not circles and not lines.is_backup:
        raise lines.fault("no-circle", say("There is no circle in this file."))
    return circles


class FileLines:
    """The lines of a file, read one by one, with the running checksum of one circle's lines."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self._number = 0
        self._sum = hashlib.sha256()
        self.sum_before = ""
        self.is_backup = False

    def heading(self) -> dict[str, Any] | None:
        """Read the first line of the next circle; None if the file ends.

        Lines before the circles of a backup are skipped.
        """
        self._sum = hashlib.sha256()
        heading = self.next()
        if self._number == 1 and heading and heading.get("format") == BACKUP:
            self.is_backup = True
            return self.heading()
        return heading

    def next(self) -> dict[str, Any] | None:
        line = self._file.readline(LONGEST_LINE)
        if not line:
            return None
        transfer.report_progress("bytes", self._file.tell(), self._size)
        self._number += 1
        self.sum_before = self._sum.hexdigest()
        self._sum.update(line)
        document = decode_object(line)
        if document is None:
            raise self.fault("bad-line", say("This line cannot be read."))
        return document

    def fault(self, code: str, message: Text) -> InvalidError:
        """Make the error that names the line just read."""
        return InvalidError.of(code, f"line {self._number}", message)


def _read_heading(heading: dict[str, Any], lines: FileLines) -> UUID:
    if heading.get("format") != FORMAT:
        message = say("Only files of the format %(format)s can be read.", format=FORMAT)
        raise lines.fault("unknown-format", message)
    if heading.get("revision") != revision():
        message = say(
            "This file is of another version: %(revision)s, not %(ours)s.",
            revision=heading.get("revision"),
            ours=revision(),
        )
        raise lines.fault("other-revision", message)
    try:
        circle_id = UUID(heading["circle_id"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise lines.fault("bad-line", say("This line cannot be read.")) from error
    if queries.find(models.Circle, circle_id) is not None:
        raise lines.fault("circle-exists", say("This circle is here already."))
    return circle_id


def _keep(rows: Iterable[NamedRow], lines: FileLines) -> int:
    """Write the rows of a circle, table by table; return their number."""
    count, known = 0, transfer.tables()
    for name, alike in groupby(rows, lambda row: row[0]):
        while batch := [row for _, row in islice(alike, transfer.at_once(known[name]))]:
            try:
                transfer.insert_rows(known[name], batch)
            except (IntegrityError, DataError) as error:
                message = say("A row before this line fits no other: %(why)s", why=str(error.orig))
                raise lines.fault("contradiction", message) from error
            count += len(batch)
    return count


def _rows(circle_id: UUID, lines: FileLines) -> Iterator[NamedRow]:
    known, count = transfer.tables(), 0
    while (document := lines.next()) is not None:
        if document.keys() == {"end"}:
            if document["end"] != {"rows": count, "sha256": lines.sum_before}:
                raise lines.fault("changed", say("The file was changed since it was written."))
            return
        try:
            ((name, data),) = document.items()
            row = transfer.read_row(known[name], data)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            message = say("This line is not a row: %(what)s", what=str(error))
            raise lines.fault("bad-line", message) from error
        if row["circle_id"] != circle_id:
            raise lines.fault("other-circle", say("This row belongs to another circle."))
        yield name, row
        count += 1
    raise lines.fault("cut-off", say("The file ends in the middle of a circle."))
