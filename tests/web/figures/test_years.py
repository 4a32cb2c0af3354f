"""A year of a player: what the picture and its page say, and who may see them."""

from datetime import UTC, datetime

import pytest
from flask import Flask

from scorer.services.base import clock
from tests.web.figures.test_players import player_url
from tests.web.phones import Phone


@pytest.fixture
def played(phone: Phone) -> Phone:
    """Play an evening in 2025, in which nothing is made, and one in 2026."""
    circle = ""
    for year, points in ((2025, "20"), (2026, "90")):
        with clock.at(datetime(year, 11, 13, 20, tzinfo=UTC)):
            phone.start(circle=circle)
            for number in (1, 2, 3):
                phone.record(number, card_points=points)
        circle = str(phone.keys[0])
    return phone


def test_year_says_in_words_what_its_picture_shows(played: Phone) -> None:
    player = player_url(played, "Ada")
    assert f"{player}year?game=briscola-chiamata" in played.page(player).links

    last, before = played.page(f"{player}year"), played.page(f"{player}year?year=2025")

    for fact in (
        "Ada · 2026 · Briscola Chiamata",
        "Balance: +6 · 3 deals · 1 session",
        "Best partner: Bea, won 3 of 3",
        "Most calls made in a row: 3 (until 13 Nov)",
        "Highest bid made: 61",
    ):
        assert last.source.count(fact) == 2, fact
    assert "Black beast" not in last.words
    assert "Black beast: Ezio, lost 3 of 3" in before.source
    assert "in a row" not in before.words
    assert "Highest bid" not in before.words


def test_picture_of_a_year_is_drawn_once_for_each_state_of_it(played: Phone) -> None:
    address = f"{player_url(played, 'Ada')}year.png"
    first = played.get(address)
    known = {"If-None-Match": first.headers["ETag"]}

    again, other = played.get(address, headers=known), played.get(f"{address}?year=2025")

    assert (first.mimetype, first.data[:4]) == ("image/png", b"\x89PNG")
    assert played.get(address).data == first.data != other.data
    assert again.status_code == 304
    played.post("deals/3/void", {"version": "1", "reason": "?"})
    assert played.get(address, headers=known).status_code == 200


def test_year_is_for_the_circle_of_whoever_played(played: Phone, app: Flask) -> None:
    other = Phone(app).start()
    ada = player_url(played, "Ada")
    key = ada.split("/")[-2]

    for path in ("year", "year.png"):
        assert other.get(f"{ada}{path}").status_code == 404
        assert other.get(f"{other.circle_url}players/{key}/{path}").status_code == 404
        assert other.get(f"{player_url(other, 'Ada')}{path}").status_code == 404
