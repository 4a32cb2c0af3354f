"""Sessions: agreed on once, however often the phone asks; and the next match, begun once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorer.errors import ConflictError, InvalidError
from scorer.evening.session_acts import End
from scorer.rules.game import Outcome
from scorer.rules.questions import write
from scorer.services.album.last_page import last_page
from scorer.services.base import clock
from scorer.services.base.clock import zone_called
from scorer.services.circle.circles import holder, set_zone
from scorer.services.circle.names import title_of
from scorer.services.deals.history import evenings
from scorer.services.journal.verify import circle_findings
from scorer.services.session.sessions import (
    _numbered,
    next_games,
    next_match,
    start_next_match,
    start_session,
)
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.storage import models, queries
from tests.data.rows import rows
from tests.refusals import refused
from tests.services.evenings import FIVE, Evening, at_once, new_session, played_once, start


def test_session_begins_a_circle_with_its_players_and_one_phone() -> None:
    new = new_session(stake=10)
    started = start_session(new)
    assert started.phone_id
    evening = Evening(started.session_id, holder(started.circle_id, started.phone_id))

    state = evening.state
    circle = queries.find(models.Circle, evening.circle_id)
    assert circle is not None
    assert circle.name == "Ada, Bea, Ciro"
    assert state.names == FIVE
    assert [player.name for player in queries.circle.players(evening.circle_id)] == list(FIVE)
    assert [phone.phone_id for phone in queries.circle.phones(evening.circle_id)] == [
        evening.by.phone_id
    ]
    assert (state.row.stake_cents, state.row.next_number, state.evening.turn.dealer) == (10, 1, 4)
    assert len({new.key, *evening.keys}) == 3  # the key does not tell where the session is


@pytest.mark.parametrize("begun", [False, True], ids=["a new circle", "a circle that is there"])
def test_same_session_asked_for_by_many_threads_at_once_is_one(*, begun: bool) -> None:
    circle_id = start().circle_id if begun else None
    players = ("Gino", *FIVE[1:])
    new = new_session(circle_id=circle_id, players=players)

    started = at_once(lambda _: start_session(new))

    assert len({(one.circle_id, one.session_id) for one in started}) == 1
    names = [player.name for player in queries.circle.players(started[0].circle_id)]
    assert names.count("Gino") == 1
    assert len(queries.session.session_ids(started[0].circle_id)) == 1 + begun


def test_players_who_are_known_are_found_again_by_their_names(evening: Evening) -> None:
    again = evening.again(players=[" ada ", "BEA", "Ciro", "Dora", "Gino"])

    assert again.state.names == (*FIVE[:4], "Gino")
    assert len(queries.circle.players(evening.circle_id)) == 6


@rows(__file__, "problems")
def test_problems_of_a_new_session(other: dict[str, Any], found: list[str]) -> None:
    with refused(*found):
        start_session(new_session(**other))

    assert queries.circle.circle_ids() == []


@pytest.mark.parametrize(
    ("zone", "titles", "stored"),
    [
        ("", ["", "", ""], ["", "· 2", "· 3"]),
        ("Pacific/Auckland", ["", "Friday", "", "Friday"], ["", "Friday", "· 2", "Friday"]),
        ("Pacific/Auckland", ["· 2", "", "· 2"], ["· 2", "", "· 3"]),
    ],
)
def test_second_untitled_session_of_a_day_is_numbered(
    zone: str, titles: list[str], stored: list[str]
) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    with clock.at(noon - timedelta(days=2)):
        evening = start()
    set_zone(evening.circle_id, zone, by=evening.by)
    started = []
    for hour, title in enumerate(titles, 12):
        at = datetime(2026, 11, 21, hour, tzinfo=zone_called(zone)).astimezone(UTC)
        new = new_session(circle_id=evening.circle_id, title=title, started_at=at)
        started.append(start_session(new, evening.by).session_id)

    found = [queries.find(models.CardSession, evening.circle_id, key) for key in started]
    assert [row.title for row in found if row] == stored


def test_first_and_last_year_have_sessions(evening: Evening) -> None:
    for year in (1, 1, 9999, 9999):
        evening.again(started_at=datetime(year, 1, 1, 12, tzinfo=UTC))

    assert queries.session.session_count(evening.circle_id) == 5


FOUR = ("Ada", "Bea", "Ciro", "Dora")
#: Ada is the last one left; whoever would deal by then may be out.
SCALA = (
    {"closed": "Ada", "hands": {"Bea": 40, "Ciro": 25, "Dora": 101}},
    {"closed": "Ada", "hands": {"Bea": 40, "Ciro": 101}},
    {"closed": "Ada", "hands": {"Bea": 40}},
)


@played_once
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


def test_next_match_is_one_by_the_same_people_and_rules_however_often_it_is_asked_for() -> None:
    evening = briscola(0, 0, stake=50, rules={"preset": "best-of-3", "drawn": "replay"})
    before, expected = evening.state, next_match(evening.state)

    keys = {start_next_match(*evening.keys) for _ in range(3)}

    assert keys == {expected.session_id}
    assert (expected.begun, next_match(evening.state).begun) == (False, True)
    state = load_state(evening.circle_id, expected.session_id)
    assert state.names == FOUR
    assert [seat.player_id for seat in state.seats] == [seat.player_id for seat in before.seats]
    assert write(state.rules) == write(before.rules)
    assert (state.row.stake_cents, state.row.title) == (50, "Friday · 2")
    assert set(state.opening.values()) == {0}
    assert state.evening.turn.dealer == before.evening.turn.dealer == 3


def test_next_match_that_cannot_be_is_refused_and_ends_nothing() -> None:
    for won, game, error in (((0, 1), "", ConflictError), ((0, 0), "terziglio", InvalidError)):
        evening = briscola(*won)

        with pytest.raises(error):
            start_next_match(*evening.keys, game=game)

        assert evening.state.row.ended_at is None
        assert queries.session.session_count(evening.circle_id) == 1


def test_whoever_was_out_plays_and_deals_again() -> None:
    evening = start("to-101", game="scala-quaranta", players=FOUR, first_dealer=2)
    for sheet in SCALA:
        evening.record(sheet)

    state = following(evening)

    assert evening.state.out == (1, 2, 3)
    assert state.table().active == (0, 1, 2, 3)
    assert state.evening.turn.dealer == 2


def test_people_who_moved_stay_where_they_sit_and_another_day_has_its_name() -> None:
    evening = briscola(0)
    evening.change(order=[2, 1, 0, 3], dealer=3)
    evening.record(None, Outcome.MISDEAL)
    evening.record({"card_points": [80, 40]})

    later = evening.state.row.started_at + timedelta(days=6)
    with clock.at(later):
        state = following(evening)

    assert state.names == ("Ciro", "Bea", "Ada", "Dora")
    assert state.names[state.evening.turn.dealer] == "Ciro"
    assert state.row.title == ""
    assert str(title_of(state.row)) == f"{later:%A} {later.day} {later:%B}"


@pytest.mark.parametrize(
    ("title", "second"),
    [
        ("Friday", "Friday · 2"),
        ("Friday · 9", "Friday · 10"),
        ("At Bea’s · late", "At Bea’s · late · 2"),
        ("· 2", "· 3"),
        ("x" * 80, "x" * 76 + " · 2"),
    ],
)
def test_matches_of_an_evening_are_numbered(title: str, second: str) -> None:
    assert _numbered(title) == second


def test_another_game_goes_by_the_rules_played_last_or_those_for_so_many() -> None:
    evening = briscola(0, 0, stake=50)
    offered = next_games(evening.state)
    first = offered[0]

    assert (first.game.slug, first.pairs, first.stake_cents) == ("briscola", True, 50)
    assert {"scopa", "burraco", "tressette"} <= {offer.game.slug for offer in offered}
    assert "terziglio" not in {offer.game.slug for offer in offered}
    scopa = start_next_match(*evening.keys, game="scopa", pairing=1)

    state = load_state(evening.circle_id, scopa)
    assert (state.game.slug, state.row.stake_cents) == ("scopa", None)
    assert state.row.went_on_from == evening.session_id
    assert state.names == ("Ada", "Ciro", "Bea", "Dora")
    do(evening.circle_id, scopa, End())
    again = load_state(
        evening.circle_id, start_next_match(evening.circle_id, scopa, game="briscola")
    )
    assert (again.row.stake_cents, again.rules.slug) == (50, "best-of-3")
    assert [*circle_findings(evening.circle_id)] == []


def test_an_evening_is_one_line_and_its_matches_stand_above_each_other() -> None:
    evening = briscola(0, 0)
    session_id = evening.session_id
    for side in (1, 0):
        session_id = start_next_match(evening.circle_id, session_id)
        other = Evening(session_id, evening.by)
        for _ in range(2):
            other.record({"card_points": [80, 40] if side == 0 else [40, 80]})
    alone = evening.again(game="briscola", rules="best-of-3", players=FOUR, first_dealer=0)

    (day,), more = evenings(evening.circle_id)

    lines = {line.row.session_id: [row.session_id for row in line.before] for line in day}
    assert (set(lines), more) == ({session_id, alone.session_id}, False)
    assert lines[session_id][0] == evening.session_id
    assert len(lines[session_id]) == 2
    (line,) = (line for line in day if line.before)
    assert (line.first.title, [str(game) for game in line.games]) == ("Friday", ["Briscola"])
    (games,) = last_page(evening.circle_id, session_id).together
    assert [(str(side), won) for side, won in games.score] == [
        ("Ada and Ciro", 2),
        ("Bea and Dora", 1),
    ]
    assert last_page(*evening.keys).together == (games,)
