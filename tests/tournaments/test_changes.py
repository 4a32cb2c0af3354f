"""Who comes late, withdraws, or was seated otherwise than by the plan."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import tournament
from tests.data.strategies import examples
from tests.operations.test_any_input import check_problems, mutated
from tests.tournaments.clubs import (
    Document,
    club,
    drawn,
    opponents,
    partners,
    places,
    played,
    sides,
    turn,
    with_turn,
)

KINDS: list[dict[str, Any]] = [
    {"kind": "round-robin"}, {"kind": "mitchell", "step": 2}, {"kind": "danish", "repeat": "last"},
    {"kind": "danish", "repeat": "never"}, {"kind": "knockout", "third_place": True},
    {"kind": "individual"}, {"kind": "tables", "size": 3}, {"kind": "groups", "through": 1},
]  # fmt: skip


def changed(document: Document, entry: int, **facts: int) -> Document:
    """Give the document with facts about an entry, counted from 1."""
    entries = [{**row, **facts} if row["id"] == f"e{entry}" else row for row in document["entries"]]
    return {**document, "entries": entries}


def test_who_withdraws_in_mitchell_leaves_a_place_that_a_late_entry_takes() -> None:
    document = changed(changed(club(9, kind="mitchell"), 4, withdrawn=2), 9, **{"from": 3})

    second = played(document, 1)
    assert drawn(second)["byes"] == ["e5"]
    assert drawn(played(document, 2))["byes"] == []
    assert ["e7", "e9"] in sides(played(document, 2))


def test_late_entry_gets_a_new_table_in_mitchell_without_a_meeting_again() -> None:
    whole = played(changed(club(9, kind="mitchell", rounds=4), 9, **{"from": 2}), 4)

    assert len(set(opponents(whole))) == len(opponents(whole))


def test_round_robin_without_a_turn_of_its_plan_pairs_the_first_who_have_not_met() -> None:
    rounds = [turn("1-2 1-0", "3-4 1-0", "5-6 1-0"), turn("1-3 1-0", "2-5 1-0", "4-6 1-0")]
    document = club(6, kind="round-robin") | {
        "rounds": [*rounds, turn("1-4 1-0", "2-6 1-0", "3-5 1-0")]
    }

    assert len({*opponents(document), *map(frozenset, sides(document))}) == 12


@pytest.mark.parametrize("count", [8, 9, 10])
def test_individual_goes_on_without_who_withdrew(count: int) -> None:
    document = changed(club(count, kind="individual", rounds=5), 3, withdrawn=3)

    whole = played(document, 5)

    assert len(set(partners(whole))) == len(partners(whole))
    assert max(Counter(e for row in whole["rounds"] for e in row["byes"]).values()) <= 3


def test_tables_go_on_without_who_withdrew() -> None:
    whole = played(changed(club(25, kind="tables", rounds=3), 3, withdrawn=2), 3)

    assert [len(row["byes"]) for row in whole["rounds"]] == [0, 4, 4]
    assert max(Counter(opponents(whole)).values()) == 2


def test_those_kept_apart_are_not_at_one_table() -> None:
    apart = [["e1", "e2"], ["e3", "e4"]]

    for kind in ({"kind": "tables", "size": 4}, {"kind": "individual"}):
        answer = tournament(club(8, apart=apart, **kind))
        assert answer["warnings"] == []


def test_who_withdraws_from_a_knockout_lets_the_other_go_on() -> None:
    document = club(8, kind="knockout", third_place=True)

    gone = changed(document, 1, withdrawn=2)
    after = played(gone, 1)
    assert (sides(after), drawn(after)["byes"]) == ([["e3", "e2"]], ["e4"])
    whole = played(after, 2)
    assert tournament(whole)["winner"] == "e4"
    assert places(whole)["e1"] == 3

    nobody = changed(changed(gone, 3, withdrawn=2), 2, withdrawn=2)
    assert tournament(played(nobody, 1))["winner"] == "e4"


def test_turn_of_a_knockout_without_a_table_is_passed_over() -> None:
    document = changed(changed(club(8, kind="knockout"), 4, withdrawn=2), 2, withdrawn=2)

    after = played(document, 1)
    assert drawn(after) == {"round": 2, "tables": [{"table": 1, "sides": ["e1", "e3"]}], "byes": []}


def test_level_final_of_the_third_places_and_a_table_that_plays() -> None:
    document = played(club(4, kind="knockout", third_place=True), 1)

    playing = {**document, "rounds": [*document["rounds"], turn("1-2 2-1", "4-3")]}
    assert tournament(playing)["finished"] is False
    assert places(playing) == {"e1": 1, "e2": 2, "e4": 3, "e3": 3}
    half = {**club(4, kind="knockout"), "rounds": [turn("1-4 2-1", "2-3")]}
    assert places(half) == {"e1": 1, "e2": 1, "e3": 1, "e4": 4}


def test_group_phase_that_plays_has_no_bracket_yet() -> None:
    document = club(4, kind="groups", groups=2, through=1)

    assert tournament(document | {"rounds": [turn("1-4 1-0", "2-3")]})["next"] is None
    level = changed(club(5, kind="groups", groups=1, through=3), 2, withdrawn=4)
    assert tournament(played(level, 5))["problems"] == []


def test_smaller_group_has_fewer_turns() -> None:
    whole = played(club(9, kind="groups", groups=2, through=1), 4)

    assert [len(row["tables"]) for row in whole["rounds"]] == [4, 4, 4, 2]


def test_table_across_groups_counts_for_each_in_its_group() -> None:
    document = club(4, kind="groups", groups=2, through=1)
    first = turn("1-3 0-1", "2-4 0-1", penalty={"e3": 9})

    whole = document | {"rounds": [first]}
    assert set(sides(whole)[0]) == {"e4", "e2"}


def test_other_seating_of_tables_is_gone_on_from() -> None:
    second = played(club(25, kind="tables"), 2)["rounds"][1]
    document = club(25, kind="tables", rounds=3) | {"rounds": [{"tables": second["tables"]}]}

    whole = played(document, 1)

    assert sides(document) != second["tables"]
    assert len(set(opponents(whole)) - set(opponents(document))) >= 45


def test_some_turns_are_known_to_fit() -> None:
    assert tournament(club(26, kind="individual"))["fits"] == 12
    assert tournament(club(7, kind="tables"))["fits"] == 1
    assert tournament(club(150, kind="tables"))["fits"] == 4


def test_nobody_left_is_the_end() -> None:
    document = club(4, kind="individual", rounds=3)
    for entry in range(1, 4):
        document = changed(document, entry, withdrawn=2)

    answer = tournament(played(document, 1))

    assert (answer["next"], answer["finished"]) == (None, True)


@st.composite
def evenings(draw: st.DrawFn) -> Document:
    """Give a document after some turns, with who came late and who withdrew."""
    plan = draw(st.sampled_from(KINDS))
    document = club(draw(st.integers(4, 11)), rounds=None, **plan)
    for entry in draw(st.sets(st.integers(4, 11), max_size=3)):
        document = changed(document, entry, withdrawn=draw(st.integers(2, 4)))
    if plan["kind"] not in ("knockout", "groups") and len(document["entries"]) > 6:
        document = changed(document, 2, **{"from": draw(st.integers(1, 3))})
    scores = draw(st.lists(st.integers(0, 9), min_size=5, max_size=5))
    for _ in range(draw(st.integers(0, 4))):
        answer = tournament(document)
        if answer["next"] is not None:
            document = with_turn(
                document, lambda table, pair: [scores[table % 5] + n for n in range(len(pair))]
            )
    return document


@examples(60)
@given(evenings())
def test_every_turn_has_each_who_plays_once(document: Document) -> None:
    answer = tournament(document)

    assert answer["problems"] == []
    assert sorted(row["entry"] for row in answer["standings"]) == sorted(
        entry["id"] for entry in document["entries"]
    )
    if answer["next"] is not None:
        names = str([table["sides"] for table in answer["next"]["tables"]])
        seated = [entry["id"] for entry in document["entries"] if f"'{entry['id']}'" in names]
        assert not {*seated} & {*answer["next"]["byes"]}
        assert tournament(with_turn(document))["problems"] == []


@examples(100)
@given(mutated(evenings()))
def test_any_fault_in_a_document_is_answered(document: Any) -> None:
    answer = tournament(document)

    assert answer["ok"] == (not answer["problems"])
    check_problems([{k: v for k, v in p.items() if k != "fits"} for p in answer["problems"]])
