"""Answers of the routes of a circle: in the reader's language, and with an ETag for reading."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Protocol, TypeVar

from flask import current_app, request
from flask_babel import get_locale
from werkzeug.wrappers import Response

from scorer.api.access import current_reader
from scorer.documents import encode
from scorer.errors import InvalidError
from scorer.languages import translate
from scorer.services.base.clock import moment
from scorer.services.circle.circles import phone_words, signature
from scorer.texts import Text, say

T = TypeVar("T")
SESSION_WANTED = say("The key of a session is needed.")
JSON = "application/json"


def speaker() -> Callable[[Text], str]:
    """Return the translator of texts into the reader's language."""
    return partial(translate, language=get_locale().language)


def as_json(document: object) -> Response:
    return current_app.response_class(encode(document), mimetype=JSON)


def conditional(version: object, read: Callable[[], bytes], *mimetypes: str) -> Response:
    """Answer with bytes of a MIME type, or with 304 if the program has this version.

    The first MIME type is the usual one; the others are for programs that accept only those.
    """
    mimetype = request.accept_mimetypes.best_match(mimetypes, mimetypes[0])
    reader = current_reader().role, get_locale().language, request.url, mimetype
    seen = version, reader, current_app.config["VERSION"]
    response = current_app.response_class(mimetype=mimetype)
    response.vary.update(("Authorization", "Accept-Language", *["Accept"][: len(mimetypes) - 1]))
    response.set_etag(sha256(encode(seen)).hexdigest()[:32])
    response.make_conditional(request)
    if response.status_code == HTTPStatus.OK:
        response.set_data(read())
    return response


class Written(Protocol):
    """A row that says who wrote it, on which phone and when."""

    @property
    def written_by(self) -> str | None: ...
    @property
    def phone(self) -> str | None: ...
    @property
    def at(self) -> datetime: ...


def written(row: Written) -> dict[str, str | None]:
    """Return who wrote a row, on which phone and when."""
    return {"player": row.written_by, "phone": spoken(phone_words(row.phone)), "at": moment(row.at)}


def signed(row: Written) -> dict[str, Any]:
    """Return who wrote a row, on which phone and when, and ``by`` as `signature` has it."""
    by = signature(current_reader().role, speaker(), row.written_by, row.phone)
    return {**written(row), "by": by}


def spoken(words: Text | str | None) -> str | None:
    """Translate a text into the reader's language; other values stay as they are."""
    return speaker()(words) if isinstance(words, Text) else words


def argument(name: str, kind: Callable[[str], T], otherwise: Text) -> T | None:
    """Read an argument of the address; raise InvalidError with what is needed."""
    text = request.args.get(name)
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise InvalidError.of("wrong-type", name, otherwise) from None
