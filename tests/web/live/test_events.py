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


@pytest.mark.parametrize("where", ["header", "address"])
def test_phone_that_is_behind_is_told_at_once_and_no_proxy_keeps_it(
    played: Phone, where: str
) -> None:
    if where == "header":
        answer = played.get("events?after=9", headers={"Last-Event-ID": "1"})
    else:
        answer = played.get("events?after=1")

    assert first(answer) == DEAL % '"Phone 1"'
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    kept = [answer.headers[name] for name in ("Cache-Control", "X-Accel-Buffering")]
    assert kept == ["no-store", "no"]


@pytest.mark.parametrize("session", [True, False], ids=["session", "circle"])
def test_program_listens_by_the_secret_of_a_link(
    app: Flask, played: Phone, *, session: bool
) -> None:
    where = played.url if session else played.circle_url
    secret = played.link(role="spectator").partition("#")[2]
    bearer = {"Authorization": f"Bearer {secret}"}
    told = first(Phone(app).get(f"/api/v1{where}events?after=1", headers=bearer))

    assert '"kind": "deal"' in told
    assert BY % "null" in told
    assert (f'"session": "{played.keys[1]}"' in told) is not session


@pytest.mark.parametrize("setting", ["STREAMS_A_WORKER", "STREAMS_A_CIRCLE"])
def test_server_without_room_says_when_to_come_again(
    setting: str, app: Flask, played: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, setting, 0)

    answer = played.get("events")

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
