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


CARDS = [card for trick in RECORD["tricks"] for card in trick]
DEEP = json.loads("[" * 90 + "]" * 90)
RUBBISH: list[Any] = [DEEP, {"a": DEEP}, [[], [[]], {}], [None, [None]], {"": {"": None}}]
MEBIBYTE = 1024 * 1024


@examples(100)
@given(cards=st.permutations(CARDS) | st.lists(st.sampled_from(CARDS), min_size=40, max_size=40))
def test_forty_cards_in_any_order_are_answered(client: FlaskClient, cards: list[str]) -> None:
    tricks = [cards[start : start + 5] for start in range(0, 40, 5)]

    assert answered(client, "check", json.dumps({**RECORD, "tricks": tricks}).encode()) in LAWFUL


def filled_up(change: dict[str, Any]) -> bytes:
    """Write a record of a mebibyte."""
    return json.dumps({**RECORD, **change}).encode().ljust(MEBIBYTE)[:MEBIBYTE]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(filled_up({"tricks": RECORD["tricks"] * 1250}), id="10,000 tricks"),
        pytest.param(filled_up({"tricks": [None] * 100_000}), id="100,000 forgotten tricks"),
        pytest.param(filled_up({"tricks": [["7B"] * 50_000]}), id="a trick of 50,000 cards"),
        pytest.param(filled_up({"tricks": [["x" * 900_000]]}), id="a card that goes on and on"),
        pytest.param(filled_up({"hands": {str(n): ["7B"] for n in range(40_000)}}),
                     id="hands of 40,000 people"),
        pytest.param(filled_up({"auction": [["Ada", "K"]] * 60_000}), id="60,000 calls"),
        pytest.param(filled_up({"seats": [str(n) for n in range(60_000)]}), id="60,000 people"),
        pytest.param(filled_up({"claim": {str(n): n for n in range(40_000)}}),
                     id="40,000 answers to no question"),
        pytest.param(b"[" * MEBIBYTE, id="brackets that are never closed"),
        pytest.param(b"[" * 500_000 + b"]" * 500_000, id="a list in a list in a list"),
        pytest.param(b'{"tricks":' * 100_000, id="an object in an object"),
    ],
)  # fmt: skip
def test_mebibyte_of_rubbish_is_answered(client: FlaskClient, body: bytes) -> None:
    assert answered(client, "check", body) in LAWFUL


@pytest.mark.parametrize("place", places(ASKED["check"])[1:], ids=str)
def test_nested_rubbish_anywhere_in_a_record_is_answered(
    client: FlaskClient, place: tuple[Any, ...]
) -> None:
    for rubbish in RUBBISH:
        document = changed(ASKED["check"], place, rubbish)
        assert answered(client, "check", json.dumps(document).encode()) in LAWFUL
