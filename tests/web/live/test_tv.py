"""The big screen of a session: what is on it, and for whom."""

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
