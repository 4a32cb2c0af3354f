"""The big screen of a session: what is on it, and for whom."""

import re

from tests.web.phones import Phone


def test_big_screen_shows_standings_the_last_deal_and_who_deals(phone: Phone) -> None:
    phone.start().record(1)
    watcher = phone.let_in(Phone(phone.app), "spectator")

    page = watcher.page("tv")

    assert "Deal 1" in page.words
    assert "Ada deals" in page.words
    assert "theme=dark" in page.source
    assert 'http-equiv="refresh"' in page.source
    assert "tv" in watcher.page(phone.url).source


def test_big_screen_shows_no_payouts_of_a_deal_that_was_voided(phone: Phone) -> None:
    phone.start().record(1)
    before = phone.page("tv").words
    phone.post("deals/1/void", {"version": "1", "reason": "!"})

    page = phone.page("tv").words

    assert "last deal" in before
    assert "last deal" not in page
    assert "voided" in page


def test_a_nickname_stands_for_the_name_in_the_standings(phone: Phone) -> None:
    phone.start(title="").record(1)
    bea = re.search(
        r'players/([0-9a-f-]+)/?"><span class="grow">Bea',
        phone.page(f"{phone.circle_url}players/").source,
    )
    assert bea
    before = phone.page("tv").words
    phone.post(f"{phone.circle_url}players/{bea[1]}/nickname", {"nickname": "<i>Fox</i>"})

    for path in ("tv", ""):
        page = phone.page(path)
        assert 'data-short="&lt;i&gt;Fox&lt;/i&gt;"' in page.source
        assert "i" not in page.tags
    assert "Fox" not in before
