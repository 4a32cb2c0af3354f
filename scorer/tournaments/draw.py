"""Draws that anybody can compute again: by the SHA-256 of a seed and an id.

>>> digest("any text", "a")[:8], digest("any text", "b")[:8]
('89b991d7', '8be082b3')
>>> by_lot(["a", "b"], "any text")
['a', 'b']
"""

from collections.abc import Iterable
from hashlib import sha256


def digest(*parts: str) -> str:
    """Return the hexadecimal SHA-256 of texts joined by slashes, in UTF-8."""
    return sha256("/".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def by_lot(ids: Iterable[str], *seed: str) -> list[str]:
    """Sort ids by the digests of the seed and each id."""
    return sorted(ids, key=lambda entry: digest(*seed, entry))
