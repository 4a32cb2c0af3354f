"""Web hooks: what they are told, how it is signed and sent again, and where nothing is sent."""

import base64
import hmac
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from scorer.services.base import clock, outbound
from scorer.services.base.outbound import UnreachedError
from scorer.services.base.roles import Role
from scorer.services.book.writing import DealChange
from scorer.services.circle import circles, hooks
from scorer.services.circle.hooks import EVENTS, PAUSES, HookEvent
from scorer.services.deals import reviews
from scorer.services.money import ledger
from scorer.services.money.ledger import Payment
from scorer.services.record.journal_page import journal_page
from scorer.services.table import sessions
from scorer.storage import queries
from scorer.storage.models import Hook
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, findings, refused, selects, start


class Received(NamedTuple):
    """A request that a receiver got."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)


class Receiver(HTTPServer):
    """A receiver on this machine, which gives the answers in their order and then 204."""

    def __init__(self, *answers: int) -> None:
        self.answers, self.got = list(answers), list[Received]()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/topic?tpl=1"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.got.append(Received(self.path, headers, body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def receiving(*answers: int) -> Iterator[Receiver]:
    with Receiver(*answers) as receiver:
        Thread(target=receiver.serve_forever, args=(0.01,), daemon=True).start()
        yield receiver
        receiver.shutdown()


def hooked(evening: Evening, url: str, *events: str) -> Evening:
    """Make a web hook for some events, or for all; its phone knows of it then."""
    hooks.make_hook(uuid4(), url, events or list(EVENTS), evening.by, private=True)
    by = circles.holder(evening.circle_id, evening.by.phone_id)
    return Evening(evening.session_id, by)


def hook_of(evening: Evening) -> Hook:
    (hook,) = hooks.listed_hooks(evening.circle_id)
    return hook


def send(evening: Evening, *, private: bool = True) -> bool:
    return hooks.send_next(evening.circle_id, hook_of(evening).hook_id, private=private)


@BOTH_ENGINES
@pytest.mark.parametrize("status", [500, 302])
def test_deal_is_sent_signed_and_again_after_a_pause_where_that_failed(status: int) -> None:
    with receiving(status) as receiver:
        evening = hooked(start(), receiver.url)
        evening.record()
        asked = [send(evening), send(evening)]
        failed = hook_of(evening)
        with clock.at(clock.now() + PAUSES[0]):
            asked += [send(evening), send(evening)]

    first, again = receiver.got
    key = base64.b64decode(failed.secret.removeprefix("whsec_"))
    headers = again.headers
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + again.body
    signed = base64.b64encode(hmac.digest(key, text, "sha256")).decode()
    assert asked == [True, False, True, False]
    assert (failed.failure, failed.attempts) == (str(status), 1)
    assert (hook_of(evening).failure, hook_of(evening).attempts) == ("", 0)
    assert headers["webhook-signature"] == f"v1,{signed}"
    assert (first.headers["webhook-id"], first.body) == (headers["webhook-id"], again.body)
    assert again.path == "/topic?tpl=1"
    assert again.told["type"] == "deal-recorded"
    assert again.told["data"]["payouts"] == {
        "Ada": 2, "Bea": 1, "Ciro": -1, "Dora": -1, "Ezio": -1
    }  # fmt: skip
    assert again.told["data"]["number"] == 1


def test_each_event_is_told_to_the_hooks_that_want_it() -> None:
    with receiving() as receiver:
        evening = hooked(start(), receiver.url)
        evening = hooked(evening, "https://elsewhere.example", HookEvent.EVENING_ENDED)
        bea = evening.let_in(Role.PLAYER, "Bea")
        evening.record()
        change = DealChange(1, 1, "It was 60")
        reviews.review_deal(reviews.DISPUTE, evening.session_id, change, bea)
        sessions.end_session(*evening.keys, by=evening.by)
        sessions.end_session(*evening.keys, by=evening.by)
        of = evening.players
        ledger.note_payment(
            evening.circle_id, Payment(uuid4(), of["Ada"], of["Bea"], 250), by=evening.by
        )
        first, other = hooks.listed_hooks(evening.circle_id)
        key = evening.circle_id, first.hook_id
        while hooks.send_next(*key, private=True):
            pass

    told = {got.told["type"]: got.told["data"] for got in receiver.got}
    assert [got.told["type"] for got in receiver.got] == list(EVENTS)
    assert told["deal-disputed"]["reason"] == "It was 60"
    assert told["evening-ended"]["balances"]["Ada"] == 2
    assert (told["payment-made"]["payee"], told["payment-made"]["cents"]) == ("Bea", 250)
    assert queries.circle.due_hooks(clock.now()) == [(evening.circle_id, other.hook_id)]
    assert findings(evening) == []


def test_deal_of_a_circle_without_hooks_asks_for_none(evening: Evening) -> None:
    evening.record()
    with selects() as asked:
        evening.record()

    assert not evening.by.hooked
    assert [statement for statement in asked if "hook" in statement] == []


@BOTH_ENGINES
def test_message_is_claimed_once_and_sent_again_if_its_server_died() -> None:
    evening = hooked(start(), "https://nowhere.invalid")
    evening.record()
    key = evening.circle_id, hook_of(evening).hook_id
    claims = [hooks._claim(*key), hooks._claim(*key)]
    with clock.at(clock.now() + hooks.CLAIM):
        claims.append(hooks._claim(*key))

    assert [claim is not None for claim in claims] == [True, False, True]


def test_hook_that_fails_for_a_day_is_given_up_until_an_owner_tries_it() -> None:
    evening = hooked(start(), "http://127.0.0.1:9")
    evening.record()
    evening.record()
    moment = clock.now()
    for pause in (*PAUSES, timedelta()):
        with clock.at(moment):
            assert send(evening)
        moment += pause
    evening.record()
    given_up = hook_of(evening)
    left = queries.circle.message_count(evening.circle_id)
    hooks.try_hook(evening.circle_id, given_up.hook_id)

    newest = journal_page(evening.circle_id).lines[0]
    assert (given_up.failure, left) == ("silence", 0)
    assert given_up.given_up_at is not None
    assert str(newest.text) == "The web hook to 127.0.0.1:9 failed too often and stopped."
    assert hook_of(evening).given_up_at is None
    assert queries.circle.message_count(evening.circle_id) == 1
    assert findings(evening) == []


def test_queue_of_a_circle_is_capped_and_goes_with_its_hook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hooks, "MOST_WAITING", 2)
    evening = hooked(start(), "https://nowhere.invalid")
    for _ in range(3):
        evening.record()
    counted, hook = queries.circle.message_count(evening.circle_id), hook_of(evening)
    hooks.remove_hook(evening.circle_id, hook.hook_id, by=evening.by)

    assert (counted, hook.failure) == (2, hooks.FULL)
    assert queries.circle.message_count(evening.circle_id) == 0
    assert not hooks.send_next(evening.circle_id, hook.hook_id, private=True)


PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255"),  # noqa: S104  # refused
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.192", "192.0.2.1", "198.18.0.1"),
    *("198.51.100.7", "203.0.113.7", "224.0.0.251", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1"),
    *("fe80::1", "fe80::1%1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::1", "100::1"),
]


@pytest.mark.parametrize("number", PRIVATE)
def test_private_address_is_refused_whatever_its_name(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (number, 443))])
    monkeypatch.setattr(socket, "create_connection", pytest.fail)

    with pytest.raises(UnreachedError, match="address"):
        outbound.post("https://rebind.example/", b"", {}, private=False)


@pytest.mark.parametrize("number", ["1.1.1.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111"])
def test_public_address_is_connected_to_as_it_was_checked(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, places = [], []

    def look_up(name: str, *_: Any, **__: Any) -> Any:
        names.append(name)
        return [(0, 0, 0, "", (each, 0)) for each in ("10.0.0.1", number)]

    def connect(place: tuple[str, int], _: float) -> Any:
        places.append(place)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)

    with pytest.raises(UnreachedError, match="silence"):
        outbound.post("https://public.example:8443/", b"", {}, private=False)
    assert (names, places) == (["public.example"], [(number, 8443)])


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_slow_answer_is_hung_up_on(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "DEADLINE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(UnreachedError):
            outbound.post(url, b"", {}, private=True)


@pytest.mark.parametrize(
    "address",
    ["ftp://a.example", "http://a.example", "https://", "https://a@b.example", "https://a.example#x",
     "https://a.example:0", "https://a.example:x", "https://a.example/ x", "https://à.example",
     f"https://a.example/{'x' * 500}", "mailto:a@b.example", ""],
)  # fmt: skip
def test_address_that_nobody_could_be_told_at_is_refused(evening: Evening, address: str) -> None:
    with refused("bad-address address", "nothing events"):
        hooks.make_hook(uuid4(), address, [], evening.by, private=False)


def test_circle_has_few_hooks_and_a_form_sent_twice_makes_one() -> None:
    evening, key = start(), uuid4()
    for hook_id in (key, key, *(uuid4() for _ in range(hooks.MOST_HOOKS - 1))):
        hooks.make_hook(hook_id, "https://a.example", ["test"], evening.by, private=False)
    with refused("too-many"):
        hooks.make_hook(uuid4(), "https://a.example", ["test"], evening.by, private=False)

    assert len(hooks.listed_hooks(evening.circle_id)) == hooks.MOST_HOOKS
