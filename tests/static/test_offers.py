"""Which rules and marks a new session has as the names come, where the page offers all presets."""

from collections.abc import Callable

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scorer.games import all_games, find_game
from scorer.services.circle.players import marks_of
from scorer.web.session.choosing import offers
from tests.static.conftest import CallScript

SCRIPT = "session/offers.js"
#: Return the rules that are chosen for so many names, as the page goes on from those before.
Seat = Callable[[int], str]


def page(
    app: Flask, call_script: CallScript, game: str, picked: tuple[str, int] | None = None
) -> Seat:
    """Open the page of a new session; ``picked`` are rules tapped while so many were named."""
    with app.test_request_context():
        offered = offers(None, find_game(game))
    values = [offer.value for offer in offered]
    rows = [
        {"counts": offer.counts, "seats": offer.table.players, "pairs": offer.pairs, "kind": ""}
        for offer in offered
    ]
    asked = {"kind": "", "wanted": 0, "stays": False}
    if picked:
        wanted = values.index(picked[0])
        asked |= {"wanted": wanted, "stays": picked[1] not in offered[wanted].counts}

    def seat(count: int) -> str:
        (answer,) = call_script(SCRIPT, [("choose", (rows, {**asked, "count": count}))])
        asked.update({key: answer[key] for key in ("wanted", "stays")})
        chosen: int = answer["chosen"]
        return values[chosen]

    return seat


@pytest.mark.parametrize("game", ["points", "scala-quaranta", "scopa", "burraco", "tressette"])
def test_no_number_of_names_turns_single_players_into_pairs(
    app: Flask, call_script: CallScript, game: str
) -> None:
    seat = page(app, call_script, game)
    first = seat(0)

    assert {seat(count) for count in range(1, 5)} == {first}


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_rules_fit_whatever_number_can_play_and_the_first_ones_come_back(
    app: Flask, call_script: CallScript, game: str
) -> None:
    seat = page(app, call_script, game)
    with app.test_request_context():
        alone = [offer for offer in offers(None, find_game(game)) if not offer.pairs]
    first = seat(0)

    for count in range(1, 9):
        fitting = {offer.value for offer in alone if count in offer.counts}
        chosen = seat(count)
        assert chosen == first if first in fitting or not fitting else chosen in fitting


def test_rules_that_so_many_cannot_play_give_way_and_come_back(
    app: Flask, call_script: CallScript
) -> None:
    seat = page(app, call_script, "points", ("pairs", 4))

    assert [seat(4), seat(5), seat(6), seat(7)] == ["pairs", "highest", "pairs", "highest"]


@pytest.mark.parametrize(
    ("picked", "chosen"),
    [(False, ["to-2005", "to-2005", "to-1505", "to-2005"]), (True, ["to-2005"] * 4)],
)
def test_shorter_match_is_proposed_to_three_at_burraco(
    app: Flask, call_script: CallScript, *, picked: bool, chosen: list[str]
) -> None:
    with app.test_request_context():
        offered = offers(None, find_game("burraco"))
    rows = [
        {"counts": offer.counts, "seats": offer.table.players, "pairs": offer.pairs, "kind": "",
         "bestFor": offer.best_for}
        for offer in offered
    ]  # fmt: skip
    asked = {"kind": "", "wanted": 0, "stays": False, "picked": picked}

    answers = call_script(
        SCRIPT, [("choose", (rows, {**asked, "count": count})) for count in (1, 2, 3, 4)]
    )

    assert [offered[answer["chosen"]].value for answer in answers] == chosen


def test_rules_that_are_picked_for_another_number_stay(app: Flask, call_script: CallScript) -> None:
    seat = page(app, call_script, "points", ("pairs", 0))

    assert [seat(count) for count in (2, 3, 5)] == ["pairs"] * 3


@pytest.mark.parametrize(("wanted", "chosen"), [(0, 2), (3, 1)])
def test_pairs_stand_in_for_pairs_alone(call_script: CallScript, wanted: int, chosen: int) -> None:
    rows = [
        {"counts": counts, "seats": counts[0], "pairs": pairs, "kind": ""}
        for counts, pairs in (([3], False), ([4], True), ([5, 4], False), ([6], True))
    ]
    asked = {"count": 4, "kind": "", "wanted": wanted, "stays": False}

    (answer,) = call_script(SCRIPT, [("choose", (rows, asked))])

    assert answer["chosen"] == chosen


def test_rules_of_another_kind_give_way_for_good(call_script: CallScript) -> None:
    kinds = [("points", 4), ("cards", 5), ("cards", 4)]
    rows = [
        {"counts": [seats], "seats": seats, "pairs": False, "kind": kind} for kind, seats in kinds
    ]
    asked = {"count": 4, "kind": "cards", "wanted": 0, "stays": True}

    (answer,) = call_script(SCRIPT, [("choose", (rows, asked))])

    assert (answer["wanted"], answer["stays"], answer["chosen"]) == (2, False, 2)
    assert answer["likely"] == [rows[2]]


@given(st.lists(st.integers(0, 40), max_size=10))
def test_marks_are_those_of_the_session(call_script: CallScript, places: list[int]) -> None:
    (marks,) = call_script(SCRIPT, [("marksOf", (places,))])

    assert tuple(marks) == marks_of([(0, place) for place in places])
