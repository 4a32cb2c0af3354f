"""The big screen of a session: what is on it, and for whom."""

from tests.web.phones import Phone


def test_big_screen_shows_the_last_deal_unless_it_was_voided_and_who_deals(phone: Phone) -> None:
    phone.start().record(1)
    watcher = phone.let_in(Phone(phone.app), "spectator")

    page = watcher.page("tv")

    assert "Deal 1" in page.words
    assert "Ada deals" in page.words
    assert "theme=dark" in page.source
    assert 'http-equiv="refresh"' in page.source
    assert "tv" in watcher.page(phone.url).source
    assert "last deal" in page.words
    phone.post("deals/1/void", {"version": "1", "reason": "!"})
    voided = watcher.page("tv").words
    assert "last deal" not in voided
    assert "voided" in voided
