"""Who begins a circle: one phone however often the form is sent, nobody where it is closed."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorer.cli import main
from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.rows import phone_ids

NEW = "/sessions/new"
FIRST = "started already"


def shown(phone: Phone) -> dict[str, Any]:
    """Open the form that begins a circle and fill it in."""
    return phone.agreed(key=phone.page(NEW).form(NEW)["key"])


def started(phone: Phone, form: dict[str, Any]) -> Phone:
    phone.url = phone.post(NEW, form).headers["Location"]
    return phone


def test_form_that_is_sent_again_and_again_is_one_phone(phone: Phone) -> None:
    form = shown(phone)
    before = phone.client.get_cookie("scorer")
    assert before is not None
    lost = phone.post(NEW, form)
    phone.client.set_cookie("scorer", before.value)
    started(phone, form)

    sent = [lost, *(phone.post(NEW, form) for _ in range(3))]

    assert {answer.location for answer in sent} == {phone.url}
    assert phone.get().status_code == 200
    assert len(phone_ids(phone)) == 1


@pytest.mark.parametrize(
    ("who", "status", "phones"),
    [
        pytest.param("stranger", 403, 1, id="a stranger is told to join by a link"),
        pytest.param("away", 403, 2, id="the founder who was sent away does not come back"),
        pytest.param("spectator", 303, 2, id="the founder who is a spectator now stays one"),
        pytest.param("guest", 303, 2, id="who came in by a link gets the session"),
    ],
)
def test_form_of_a_circle_that_was_begun_gives_nobody_more_than_they_have(
    app: Flask, phone: Phone, who: str, status: int, phones: int
) -> None:
    form, other, sender = shown(phone), Phone(app), phone
    started(phone, form)
    if who == "stranger":
        sender = other
        sender.get(NEW)
    elif who == "guest":
        sender = phone.let_in(other, "player")
    else:
        changes = f"{phone.circle_url}phones/{phone_ids(phone)[0]}"
        path = "away" if who == "away" else "role"
        phone.let_in(other, "owner").post(f"{changes}/{path}", {"role": "spectator"})

    answer = sender.post(NEW, form)

    assert (answer.status_code, FIRST in Page(answer).words) == (status, status == 403)
    assert status == 403 or answer.headers["Location"] == phone.url
    assert sender.get(phone.url).status_code == (404 if status == 403 else 200)
    assert sender.get(f"{phone.url}record").status_code == (404 if status == 403 else 403)
    assert len(phone_ids(phone)) == phones


@pytest.fixture(scope="module")
def closed_app(shared_url: str) -> Iterator[Flask]:
    """Give an app on which nobody may begin a circle, on the database of the tests."""
    with app_with(shared_url, PUBLIC_START=False) as app:
        yield app


def test_closed_server_offers_and_begins_no_new_circle_and_says_so(
    app: Flask, closed_app: Flask
) -> None:
    for path in ("/", "/rules/briscola-chiamata/classic/"):
        for one in (app, closed_app):
            links = [link for link in Phone(one).page(path).links if link.startswith(NEW)]
            assert bool(links) == (one is app), path
    phone = Phone(closed_app)
    for page in (phone.page(NEW), phone.sent(NEW, phone.agreed())):
        assert page.status == 403
        assert "New circles are closed" in page.words


def test_operator_begins_a_circle_whose_link_makes_an_owner(
    closed_app: Flask,
    shared_url: str,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCORER_PUBLIC_URL", "https://x.test")
    status = main(["circle", "Bar Sport", "--database", shared_url])
    link = capfdbinary.readouterr().out.decode().strip()
    owner = Phone(closed_app)
    answer = owner.post("/join", {"code": link})
    circle = answer.headers["Location"].removesuffix("who")

    assert (status, link.partition("#")[0]) == (0, "https://x.test/join")
    assert "Bar Sport" in owner.page(circle).words
    key = circle.strip("/").rpartition("/")[2]
    assert owner.get(f"{NEW}?circle={key}").status_code == 200
    assert started(owner, owner.agreed(circle=key)).record(1).status_code == 303
    assert "Show the code" in owner.page(f"{circle}share").words
    assert main(["circle", " ", "--database", shared_url]) == 2
    assert b"60" in capfdbinary.readouterr().err
