from __future__ import annotations

import pytest

from scorer.rules.seats import Seat
from scorer.rules.seats import all_seats
from scorer.rules.seats import next_seat


@pytest.mark.parametrize(("seat", "after"), [(0, 1), (3, 4), (4, 0)])
def test_play_goes_round_the_table(seat: int, after: int) -> None:
    assert next_seat(Seat(seat), all_seats(5)) == after


@pytest.mark.parametrize(("seat", "after"), [(0, 1), (1, 3), (2, 3), (4, 5), (5, 0)])
def test_play_goes_past_whoever_sits_out(seat: int, after: int) -> None:
    active = tuple(seat for seat in all_seats(6) if seat != 2)

    assert next_seat(Seat(seat), active) == after


def test_last_seat_sitting_out_is_followed_by_the_first() -> None:
    assert next_seat(Seat(5), all_seats(5)) == 0
