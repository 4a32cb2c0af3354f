"""Ways through a document, and documents with something else in one place."""

from typing import Any

Path = tuple[Any, ...]
GONE = object()


def paths(data: Any, at: Path = ()) -> list[Path]:
    """Give the way to every value in a document."""
    parts: list[tuple[Any, Any]] = []
    if isinstance(data, dict):
        parts = list(data.items())
    elif isinstance(data, list):
        parts = list(enumerate(data))
    return [at, *(path for key, part in parts for path in paths(part, (*at, key)))]


def value_at(data: Any, path: Path) -> Any:
    """Give what stands there."""
    for key in path:
        data = data[key]
    return data


def replaced(data: Any, path: Path, value: object) -> Any:
    """Give the document with another value there, or without it."""
    if not path:
        return None if value is GONE else value
    key, rest = path[0], path[1:]
    if isinstance(data, dict):
        changed = {**data, key: replaced(data.get(key, {}), rest, value)}
        return (
            {k: v for k, v in changed.items() if k != key}
            if value is GONE and not rest
            else changed
        )
    items = list(data)
    items[key] = replaced(items[key], rest, value)
    return [item for item in items if item is not None or value is not GONE]
