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


def test_season_is_found_from_the_standings_and_leads_to_its_deals(played: Phone) -> None:
    seasons = f"{played.circle_url}seasons/"
    assert seasons in played.page(f"{played.circle_url}standings").links

    listed = played.page(seasons)
    month = f"{seasons}{now():%Y-%m}"
    today = f"{played.circle_url}deals/?state=stands&from={now():%Y-%m-%d}&to={now():%Y-%m-%d}"
    assert {month, today} <= set(listed.links)
    for path in (f"{seasons}?year=1", f"{seasons}?year=x", f"{month}?game=chess"):
        assert played.page(path).status == 200, path
    page = played.page(month)
    assert "Best pair" in page.words
    assert "made 3 of 3" in page.words
    searches = [link for link in page.links if "/deals/?" in link]
    assert len(searches) == 5 + 5
    for link in searches:
        assert f"{played.url}deals/3/" in played.page(link).links, link


def test_owner_names_a_season_and_drops_it(played: Phone) -> None:
    seasons, days = f"{played.circle_url}seasons/", {"first": "2026-01-01", "last": "2099-12-31"}
    form = {"key": str(uuid4()), "name": "The long one", **days}
    assert played.post(seasons, form).headers["Location"] == f"{seasons}{form['key']}"

    assert "The long one" in played.page(seasons).words
    assert "still going on" in played.page(f"{seasons}{form['key']}").words
    played.post(f"{seasons}{form['key']}/drop")
    assert "The long one" not in played.page(seasons).words
