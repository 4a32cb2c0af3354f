import pytest

from scorer.rules.game import NamedRules, Table
from scorer.rules.seats import Seat, Seating, all_seats, next_seat


@pytest.mark.parametrize(("seat", "after"), [(0, 1), (3, 4), (4, 0)])
def test_play_goes_round_the_table(seat: int, after: int) -> None:
    assert next_seat(Seat(seat), all_seats(5)) == after


@pytest.mark.parametrize(("seat", "after"), [(0, 1), (1, 3), (2, 3), (4, 5), (5, 0)])
def test_play_goes_past_whoever_sits_out(seat: int, after: int) -> None:
    active = tuple(seat for seat in all_seats(6) if seat != 2)

    assert next_seat(Seat(seat), all_seats(6), active) == after


def test_last_seat_sitting_out_is_followed_by_the_first() -> None:
    assert next_seat(Seat(5), all_seats(6), all_seats(5)) == 0


@pytest.mark.parametrize(("seat", "after"), [(4, 0), (0, 7), (7, 2), (2, 4)])
def test_order_of_play_need_not_be_that_of_the_numbers(seat: int, after: int) -> None:
    order = (Seat(4), Seat(0), Seat(7), Seat(2))

    assert next_seat(Seat(seat), order) == after


@pytest.mark.parametrize(("seat", "after"), [(3, 2), (2, 1), (1, 0), (0, 2)])
def test_table_knows_who_plays_after_whom(seat: int, after: int) -> None:
    order = (Seat(3), Seat(2), Seat(1), Seat(0))
    table = Table(NamedRules("x", "X"), ("Ada", "Bea", "Ciro", "Dora"), order[1:], order)

    assert table.after(Seat(seat)) == after


@pytest.mark.parametrize(
    ("seating", "for_deal", "for_session", "fitting"),
    [
        pytest.param(Seating((2, 4)), (2, 4), (2, 4), [2, 4], id="everybody plays"),
        pytest.param(Seating((5,), spare=2), (5,), (5,), [5, 6, 7], id="a rota to agree on"),
        pytest.param(Seating((5,), spare=2, rota=True), (5, 6), (5, 6, 7), [5, 6, 7], id="a rota"),
    ],
)
def test_table_takes_more_than_play_where_they_take_turns(
    seating: Seating, for_deal: tuple[int, ...], for_session: tuple[int, ...], fitting: list[int]
) -> None:
    assert seating.for_deal == for_deal
    assert seating.for_session == for_session
    assert [count for count in range(1, 10) if seating.fits(count)] == fitting
