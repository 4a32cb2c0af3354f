"""The limits of a circle that settings set: of its deals, phones, photos and programs.

A setting without a value sets no limit, and then nothing is counted.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from flask import current_app

from scorer.errors import InvalidError, Problem
from scorer.services.base.clock import now
from scorer.storage import queries
from scorer.texts import Text, say

#: The part of a limit from which owners are warned.
NEARLY = 0.9


class LimitKind(NamedTuple):
    """What is limited: the setting, the count in a circle, and what is said of it.

    ``nearly`` and ``full`` make sentences of the count and the limit; ``field`` is that of the
    problem.
    """

    setting: str
    count: Callable[[UUID], int]
    nearly: Callable[[int, int], Text]
    full: Callable[[int], Text]
    field: str = ""


class CircleLimit(Enum):
    """The limits of a circle."""

    DEALS = LimitKind(
        "DEALS_A_CIRCLE",
        queries.deals.circle_count,
        lambda count, most: say(
            "Deals of the circle: %(count)s of at most %(most)s.", count=count, most=most
        ),
        lambda most: say("The circle may have no more deals than %(most)s.", most=most),
    )
    PHONES = LimitKind(
        "PHONES_A_CIRCLE",
        queries.circle.phone_count,
        lambda count, most: say(
            "Phones of the circle: %(count)s of at most %(most)s.", count=count, most=most
        ),
        lambda most: say(
            "The circle may have no more phones than %(most)s: an owner can remove some.",
            most=most,
        ),
        "code",
    )
    PROGRAMS = LimitKind(
        "PROGRAMS_A_CIRCLE",
        lambda circle_id: queries.circle.key_count(circle_id, now()),
        lambda count, most: say(
            "Keys of programs of the circle: %(count)s of at most %(most)s.", count=count, most=most
        ),
        lambda most: say("A circle has at most %(most)s keys. Take one back first.", most=most),
        "name",
    )
    PHOTOS = LimitKind(
        "PHOTOS_A_CIRCLE",
        queries.album.photo_count,
        lambda count, most: say(
            "Photos of the circle: %(count)s of at most %(most)s.", count=count, most=most
        ),
        lambda most: say("The circle has %(most)s photos, and may have no more.", most=most),
        "photo",
    )


def refuse_full(limit: CircleLimit, circle_id: UUID, more: int = 1) -> None:
    """Raise InvalidError if a circle has no room for ``more``."""
    kind, most = limit.value, _most(limit)
    if most is not None and kind.count(circle_id) + more > most:
        raise InvalidError([Problem("circle-full", kind.field, kind.full(most))])


def nearly_full(circle_id: UUID) -> Iterator[Text]:
    """Yield a sentence for each limit that a circle has nearly reached."""
    for limit in CircleLimit:
        if most := _most(limit):
            count = limit.value.count(circle_id)
            if count >= most * NEARLY:
                yield limit.value.nearly(count, most)


def _most(limit: CircleLimit) -> int | None:
    most: int | None = current_app.config.get(limit.value.setting)
    return most
