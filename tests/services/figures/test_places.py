"""Places in games that put players out: by who stayed in, wherever places are shown or paid."""

from uuid import UUID

import pytest

from scorer.evening.session_acts import End
from scorer.services.album.last_page import last_page
from scorer.services.deals.history import evenings, past_sessions
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.files.spreadsheets import session_places
from scorer.services.money.evenings import deal_by_deal, evening_money
from scorer.services.session.settling import PayTerms, Way, post_evening
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.services.evenings import SIX, Evening, played_once, start

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
@played_once
def evening() -> Evening:
    evening = start("to-101", SIX, game="scala-quaranta", first_dealer=0)
    for hands in HANDS:
        evening.record({"closed": "Ada", "hands": hands})
    do(*evening.keys, End(), by=evening.by)
    return evening


def paid(evening: Evening) -> dict[UUID, int]:
    return queries.money.posted(evening.circle_id, [evening.session_id])


def test_loser_of_the_final_is_second_on_every_page(evening: Evening) -> None:
    sheet = score_sheet(evening.state)

    assert evening.balances() == [0, 106, 103, 115, 102, 102]
    assert [SIX[row.seat] for row in sheet.state.ranked] == RANKED
    assert [str(row.name) for row in sheet.standing_rows] == RANKED
    assert [person.name for person in last_page(*evening.keys).people] == RANKED
    rows = list(session_places(*evening.keys))[1:]
    assert [(row[0], str(row[1])) for row in rows] == list(enumerate(RANKED, start=1))
    ((listed,),), _ = evenings(evening.circle_id)
    assert [str(side.name) for side in listed.standings] == RANKED
    assert [str(side.name) for side in past_sessions(evening.circle_id)[0].standings] == RANKED


def test_money_by_places_and_by_the_points_behind_follows(evening: Evening) -> None:
    post_evening(*evening.keys, PayTerms(Way.PLACE, 100), by=evening.by)

    cents = {name: paid(evening)[key] for name, key in evening.players.items()}
    assert cents == {
        "Ada": 1500,
        "Bea": -100,
        "Ciro": -200,
        "Ezio": -300,
        "Dora": -400,
        "Fulvia": -500,
    }
    money = evening_money(*evening.keys)
    assert deal_by_deal(money, evening.players["Ezio"]).place == 4


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
