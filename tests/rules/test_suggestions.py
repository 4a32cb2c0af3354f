import pytest

from scorer.texts import did_you_mean, nearest, say
from tests.data.rows import rows

NAMES = ("Ada", "Bea", "Ciro", "card_points")


@rows(__file__, "nearest")
def test_nearest_word_is_found(word: str, meant: str | None) -> None:
    assert nearest(word, NAMES) == meant


@pytest.mark.parametrize(
    ("word", "told"),
    [("bea", "No. Did you mean Bea?"), ("Zoe", "No. There are: Ada, Bea, Ciro, card_points.")],
)
def test_what_was_meant_is_said_or_all_there_is(word: str, told: str) -> None:
    assert str(did_you_mean(say("No."), word, NAMES)) == told
