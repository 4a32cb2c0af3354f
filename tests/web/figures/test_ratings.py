"""The pages of ratings: the list with its explanation, and how each deal moved somebody."""

import re

from tests.web.phones import Phone


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
