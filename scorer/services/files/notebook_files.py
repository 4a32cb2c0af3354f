"""Read a notebook, as text or as a file, in a child process.

A file is text (CSV, TSV, Markdown, JSON) or a workbook (XLSX, XLS, ODS), whose formulas have their
last calculated values. One that would unpack to too many bytes is refused.
"""

import io
import json
import zipfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from scorer.errors import InvalidError
from scorer.notebooks.reading import read_notebook
from scorer.notebooks.splitting import MOST_ROWS, split_text
from scorer.operations.requests import Translate, problem_list
from scorer.services.base import sandbox
from scorer.shapes import Name, Points, Shape, fields, gives
from scorer.texts import Text, say

LONGEST_FILE = 2_000_000
#: What a workbook unpacks to at most.
MOST_UNPACKED = 20_000_000


class ReadColumn(Shape):
    """A column of an old table."""

    head: str = gives("Its head.")
    use: Literal["when", "who", "points", "person", "none"] | None = gives(
        "What it has; null while that is open."
    )
    person: str = gives("Whose points it has.", unsaid=True)
    offer: list[str] = gives("Near names.", unsaid=True)


class ReadSheet(Shape):
    """A sheet of a workbook, or the whole table."""

    name: str = gives("Its name.")
    rows: int = gives("The number of its rows.")
    columns: list[ReadColumn] = gives("Its columns.")


class ReadEvening(Shape):
    """An evening of an old table."""

    day: str = gives("The day.")
    names: list[Name] = gives("Who played.")
    deals: list[Points] = gives("What each row paid, by name.")
    totals: Points = gives("The sums by name.")
    title: str = gives("Its title.", unsaid=True)
    opening: Points = gives("Balances brought in, by name.", unsaid=True)


class ReadDoubt(Shape):
    """What is doubtful in a row."""

    sheet: int = gives("The sheet, from 0.")
    row: int = gives("The row.")
    text: str = gives("What is doubtful.")


class ReadTable(Shape):
    """What an old table comes to, and what is open about it."""

    sheets: list[ReadSheet] = gives("The sheets with their columns.")
    row: Literal["deal", "evening", "running"] | None = gives("What a row is; null while open.")
    finals: Mapping[str, Points] | None = gives("The last figures by each meaning of a row.")
    open: list[str] = gives("What has to be answered.")
    evenings: list[ReadEvening] | None = gives("The evenings, once nothing is open.")
    doubts: list[ReadDoubt] = gives("What is doubtful.")


OF_CONTRACT = [field.name for field in fields(ReadTable)]
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
TOO_LONG = say("This file is too long.")
UNREADABLE = say("This file cannot be read as a table. Save it as CSV or XLSX, or paste it.")


def read(content: bytes, people: Sequence[Sequence[str]], answers: Any) -> dict[str, Any]:
    """Read a notebook in a child process; raise InvalidError, BusyError.

    The answer is that of `read_notebook`, with the ``text`` that was read: of a workbook JSON.
    """
    if len(content) > LONGEST_FILE:
        raise InvalidError.of("too-long", "file", TOO_LONG)
    request = json.dumps({"people": people, "answers": answers}).encode() + b"\n" + content
    notebook: dict[str, Any] = json.loads(sandbox.run(read_request, request, "file"))
    for doubt in notebook["doubts"]:
        doubt["text"] = Text(**doubt["text"])
    return notebook


def table_document(
    content: bytes, people: Sequence[str], answers: Any, translate: Translate
) -> dict[str, Any]:
    """Read a table as contract.md has it, or answer ``problems``.

    Each of the ``people`` is ``NAME`` or ``NAME=NICKNAME``.
    """
    try:
        notebook = read(content, [person.split("=") for person in people], answers)
    except InvalidError as error:
        return {"problems": problem_list(error.problems, translate)}
    for doubt in notebook["doubts"]:
        doubt["text"] = translate(doubt["text"])
    return {name: notebook[name] for name in OF_CONTRACT}


def read_request(request: bytes) -> bytes:
    """Read what `read` sends to its child."""
    head, _, content = request.partition(b"\n")
    given = json.loads(head)
    text = text_of(content)
    notebook = read_notebook(split_text(text), given["people"], given["answers"])
    return json.dumps(notebook | {"text": text}, default=asdict).encode()


def text_of(content: bytes) -> str:
    """Return the text of a file; that of a workbook is JSON of its sheets."""
    if content.startswith((ZIP, OLE)):
        return _workbook(content)
    utf_16 = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise InvalidError.of("no-table", "file", UNREADABLE)


def _workbook(content: bytes) -> str:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        if content.startswith(ZIP):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:  # no part exceeds its header
                if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                    raise InvalidError.of("too-long", "file", TOO_LONG)
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = {
            name: book.get_sheet_by_name(name).to_python(skip_empty_area=False, nrows=MOST_ROWS + 1)
            for name in book.sheet_names
        }
    except (CalamineError, ValueError, zipfile.BadZipFile) as error:
        raise InvalidError.of("no-table", "file", UNREADABLE) from error
    return json.dumps(sheets, default=str)
