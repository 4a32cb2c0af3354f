"""Cases as rows of a table beside their tests, ``questions.json`` for ``test_questions.py``."""

import json
from pathlib import Path

import pytest


def rows(file: str, section: str) -> pytest.MarkDecorator:
    """Run a test with each row of a section; keys are its arguments, but for the ``id``."""
    path = Path(file)
    table = path.with_name(path.stem.removeprefix("test_")).with_suffix(".json")
    listed = json.loads(table.read_text(encoding="utf-8"))[section]
    names = [name for name in listed[0] if name != "id"]
    cases = [pytest.param(*(row[name] for name in names), id=row.get("id")) for row in listed]
    return pytest.mark.parametrize(names, cases)
