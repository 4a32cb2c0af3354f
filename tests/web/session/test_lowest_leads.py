"""Scala Quaranta on the pages: few points lead, and whoever is out is out everywhere."""

import re

from tests.web.pages import Page
from tests.web.phones import Phone

FOUR = ("Ada", "Bea", "Ciro", "Dora")
LINE = re.compile(
    r'<span class="name"><span[^>]*>([^<]*?)</span>\s*'
    r'(?:<b class="badge">(\w+)</b>)?\s*(?:<svg.*?)?<'
)
#: Ada closes, or Bea; Dora is out after the second deal, Ciro after the third, Bea after the last.
DEALS = [
    ("0", {1: 40, 2: 25, 3: 60}),
    ("1", {0: 10, 2: 36, 3: 45}),
    ("0", {1: 30, 2: 45}),
    ("0", {1: 31}),
]


def played(phone: Phone, deals: int, rules: str = "to-101") -> Phone:
    phone.start(FOUR, game="scala-quaranta", rules=rules, first_dealer="0")
    for number, (closer, hands) in enumerate(DEALS[:deals], start=1):
        filled = {f"hands-{seat}": str(value) for seat, value in hands.items()}
        assert phone.enter(number, closed=closer, **filled).status_code == 303
    return phone


def test_whoever_is_out_is_asked_for_nothing_and_deals_no_more(phone: Phone) -> None:
    played(phone, 3)

    page, form = phone.page(), phone.page("record")

    lines = LINE.findall(page.source)
    assert lines == [("Ada", ""), ("Bea", ""), ("Ciro", "out"), ("Dora", "out")]
    assert 'class="session burden unsigned"' in page.source
    assert "hands-1" in form.names
    assert not {"hands-2", "hands-3"} & form.names
    assert 'value="2"' not in form.source.partition('name="closed"')[2].partition("</fieldset>")[0]
    assert "Ada deals" in form.words
    assert "Ada deals" in page.words
    assert re.findall(r'name="offender" value="(\d)"', page.source) == ["0", "1"]


def test_last_one_left_plays_no_deal_alone(phone: Phone) -> None:
    page = played(phone, 4).page()

    assert "Ada won" in page.words
    assert "Record deal 5" not in page.words
    assert phone.get("record").location == phone.url


#: A line of a score sheet: the deal, or none for coming back in, and its cells.
ROW = re.compile(r"<tr[^>]*>\s*<t[hd].*?</t[hd]>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def lines(page: Page) -> list[list[str]]:
    """Read the cells of the sheet, line by line without its head and foot."""
    shown = re.sub(r"<template.*?</template>", "", page.source, flags=re.DOTALL)
    body = shown.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in CELL.findall(cells)]
        for cells in ROW.findall(body)
    ]


def test_who_came_back_has_a_line_of_the_sheet_and_plays_again(phone: Phone) -> None:
    played(phone, 1, rules="buy-in")
    phone.record(
        2, closed="0", **{"hands-1": "5", "hands-2": "30", "hands-3": "50", "buy_in-3": "y"}
    )
    page, paper = phone.page(), phone.page("sheet")
    (back, deal, _), told = lines(page), "Back in: Dora 55"

    assert deal[:4] == ["0", "5", "30", "50"]
    assert back == ["", "", "", "−55", told]
    assert lines(phone.page("?show=balances"))[:2] == [
        ["", "", "", "55", told],
        ["0", "45", "55", "110", deal[4]],
    ]
    assert lines(paper)[1:] == [deal, back]
    assert "Dora 50 55" in " ".join(page.words.replace("last deal", "").split())
