"""Where seats changed within a session, as the score sheet tells it."""

from typing import Any

import pytest

from scorer.evening.session_acts import Guest
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.deals.report import seats_changes
from tests.services.evenings import SIX, Evening, sheet, start

ADA, BEA, CIRO, DORA, EZIO, FULVIA, GINO = all_seats(7)
BEA_FIRST = (BEA, ADA, CIRO, DORA, EZIO, FULVIA)
NEW = [Guest("Gino")]


@pytest.fixture
def evening() -> Evening:
    """Give six at the table and a deal; Ada deals first."""
    evening = start({"preset": "classic-plain", "sits_out": "dealer"}, SIX, first_dealer=0)
    evening.record(sheet("Ezio", "Fulvia"))
    return evening


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param([{"rules": "volata"}], [], id="nobody moved"),
        pytest.param([{"until": 2, "order": all_seats(6), "sits_out": [CIRO]}], [], id="sits out"),
        pytest.param([{"since": 1, "order": BEA_FIRST, "dealer": BEA}], [], id="first deal too"),
        pytest.param(
            [{"order": (ADA, BEA, GINO, CIRO, DORA, EZIO, FULVIA), "guests": NEW}],
            ["From deal 2: Gino sits between Bea and Ciro"],
            id="guest",
        ),
        pytest.param(
            [{"order": (*all_seats(6), GINO), "guests": NEW}],
            ["From deal 2: Gino sits between Fulvia and Ada"],
            id="guest at the end",
        ),
        pytest.param(
            [{"order": (GINO, BEA, CIRO, DORA, EZIO), "guests": NEW}],
            ["From deal 2: Gino sits between Ezio and Bea; Ada leaves; Fulvia leaves"],
            id="who leaves and who comes",
        ),
        pytest.param(
            [
                {"order": (CIRO, DORA, EZIO, FULVIA, ADA, BEA)},
                {"order": (ADA, CIRO, BEA, DORA, EZIO)},
            ],
            ["From deal 3: in order of play Ada, Ciro, Bea, Dora, Ezio; Fulvia leaves"],
            id="another beginning is no other order",
        ),
    ],
)
def test_changes_of_seats_are_told(
    evening: Evening, changes: list[dict[str, Any]], told: list[str]
) -> None:
    for change in changes:
        evening.change(**change)
        evening.record(None, Outcome.MISDEAL)

    assert [str(change.text) for change in seats_changes(evening.state)] == told


def test_range_that_ends_is_told_at_both_ends_by_the_same_act(evening: Evening) -> None:
    for _ in range(3):
        evening.record(sheet("Ezio", "Fulvia"))

    evening.change(2, 3, order=BEA_FIRST, dealer=BEA)

    found = list(seats_changes(evening.state))
    assert [change.number for change in found] == [2, 4]
    assert {change.row.reason for change in found} == {"We sat wrong"}
    assert len({change.row.at for change in found}) == 1
