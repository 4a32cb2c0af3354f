"""Streams of events over HTTP: who may have one, and what begins it."""

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorer.services.live.streams import hub_of
from tests.web.phones import Phone

BY = '"by": {"player": null, "phone": %s, "program": null}'
DEAL = f'id: 2\nevent: change\ndata: {{"version": 2, "kind": "deal", "number": 1, {BY}}}\n\n'


@pytest.fixture
def played(app: Flask, phone: Phone) -> Iterator[Phone]:
    """Give a phone in a session of one deal; its streams are closed afterwards."""
    phone.start().record()
    yield phone
    assert not hub_of(app)._streams


def first(answer: TestResponse) -> str:
    """Read the first event of a stream, and close it."""
    with answer:
        texts = (part.decode() for part in answer.response if isinstance(part, bytes))
        return next(text for text in texts if text.startswith("id: "))


def bearer(phone: Phone, role: str = "spectator") -> dict[str, str]:
    return {"Authorization": f"Bearer {phone.link(role=role).partition('#')[2]}"}


def test_stream_is_no_page_that_a_proxy_may_keep(played: Phone) -> None:
    with played.get("events", buffered=False) as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"


@pytest.mark.parametrize("where", ["header", "address"])
def test_phone_that_is_behind_is_told_at_once(played: Phone, where: str) -> None:
    if where == "header":
        answer = played.get("events?after=9", headers={"Last-Event-ID": "1"})
    else:
        answer = played.get("events?after=1")

    assert first(answer) == DEAL % '"Phone 1"'


def test_circle_has_a_stream_of_all_its_sessions(played: Phone) -> None:
    text = first(played.get(f"{played.circle_url}events?after=1"))

    assert f'"number": 1, "session": "{played.keys[1]}"' in text


@pytest.mark.parametrize("session", [True, False], ids=["session", "circle"])
def test_program_listens_by_the_secret_of_a_link(
    app: Flask, played: Phone, *, session: bool
) -> None:
    where = played.url if session else played.circle_url
    answer = Phone(app).get(f"/api/v1{where}events?after=1", headers=bearer(played))

    told = first(answer)
    assert '"kind": "deal"' in told
    assert BY % "null" in told


@pytest.mark.parametrize("setting", ["STREAMS_A_WORKER", "STREAMS_A_CIRCLE"])
def test_server_without_room_says_when_to_come_again(
    setting: str, app: Flask, played: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, setting, 0)

    answer = played.get("events")

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
