"""Over HTTPS a phone keeps pages: they open without a network, and across versions."""

import re
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Locator, expect

from scorer.web.base.headers import EVERYWHERE, ON_HTTPS
from tests import chromium
from tests.browser.actor import Actor
from tests.browser.base.test_offline import GONE, deal, expect_deal, unsent
from tests.browser.phones import PATIENCE, Model, Phone, hold, unpack
from tests.serving import SERVE, free_port, make_certificate, running
from tests.test_frame_serve import answer_to

pytestmark = pytest.mark.browser

#: The server as it would be with other static files.
OTHER_VERSION = """
from gevent import monkey
monkey.patch_all()
import sys
from types import SimpleNamespace
from scorer import cli
from scorer.web import assets
assets.sha256 = lambda: SimpleNamespace(update=len, hexdigest=lambda: "0123456789ab")
sys.exit(cli.main(sys.argv[1:]))
"""
KEPT = """async () => {
  const kept = await caches.open("pages");
  return (await kept.keys()).map(({url}) => url.slice(location.origin.length));
}"""
STATIC = """async () => (await caches.keys()).filter((name) => name.startsWith("static-"))"""
FORGET = """async () => (await import("/static/any/base/queue.js")).forgetAll()"""
CONTROLLED = """() => navigator.serviceWorker.controller || new Promise((resolve) => {
  navigator.serviceWorker.addEventListener("controllerchange", resolve);
}).then(() => null)"""
AS_OF = re.compile(r"No network: this is the page as of (now|\d minutes? ago)\.")
VERSION = """() => document.querySelector("script[src]").src.split("/")[4]"""
#: The deals that the kept record forms ask for.
TURN = """async () => {
  const kept = await caches.open("pages");
  const forms = (await kept.keys()).filter(({url}) => url.endsWith("/record"));
  const texts = await Promise.all(forms.map(async (key) => (await kept.match(key)).text()));
  return texts.map((text) => /name="number" value="(\\d+)"/.exec(text)[1]);
}"""
#: What a kept page says of its forms.
TOKENS = """async () => {
  const kept = await (await caches.open("pages")).matchAll();
  const pages = await Promise.all(kept.map((one) => one.text()));
  const tokens = /name="csrf_token" value="([^"]*)"/g;
  return pages.flatMap((page) => [...page.matchAll(tokens)].map(([, token]) => token));
}"""


class Home(NamedTuple):
    """A server with a certificate of its own authority, and a browser that trusts its key."""

    folder: Path
    port: int
    options: Sequence[str]
    browser: Browser
    server: ExitStack

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"https://127.0.0.1:{self.port}"

    def serve(self, program: Sequence[str] = SERVE) -> None:
        """Serve from here on, instead of the server before."""
        self.server.close()
        command = (*program, *self.options)
        started = self.server.enter_context(running(self.folder, program=command, port=self.port))
        assert started.url == self.url

    @contextmanager
    def phone(self) -> Iterator[Phone]:
        """Give a new phone; whatever goes wrong on it fails the test."""
        phone = unpack(self.browser, self.url, Model(), None)
        phone.watch.tolerate(GONE)
        phone.watch.tolerate("ERR_FAILED")  # what the worker could not fetch either
        yield phone
        found = phone.watch.found
        phone.context.close()
        assert found == []


@pytest.fixture(scope="module")
def home(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    options = make_certificate(folder)
    hash_of_key = (
        "openssl x509 -in scorer.crt -noout -pubkey | openssl pkey -pubin -outform der"
        " | openssl dgst -sha256 -binary | openssl base64"
    )
    done = subprocess.run(
        ["sh", "-c", hash_of_key], cwd=folder, check=True, capture_output=True, text=True
    )
    trusting = browser.browser_type.launch(
        executable_path=chromium.find_chromium(),
        args=[*chromium.FLAGS, f"--ignore-certificate-errors-spki-list={done.stdout.strip()}"],
    )
    with ExitStack() as server:
        home = Home(folder, free_port(), options, trusting, server)
        home.serve()
        yield home
        trusting.close()


def expect_https_for_who_trusts_it(home: Home) -> None:
    trusting = ssl.create_default_context(cafile=home.folder / "home-ca.crt")
    with urlopen(f"{home.url}/join", context=trusting) as answer:
        headers, cookie = dict(answer.headers), answer.headers["Set-Cookie"]
    status, refusal = answer_to(home.url, b"nonsense\r\n\r\n", trusting)
    for wrong in (home.url, home.url.replace("https", "http")):
        with pytest.raises(OSError, match=r"CERTIFICATE|reset|closed|Errno"):
            urlopen(wrong)

    printed = (home.folder / "server.log").read_text(encoding="utf-8")
    assert ON_HTTPS.items() <= headers.items()
    assert cookie.startswith("__Host-scorer=")
    assert "; Secure" in cookie
    assert (status, (EVERYWHERE | ON_HTTPS).items() <= refusal.items()) == (400, True)
    assert f"open at {home.url}/" in printed
    assert "Traceback" not in printed


def begin(phone: Phone) -> tuple[Actor, str]:
    """Start a session and open its page; wait until it is kept with its record form."""
    actor = Actor(phone)
    actor.start_session()
    path = urlsplit(actor.page.url).path
    until(actor, KEPT, {path, f"{path}record", f"{path}rules", "/", "/rules/", "/offline"})
    return actor, path


def until(actor: Actor, script: str, wanted: set[str]) -> None:
    """Wait until what a script lists has all that is wanted."""
    end = time.monotonic() + PATIENCE / 1000
    while not wanted <= set(actor.page.evaluate(script)):
        assert time.monotonic() < end, actor.page.evaluate(script)
        actor.page.wait_for_timeout(100)


def offline(actor: Actor, *, now: bool) -> None:
    actor.phone.context.set_offline(offline=now)


def notice(actor: Actor) -> Locator:
    return actor.page.locator("#kept")


def go_on_without_a_network(actor: Actor, path: str) -> None:
    """Record deals on pages that were kept; those that weren't say so, and no token is kept."""
    offline(actor, now=True)
    actor.page.reload()
    expect(notice(actor)).to_have_text(AS_OF)
    expect(actor.row(1)).to_be_visible()
    actor.tap(actor.record_link())
    for number in (2, 3):
        expect_deal(actor, number)
        actor.answer(deal(number))
        actor.save()
    expect(unsent(actor)).to_contain_text("2 deals not sent yet")
    actor.open("/tonight/record")
    expect_deal(actor, 4)
    actor.tap(actor.page.locator("summary").filter(has_text="Not played"))
    actor.tap(actor.button("Misdeal"))
    expect(unsent(actor)).to_contain_text("3 deals not sent yet")
    expect_deal(actor, 5)
    actor.open(path)
    expect(actor.page.locator("tr.pending")).to_have_count(3)
    foretold = actor.balances()
    expect(actor.page.locator(".pending-chart")).to_contain_text("not sent yet")
    actor.open("/mine")
    expect(actor.heading("No network")).to_be_visible()
    expect(notice(actor)).to_be_hidden()
    actor.open("/")
    card = actor.page.locator(".session-card")
    expect(card.get_by_role("link", name="3 deals not sent yet")).to_be_visible()
    actor.open(f"{path}record")
    assert set(actor.page.evaluate(TOKENS)) == {""}
    offline(actor, now=False)

    actor.wait_for_session()
    expect(actor.page.locator("[data-pending]")).to_have_count(0)
    assert actor.balances() == foretold
    expect(actor.row(4)).to_contain_text("Misdeal")
    expect(actor.row(5)).to_have_count(0)
    assert set(actor.page.evaluate(KEPT)) & {"/join", "/mine"} == set()


def amend_the_first(actor: Actor, points: int) -> None:
    """Put a deal right from the page of its session, whose figures move."""
    before = actor.balances()
    actor.tap(actor.row(1).get_by_role("link"))
    expect(actor.heading("Amend deal %(number)s", number=1)).to_be_visible()
    expect(actor.chip("Caller", "Bea")).to_be_checked()
    actor.answer({"card_points": points})
    actor.field("Why is it changed?").fill("Counted again")
    actor.tap(actor.button("Save the new version"))
    expect(actor.page.locator("tr.pending")).to_contain_text("1 not sent yet")
    assert actor.balances() != before


def void_the_second(actor: Actor) -> None:
    """Strike a deal through, by the row that the phone itself drew."""
    actor.tap(actor.page.locator("[data-pending]").get_by_role("link", name="Deal 2"))
    actor.tap(actor.page.locator("summary.danger"))
    actor.tap(actor.button("Recorded twice"))
    expect(actor.page.locator("tr.pending")).to_have_count(2)
    expect(actor.page.locator("tr.pending s")).to_have_count(5)


def put_deals_right_without_a_network(actor: Actor, path: str) -> None:
    """Amend and void deals of the server; it says the same as the phone foretold."""
    offline(actor, now=True)
    actor.open(f"{path}record?step=start")
    expect(actor.button("Start deal %(number)s", number=5)).to_be_visible()
    actor.open(path)
    amend_the_first(actor, 70)
    void_the_second(actor)
    foretold = actor.balances()
    actor.tap(actor.record_link())
    expect(actor.page.locator("header.top")).to_contain_text("Dora deals")
    actor.open(path)
    offline(actor, now=False)

    expect(actor.row(2)).to_contain_text("voided")
    expect(actor.page.locator("[data-pending]")).to_have_count(0)
    expect(actor.row(1).get_by_label("amended")).to_be_visible()
    assert actor.balances() == foretold


def refused(actor: Actor, path: str) -> bool:
    """Tell whether there is nothing for this phone at an address."""
    answer = actor.page.goto(path)
    return answer is not None and answer.status == 404


def expect_page_on_its_way_to_be_kept(phone: Phone, home: Home) -> None:
    """Let a page come only after the worker came."""
    late = phone.context.new_page()
    held = hold(late, "**/rules/scopa/")
    with late.expect_request("**/rules/scopa/"):
        late.evaluate("url => { location.assign(url); }", f"{home.url}/rules/scopa/")
    phone.page.goto("/")
    phone.page.evaluate(CONTROLLED)
    held[0].continue_()
    there = Actor(replace(phone, page=late))
    there.arrive("/rules/scopa/")
    until(there, KEPT, {"/rules/scopa/"})
    late.close()


def go_on_with_a_new_server(actor: Actor, path: str, home: Home) -> None:
    """A form of before is sent to it, and pages and scripts come from it."""
    watch, old = actor.phone.watch, actor.page.evaluate(VERSION)
    watch.tolerate("ERR_CONNECTION_REFUSED")
    watch.tolerate("ERR_INCOMPLETE_CHUNKED_ENCODING")  # a stream of events
    actor.open(f"{path}record")
    home.serve((sys.executable, "-c", OTHER_VERSION, *SERVE[1:]))
    actor.answer(deal(5))
    actor.save()
    actor.wait_for_session()
    until(actor, STATIC, {f"static-{old}", "static-0123456789ab"})
    assert actor.page.evaluate(VERSION) == "0123456789ab"
    until(actor, TURN, {"6"})
    expect(actor.row(5)).to_be_visible()
    expect(actor.row(6)).to_have_count(0)


def go_from_the_circle_that_sends_the_phone_away(actor: Actor, path: str, home: Home) -> None:
    """What was kept of the circle goes, and no more."""
    circle = path.partition("sessions/")[0]
    with closing(sqlite3.connect(home.folder / "scorer.sqlite")) as database, database:
        database.execute("UPDATE phone SET revoked_at = joined_at")
    assert refused(actor, path)
    end = time.monotonic() + PATIENCE / 1000
    while [one for one in actor.page.evaluate(KEPT) if circle in one or one == "/"]:
        assert time.monotonic() < end, actor.page.evaluate(KEPT)
        actor.page.wait_for_timeout(100)
    assert "/rules/" in actor.page.evaluate(KEPT)


def test_kept_pages_open_without_a_network_with_a_new_server_and_go_with_their_circle(
    home: Home,
) -> None:
    expect_https_for_who_trusts_it(home)
    with home.phone() as phone:
        expect_page_on_its_way_to_be_kept(phone, home)
        actor, path = begin(phone)
        actor.record(deal(1))
        until(actor, TURN, {"2"})
        until(actor, KEPT, {f"{path}chart.svg?version=2&theme=light&width=360"})
        go_on_without_a_network(actor, path)
        until(actor, TURN, {"5"})
        put_deals_right_without_a_network(actor, path)
        go_on_with_a_new_server(actor, path, home)
        go_from_the_circle_that_sends_the_phone_away(actor, path, home)
        actor.page.evaluate(FORGET)
        assert actor.page.evaluate(KEPT) == []
