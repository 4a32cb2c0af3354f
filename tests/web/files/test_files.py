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


def test_session_goes_out_into_another_circle_and_once_more_into_its_own(
    app: Flask, phone: Phone
) -> None:
    phone.start(title="'; -- <b> è").record()
    phone.record(2, caller="2", partner="alone")
    file = phone.post(phone.page().form("/file").action)
    other = Phone(app).start()

    looked = Page(sent(other, file.data))
    answer = other.post(f"{other.circle_url}import", looked.forms[0].sends())
    here = Page(sent(phone, file.data))
    again = phone.post(f"{phone.circle_url}import", here.forms[0].sends())
    copy = Phone(app)
    copy.client, copy.url = other.client, answer.headers["Location"]

    assert "attachment; filename" in file.headers["Content-Disposition"]
    assert looked.status == 200
    assert "Keep this session" in looked.words
    assert answer.status_code == 303
    first, copied = json.loads(file.data), json.loads(copy.post("file").data)
    other_in_copy = {key for key in first if first[key] != copied[key]}
    assert other_in_copy - {"version"} == {"id", "ended_at", "hash"}  # it counts what was written
    assert replay(copied) == replay(first)
    assert "This session is here already" in here.words
    assert phone.url in here.links
    assert "Keep this session" not in here.words
    assert again.status_code == 303
    assert again.location != phone.url
    assert other.post(f"{other.circle_url}import", looked.forms[0].sends()).location == copy.url


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


def test_what_cannot_be_kept_is_told_and_nothing_is_shown_that_turns_the_letters_round(
    phone: Phone,
) -> None:
    phone.start().record()
    document = json.loads(phone.post("file").data)
    for text in (b"\xff\xfe", b" " * 500_000):
        assert sent(phone, text).status_code == 422
    assert phone.post(f"{phone.circle_url}import", {"key": str(uuid4())}).status_code == 422
    for other in STEERING:
        page = Page(sent(phone, json.dumps(document | other).encode()))
        assert page.status in {200, 422}
        assert not set("\u202e\x1b") & set(page.words), other

    document["deals"][0]["sheet"]["partner"] = "Ada"
    page = Page(sent(phone, json.dumps(document).encode()))

    assert page.status == 422
    assert re.search(r"Deal 1.*deals\[0\]\.sheet\.partner", page.source, re.DOTALL)
    assert "Keep this session" not in page.words
