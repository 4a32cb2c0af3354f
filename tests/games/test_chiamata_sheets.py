from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.sheet import points_range
from scorer.rules.game import Table
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import NAMES
from tests.data.rows import rows
from tests.data.strategies import any_results, bids, examples, rule_sets
from tests.games.oracle import is_lawful, rules_of

LADDER = "ladder-bands"


def problems_of(
    rules: object, sheet: object, *, count: int = 5, dealer: int = 0
) -> list[tuple[str, str]]:
    read, faults = GAME.rules_from(rules)
    assert faults == []
    table = Table(read, NAMES[:count], GAME.active(Seat(dealer), all_seats(count), read))
    _, problems = GAME.read_sheet(sheet, table)
    assert all(str(problem.message) for problem in problems)
    return [(problem.code, problem.field.removeprefix("sheet.")) for problem in problems]


@examples(100)
@given(st.data())
def test_counts_are_refused_where_no_deal_ends_so_and_only_there(data: st.DataObject) -> None:
    override = data.draw(rule_sets())
    rules = rules_of(override)
    sheet = {"bid": data.draw(bids(rules)), **data.draw(any_results(rules))}

    problems = problems_of(
        override, {"caller": "Ada", "partner": "Bea", **sheet}, count=rules["players"]
    )

    assert (not problems) == is_lawful(sheet, rules), problems


@rows(__file__, "points of tricks")
def test_tricks_hold_so_many_points(slug: str, ranges: str) -> None:
    rules = GAME.presets[slug]
    bounds = [points_range(tricks, rules) for tricks in range(rules.cards_each + 1)]

    assert " ".join(f"{low}-{high}" for low, high in bounds) == ranges


@rows(__file__, "starts")
def test_auction_is_written_down_before_the_play(
    start: dict[str, Any], problems: list[str]
) -> None:
    rules, _ = GAME.rules_from({"preset": LADDER, "sits_out": "dealer"})
    table = Table(rules, ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Gino"), all_seats(5))

    read, faults = GAME.read_start(start, table)

    assert [f"{p.code} {p.field}" for p in faults] == problems
    assert (read is None) == bool(problems)
