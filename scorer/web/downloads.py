"""Downloads: a file that a browser keeps under the name of what is in it."""

from __future__ import annotations

import re
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING

from babel.numbers import get_decimal_symbol
from flask import send_file
from flask_babel import get_locale

from scorer.services.deal_tables import write_csv, write_xlsx
from scorer.web.filters import in_words
from scorer.web.headers import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Response

    from scorer.services.deal_tables import Row

#: Tables that are bigger wait on the disk until they are sent.
MOST_IN_MEMORY = 1_000_000
AT_ONCE = 65_536
CSV, XLSX = "csv", "xlsx"
KINDS = {
    CSV: "text/csv",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def table(rows: Iterable[Row], title: str, ending: str) -> Response:
    """Send rows as CSV or XLSX, in the reader's language.

    Where a comma stands before decimals, spreadsheets expect a semicolon between cells.
    """
    file = SpooledTemporaryFile(MOST_IN_MEMORY)  # noqa: SIM115  # whoever reads it closes it
    if ending == CSV:
        separator = ";" if get_decimal_symbol(get_locale()) == "," else ","
        write_csv(rows, file, in_words, separator)
    else:
        write_xlsx(rows, file, in_words)
    sent = download(b"", title, ending=ending, mimetype=KINDS[ending])
    sent.direct_passthrough = False
    sent.content_length = file.tell()
    sent.response = _read(file)
    return sent


def _read(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while part := file.read(AT_ONCE):
            yield part


def download(content: str | bytes, title: str, *, ending: str, mimetype: str) -> Response:
    """Send a file named by the words of a title, in any letters.

    Headers are Latin-1. Flask sends what is ASCII of the name, and beside it the whole name as
    `filename*` (RFC 6266).
    """
    words = re.findall(r"\w+", title)
    sent = send_file(
        BytesIO(content.encode() if isinstance(content, str) else content),
        mimetype=mimetype,
        as_attachment=True,
        download_name=f"{'-'.join(words)}.{ending}",
    )
    sent.headers["Cache-Control"] = NOWHERE
    return sent
