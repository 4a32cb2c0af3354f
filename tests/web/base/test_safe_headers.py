"""What every answer behind HTTPS says to a browser, and what it never says."""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from werkzeug.datastructures import Headers

from tests.web.conftest import app_with
from tests.web.phones import Phone
from tests.web.routes import addresses, values
from tests.web.tables import keep_table

HTTPS, ELSEWHERE = "https://localhost", "https://elsewhere.example"
HALF_A_YEAR = 15_552_000
#: What is loaded by default, and what else may be loaded from where.
SOURCES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "sw",
}
SAME_ORIGIN = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.fixture(scope="module")
def phone(shared_url: str) -> Iterator[Phone]:
    """Give a phone in a circle of the app as it stands behind a proxy that speaks HTTPS."""
    with app_with(shared_url, LAN_HTTP=False) as app:
        phone = Phone(app).start()
        phone.record(1)
        phone.record(2)
        phone.link()
        keep_table(phone)
        yield phone


def check(headers: Headers) -> None:
    """Look that the headers let nothing of another site in, and tell it nothing."""
    policy = headers["Content-Security-Policy"].split("; ")
    assert {name: sources for name, _, sources in (part.partition(" ") for part in policy)} == (
        SOURCES
    )
    assert SAME_ORIGIN.items() <= dict(headers).items()
    assert headers["Referrer-Policy"] in {"same-origin", "no-referrer"}
    age = headers["Strict-Transport-Security"].removeprefix("max-age=").partition(";")[0]
    assert int(age) >= HALF_A_YEAR
    assert "Access-Control-Allow-Origin" not in headers
    for made in headers.getlist("Set-Cookie"):
        for morsel in SimpleCookie(made).values():
            assert (morsel["secure"], morsel["httponly"], morsel["samesite"]) == (True, True, "Lax")


def test_every_answer_behind_https_is_safe_from_other_sites(phone: Phone) -> None:
    paths = addresses(phone.app, "GET", values(phone))
    del paths["static"]  # a part of a page, to which the headers of the page apply

    for path in paths.values():
        check(phone.get(path, base_url=HTTPS, headers={"Origin": ELSEWHERE}).headers)


@pytest.mark.parametrize("path", ["/", "/join", "/health"])
def test_first_visit_is_safe_with_the_cookie_that_it_sets(phone: Phone, path: str) -> None:
    answer = phone.app.test_client().get(path, base_url=HTTPS)

    check(answer.headers)
    assert ("Set-Cookie" in answer.headers) == (path != "/health")
