"""JSON documents: what is read and refused, and that what is written is read back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.documents import decode, encode, repeated_keys
from scorer.texts import STEERING
from tests.data.strategies import examples

PLAIN_KEYS = st.sampled_from(["a", "b", 'c":'])
LETTERS = st.text(st.characters(codec=None))


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth > 1 else []


DOCUMENTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | LETTERS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(LETTERS, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half an object"),
        pytest.param("{'a': 1}", id="Python's quotes"),
        pytest.param("[1, 2,]", id="a comma too many"),
        pytest.param('{"a": NaN}', id="not a number"),
        pytest.param('{"a": -Infinity}', id="infinity"),
        pytest.param('{"a": 1e999}', id="infinity by another name"),
        pytest.param('{"a": -1e999}', id="minus infinity by another name"),
        pytest.param('{"a": ' + "9" * 5000 + "}", id="a number longer than any book"),
        pytest.param("[" * 101 + "]" * 101, id="nested too deeply"),
        pytest.param('{"a":' * 101 + "1" + "}" * 101, id="objects nested too deeply"),
        pytest.param("[" * 100_000 + "]" * 100_000, id="nested without end"),
        pytest.param(b"\xff\xfe\xfa", id="bytes of no script"),
        pytest.param(b'{"a": "\xc3"}', id="half a letter"),
        pytest.param("\N{ZERO WIDTH NO-BREAK SPACE}{}", id="a mark before the text"),
    ],
)
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(text)


def test_json_is_decoded_a_hundred_deep_and_behind_a_mark_of_bytes() -> None:
    assert decode("[" * 100 + "]" * 100) == nested(100)
    assert decode(b'\xef\xbb\xbf{"a": [1.5e3, null, true]}') == {"a": [1500.0, None, True]}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a": "à"}'.encode("utf-16"), id="another encoding"),
        pytest.param(b'{"a": "\\u00e0"}', id="a letter escaped"),
        pytest.param('{"a": 0, "a": "à"}', id="a key twice: the last one counts"),
    ],
)
def test_same_is_read_however_it_is_written(text: str | bytes) -> None:
    assert decode(text) == {"a": "à"}


@examples(200)
@given(DOCUMENTS)
def test_what_is_written_is_read_back(document: Any) -> None:
    assert decode(encode(document)) == document
    assert decode(json.dumps(document)) == document
    assert decode(encode(document, indent=2)) == document


def test_half_a_surrogate_pair_goes_out_as_it_came_in() -> None:
    assert encode(decode(b'["\\ud800", "\\ud83c\\udccf"]')) == b'["\\ud800","\\ud83c\\udccf"]'


def test_what_steers_a_terminal_is_escaped_as_texts_escape_it() -> None:
    letters = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    spread = {
        name: encode(letters, indent).decode() for name, indent in (("line", 0), ("lines", 2))
    }

    assert {name: STEERING.search(text) for name, text in spread.items()} == dict.fromkeys(spread)
    assert decode(spread["line"]) == decode(spread["lines"]) == letters
    assert encode(["\u202e\x9b\x7fè’🂡"]) == b'["\\u202e\\u009b\\u007f' + "è’🂡".encode() + b'"]'


def test_document_is_written_in_one_line_or_spread_out() -> None:
    assert encode({"a": ["è"]}) == '{"a":["è"]}'.encode()
    assert encode({"a": ["è"]}, indent=2) == '{\n  "a": [\n    "è"\n  ]\n}'.encode()


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        pytest.param(b'{"a":1,"a":2}', ["a"], id="at the top"),
        pytest.param('{"a":1,"a":2}', ["a"], id="as a text"),
        pytest.param(b'{"a":1,"a" :2}', ["a"], id="written in two ways"),
        pytest.param(b'{"a":1,"\\u0061":2}', ["a"], id="escaped"),
        pytest.param(b'{"d":[{},{"s":{"b":1,"b":2,"c":3}}]}', ["d[1].s.b"], id="inside"),
        pytest.param(b'{"b":1,"b":{"a":1,"a":2}}', ["b", "b.a"], id="one inside the other"),
        pytest.param('{"a":1,"a":2}'.encode("utf-16"), ["a"], id="in UTF-16"),
        pytest.param(b'{"a":{"a":1},"b":[":",{"a":1}]}', [], id="each once in its object"),
        pytest.param(b'{"a" : 1}', [], id="a space before the colon"),
        pytest.param(b"[1,2]", [], id="no object"),
        pytest.param(b'{"' + b"x" * 50 + b'":{"a":1,"a":2}}', ["x" * 40 + ".a"], id="a long name"),
    ],
)
def test_keys_that_are_there_twice_are_found(text: str | bytes, paths: list[str]) -> None:
    assert repeated_keys(text, decode(text)) == paths


@given(st.lists(st.tuples(PLAIN_KEYS, st.integers() | st.just('":')), max_size=5))
def test_key_is_found_when_it_is_there_twice(pairs: list[tuple[str, object]]) -> None:
    text = ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in pairs)
    keys = [key for key, _ in pairs]

    repeated = repeated_keys(f"{{{text}}}", dict(pairs))

    assert set(repeated) == {key for key in keys if keys.count(key) > 1}
