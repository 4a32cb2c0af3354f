import gzip

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from scorer import create_app
from scorer.web.base.headers import EVERYWHERE, OF_DOCUMENTS, ON_HTTPS

PATHS = [
    "/",
    "/nothing/here",
    "/api/v1/rules",
    "/api/v1/nothing",
    "/worker.js",
    "/static/0/base/icon.svg",
]
STYLE = "base/scorer.css"
PACKED = {"Accept-Encoding": "gzip, deflate, br"}


def style_url(app: Flask) -> str:
    with app.test_request_context():
        return url_for("static", filename=STYLE)


def test_every_answer_and_refusal_carries_the_headers(client: FlaskClient) -> None:
    refused = [client.open("/api/v1/rules", method=method) for method in ("POST", "DELETE")]
    for response in (*map(client.get, PATHS), *refused):
        assert EVERYWHERE.items() <= dict(response.headers).items()
        assert "Cache-Control" in response.headers
    assert {(one.status_code, "GET" in one.headers["Allow"]) for one in refused} == {(405, True)}


@pytest.mark.parametrize("name", ["base/scorer.css", "base/scorer.js"])
def test_parts_of_pages_carry_what_is_for_them(client: FlaskClient, name: str) -> None:
    response = client.get(f"/static/0/{name}")

    sent = dict(response.headers).items()
    assert {item for item in EVERYWHERE.items() if item[0] not in OF_DOCUMENTS} <= sent
    assert not set(response.headers.keys()) & set(OF_DOCUMENTS)


def test_crash_is_answered_with_a_page_and_the_headers(app: Flask) -> None:
    @app.get("/crash")
    def crash() -> str:
        raise RuntimeError("a fault of the program")

    app.testing = False
    response = app.test_client().get("/crash")

    assert response.status_code == 500
    assert EVERYWHERE.items() <= dict(response.headers).items()
    assert "Traceback" not in response.text
    assert "a fault of the program" not in response.text


def test_crash_is_told_in_a_sentence_where_not_even_the_page_can_be_shown(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_too(*_: object, **__: object) -> str:
        raise RuntimeError("the page needs what broke")

    monkeypatch.setattr("scorer.failures.render_template", break_too)

    response = app.test_client().get("/nothing/here")

    assert response.status_code == 404
    assert response.text.startswith("The address is wrong")


def test_https_is_asked_for_and_kept_to_unless_at_home() -> None:
    safe = create_app().test_client().get("/api/v1/rules")
    at_home = create_app({"LAN_HTTP": True}).test_client().get("/api/v1/rules")

    below = create_app({"HSTS_SUBDOMAINS": True}).test_client().get("/api/v1/rules")

    assert ON_HTTPS.items() <= dict(safe.headers).items()
    assert safe.headers["Strict-Transport-Security"] == "max-age=63072000"
    assert below.headers["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains"
    assert not set(ON_HTTPS) & set(at_home.headers.keys())


@pytest.mark.parametrize(("lan_http", "name"), [(False, "__Host-scorer"), (True, "scorer")])
def test_cookie_is_as_safe_as_the_network_allows(*, lan_http: bool, name: str) -> None:
    app = create_app({"LAN_HTTP": lan_http})

    @app.get("/sign")
    def sign() -> str:
        from flask import session as cookie

        cookie["seen"] = True
        return ""

    (made,) = app.test_client().get("/sign").headers.getlist("Set-Cookie")

    assert made.startswith(f"{name}=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(made.split("; "))
    assert ("Secure" in made.split("; ")) is not lan_http


def test_asset_is_kept_for_a_year_under_its_version_only(app: Flask) -> None:
    client = app.test_client()
    url = style_url(app)

    current = client.get(url)
    outdated = client.get(f"/static/outdated/{STYLE}")

    assert current.status_code == outdated.status_code == 200
    assert "immutable" in current.headers["Cache-Control"]
    assert outdated.headers["Cache-Control"] == "private, no-cache"


def test_asset_that_is_there_already_is_not_sent_again(app: Flask) -> None:
    client = app.test_client()
    first = client.get(style_url(app), headers=PACKED)

    again = client.get(style_url(app), headers=PACKED | {"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 304
    assert again.data == b""


@pytest.mark.parametrize("name", ["../pyproject.toml", "%2e%2e/pyproject.toml", "nothing.css"])
def test_nothing_but_assets_is_served(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/0/{name}").status_code == 404


def test_answers_are_packed_for_browsers_that_can_unpack_them(app: Flask) -> None:
    client = app.test_client()

    plain = client.get(style_url(app))
    packed = client.get(style_url(app), headers=PACKED)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_length_of_a_packed_page_does_not_tell_what_is_in_it(app: Flask) -> None:
    @app.get("/page")
    def page() -> str:
        return "<p>The same secret each time</p>" * 100

    lengths = {len(app.test_client().get("/page", headers=PACKED).data) for _ in range(50)}

    assert len(lengths) > 10


def test_forwarded_address_is_believed_from_known_proxies_only() -> None:
    said = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}

    def seen(hops: int) -> str:
        app = create_app({"PROXY_HOPS": hops})

        @app.get("/address")
        def address() -> str:
            from flask import request

            return f"{request.remote_addr} {request.scheme}"

        return app.test_client().get("/address", headers=said).text

    assert seen(0) == "127.0.0.1 http"
    assert seen(1) == "198.51.100.7 https"
