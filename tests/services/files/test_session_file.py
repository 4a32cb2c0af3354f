"""The file of a session: what stands, with names in place of seats, and times set by the clock."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorer.operations.scoring import played
from scorer.services.base import clock
from scorer.services.files.session_files import session_file
from tests.services.evenings import FIVE, sheet, start

FRIDAY = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


def deals_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["deals"]
    return found


def test_file_tells_what_was_agreed_on() -> None:
    with clock.at(FRIDAY):
        evening = start("volata", title="Friday")

    document = session_file(evening.state)

    assert (document["format"], document["game"]) == ("scorer-session/1", "briscola-chiamata")
    assert (document["title"], document["date"]) == ("Friday", "2026-11-20")
    assert document["rules"]["slug"] == "volata"
    assert document["seats"] == list(FIVE)
    assert document["opening"] == dict.fromkeys(FIVE, 0)
    assert document["deals"] == []


def test_names_that_look_like_seats_are_no_seats() -> None:
    evening = start(players=["4", "3", "2", "1", "0"])
    evening.record(sheet("4", "3"))

    (deal,) = deals_of(session_file(evening.state))

    assert evening.deal(1).entry.stored is not None
    assert (deal["sheet"]["caller"], deal["sheet"]["partner"]) == ("4", "3")
    assert evening.balances() == [2, 1, -1, -1, -1]


def test_clock_is_set_for_a_block_only() -> None:
    with clock.at(FRIDAY):
        inside = clock.now()
        with clock.at(FRIDAY + timedelta(hours=1)):
            within = clock.now()
        after = clock.now()

    assert (inside, within, after) == (FRIDAY, FRIDAY + timedelta(hours=1), FRIDAY)
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("deals", [1, 2, 90, 250])
def test_end_of_a_long_evening_is_found_however_long_it_was_played_on(deals: int) -> None:
    document = {
        "format": "scorer-session/1",
        "game": "briscola",
        "rules": {"match": "first-to", "deals": 1},
        "seats": ["Ada", "Bea"],
        "deals": [{"sheet": {"card_points": [70, 50]}}] * deals,
    }
    evening, _, _ = played(document)

    assert evening is not None
    assert evening.progress.finished
    assert evening.ended == 1
