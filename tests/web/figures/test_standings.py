"""The standings of a circle over a span of dates, its records and its ratings."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from scorer.services.base import clock
from tests.services.evenings import FIVE
from tests.web.figures.test_players import deals_behind, told
from tests.web.pages import Page
from tests.web.phones import Phone

NOW = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)


def play(phone: Phone, ago: timedelta, *calls: tuple[str, str], bid: str = "61") -> None:
    """Play an evening so long ago: who called, with how many points; always with the next one."""
    with clock.at(NOW - ago):
        if phone.url:
            agreed = phone.agreed(FIVE, circle=str(phone.keys[0]))
            phone.url = phone.post("/sessions/new", agreed).headers["Location"]
        else:
            phone.start()
        for number, (caller, points) in enumerate(calls, start=1):
            called = {"caller": caller, "partner": str((int(caller) + 1) % 5), "bid_points": bid}
            assert phone.record(number, **called, card_points=points).status_code == 303


@pytest.fixture
def played(phone: Phone) -> Iterator[Phone]:
    """Play last year, in spring, and this month; it is an evening in November."""
    play(phone, timedelta(days=400), ("0", "70"), ("0", "70"), ("0", "70"))
    play(phone, timedelta(days=200), ("0", "70"), ("1", "40"), bid="65")
    play(phone, timedelta(days=2), ("2", "90"), bid="85")
    with clock.at(NOW):
        yield phone


def lines(page: Page) -> list[str]:
    """Return the lines of the standings: place, name, deals, points."""
    found = re.search(r'<ol class="standings lifelong">.*?</ol>', page.source, re.DOTALL)
    items = re.findall(r"<li.*?</li>", found[0], re.DOTALL) if found else []
    return [" ".join(re.sub("<[^>]*>", " ", item).split()) for item in items]


def test_standings_are_of_the_span(played: Phone) -> None:
    for asked, first, deals in (
        ("", "Place 1 Ada 6 deals Ada +8", 6),
        ("?span=month", "Place 1 Ciro 1 deal Ciro +2", 1),
        ("?from=2025-01-01&to=2025-12-31", "Place 1 Ada 3 deals Ada +6", 3),
    ):
        page = played.page(f"{played.circle_url}standings{asked}")

        assert lines(page)[0] == first
        links = re.findall(r'class="count" href="([^"]*)"', page.source)
        assert [deals_behind(played, unescape(link)) for link in links] == [deals] * 5


def test_records_tell_what_nobody_did_better_and_where_it_is(played: Phone) -> None:
    page = played.page(f"{played.circle_url}standings")

    words = told(page)
    for line in (
        "Best session +6 (16 Oct 2025) Ada",
        "Most calls made in a row 4 (until 4 May 2026) Ada",
        "Highest bid made 85 Ciro",
    ):
        assert line in words, line
    section = page.source.partition('id="records"')[2].partition("</section>")[0]
    best, run, bid = (unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', section))
    assert deals_behind(played, best) == 3
    assert deals_behind(played, bid) == 1
    assert [
        link.rstrip("/").rpartition("/")[2]
        for link in played.page(run).links
        if re.search(r"/sessions/[^/]*/deals/\d+/$", link)
    ] == ["1", "3", "2", "1"]


def test_rating_has_its_margin_is_found_from_the_standings_and_leads_to_its_deals(
    phone: Phone,
) -> None:
    phone.start()
    rating = f"{phone.circle_url}rating"
    assert "Nothing has been played yet." in phone.page(rating).words
    phone.record(1)
    phone.record(2, caller="2", partner="3", card_points="40")

    assert rating in phone.page(f"{phone.circle_url}standings").links
    listed = phone.page(rating)
    of_players = [link for link in listed.links if "/rating?game=" in link]
    assert len(of_players) == 5
    page = phone.page(of_players[0])
    assert {f"{phone.url}deals/1/", f"{phone.url}deals/2/"} <= set(page.links)
    for shown in (listed, page, phone.page(of_players[0].partition("rating")[0])):
        figures = re.findall(r'<span class="rating">.*?</span>', shown.source)
        assert figures
        assert all("±" in figure for figure in figures)
