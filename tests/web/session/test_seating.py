"""Who is at the table: from the next deal on, and put right since an earlier one."""

import re
from typing import Any

import pytest
from flask import Flask

from tests.services.evenings import SIX
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import balances, rows, state_of

ADA, BEA, CIRO, DORA, EZIO, FULVIA = map(str, range(6))
GUEST = "new"


@pytest.fixture
def five(phone: Phone) -> Phone:
    """Five at the table and two deals; Ada deals first."""
    phone.start(rules="classic-plain", first_dealer="0")
    phone.record(1)
    phone.record(2)
    return phone


@pytest.fixture
def six(phone: Phone) -> Phone:
    """Six at the table and three deals; Ada deals first and sits out."""
    phone.start(SIX, rules="classic-plain", first_dealer="0")
    phone.record(1, caller="1", partner="2")
    phone.record(2, caller="3", partner="4")
    phone.record(3, caller="3", partner="alone")
    return phone


def names(phone: Phone) -> list[str]:
    """Name those at the table of the next deal, in order of play."""
    state = state_of(phone)
    return [state.names[seat] for seat in state.order]


def filled(page: Page) -> dict[str, list[str]]:
    """Give what the form of a page sends."""
    return next(form for form in page.forms if "guest" in dict(form.fields)).lists()


def send(phone: Phone, since: int = 0, **other: Any) -> Page:
    """Open the page, put other answers into its form and send it; follow where it leads."""
    sent = filled(phone.page(f"table?since={since}" if since else "table")) | other
    return Page(phone.post("table", sent, follow_redirects=True))


def test_form_shows_who_sits_where_and_changes_nothing_as_it_is(app: Flask, five: Phone) -> None:
    sent, before = filled(five.page("table")), rows(app)

    assert sent["seat"] == [ADA, BEA, CIRO, DORA, EZIO, GUEST]
    assert sent["place"] == ["1", "2", "3", "4", "5", ""]
    assert sent["here"] == [ADA, BEA, CIRO, DORA, EZIO]
    assert sent["dealer"] == [CIRO]
    assert "Nothing was changed." in send(five).words
    for name in ("seen", "next_number", "since"):
        odd = sent | {"guest": ["Zoe"], name: ["x"]}
        assert five.post("table", odd).status_code == 400, name
    assert rows(app) == before


def test_guest_joins_from_the_next_deal_on_and_the_sheet_says_so(five: Phone) -> None:
    places = ["1", "2", "4", "5", "6", "3"]

    page = send(five, guest=[" Fulvia "], opening=["−7"], place=places)

    assert "Done, from deal 3 on." in page.words
    assert names(five) == ["Ada", "Bea", "Fulvia", "Ciro", "Dora", "Ezio"]
    assert state_of(five).evening.turn.dealer == int(FULVIA)
    assert balances(five)[-1] == -7
    assert "From deal 3: Fulvia" in five.page().words
    five.record(3, caller="0", partner="1", dealer="")
    sheet = five.get().text.partition("<tbody>")[2]
    assert sheet.index("deals/3/") < sheet.index("From deal 3: Fulvia") < sheet.index("deals/2/")


def test_change_since_an_earlier_deal_is_looked_at_again_after_each_deal_and_done_once(
    app: Flask, six: Phone
) -> None:
    def look() -> dict[str, list[str]]:
        before = rows(app)
        page = send(six, since=3, place=["1", "2", "3", "5", "4", "6", ""], dealer=[CIRO])
        assert page.status == 200
        assert "This is what changes" in page.words
        assert rows(app) == before
        told.append(page.told)
        sure = next(form for form in page.forms if ("since", "3") in form.fields)
        return {**sure.lists(), "action": ["sure"]}

    told: list[str] = []
    overtaken = look()
    six.record(4, caller="1", partner="5")
    before = rows(app)
    late = six.post("table", overtaken)
    assert (late.status_code, rows(app) == before) == (409, True)
    assert 'class="flash flash-problem"' in late.text

    sent = look()
    done, again = (six.post("table", sent, follow_redirects=True) for _ in range(2))

    assert "Dora →now Ezio" in told[1]
    assert "2 deals" in Page(done).words
    assert names(six) == ["Ada", "Bea", "Ciro", "Ezio", "Dora", "Fulvia"]
    assert "Seats changed, from deal 3 on" in six.page("deals/4/").words
    assert (again.status_code, len(state_of(six).changes)) == (200, 1)


def test_refused_form_leaves_everybody_where_they_were(five: Phone) -> None:
    places = ["1", "2", "4", "5", "6", "3"]

    page = send(five, guest="Gino", place=places, here=[CIRO, DORA, EZIO])

    sent = filled(page)
    assert page.status == 422
    assert sent["seat"] == [ADA, BEA, GUEST, CIRO, DORA, EZIO]
    assert sent["place"] == ["1", "2", "3", "4", "5", "6"]
    assert sent["here"] == [CIRO, DORA, EZIO]
    assert "not for 4" in page.problems["people"]
    assert 'value="four-balanced"' in page.source
    assert re.search(r'data-count="4"\s+hidden', page.source)


def test_deal_that_is_not_there_is_not_shown_as_another(five: Phone) -> None:
    for since in ("99", "0", "-1", "x", "9" * 30):
        page = five.page(f"table?since={since}")

        assert page.status == 422
        assert filled(page)["since"] == ["3"]
        assert page.problems["since"] == f"There is no deal {since} yet."
