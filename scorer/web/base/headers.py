"""The headers of every answer: security, caching, and gzip."""

import secrets
from gzip import GzipFile
from io import BytesIO

from flask import Flask, g, request
from werkzeug.wrappers import Response

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types sw"
)
EVERYWHERE = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
#: Only where the address is https: on plain HTTP browsers ignore these, and complain.
ON_HTTPS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=63072000",
}
#: With the setting HSTS_SUBDOMAINS, also at the names below that of the server.
SUBDOMAINS = "; includeSubDomains"
#: What only documents heed: a first visit takes twenty style sheets and scripts without it.
OF_DOCUMENTS = (
    "Content-Security-Policy",
    "Permissions-Policy",
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
)
#: Where the address opens a page, so that it is told to no other site and found by no search.
OF_OPENING_ADDRESSES = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
PARTS = {"text/css", "text/javascript"}
#: No cache in between keeps an answer, and the browser asks again each time.
PRIVATE = "private, no-cache"
#: The pages of a circle are kept by no browser either: whoever left it finds them nowhere.
NOWHERE = "no-store"
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
#: Pages are packed for one answer each: level 3 takes a third of the time of 6, 12 % more bytes.
QUICK = 3


def register(app: Flask) -> None:
    """Send the headers with every answer of the app, also errors; compress it last."""
    app.after_request(pack)
    always = of_every_answer(app)

    @app.after_request
    def add_headers(response: Response) -> Response:
        page = "holder" in g and response.mimetype == "text/html"
        response.headers.extend(always)
        if request.endpoint == "static" and response.mimetype in PARTS:
            for name in OF_DOCUMENTS:
                response.headers.pop(name, None)
        if request.blueprint == "public":
            response.headers.update(OF_OPENING_ADDRESSES)
        response.headers.setdefault("Cache-Control", NOWHERE if page else PRIVATE)
        return response


def of_every_answer(app: Flask) -> dict[str, str]:
    """Return the headers of every answer, also of one that the application never saw."""
    if app.config["LAN_HTTP"]:
        return EVERYWHERE
    headers = EVERYWHERE | ON_HTTPS
    if app.config["HSTS_SUBDOMAINS"]:
        headers["Strict-Transport-Security"] += SUBDOMAINS
    return headers


def clear_site_data(response: Response, *, storage: bool) -> Response:
    """Clear the browser data of a phone that left a circle.

    ``storage`` also clears what scripts store, such as drafts; it can only be cleared as a whole,
    so it is for a phone that is in no other circle. The cookie stays, without the circle.
    """
    response.headers["Clear-Site-Data"] = '"cache", "storage"' if storage else '"cache"'
    return response


def pack(response: Response) -> Response:
    """Compress the body of one answer, if its type gains from it."""
    if response.mimetype not in PACKED or response.status_code != 200:
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip") or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) >= WORTHWHILE_BYTES:
        page = response.mimetype == "text/html"
        blur, level = (secrets.randbelow(BLUR_BYTES), QUICK) if page else (0, 6)
        packed = BytesIO()
        with GzipFile("-" * blur, "wb", level, packed, mtime=0) as file:  # nobody reads its name
            file.write(body)
        response.set_data(packed.getvalue())
        response.content_encoding = "gzip"
        tag, weak = response.get_etag()
        if tag and not weak:  # it is of the content and no longer of the bytes
            response.set_etag(tag, weak=True)
    return response
