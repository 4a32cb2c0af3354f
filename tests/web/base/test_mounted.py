"""The app below a path, whether a server or a proxy says where it is.

That no page leads out of it is in test_pages.py.
"""

import json
import re
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from flask import Flask

from tests.web.conftest import app_with
from tests.web.pages import Page
from tests.web.phones import Phone

MOUNT = "/scorer"


class Proxy:
    """A proxy that hands on what is below a path, without it, and nothing else."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not environ["PATH_INFO"].startswith(f"{MOUNT}/"):
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


@pytest.mark.parametrize("path", ["/", "/join", "/rules/", "/nothing/here"])
def test_pages_stay_within_the_mount(mounted: Flask, path: str) -> None:
    page = Phone(mounted).page(MOUNT + path)

    assert page.own_addresses
    assert {one for one in page.own_addresses if not one.startswith(f"{MOUNT}/")} == set()


#: Where each page leads back to when a language or theme was chosen on it.
LEADS_TO = {
    "/scorer/rules/?a=b": "/scorer/rules/?a=b",
    "/rules/": "/scorer/",
    "/scorer//evil.example": "/scorer/",
    "//evil.example/scorer/": "/scorer/",
}


@pytest.mark.parametrize("choice", ["language", "theme"])
def test_choices_go_back_to_a_page_within_the_mount(mounted: Flask, choice: str) -> None:
    phone = Phone(mounted)
    phone.client.below = MOUNT

    answers = [phone.post(f"{MOUNT}/{choice}", {"next": following}) for following in LEADS_TO]

    assert [answer.headers["Location"] for answer in answers] == [*LEADS_TO.values()]
    assert {answer.status_code for answer in answers} == {303}


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
    assert all(link.startswith("/cards/") for link in Page(home).own_addresses)
    assert link.startswith(f"{public}/join#")
