"""Cases of five names: 0 Ada, 1 Bea, 2 Ciro, 3 Dora, 4 Ezio; 5 and 6 are guests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.evening.terms import Terms, TermsChange, first_turn, terms_of, turn_of
from scorer.games import find_game
from scorer.rules.game import Outcome, Turn
from scorer.rules.seats import Seat, all_seats
from tests.data.rows import rows

GAME = find_game("briscola-chiamata")
CLASSIC, VOLATA = GAME.presets["classic"], GAME.presets["volata"]


def seats(*numbers: int) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


BEGAN = Terms(CLASSIC, all_seats(5))
SWAPPED = seats(1, 0, 2, 3, 4)


def changed(serial: int, from_number: int, until: int | None = None, **other: Any) -> TermsChange:
    return TermsChange(serial, from_number, until, **other)


@pytest.mark.parametrize(
    ("changes", "number", "told"),
    [
        pytest.param([changed(1, 3, 4, rules=VOLATA)], 4, replace(BEGAN, rules=VOLATA),
                     id="up to its end"),
        pytest.param([changed(1, 3, 4, rules=VOLATA)], 5, BEGAN, id="after its end"),
        pytest.param([changed(1, 3, order=SWAPPED), changed(2, 4, rules=VOLATA)], 4,
                     Terms(VOLATA, SWAPPED), id="seats, then rules"),
        pytest.param([changed(1, 3, rules=VOLATA), changed(2, 4, order=SWAPPED)], 4,
                     Terms(VOLATA, SWAPPED), id="rules, then seats"),
        pytest.param([changed(1, 3, order=all_seats(6), sits_out=seats(2))], 4,
                     Terms(CLASSIC, all_seats(6), seats(2)), id="somebody chosen to sit out"),
        pytest.param([changed(1, 3, order=all_seats(6), sits_out=seats(2)),
                      changed(2, 3, order=all_seats(6))], 4,
                     Terms(CLASSIC, all_seats(6)), id="and back to the rules"),
        pytest.param([changed(1, 3, order=SWAPPED, dealer=Seat(4))], 3,
                     Terms(CLASSIC, SWAPPED, dealer=Seat(4)), id="a dealer chosen"),
        pytest.param([changed(1, 3, order=SWAPPED, dealer=Seat(4))], 4,
                     Terms(CLASSIC, SWAPPED), id="for one deal only"),
    ],
)  # fmt: skip
def test_deal_is_played_by_the_changes_that_hold_for_it(
    changes: Sequence[TermsChange], number: int, told: Terms
) -> None:
    assert terms_of(number, BEGAN, changes) == told


@rows(__file__, "chosen dealers")
def test_chosen_dealer_deals_the_first_deal_that_stands(
    after: int, number: int, dealer: int | None
) -> None:
    changes = [changed(1, 3, order=SWAPPED, dealer=Seat(4))]

    assert terms_of(number, BEGAN, changes, after=after).dealer == dealer


@rows(__file__, "playing")
def test_who_plays_is_by_the_rules_or_by_choice(
    order: list[int], out: list[int] | None, dealer: int, playing: list[int]
) -> None:
    terms = Terms(CLASSIC, seats(*order), None if out is None else seats(*out))
    assert terms.active(GAME, Seat(dealer)) == seats(*playing)
    if terms.sits_out is None:
        assert set(terms.by_turn(GAME, Seat(dealer))) == set(terms.order) - set(playing)


def test_by_turn_the_dealer_would_sit_out_whoever_was_chosen_to() -> None:
    assert Terms(CLASSIC, all_seats(6), seats(4)).by_turn(GAME, Seat(2)) == seats(2)


@pytest.mark.parametrize(
    ("first", "here", "dealer"),
    [
        pytest.param(3, BEGAN, 3, id="as agreed on"),
        pytest.param(3, Terms(CLASSIC, seats(3, 1, 0, 2, 4)), 3, id="wherever they sit"),
        pytest.param(3, Terms(CLASSIC, seats(0, 1, 2, 4)), 4, id="gone: whoever sits after"),
        pytest.param(4, Terms(CLASSIC, seats(5, 0, 1, 2, 3)), 0,
                     id="gone: not the guest who sat down in between"),
        pytest.param(3, Terms(CLASSIC, seats(5, 6)), 5, id="all of them are gone"),
        pytest.param(3, replace(BEGAN, dealer=Seat(1)), 1, id="somebody else was chosen"),
    ],
)  # fmt: skip
def test_first_dealer_is_as_agreed_on_or_whoever_is_there(
    first: int, here: Terms, dealer: int
) -> None:
    assert first_turn(Seat(first), BEGAN, here) == Turn(Seat(dealer))


PLAYED = Outcome.PLAYED


@rows(__file__, "next dealers")
def test_deal_goes_on_though_people_come_go_and_move(
    dealt: int, outcome: str, order: list[int], chosen: dict[str, Any], dealer: int
) -> None:
    here = Terms(CLASSIC, seats(*order), **chosen)
    assert turn_of(GAME, (Turn(Seat(dealt)), Outcome(outcome)), BEGAN, here).dealer == dealer


def test_whoever_was_chosen_to_deal_and_is_out_meanwhile_is_passed_over() -> None:
    here = Terms(CLASSIC, seats(0, 1, 3, 4), dealer=Seat(2))

    assert turn_of(GAME, (Turn(Seat(1)), PLAYED), BEGAN, here).dealer == 3


orders = st.lists(st.integers(0, 9).map(Seat), min_size=2, max_size=7, unique=True).map(tuple)


@given(before=orders, here=orders, data=st.data())
def test_dealer_is_always_somebody_at_the_table(
    before: tuple[Seat, ...], here: tuple[Seat, ...], data: st.DataObject
) -> None:
    dealt = data.draw(st.sampled_from(before))
    outcome = data.draw(st.sampled_from(Outcome))

    last = Turn(dealt), outcome
    turn = turn_of(GAME, last, Terms(CLASSIC, before), Terms(CLASSIC, here))
    first = first_turn(dealt, Terms(CLASSIC, before), Terms(CLASSIC, here))

    assert turn.dealer in here
    assert first.dealer in here


@given(order=orders.filter(lambda order: len(order) > 5), data=st.data())
def test_in_a_round_everybody_deals_once_and_sits_out_equally_often(
    order: tuple[Seat, ...], data: st.DataObject
) -> None:
    here = Terms(CLASSIC, order)
    turn = Turn(data.draw(st.sampled_from(order)))
    dealers, out = [], []
    for _ in order:
        dealers.append(turn.dealer)
        out += [seat for seat in order if seat not in here.active(GAME, turn.dealer)]
        turn = turn_of(GAME, (turn, PLAYED), here, here)

    assert sorted(dealers) == sorted(order)
    assert {out.count(seat) for seat in order} == {len(order) - 5}


@given(
    changes=st.lists(
        st.builds(
            lambda serial, start, length, order: TermsChange(
                serial, start, None if length is None else start + length, order=order
            ),
            st.integers(1, 40), st.integers(1, 9), st.none() | st.integers(0, 5), orders,
        ),
        max_size=6, unique_by=lambda change: change.serial,
    ).map(lambda changes: sorted(changes, key=lambda change: change.serial)),
    number=st.integers(1, 12), written=st.integers(1, 41),
)  # fmt: skip
def test_the_last_change_written_that_holds_says_the_order(
    changes: list[TermsChange], number: int, written: int
) -> None:
    holding = [
        change.order
        for change in changes
        if change.serial < written
        and change.from_number <= number <= (change.until_number or number)
    ]

    found = terms_of(number, BEGAN, changes, written=written)

    assert found.order == (holding[-1] if holding else BEGAN.order)
