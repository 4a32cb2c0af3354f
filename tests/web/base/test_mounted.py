"""The app below a path: no page leads out of it, whether a server or a proxy says where it is."""

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from scorer.services.circle import circles
from tests.data.rows import rows
from tests.services.evenings import FIVE
from tests.services.tournaments import make
from tests.web.cards.test_tricks import RIGHT, write
from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.photos import add_photo
from tests.web.rows import player_ids
from tests.web.tables import filled

MOUNT = "/scorer"
#: What is for programs and scripts alone.
UNREACHED = (
    *("api_", "openapi.", "operations.", "health.", "metrics."),
    *("events.", "circles.token", "worker"),
)


class Proxy:
    """A proxy that hands on what is below a path, without it, and nothing else."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        below = environ["PATH_INFO"].startswith(f"{MOUNT}/")
        if not below:
            start_response("404 Not Found", [])
            return [b""]
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(MOUNT)
        environ["HTTP_X_FORWARDED_PREFIX"] = MOUNT
        return self.app(environ, start_response)


@pytest.fixture(scope="module")
def mounted(shared_url: str) -> Iterator[Flask]:
    """Give an app behind such a proxy, on the database of the tests."""
    with app_with(shared_url, PROXY_HOPS=1) as app:
        app.wsgi_app = Proxy(app.wsgi_app)  # type: ignore[method-assign]
        yield app


def endpoint(app: Flask, address: str) -> str:
    try:
        name, _ = app.url_map.bind("").match(address.removeprefix(MOUNT), method="GET")
    except HTTPException:
        return ""
    return str(name)


def addresses(page: Page) -> set[str]:
    """Give every address of this server in a page, also those that scripts use."""
    return set(map(unescape, re.findall(r'[\w-]+="(/[^"]*)"', page.source)))


def _ended(phone: Phone) -> tuple[str, str]:
    """Play another evening to its end, and give the addresses of its last and public pages."""
    other = Phone(phone.app)
    other.client = phone.client
    other.start(circle=str(phone.keys[0]))
    other.record(1)
    other.post("end")
    other.post("public", {"names": "full"})
    found = re.search(r'value="http://localhost(/evening/[^?]+)', other.page("last").source)
    assert found is not None
    return f"{other.url}last", found[1]


@pytest.mark.slow
def test_no_page_leads_out_of_the_mount(phone: Phone, mounted: Flask) -> None:
    phone.start(title="")
    phone.record(1, **RIGHT)
    write(phone)
    phone.record(2)
    new = f"{phone.circle_url}rules/new"
    phone.post(new, {**filled("classic"), "name": "Ours", "action": "save"})
    other = phone.let_in(Phone(phone.app), "player")
    other.post("deals/1/dispute", {"version": "1", "reason": "no"})
    phone.post("stake", {"stake": "0.10"})
    add_photo(phone, number="1")
    with phone.app.app_context():
        first_phone, *_ = circles.phones(phone.keys[0])
        make(phone.keys[0], first_phone, FIVE[:4])
    ended = _ended(phone)
    players = [f"{phone.circle_url}players/{one}/" for one in player_ids(phone)]
    caller = next(one for one in players if "bids.svg" in phone.get(one).text)
    visitor = phone.moved(mounted, MOUNT)
    of_session = ("money", "deals/1/", "deals/1/tricks/analysis")
    first = ["/", "/offline", "/tonight", "/tonight/record", "/table", caller]
    first += [*(phone.url + path for path in of_session), *ended]
    waiting = [f"{MOUNT}{path}" for path in first]
    opened, outside = set[str](), set[tuple[str, str]]()
    seen = set(waiting)

    while waiting:
        address = waiting.pop(0)
        name = endpoint(mounted, urlsplit(address).path)
        if name in opened or name in {"", "static"}:
            continue
        answer = visitor.get(address)
        opened.add(name)
        assert answer.status_code in {200, 302, 303, 308}, address
        found = {answer.headers["Location"]} if answer.status_code > 300 else set()
        if answer.mimetype == "text/html":
            found |= addresses(Page(answer))
        outside |= {(name, one) for one in found if not one.startswith(f"{MOUNT}/")}
        waiting += sorted(found - seen)
        seen |= found

    missing = {
        rule.endpoint
        for rule in mounted.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith(UNREACHED)
    } - opened
    assert outside == set()
    assert missing == {"static"}


@pytest.mark.parametrize("path", ["/", "/join", "/rules/", "/nothing/here"])
def test_pages_without_a_circle_stay_within_the_mount(mounted: Flask, path: str) -> None:
    page = Phone(mounted).page(MOUNT + path)

    assert addresses(page)
    assert {one for one in addresses(page) if not one.startswith(f"{MOUNT}/")} == set()


@pytest.mark.parametrize("choice", ["language", "theme"])
@rows(__file__, "choices")
def test_choices_go_back_to_a_page_within_the_mount(
    mounted: Flask, choice: str, following: str, goes_to: str
) -> None:
    phone = Phone(mounted)
    phone.client.below = MOUNT
    answer = phone.post(f"{MOUNT}/{choice}", {"next": following})

    assert (answer.status_code, answer.headers["Location"]) == (303, goes_to)


@pytest.mark.parametrize("mount", ["", MOUNT])
def test_manifest_opens_the_app_where_it_is(app: Flask, mount: str) -> None:
    found = re.search(r'rel="manifest" href="([^"]+)"', Phone(app).get("/").text)
    assert found

    manifest = app.test_client().get(found[1], base_url=f"http://localhost{mount}").text

    told = json.loads(manifest)
    assert {told[name] for name in ("id", "start_url", "scope")} == {f"{mount}/"}
    assert all(one["url"].startswith(f"{mount}/tonight") for one in told["shortcuts"])
    assert all(one["src"].startswith(f"{mount}/static/") for one in told["icons"])


def test_page_that_was_kept_for_one_mount_is_not_shown_at_another(phone: Phone) -> None:
    phone.start()
    pages = [
        phone.client.get(phone.url, base_url=f"http://localhost{mount}").text
        for mount in ("", MOUNT)
    ]

    assert [f'"{MOUNT}/' in page for page in pages] == [False, True]


@pytest.mark.parametrize("mount", ["//evil.example", "/a b", '/"x'])
def test_mount_that_is_no_path_is_refused(app: Flask, mount: str) -> None:
    answer = app.test_client().get("/", environ_overrides={"SCRIPT_NAME": mount})

    assert answer.status_code == 400


@pytest.mark.parametrize("kept", ["/cards", ""], ids=["path handed on", "path stripped"])
def test_public_address_with_a_path_serves_below_it(shared_url: str, kept: str) -> None:
    public = "https://scorer.example/cards"
    with app_with(shared_url, PUBLIC_URL=public) as app:
        phone = Phone(app)
        home = phone.client.get(f"{kept}/")
        phone.start()
        link = phone.link()

    assert home.status_code == 200
    assert all(link.startswith("/cards/") for link in addresses(Page(home)))
    assert link.startswith(f"{public}/join#")
