import json
from typing import Any

import pytest
from hypothesis import given

from scorer.games.briscola_chiamata import GAME
from scorer.operations import rule_sets
from scorer.rules.seats import wrong_count
from scorer.rules.sheet import write
from tests.data.examples import PRESETS
from tests.data.strategies import WEIGHTS, examples
from tests.data.strategies import rule_sets as random_rules
from tests.games.oracle import rules_of

COMPUTED = {"game", "name", "source", "zero_sum", "symmetric"}
PRINTED = {printed["slug"]: printed for printed in rule_sets("briscola-chiamata")}
BOTH = {"partnered": True, "alone": True}
NEITHER = {"partnered": False, "alone": False}


def test_there_are_sixteen_presets_and_the_first_is_classic() -> None:
    assert list(PRINTED) == [
        "classic",
        "classic-plain",
        "ladder-bands",
        "monte-5",
        "monte-6",
        "monte-7",
        "bastarda",
        "rulebook",
        "rulebook-literal",
        "four-literal",
        "four-balanced",
        "four-of-five",
        "volata",
        "scighera",
        "decades",
        "declared-points",
    ]
    assert GAME.preset.slug == "classic"


@pytest.mark.parametrize("slug", PRESETS)
def test_preset_is_what_the_contract_says(slug: str) -> None:
    printed = {key: value for key, value in PRINTED[slug].items() if key not in COMPUTED}

    assert printed == PRESETS[slug]


@pytest.mark.parametrize(
    ("slug", "players", "auction", "floor", "cappotto", "leader", "session"),
    [
        ("classic", 5, "points", 61, "all-points both times 2", "next-of-dealer", 15),
        ("classic-plain", 5, "points", 61, None, "next-of-dealer", 15),
        ("ladder-bands", 5, "ladder-then-points", 61, "all-tricks both times 2", "next-of-dealer",
         "open"),
        ("monte-5", 5, "points", 61, "all-points caller times 2", "caller", "open"),
        ("monte-6", 6, "points", 61, "all-points caller times 2", "caller", "open"),
        ("monte-7", 6, "points", 61, "all-points caller times 2", "caller", "open"),
        ("bastarda", 5, "points", 0, None, "next-of-dealer", 15),
        ("rulebook", 5, "ladder-then-points", 61, None, "caller", "open"),
        ("rulebook-literal", 5, "ladder-then-points", 61, None, "caller", "open"),
        ("four-literal", 4, "points", 61, "all-points both times 2", "next-of-dealer", 15),
        ("four-balanced", 4, "points", 61, "all-points both times 2", "next-of-dealer", 15),
        ("four-of-five", 4, "points", 61, "all-points both times 2", "next-of-dealer", 15),
        ("volata", 5, "ladder-then-points", 60, "all-points both set 4", "next-of-dealer", "open"),
        ("scighera", 5, "ladder-then-points", 61, None, "next-of-dealer", "time"),
        ("decades", 5, "ladder-then-points", 61, "all-points both add 1", "next-of-dealer", "open"),
        ("declared-points", 5, "points", 0, None, "caller", "time"),
    ],
)  # fmt: skip
def test_preset_plays_as_its_source_says(
    slug: str,
    players: int,
    auction: str,
    floor: int,
    *,
    cappotto: str | None,
    leader: str,
    session: int | str,
) -> None:
    rules = PRINTED[slug]
    everything = rules["score"]["cappotto"]

    assert (rules["players"], rules["auction"]["style"], rules["floor"]) == (
        players,
        auction,
        floor,
    )
    assert (everything and " ".join(map(str, everything.values()))) == cappotto
    assert rules["play"]["first_leader"] == leader
    assert session in (rules["session"]["target"], rules["session"]["end"])
    assert rules["source"]
    assert rules["name"]


@pytest.mark.parametrize("slug", PRESETS)
def test_preset_says_truly_whether_it_is_zero_sum_and_symmetric(slug: str) -> None:
    literal = {"rulebook-literal": {"partnered": False, "alone": True}}
    unbalanced = {**literal, "four-literal": NEITHER, "declared-points": NEITHER}

    assert PRINTED[slug]["zero_sum"] == unbalanced.get(slug, BOTH)
    assert PRINTED[slug]["symmetric"] == (NEITHER if slug == "declared-points" else BOTH)


@pytest.mark.parametrize(
    ("override", "zero_sum", "symmetric"),
    [
        pytest.param({"score": {"partner": 2}}, {"partnered": False, "alone": True}, BOTH,
                     id="the partner is paid too much"),
        pytest.param({"score": {"alone": 5}}, {"partnered": True, "alone": False}, BOTH,
                     id="whoever is alone is paid too much"),
        pytest.param({"score": {"loss": {"caller": 4}}},
                     {"partnered": False, "alone": True}, {"partnered": False, "alone": True},
                     id="a missed bid costs the caller more"),
        pytest.param({"score": {"loss": {"caller": 5, "defender": 2}}},
                     BOTH, {"partnered": False, "alone": True}, id="a missed bid costs double"),
        pytest.param({"score": {"loss": {"alone": 8, "against_alone": 2}}},
                     BOTH, {"partnered": True, "alone": False}, id="double when alone"),
        pytest.param({"score": {"loss": {}}}, BOTH, BOTH, id="a loss that says nothing"),
        pytest.param({"score": {"loss": {"caller": 2}}}, BOTH, BOTH, id="a loss that is the same"),
        pytest.param({"players": 6, "deck": "no-twos-36", "cards_each": 6}, NEITHER, BOTH,
                     id="the same table for six"),
    ],
)  # fmt: skip
def test_balance_of_a_house_table_is_computed(
    override: dict[str, Any], zero_sum: dict[str, bool], symmetric: dict[str, bool]
) -> None:
    rules, problems = GAME.rules_from({"preset": "classic-plain", **override})

    assert problems == []
    assert GAME.balance_checks(rules) == {"zero_sum": zero_sum, "symmetric": symmetric}


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        pytest.param({"floor": 60}, "floor", 60, id="a key at the top"),
        pytest.param({"score": {"cappotto": {"side": "caller"}}}, "score.cappotto",
                     {"test": "all-points", "side": "caller", "op": "times", "value": 2},
                     id="a key three levels down"),
        pytest.param({"score": {"cappotto": None}}, "score.cappotto", None, id="taken away"),
        pytest.param({"score": {"bands": [[0, 3]]}}, "score.bands", [[0, 3]], id="a list as one"),
        pytest.param({"score": {"loss": {"caller": 3}}}, "score.loss",
                     {"caller": 3, "partner": None, "defender": None, "alone": None,
                      "against_alone": None}, id="a part that was not there"),
        pytest.param({"throw_in": {"max_points": 5}}, "throw_in",
                     {"max_points": 5, "four_twos": False, "times": 1, "same_dealer": True},
                     id="a part with its defaults"),
        pytest.param({"slug": "ours", "name": "Our table"}, "name", "Our table", id="a name"),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("override", "problems"),
    [
        pytest.param({"players": 3}, [("out-of-range", "players")], id="three players"),
        pytest.param({"players": 4}, [("deal-size", "cards_each")], id="cards are left over"),
        pytest.param({"cards_each": 9}, [("deal-size", "cards_each")], id="too many cards"),
        pytest.param({"monte": 1}, [("deal-size", "cards_each")], id="a monte from nowhere"),
        pytest.param({"deck": "no-twos-36"}, [("deal-size", "cards_each")], id="a smaller pack"),
        pytest.param({"deck": "uno"}, [("unknown-choice", "deck")], id="no such deck"),
        pytest.param({"floor": 121}, [("out-of-range", "floor")], id="more than the pack"),
        pytest.param({"floor": "61"}, [("wrong-type", "floor")], id="a number in quotes"),
        pytest.param({"flor": 61}, [("unknown-key", "flor")], id="a key misspelt"),
        pytest.param({"sits_out": "cook"}, [("unknown-choice", "sits_out")], id="the cook"),
        pytest.param({"name": None}, [("wrong-type", "name")], id="no name"),
        pytest.param({"auction": None}, [("wrong-type", "auction")], id="a part taken away"),
        pytest.param({"auction": {"stlye": "points"}}, [("unknown-key", "auction.stlye")],
                     id="a key misspelt in a part"),
        pytest.param({"auction": {"style": "poker"}}, [("unknown-choice", "auction.style")],
                     id="no such auction"),
        pytest.param({"auction": {"minimum": 100, "maximum": 90}},
                     [("empty-range", "auction.minimum")], id="no points to bid"),
        pytest.param({"auction": {"style": "ladder-then-points", "after_two": 100, "maximum": 90}},
                     [("empty-range", "auction.after_two")], id="no points after a two"),
        pytest.param({"call": {"rank": 5}}, [("wrong-type", "call.rank")], id="a number to call"),
        pytest.param({"call": {"own_card": 1}}, [("wrong-type", "call.own_card")], id="no tick"),
        pytest.param({"score": {"bands": [[1, 1]]}}, [("band-gap", "score.bands[0]")], id="a gap"),
        pytest.param({"score": {"bands": [[0, 1], [80, 2], [70, 3]]}},
                     [("band-order", "score.bands[2]")], id="a disorder"),
        pytest.param({"score": {"bands": [[0, -1]]}}, [("negative-unit", "score.bands[0]")],
                     id="a negative unit"),
        pytest.param({"score": {"caller": -2}}, [("out-of-range", "score.caller")],
                     id="a negative weight"),
        pytest.param({"score": {"caller": 10**9}}, [("out-of-range", "score.caller")],
                     id="a monstrous weight"),
        pytest.param({"score": {"loss": {"caler": 2}}}, [("unknown-key", "score.loss.caler")],
                     id="a key misspelt three levels down"),
        pytest.param({"score": {"cappotto": {"op": "square"}}},
                     [("unknown-choice", "score.cappotto.op")], id="no such effect"),
        pytest.param({"throw_in": {}}, [("missing-key", "throw_in.max_points")],
                     id="throwing in without saying what"),
        pytest.param({"session": {"end": "target", "target": None}},
                     [("missing-key", "session.target")], id="no target"),
        pytest.param({"session": {"end": "deals"}}, [("missing-key", "session.deals")],
                     id="no number of deals"),
        pytest.param({"session": {"target": 0}}, [("out-of-range", "session.target")],
                     id="a target of nothing"),
        pytest.param({"play": {"first_leader": "cook"}}, [("unknown-choice", "play.first_leader")],
                     id="the cook leads"),
        pytest.param(
            {"floor": None, "play": 5, "score": {"caller": "2", "bands": []}},
            [("wrong-type", "play"), ("wrong-type", "floor"), ("wrong-type", "score.bands"),
             ("wrong-type", "score.caller")],
            id="every fault at once",
        ),
        pytest.param(
            {"cards_each": 9, "auction": {"minimum": 120, "maximum": 61},
             "session": {"target": None}},
            [("deal-size", "cards_each"), ("empty-range", "auction.minimum"),
             ("missing-key", "session.target")],
            id="every contradiction at once",
        ),
    ],
)  # fmt: skip
def test_wrong_rule_set_gets_every_problem_with_its_path(
    override: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    _, faults = GAME.rules_from({"preset": "classic", **override})

    assert [(p.code, p.field) for p in faults] == [
        (code, f"rules.{field}") for code, field in problems
    ]
    assert all(str(p.message) for p in faults)


def test_cappotto_over_a_table_without_one_must_be_whole() -> None:
    _, problems = GAME.rules_from({"preset": "bastarda", "score": {"cappotto": {"value": 3}}})

    assert [(p.code, p.field) for p in problems] == [
        ("missing-key", f"rules.score.cappotto.{key}") for key in ("test", "side", "op")
    ]


@pytest.mark.parametrize("slug", PRESETS)
def test_printed_preset_is_accepted_as_rules(slug: str) -> None:
    rules, problems = GAME.rules_from(json.loads(json.dumps(PRINTED[slug])))

    assert problems == []
    assert rules == GAME.presets[slug]


@examples(60)
@given(random_rules())
def test_rule_set_is_read_back_as_it_is_written(override: dict[str, Any]) -> None:
    rules, problems = GAME.rules_from(override)
    assert problems == []

    document = json.loads(json.dumps(write(rules)))
    again, problems = GAME.rules_from(document)

    assert problems == []
    assert again == rules
    expected = rules_of(override)
    if expected["auction"].get("all_pass_times") == 1:  # left out where it changes nothing
        del expected["auction"]["all_pass_times"]
    assert {key: document[key] for key in ("players", "floor", "auction", "call", "session")} == {
        key: expected[key] for key in ("players", "floor", "auction", "call", "session")
    }


def test_preset_by_its_former_name_is_the_preset() -> None:
    kept = {**PRINTED["ladder-bands"], "name": "Ranks, then points by tens"}

    assert GAME.rules_from(kept) == (GAME.presets["ladder-bands"], [])


def test_every_game_lists_its_presets() -> None:
    everything = rule_sets()

    assert [rules for rules in everything if rules["game"] == GAME.slug] == list(PRINTED.values())


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [
        ("players", 4, 6),
        ("cards_each", 1, 10),
        ("monte", 0, 12),
        ("floor", 0, 120),
        ("auction.minimum", 0, 120),
        ("auction.maximum", 0, 120),
        ("auction.after_two", 0, 120),
        *((f"score.{role}", 0, 1000) for role in WEIGHTS),
        *((f"score.loss.{role}", 0, 1000) for role in WEIGHTS),
        ("score.cappotto.value", 0, 100),
        ("throw_in.max_points", 0, 120),
        ("throw_in.times", 1, 100),
        ("session.target", 1, 100_000),
        ("session.deals", 1, 10_000),
    ],
)
def test_figure_of_a_rule_set_has_its_bounds(path: str, low: int, high: int) -> None:
    def refused(figure: int) -> bool:
        override: Any = figure
        for key in reversed(path.split(".")):
            override = {key: override}
        if path == "throw_in.times":
            override["throw_in"]["max_points"] = 4
        _, problems = GAME.rules_from({"preset": "classic", **override})
        return ("out-of-range", f"rules.{path}") in [(p.code, p.field) for p in problems]

    assert [refused(figure) for figure in (low - 1, low, high, high + 1)] == [
        True,
        False,
        False,
        True,
    ]


def test_unit_has_its_bounds() -> None:
    def codes(unit: int) -> list[str]:
        _, problems = GAME.rules_from({"score": {"bands": [[0, unit]]}})
        return [problem.code for problem in problems]

    assert [codes(unit) for unit in (-1, 0, 10_000, 10_001)] == [
        ["negative-unit"],
        [],
        [],
        ["out-of-range"],
    ]


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (4, None), (5, None), (6, "6 at the table: the dealer sits out."),
        (7, "7 at the table: the dealer sits out, and whoever dealt last."),
        (8, "8 at the table: those who dealt last sit out."),
    ],
)  # fmt: skip
def test_table_of_five_says_who_sits_out(count: int, told: str | None) -> None:
    text = GAME.who_sits_out(count, GAME.presets["classic"])

    assert (None if text is None else str(text)) == told


@pytest.mark.parametrize(
    ("slug", "counts"),
    [("classic", [5, 6, 7]), ("monte-6", [6, 7, 8]), ("monte-7", [6, 7, 8]),
     ("four-balanced", [4, 5, 6])],
)  # fmt: skip
def test_table_has_room_for_two_more_than_play(slug: str, counts: list[int]) -> None:
    rules = GAME.presets[slug]

    assert [count for count in range(1, 11) if GAME.seating(rules).fits(count)] == counts
    assert GAME.seating(rules).most == counts[-1]
    problem = wrong_count(counts[0] - 1, GAME.seating(rules).playing)
    assert problem is not None
    assert str(counts[0]) in str(problem.message)
