"""The limits of a circle that settings set: of its deals, phones, photos and programs.

A setting without a value sets no limit, and then nothing is counted.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from flask import current_app

from scorer.errors import InvalidError
from scorer.services.base.clock import now
from scorer.storage import queries
from scorer.texts import Text, say

#: The part of a limit from which owners are warned.
NEARLY = 0.9


class LimitKind(NamedTuple):
    """How a limit is counted, its messages, and the ``field`` of its problem."""

    count: Callable[[UUID], int]
    nearly: Text
    full: Text
    field: str


class CircleLimit(Enum):
    """The limits of a circle, each set by ``…_A_CIRCLE``."""

    DEALS = LimitKind(
        queries.deals.circle_count,
        say("Deals of the circle: %(count)s of at most %(most)s."),
        say("The circle may have no more deals than %(most)s."),
        "",
    )
    PHONES = LimitKind(
        queries.circle.phone_count,
        say("Phones of the circle: %(count)s of at most %(most)s."),
        say("The circle may have no more phones than %(most)s: an owner can remove some."),
        "code",
    )
    PROGRAMS = LimitKind(
        lambda circle_id: queries.circle.key_count(circle_id, now()),
        say("Keys of programs of the circle: %(count)s of at most %(most)s."),
        say("A circle has at most %(most)s keys. Take one back first."),
        "name",
    )
    PHOTOS = LimitKind(
        queries.session.photo_count,
        say("Photos of the circle: %(count)s of at most %(most)s."),
        say("The circle has %(most)s photos, and may have no more."),
        "photo",
    )


def refuse_full(limit: CircleLimit, circle_id: UUID, more: int = 1) -> None:
    """Raise InvalidError if a circle has no room for ``more``."""
    kind, most = limit.value, _most(limit)
    if most is not None and kind.count(circle_id) + more > most:
        message = replace(kind.full, values={"most": most})
        raise InvalidError.of("circle-full", kind.field, message)


def nearly_full(circle_id: UUID) -> Iterator[Text]:
    """Yield a sentence for each limit that a circle has nearly reached."""
    for limit in CircleLimit:
        if most := _most(limit):
            count = limit.value.count(circle_id)
            if count >= most * NEARLY:
                yield replace(limit.value.nearly, values={"count": count, "most": most})


def _most(limit: CircleLimit) -> int | None:
    most: int | None = current_app.config.get(f"{limit.name}_A_CIRCLE")
    return most
