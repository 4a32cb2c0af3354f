"""JSON as programs send it and get it, by msgspec; what that refuses the standard library reads.

It reads other encodings than UTF-8 too, and halves of surrogate pairs, which come back escaped.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

DEEPEST = 100
TOO_DEEP = "nested too deeply"


def decode(text: str | bytes) -> Any:
    """Decode JSON; raise ValueError for anything else, also for NaN and for too deep nesting."""
    try:
        data = _decode(text)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    if _openings(text) > DEEPEST and _depth(data) > DEEPEST:
        raise ValueError(TOO_DEEP)
    return data


def encode(document: object, indent: int = 0) -> bytes:
    """Encode a document in UTF-8, without spaces, or spread over lines."""
    try:
        text = ENCODER.encode(document)
    except UnicodeEncodeError:
        spaces = (",", ": ") if indent else (",", ":")
        return json.dumps(document, indent=indent or None, separators=spaces).encode()
    return msgspec.json.format(text, indent=indent) if indent else text


def _decode(text: str | bytes) -> Any:
    try:
        return DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return LENIENT.decode(text)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """Refuse ``1e999``: it would come back as Infinity, which is not JSON."""
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits)
    return number


DECODER, ENCODER = msgspec.json.Decoder(), msgspec.json.Encoder()
LENIENT = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def _openings(text: str | bytes) -> int:
    if isinstance(text, bytes):
        return text.count(b"[") + text.count(b"{")
    return text.count("[") + text.count("{")


def _depth(data: Any) -> int:
    """Count the levels of nesting; what is too deep could be read but not always written back."""
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
