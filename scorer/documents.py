"""JSON of programs, by msgspec; the standard library reads what msgspec refuses.

That is other encodings than UTF-8, and lone surrogates, which are written back escaped.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

WHOLES = {dict, list}
DEEPEST = 100
LONGEST_KEY, MOST_REPEATED = 40, 10
TOO_DEEP = "nested too deeply"
#: `scorer.texts.STEERING` in UTF-8, but for what JSON escapes anyway.
STEERING = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xbb\xbf"
)


def decode(text: str | bytes) -> Any:
    """Decode JSON; raise ValueError for anything else, also for NaN and for too deep nesting."""
    try:
        data = _decode(text)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    if _openings(text) > DEEPEST and _depth(data) > DEEPEST:
        raise ValueError(TOO_DEEP)
    return data


def decode_object(text: str | bytes) -> dict[str, Any] | None:
    """Decode an object as `decode` does; return None for anything else."""
    try:
        document = decode(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def repeated_keys(text: str | bytes, document: Any) -> list[str]:
    """List the paths of keys that an object of this text has more than once.

    There are none if every colon follows a quotation mark and there are as many keys as colons.

    >>> text = '{"seats": [], "deals": [{"dealer": "Ada", "dealer": "Bea"}]}'
    >>> repeated_keys(text, decode(text))
    ['deals[0].dealer']
    """
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    if text.count(b":") == text.count(b'":') == _keys(document):
        return []
    try:
        return list(islice(_repeated(json.loads(text, object_pairs_hook=Pairs), ""), MOST_REPEATED))
    except ValueError:  # a number of more digits than the standard library reads
        return []


class Pairs(list[tuple[str, Any]]):
    """The pairs of an object, in order, also with equal keys."""


def _keys(data: Any) -> int:
    """Count the keys of all objects; the list grows while it is iterated."""
    count, wholes = 0, [data] if type(data) in WHOLES else []
    for whole in wholes:
        parts = whole
        if type(whole) is dict:
            count, parts = count + len(whole), whole.values()
        wholes += [part for part in parts if type(part) in WHOLES]
    return count


def _repeated(data: Any, path: str) -> Iterator[str]:
    if isinstance(data, Pairs):
        keys = Counter(key for key, _ in data)
        head = f"{path}." if path else ""
        yield from (head + key[:LONGEST_KEY] for key, count in keys.items() if count > 1)
        for key, part in data:
            yield from _repeated(part, head + key[:LONGEST_KEY])
    elif isinstance(data, list):
        for number, part in enumerate(data):
            yield from _repeated(part, f"{path}[{number}]")


def encode(document: object, indent: int = 0) -> bytes:
    """Encode a document in UTF-8, without spaces, or indented.

    What would steer the terminal that shows it is escaped: the strings stay the same.
    """
    try:
        text = ENCODER.encode(document)
    except UnicodeEncodeError:
        spaces = (",", ": ") if indent else (",", ":")
        return json.dumps(document, indent=indent or None, separators=spaces).encode()
    if not text.isascii() or b"\x7f" in text:  # most answers are: to search all of them costs 5 %
        text = STEERING.sub(lambda match: b"\\u%04x" % ord(match[0].decode()), text)
    return msgspec.json.format(text, indent=indent) if indent else text


def _decode(text: str | bytes) -> Any:
    try:
        return DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return LENIENT.decode(text)


def _finite(digits: str) -> float:
    """Refuse ``1e999`` and ``NaN``: JSON has no way to write them back."""
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


DECODER, ENCODER = msgspec.json.Decoder(), msgspec.json.Encoder()
LENIENT = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)


def _openings(text: str | bytes) -> int:
    if isinstance(text, bytes):
        return text.count(b"[") + text.count(b"{")
    return text.count("[") + text.count("{")


def _depth(data: Any) -> int:
    """Count the levels of nesting: a deep document can be read but not always written."""
    depth, layer = 0, [data]
    while layer:
        wholes = [
            whole.values() if isinstance(whole, dict) else whole
            for whole in layer
            if isinstance(whole, dict | list)
        ]
        layer = [part for whole in wholes for part in whole]
        depth += bool(wholes)
    return depth
