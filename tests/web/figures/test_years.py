"""A year of a player: what the picture and its page say, and who may see them."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from scorer.services.base import clock
from tests.web.album.test_sent_texts import texts_of
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


def test_year_sends_what_its_picture_shows_and_leaves_out_what_one_has_not(played: Phone) -> None:
    player = player_url(played, "Ada")
    assert f"{player}year?game=briscola-chiamata" in played.page(player).links

    last, before = played.page(f"{player}year"), played.page(f"{player}year?year=2025")

    (text,), (earlier,) = texts_of(last), texts_of(before)
    assert text.split("\n") == [
        "Ada’s 2026, Ada, Bea, Ciro: 1 session, 3 deals, +6, place 1 of 5.",
        "",
        "Best call made: 61.",
        "Best partner: Bea (3 of 3).",
        "Best session: +6 (13 November).",
    ]
    assert "Black beast: Ezio (0 of 3)." in earlier
    assert "call" not in earlier
    assert last.source.count("Best partner: Bea") >= 2


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


def test_two_players_are_compared_evening_by_evening(played: Phone) -> None:
    played.post("end")
    ada, bea = player_url(played, "Ada"), player_url(played, "Bea")
    address = f"{ada}with/{bea.split('/')[-2]}"
    page, png = played.page(address), played.get(f"{address}/duel.png")
    words = page.told

    assert "1 – 0" in words.replace("–", " – ").replace("  ", " ")
    assert "Together they won 3 of 6." in words
    assert texts_of(page)[0].startswith("Ada 1, Bea 0. Ada, Bea, Ciro, 1 evening together")
    assert png.data[:4] == b"\x89PNG"
    assert played.get(f"{address}/duel.png?theme=dark").data != png.data
    for nobody in (f"{ada}with/{ada.split('/')[-2]}", f"{ada}with/{UUID(int=0)}"):
        assert played.get(nobody).status_code == 404
