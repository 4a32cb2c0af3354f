"""The rules of an evening: the circle's own, changed in the middle, looked at otherwise."""

import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorer.services.session.house_rules import OwnRules, value_of
from tests.services.evenings import FIVE
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import balances, rows, state_of
from tests.web.tables import filled, keep_table, sums, tables

DOUBLED: dict[str, Any] = {"preset": "classic", "score": {"bands": [[0, 2]]}}
ODD = {"preset": "classic", "score": {"partner": 2}}


#: What is said of a cell to those who don't see its colour.
SAID = re.compile(r'<span class="sr"> ([^<]+)</span>')


@pytest.fixture
def evening(phone: Phone) -> Phone:
    """Play three deals by the classic table, in a circle that has one of its own."""
    phone.start(end="open")
    keep_table(phone, "Doubled", DOUBLED)
    for number in (1, 2, 3):
        phone.record(number)
    return phone


def own(phone: Phone, name: str = "Doubled") -> OwnRules:
    return next(one for one in tables(phone) if one.row.name == name)


def sure(page: Page) -> dict[str, str]:
    """Give what confirms a change that was looked at; nothing if the page offers none."""
    forms = (dict(form.fields) for form in page.forms)
    return next((fields for fields in forms if fields.get("next_number")), {})


def confirmed(phone: Phone, rules: str, number: int, **other: str) -> Page:
    """Ask for a change, look at it and confirm it."""
    asked = phone.page(f"rules/change?rules={rules}&from={number}")
    return Page(phone.post("rules/change", sure(asked) | other))


def test_own_tables_are_offered_first_and_a_session_is_started_by_one(evening: Phone) -> None:
    circle = evening.keys[0]
    table = own(evening)

    page = evening.page(f"/sessions/new?circle={circle}")
    value = value_of(table.reference)
    evening.start(circle=str(circle), rules=value)

    assert page.form("/sessions/new")["rules"] == "classic"
    assert page.source.index(value) < page.source.index('value="classic"')
    assert evening.page(f"/sessions/new?circle={circle}").form("/sessions/new")["rules"] == value
    assert state_of(evening).evening.terms.rule_set == table.reference
    assert "Doubled, version 1" in evening.page().words


def test_cells_of_the_sheet_are_said_by_the_rules_of_their_deal(phone: Phone) -> None:
    phone.start(FIVE[:4], first_dealer="3", rules="four-balanced")
    keep_table(phone, "Dead", {"preset": "four-balanced", "cards_each": 8, "dead_hand": True})
    phone.record(1, caller="0", partner="alone")
    phone.record(2, caller="0", partner="1")
    confirmed(phone, value_of(own(phone, "Dead").reference), 3)
    phone.record(3, caller="0", partner="alone")

    assert SAID.findall(phone.get().text) == ["no partner", "caller", "partner", "alone"]


def test_table_of_another_circle_is_not_there(app: Flask, evening: Phone) -> None:
    other = Phone(app).start()
    value = value_of(own(evening).reference)

    page = other.sent("/sessions/new", other.agreed(circle=str(other.keys[0]), rules=value))
    alone = other.sent("/sessions/new", other.agreed(rules=value))

    assert page.status == alone.status == 422
    assert other.get(f"rules/change?rules={value}&from=1").status_code == 200
    assert "There are no such rules." in other.page(f"rules/change?rules={value}").words


def test_same_as_last_time_means_the_newest_version_and_says_so(evening: Phone) -> None:
    circle = evening.keys[0]
    evening.start(circle=str(circle), rules=value_of(own(evening).reference), title="Thursday")
    like = f"/sessions/new?circle={circle}&like={evening.keys[1]}"

    same = evening.page(like)
    kept = own(evening).row.rule_set_id
    edit = {**filled(ODD), "name": "Doubled", "action": "save", "version": "1"}
    assert evening.post(f"{evening.circle_url}rules/{kept}/edit", edit).status_code == 303
    newer = evening.page(like)

    assert same.form("/sessions/new")["rules"] == value_of((kept, 1))
    assert newer.form("/sessions/new")["rules"] == value_of((kept, 2))
    assert "by the newer version 2" in newer.words
    assert "newer version" not in same.words


def test_unbalanced_table_says_so_wherever_it_is_played_by(evening: Phone) -> None:
    keep_table(evening, "Odd", ODD)
    table = own(evening, "Odd")
    evening.start(circle=str(evening.keys[0]), rules=value_of(table.reference))
    evening.record(1)

    for path in ("", "rules", "deals/1/", f"{evening.circle_url}rules/{table.row.rule_set_id}/"):
        assert sums(ODD)[0] in evening.page(path).words, path


def test_points_are_bid_on_the_form_where_a_rank_would_need_nothing(evening: Phone) -> None:
    house = {"preset": "ladder-bands", "auction": {"style": "none", "minimum": 1}, "floor": 0}
    keep_table(evening, "Low", house)
    evening.start(circle=str(evening.keys[0]), rules=value_of(own(evening, "Low").reference))

    assert {"bid_points", "bid_rank"} & evening.page("record").names == {"bid_points"}


def test_change_is_shown_again_after_each_deal_before_it_is_done_and_then_says_why(
    app: Flask, evening: Phone
) -> None:
    value, kept = value_of(own(evening).reference), rows(app)

    shown = evening.page(f"rules/change?rules={value}&from=2")
    rules = evening.page("rules")
    copied = evening.page(next(link for link in rules.links if "session=" in link))
    assert rows(app) == kept
    assert "from deal" not in rules.words
    assert copied.form("/rules/new")["rules.session.end"] == "open"
    evening.record(4)
    late = Page(evening.post("rules/change", sure(shown) | {"reason": "We always did"}))
    done = evening.post("rules/change", sure(late))

    for words in ("2 deals are paid anew.", "From deal 2: Doubled", "+10"):
        assert words in shown.words
    assert (late.status, done.status_code) == (409, 303)
    assert "3 deals are paid anew." in late.words
    assert balances(evening) == [14, 7, -7, -7, -7]
    assert state_of(evening).evening.terms.rule_set == own(evening).reference
    assert "Deals paid anew: 3." in evening.page().words
    assert "We always did" in evening.page("deals/2/").words
    changed = evening.page("rules").words
    assert "from deal 2 on" in changed
    assert "deal 1" in changed
    before, now = evening.get("ahead").get_json()["terms"]
    assert (before["from"], now["from"], before["pays"] == now["pays"]) == (1, 2, False)


def test_whole_evening_is_shown_by_another_table_page_by_page(
    app: Flask, evening: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer.web.session.rules.PAGE", 2)
    evening.record(4, partner="alone")
    evening.outcome(5, "misdeal")
    doubled, before = f"what-if?rules={value_of(own(evening).reference)}", rows(app)

    page, older = evening.page(doubled), evening.page(f"{doubled}&page=2")
    refused, look = (
        evening.page("what-if?rules=bastarda"),
        evening.page("rules/change?rules=bastarda&from=4"),
    )
    sent = {"rules": "bastarda", "from": "4", "next_number": "6", "reason": "?"}
    change = Page(evening.post("rules/change", sent))

    assert rows(app) == before
    assert (change.status, sure(look)) == (422, {})
    assert change.problems[""].startswith("Deal 4: ")
    for words in ("By Doubled", "+20", "1 deal pays the same.", "Older deals"):
        assert words in page.words
    assert "Newer deals" in older.words
    assert ("deals/4/" in page.source, "deals/1/" in older.source) == (True, True)
    assert "Not to be played by this table" in refused.words
    assert all("Deal 4" in one.words for one in (refused, look))


ODD_CHANGES = (
    "rules=poker from=x rules=volata&from=99 rules=volata&end=never "
    "rules=monte-6&from=4 rules=four-balanced&from=1"
)
ODD_TABLES = "rules=poker rules=four-literal rules=volata&page=99 rules=volata&page=-1"


def test_odd_question_is_answered_and_odd_form_refused(app: Flask, evening: Phone) -> None:
    sent = {"rules": "classic-plain", "from": "2", "next_number": "4", "reason": "Why"}
    huge = [f"from={'9' * 5000}", f"rules={uuid4()}", f"rules=volata&page={10**30}"]
    before = rows(app)

    for path, asked in (("rules/change", ODD_CHANGES), ("what-if", ODD_TABLES)):
        for query in ("", *huge, *asked.split()):
            assert evening.get(f"{path}?{query}").status_code == 200, (path, query)
    for name in ("next_number", "written"):
        assert evening.post("rules/change", {**sent, name: "x"}).status_code == 400
    assert rows(app) == before


def what_if(page: Page) -> str:
    """Give what a deal's page says of other tables."""
    told = page.source.partition('id="what-if"')[2].partition("</section>")[0]
    return " ".join(re.sub("<[^>]*>", " ", told).split())


def test_deal_shows_three_tables_that_pay_otherwise_and_the_others_by_what_comes_of_them(
    phone: Phone,
) -> None:
    phone.start(rules="classic-plain", first_dealer="0", end="deals", deals="9")
    phone.record(1, bid_rank="", bid_points="84", suit="C", called_rank="A", card_points="109")

    shown, folded = what_if(phone.page("deals/1/")).split("All the other tables")

    refusal = "The bid was 84"
    assert 1 <= shown.count("Ezio") <= 3
    assert "Classic, Col monte for five, Bastarda" in shown
    assert folded.count(refusal) == 1 < folded.partition(refusal)[2].count("Rule book")
    assert "Classic without cappotto" not in shown + folded
