"""Mistakes in documents: those that people make with their sentences, and faults of every kind.

A line of a file changes a sound document: ``put`` has new values by their paths, and ``drop`` the
paths of what is left out. A line may hold several cases: ``each`` of some changes, values by their
paths that are ``wrong`` with a ``code`` there, paths that are ``missed``.
"""

import json
import re
from pathlib import Path
from typing import Any

from tests.samples import RECORD

#: Sound documents, by the names that the lines of the files have for them.
DOCUMENTS: dict[str, dict[str, Any]] = {
    **json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")),
    "record": RECORD,
    "solve": RECORD,
}
PLAIN = {key: value for key, value in DOCUMENTS["evening"].items() if key != "deals"}
DEAL: dict[str, Any] = DOCUMENTS["evening"]["deals"][0]
WITH_CARDS: dict[str, Any] = DOCUMENTS["cards"]["deals"][1]


def mistakes(name: str) -> list[dict[str, Any]]:
    """Return every case of a table: ``mistakes`` or ``faults``."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for line in lines for case in _cases(json.loads(line))]


def _cases(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a line says of ``each`` of some changes, or of all that is wrong or missed."""
    changes = line.get("each") or [line.get("put", {})]
    wrong = [
        {"put": {path: value}, "problems": [f"{line['code']} {_field(path)}"]}
        for path, values in line.get("wrong", {}).items()
        for value in values
    ]
    missed = [
        {"drop": [path], "problems": [f"missing-key {_field(path)}"]}
        for path in line.get("missed", ())
    ]
    return [line | case for case in wrong + missed or [{"put": put} for put in changes]]


def _field(path: str) -> str:
    return re.sub(r"\.(\d+)", r"[\1]", path)


def mistaken(mistake: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the mistake in it."""
    # Not a deep copy: the deals of a document are one value, and only one of them changes.
    document: dict[str, Any] = json.loads(json.dumps(DOCUMENTS[mistake["in"]]))
    for path, value in mistake.get("put", {}).items():
        whole, key = _place(document, path)
        whole[key] = value
    for path in mistake.get("drop", ()):
        whole, key = _place(document, path)
        del whole[key]
    return document


def _place(document: Any, path: str) -> tuple[Any, Any]:
    *parts, last = (int(part) if part.isdecimal() else part for part in path.split("."))
    for part in parts:
        document = document.setdefault(part, {}) if isinstance(document, dict) else document[part]
    return document, last
