"""Read the file of a notebook (CSV, TSV or XLSX) as text.

The formulas of a workbook have their last calculated values. A workbook that would unpack to too
many bytes, or that defines entities (defusedxml), is refused. Workbooks are read in a child
process.
"""

import csv
import io
import zipfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from datetime import date, datetime, time
from typing import Any

from scorer.errors import InvalidError
from scorer.notebooks.tables import LONGEST_TEXT, MOST_COLUMNS, MOST_ROWS
from scorer.services.base import sandbox
from scorer.texts import say

LONGEST_FILE = 2_000_000
#: What a workbook unpacks to at most, of how many parts.
MOST_UNPACKED, MOST_PARTS = 20_000_000, 200
ZIP = b"PK\x03\x04"
TOO_LONG = say("This file is too long.")
UNREADABLE = say("This file cannot be read as a table. Save it as CSV or XLSX, or paste it.")


def read_file(content: bytes) -> str:
    """Return the text of a file; raise InvalidError if it is too big or no table, BusyError."""
    if len(content) > LONGEST_FILE:
        raise InvalidError.of("too-long", "file", TOO_LONG)
    if content.startswith(ZIP):
        return sandbox.run(text_of_workbook, content, "file").decode()
    utf_16 = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise InvalidError.of("no-table", "file", UNREADABLE)


def text_of_workbook(content: bytes) -> bytes:
    """Return the first sheet that is not empty, as tab-separated text in UTF-8."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
        # No part exceeds the size in its header.
        if len(parts) <= MOST_PARTS and sum(part.file_size for part in parts) <= MOST_UNPACKED:
            return _first_sheet(content).encode()
    except InvalidError:
        raise
    except Exception as error:  # openpyxl raises anything for what is no workbook
        raise InvalidError.of("no-table", "file", UNREADABLE) from error
    raise InvalidError.of("too-long", "file", TOO_LONG)


def _first_sheet(content: bytes) -> str:
    from openpyxl import load_workbook  # late: it takes a fifth of a second to load

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        for sheet in book.worksheets:
            text = _text_of(sheet)
            if text.strip():
                return text
    finally:
        book.close()
    raise InvalidError.of("no-table", "file", UNREADABLE)


def _text_of(sheet: Any) -> str:
    """Write the rows, up to one more than allowed, so that `read_table` refuses it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    within = {"max_row": MOST_ROWS + 1, "max_col": MOST_COLUMNS + 1, "values_only": True}
    for row in sheet.iter_rows(**within):
        cells = [_cell(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        writer.writerow(cells)
        if text.tell() > LONGEST_TEXT:
            raise InvalidError.of("too-long", "file", TOO_LONG)
    return text.getvalue()


def _cell(value: Any) -> str:
    """Format the value of a cell, with a comma as decimal separator."""
    if value is None or isinstance(value, time):
        return ""
    if isinstance(value, datetime | date):
        return f"{value:%Y-%m-%d}"
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".").replace(".", ",")
    return str(value)[:LONGEST_TEXT]
