"""The routes of a circle for programs, each declared with its body and its answer.

A program reads a document, or sends one and is answered as by reading then. The check of the role,
the reader of the body, the ETag and the description in openapi.json come from the same declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import date
from functools import partial, wraps
from http import HTTPStatus
from inspect import signature
from typing import Any, NamedTuple, Self, TypeVar
from uuid import UUID, uuid4

from flask import jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from scorer import operations
from scorer.api.access import current_writer, enter
from scorer.api.answers import JSON, as_json, conditional, speaker
from scorer.documents import decode, encode
from scorer.errors import ConflictError, InvalidError, NotFoundError, RefusedError, refuse
from scorer.roles import Holder, Role
from scorer.routes import Routes
from scorer.rules.sheet import Json, Reading, read
from scorer.services.base.clock import read_day
from scorer.services.live.events import circle_version, session_mark
from scorer.storage import dry_run
from scorer.texts import say

T = TypeVar("T")
View = Callable[..., Any]
Names = Callable[[Mapping[str, Any], Any], Sequence[str]]
USUAL = ("secret", "api")
SESSION = "/<uuid:circle>/sessions/<uuid:session>"


class Operation(NamedTuple):
    """The entry of a route in openapi.json: its body, and the schema or MIME type of its answer."""

    method: str
    rule: str
    name: str
    view: View
    answer: str
    body: type[Any] | None = None
    parameters: tuple[str, ...] = ()
    conflicts: bool = False


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
        answer: str,
        *parameters: str,
        least: Role = Role.SPECTATOR,
        limit: tuple[str, ...] = (),
        name: str = "",
    ) -> Callable[[View], View]:
        """Declare a view that returns a document, or the bytes of a MIME type.

        The description calls it by ``name``, by default the function's.
        """
        binary = "/" in answer

        def declare(view: View) -> View:
            named = name or view.__name__
            OPERATIONS.append(Operation("get", rule, named, view, answer, None, parameters))

            @wraps(view)
            def answered(**args: Any) -> Response:
                mark = _mark(args)
                given = partial(view, *args.values())
                if binary:
                    return conditional(mark, given, answer, BYTES)
                return conditional(mark, lambda: encode(given()), JSON)

            limits = (*USUAL, *limit)
            self.get(rule, endpoint=named, least=least, limit=limits)(answered)
            return view

        return declare

    def writes(
        self,
        method: str,
        rule: str,
        body: type[Any] | None,
        then: View,
        *,
        names: Names = lambda _args, _body: (),
        name: str = "",
        **facts: Any,
    ) -> Callable[[View], View]:
        """Declare a view or service that takes a body, and the reading view that answers ``then``.

        A view gets the values of the address, the ``body`` and the writer ``by``; a service, which
        has no argument of that name, the fields of the body one by one. It may return values that
        the address lacks, such as the key of a new row. ``names`` lists the people whom a body may
        name. A new row is answered with 201, an existing one with 200.
        """
        (answer,) = (done.answer for done in OPERATIONS if done.view is then)
        facts["limit"] = (*USUAL, *facts.get("limit", ()))

        def declare(view: View) -> View:
            named = name or view.__name__
            OPERATIONS.append(Operation(method, rule, named, view, answer, body))
            whole, asked = "body" in signature(view).parameters, fields(body) if body else ()

            @wraps(view)
            def answered(**args: Any) -> ResponseReturnValue:

                def act(sent: Any, by: Holder) -> tuple[Any, bool]:
                    values = [sent] if whole else [getattr(sent, one.name) for one in asked]
                    before = circle_version(args["circle"])
                    new = view(*args.values(), *values, by=by)
                    return new, circle_version(args["circle"]) != before

                new, written = acted(body, act, partial(names, args))
                made = method == "post" and written and bool(body or new)
                args |= new if isinstance(new, dict) else {}
                document = then(**{name: args[name] for name in signature(then).parameters})
                return as_json(document), HTTPStatus.CREATED if made else HTTPStatus.OK

            self.route(rule, endpoint=named, methods=[method.upper()], **facts)(answered)
            return view

        return declare


#: Also answered where a program accepts nothing else.
BYTES = "application/octet-stream"


def _mark(args: Mapping[str, UUID]) -> object:
    """Return the mark of what a view reads: of its session, or its whole circle."""
    if "session" in args:
        return session_mark(args["circle"], args["session"])
    return circle_version(args["circle"])


def answer_malformed(_: Exception) -> ResponseReturnValue:
    return jsonify(operations.not_json(speaker())), HTTPStatus.BAD_REQUEST


def read_document() -> Any:
    """Read the body, whatever its content type; raise NotJsonError."""
    try:
        return decode(request.get_data())
    except ValueError:
        raise NotJsonError from None


def read_body(kind: type[T], names: Callable[[Any], Sequence[str]] = lambda _: ()) -> T:
    """Read the body into a dataclass; raise InvalidError with every problem.

    A dataclass with answers that depend on each other has a ``check`` of the document.
    """
    return _read(kind, read_document(), names)


def acted(
    kind: type[Any] | None,
    act: Callable[[Any, Holder], T],
    names: Callable[[Any], Sequence[str]] = lambda _: (),
) -> T:
    """Read a body, if there is one, and act on it as the writer; raise InvalidError.

    A bad key hides no other problem: the act is then a dry run with another key, which finds them.
    """
    if kind is None:
        return act(None, current_writer())
    document = read_document()
    try:
        body = _read(kind, document, names)
    except InvalidError as error:
        if [problem.field for problem in error.problems] != ["key"]:
            raise
        body, by = _read(kind, {**document, "key": str(uuid4())}, names), current_writer()
        try:
            with dry_run(), suppress(ConflictError, NotFoundError, RefusedError):
                act(body, by)
        except InvalidError as others:
            raise InvalidError([*error.problems, *others.problems]) from None
        raise
    return act(body, current_writer())


def _read(kind: type[T], document: Any, names: Callable[[Any], Sequence[str]]) -> T:
    reading = Reading(names(document) if isinstance(document, dict) else ())
    body = read(kind, document, reading, "")
    check = getattr(kind, "check", None)
    if check is not None and isinstance(document, dict):
        check(document, reading)
    refuse(reading.problems)
    assert body is not None  # noqa: S101  # there are no problems
    return body


class Key(UUID):
    """A UUID in a body."""

    @classmethod
    def read_wire(cls, value: Any, reading: Reading, path: str) -> Self | None:
        try:
            return cls(value)
        except (AttributeError, TypeError, ValueError):
            reading.fault("wrong-type", path, say("A UUID is needed."))
            return None


class Date(date):
    """A day in a body."""

    @classmethod
    def read_wire(cls, value: object, reading: Reading, path: str) -> date | None:
        try:
            return read_day(str(value))
        except ValueError:
            reading.fault("wrong-type", path, say("A date is needed, such as 2026-11-20."))
            return None


class Rules(Json):
    """The rules in a body."""
