from typing import Any

import pytest

from scorer.operations import tournament
from scorer.tournaments.facts import by_lot
from tests.tournaments.clubs import club, drawn, places, played, sides, turn

LEVEL = [turn("1-2 3-1", "3-4 9-2"), turn("1-3 1-4", "2-4 8-0"), turn("1-4 6-5", "2-3 2-1")]


def rows(document: dict[str, Any], *keys: str) -> list[tuple[Any, ...]]:
    answer = tournament(document)
    assert answer["problems"] == []
    return [tuple(row[key] for key in keys) for row in answer["standings"]]


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        ([], "1:e1 1:e2 1:e3 4:e4"),
        (["head-to-head"], "1:e1 1:e2 1:e3 4:e4"),
        (["difference"], "1:e3/difference 2:e2/difference 3:e1/difference 4:e4"),
        (["scored"], "1:e3/scored 2:e2/scored 3:e1/scored 4:e4"),
        (["conceded"], "1:e2/conceded 2:e3/conceded 3:e1/conceded 4:e4"),
        (["wins", "opponents"], "1:e1 1:e2 1:e3 4:e4"),
        (["lot"], "1:e2/lot 2:e3/lot 3:e1/lot 4:e4"),
    ],
)
def test_ties_are_broken_in_their_order(ties: list[str], order: str) -> None:
    document = club(4, kind="round-robin", ties=ties, seed="x") | {"rounds": LEVEL}
    lot = by_lot(["e1", "e2", "e3"], "x", "0")

    found = rows(document, "place", "entry", "broken_by")

    written = [f"{place}:{entry}" + (f"/{rule}" if rule else "") for place, entry, rule in found]
    if ties == ["lot"]:
        assert [entry for _, entry, _ in found[:3]] == lot
        assert {rule for *_, rule in found[:3]} == {"lot"}
    else:
        assert " ".join(written) == order


def test_head_to_head_counts_only_where_all_who_are_level_met() -> None:
    document = club(4, kind="round-robin", ties=["head-to-head", "scored"])
    first, second = turn("1-2 3-1", "3-4 9-2"), turn("1-3 1-4", "2-4 8-9")

    after_one = rows(document | {"rounds": [first]}, "entry", "broken_by")
    after_two = rows(document | {"rounds": [first, second]}, "entry", "points", "broken_by")

    assert after_one == [("e3", "scored"), ("e1", "scored"), ("e4", "scored"), ("e2", "scored")]
    assert after_two == [
        ("e3", 6, None), ("e4", 3, "scored"), ("e1", 3, "scored"), ("e2", 0, None),
    ]  # fmt: skip


def test_head_to_head_divides_two_who_met() -> None:
    only = turn("1-2 1-2", penalty={"e2": 3})
    document = club(2, kind="danish", ties=["head-to-head"]) | {"rounds": [only]}

    assert rows(document, "place", "entry", "points", "broken_by") == [
        (1, "e2", 0, "head-to-head"),
        (2, "e1", 0, "head-to-head"),
    ]


def test_entries_still_level_after_a_rule_stay_in_one_place() -> None:
    only = turn("1-2 5-1", "3-4 5-1", byes=["e5"])
    document = club(5, kind="danish", ties=["difference"]) | {"rounds": [only]}

    assert rows(document, "place", "entry", "broken_by") == [
        (1, "e1", None), (1, "e3", None), (3, "e5", "difference"), (4, "e2", "difference"),
        (4, "e4", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("points", "table", "worth"),
    [
        ({"kind": "result", "win": 2, "draw": 1, "loss": 0}, {"scores": [5, 4]}, [2, 0]),
        ({"kind": "result"}, {"scores": [4, 4]}, [1, 1]),
        ({"kind": "result"}, {"forfeit": "e1", "scores": [9, 0]}, [0, 3]),
        ({"kind": "victory", "table": "three-deals"}, {"scores": [1420, 905]}, [15, 5]),
        ({"kind": "victory", "table": "four-deals"}, {"scores": [905, 1420]}, [7, 13]),
        ({"kind": "victory", "table": "three-deals"}, {"scores": [50, 0]}, [10, 10]),
        ({"kind": "victory", "table": "three-deals"}, {"scores": [0, 1501]}, [0, 20]),
        ({"kind": "victory", "table": [[10, 12]]}, {"scores": [7, 7]}, [10, 10]),
        ({"kind": "victory", "table": [[10, 12]]}, {"scores": [10, 20]}, [8, 12]),
        ({"kind": "victory", "table": [[10, 12]]}, {"forfeit": "e2"}, [20, 0]),
        ({"kind": "scores"}, {"scores": [5, 4]}, [5, 4]),
        ({"kind": "games"}, {"scores": [2, 1]}, [2, 1]),
        ({"kind": "games"}, {"forfeit": "e2", "scores": [2, 1]}, [0, 0]),
        ({"kind": "places", "values": [9, 7]}, {"scores": [1, 4]}, [7, 9]),
        ({"kind": "places", "values": [9]}, {"scores": [1, 4]}, [0, 9]),
    ],
)
def test_table_of_two_is_worth(
    points: dict[str, Any], table: dict[str, Any], worth: list[int]
) -> None:
    only = {"tables": [{"sides": ["e1", "e2"], **table}]}
    document = club(2, kind="danish", points=points) | {"rounds": [only]}

    assert dict(rows(document, "entry", "points")) == dict(zip(["e1", "e2"], worth, strict=True))


@pytest.mark.parametrize(
    ("kind", "table", "worth", "wins"),
    [
        ("places", {"scores": [8, 5, 9, 5, 1]}, [4, 3, 5, 3, 1], [0, 0, 1, 0, 0]),
        ("places", {"scores": None, "forfeit": "e2"}, [5, 1, 5, 5, 5], [0] * 5),
        ("result", {"scores": [8, 9, 9, 5, 1]}, [0, 1, 1, 0, 0], [0] * 5),
        ("scores", {"scores": [8, -2, 9, 5, 1]}, [8, -2, 9, 5, 1], [0, 0, 1, 0, 0]),
    ],
)
def test_table_of_five_is_worth(
    kind: str, table: dict[str, Any], worth: list[int], wins: list[int]
) -> None:
    everybody = [f"e{number}" for number in range(1, 6)]
    document = club(5, kind="tables", points={"kind": kind}) | {
        "rounds": [{"tables": [{"sides": everybody, **table}]}]
    }

    found = {entry: tuple(rest) for entry, *rest in rows(document, "entry", "points", "wins")}

    assert found == dict(zip(everybody, zip(worth, wins, strict=True), strict=True))


def test_conceded_at_a_table_of_five_is_what_the_others_scored() -> None:
    only = {"tables": [{"sides": [f"e{n}" for n in range(1, 6)], "scores": [8, 5, 9, 5, 1]}]}
    document = club(5, kind="tables") | {"rounds": [only]}

    assert rows(document, "entry", "scored", "conceded", "difference")[0] == ("e3", 9, 19, -10)


def test_partners_both_get_what_their_side_gets() -> None:
    document = played(club(4, kind="individual", points={"kind": "scores"}), 1)

    found = rows(document, "points", "played", "conceded")
    assert found == [(2, 1, 1), (2, 1, 1), (1, 1, 2), (1, 1, 2)]


def test_byes_and_penalties_count_once_the_turn_is_drawn() -> None:
    first = turn("1-2", byes=["e3"], penalty={"e1": 2})
    document = club(3, kind="danish", bye={"points": 2}) | {"rounds": [first]}

    assert rows(document, "entry", "points", "played") == [
        ("e3", 2, 0),
        ("e2", 0, 0),
        ("e1", -2, 0),
    ]
    assert tournament(document)["next"] is None
    assert tournament(document)["finished"] is False


def test_points_of_the_opponents_break_a_tie() -> None:
    turns = [turn("1-3 1-0", "2-4 1-0"), turn("4-3 1-0")]
    document = club(4, kind="danish", ties=["opponents"]) | {"rounds": turns}

    assert rows(document, "place", "entry", "broken_by") == [
        (1, "e2", None), (1, "e4", None), (3, "e1", "opponents"), (4, "e3", None),
    ]  # fmt: skip


def test_lot_is_the_order_of_digests_and_late_entries_stand_last() -> None:
    document = club(6, kind="danish", draw="lot", seed="any text")
    entries = [entry["id"] for entry in document["entries"]]
    assert [e for pair in sides(document) for e in pair] == by_lot(entries, "any text")

    document["entries"][0]["from"] = 2
    after = played(document, 1)

    assert "e1" not in str(after["rounds"])
    assert "e1" in str(drawn(after))
    assert list(places(played(document, 0)))[-1] == "e1"


def test_winner_is_who_alone_has_the_first_place() -> None:
    document = played(club(2, kind="round-robin"), 1)
    level = played(club(2, kind="round-robin"), 1, lambda *_: [1, 1])

    assert (tournament(document)["winner"], tournament(level)["winner"]) == ("e1", None)
    assert tournament(level)["finished"]
