import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorer import __version__, create_app
from scorer.storage import db
from tests.samples import DEAL, SESSION


def read(response: TestResponse) -> Any:
    return json.loads(response.data)


@pytest.mark.parametrize(("operation", "body"), [("score", DEAL), ("replay", SESSION)])
def test_sound_request_is_answered_200(client: FlaskClient, operation: str, body: object) -> None:
    response = client.post(f"/api/v1/{operation}", json=body)

    assert response.status_code == 200
    assert read(response)["ok"] is True


@pytest.mark.parametrize("operation", ["score", "replay"])
def test_request_with_problems_is_answered_422(client: FlaskClient, operation: str) -> None:
    response = client.post(f"/api/v1/{operation}", json={"game": "poker"})

    assert response.status_code == 422
    assert {"unknown-game", "missing-key"} <= {p["code"] for p in read(response)["problems"]}


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 5000])
def test_what_is_not_json_is_answered_400(client: FlaskClient, body: bytes) -> None:
    response = client.post("/api/v1/score", data=body)

    assert response.status_code == 400
    assert read(response)["problems"][0]["code"] == "malformed-json"


def test_more_than_a_mebibyte_is_refused(client: FlaskClient) -> None:
    response = client.post("/api/v1/score", data=b" " * (1024 * 1024 + 1))

    assert response.status_code == 413
    assert read(response)["ok"] is False


def test_problems_are_told_in_the_language_of_the_browser(client: FlaskClient) -> None:
    english = client.post("/api/v1/score", data=b"{")
    italian = client.post("/api/v1/score", data=b"{", headers={"Accept-Language": "it-IT"})

    assert read(english)["problems"][0]["code"] == read(italian)["problems"][0]["code"]
    assert read(english)["problems"][0]["message"] != read(italian)["problems"][0]["message"]


def test_names_stay_in_the_order_of_the_seats(client: FlaskClient) -> None:
    seats = ["Zoe", "Bea", "Ada", "Dora", "Ciro"]
    body = DEAL | {"seats": seats, "sheet": {**DEAL["sheet"], "caller": "Zoe"}}

    response = client.post("/api/v1/score", json=body)

    assert list(read(response)["payouts"]) == seats


def test_rules_are_listed_for_one_game_or_all(client: FlaskClient) -> None:
    every = read(client.get("/api/v1/rules"))
    of_one = read(client.get("/api/v1/rules/briscola-chiamata"))

    assert len(of_one) == 16
    assert all(rules in every for rules in of_one)


@pytest.mark.parametrize(
    ("path", "code"), [("/api/v1/rules/poker", "unknown-game"), ("/api/v1/nothing", "not-found")]
)
def test_unknown_thing_is_a_problem_and_not_a_page(
    client: FlaskClient, path: str, code: str
) -> None:
    response = client.get(path)

    assert response.status_code == 404
    assert read(response)["problems"][0]["code"] == code


def test_health_names_the_engine_and_its_mode(client: FlaskClient) -> None:
    answer = read(client.get("/health"))

    assert answer["ok"] is True
    assert answer["version"] == __version__
    assert answer["database"]["engine"] == "sqlite"
    assert answer["database"]["checkpoints"] in {"automatic", "one process"}


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        pytest.param("192.168.1.7", {}, id="from the network"),
        pytest.param("2001:db8::7", {}, id="from the network, by IPv6"),
        pytest.param("", {}, id="by a socket of a proxy"),
        pytest.param("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, id="by a proxy"),
        pytest.param("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, id="by another proxy"),
        pytest.param("::1", {"Via": "1.1 scorer.example"}, id="by a gateway"),
    ],
)
@pytest.mark.parametrize("hops", [0, 1])
def test_health_says_no_more_than_ok_to_others(
    database_url: str, address: str, headers: dict[str, str], hops: int
) -> None:
    app = create_app({"DATABASE_URL": database_url, "LAN_HTTP": True, "PROXY_HOPS": hops})

    asked = app.test_client().get("/health", headers=headers, environ_base={"REMOTE_ADDR": address})

    assert read(asked) == {"ok": True}
    with app.app_context():
        db.engine.dispose()


def test_health_is_bad_where_the_database_is_away(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        db.engine.dispose()
    (tmp_path / "scorer.sqlite").unlink()
    (tmp_path / "scorer.sqlite").mkdir()

    assert app.test_client().get("/health").status_code == 503
