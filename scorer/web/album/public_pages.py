"""The public page of an evening, open to anybody with its address, chat robots included.

The secret is in the path, because robots get no fragment (`scorer.routes`).
"""

from flask import render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import force_locale, get_locale

from scorer.errors import ConflictError, NotFoundError
from scorer.languages import LANGUAGES
from scorer.routes import Routes, address_of
from scorer.services.album import last_page as public_pages
from scorer.services.album.last_page import last_page
from scorer.services.circle import circles
from scorer.web.album.evenings import SharedEvening, evening_picture, shared_evening
from scorer.web.base.access import use_circle_formats

pages = Routes("public", __name__, url_prefix="/evening/<secret>")


def _open(secret: str) -> SharedEvening:
    """Return the evening that a secret opens; raise NotFoundError while it is played on."""
    page = public_pages.open_page(secret)
    use_circle_formats(circles.find(page.circle_id))
    try:
        last = last_page(page.circle_id, page.session_id)
    except ConflictError as error:
        raise NotFoundError from error
    return shared_evening(last, names=page.names, with_money=page.money)


def _language() -> str:
    language = request.args.get("language", "")
    return language if language in LANGUAGES else get_locale().language


@pages.get("/", limit=("secret", "picture"))
def evening(secret: str) -> ResponseReturnValue:
    with force_locale(_language()):
        shown = _open(secret)
        picture = {"secret": secret, "language": _language()}
        return render_template(
            "album/public.html",
            shown=shown,
            picture=picture,
            picture_url=address_of("public.picture", shape="wide", **picture),
            address=address_of("public.evening", **picture),
        )


@pages.get("/picture.png", limit=("secret", "picture"))
def picture(secret: str) -> ResponseReturnValue:
    with force_locale(_language()):
        return evening_picture(_open(secret))
