import pytest

from scorer.rules.game import NamedRules, Table
from scorer.rules.seats import Seat, Seating, next_seat


@pytest.mark.parametrize(
    ("order", "sits_out", "turns"),
    [
        pytest.param((0, 1, 2, 3, 4), None, [(0, 1), (3, 4), (4, 0)], id="all play"),
        pytest.param((0, 1, 2, 3), 2, [(0, 1), (1, 3), (2, 3), (3, 0)], id="one sits out"),
        pytest.param((0, 1, 2, 3), 3, [(2, 0), (3, 0)], id="the last sits out"),
        pytest.param((4, 0, 7, 2), None, [(4, 0), (0, 7), (7, 2), (2, 4)], id="in another order"),
    ],
)
def test_play_goes_round_the_table(
    order: tuple[Seat, ...], sits_out: int | None, turns: list[tuple[Seat, int]]
) -> None:
    active = tuple(seat for seat in order if seat != sits_out)

    assert [(seat, next_seat(seat, order, active)) for seat, _ in turns] == turns


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
