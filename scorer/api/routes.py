"""The routes of a circle for programs, each declared with its body and its answer.

A program reads a document, or sends one and is answered as by reading then. The check of the role,
the reader of the body, the ETag and the description in openapi.json come from the same declaration.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial, wraps
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from uuid import UUID, uuid4

from flask import jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from scorer import operations
from scorer.api.access import current_reader, current_writer, enter
from scorer.api.answers import JSON, as_json, conditional, shaped, speaker
from scorer.documents import decode, encode
from scorer.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from scorer.roles import Holder, Role
from scorer.routes import Routes
from scorer.rules.questions import Reading, body_of, questions, read
from scorer.services.deals.deals import Done
from scorer.services.live.events import circle_version, session_mark
from scorer.shapes import GameSlug, Shape
from scorer.storage import dry_run
from scorer.texts import Text, say
from scorer.typed_text import read_day

T = TypeVar("T")
View = Callable[..., Any]
#: The people whom a body may name, and maybe their keys.
People = Sequence[str] | Mapping[str, UUID]
Names = Callable[[Mapping[str, Any], Any], People]
USUAL = ("secret", "api")
PREFIX = "/circles"
SESSION = "/<uuid:circle>/sessions/<uuid:session>"


class Query(NamedTuple):
    """A parameter of an address, or elsewhere in a request: its name, type and sentence.

    ``wanted`` is said of a text that is none of its type.
    """

    name: str
    kind: Any
    sentence: str
    place: str = "query"
    wanted: Text = say("A whole number is needed.")

    def value(self) -> Any:
        """Read the parameter of the address, None where it is left out; raise InvalidError."""
        text = request.args.get(self.name)
        try:
            return READERS.get(self.kind, str)(text) if text else None
        except ValueError:
            raise self.refusal from None

    @property
    def refusal(self) -> InvalidError:
        return InvalidError.of("wrong-type", self.name, self.wanted)


#: A part of a route's rule, with its name.
PATH_PART = re.compile(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>")
#: What reads a parameter that is no text.
READERS: dict[Any, Callable[[str], Any]] = {date: read_day, int: int, UUID: UUID}
DAY = say("A date is needed, such as 2026-11-20.")
BEFORE = Query(
    "before",
    UUID,
    "The last session of the page before.",
    wanted=say("The key of a session is needed."),
)
FROM = Query("from", date, "The first day.", wanted=DAY)
TO = Query("to", date, "The last day.", wanted=DAY)
GAME = Query("game", GameSlug, "The game; left out, the one that is played most.")


class Operation(NamedTuple):
    """A route as it is described.

    ``answers`` are the shape of its answer, or MIME types of bytes; ``failures`` are the shapes of
    its own failures, by status.
    """

    method: str
    rule: str
    name: str
    view: View
    answers: Sequence[Any]
    body: Any = None
    queries: Sequence[Query] = ()
    failures: Mapping[str, Any] = MappingProxyType({})


#: The routes that the description is made of.
OPERATIONS: list[Operation] = []


class NotJsonError(Exception):
    """The body is not JSON."""


class CircleRoutes(Routes):
    """A blueprint of routes of a circle, open to programs with a secret that opens it."""

    def __init__(self, name: str, import_name: str) -> None:
        prefix = "/api/v1/circles"
        super().__init__(name, import_name, limit=USUAL, url_prefix=prefix)
        self.before_request(enter)

    def reads(
        self,
        rule: str,
        answer: type[Shape] | str,
        *queries: Query,
        least: Role = Role.SPECTATOR,
        limit: tuple[str, ...] = (),
        name: str = "",
    ) -> Callable[[View], View]:
        """Declare a view that returns what has a shape, or the bytes of a MIME type.

        It gets the values of the address, then those of the queries. The description calls it by
        ``name``, by default the function's.
        """

        def declare(view: View) -> View:
            named = name or view.__name__
            path = PREFIX + rule
            OPERATIONS.append(Operation("get", path, named, view, (answer,), None, queries))

            @wraps(view)
            def answered(**args: Any) -> Response:
                def given() -> Any:
                    return view(*args.values(), *[query.value() for query in queries])

                mark = _mark(args)
                if isinstance(answer, str):
                    return conditional(mark, given, answer)
                return conditional(mark, lambda: encode(shaped(answer, given())), JSON)

            limits = (*USUAL, *limit)
            self.get(rule, endpoint=named, least=least, limit=limits)(answered)
            return view

        return declare

    def writes(
        self,
        method: str,
        rule: str,
        then: View,
        *,
        body: type[Any] | None = None,
        names: Names = lambda _args, _body: (),
        name: str = "",
        answer: type[Shape] | None = None,
        failures: Mapping[str, Any] = MappingProxyType({}),
        makes: bool = True,
        gives: str = "",
        **facts: Any,
    ) -> Callable[[View], View]:
        """Declare a view or service, and the reading view that answers ``then``.

        A view or service gets the values of the address, the ``body``, or else its arguments that
        are questions, and the writer ``by``. What it ``gives`` is the key of the new row, under
        that name in addresses. ``names`` lists the people whom a body may name. The ``answer`` has
        the shape of the reading view, if no other is given. Where it ``makes`` a row, a new one is
        answered with 201, an existing one with 200.
        """
        reading = next(done for done in OPERATIONS if done.view is then)
        shape, keys = answer or reading.answers[0], PATH_PART.findall(reading.rule)
        facts["limit"] = (*USUAL, *facts.get("limit", ()))

        def declare(view: View) -> View:
            named = name or view.__name__
            asked = body_of("".join(map(str.capitalize, named.split("_"))), view)
            sent_body = body or (asked if questions(asked) else None)
            path, shapes = PREFIX + rule, (shape,)
            operation = Operation(method, path, named, view, shapes, sent_body, failures=failures)
            OPERATIONS.append(operation)

            @wraps(view)
            def answered(**args: Any) -> ResponseReturnValue:

                def act(sent: Any, by: Holder) -> tuple[dict[str, Any], bool]:
                    answers = {} if body or sent is None else vars(sent)
                    before = circle_version(args["circle"])
                    new = view(*args.values(), *([sent] if body else ()), **answers, by=by)
                    if isinstance(new, Done):
                        return {"number": new.number}, new.new
                    return {gives: new} if gives else {}, circle_version(args["circle"]) != before

                new, written = acted(sent_body, act, partial(names, args))
                made = makes and method == "post" and written and bool(sent_body or new)
                args |= new
                now = then(*(args[key] for key in keys))
                status = HTTPStatus.CREATED if made else HTTPStatus.OK
                return as_json(shaped(shape, now)), status

            self.route(rule, endpoint=named, methods=[method.upper()], **facts)(answered)
            return view

        return declare

    def does(
        self,
        act: type[Any],
        rule: str,
        do: Callable[..., object],
        then: View,
        name: str,
        *,
        method: str = "post",
        **facts: Any,
    ) -> None:
        """Declare that programs ``do`` an act to what an address names, with its questions."""
        body = act if questions(act) else None

        def view(*keys: Any, by: Holder) -> Done | None:
            done = do(*keys, by=by) if body else do(*keys, act(), by=by)
            return done if isinstance(done, Done) else None

        view.__doc__ = act.__doc__
        facts |= {"body": body, "name": name, "least": act.least, "limit": act.limit}
        self.writes(method, rule, then, **facts)(view)


def _mark(args: Mapping[str, UUID]) -> object:
    """Return the mark of what a view reads: of its session, or its whole circle."""
    if "session" in args:
        return session_mark(args["circle"], args["session"])
    return circle_version(args.get("circle", current_reader().circle_id))


def answer_malformed(_: Exception) -> ResponseReturnValue:
    return jsonify(operations.not_json(speaker())), HTTPStatus.BAD_REQUEST


def read_document() -> Any:
    """Read the body, whatever its content type; raise NotJsonError."""
    try:
        return decode(request.get_data())
    except ValueError:
        raise NotJsonError from None


def read_body(kind: type[T], names: Callable[[Any], People] = lambda _: ()) -> T:
    """Read the body into a dataclass; raise InvalidError with every problem.

    A dataclass with answers that depend on each other has a ``check`` of the document.
    """
    return _read(kind, read_document(), names)


def acted(
    kind: type[Any] | None,
    act: Callable[[Any, Holder], T],
    names: Callable[[Any], People] = lambda _: (),
) -> T:
    """Read a body, if there is one, and act on it as the writer; raise InvalidError.

    A bad key hides no other problem: the act is then a dry run with another key, which finds them.
    """
    if kind is None:
        return act(None, current_writer())
    document = _document(kind)
    try:
        body = _read(kind, document, names)
    except InvalidError as error:
        key = [problem for problem in error.problems if problem.field == "key"]
        if not key:
            raise
        try:
            body = _read(kind, {**document, "key": str(uuid4())}, names)
            with dry_run(), suppress(ConflictError, NotFoundError, RefusedError):
                act(body, current_writer())
        except InvalidError as others:
            raise InvalidError([*key, *others.problems]) from None
        raise
    return act(body, current_writer())


def needs_body(kind: type[Any]) -> bool:
    return any(question.required for question in questions(kind))


def _document(kind: type[Any]) -> Any:
    """Read the body; where nothing is needed, no body or null is an empty object."""
    if needs_body(kind):
        return read_document()
    document = read_document() if request.get_data() else None
    return {} if document is None else document


def _read(kind: type[T], document: Any, names: Callable[[Any], People]) -> T:
    people = names(document) if isinstance(document, dict) else ()
    keys = tuple(people.values()) if isinstance(people, Mapping) else ()
    reading = Reading(tuple(people), keys=keys)
    body = read(kind, document, reading, "")
    check = getattr(kind, "check", None)
    if check is not None and isinstance(document, dict):
        check(document, reading)
    if reading.problems or body is None:
        raise InvalidError([*reading.problems, *reading.typed])
    return body
