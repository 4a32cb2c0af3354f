"""Pages of a game whose evenings are not added up: they count those that were won."""

import re

import pytest

from tests.web.figures.test_players import player_url
from tests.web.figures.test_standings import lines
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.session.test_lowest_leads import played


def cells(page: Page, heading: str) -> list[list[str]]:
    """Read the cells of a table below a heading, row by row."""
    table = page.source.partition(heading)[2].partition("</table>")[0]
    rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
    plain = [re.findall(r"<td.*?</td>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in row] for row in plain]


@pytest.fixture
def ended(phone: Phone) -> Phone:
    """Play an evening of Scala Quaranta to its end, and begin another one."""
    played(phone, 4).post("end")
    return phone


def test_standings_and_what_changed_count_sessions_won_and_sum_nothing(ended: Phone) -> None:
    page = ended.page(f"{ended.circle_url}standings")

    assert [line.split()[2] for line in lines(page)] == ["Ada", "Bea", "Ciro", "Dora"]
    assert ["1/1" in line for line in lines(page)] == [True, False, False, False]
    assert 'id="records"' not in page.source
    season = ended.page(next(link for link in page.links if "/seasons/" in link))
    assert re.search(r"Ada 1/1", season.told)
    changed = cells(ended.page("last"), 'class="since"')[1:]
    counted = [(row[1].split()[0], row[2].split()[0]) for row in changed]
    assert counted == [("1/1", "1"), ("0/1", "2"), ("0/1", "3"), ("0/1", "4")]


def test_player_has_sessions_won_and_no_balance_over_them(ended: Phone) -> None:
    page = ended.page(player_url(ended, "Bea"))

    assert "0 of 1" in page.words
    assert "Points from" not in page.words
    assert 'id="parts"' not in page.source
    chart = re.search(r'src="([^"]*balance.svg[^"]*)"', page.source)
    assert chart
    assert b"Sessions won by Bea" in ended.get(chart[1]).data
    evenings = ended.page(f"{player_url(ended, 'Bea')}evenings/")
    assert cells(evenings, "<tbody>") == [["4", "101", "2"]]
