from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola import GAME
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from tests.data.strategies import examples
from tests.games import plain

WORTHS = [11, 10, 4, 3, 2, 0, 0, 0, 0, 0] * 4


@pytest.mark.parametrize(
    ("changes", "name", "blurb"),
    [
        ({}, "Best of three", "The usual match: two deals win it."),
        ({"deals": 7}, "Best of three", "The group's own table."),
        ({"deals": 7, "name": "Ours"}, "Ours", "The group's own table."),
        ({"slug": "ours", "name": "Ours"}, "Ours", "The group's own table."),
    ],
)
def test_rule_set_is_called_by_its_preset_or_the_group_s_own(
    changes: dict[str, Any], name: str, blurb: str
) -> None:
    read, _ = GAME.rules_from(changes)
    description = GAME.describe(read)

    assert (str(description.name), str(description.blurb)) == (name, blurb)
    assert str(description.seats_text) == "2 / 3 / 4 / 6 players"


@examples(60)
@given(st.permutations(WORTHS), st.sampled_from([2, 3]), st.data())
def test_points_of_a_deal_that_was_played_are_sound(
    pack: list[int], count: int, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, 40), min_size=count - 1, max_size=count - 1)))
    piles = [pack[low:high] for low, high in zip([0, *cuts], [*cuts, 40], strict=True)]
    points = [sum(pile) for pile in piles]

    payouts = plain.paid("briscola", {"card_points": points}, count)

    assert sum(payouts) <= 1
    assert all(points[seat] == max(points) for seat, amount in enumerate(payouts) if amount)
    assert sum(payouts) == (points.count(max(points)) == 1)


def test_deal_is_won_only_where_its_card_points_are_not_added_up() -> None:
    first_words = {slug: str(next(GAME.words(rules))) for slug, rules in GAME.presets.items()}

    assert {
        slug for slug, first in first_words.items() if not first.startswith("61 card points")
    } == {"points-120", "madrasso", "marianna", "fewest"}


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        pytest.param({"winner": 1}, "Won by Bea", id="won"),
        pytest.param({"winner": None}, "The deal is drawn", id="drawn"),
    ],
)
def test_deal_without_card_points_tells_who_won_it(sheet: dict[str, Any], told: str) -> None:
    seats = all_seats(2)
    table = Table(GAME.preset, ("Ada", "Bea"), seats, seats)
    written, _ = GAME.read_sheet(sheet, table)
    assert written is not None

    assert [str(GAME.summary(written, table)), str(GAME.headline(written, table))] == [told] * 2
