"""A network that falls silent: nothing is refused, nothing comes any more."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from scorer.settings import CHECKOUT
from tests.browser.actor import Actor
from tests.browser.base.test_offline import GONE, IN_MEMORY, deal, expect_deal
from tests.browser.phones import Model, Phone, unpack
from tests.browser.seeding import Scribe

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: After so many milliseconds without a beat, and without an answer to a question, it is away.
SILENCE = r"const SILENCE = ([\d_]+)", "live/session.js"
SHORT = r"\bSHORT = ([\d_]+)", "base/away.js"
TOP = "document.querySelector('#record').getBoundingClientRect().top"
#: Pairs of what is said above the button that lie over each other.
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("#away, .toast, .next, #record")]
    .map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
  return boxes.filter((one, at) => boxes.some((other, place) =>
    place > at && one.bottom > other.top + 1 && other.bottom > one.top + 1)).length;
}"""


class Wire:
    """A wire to a server that can be cut: all that goes over it stops then, and no end hears it."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self.whole = Event()
        self.whole.set()
        self._threads: list[Thread] = []
        self._begin(self._accept)

    def close(self) -> None:
        self.whole.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _begin(self, work: Callable[..., None], *ends: socket.socket) -> None:
        self._threads.append(Thread(target=work, args=ends, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with self._listener, suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._server))
                for pair in ((near, far), (far, near)):
                    self._begin(self._pass_on, *pair)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with source, suppress(OSError):
            while data := source.recv(65_536):
                self.whole.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def milliseconds(pattern: str, script: str) -> int:
    """Read for how long a script waits."""
    text = (CHECKOUT / "static" / script).read_text(encoding="utf-8")
    return int(re.findall(pattern, text)[0])


@pytest.fixture
def wire(site: str) -> Iterator[Wire]:
    wire = Wire(urlsplit(site).port or 80)
    yield wire
    wire.close()


@pytest.fixture
def phone(browser: Browser, wire: Wire) -> Iterator[Phone]:
    phone = unpack(browser, f"http://127.0.0.1:{wire.port}", Model(360, 640), None)
    for given_up in (GONE, "ERR_TIMED_OUT", "ERR_EMPTY_RESPONSE", "health/live"):
        phone.watch.tolerate(given_up)
    yield phone
    found = phone.watch.found
    phone.context.close()
    assert found == []


def test_silent_network_is_told_within_three_seconds_and_nothing_moves(
    phone: Phone, wire: Wire
) -> None:
    actor, sheet = Actor(phone), Scribe(phone).start("Friday")
    actor.open(f"{sheet.path}record")
    actor.answer(deal(1))
    actor.save()
    actor.wait_for_session()
    actor.page.wait_for_function(IN_MEMORY)
    expect(actor.page.locator(".toast")).to_have_count(1)
    before = actor.page.evaluate(TOP)

    wire.whole.clear()
    notice = actor.page.locator("#away")
    expect(notice).to_contain_text("No network: this is the page as of")
    assert milliseconds(*SILENCE) + milliseconds(*SHORT) < 2_500
    assert actor.page.evaluate(OVERLAPS) == 0
    assert actor.page.evaluate(TOP) == before
    actor.tap(actor.page.locator("header.top a.round"))
    expect(notice).to_have_text("No network: this page opens once it is back.")
    assert actor.page.evaluate(TOP) == before
    actor.tap(actor.record_link())
    expect_deal(actor, 2)
    actor.page.go_back()
    expect(notice).to_contain_text("No network: this is the page as of")
    wire.whole.set()

    expect(notice).to_have_count(0)
