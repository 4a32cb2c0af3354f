from __future__ import annotations

import pytest

from scorer.texts import as_it_is
from scorer.texts import say
from scorer.texts import signed


def test_text_keeps_its_sentence_and_its_values() -> None:
    text = say("The target is %(target)s.", target=61)

    assert str(text) == "The target is 61."
    assert text.template == "The target is %(target)s."
    assert text.values == {"target": 61}


def test_text_inside_a_text_is_said_with_it() -> None:
    assert str(say("%(name)s: %(result)s", name="Ada", result=say("made"))) == "Ada: made"


@pytest.mark.parametrize("name", ["100%", "%(name)s", "%s", "{name}"])
def test_value_is_never_read_as_a_sentence(name: str) -> None:
    assert str(say("%(name)s deals.", name=name)) == f"{name} deals."
    assert str(as_it_is(name)) == name


@pytest.mark.parametrize(("amount", "written"), [(4, "+4"), (0, "0"), (-1, "−1"), (-120, "−120")])
def test_amount_is_written_with_a_real_sign(amount: int, written: str) -> None:
    assert signed(amount) == written
