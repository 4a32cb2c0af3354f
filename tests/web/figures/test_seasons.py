"""The pages of seasons: the calendar of a circle, a season with its awards, and its name."""

from uuid import uuid4

import pytest

from scorer.services.base.clock import now
from tests.web.phones import Phone


@pytest.fixture
def played(phone: Phone) -> Phone:
    phone.start()
    for number in (1, 2, 3):
        phone.record(number)
    return phone


def sent(**other: str) -> dict[str, str]:
    days = {"first": "2026-01-01", "last": "2099-12-31"}
    return {"key": str(uuid4()), "name": "The long one", **days, **other}


def test_season_is_found_from_the_standings_and_leads_to_its_deals(played: Phone) -> None:
    seasons = f"{played.circle_url}seasons/"
    assert seasons in played.page(f"{played.circle_url}standings").links

    listed = played.page(seasons)
    month = f"{seasons}{now():%Y-%m}"
    today = f"{played.circle_url}deals/?state=stands&from={now():%Y-%m-%d}&to={now():%Y-%m-%d}"
    assert {month, today} <= set(listed.links)
    page = played.page(month)
    assert "Best pair" in page.words
    assert "made 3 of 3" in page.words
    searches = [link for link in page.links if "/deals/?" in link]
    assert len(searches) == 5 + 5
    for link in searches:
        assert f"{played.url}deals/3/" in played.page(link).links, link


def test_owner_names_a_season_and_drops_it(played: Phone) -> None:
    seasons, form = f"{played.circle_url}seasons/", sent()
    assert played.post(seasons, form).headers["Location"] == f"{seasons}{form['key']}"

    assert "The long one" in played.page(seasons).words
    assert "still going on" in played.page(f"{seasons}{form['key']}").words
    played.post(f"{seasons}{form['key']}/drop")
    assert "The long one" not in played.page(seasons).words


def test_other_year_and_game_that_are_not_there_do_no_harm(played: Phone) -> None:
    for path in ("?year=1", "?year=x", f"{now():%Y-%m}?game=chess"):
        assert played.page(f"{played.circle_url}seasons/{path}").status == 200
