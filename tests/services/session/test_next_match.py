"""The next match begins once, with the same people, where the last one ended."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import ConflictError, NotFoundError
from scorer.evening.session_acts import End, PlayOn
from scorer.rules.game import Outcome
from scorer.rules.sheet import write
from scorer.services.base import clock
from scorer.services.circle.names import title_of
from scorer.services.session.acts import do
from scorer.services.session.sessions import (
    next_match,
    start_next_match,
)
from scorer.services.session.state import SessionState, load_state
from scorer.storage import queries
from tests.services.evenings import Evening, start

FOUR = ("Ada", "Bea", "Ciro", "Dora")
#: Ada is the last one left; whoever would deal by then may be out.
SCALA = (
    {"closed": "Ada", "hands": {"Bea": 40, "Ciro": 25, "Dora": 101}},
    {"closed": "Ada", "hands": {"Bea": 40, "Ciro": 101}},
    {"closed": "Ada", "hands": {"Bea": 40}},
)


def briscola(*won: int, **other: Any) -> Evening:
    """Play a match of two pairs whose deals are won by these sides."""
    rules = other.pop("rules", "best-of-3")
    agreed = {"game": "briscola", "players": FOUR, "first_dealer": 1, **other}
    evening = start(rules, **agreed)
    for side in won:
        evening.record({"card_points": [80, 40] if side == 0 else [40, 80]})
    return evening


def following(evening: Evening) -> SessionState:
    return load_state(evening.circle_id, start_next_match(*evening.keys))


def test_next_match_is_played_by_the_same_people_by_the_same_rules() -> None:
    evening = briscola(0, 0, stake_cents=50, rules={"preset": "best-of-3", "drawn": "replay"})
    before = load_state(*evening.keys)

    state = following(evening)

    assert state.names == FOUR
    assert [seat.player_id for seat in state.seats] == [seat.player_id for seat in before.seats]
    assert write(state.rules) == write(before.rules)
    assert state.row.stake_cents == 50
    assert state.row.title == "Friday · 2"
    assert set(state.opening.values()) == {0}
    assert state.evening.turn.dealer == before.evening.turn.dealer == 3


def test_match_that_is_over_ends_with_it_and_may_be_taken_up_again() -> None:
    evening = briscola(0, 0)

    start_next_match(*evening.keys)
    ended = load_state(*evening.keys).row.ended_at
    do(*evening.keys, PlayOn())

    assert ended is not None
    assert load_state(*evening.keys).row.ended_at is None


def test_next_match_is_one_however_often_it_is_asked_for() -> None:
    evening = briscola(1, 1)
    expected = next_match(load_state(*evening.keys))

    keys = {start_next_match(*evening.keys) for _ in range(3)}

    assert keys == {expected.session_id}
    assert not expected.begun
    assert next_match(load_state(*evening.keys)).begun
    assert queries.session.session_count(evening.circle_id) == 2


def test_end_of_a_match_keeps_its_moment() -> None:
    evening = briscola(1, 1)
    do(*evening.keys, End())
    before = load_state(*evening.keys).row

    start_next_match(*evening.keys)

    after = load_state(*evening.keys).row
    assert (after.ended_at, after.version) == (before.ended_at, before.version)


def test_match_that_is_not_decided_has_no_next_one() -> None:
    evening = briscola(0, 1)

    with pytest.raises(ConflictError):
        start_next_match(*evening.keys)

    assert load_state(*evening.keys).row.ended_at is None
    assert queries.session.session_count(evening.circle_id) == 1


def test_match_that_is_not_there_has_no_next_one() -> None:
    with pytest.raises(NotFoundError):
        start_next_match(uuid4(), uuid4())


def test_whoever_was_out_plays_and_deals_again() -> None:
    evening = start("to-101", game="scala-quaranta", players=FOUR, first_dealer=2)
    for sheet in SCALA:
        evening.record(sheet)

    state = following(evening)

    assert load_state(*evening.keys).out == (1, 2, 3)
    assert state.table().active == (0, 1, 2, 3)
    assert state.evening.turn.dealer == 2


def test_people_who_moved_stay_where_they_sit() -> None:
    evening = briscola(0)
    evening.change(order=[2, 1, 0, 3], dealer=3)
    evening.record(None, Outcome.MISDEAL)
    evening.record({"card_points": [80, 40]})

    state = following(evening)

    assert state.names == ("Ciro", "Bea", "Ada", "Dora")
    assert state.names[state.evening.turn.dealer] == "Ciro"


def test_match_on_another_day_is_called_after_that_day() -> None:
    evening = briscola(0, 0)
    began = load_state(*evening.keys).row.started_at

    later = began + timedelta(days=6)
    with clock.at(later):
        state = following(evening)

    assert state.row.title == ""
    assert str(title_of(state.row)) == f"{later:%A} {later.day} {later:%B}"


@pytest.mark.parametrize(
    ("title", "second"),
    [
        pytest.param("Friday", "Friday · 2", id="the second"),
        pytest.param("Friday · 2", "Friday · 3", id="the third"),
        pytest.param("Friday · 99", "Friday · 100", id="a long night"),
        pytest.param("At Bea’s · late", "At Bea’s · late · 2", id="a title with a dot"),
        pytest.param("", "· 2", id="no title"),
        pytest.param("· 2", "· 3", id="no title, the third"),
        pytest.param("x" * 80, "x" * 76 + " · 2", id="a long title"),
    ],
)
def test_matches_of_an_evening_are_numbered(title: str, second: str) -> None:
    assert following(briscola(0, 0, title=title)).row.title == second
