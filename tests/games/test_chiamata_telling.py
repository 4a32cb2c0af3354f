from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import all_seats
from tests.data.examples import NAMES
from tests.data.rows import rows


def table_for(rules: object) -> Table[Any]:
    read, problems = GAME.rules_from(rules)
    assert problems == []
    return Table(read, NAMES[: read.players], all_seats(read.players))


@rows(__file__, "under way")
def test_deal_under_way_says_who_called_what(start: dict[str, Any], words: str) -> None:
    table = table_for("ladder-bands")
    read, problems = GAME.read_start(start, table)

    assert problems == []
    assert str(GAME.started(read, table)) == words


@pytest.mark.parametrize(
    ("style", "kind"), [("points", "points"), ("none", ""), ("ladder", "cards")]
)
def test_kind_of_a_table_is_what_one_bids_with(style: str, kind: str) -> None:
    assert GAME.kind(table_for({"preset": "classic", "auction": {"style": style}}).rules) == kind


@pytest.mark.parametrize(
    ("slug", "more"),
    [("classic", []), ("scighera", [Outcome.THROWN_IN]), ("monte-5", [Outcome.REDEAL])],
)
def test_deal_comes_to_nothing_in_the_ways_of_its_rules(slug: str, more: list[Outcome]) -> None:
    outcomes = GAME.outcomes(GAME.presets[slug])

    assert outcomes == (Outcome.MISDEAL, Outcome.ALL_PASSED, *more)


@rows(__file__, "fitted rules")
def test_rules_are_fitted_to_how_many_came(
    count: int, data: dict[str, Any], fitted: dict[str, Any]
) -> None:
    assert GAME.rules_for(count, data) == fitted
