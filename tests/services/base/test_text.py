import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.typed_text import BLANK, IGNORABLE, looks, one_line, read_name
from tests.data.strategies import examples
from tests.refusals import refused

DENO = Path(sys.executable).with_name("deno")
#: Every code point with the property; a script engine has the data of Unicode.
LISTED = r"""
const ignorable =
  (point) => /^\p{Default_Ignorable_Code_Point}$/u.test(String.fromCodePoint(point));
console.log(JSON.stringify([...Array(0x110000).keys()].filter(ignorable)));
"""


def test_what_is_ignorable_is_what_unicode_says() -> None:
    told = subprocess.run(
        [str(DENO), "run", "--quiet", "-"], input=LISTED, capture_output=True, text=True, check=True
    )

    assert [n for n in range(0x110000) if IGNORABLE.match(chr(n))] == json.loads(told.stdout)
    assert unicodedata.name(BLANK) == "BRAILLE PATTERN BLANK"


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("\u3164", id="filler"),
        pytest.param("\u2800 \u2800", id="braille"),
        pytest.param("\ufe0f\u034f", id="selector and joiner"),
        pytest.param("\U000e0041\U000e0064\U000e0061", id="tag letters"),
        pytest.param("\u0301", id="accent on nothing"),
        pytest.param("\ufff0\U0001bca0", id="unassigned and shorthand"),
    ],
)
def test_name_of_which_nothing_is_seen_is_none(typed: str) -> None:
    assert one_line(typed) == ""
    with refused("bad-name"):
        read_name(typed, (), "name")


@pytest.mark.parametrize(
    "typed",
    ["Ada\ufe0f", "A\u034fda", "\u3164Ada", "Ada\u2800", "A\u200cda", "Ad\U000e0061a", "ADA\u115f"],
)
def test_name_that_looks_like_another_is_taken(typed: str) -> None:
    for name, others in ((typed, ["Bea", "Ada"]), ("Ada", ["Bea", one_line(typed)])):
        with refused("duplicate-name"):
            read_name(name, others, "name")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        pytest.param("❤\ufe0f Ada", "❤\ufe0f Ada", id="emoji by its style"),
        pytest.param("Ada\ufe0f ❤", "Ada ❤", id="no emoji"),
        pytest.param("👩\u200d🦰", "👩\u200d🦰", id="joined emoji"),
        pytest.param("نیم\u200cروز", "نیم\u200cروز", id="Persian"),
        pytest.param("e\u034f\u0301", "é", id="accent after a joiner"),
        pytest.param("Ada\u2800Rossi", "Ada Rossi", id="braille for a space"),
        pytest.param("  Ada \t Rossi ", "Ada Rossi", id="spaces"),
        pytest.param("Ad\0a\x1b", "Ada", id="what steers"),
        pytest.param("Jose\u0301", "José", id="accent of its own"),
        pytest.param("\u202eadA", "adA", id="the other way round"),
        pytest.param("<b>'\"&amp;", "<b>'\"&amp;", id="marks of pages"),
        pytest.param("%(name)s %s {0}", "%(name)s %s {0}", id="places of texts"),
    ],
)
def test_what_is_seen_of_a_name_is_kept(typed: str, kept: str) -> None:
    assert one_line(typed) == kept


@examples(100)
@given(st.text(max_size=12))
def test_line_is_read_again_as_it_was_and_shows_something(typed: str) -> None:
    line = one_line(typed)

    assert one_line(line) == line
    assert looks(line) or not line
