"""Which circles this browser belongs to: a signed cookie names its phone in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any
from uuid import UUID

from flask import g
from flask import session as cookie

from scorer.errors import NotFoundError
from scorer.services.circles import holder

if TYPE_CHECKING:
    from flask import Blueprint

    from scorer.services.circles import Holder

MOST_CIRCLES = 40


def remember(circle_id: UUID, phone_id: UUID) -> None:
    """Keep in the cookie that this browser is that phone of the circle."""
    known = {**_known(), circle_id.hex: phone_id.hex}
    cookie["phones"] = dict(list(known.items())[-MOST_CIRCLES:])
    cookie.permanent = True


def known_phones() -> dict[UUID, UUID]:
    """Which phone this browser is in which circles, as far as the cookie says."""
    return {UUID(circle_id): UUID(phone_id) for circle_id, phone_id in _known().items()}


def find_holder(circle_id: UUID) -> Holder:
    """Give this browser's phone in a circle; raise NotFoundError where it has none."""
    phone_id = _known().get(circle_id.hex)
    if phone_id is None:
        raise NotFoundError(circle_id)
    return holder(circle_id, UUID(phone_id))


def current_holder() -> Holder:
    """Give this browser's phone in the circle of the page."""
    found: Holder = g.holder
    return found


def guard(pages: Blueprint) -> None:
    """Open the pages of a circle to its own phones only: to others it doesn't exist."""

    @pages.url_value_preprocessor
    def find(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        if values and "circle_id" in values:
            g.holder = find_holder(values["circle_id"])


def _known() -> dict[str, str]:
    return dict(cookie.get("phones", {}))
