import json
from base64 import b64encode
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorer import operations
from scorer.languages import translate
from tests.data.reading import read_here
from tests.samples import CLUB_EVENING, DEAL, RECORD, SESSION

MEBIBYTE = 1024 * 1024
OPERATIONS = {
    "score": (operations.score, DEAL),
    "check": (operations.check, RECORD),
    "solve": (operations.solve, RECORD),
    "replay": (operations.replay, SESSION),
    "tournament": (operations.tournament, CLUB_EVENING),
}


def read(response: TestResponse) -> Any:
    assert response.mimetype == "application/json"
    return json.loads(response.data)


def codes(response: TestResponse) -> list[str]:
    return [problem["code"] for problem in read(response)["problems"]]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_answer_is_that_of_the_command_line(client: FlaskClient, operation: str) -> None:
    answer, body = OPERATIONS[operation]

    response = client.post(f"/api/v1/{operation}", json=body)

    assert response.status_code == 200
    assert read(response) == answer(body)
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize("operation", OPERATIONS)
def test_problems_come_with_the_same_body_and_422_in_the_language_of_the_reader(
    client: FlaskClient, operation: str
) -> None:
    answer, body = OPERATIONS[operation]
    faulty, italian = {**body, "seats": ["Ada", "Ada"], "extra": 1}, {"Accept-Language": "it"}

    response = client.post(f"/api/v1/{operation}", json=faulty, headers=italian)

    assert response.status_code == 422
    assert read(response) == answer(faulty, partial(translate, language="it"))


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_json_is_json_whatever_its_type_is_called(client: FlaskClient, kind: str | None) -> None:
    response = client.post("/api/v1/score", data=json.dumps(DEAL), content_type=kind)

    assert read(response) == operations.score(DEAL)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe\x00", b"[" * MEBIBYTE, b'{"tricks":' * 100_000],
    ids=["nothing", "a bracket", "no letters", "brackets", "an object in an object"],
)
def test_what_is_no_json_is_answered_400(client: FlaskClient, operation: str, body: bytes) -> None:
    italian = {"Accept-Language": "it-IT"}
    response = client.post(f"/api/v1/{operation}", data=body, headers=italian)

    assert response.status_code == 400
    assert read(response) == operations.not_json(partial(translate, language="it"))


def test_mebibyte_is_accepted_and_no_more(client: FlaskClient) -> None:
    body = json.dumps(DEAL).encode().ljust(MEBIBYTE)

    assert client.post("/api/v1/score", data=body).status_code == 200

    refused = client.post("/api/v1/score", data=body + b" ")
    assert refused.status_code == 413
    assert codes(refused) == ["request-entity-too-large"]


def test_body_of_unknown_length_is_counted_while_it_is_read(client: FlaskClient) -> None:
    body = BytesIO(b" " * (MEBIBYTE + 1))

    response = client.post(
        "/api/v1/score", input_stream=body, environ_overrides={"wsgi.input_terminated": True}
    )

    assert response.status_code == 413


@pytest.mark.parametrize("path", ["", "/", "/nothing", "/score/", "/rules/a/b", "/../../etc"])
def test_unknown_address_is_a_problem(client: FlaskClient, path: str) -> None:
    response = client.get(f"/api/v1{path}", headers={"Accept": "text/html"})

    assert (response.status_code, codes(response)) == (404, ["not-found"])


@pytest.mark.parametrize("game", ["poker", "%00", "%f0%9f%83%8f", "%ff", "BRISCOLA-CHIAMATA"])
def test_unknown_game_is_a_problem(client: FlaskClient, game: str) -> None:
    response = client.get(f"/api/v1/rules/{game}")

    assert (response.status_code, codes(response)) == (404, ["unknown-game"])


def test_rules_are_those_of_the_command_line(client: FlaskClient) -> None:
    assert read(client.get("/api/v1/rules")) == operations.rule_sets()
    assert read(client.get("/api/v1/rules/briscola-chiamata")) == operations.rule_sets(
        "briscola-chiamata"
    )


HEADS = "smazzate: 1\ngame: briscola-chiamata\nseats: Ada, Bea, Ciro, Dora, Ezio\n"


def test_file_of_deals_is_answered_with_line_and_column(client: FlaskClient) -> None:
    text = f"{HEADS}dealer: x\ndeal: 4\ncaller: Bea 70 KC\n1. 7B 2D\n"
    sound = client.post("/api/v1/check", data=text.encode())
    italian = {"Accept-Language": "it"}
    faulty = client.post("/api/v1/check", data=f"{HEADS}deal: 1\n8X", headers=italian)
    heads = client.post("/api/v1/check", data=b"smazzate: 1\nseats: \xff")

    deals = list(operations.check_file(text))
    assert read(sound) == {"ok": True, "deals": deals, "problems": []}
    assert [answer.status_code for answer in (sound, faulty, heads)] == [200, 422, 422]
    ((problem,),) = (deal["problems"] for deal in read(faulty)["deals"])
    assert (problem["code"], problem["field"]) == ("card-not-in-deck", "5:1")
    assert problem["message"] == "Riga 5: In questo mazzo non c’è la carta 8X."
    assert (codes(heads), read(heads)["deals"]) == (["unknown-game"], [])


TABLE = "Data;Ada;Bea\n28.12.2023, 20:12;2;-2\n;3;-3\n"
OLD_TABLES = {
    "whole": ({"text": TABLE, "people": ["Adalgisa=Ada"], "answers": {"row": "deal"}}, []),
    "file": ({"file": b64encode(TABLE.encode()).decode(), "name": "a.csv"}, ["row"]),
    "no table": ({"text": "Caro diario"}, ["no-table"]),
    "no base64": ({"file": "?"}, ["wrong-type"]),
    "unknown key": ({"words": TABLE}, ["unknown-key"]),
}


@pytest.mark.parametrize("name", OLD_TABLES)
def test_old_table_is_read_with_the_answers_so_far(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    read_here(monkeypatch)
    body, told = OLD_TABLES[name]

    response = client.post("/api/v1/import-table", json=body)

    is_sound = name in {"whole", "file"}
    assert response.status_code == (200 if is_sound else 422)
    assert (read(response)["open"] if is_sound else codes(response)) == told
    if name == "whole":
        (evening,) = read(response)["evenings"]
        assert (evening["day"], evening["totals"]) == ("2023-12-28", {"Adalgisa": 5, "Bea": -5})
