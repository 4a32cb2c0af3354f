"""Rules as documents: one merged over another, and what makes the difference."""

from __future__ import annotations

from typing import Any


def merged(base: Any, override: Any) -> Any:
    """Merge two JSON values deeply: objects key by key, anything else is replaced."""
    if isinstance(base, dict) and isinstance(override, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in override.items()}}
    return override


def difference(base: Any, whole: Any) -> Any:
    """Give the least that, merged over ``base``, makes the whole; both have the same shape."""
    if isinstance(base, dict) and isinstance(whole, dict):
        return {
            key: difference(base.get(key), value)
            for key, value in whole.items()
            if key not in base or base[key] != value
        }
    return whole
