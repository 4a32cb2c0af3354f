"""Where seats changed within a session, as the score sheet tells it."""

import pytest

from scorer.evening.session_acts import Guest
from scorer.rules.seats import all_seats
from scorer.services.deals.report import ChangeLine, seats_changes
from tests.services.evenings import SIX, Evening, sheet, start

ADA, BEA, CIRO, DORA, EZIO, FULVIA, GINO = all_seats(7)


def told(evening: Evening) -> list[str]:
    return [str(change.text) for change in changes(evening)]


def changes(evening: Evening) -> list[ChangeLine]:
    return list(seats_changes(evening.state))


@pytest.fixture
def evening() -> Evening:
    return start({"preset": "classic-plain", "sits_out": "dealer"}, SIX, first_dealer=0)


def test_nothing_is_told_where_nobody_moved(evening: Evening) -> None:
    evening.change(until=1, order=all_seats(6), sits_out=[BEA])
    evening.record(sheet("Ada", "Ciro"))
    evening.change(rules="volata")

    assert told(evening) == []


def test_guest_is_told_between_whom() -> None:
    evening = start(first_dealer=0)
    evening.record()
    evening.change(order=(ADA, BEA, 5, CIRO, DORA, EZIO), guests=[Guest("Fulvia")])
    evening.record(sheet("Ada", "Dora"))
    evening.change(order=(ADA, BEA, FULVIA, CIRO, DORA, EZIO, 6), guests=[Guest("Gino")])

    assert told(evening) == [
        "From deal 2: Fulvia sits between Bea and Ciro",
        "From deal 3: Gino sits between Ezio and Ada",
    ]


def test_whoever_leaves_is_told_with_whoever_comes(evening: Evening) -> None:
    evening.record(sheet("Bea", "Ciro"))

    evening.change(order=(6, BEA, CIRO, DORA, EZIO), guests=[Guest("Gino")])

    assert told(evening) == [
        "From deal 2: Gino sits between Ezio and Bea; Ada leaves; Fulvia leaves"
    ]


def test_other_order_is_told_whole_and_another_beginning_is_none(evening: Evening) -> None:
    evening.record(sheet("Bea", "Ciro"))
    evening.change(order=(CIRO, DORA, EZIO, FULVIA, ADA, BEA))
    evening.record(sheet("Ada", "Ciro"))
    evening.change(order=(ADA, CIRO, BEA, DORA, EZIO))

    assert told(evening) == [
        "From deal 3: in order of play Ada, Ciro, Bea, Dora, Ezio; Fulvia leaves"
    ]


def test_range_that_ends_is_told_at_both_ends_by_the_same_act(evening: Evening) -> None:
    for _ in range(4):
        evening.record(sheet("Ezio", "Fulvia"))

    evening.change(2, 3, order=(BEA, ADA, CIRO, DORA, EZIO, FULVIA), dealer=BEA)

    found = changes(evening)
    assert [change.number for change in found] == [2, 4]
    assert {change.row.reason for change in found} == {"We sat wrong"}
    assert len({change.row.at for change in found}) == 1


def test_repair_of_the_first_deal_is_told_by_nothing(evening: Evening) -> None:
    evening.record(sheet("Ezio", "Fulvia"))

    evening.change(1, order=(BEA, ADA, CIRO, DORA, EZIO, FULVIA), dealer=BEA)

    assert told(evening) == []
