"""What a browser may keep of a circle, and what it is told to forget when its phone leaves."""

from flask import Flask
from werkzeug.test import TestResponse

from tests.web.phones import Phone
from tests.web.rows import phone_ids

EVERYTHING, PAGES = '"cache", "storage"', '"cache"'


def test_pages_that_are_of_no_circle_may_be_shown_again(phone: Phone) -> None:
    assert phone.get("/rules/").headers["Cache-Control"] == "private, no-cache"


def deleted(phone: Phone) -> TestResponse:
    """Delete the circle that a phone has open."""
    name = phone.page(f"{phone.circle_url}more").form("/rename")["name"]
    return phone.post(f"{phone.circle_url}delete", {"name": name})


def test_phone_that_deletes_a_circle_forgets_its_pages_and_with_the_last_all_it_kept(
    phone: Phone,
) -> None:
    phone.start()
    first = phone.url
    phone.start(circle="")

    left = deleted(phone)
    phone.url = first
    last = deleted(phone)

    assert (left.status_code, left.headers["Clear-Site-Data"]) == (303, PAGES)
    assert (last.status_code, last.headers["Clear-Site-Data"]) == (303, EVERYTHING)


def test_phone_that_sends_itself_away_forgets_what_it_kept(app: Flask, phone: Phone) -> None:
    other = phone.start().let_in(Phone(app), role="owner")
    away = f"{phone.circle_url}phones/{phone_ids(phone)[1]}/away"

    answer = other.post(away)

    assert answer.headers["Clear-Site-Data"] == EVERYTHING
    assert answer.location == "/"
    with other.client.session_transaction() as cookie:
        assert cookie["phones"] == {}
    assert "Clear-Site-Data" not in phone.get("/").headers
