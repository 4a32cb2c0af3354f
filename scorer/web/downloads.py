"""Downloads: a file that a browser keeps under the name of what is in it."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from flask import send_file

from scorer.web.headers import NOWHERE

if TYPE_CHECKING:
    from flask import Response


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
