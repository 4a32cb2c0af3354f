"""The bonus of a group's own, in every game that may have one."""

from typing import Any

import pytest

from scorer.games import all_games, find_game
from scorer.rules.options import shortest
from scorer.rules.plain_game import BONUS
from scorer.rules.questions import write
from tests.data import golden
from tests.data.rows import rows
from tests.games import plain

#: A deal of two in each game that lets a group have one: the first case of its table.
DEALS: dict[str, dict[str, Any]] = {}
for _slug, _case in golden.cases("sheets"):
    plainly = "rules" not in _case and "payouts" in _case and 2 in _case["players"]
    if plainly and hasattr(find_game(_slug).preset, BONUS):
        DEALS.setdefault(_slug, _case["sheet"])
of_every_game = pytest.mark.parametrize("game", DEALS)
MARKUP = "<b onclick='x()'>100%(s)s &"


def test_every_game_for_two_with_a_bonus_has_a_deal_among_its_cases() -> None:
    for_two = [game for game in all_games() if 2 in game.seating(game.preset).playing]

    assert {game.slug for game in for_two if hasattr(game.preset, BONUS)} == {*DEALS}


@of_every_game
def test_bonus_is_paid_in_a_line_under_its_name(game: str) -> None:
    sheet, rules = DEALS[game], {"bonus": "asso pigliatutto"}
    before = plain.paid(game, sheet)
    reasons = plain.reasons(game, {**sheet, "bonus": [0, 2]}, rules=rules)

    assert plain.paid(game, {**sheet, "bonus": [0, 2]}, rules=rules) == [before[0], before[1] + 2]
    assert plain.paid(game, {**sheet, "bonus": [-5, 0]}, rules=rules) == [before[0] - 5, before[1]]
    assert reasons.count("Bea: asso pigliatutto → +2.") == 1
    assert len(reasons) == len(plain.reasons(game, sheet, rules=rules)) + 1


@pytest.mark.untraced
@of_every_game
@rows(__file__, "wrong bonuses")
def test_bonus_that_cannot_be_is_a_problem(
    game: str, bonus: object, rules: object, problem: list[str]
) -> None:
    assert plain.problems(game, {**DEALS[game], "bonus": bonus}, rules=rules) == [tuple(problem)]


@of_every_game
@rows(__file__, "names")
def test_name_of_the_bonus_is_a_line(game: str, name: object, problems: list[str]) -> None:
    _, faults = find_game(game).rules_from({"bonus": name})

    assert [(fault.code, fault.field) for fault in faults] == [
        (code, "rules.bonus") for code in problems
    ]


@of_every_game
def test_name_is_told_as_it_was_typed(game: str) -> None:
    rules, _ = find_game(game).rules_from({"bonus": f"  {MARKUP} "})
    words = [str(line) for line in find_game(game).describe(rules).words]

    assert rules.bonus == MARKUP
    assert f"{MARKUP}: as much as is written down for each player or pair." in words
    assert f"Bea: {MARKUP} → +2." in plain.reasons(
        game, {**DEALS[game], "bonus": [0, 2]}, rules={"bonus": MARKUP}
    )


@of_every_game
def test_documents_without_a_bonus_are_written_as_ever(game: str) -> None:
    found = find_game(game)
    rules, _ = found.rules_from({"bonus": "busso"})
    table = plain.table(game)
    sheet, _ = found.read_sheet(DEALS[game], table)

    assert "bonus" not in write(found.preset)
    assert "bonus" not in found.write_sheet(sheet, table.seats)
    assert write(rules)["bonus"] == "busso"
    assert shortest(rules, found.presets.values())["bonus"] == "busso"
