"""Standings of a circle by evenings won, as counted by hand; places by who stayed in."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from scorer.evening.session_acts import End, PlayOn
from scorer.services.album.last_page import last_page
from scorer.services.base import clock
from scorer.services.deals.history import evenings, past_sessions
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.figures.seasons import season_page
from scorer.services.figures.standings import circle_standings
from scorer.services.files.spreadsheets import session_places
from scorer.services.money.evenings import deal_by_deal, evening_money
from scorer.services.session.settling import PayTerms, Way, post_evening
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.services.evenings import SIX, Evening, start

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
Row = tuple[str, int, int, str, int]


def rows(evening: Evening, game: str = "points", **span: Any) -> list[Row]:
    found = circle_standings(evening.circle_id, game, span.get("since"), span.get("until"))
    assert found
    assert not found.by_balance
    assert found.best_evening is None
    return [
        (row.player.name, row.won, row.evenings, str(row.average_place), row.deals)
        for row in found.places
    ]


def points(evening: Evening, rules: Any, *paid: list[int]) -> Evening:
    """Play an evening of free points in the circle, to its end."""
    names = ["Ada", "Bea", "Ciro", "Dora"][: len(paid[0])]
    played = evening.again(game="points", rules=rules, players=names, first_dealer=0)
    for figures in paid:
        played.record({"points": figures})
    do(*played.keys, End(), by=played.by)
    return played


def test_evenings_won_lead_then_their_share_and_then_the_average_place() -> None:
    circle = start()
    points(circle, "highest", [3, 2, 1])
    points(circle, "highest", [2, 1, 3], [0, 0, 0])
    assert rows(circle) == [
        ("Ada", 1, 2, "3/2", 3),
        ("Ciro", 1, 2, "2", 3),
        ("Bea", 0, 2, "5/2", 3),
    ]

    points(circle, "highest", [1, 3])
    assert [row[:4] for row in rows(circle)] == [
        ("Ciro", 1, 2, "2"),
        ("Ada", 1, 3, "5/3"),
        ("Bea", 1, 3, "2"),
    ]
    points(circle, "highest", [3, 1])
    assert [row[0] for row in rows(circle)] == ["Ada", "Ciro", "Bea"]
    points(circle, {"lowest_leads": True}, [1, 3, 1])
    found = circle_standings(circle.circle_id, "points", None, None)
    assert found
    assert [(row.place, row.player.name, row.won) for row in found.places] == [
        *((1, "Ada", 3), (2, "Ciro", 2), (3, "Bea", 1)),
    ]


def test_session_counts_once_it_has_ended_on_the_day_on_which_it_began() -> None:
    with clock.at(NOON):
        circle = start("highest", ["Ada", "Bea"], game="points", first_dealer=0)
        circle.record({"points": [3, 1]})
    assert rows(circle) == []
    with clock.at(NOON + timedelta(days=2)):
        do(*circle.keys, End(), by=circle.by)

    assert rows(circle) == [("Ada", 1, 1, "1", 1), ("Bea", 0, 1, "2", 1)]
    assert len(rows(circle, since=NOON.date(), until=NOON.date())) == 2
    assert rows(circle, since=date(2026, 11, 22)) == []
    standings = season_page(circle.circle_id, "2026-11").standings
    assert standings
    assert [row.player.name for row in standings.places] == ["Ada", "Bea"]
    do(*circle.keys, PlayOn(), by=circle.by)
    assert rows(circle) == []
    assert season_page(circle.circle_id, "2026-11").most_deals is None


def test_evenings_that_come_to_nothing_are_added_up() -> None:
    circle = start()
    points(circle, "zero-sum", [30, -10, -20])
    points(circle, "zero-sum", [-40, 10, 30])

    found = circle_standings(circle.circle_id, "points", None, None)

    assert found
    assert found.by_balance
    assert [(row.player.name, row.points) for row in found.places] == [
        ("Ciro", 10),
        ("Bea", 0),
        ("Ada", -10),
    ]
    begun = circle.again(game="points", rules="highest", players=["Ada", "Bea"], first_dealer=0)
    begun.record({"points": [1, 2]})
    assert len(rows(circle)) == 3
    begun.void(1)  # nobody was paid: it does not count
    found = circle_standings(circle.circle_id, "points", None, None)
    assert found
    assert found.by_balance
    points(circle, "highest", [1, 2, 3])
    assert len(rows(circle)) == 3


def test_span_in_which_the_lowest_always_leads_is_led_by_the_lowest() -> None:
    lowest = {"preset": "zero-sum", "lowest_leads": True}
    with clock.at(NOON):
        circle = start()
        points(circle, lowest, [30, -10, -20])
    with clock.at(NOON + timedelta(days=60)):
        points(circle, "zero-sum", [30, -10, -20])

    within = circle_standings(circle.circle_id, "points", NOON.date(), NOON.date())
    season = season_page(circle.circle_id, "2026-11", "points").standings

    assert within
    assert season
    assert [row.player.name for row in within.places] == ["Ciro", "Bea", "Ada"]
    assert [row.player.name for row in season.places] == ["Ciro", "Bea", "Ada"]


#: Fulvia is out by deal 2, Ezio and Dora by deal 3, Ciro by deal 4, Bea in the last one.
HANDS = (
    {"Bea": 60, "Ciro": 50, "Dora": 50, "Ezio": 40, "Fulvia": 90},
    {"Bea": 5, "Ciro": 5, "Dora": 5, "Ezio": 5, "Fulvia": 12},
    {"Bea": 5, "Ciro": 5, "Dora": 60, "Ezio": 57},
    {"Bea": 5, "Ciro": 43},
    {"Bea": 31},
)
RANKED = ["Ada", "Bea", "Ciro", "Ezio", "Dora", "Fulvia"]


@pytest.fixture
def closing() -> Evening:
    evening = start("to-101", SIX, game="scala-quaranta", first_dealer=0)
    for hands in HANDS:
        evening.record({"closed": "Ada", "hands": hands})
    do(*evening.keys, End(), by=evening.by)
    return evening


def paid(evening: Evening) -> dict[UUID, int]:
    return queries.money.posted(evening.circle_id, [evening.session_id])


def test_loser_of_the_final_is_second_on_every_page_and_pays_for_one_place(
    closing: Evening,
) -> None:
    sheet = score_sheet(closing.state)

    assert closing.balances() == [0, 106, 103, 115, 102, 102]
    assert [SIX[row.seat] for row in sheet.state.ranked] == RANKED
    assert [str(row.name) for row in sheet.standing_rows] == RANKED
    assert [person.name for person in last_page(*closing.keys).people] == RANKED
    rows = list(session_places(*closing.keys))[1:]
    assert [(row[0], str(row[1])) for row in rows] == list(enumerate(RANKED, start=1))
    ((listed,),), _ = evenings(closing.circle_id)
    assert [str(side.name) for side in listed.standings] == RANKED
    assert [str(side.name) for side in past_sessions(closing.circle_id)[0].standings] == RANKED
    post_evening(*closing.keys, PayTerms(Way.PLACE, 100), by=closing.by)
    cents = [paid(closing)[closing.players[name]] for name in RANKED]
    assert cents == [1500, -100, -200, -300, -400, -500]
    assert deal_by_deal(evening_money(*closing.keys), closing.players["Ezio"]).place == 4


def test_who_left_early_is_not_behind_and_pays_nothing_for_points() -> None:
    evening = start("to-101", SIX[:3], game="scala-quaranta", first_dealer=0)
    evening.record({"closed": "Ciro", "hands": {"Ada": 40, "Bea": 50}})
    evening.change(order=[0, 1])
    evening.record({"closed": "Ada", "hands": {"Bea": 51}})
    do(*evening.keys, End(), by=evening.by)
    post_evening(*evening.keys, PayTerms(Way.DIFFERENCE, 10), by=evening.by)

    names = {key: name for name, key in evening.players.items()}
    assert {names[key]: cents for key, cents in paid(evening).items()} == {"Ada": 610, "Bea": -610}
    assert [row.seat for row in evening.state.ranked] == [0, 1, 2]
