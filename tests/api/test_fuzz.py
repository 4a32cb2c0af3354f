"""Bytes that are no document; what documents come to is in ``tests/operations``."""

import json

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.api.test_operations import OPERATIONS
from tests.data.strategies import examples

GOOD = (200, True, False)
LAWFUL = {GOOD, (422, False, True), (400, False, True)}
MEBIBYTE = 1024 * 1024


def answered(client: FlaskClient, operation: str, body: bytes) -> tuple[int, bool, bool]:
    """Give the status, whether it is called good, and whether problems are told."""
    response = client.post(f"/api/v1/{operation}", data=body)
    answer = json.loads(response.data)
    return response.status_code, answer["ok"], not answer["ok"] and bool(answer["problems"])


@examples(100)
@given(
    operation=st.sampled_from([*OPERATIONS]),
    body=st.binary(max_size=40),
)
def test_any_bytes_are_answered(client: FlaskClient, operation: str, body: bytes) -> None:
    assert answered(client, operation, body) in LAWFUL


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
