"""Downloads: files that a browser saves, named after their content.

A file is made before the first byte of it is sent, so that no slow reader holds a connection to the
database. Meanwhile the worker answers other requests.
"""

import re
import time
from collections.abc import Iterable, Iterator
from functools import partial
from io import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, TypeVar

from babel.numbers import get_decimal_symbol
from flask import Response, send_file
from flask_babel import get_locale

from scorer.services.files.spreadsheets import Row, write_csv, write_xlsx
from scorer.web.base.filters import in_words
from scorer.web.base.headers import NOWHERE

#: Files that are bigger wait on the disk until they are sent.
MOST_IN_MEMORY = 1_000_000
#: After so many rows others are answered, for so many seconds at least.
TURN, PAUSE = 25, 0.001
AT_ONCE = 65_536
Part = TypeVar("Part")
KINDS = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def table(deals: Iterable[Row], standings: Iterable[Row], title: str, ending: str) -> Response:
    """Send deals as CSV, or with the standings as XLSX, in the reader's language.

    Where a comma stands before decimals, spreadsheets expect a semicolon between cells.
    """
    file = SpooledTemporaryFile[bytes](MOST_IN_MEMORY)
    if ending == "csv":
        separator = ";" if get_decimal_symbol(get_locale()) == "," else ","
        write_csv(_paced(deals), file, in_words, separator)
    else:
        write_xlsx(_paced(deals), standings, file, in_words)
    return _attached(file, title, ending, KINDS[ending])


def file(content: Iterable[bytes], title: str, ending: str, mimetype: str) -> Response:
    made = SpooledTemporaryFile[bytes](MOST_IN_MEMORY)
    made.writelines(_paced(content))
    return _attached(made, title, ending, mimetype)


def _paced(parts: Iterable[Part]) -> Iterator[Part]:
    for number, part in enumerate(parts, 1):
        yield part
        if number % TURN == 0:
            time.sleep(PAUSE)


def _attached(file: IO[bytes], title: str, ending: str, mimetype: str) -> Response:
    """Send a file named by the words of a title, in any letters.

    Headers are Latin-1. Flask sends what is ASCII of the name, and beside it the whole name as
    `filename*` (RFC 6266).
    """
    name, size = "-".join(re.findall(r"\w+", title)), file.seek(0, SEEK_END)
    sent = send_file(file, mimetype=mimetype, as_attachment=True, download_name=f"{name}.{ending}")
    sent.direct_passthrough, sent.content_length, sent.response = False, size, _read(file)
    sent.headers["Cache-Control"] = NOWHERE
    return sent


def _read(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in a file, and close it, also where nobody reads it to its end."""
    with file:
        file.seek(0)
        yield from iter(partial(file.read, AT_ONCE), b"")
