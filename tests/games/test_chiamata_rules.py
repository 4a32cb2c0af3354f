from typing import Any

from scorer.games.briscola_chiamata import GAME
from scorer.operations import rule_sets
from scorer.rules.questions import write
from scorer.rules.seats import wrong_count
from tests.data.examples import PRESETS
from tests.data.rows import rows

COMPUTED = {"game", "name", "source", "zero_sum", "symmetric"}
PRINTED = {printed["slug"]: printed for printed in rule_sets("briscola-chiamata")}


def test_presets_are_those_of_the_contract_and_the_first_is_classic() -> None:
    printed = {
        slug: {key: value for key, value in preset.items() if key not in COMPUTED}
        for slug, preset in PRINTED.items()
    }

    told = "write it into tests/data/presets.json, too (CONTRIBUTING.md, Add a preset, step 3)"
    assert list(printed.items()) == list(PRESETS.items()), told
    assert GAME.preset.slug == "classic"


@rows(__file__, "balances")
def test_balance_of_a_house_table_is_computed(
    override: dict[str, Any], zero_sum: dict[str, bool], symmetric: dict[str, bool]
) -> None:
    rules, problems = GAME.rules_from({"preset": "classic-plain", **override})

    assert problems == []
    assert GAME.balance_checks(rules) == {"zero_sum": zero_sum, "symmetric": symmetric}


@rows(__file__, "overrides")
def test_override_goes_deeply_over_the_preset(
    override: dict[str, Any], path: str, value: object
) -> None:
    rules, problems = GAME.rules_from({"preset": "classic", **override})
    found: Any = write(rules)
    untouched = write(GAME.preset)

    assert problems == []
    for key in path.split("."):
        found = found[key]
    assert found == value
    assert {key for key in untouched if write(rules)[key] != untouched[key]} <= set(override)


def test_preset_by_its_former_name_is_the_preset() -> None:
    kept = {**PRINTED["ladder-bands"], "name": "Ranks, then points by tens"}

    assert GAME.rules_from(kept) == (GAME.presets["ladder-bands"], [])


def is_out_of_range(path: str, figure: int) -> bool:
    override: Any = figure
    for key in reversed(path.split(".")):
        override = {key: override}
    if path == "throw_in.times":
        override["throw_in"]["max_points"] = 4
    _, problems = GAME.rules_from({"preset": "classic", **override})
    return ("out-of-range", f"rules.{path}") in [(p.code, p.field) for p in problems]


@rows(__file__, "bounds")
def test_figures_of_a_rule_set_have_their_bounds(low: int, high: int, paths: list[str]) -> None:
    for path in paths:
        refused = [is_out_of_range(path, n) for n in (low - 1, low, high, high + 1)]
        assert refused == [True, False, False, True], path


@rows(__file__, "sitting out")
def test_table_of_five_says_who_sits_out(count: int, told: str | None) -> None:
    text = GAME.who_sits_out(count, GAME.presets["classic"])

    assert (None if text is None else str(text)) == told


@rows(__file__, "seats")
def test_table_has_room_for_two_more_than_play(slug: str, counts: list[int]) -> None:
    rules = GAME.presets[slug]

    assert [count for count in range(1, 11) if GAME.seating(rules).fits(count)] == counts
    assert GAME.seating(rules).most == counts[-1]
    problem = wrong_count(counts[0] - 1, GAME.seating(rules).playing)
    assert problem is not None
    assert str(counts[0]) in str(problem.message)
