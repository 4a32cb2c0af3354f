"""Balances brought in, the stake, and who hands what to whom."""

from flask import Flask

from scorer.web.base.filters import money
from tests.data.rows import rows
from tests.web.phones import Phone


@rows(__file__, "languages")
def test_money_is_written_in_the_readers_language(
    app: Flask, language: str, cents: int, written: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert money(cents) == written


def test_stake_is_told_beside_the_points(phone: Phone) -> None:
    phone.start(stake="0.10")
    phone.record(1)

    shown = phone.page().told

    assert "+2€0.20" in shown
    assert "−1−€0.10" in shown
    assert "€0.10 a point" in shown


def test_page_says_who_hands_what_to_whom(phone: Phone) -> None:
    phone.start(stake="0.50")
    phone.record(1, caller="0", partner="1")

    shown = phone.page().told

    handed = shown.partition("Who hands what to whom")[2].partition("€0.50 a point")[0]
    assert handed.count("to Ada €0.50") == 2
    assert handed.count("to Bea €0.50") == 1
    assert "cancel" not in shown


def test_no_money_is_spoken_of_where_none_is_played_for(phone: Phone) -> None:
    phone.start()
    phone.record(1)

    assert "€" not in phone.page().words
    assert "Who hands" not in phone.page().words


def test_points_that_do_not_cancel_out_are_told(phone: Phone) -> None:
    phone.start(rules="rulebook-literal", stake="0.10")
    phone.record(1, bid_points="", bid_rank="K")

    assert "€0.10 of what was won is owed by nobody." in phone.page().words

    phone.record(2, bid_points="", bid_rank="K", card_points="40")
    phone.record(3, bid_points="", bid_rank="K", card_points="40")
    assert "€0.10 of what was lost goes to nobody." in phone.page().words


def test_balances_brought_in_are_the_first_line_of_the_sheet(phone: Phone) -> None:
    phone.start(openings="1", opening=["13", "0", "-12", "0", "0"])
    for number in range(1, 17):
        phone.record(number)

    newest, oldest = phone.get().text, phone.get("?before=2").text

    assert "Brought in" not in newest
    line = oldest.partition('<tr class="opening">')[2].partition("</tr>")[0]
    assert [cell in line for cell in ("+13", "−12", ">0<")] == [True, True, True]


UNCANCELLED = "The balances brought in make +10 together, not 0"


@rows(__file__, "openings")
def test_balances_that_do_not_cancel_are_told_when_they_are_brought_in(
    phone: Phone, opening: str, stake: str, *, warns: bool
) -> None:
    phone.start(openings="1", opening=[opening, "0", "0", "0", "0"], stake=stake)

    assert (UNCANCELLED in phone.page().told) == warns
