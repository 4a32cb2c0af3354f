from __future__ import annotations

import json
from typing import TYPE_CHECKING
from typing import Any

from hypothesis import HealthCheck
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from scorer import verbs
from tests.samples import DEAL
from tests.samples import RECORD
from tests.samples import SESSION

if TYPE_CHECKING:
    from flask.testing import FlaskClient

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
    "score": {**DEAL, "rules": verbs.rule_sets("briscola-chiamata")[0], "dealer": "Ada"},
    "check": {
        **RECORD,
        "claim": {**RECORD["claim"], "player_points": {"Ada": 0}, "cappotto": False},
        "auction": [["Ada", "A"], ["Bea", "K"], ["Ciro", "pass"]],
        "hands": {"Ada": ["7B", "5C", "QB", "6S", "3S", "3D", "6B", "2B"]},
        "discards": [],
        "tricks": [{"leader": "Ada", "cards": RECORD["tricks"][0], "winner": "Ezio"}, None],
    },
    "replay": {
        **SESSION,
        "opening": {"Ada": 3},
        "deals": [
            *SESSION["deals"],
            {"outcome": "thrown-in", "dealer": "Bea", "sits_out": []},
            {"outcome": "penalty", "sheet": {"offender": "Ciro"}, "play": {"tricks": []}},
        ],
    },
}


def check_answered(client: FlaskClient, verb: str, body: bytes) -> None:
    response = client.post(f"/api/v1/{verb}", data=body)

    answer = json.loads(response.data)
    assert response.status_code in {200, 400, 422}
    assert answer["ok"] is (response.status_code == 200)
    if not answer["ok"]:
        assert answer["problems"]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(verb=st.sampled_from(list(ASKED)), document=JSON)
def test_any_json_is_answered(client: FlaskClient, verb: str, document: Any) -> None:
    check_answered(client, verb, json.dumps(document).encode())


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_request_with_one_thing_changed_is_answered(
    client: FlaskClient, data: st.DataObject
) -> None:
    verb = data.draw(st.sampled_from(list(ASKED)))
    place = data.draw(st.sampled_from(places(ASKED[verb])))

    document = changed(ASKED[verb], place, data.draw(JSON))

    check_answered(client, verb, json.dumps(document).encode())


@settings(deadline=None)
@given(verb=st.sampled_from(list(ASKED)), body=st.binary(max_size=40))
def test_any_bytes_are_answered(client: FlaskClient, verb: str, body: bytes) -> None:
    check_answered(client, verb, body)
