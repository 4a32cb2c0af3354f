"""Session files over the pages: out by a button, in after a look."""

import io
import json
import re
from typing import Any
from uuid import uuid4

from flask import Flask
from werkzeug.test import TestResponse

from scorer.operations import replay
from tests.web.pages import Page
from tests.web.phones import Phone


def sent(phone: Phone, text: bytes) -> TestResponse:
    """Send a file by the form of the circle's page."""
    file = (io.BytesIO(text), "evening.json")
    return phone.post(f"{phone.circle_url}import", {"key": str(uuid4()), "file": file})


def test_session_goes_out_and_into_another_circle(app: Flask, phone: Phone) -> None:
    phone.start(title="'; -- <b> è").record()
    phone.record(2, caller="2", partner="alone")
    file = phone.post(phone.page().form("/file").action)
    other = Phone(app).start()

    looked = Page(sent(other, file.data))
    answer = other.post(f"{other.circle_url}import", looked.forms[0].sends())
    copy = Phone(app)
    copy.client, copy.url = other.client, answer.headers["Location"]

    assert "attachment; filename" in file.headers["Content-Disposition"]
    assert looked.status == 200
    assert "Keep this session" in looked.words
    assert answer.status_code == 303
    first, again = json.loads(file.data), json.loads(copy.post("file").data)
    other_in_copy = {key for key in first if first[key] != again[key]}
    assert other_in_copy - {"version"} == {
        "id",
        "ended_at",
        "hash",
    }  # counts what was written to each
    assert replay(again) == replay(first)
    assert other.post(f"{other.circle_url}import", looked.forms[0].sends()).location == copy.url


def test_session_that_is_here_already_is_offered_before_it_is_kept_once_more(phone: Phone) -> None:
    phone.start(title="The 20th").record()
    file = phone.post("file").data

    looked = Page(sent(phone, file))
    again = phone.post(f"{phone.circle_url}import", looked.forms[0].sends())

    assert "This session is here already" in looked.words
    assert phone.url in looked.links
    assert "Keep this session" not in looked.words
    assert again.status_code == 303
    assert again.location != phone.url


def test_problems_are_shown_with_their_deal_and_nothing_is_kept(phone: Phone) -> None:
    phone.start().record()
    document = json.loads(phone.post("file").data)
    document["deals"][0]["sheet"]["partner"] = "Ada"

    answer = sent(phone, json.dumps(document).encode())

    page = Page(answer)
    assert page.status == 422
    assert re.search(r"Deal 1.*deals\[0\]\.sheet\.partner", page.source, re.DOTALL)
    assert "Keep this session" not in page.words


#: What turns letters round, as a key or as a value of the file.
STEERING: list[dict[str, Any]] = [
    {"game": "\u202epoker\x1b"},
    {"\u202emood\x1b": 1},
    {"title": "\u202eFriday\x1b"},
    {"seats": ["\u202eAda\x1b", "Bea", "Ciro", "Dora", "Ezio"]},
    {"opening": {"\u202eAda\x1b": 3}},
    {"deals": [{"\u202e\x1b": 1}]},
    {"rules": {"\u202e\x1b": 1}},
    {"rules": "\u202e\x1b"},
]


def test_page_shows_nothing_of_a_file_that_turns_the_letters_round(phone: Phone) -> None:
    phone.start().record()
    document = json.loads(phone.post("file").data)

    for other in STEERING:
        page = Page(sent(phone, json.dumps(document | other).encode()))

        assert page.status in {200, 422}
        assert not set("\u202e\x1b") & set(page.words), other


def test_what_is_no_file_is_told(phone: Phone) -> None:
    phone.start()

    assert sent(phone, b"\xff\xfe").status_code == 422
    assert phone.post(f"{phone.circle_url}import", {"key": str(uuid4())}).status_code == 422
    assert sent(phone, b" " * 500_000).status_code == 422
