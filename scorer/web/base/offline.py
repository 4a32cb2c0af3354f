"""What phones store: cached pages, the installed app, and forgetting both.

The service worker (``static/base/worker.js``) keeps the static files and the pages whose
view is declared with ``kept=True``, nothing else: no links, codes or files. It leaves the tokens of
forms out. Browsers run it over HTTPS only.
"""

from http import HTTPStatus

from flask import current_app, flash, g, jsonify, redirect, render_template, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug import Response

from scorer.errors import NotFoundError
from scorer.languages import LANGUAGES
from scorer.roles import Role
from scorer.routes import Routes, facts_of
from scorer.services.deals.history import newest_session
from scorer.web.base import access
from scorer.web.base.choices import speaking
from scorer.web.base.headers import clear_site_data

pages = Routes("offline", __name__)

KEEP = "Scorer-Keep"


@pages.before_app_request
def note_flashes() -> None:
    """Remember whether the page shows a flashed message, which must not be cached."""
    g.flashes = facts_of(request.endpoint).kept and "_flashes" in cookie


@pages.after_app_request
def allow_storing(response: Response) -> Response:
    """Set the header that lets the worker cache an answer, or fetch it again after a message."""
    read = request.method == "GET" and response.status_code == HTTPStatus.OK
    if read and facts_of(request.endpoint).kept and not current_app.config["LAN_HTTP"]:
        response.headers[KEEP] = "again" if g.get("flashes") else "page"
    return response


@pages.get("/offline", kept=True)
def away() -> str:
    return render_template("base/offline.html")


@pages.get("/manifest/<language>.webmanifest")
def manifest(language: str) -> ResponseReturnValue:
    """Send the manifest of the installed app: its icons and shortcuts."""
    if language not in LANGUAGES:
        raise NotFoundError
    with speaking(language):
        shortcuts = {
            "offline.tonight_record": gettext("Record a deal"),
            "offline.tonight": gettext("Tonight"),
        }
        description = gettext("Keeps the score of Briscola Chiamata and other Italian card games.")
    home, small = url_for("circles.home"), _icon("icon-192.png", "192x192", "any")
    answer = jsonify(
        lang=language,
        id=home,
        name="scorer",
        short_name="scorer",
        description=description,
        start_url=home,
        scope=home,
        display="standalone",
        background_color="#f3eadb",
        theme_color="#f3eadb",
        icons=[
            _icon("icon.svg", "any", "any"),
            _icon("icon.svg", "any", "maskable"),
            _icon("icon-512.png", "512x512", "any"),
            _icon("icon-512.png", "512x512", "maskable"),
            small,
        ],
        shortcuts=[
            {"name": name, "url": url_for(page), "icons": [small]}
            for page, name in shortcuts.items()
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


def _icon(filename: str, sizes: str, purpose: str) -> dict[str, str]:
    kind = "image/svg+xml" if filename.endswith("svg") else "image/png"
    address = url_for("static", filename=f"base/{filename}")
    return {"src": address, "sizes": sizes, "type": kind, "purpose": purpose}


@pages.get("/tonight", endpoint="tonight")
@pages.get("/tonight/record", endpoint="tonight_record")
def go_to_newest() -> Response:
    """Redirect to the open session or, if this phone may write, to its record form; or home."""
    newest = newest_session(access.known_phones(), access.used_at())
    if newest is None:
        return redirect(url_for("circles.home"))
    phone, session_id = newest
    records = request.endpoint == "offline.tonight_record" and phone.role.reaches(Role.SCOREKEEPER)
    page = "deals.record" if records else "sessions.show"
    return redirect(url_for(page, circle_id=phone.circle_id, session_id=session_id))


@pages.post("/forget")
def forget() -> Response:
    """Make this browser forget its circles, its preferences and all stored pages."""
    cookie.clear()
    flash(gettext("This phone has forgotten all circles."), "ok")
    answer = clear_site_data(redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER), storage=True)
    for name in ("language", "theme", "undo"):
        access.set_cookie(answer, name, "", 0)
    return answer
