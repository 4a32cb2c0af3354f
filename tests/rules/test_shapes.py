from datetime import UTC, date, datetime
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from scorer.shapes import Name, OneOf, Shape, fields, gives, keys, written
from scorer.texts import Text, say


class Colour(Enum):
    RED = "red"


class Inner(Shape):
    """A part of a document."""

    name: Name = gives("The name.")


class Outer(Inner):
    """A document with parts."""

    whole: Inner | None = gives("A part.", lambda value: value.inner)
    parts: list[Inner] = gives("Parts in a list.")
    named: dict[str, Any] = gives("Values by name.")
    start: int | None = gives("A number, if there is one.", unsaid=True, called="from")


def value(**other: Any) -> SimpleNamespace:
    inner = SimpleNamespace(name="Bea")
    known = {"name": "Ada", "inner": inner, "parts": [inner, {"name": "Ciro"}], "named": {}}
    return SimpleNamespace(**{**known, "start": None, **other})


def test_document_has_the_fields_of_its_base_and_its_own() -> None:
    assert keys(Outer) == {"name", "whole", "parts", "named", "from"}
    assert [field.part.sentence for field in fields(Inner)] == ["The name."]
    assert written(Outer, value(start=2)) == {
        "name": "Ada",
        "whole": {"name": "Bea"},
        "parts": [{"name": "Bea"}, {"name": "Ciro"}],
        "named": {},
        "from": 2,
    }
    assert "from" not in written(Outer, value())
    assert written(Outer, value(inner=None))["whole"] is None
    assert written(Outer, {"it": "stays"}) == {"it": "stays"}


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        (True, True),
        ("as it is", "as it is"),
        (Colour.RED, "red"),
        (say("%(count)s deals", count=2), "2 DEALS"),
        (datetime(2026, 11, 20, 21, 5, tzinfo=UTC), "2026-11-20T21:05:00Z"),
        (date(2026, 11, 20), "2026-11-20"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Fraction(5, 3), "5/3"),
        ([None, {"a": (1, 2)}], [None, {"a": [1, 2]}]),
    ],
)
def test_values_are_written_as_json_has_them(plain: Any, told: Any) -> None:
    def speak(text: Text) -> str:
        return str(text).upper()

    assert written(Outer, value(named={"it": plain}), speak)["named"] == {"it": told}


def test_one_of_some_words_lists_them() -> None:
    class Wind(OneOf, words=("east", "west")):
        """Where it comes from."""

    assert Wind.schema == {"type": "string", "enum": ["east", "west"]}
