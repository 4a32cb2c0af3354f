"""Standings of a circle by evenings won, as counted by hand; places by who stayed in."""

import json
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorer import Evening as PlainEvening
from scorer.errors import InvalidError
from scorer.evening.session_acts import End, PlayOn
from scorer.services.album.last_page import last_page
from scorer.services.base import clock
from scorer.services.deals.history import evenings, past_sessions
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.figures.figures import circle_figures
from scorer.services.figures.seasons import season_page
from scorer.services.figures.standings import circle_standings
from scorer.services.files.session_files import keep, preview_session
from scorer.services.files.spreadsheets import session_places
from scorer.services.money.evenings import deal_by_deal, evening_money
from scorer.services.session.settling import PayTerms, Way, post_evening
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.evening.random_evenings import GAMES, answers, begun
from tests.services.evenings import SIX, Evening, examples, start

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
Row = tuple[str, int, int, str, int]


def random_evening(rng: Random, slug: str) -> PlainEvening:
    evening = begun(rng, slug)
    for _ in range(rng.randint(1, 8)):
        with suppress(InvalidError):
            evening.record(*answers(rng, evening))
    return evening


def naive_wins(evenings: list[PlainEvening]) -> dict[str, tuple[int, Fraction, Fraction, int]]:
    """Count by hand: evenings won, the share, the average place, and the deals."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    deals: defaultdict[str, int] = defaultdict(int)
    for evening in evenings:
        played = {name for deal in evening.deals for name in deal.payouts}
        for place, name, _ in evening.standings():
            if name in played:
                places[name].append(place)
                deals[name] += sum(name in deal.payouts for deal in evening.deals)
    return {
        name: (
            took.count(1),
            Fraction(took.count(1), len(took)),
            Fraction(sum(took), len(took)),
            deals[name],
        )
        for name, took in places.items()
    }


@examples(40)
@example(slug="ramino", seed=153)  # won by a ramino, and played on
@given(
    slug=st.sampled_from([slug for slug in GAMES if slug != "briscola-chiamata"]),
    seed=st.integers(0, 10**9),
)
def test_standings_and_winners_of_deals_are_counted_by_hand(slug: str, seed: int) -> None:
    rng, circle = Random(seed), start()
    ended: list[PlainEvening] = []
    added_up = True
    for _ in range(rng.randint(1, 4)):
        evening = random_evening(rng, slug)
        preview = preview_session(json.dumps(evening.document()), uuid4(), circle.circle_id)
        session_id = keep(preview, circle.by)
        deals = {
            deal.number: deal
            for deal in evening.deals
            if deal.outcome == "played" or (deal.outcome == "agreed" and not evening.game.levels)
        }
        contests = circle_figures(circle.circle_id).sessions[session_id].contests
        assert {
            contest.number: {evening.names[seat] for seat in contest.won} for contest in contests
        } == {number: set(deal.won) for number, deal in deals.items()}
        if any(deal.payouts for deal in evening.deals):
            zero_sum = getattr(evening.terms.rules, "zero_sum", False)
            added_up &= slug == "terziglio" or bool(zero_sum)
        if rng.random() < 0.8:
            ended.append(evening)
        else:
            do(circle.circle_id, session_id, PlayOn(), by=circle.by)
            if evening.ended is not None:
                ended.append(evening)

    found = circle_standings(circle.circle_id, slug, None, None)

    if found is None or found.game.slug != slug:  # no deal was played
        assert naive_wins(ended) == {}
        return
    assert found.by_balance is added_up
    if added_up:
        return
    counted = naive_wins(ended)
    assert {
        row.player.name: (row.won, Fraction(row.won, row.evenings), row.average_place, row.deals)
        for row in found.places
    } == counted
    ranks = {name: (-won, -share, average) for name, (won, share, average, _) in counted.items()}
    assert [(row.place, row.player.name) for row in found.places if row.place] == [
        (1 + sum(other < ranks[row.player.name] for other in ranks.values()), row.player.name)
        for row in sorted(found.places, key=lambda row: ranks[row.player.name])
    ]


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
