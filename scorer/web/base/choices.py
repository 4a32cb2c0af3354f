"""The preferences of this browser: the language and the theme, each stored in a cookie."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import force_locale, get_locale
from werkzeug.exceptions import HTTPException

from scorer.languages import LANGUAGES, own_name, page_language
from scorer.routes import Routes
from scorer.web.base.access import set_cookie, zone

YEAR = 365 * 24 * 3600
CHOICES = {"language": LANGUAGES, "theme": ("light", "dark")}
#: Each language with what it calls itself.
CALLED = [(code, own_name(code)) for code in LANGUAGES]

pages = Routes("pages", __name__)


@pages.post("/language", endpoint="language")
@pages.post("/theme", endpoint="theme")
def choose() -> ResponseReturnValue:
    """Store a choice in its cookie; without a language or theme the browser or device decides."""
    name = (request.endpoint or "").removeprefix("pages.")
    response = redirect(_own_page(request.form.get("next", "")), HTTPStatus.SEE_OTHER)
    chosen = request.form.get(name, "")
    value = chosen if chosen in CHOICES[name] else ""
    return set_cookie(response, name, value, YEAR if value else 0)


def _own_page(address: str) -> str:
    """Return the address if it is one of our pages, else that of the home page."""
    mount = request.script_root
    outside = not address.startswith(f"{mount}/") or address.startswith(("//", "/\\"))
    if outside or not address.isprintable():
        return url_for("circles.home")
    try:
        current_app.url_map.bind("").match(urlsplit(address[len(mount) :]).path, method="GET")
    except (HTTPException, ValueError):
        return url_for("circles.home")
    return address


def speak(*_request: object) -> None:
    """Set the language of the page before anything is said on it."""
    page_language.set(get_locale().language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say in this language what is said meanwhile."""
    before = page_language.set(language)
    try:
        with force_locale(language):
            yield
    finally:
        page_language.reset(before)


def add_to_templates() -> dict[str, Any]:
    """Add language, theme, time zone and plain HTTP's permission to every template."""
    chosen = request.cookies.get("theme", "")
    speak()  # the page of an error may come before anything else was done for the request
    return {
        "theme": chosen if chosen in CHOICES["theme"] else "",
        "language": page_language.get(),
        "languages": CALLED,
        "zone": zone(),
        "lan_http": current_app.config["LAN_HTTP"],
    }
