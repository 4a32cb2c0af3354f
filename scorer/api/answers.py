"""Answers of the routes of a circle: in the reader's language, with an ETag where they are read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flask import current_app, request
from flask_babel import get_locale

from scorer.documents import encode
from scorer.languages import translate

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from werkzeug.wrappers import Response

    from scorer.texts import Text


def speaker() -> Callable[[Text], str]:
    """Give what turns texts into the words of the reader's language."""
    return partial(translate, language=get_locale().language)


def as_json(document: object) -> Response:
    """Answer with a document."""
    return current_app.response_class(encode(document), mimetype="application/json")


def read_answer(document: object) -> Response:
    """Answer with a document that was read: 304 where the program has the same."""
    response = as_json(document)
    response.vary.update(("Authorization", "Accept-Language"))
    response.add_etag()
    return response.make_conditional(request)


def moment(at: datetime) -> str:
    """Write a moment, in UTC."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
