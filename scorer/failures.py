"""What went wrong, said to a person as a page and to a program as a list of problems.

The only place that knows which failure is which HTTP status.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import current_app, g, jsonify, make_response, render_template, request
from flask_babel import get_locale
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from scorer import security_log
from scorer.errors import (
    BusyError,
    ConflictError,
    ForeignHostError,
    ForeignSiteError,
    InvalidError,
    NotFoundError,
    NotReadyError,
    Problem,
    RefusedError,
    ScorerError,
    TooOftenError,
    UnknownGameError,
)
from scorer.languages import SOURCE, translate
from scorer.storage.troubles import Trouble, trouble
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from werkzeug.wrappers import Response

    from scorer.texts import Text


STATUS: dict[type[ScorerError], HTTPStatus] = {
    UnknownGameError: HTTPStatus.NOT_FOUND,
    NotFoundError: HTTPStatus.NOT_FOUND,
    ForeignHostError: HTTPStatus.BAD_REQUEST,
    RefusedError: HTTPStatus.FORBIDDEN,
    TooOftenError: HTTPStatus.TOO_MANY_REQUESTS,
    BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
    NotReadyError: HTTPStatus.SERVICE_UNAVAILABLE,
    ConflictError: HTTPStatus.CONFLICT,
    InvalidError: HTTPStatus.UNPROCESSABLE_ENTITY,
    ScorerError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
#: What the security log calls a refusal that is not one of a phone's role.
REFUSALS: dict[type[RefusedError], str] = {
    ForeignHostError: "foreign-host",
    ForeignSiteError: "foreign-site",
}
SAID: dict[HTTPStatus, tuple[Text, Text]] = {
    HTTPStatus.BAD_REQUEST: (
        say("Not understood"),
        say("That could not be understood. Load the page again and try again."),
    ),
    HTTPStatus.FORBIDDEN: (say("Not with this phone"), say("This phone may not do that.")),
    HTTPStatus.NOT_FOUND: (
        say("Nothing here"),
        say("There is nothing here, or this phone is not in its circle."),
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (say("Not possible"), say("That cannot be done here.")),
    HTTPStatus.CONFLICT: (
        say("Somebody was quicker"),
        say("Load the page again to see what changed."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        say("Too much"),
        say("That is too much at once: 1 MiB is the most, and 2 MB for a photo."),
    ),
    HTTPStatus.UNPROCESSABLE_ENTITY: (
        say("Not possible"),
        say("Something in it cannot be right. Nothing was saved."),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        say("Too often"),
        say("That was too often. Wait a minute and try again."),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        say("Something broke"),
        say("Something broke here. What was saved before is safe."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        say("Not now"),
        say("The data cannot be reached now. Try again in a moment."),
    ),
    HTTPStatus.INSUFFICIENT_STORAGE: (
        say("No room"),
        say("There is no room left where the data is kept."),
    ),
}


#: What is said of a database that doesn't work, and to a program by which status.
TROUBLES: dict[Trouble, tuple[HTTPStatus, Text]] = {
    Trouble.FULL: (
        HTTPStatus.INSUFFICIENT_STORAGE,
        say(
            "There is no room left where the data is kept. This was not saved; what was saved "
            "before is safe and can be read. Make room and try again."
        ),
    ),
    Trouble.READ_ONLY: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        say("The data can be read now, but not written. This was not saved."),
    ),
    Trouble.DAMAGED: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        say(
            "The file with the data is damaged. Whoever looks after the server can put a backup "
            "in its place."
        ),
    ),
    Trouble.AWAY: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        say("The data cannot be reached now. Try again in a moment."),
    ),
}


#: What passes with time or with room: the same form may be sent again.
PASSING = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.INSUFFICIENT_STORAGE,
}
MOST_FIELDS, MOST_LETTERS = 200, 20_000


def register(app: Flask) -> None:
    """Answer every failure of the app with its status and a sentence."""
    app.register_error_handler(HTTPException, answer_refusal)
    app.register_error_handler(ScorerError, answer_error)
    app.register_error_handler(RefusedError, answer_refused_phone)
    app.register_error_handler(TooOftenError, answer_hurry)
    app.register_error_handler(BusyError, answer_no_room)
    app.register_error_handler(NotReadyError, answer_not_ready)
    app.register_error_handler(DBAPIError, answer_trouble)
    app.register_error_handler(NoConnectionError, answer_trouble)


def answer_refusal(error: HTTPException) -> Response:
    """Answer what the framework refused, or an exception that nobody expected."""
    if isinstance(error, CSRFError):
        security_log.note("without-token")
    response = _answer(HTTPStatus(error.code or 500))
    response.headers.extend(pair for pair in error.get_headers() if pair[0] != "Content-Type")
    return response


def answer_error(error: ScorerError) -> Response:
    """Answer an error that the project raised."""
    return _answer(status_of(error), error.problems if isinstance(error, InvalidError) else ())


def answer_refused_phone(error: RefusedError) -> Response:
    """Answer that a phone's role does not reach, or that a request came from elsewhere, and why."""
    security_log.note(REFUSALS.get(type(error), "refused"))
    return _answer(status_of(error), message=error.message, title=error.title)


def answer_hurry(error: TooOftenError) -> Response:
    """Answer that it was too often, and when to try again."""
    security_log.note("throttled")
    message = say("That was too often. Try again in %(seconds)s seconds.", seconds=error.seconds)
    response = _answer(status_of(error), message=message)
    response.headers["Retry-After"] = str(error.seconds)
    return response


def answer_no_room(error: BusyError) -> Response:
    """Answer that the server holds as much as it can, and when to try again."""
    response = _answer(status_of(error))
    response.headers["Retry-After"] = str(error.seconds)
    return response


def answer_not_ready(error: NotReadyError) -> Response:
    """Answer that the operator has to do something first, and what."""
    return _answer(status_of(error), message=error.message)


def answer_trouble(error: DBAPIError | NoConnectionError) -> Response:
    """Answer that the database is away, damaged, without room or not to be written."""
    found = trouble(error) if isinstance(error, DBAPIError) else Trouble.AWAY
    if found is None:
        current_app.logger.error("The database refuses", exc_info=error)
        return _answer(HTTPStatus.INTERNAL_SERVER_ERROR)
    current_app.logger.error("The database cannot be used (%s): %s", found.value, error)
    status, message = TROUBLES[found]
    return _answer(status, message=message)


def status_of(error: ScorerError) -> HTTPStatus:
    """Give the HTTP status of an error that the project raised."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def _answer(
    status: HTTPStatus,
    problems: Sequence[Problem] = (),
    message: Text | None = None,
    title: Text | None = None,
) -> Response:
    usual_title, usual = SAID.get(status, SAID[HTTPStatus.BAD_REQUEST])
    message = message or usual
    if not _for_a_program():
        return make_response(_page(status, title or usual_title, message), status)
    code = HTTP_STATUS_CODES[status].lower().replace(" ", "-")
    listed = [_written(p) for p in problems or (Problem(code, "", message),)]
    return make_response(jsonify(ok=False, problems=listed), status)


def _page(status: HTTPStatus, title: Text, message: Text) -> str:
    came_from = request.referrer or ""
    back = came_from if came_from.startswith(request.root_url) else None
    try:
        return render_template(
            "error.html",
            status=int(status),
            title=title,
            message=message,
            back=back,
            typed=_typed() if status in PASSING else [],
        )
    except Exception:  # what broke may be what the page needs: a sentence is left
        current_app.logger.exception("The page for status %s cannot be shown", int(status))
        return translate(message, SOURCE)


def _typed() -> list[tuple[str, str]]:
    """List what a form sent, to be sent again by a button; nothing where that is a lot, or a file.

    The page of an error is small, and a browser can't be told to send a file again. What came
    without a token may be another site's.
    """
    if current_app.config["WTF_CSRF_ENABLED"] and "csrf_valid" not in g:
        return []
    sent = [pair for pair in request.form.items(multi=True) if pair[0] != "csrf_token"]
    letters = sum(len(name) + len(value) for name, value in sent)
    too_much = len(sent) > MOST_FIELDS or letters > MOST_LETTERS
    return [] if request.files or too_much else sent


def _written(problem: Problem) -> dict[str, str]:
    message = translate(problem.message, get_locale().language)
    return {"code": problem.code, "field": problem.field, "message": message}


def _for_a_program() -> bool:
    best = request.accept_mimetypes.best_match(("text/html", "application/json"))
    return request.path.startswith(("/api/", "/health")) or best == "application/json"
