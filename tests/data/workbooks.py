"""Workbooks that are small as they are sent, and cost whoever reads them much time or memory."""

import io
import zipfile

from openpyxl import Workbook

FIRST_SHEET = "xl/worksheets/sheet1.xml"
NAMESPACE = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for name, content in parts.items():
            book.writestr(name, content)
    return file.getvalue()


def book_of(rows: bytes, before: bytes = b"", prolog: bytes = b"") -> bytes:
    """Make a workbook whose only sheet is written as given."""
    file = io.BytesIO()
    Workbook().save(file)
    with zipfile.ZipFile(file) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheet = b"<worksheet %s>%s<sheetData>%s</sheetData></worksheet>" % (NAMESPACE, before, rows)
    return packed(parts | {FIRST_SHEET: prolog + sheet})


def many_rows() -> bytes:
    return book_of(b"<row/>" * 3_000_000)


def entities() -> bytes:
    """Make a workbook whose cell is an entity, defined behind a long comment."""
    prolog = b'<!--%s--><!DOCTYPE worksheet [<!ENTITY ada "Ada">]>' % (b"x" * 200_000)
    return book_of(b'<row><c t="inlineStr"><is><t>&ada;</t></is></c></row>', prolog=prolog)
