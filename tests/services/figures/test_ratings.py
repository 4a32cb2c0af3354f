"""Ratings: made anew from the deals as they stand, and reused where nothing has changed."""

from datetime import UTC, datetime
from itertools import chain
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce
from sqlalchemy import text

from scorer.services.circle import players
from scorer.services.figures import figures, ratings
from scorer.services.figures.ratings import (
    NEWCOMER,
    START,
    Rating,
    game_ratings,
    rating_moves,
    rating_of,
)
from scorer.storage import db, queries
from tests.services.evenings import FIVE, Evening, sheet, start

GAME = "briscola-chiamata"
Figures = dict[str, Rating]


def listed(circle_id: UUID, game: str = GAME) -> Figures:
    """Give the ratings of a game by name, as they come out of the cache."""
    found, names = game_ratings(circle_id, game), players.names(circle_id)
    assert found
    return {names[one.player_id]: one.rating for one in found.players}


def anew(circle_id: UUID, game: str = GAME) -> Figures:
    """Give them with nothing remembered."""
    figures.cache.clear()
    return listed(circle_id, game)


def test_winners_rise_losers_fall_and_everybody_is_surer(evening: Evening) -> None:
    assert game_ratings(evening.circle_id) is None
    evening.record(sheet("Ada", "Bea"))
    found = listed(evening.circle_id)

    assert {name for name, (skill, _) in found.items() if skill > 0} == {"Ada", "Bea"}
    assert found["Ada"] == found["Bea"]
    assert found["Ciro"] == found["Dora"] == found["Ezio"]
    assert all(spread < NEWCOMER.spread for _, spread in found.values())
    assert NEWCOMER.points == START
    lost = start()
    lost.record(sheet("Ada", "Bea", 40))
    # Three are not taken for stronger because they are three: the first deal tells nothing.
    assert listed(lost.circle_id)["Ada"].skill == pytest.approx(-found["Ada"].skill)


def test_sessions_of_one_moment_go_by_when_they_were_recorded_then_by_title(
    evening: Evening,
) -> None:
    at = datetime(2026, 11, 1, 12, tzinfo=UTC)
    new = [evening.again(started_at=at, title=title) for title in "QWERTYUIOP"]
    circle_id, recorded = evening.circle_id, [one.session_id for one in new]

    assert [one.session_id for one in queries.deals.sessions_in_order(circle_id)][:10] == recorded

    db.session.execute(text("UPDATE journal_entry SET subject = 'x' WHERE serial > 0"))
    by_title = [one.title for one in queries.deals.sessions_in_order(circle_id)][:10]
    assert by_title == sorted("QWERTYUIOP")


def test_voided_deals_do_not_count_and_amended_ones_as_they_stand(evening: Evening) -> None:
    for caller in FIVE[:4]:
        evening.record(sheet(caller, "Ezio"))
    following = evening.again()
    following.record(sheet("Dora", None, 90))
    before = listed(evening.circle_id)
    evening.void(2, reason="no")
    evening.amend(3, sheet("Ciro", "Ada", 40), reason="it was Ada")
    after = listed(evening.circle_id)

    assert after != before
    assert after == anew(evening.circle_id)
    evening.restore(2)
    evening.amend(3, sheet("Ciro", "Ezio"), reason="no, Ezio")
    assert listed(evening.circle_id) == before


def test_moves_lead_to_the_rating_and_name_their_deals(evening: Evening) -> None:
    for caller in FIVE[:3]:
        evening.record(sheet(caller, "Ezio"))
    evening.void(2, reason="no")
    ada = evening.players["Ada"]
    moves = rating_moves(figures.circle_figures(evening.circle_id), ada, GAME)

    assert [(one.place.session_id, one.place.number) for one in moves] == [
        (evening.session_id, 1),
        (evening.session_id, 3),
    ]
    assert [one.change > 0 for one in moves] == [True, False]
    assert moves[0].before == NEWCOMER
    assert moves[-1].after == rating_of(figures.circle_figures(evening.circle_id), ada, GAME)
    assert sum(one.change for one in moves) == moves[-1].after.points - START


def test_games_are_rated_apart_and_the_lowest_wins_where_it_leads(evening: Evening) -> None:
    evening.record()
    lowest = evening.again(game="points", rules={"lowest_leads": True}, first_dealer=0)
    lowest.record({"points": [0, 10, 20, 30, 40]})
    found = listed(evening.circle_id, "points")

    assert list(found) == list(FIVE)
    assert [skill for skill, _ in found.values()] == sorted(
        (skill for skill, _ in found.values()), reverse=True
    )
    assert listed(evening.circle_id, "unknown") == listed(evening.circle_id)


def test_pairs_are_rated_by_who_sat_with_whom() -> None:
    evening = start(game="briscola", rules="points-120", players=FIVE[:4], first_dealer=0)
    evening.record({"card_points": [70, 50]})
    evening.change(order=(0, 1, 3, 2))
    evening.record({"card_points": [70, 50]})
    _, second = (one for one in ratings.rated_sessions(
        figures.circle_figures(evening.circle_id), "briscola")[0].session.contests)  # fmt: skip

    assert second.sides == ((0, 3), (1, 2))


def test_change_that_is_damaged_breaks_no_other_session(evening: Evening) -> None:
    evening.record()
    evening.change(rules="ladder-bands")
    with db.engine.begin() as connection:
        connection.execute(text("""UPDATE session_change SET rules = '{"preset": "none"}'"""))

    assert listed(evening.circle_id)["Ada"].skill > 0


def test_merged_players_have_the_deals_of_both(evening: Evening) -> None:
    evening.record()
    gino = evening.again(players=("Gino", *FIVE[1:]))
    gino.record(sheet("Gino", "Bea"))
    known = evening.players
    listed(evening.circle_id)
    players.merge(evening.circle_id, known["Ada"], known["Gino"], by=evening.by)

    found = game_ratings(evening.circle_id)
    assert found
    assert [one.deals for one in found.players if one.player_id == known["Ada"]] == [2]
    assert "Gino" not in listed(evening.circle_id)
    assert listed(evening.circle_id) == anew(evening.circle_id)


PLACES = st.lists(st.integers(0, 3), min_size=2, max_size=5)
SIDE = st.lists(
    st.tuples(st.floats(-20, 20), st.floats(0.5, NEWCOMER.spread)), min_size=1, max_size=4
)


@given(st.data(), PLACES)
def test_rating_is_what_openskill_makes_of_a_deal(data: st.DataObject, places: list[int]) -> None:
    sides = [[Rating(*of) for of in data.draw(SIDE)] for _ in places]
    model = PlackettLuce(mu=0.0)
    teams = [[model.rating(mu=one.skill, sigma=one.spread) for one in side] for side in sides]

    found = [one for side in ratings.rate(sides, places) for one in side]

    wanted = chain(*model.rate(teams, ranks=[float(place) for place in places]))
    assert found == [pytest.approx((one.mu, one.sigma)) for one in wanted]
