"""The form that begins a circle: one phone however often it is sent, and of one browser only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import phone_ids

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

NEW = "/sessions/new"
FIRST = "This session was started already"


def shown(phone: Phone) -> dict[str, Any]:
    """Open the form that begins a circle and fill it in."""
    return phone.agreed(key=phone.page(NEW).form(NEW)["key"])


def started(phone: Phone, form: dict[str, Any]) -> Phone:
    phone.url = phone.post(NEW, form).headers["Location"]
    return phone


def lose_answer(phone: Phone, form: dict[str, Any]) -> TestResponse:
    """Send the form, but keep the cookies that the browser had before."""
    before = phone.client.get_cookie("scorer")
    answer = phone.post(NEW, form)
    assert before is not None
    phone.client.set_cookie("scorer", before.value)
    return answer


def test_form_that_is_sent_again_and_again_is_one_phone(phone: Phone) -> None:
    form = shown(phone)
    started(phone, form)

    again = {phone.post(NEW, form).headers["Location"] for _ in range(5)}

    assert again == {phone.url}
    assert len(phone_ids(phone)) == 1


def test_start_whose_answer_was_lost_is_repeated_by_the_same_browser(phone: Phone) -> None:
    form = shown(phone)
    lost = [lose_answer(phone, form).headers["Location"] for _ in range(3)]

    started(phone, form)

    assert lost == [phone.url] * 3
    assert phone.get().status_code == 200
    assert len(phone_ids(phone)) == 1


def test_stranger_with_the_form_is_told_to_join_by_a_link(app: Flask, phone: Phone) -> None:
    form = shown(phone)
    started(phone, form)
    stranger = Phone(app)
    stranger.get(NEW)

    answer = stranger.post(NEW, form)

    assert (answer.status_code, FIRST in Page(answer).words) == (403, True)
    assert stranger.get(phone.url).status_code == 404
    assert len(phone_ids(phone)) == 1


def test_founder_who_was_sent_away_does_not_come_back_by_the_form(app: Flask, phone: Phone) -> None:
    form = shown(phone)
    started(phone, form)
    other = phone.let_in(Phone(app), "owner")
    assert other.post(f"{phone.circle_url}phones/{phone_ids(phone)[0]}/away").status_code == 303

    answer = phone.post(NEW, form)

    assert (answer.status_code, FIRST in Page(answer).words) == (403, True)
    assert phone.get().status_code == 404
    assert len(phone_ids(phone)) == 2


def test_founder_who_is_a_spectator_now_stays_one(app: Flask, phone: Phone) -> None:
    form = shown(phone)
    started(phone, form)
    other = phone.let_in(Phone(app), "owner")
    other.post(f"{phone.circle_url}phones/{phone_ids(phone)[0]}/role", {"role": "spectator"})

    assert phone.post(NEW, form).headers["Location"] == phone.url

    assert phone.get("record").status_code == 403


def test_who_came_in_by_a_link_gets_the_session_that_the_form_began(
    app: Flask, phone: Phone
) -> None:
    form = shown(phone)
    guest = started(phone, form).let_in(Phone(app), "player")

    answer = guest.post(NEW, form)

    assert answer.headers["Location"] == phone.url
    assert guest.get("record").status_code == 403
    assert len(phone_ids(phone)) == 2


@pytest.mark.parametrize("language", ["en", "it"])
def test_refusal_is_in_the_language_of_the_reader(app: Flask, phone: Phone, language: str) -> None:
    form = shown(phone)
    started(phone, form)
    stranger = Phone(app, **{"Accept-Language": language})

    words = Page(stranger.post(NEW, form)).words

    assert (FIRST in words) is (language == "en")
    assert ("già cominciata" in words) is (language == "it")
