"""What every answer carries: the security headers, and how long a browser may keep it."""

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
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
}
#: What only documents heed: a first visit takes sixteen style sheets and scripts without it.
OF_DOCUMENTS = ("Content-Security-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy")
#: Where the address opens a page, so that it is told to no other site and found by no search.
OF_OPENING_ADDRESSES = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
PARTS = {"text/css", "text/javascript"}
#: No cache in between keeps an answer, and the browser asks again each time.
PRIVATE = "private, no-cache"
#: The pages of a circle are kept by no browser either: whoever left it finds them nowhere.
NOWHERE = "no-store"


def register(app: Flask) -> None:
    """Send the headers with every answer of the app, those to errors included."""
    always = of_every_answer(lan_http=app.config["LAN_HTTP"])

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


def of_every_answer(*, lan_http: bool) -> dict[str, str]:
    """Give the headers that every answer carries, also one that the application never saw."""
    return EVERYWHERE if lan_http else EVERYWHERE | ON_HTTPS


def clear_site_data(response: Response, *, storage: bool) -> Response:
    """Tell the browser of a phone that left a circle to forget what it has of it.

    What scripts keep, such as the draft of a deal, goes by ``storage``, which is for a phone that
    is in no other circle: it can only go as a whole. The cookie stays; it has lost the circle.
    """
    response.headers["Clear-Site-Data"] = '"cache", "storage"' if storage else '"cache"'
    return response
