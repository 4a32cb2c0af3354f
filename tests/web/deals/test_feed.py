"""The Atom feed of a circle's evenings: who reads it, what it says, that it is valid."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorer.services.base import clock
from scorer.services.circle import circles
from scorer.services.deals import history
from tests.web.phones import Phone
from tests.web.programs import bot_of

ATOM = "{http://www.w3.org/2005/Atom}"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def ended(phone: Phone) -> Phone:
    """Give a phone whose evening has ended."""
    with clock.at(NOON):
        phone.start(title='Bea & <b>"Ezio"</b>')
        phone.record()
    with clock.at(NOON + timedelta(hours=2)):
        phone.post("end")
    return phone


def address(phone: Phone) -> str:
    page = phone.page(f"{phone.circle_url}feed").source
    found = re.search(r'value="([^"]+evenings.atom[^"]*)"', page)
    assert found
    return found[1]


def read(phone: Phone, where: str, **headers: str) -> TestResponse:
    """Ask for an address as a reader of feeds does, that is no phone."""
    return Phone(phone.app).client.get(where, headers=headers)


def document(answer: TestResponse) -> ET.Element:
    return ET.fromstring(answer.data)  # noqa: S314  # our own answer


def text(element: ET.Element, name: str) -> str:
    return element.findtext(f"{ATOM}{name}") or ""


def test_feed_tells_how_the_evenings_ended_with_what_atom_asks_for_and_no_secret(
    ended: Phone,
) -> None:
    where = address(ended)
    answer = read(ended, where)

    assert (answer.status_code, answer.mimetype) == (200, "application/atom+xml")
    feed = document(answer)
    (entry,) = feed.findall(f"{ATOM}entry")
    assert text(feed, "title") == "Ada, Bea, Ciro"
    assert text(entry, "title") == 'Bea & <b>"Ezio"</b> · Briscola Chiamata'
    assert text(entry, "summary").startswith("Ada +2 · Bea +1 · ")
    assert text(entry, "published") == "2026-11-22T12:00:00Z"
    assert text(entry, "updated") == text(feed, "updated") == "2026-11-22T14:00:00Z"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert urlsplit(link.attrib["href"]).path == ended.url
    for element in (feed, entry):
        assert len([*element.findall(f"{ATOM}id"), *element.findall(f"{ATOM}title")]) == 2
        assert text(element, "id").startswith("urn:uuid:")
    assert feed.find(f"{ATOM}author/{ATOM}name") is not None
    assert [link.attrib["rel"] for link in feed.findall(f"{ATOM}link")] == ["self", "first"]
    assert answer.data.startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    assert where.partition("token=")[2].encode() not in answer.data


def link_of(feed: ET.Element, rel: str) -> str | None:
    return {one.attrib["rel"]: one.attrib["href"] for one in feed.findall(f"{ATOM}link")}.get(rel)


def many(phone: Phone, sessions: int) -> Phone:
    """Play so many evenings that ended, an hour apart, and one that goes on."""
    phone.start()
    circle = str(phone.keys[0])
    for hour in range(1, sessions + 1):
        with clock.at(NOON + timedelta(hours=hour)):
            phone.start(circle=circle, title=f"No. {hour}")
            phone.record()
            phone.post("end")
    return phone


def test_feed_is_read_to_its_end_page_by_page_each_by_a_token_for_it_alone(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 2)
    where: str | None = address(many(phone, 4))
    pages, told, last = 0, list[str](), ""

    while where:
        feed = document(read(phone, where))
        told += [text(one, "title") for one in feed.findall(f"{ATOM}entry")]
        assert "token" not in f"{link_of(feed, 'self')}{link_of(feed, 'first')}"
        last, where, pages = where, link_of(feed, "next"), pages + 1

    assert told == [f"No. {hour} · Briscola Chiamata" for hour in (4, 3, 2, 1)]
    assert pages == 3
    base, _, query = last.partition("?")
    token = dict(parse_qsl(query))["token"]
    for other in ("", f"&before={phone.keys[1]}"):
        assert read(phone, f"{base}?token={token}{other}").status_code == 401


def test_program_reads_and_pages_with_its_secret_in_its_language(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE", 2)
    bot = bot_of(many(phone, 3), "spectator")
    where = f"{bot.circle}/evenings.atom"

    answer = bot.ask(where, **{"Accept-Language": "it"})
    following = link_of(document(answer), "next")
    wrong = bot.ask(f"{where}?before=yesterday")

    assert text(document(answer).findall(f"{ATOM}entry")[0], "title") == "No. 3 · Briscola chiamata"
    assert {"Authorization", "Accept-Language"} <= {*answer.vary}
    assert following
    assert "token" not in following
    assert len(document(bot.ask(following)).findall(f"{ATOM}entry")) == 2
    assert (wrong.status_code, wrong.get_json()["problems"][0]["field"]) == (422, "before")


def test_token_opens_the_feed_of_its_circle_alone_until_its_phone_is_sent_away(
    app: Flask, ended: Phone
) -> None:
    where = address(ended.let_in(Phone(app), "spectator"))
    circle, token = str(ended.keys[0]), where.partition("?")[2]
    other = Phone(app).start()
    foreign = where.replace(circle, str(other.keys[0]))

    for wrong in (foreign, f"{where}x", where.replace(token, "token=")):
        assert read(ended, wrong).status_code == 401, wrong
    for path in ("sessions", "ledger", "players"):
        assert read(ended, f"/api/v1/circles/{circle}/{path}?{token}").status_code == 401
    assert read(ended, where).status_code == 200
    with app.test_request_context():
        circles.send_away(ended.keys[0], circles.phones(ended.keys[0])[1].phone_id)
    assert read(ended, where).status_code == 401
