from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import gcd
from typing import Any

import pytest

from scorer.operations import tournament
from scorer.tournaments.tournament import plan_room
from tests.tournaments.clubs import (
    club,
    codes,
    drawn,
    first_wins,
    opponents,
    partners,
    places,
    played,
    rests,
    sides,
    with_turn,
)


def all_pairs(count: int) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations([f"e{n}" for n in range(1, count + 1)], 2)}


@pytest.mark.untraced
@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11])
def test_round_robin_lets_everybody_meet_everybody_once(count: int) -> None:
    turns = count - 1 + count % 2

    whole = played(club(count, kind="round-robin", rounds=None), turns)

    answer = tournament(whole)
    assert (answer["fits"], answer["finished"], answer["next"]) == (turns, True, None)
    assert Counter(opponents(whole)) == Counter(all_pairs(count))
    assert Counter(rests(whole)) == Counter(
        {f"e{n}": 1 for n in range(1, count + 1)} if count % 2 else {}
    )


@pytest.mark.parametrize(
    ("plan", "count"),
    [
        *(({"kind": "round-robin"}, count) for count in (2, 4, 5)),
        *(({"kind": "round-robin", "rounds": 4}, count) for count in (5, 6)),
        *(({"kind": "mitchell"}, count) for count in (2, 3, 8)),
        *(({"kind": "individual"}, count) for count in (8, 9, 10)),
        *(({"kind": "tables", "size": 3}, count) for count in (7, 9, 10)),
    ],
)
def test_room_of_a_plan_says_whether_everybody_meets(plan: dict[str, Any], count: int) -> None:
    room = plan_room(plan, count)

    assert room is not None
    whole = played(club(count, **{"rounds": None, **plan}), min(room.fits, plan.get("rounds", 99)))
    met = partners(whole) if plan["kind"] == "individual" else opponents(whole)
    assert room.fits == tournament(whole)["fits"]
    assert room.all_meet == (set(met) == all_pairs(count))


def test_room_of_a_plan_that_goes_by_results_or_has_none_says_no_more() -> None:
    rooms = [plan_room({"kind": kind}, 8) for kind in ("danish", "knockout", "groups")]

    assert [room and room.fits for room in rooms] == [7, 3, 5]
    assert [room and room.all_meet for room in rooms] == [None, None, None]
    assert plan_room({"kind": "individual"}, 3) is None


@pytest.mark.untraced
@pytest.mark.parametrize("step", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [4, 8, 9, 12])
def test_mitchell_moves_one_side_and_repeats_no_meeting(count: int, step: int) -> None:
    tables = (count + 1) // 2
    fits = tables // gcd(tables, step)

    whole = played(club(count, kind="mitchell", step=step), fits)

    assert tournament(whole)["fits"] == fits
    assert len(set(opponents(whole))) == len(opponents(whole))
    for number, turn in enumerate(whole["rounds"]):
        for table in turn["tables"]:
            stays, moves = (int(entry[1:]) for entry in table["sides"])
            assert (stays % 2, moves % 2) == (1, 0)
            assert (moves // 2 - 1 + number * step) % tables == (stays - 1) // 2
    more = codes(club(count, kind="mitchell", step=step, rounds=fits + 1))
    assert more == [("too-many-rounds", "plan.rounds")]


@pytest.mark.untraced
@pytest.mark.parametrize("count", [8, 12])
def test_individual_has_everybody_as_partner_once(count: int) -> None:
    whole = played(club(count, kind="individual"), count - 1)

    assert Counter(partners(whole)) == Counter(all_pairs(count))
    assert rests(whole) == []
    assert set(Counter(opponents(whole)).values()) == {2}
    assert tournament(whole)["fits"] == count - 1


@pytest.mark.parametrize(
    ("count", "turns"),
    [
        (20, 19),
        *(
            pytest.param(*turns, marks=pytest.mark.untraced)
            for turns in [(4, 3), (5, 5), (6, 5), (7, 4), (9, 9), (10, 8), (11, 8), (13, 13)]
        ),
    ],
)
def test_individual_has_no_partner_twice_and_rests_are_shared(count: int, turns: int) -> None:
    document = club(count, kind="individual")
    assert tournament(document)["fits"] >= turns

    whole = played(document, turns)

    assert len(set(partners(whole))) == len(partners(whole)) == turns * 2 * (count // 4)
    resting = Counter({f"e{n}": 0 for n in range(1, count + 1)})
    resting.update(rests(whole))
    assert max(resting.values()) - min(resting.values()) <= 1


@pytest.mark.parametrize(
    ("count", "size", "turns"),
    [(25, 5, 6), (9, 3, 4), (16, 4, 5), (12, 3, 4), (40, 5, 8), (36, 4, 9), (20, 4, 5), (30, 5, 3)],
)
@pytest.mark.untraced
def test_nobody_meets_anybody_twice_at_tables(count: int, size: int, turns: int) -> None:
    document = club(count, kind="tables", size=size, rounds=turns)
    assert tournament(document)["fits"] == turns

    whole = played(document, turns)

    assert len(set(opponents(whole))) == len(opponents(whole))
    assert {len(table["sides"]) for turn in whole["rounds"] for table in turn["tables"]} == {size}
    assert tournament(whole)["finished"]


@pytest.mark.parametrize(
    ("count", "rest", "sizes", "resting"),
    [
        (27, "turn", [5] * 5, 2),
        (27, "larger", [5, 5, 5, 6, 6], 0),
        (9, "larger", [6], 3),
        (11, "larger", [5, 6], 0),
    ],
)
@pytest.mark.untraced
def test_who_is_over_rests_or_makes_a_table_larger(
    count: int, rest: str, sizes: list[int], resting: int
) -> None:
    whole = played(club(count, kind="tables", rest=rest, rounds=3), 3)

    for turn in whole["rounds"]:
        assert [len(table["sides"]) for table in turn["tables"]] == sizes
        assert len(turn["byes"]) == resting
    assert max(Counter(rests(whole)).values(), default=1) == 1


BRACKET = [(1, 16), (8, 9), (5, 12), (4, 13), (6, 11), (3, 14), (7, 10), (2, 15)]


def test_bracket_of_sixteen_is_the_usual_one() -> None:
    document = club(16, kind="knockout")

    assert sides(document) == [[f"e{one}", f"e{other}"] for one, other in BRACKET]
    whole = played(document, 4)
    assert tournament(whole)["winner"] == "e1"
    assert sorted(Counter(places(whole).values()).items()) == [
        (1, 1),
        (2, 1),
        (3, 2),
        (5, 4),
        (9, 8),
    ]


def test_missing_seeds_are_byes_of_the_first() -> None:
    document = club(6, kind="knockout", third_place=True)

    assert drawn(document)["byes"] == ["e1", "e2"]
    last = drawn(played(document, 2))
    assert [table["sides"] for table in last["tables"]] == [["e1", "e3"], ["e4", "e2"]]
    whole = played(document, 3)
    assert places(whole) == {"e1": 1, "e3": 2, "e4": 3, "e2": 4, "e5": 5, "e6": 5}


def test_level_result_sends_nobody_on() -> None:
    document = club(4, kind="knockout")
    level = {"rounds": [{"tables": [
        {"sides": ["e1", "e4"], "scores": [1, 1]}, {"sides": ["e2", "e3"], "scores": [2, 1]},
    ]}]}  # fmt: skip

    assert codes(document | level) == [("needs-a-winner", "rounds[0].tables[0].scores")]


def test_groups_are_dealt_in_snake_order_and_kept_apart_in_the_first_turn() -> None:
    document = club(9, kind="groups", groups=3, through=2, then={"kind": "knockout"})

    whole = played(document, 3)
    meetings = {
        frozenset(pair) for group in ("167", "258", "349") for pair in combinations(group, 2)
    }
    assert {frozenset(entry[1:] for entry in pair) for pair in opponents(whole)} == meetings
    assert tournament(whole)["fits"] == 6
    groups = {entry: name for name in ("167", "258", "349") for entry in name}
    for one, other in sides(whole):
        assert groups[one[1:]] != groups[other[1:]]
    assert tournament(played(whole, 3))["finished"]


def test_danish_turn_pairs_neighbours_of_the_standings() -> None:
    one = with_turn(club(6, kind="danish", ties=["difference"]), lambda table, _: [11, table])

    assert sides(one) == [["e1", "e3"], ["e5", "e6"], ["e4", "e2"]]


def test_lowest_who_has_not_rested_rests() -> None:
    whole = played(club(5, kind="danish"), 3)

    assert rests(whole) == ["e5", "e4", "e3"]


@pytest.mark.parametrize(
    ("repeat", "fresh"), [("any", [False, False]), ("last", [True, False]), ("never", [True, True])]
)
def test_repeat_says_who_may_meet_again(repeat: str, fresh: list[bool]) -> None:
    """The first two win always, and would always meet."""

    def scores(_: int, pair: Sequence[str]) -> list[int]:
        return [5 if entry == "e1" else 4 if entry == "e2" else 0 for entry in pair]

    document = club(6, kind="danish", repeat=repeat, rounds=3, points={"kind": "scores"})
    again = []
    for _ in range(3):
        turn = drawn(document)
        pairs = [frozenset(table["sides"]) for table in turn["tables"]]
        again.append(frozenset({"e1", "e2"}) in pairs)
        document = with_turn(document, scores)

    assert again[0]
    assert again[1] is not fresh[0]
    assert again[2] is not fresh[1]
    assert tournament(document)["warnings"] == []


def test_fewest_meetings_are_repeated_and_named() -> None:
    whole = played(club(4, kind="danish", repeat="never", rounds=4), 3, first_wins)

    answer = tournament(whole)
    assert [(one["code"], one["entries"]) for one in answer["warnings"]] == [
        ("repeated-meeting", table["sides"]) for table in answer["next"]["tables"]
    ]


def test_those_kept_apart_meet_only_when_nothing_else_is_left() -> None:
    apart = [["e1", "e2"], ["e1", "e3"], ["e1", "e4"]]

    first = tournament(club(4, kind="danish", apart=apart[:2]))
    none_left = tournament(club(4, kind="danish", apart=apart))

    assert [table["sides"] for table in first["next"]["tables"]] == [["e1", "e4"], ["e2", "e3"]]
    assert first["warnings"] == []
    assert [(one["code"], one["entries"]) for one in none_left["warnings"]] == [
        ("apart-meeting", ["e1", "e2"])
    ]
