import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from scorer import operations
from tests.data.strategies import examples
from tests.samples import DEAL, RECORD, SESSION

WORDS = st.one_of(
    st.sampled_from([
        "id", "game", "rules", "seats", "sheet", "dealer", "deals", "opening", "outcome", "format",
        "caller", "bid", "partner", "card_points", "made", "times", "called_card", "preset",
        "score", "bands", "auction", "style", "session", "target", "sits_out", "offender",
        "penalty", "briscola-chiamata", "monte-7", "none", "K", "2@70", "Ada", "Bea",
    ]),
    st.text(st.characters(), max_size=5),
)  # fmt: skip
NUMBERS = st.one_of(st.integers(-2, 130), st.integers(), st.floats(allow_nan=False))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(WORDS, inner, max_size=6)),
    max_leaves=20,
)


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the path of every value inside a document."""
    parts: Any = ()
    if isinstance(document, dict):
        parts = document.items()
    elif isinstance(document, list):
        parts = enumerate(document)
    return [path, *(place for key, part in parts for place in places(part, (*path, key)))]


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Put a value in the place of another."""
    if not path:
        return value
    if isinstance(document, dict):
        return {**document, path[0]: changed(document[path[0]], path[1:], value)}
    copy = list(document)
    copy[path[0]] = changed(copy[path[0]], path[1:], value)
    return copy


ASKED = {
    "score": {**DEAL, "rules": operations.rule_sets("briscola-chiamata")[0], "dealer": "Ada"},
    "check": {
        **RECORD,
        "claim": {**RECORD["claim"], "player_points": {"Ada": 0}, "cappotto": False},
        "auction": [["Ada", "A"], ["Bea", "K"], ["Ciro", "pass"]],
        "hands": {"Ada": ["7B", "5C", "QB", "6S", "3S", "3D", "6B", "2B"]},
        "discards": [],
        "tricks": [{"leader": "Ada", "cards": RECORD["tricks"][0], "winner": "Ezio"}, None],
    },
    "solve": {
        **RECORD,
        "ask": "best",
        "from": {"trick": 7, "card": 2},
        "limit": {"nodes": 100, "seconds": 1},
    },
    "replay": {
        **SESSION,
        "opening": {"Ada": 3},
        "deals": [
            *SESSION["deals"],
            {"outcome": "thrown-in", "dealer": "Bea", "sits_out": []},
            {"outcome": "penalty", "sheet": {"offender": "Ciro"}, "play": {"tricks": []}},
            {
                **SESSION["deals"][0],
                "play": {
                    "called_card": "KC",
                    "auction": [["Ada", "A"], ["Bea", "K"]],
                    "hands": {"Ada": ["7B"]},
                    "tricks": [{"leader": "Ada", "cards": RECORD["tricks"][0]}, None],
                    "note": "As Ezio says",
                },
            },
        ],
    },
}


def answered(client: FlaskClient, operation: str, body: bytes) -> tuple[int, bool, bool]:
    """Give the status, whether it is called good, and whether problems are told."""
    response = client.post(f"/api/v1/{operation}", data=body)
    answer = json.loads(response.data)
    return response.status_code, answer["ok"], not answer["ok"] and bool(answer["problems"])


GOOD = (200, True, False)
LAWFUL = {GOOD, (422, False, True), (400, False, True)}


@examples(100)
@given(operation=st.sampled_from(list(ASKED)), document=JSON)
def test_any_json_is_answered(client: FlaskClient, operation: str, document: Any) -> None:
    assert answered(client, operation, json.dumps(document).encode()) in LAWFUL


@examples(300)
@given(data=st.data())
def test_request_with_one_thing_changed_is_answered(
    client: FlaskClient, data: st.DataObject
) -> None:
    operation = data.draw(st.sampled_from(list(ASKED)))
    place = data.draw(st.sampled_from(places(ASKED[operation])))

    document = changed(ASKED[operation], place, data.draw(JSON))

    assert answered(client, operation, json.dumps(document).encode()) in LAWFUL


@examples(100)
@given(operation=st.sampled_from(list(ASKED)), body=st.binary(max_size=40))
def test_any_bytes_are_answered(client: FlaskClient, operation: str, body: bytes) -> None:
    assert answered(client, operation, body) in LAWFUL


MEBIBYTE = 1024 * 1024


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"[" * MEBIBYTE, id="brackets that are never closed"),
        pytest.param(b"[" * 500_000 + b"]" * 500_000, id="a list in a list in a list"),
        pytest.param(b'{"tricks":' * 100_000, id="an object in an object"),
    ],
)
def test_mebibyte_of_brackets_is_answered(client: FlaskClient, body: bytes) -> None:
    assert answered(client, "check", body) in LAWFUL
