"""A deal is thought over while an evening is looked at: stopped, asked again, the server killed."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from scorer import create_app, storage
from scorer.services.cards.analysis import FOLDER
from tests.browser.base.test_offline import GONE
from tests.browser.phones import PATIENCE, Model, Phone, unpack
from tests.games.tables import play, record_of
from tests.serving import Server, free_port, running
from tests.web.pages import Page
from tests.web.phones import Phone as Scripts

pytestmark = pytest.mark.browser

#: Six tricks in which suit is followed and a dead hand is turned over: Python needs some seconds.
RULES = {
    "preset": "classic",
    "deck": "no-twos-36",
    "cards_each": 6,
    "dead_hand": True,
    "play": {"follow_suit": True},
}
SEED, CARDS, VALUE = 18, 36, 41


def evening() -> dict[str, Any]:
    """Give the file of an evening of one deal, with its cards."""
    record = record_of(play(RULES, SEED))
    claim = record["claim"]
    asked = ("caller", "bid", "called_card", "partner", "card_points")
    tricks = [trick["cards"] for trick in record["tricks"]]
    deal = {
        "dealer": record["dealer"],
        "sheet": {key: claim[key] for key in asked},
        "play": {"called_card": claim["called_card"], "tricks": tricks},
    }
    heading = {key: record[key] for key in ("game", "rules", "seats")}
    return {"format": "scorer-session/1", "title": "Friday", "date": "2026-11-20", **heading} | {
        "deals": [deal]
    }


@pytest.fixture
def instance(sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of a server that searches in Python, as fast on any machine."""
    shutil.copy(sqlite_template, tmp_path / "scorer.sqlite")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    return tmp_path


@pytest.fixture
def kept(instance: Path, monkeypatch: pytest.MonkeyPatch) -> Scripts:
    """Keep the evening in a circle, as somebody who brings its file."""
    monkeypatch.setenv("SCORER_INSTANCE", str(instance))
    app = create_app({"LAN_HTTP": True})
    phone = Scripts(app).start()
    file = (BytesIO(json.dumps(evening()).encode()), "evening.json")
    where = f"{phone.circle_url}import"
    looked = Page(phone.post(where, {"key": str(uuid4()), "file": file}))
    phone.url = phone.post(where, looked.form("/import").sends()).location
    with app.app_context():
        storage.db.engine.dispose()
    return phone


@contextmanager
def unpacked(browser: Browser, url: str, kept: Scripts) -> Iterator[Phone]:
    """Give a phone of the circle; whatever goes wrong on it fails the test."""
    phone = unpack(browser, url, Model(360, 640, "it"), None)
    cookie = kept.client.get_cookie("scorer")
    assert cookie is not None
    phone.context.add_cookies([{"name": "scorer", "value": cookie.value, "url": url}])
    phone.watch.tolerate(GONE)
    phone.watch.tolerate("ERR_CONNECTION")  # the page asks on while there is no server
    yield phone
    found = phone.watch.found
    phone.context.close()
    assert found == []


def kill(server: Server, instance: Path) -> None:
    """Kill whatever runs of a server, and the process that thinks, as if the machine went down."""
    command = str(instance).encode()
    for process in [server.process.pid, *server.workers(), *thinking(command)]:
        os.kill(process, signal.SIGKILL)
    server.process.wait(timeout=PATIENCE / 1000)


def thinking(instance: bytes) -> list[int]:
    """List the processes that think for an instance."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        words = process.read_bytes().split(b"\0") if process.exists() else []
        if b"scorer.services.cards.analysis" in words and instance in words:
            found.append(int(process.parent.name))
    return found


@pytest.mark.slow
def test_deal_is_thought_over_although_the_server_is_killed_meanwhile(
    browser: Browser, instance: Path, kept: Scripts
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with unpacked(browser, url, kept) as phone:
        page, progress = phone.page, phone.page.locator("[data-thinking]")
        think = page.get_by_role("button", name=phone.say("Think the whole deal over"))
        with running(instance, port=port) as server:
            page.goto(f"{kept.url}deals/1/tricks/replay")
            with page.expect_navigation():
                think.tap()
            expect(progress).to_be_visible()
            with page.expect_navigation():
                page.get_by_role("button", name=phone.say("Stop thinking")).tap()
            expect(progress).to_have_count(0)
            with page.expect_navigation():
                think.tap()
            expect(progress).to_contain_text(f"{CARDS}")
            kill(server, instance)
        assert list((instance / FOLDER).glob("*.deal"))

        with running(instance, port=port):
            expect(progress).to_have_count(0, timeout=60_000)
            value = phone.say(
                "With everybody’s best play the caller’s side takes %(points)s card points.",
                points=VALUE,
            )
            expect(page.locator("#open-cards")).to_contain_text(value)
            expect(page.locator(".turning")).to_have_count(1)
            expect(think).to_have_count(0)
            page.reload()
            expect(page.locator("#open-cards")).to_contain_text(value)
