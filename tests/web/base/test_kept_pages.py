"""What a browser may keep of a circle, and what it is told to forget when its phone leaves."""

import pytest
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


@pytest.mark.parametrize(("way", "role"), [("phones/{}/away", "owner"), ("leave", "spectator")])
def test_phone_that_goes_by_itself_forgets_what_it_kept(
    app: Flask, phone: Phone, way: str, role: str
) -> None:
    other = phone.start().let_in(Phone(app), role)

    answer = other.post(phone.circle_url + way.format(phone_ids(phone)[1]))

    assert answer.headers["Clear-Site-Data"] == EVERYTHING
    assert answer.location == "/"
    with other.client.session_transaction() as cookie:
        assert cookie["phones"] == {}
    assert "no longer" in other.page("/").words
    assert other.get(phone.circle_url).status_code == 404
    assert "Clear-Site-Data" not in phone.get("/").headers
