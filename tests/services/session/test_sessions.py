"""Sessions: agreed on once, however often the phone asks; ended, taken up again, and won."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorer.services.base import clock
from scorer.services.base.clock import zone_called
from scorer.services.circle.circles import set_zone
from scorer.services.session import sessions
from scorer.services.session.sessions import start_session
from scorer.services.session.state import load_state
from scorer.storage import models, queries
from tests.data.rows import rows
from tests.refusals import refused
from tests.services.evenings import FIVE, Evening, at_once, new_session, start


def test_session_begins_a_circle_with_its_players_and_one_phone() -> None:
    evening = start(stake=10)

    state = load_state(*evening.keys)
    circle = queries.find(models.Circle, evening.circle_id)
    assert circle is not None
    assert circle.name == "Ada, Bea, Ciro"
    assert state.names == FIVE
    assert [player.name for player in queries.circle.players(evening.circle_id)] == list(FIVE)
    assert [phone.phone_id for phone in queries.circle.phones(evening.circle_id)] == [
        evening.by.phone_id
    ]
    assert (state.row.stake_cents, state.row.next_number, state.evening.turn.dealer) == (10, 1, 4)


def test_key_does_not_tell_where_the_session_is() -> None:
    new = new_session()

    started = start_session(new)

    assert new.key not in (started.circle_id, started.session_id)
    assert started.circle_id != started.session_id


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
    players = [" ada ", "BEA", "Ciro", "Dora", "Gino"]

    started = start_session(new_session(circle_id=evening.circle_id, players=players))

    assert load_state(started.circle_id, started.session_id).names == (
        "Ada",
        "Bea",
        "Ciro",
        "Dora",
        "Gino",
    )
    assert len(queries.circle.players(evening.circle_id)) == 6


@rows(__file__, "problems")
def test_problems_of_a_new_session(other: dict[str, Any], found: list[str]) -> None:
    with refused(*found):
        start_session(new_session(**other))

    assert queries.circle.circle_ids() == []


def test_names_and_titles_are_kept_as_they_can_be_seen() -> None:
    evening = start(players=["  Ada\0 \t Rossi ", *FIVE[1:]], title="Caff\u200be\u200b\u0300")

    assert load_state(*evening.keys).names[0] == "Ada Rossi"
    assert load_state(*evening.keys).row.title == "Caff\u00e8"


@pytest.mark.parametrize(
    ("titles", "stored"),
    [
        (["", "", ""], ["", "· 2", "· 3"]),
        (["", "Friday", "", "Friday"], ["", "Friday", "· 2", "Friday"]),
        (["· 2", "", "· 2"], ["· 2", "", "· 3"]),
    ],
)
@pytest.mark.parametrize("zone", ["", "Pacific/Auckland"])
def test_second_untitled_session_of_a_day_is_numbered(
    titles: list[str], stored: list[str], zone: str
) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    with clock.at(noon - timedelta(days=2)):
        evening = start()
    set_zone(evening.circle_id, zone, by=evening.by)
    started = []
    for hour, title in enumerate(titles, 12):
        at = datetime(2026, 11, 21, hour, tzinfo=zone_called(zone)).astimezone(UTC)
        new = new_session(circle_id=evening.circle_id, title=title, started_at=at)
        started.append(sessions.start_session(new, evening.by).session_id)

    rows = [queries.find(models.CardSession, evening.circle_id, key) for key in started]
    assert [row.title for row in rows if row] == stored


@pytest.mark.parametrize("year", [1, 9999])
def test_first_and_last_year_have_sessions(year: int) -> None:
    evening, at = start(), datetime(year, 1, 1, 12, tzinfo=UTC)

    for _ in range(2):
        new = new_session(circle_id=evening.circle_id, started_at=at)
        assert sessions.start_session(new, evening.by).circle_id == evening.circle_id
