"""Players on the phone: listed, renamed, retired, brought back, merged."""

import re
from html import unescape

from tests.services.evenings import FIVE
from tests.web.pages import Page
from tests.web.phones import Phone


def player_url(phone: Phone, name: str) -> str:
    """Give the address of a player's page."""
    return f"{phone.circle_url}players/{phone.player(name)}/"


def offered(phone: Phone) -> list[str]:
    """Give the names that a new session of the circle offers."""
    circle, _ = phone.keys
    source = phone.page(f"/sessions/new?circle={circle}").source
    return [name for name in (*FIVE, "Adele", "Adda") if re.search(rf"{name}\s*</button>", source)]


def test_player_is_found_and_not_offered_once_retired_until_brought_back(phone: Phone) -> None:
    phone.start()
    url = player_url(phone, "Bea")
    assert "No deal yet in which Bea played." in phone.page(url).words
    for path in ("balance.svg", "bids.svg", "evenings/"):
        assert phone.get(url + path).status_code == 404
    phone.record(1)
    for path in ("", "players/"):
        assert url in phone.page(f"{phone.circle_url}{path}").links

    phone.post(f"{url}retire")
    retired, listed = offered(phone), phone.page(f"{phone.circle_url}players/").words
    circle, session = phone.keys
    like = phone.page(f"/sessions/new?circle={circle}&like={session}")
    phone.post(f"{url}return")

    assert retired == ["Ada", "Ciro", "Dora", "Ezio"]
    assert "Retired" in listed
    seated = [value for name, value in like.form("/sessions/new").fields if name == "player"]
    assert [name for name in seated if name] == ["Ada", "Ciro", "Dora", "Ezio"]
    assert like.form("/sessions/new")["first_dealer"] == "0"
    assert offered(phone) == list(FIVE)


def with_adda(phone: Phone) -> str:
    """Play twice, the second time with Ada under another name; give where the two are merged."""
    phone.start().record(1)
    circle = str(phone.keys[0])
    phone.post("/sessions/new", phone.agreed(("Adda", *FIVE[1:]), circle=circle))
    return f"{player_url(phone, 'Ada')}merge"


def test_two_names_are_shown_side_by_side_and_merged_once_it_is_sure(phone: Phone) -> None:
    url = with_adda(phone)
    adda = phone.player("Adda")

    choice = phone.page(url)
    both = phone.page(f"{url}?other={adda}")
    unsure = phone.sent(url, {"other": adda})
    answer = phone.post(url, {"other": adda, "sure": "yes"})

    assert f"{url}?other={adda}" in choice.links
    assert "This cannot be undone." in both.words
    assert (unsure.status, list(unsure.problems)) == (422, ["sure"])
    assert answer.status_code == 303
    assert "Adda and Ada are one player now: Ada." in phone.page(answer.headers["Location"]).words
    assert phone.get(f"{phone.circle_url}players/{adda}/").status_code == 404


def told(page: Page) -> str:
    """Give the words of a page, those of each cell apart."""
    return " ".join(re.sub("<[^>]*>", " ", page.source).split())


def deals_behind(phone: Phone, link: str) -> int:
    """Open what a figure leads to; give how many deals there are."""
    found = re.search(r"(\d+) deals?\b", told(phone.page(link)))
    return int(found[1]) if found else -1


def test_record_tells_every_figure_with_its_deals_and_where_they_are(phone: Phone) -> None:
    phone.start()
    phone.record(1, caller="0", partner="1", card_points="70")
    phone.record(2, caller="0", partner="2", bid_points="75", card_points="60")
    phone.record(3, caller="1", partner="alone", card_points="90")
    phone.record(4, caller="1", partner="0", card_points="80")
    phone.record(5, caller="2", partner="3", card_points="80")
    phone.post("deals/5/void", {"version": "1", "reason": "?"})
    phone.outcome(6, "penalty", offender="0")

    page = phone.page(player_url(phone, "Ada"))

    for line in (
        "Balance −4",
        "Calls made 1 of 2",
        "Caller 2 50% 0.00 0",
        "Penalties 1 · −4.00 −4",
        "71–80 1 0 0% 0–79%",
        "Bea 1 100% +2.00 +2",
        "Dora 0 of 1 2 of 3 −0.7",
    ):
        assert line in told(page), line
    assert "Most calls made in a row" not in told(page)
    assert "Calls 2" not in told(page)
    figures = re.findall(r'<a href="([^"]*/deals/\?[^"]*)"[^>]*>(\d+)</a>', page.source)
    assert len(figures) >= 8
    for link, shown in figures:
        assert deals_behind(phone, unescape(link)) == int(shown), link
