"""Answers of the routes of a circle: in the reader's language, and with an ETag for reading."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from flask import current_app, request
from flask_babel import get_locale
from werkzeug.wrappers import Response

from scorer.api.access import current_reader
from scorer.documents import encode
from scorer.languages import translate
from scorer.services.circle.circles import phone_words, signature
from scorer.shapes import Shape, gives, written
from scorer.texts import Text

JSON = "application/json"


def speaker() -> Callable[[Text], str]:
    """Return the translator of texts into the reader's language."""
    return partial(translate, language=get_locale().language)


def shaped(kind: type[Shape], value: object) -> dict[str, Any]:
    """Write a value by its shape, in the reader's language."""
    return written(kind, value, speaker())


def as_json(document: object) -> Response:
    return current_app.response_class(encode(document), mimetype=JSON)


def conditional(version: object, read: Callable[[], bytes], mimetype: str) -> Response:
    """Answer with bytes of a MIME type, or with 304 if the program has this version."""
    reader = current_reader().role, get_locale().language, request.url
    seen = version, reader, current_app.config["VERSION"]
    response = current_app.response_class(mimetype=mimetype)
    response.vary.update(("Authorization", "Accept-Language"))
    response.set_etag(sha256(encode(seen)).hexdigest()[:32])
    response.make_conditional(request)
    if response.status_code == HTTPStatus.OK:
        response.set_data(read())
    return response


class Page(NamedTuple):
    """A part of a list, and the address of the next one."""

    rows: Sequence[Any]
    next: str | None = None


def listed(name: str, kind: type[Shape]) -> type[Shape]:
    """Return the shape of a list, whose rows are called ``name``: that of a `Page`."""
    text = (kind.__doc__ or "").strip()
    next_page = gives("The address of the next page; null on the last one.")
    hints = {name: list[kind], "next": str | None}  # type: ignore[valid-type]  # a class of its own
    told = {"__doc__": f"A list: {text}", "__annotations__": hints}
    return type(
        f"{kind.__name__}List", (Shape,), told | {name: gives(text, "rows"), "next": next_page}
    )


def _row(value: Any) -> Any:
    """Return what was written: a row, or that of a value about one."""
    return getattr(value, "row", value)


class Authored(Shape):
    """Who wrote something, and when."""

    player: str | None = gives(
        "Who held the phone then, if that was said.", lambda value: _row(value).written_by
    )
    phone: str | None = gives(
        "The phone or the program that wrote it.", lambda value: phone_words(_row(value).phone)
    )
    at: datetime = gives("When it was written.", lambda value: _row(value).at)


class WrittenBy(Shape):
    """Who wrote something: a person, on a phone, or a program."""

    player: str | None = gives("Who held the phone then, if that was said.")
    phone: str | None = gives("The phone of a person; null for spectators.")
    program: str | None = gives("The key of a program, or its number.")


class Signed(Authored):
    """Who wrote something, and when, as the reader may know it."""

    by: WrittenBy = gives("Who wrote it.", lambda value: _signature(_row(value)))


def _signature(row: Any) -> dict[str, str | None]:
    return signature(current_reader().role, speaker(), row.written_by, row.phone)
