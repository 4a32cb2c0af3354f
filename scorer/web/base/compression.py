"""Answers are packed with gzip: a phone at the edge of the network has the page sooner."""

import secrets
from gzip import GzipFile
from io import BytesIO

from flask import Flask, request
from werkzeug.wrappers import Response

PACKED = {
    "application/atom+xml",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "text/plain",
}
WORTHWHILE_BYTES = 860
#: A page may repeat what a visitor sent beside a token that must stay secret. The length of the
#: packed page would tell an eavesdropper which guesses match (BREACH): a random amount blurs it.
BLUR_BYTES = 100


def register(app: Flask) -> None:
    """Pack every answer that is worth it, for browsers that can unpack it."""
    app.after_request(pack)


def pack(response: Response) -> Response:
    """Pack the body of one answer, if it is of a kind that shrinks."""
    if response.mimetype not in PACKED or response.status_code != 200:
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip") or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) >= WORTHWHILE_BYTES:
        blur = secrets.randbelow(BLUR_BYTES) if response.mimetype == "text/html" else 0
        response.set_data(gzip(body, blur))
        response.content_encoding = "gzip"
        _weaken_etag(response)
    return response


def gzip(body: bytes, blur: int) -> bytes:
    """Pack bytes; ``blur`` is the length of the file name in the header, which nobody reads."""
    packed = BytesIO()
    with GzipFile("-" * blur, "wb", compresslevel=6, fileobj=packed, mtime=0) as file:
        file.write(body)
    return packed.getvalue()


def _weaken_etag(response: Response) -> None:
    """Say that the tag is of the content and no longer of the bytes."""
    tag, weak = response.get_etag()
    if tag and not weak:
        response.set_etag(tag, weak=True)
