"""Balances brought in, the stake, and who hands what to whom."""

import pytest
from flask import Flask

from scorer.web.base.filters import money
from tests.web.phones import Phone


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", ["−€1.20", "€1,234,567.89", "€0.00"]), ("it", ["−1,20 €", "1.234.567,89 €", "0,00 €"])],
)
def test_money_is_written_in_the_readers_language(
    app: Flask, language: str, written: list[str]
) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        shown = [money(cents).replace("\xa0", " ") for cents in (-120, 123_456_789, 0)]
    assert shown == written


def test_stake_is_told_beside_the_points_and_who_hands_what_to_whom(phone: Phone) -> None:
    phone.start(stake="0.50")
    phone.record(1, caller="0", partner="1")

    shown = phone.page().told

    assert "+2€1.00" in shown
    assert "−1−€0.50" in shown
    handed = shown.partition("Who hands what to whom")[2].partition("€0.50 a point")[0]
    assert handed.count("to Ada €0.50") == 2
    assert handed.count("to Bea €0.50") == 1
    assert "cancel" not in shown


def test_points_that_do_not_cancel_out_are_told(phone: Phone) -> None:
    phone.start(rules="rulebook-literal", stake="0.10")
    phone.record(1, bid_points="", bid_rank="K")

    assert "€0.10 of what was won is owed by nobody." in phone.page().words

    phone.record(2, bid_points="", bid_rank="K", card_points="40")
    phone.record(3, bid_points="", bid_rank="K", card_points="40")
    assert "€0.10 of what was lost goes to nobody." in phone.page().words


def test_balances_that_do_not_cancel_are_told_where_money_is_played_for(phone: Phone) -> None:
    for stake in ("0.10", ""):
        phone.start(openings="1", opening=["10", "0", "0", "0", "0"], stake=stake)
        phone.record(1)
        page = phone.page().told
        assert ("The balances brought in make +10 together, not 0" in page) is bool(stake)
        assert ("€" in page, "Who hands" in page) == (bool(stake), bool(stake))


def test_balances_brought_in_are_the_first_line_of_the_sheet(phone: Phone) -> None:
    phone.start(openings="1", opening=["13", "0", "-12", "0", "0"])
    for number in range(1, 17):
        phone.record(number)

    newest, oldest = phone.get().text, phone.get("?before=2").text

    assert "Brought in" not in newest
    line = oldest.partition('<tr class="opening">')[2].partition("</tr>")[0]
    assert [cell in line for cell in ("+13", "−12", ">0<")] == [True, True, True]


UNCANCELLED = "The balances brought in make +10 together, not 0"
