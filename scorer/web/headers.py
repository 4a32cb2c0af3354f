"""What every answer carries: the security headers, and how long a browser may keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask
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
#: Pages are a circle's own: no cache in between keeps them, and the browser asks again each time.
PRIVATE = "private, no-cache"


def register(app: Flask) -> None:
    """Send the headers with every answer of the app, those to errors included."""
    always = EVERYWHERE if app.config["LAN_HTTP"] else EVERYWHERE | ON_HTTPS

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.extend(always)
        response.headers.setdefault("Cache-Control", PRIVATE)
        return response
