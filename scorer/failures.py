"""Failures as answers: a page for a person, a list of problems for a program.

The only module that knows which error is which HTTP status.
"""

from collections.abc import Sequence
from http import HTTPStatus

from flask import Flask, Request, current_app, g, jsonify, make_response, render_template, request
from flask_babel import get_locale
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.wrappers import Response

from scorer import errors, logs, storage
from scorer.languages import SOURCE, translate
from scorer.storage.engine import Trouble, trouble
from scorer.texts import Text, say
from scorer.web.deals.entry import form_again

STATUS: dict[type[errors.ScorerError], HTTPStatus] = {
    errors.UnknownGameError: HTTPStatus.NOT_FOUND,
    errors.NotFoundError: HTTPStatus.NOT_FOUND,
    errors.ForeignHostError: HTTPStatus.BAD_REQUEST,
    errors.RefusedError: HTTPStatus.FORBIDDEN,
    errors.TooOftenError: HTTPStatus.TOO_MANY_REQUESTS,
    errors.BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.NotReadyError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ConflictError: HTTPStatus.CONFLICT,
    errors.InvalidError: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ScorerError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
#: What the security log calls a refusal that is not one of a phone's role.
REFUSALS: dict[type[errors.RefusedError], str] = {
    errors.ForeignHostError: "foreign-host",
    errors.ForeignSiteError: "foreign-site",
}
SAID: dict[HTTPStatus, tuple[Text, Text]] = {
    HTTPStatus.BAD_REQUEST: (
        say("Not understood"),
        say("That could not be understood. Load the page again and try again."),
    ),
    HTTPStatus.FORBIDDEN: (say("Not with this phone"), say("This phone may not do that.")),
    HTTPStatus.NOT_FOUND: (
        say("Nothing here"),
        say("The address is wrong, or this phone is not in its circle."),
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
        say(
            "The disk with the data is full. This was not saved; what was saved before is "
            "safe and can be read. Make room and try again."
        ),
    ),
}
#: What is said of a form whose token no longer holds.
LOST = (
    say("Send it once more"),
    say("The page was too old to be taken, so nothing was done. What you typed is still here."),
)
#: What the page says of a database that cannot be used, where it says more than its status.
TROUBLES: dict[Trouble, Text] = {
    Trouble.READ_ONLY: say("The data can be read now, but not written. This was not saved."),
    Trouble.DAMAGED: say(
        "The file with the data is damaged. Whoever runs the server can restore a backup."
    ),
}
#: After these the page offers to send the same form again.
PASSING = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.INSUFFICIENT_STORAGE,
}
MOST_FIELDS, MOST_LETTERS = 200, 20_000


def register(app: Flask) -> None:
    """Answer every failure of the app with its status and a sentence."""
    app.register_error_handler(HTTPException, answer_refusal)
    app.register_error_handler(errors.ScorerError, answer_error)
    app.register_error_handler(DBAPIError, answer_trouble)
    app.register_error_handler(NoConnectionError, answer_trouble)


def answer_refusal(error: HTTPException) -> Response:
    """Answer what the framework refused, or an exception that nobody expected."""
    response = _without_token() if isinstance(error, CSRFError) else None
    response = response or _answer(HTTPStatus(error.code or 500))
    response.headers.extend(pair for pair in error.get_headers() if pair[0] != "Content-Type")
    return response


def _without_token() -> Response | None:
    """Show again what one of our own pages sent with a token that no longer holds.

    A deal comes back in its form, anything else with a button that sends it again.
    """
    logs.note("without-token")
    if not _of_our_page() or not _is_read_by_a_person() or not _typed():
        return None
    try:
        page = form_again()
    except HTTPException:  # not a form that a page of ours sends
        return None
    return make_response(page or _page(HTTPStatus.BAD_REQUEST, *LOST), HTTPStatus.BAD_REQUEST)


def _of_our_page() -> bool:
    """Whether a browser says that a page of ours sent a form; all other sites were refused."""
    named = "Origin" in request.headers
    return named or request.headers.get("Sec-Fetch-Site") == "same-origin"


def answer_error(error: errors.ScorerError) -> Response:
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    match error:
        case errors.InvalidError():
            return _answer(status, error.problems)
        case errors.NotReadyError():
            return _answer(status, message=error.message)
        case errors.RefusedError():
            logs.note(REFUSALS.get(type(error), "refused"))
            return _answer(status, message=error.message, title=error.title)
        case errors.BusyError():
            return _later(_answer(status), error.seconds)
        case errors.TooOftenError():
            logs.note("throttled")
            message = say("That was too often. Try again in 1 second.")
            if error.seconds != 1:
                message = say(
                    "That was too often. Try again in %(seconds)s seconds.", seconds=error.seconds
                )
            return _later(_answer(status, message=message), error.seconds)
    return _answer(status)


def _later(response: Response, seconds: int) -> Response:
    response.headers["Retry-After"] = str(seconds)
    return response


def answer_trouble(error: DBAPIError | NoConnectionError) -> Response:
    """Answer that the database is away, damaged, full or read-only; 500 for a wrong statement."""
    cause = trouble(error) if isinstance(error, DBAPIError) else Trouble.AWAY
    if isinstance(error, DBAPIError) and (other := storage.other_tables(cause)):
        return answer_error(other)
    if cause is None:
        current_app.logger.error("The database refuses", exc_info=error)
        return _answer(HTTPStatus.INTERNAL_SERVER_ERROR)
    current_app.logger.error("The database cannot be used (%s): %s", cause.value, error)
    if cause is Trouble.FULL:
        return _answer(HTTPStatus.INSUFFICIENT_STORAGE)
    return _answer(HTTPStatus.SERVICE_UNAVAILABLE, message=TROUBLES.get(cause))


def for_programs(request: Request) -> bool:
    """Whether a request is a program's: answered as JSON, authorised by its bearer alone."""
    return request.path.startswith(("/api/", "/health"))


def _answer(
    status: HTTPStatus,
    problems: Sequence[errors.Problem] = (),
    message: Text | None = None,
    title: Text | None = None,
) -> Response:
    usual_title, usual = SAID.get(status, SAID[HTTPStatus.BAD_REQUEST])
    message = message or usual
    if _is_read_by_a_person():
        return make_response(_page(status, title or usual_title, message), status)
    code = HTTP_STATUS_CODES[status].lower().replace(" ", "-")
    language = get_locale().language
    listed = [
        {
            "code": problem.code,
            "field": problem.field,
            "message": translate(problem.message, language),
        }
        for problem in problems or (errors.Problem(code, "", message),)
    ]
    return make_response(jsonify(ok=False, problems=listed), status)


def _is_read_by_a_person() -> bool:
    best = request.accept_mimetypes.best_match(("text/html", "application/json"))
    return not for_programs(request) and best != "application/json"


def _page(status: HTTPStatus, title: Text, message: Text) -> str:
    came_from = request.referrer or ""
    back = came_from if came_from.startswith(request.root_url) else None
    g.setdefault("called", {})  # the database may be what broke
    try:
        return render_template(
            "base/error.html",
            status=int(status),
            title=title,
            message=message,
            back=back,
            typed=_typed() if status in PASSING or title is LOST[0] else [],
        )
    except Exception:  # what broke may be what the page needs: a sentence is left
        current_app.logger.exception("The page for status %s cannot be shown", int(status))
        return translate(message, SOURCE)


def _typed() -> list[tuple[str, str]]:
    """List the fields of the form that was sent, so that a button can send them again.

    A large form gives none, as the page of an error stays small; nor does a form with a file, which
    a browser cannot send again, or one without a token which may be another site's.
    """
    if current_app.config["WTF_CSRF_ENABLED"] and "csrf_valid" not in g and not _of_our_page():
        return []
    sent = [pair for pair in request.form.items(multi=True) if pair[0] != "csrf_token"]
    letters = sum(len(name) + len(value) for name, value in sent)
    too_much = len(sent) > MOST_FIELDS or letters > MOST_LETTERS
    return [] if request.files or too_much else sent
