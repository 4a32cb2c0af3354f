import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.lettering import (
    clean,
    clusters,
    directed,
    number,
    shorten,
    signed,
    text_width,
)
from tests.data.rows import rows


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("  Ada \t\n Rossi\u2028", "Ada Rossi", id="blanks"),
        pytest.param("A\x00d\x1ba\x85", "Ada", id="controls"),
        pytest.param("A\ud800d\uffffa\ufffe", "Ada", id="not for XML"),
        pytest.param("\u202eadA\u2066\u2069", "adA", id="turned direction"),
        pytest.param("👩🏽‍🚀🏴󠁧󠁢󠁥󠁮󠁧󠁿🫨", "👩🏽‍🚀🏴󠁧󠁢󠁥󠁮󠁧󠁿🫨", id="emoji"),
        pytest.param("می‌خواهم", "می‌خواهم", id="zero-width non-joiner"),
    ],
)
def test_clean_keeps_what_can_be_written(text: str, kept: str) -> None:
    assert clean(text) == kept


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("Ada", ["A", "d", "a"], id="letters"),
        pytest.param("e\u0301o\u0300", ["e\u0301", "o\u0300"], id="accents"),
        pytest.param("👨‍👩‍👧x", ["👨‍👩‍👧", "x"], id="joined emoji"),
        pytest.param("👍🏽👍", ["👍🏽", "👍"], id="skin tone"),
        pytest.param("🇮🇹🇫🇷", ["🇮🇹", "🇫🇷"], id="flags"),
        pytest.param("🏴󠁧󠁢󠁥󠁮󠁧󠁿a", ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "a"], id="flag of England"),
        pytest.param("❤️1️⃣", ["❤️", "1️⃣"], id="variation and keycap"),
        pytest.param("Z" + "\u0338" * 20 + "a", ["Z" + "\u0338" * 4, "a"], id="towers of accents"),
    ],
)
def test_a_text_is_cut_between_letters_as_people_see_them(text: str, parts: list[str]) -> None:
    assert list(clusters(text)) == parts


@rows(__file__, "widths")
def test_widths_are_about_right(text: str, least: float, most: float) -> None:
    assert least * 10 <= text_width(text, 10) <= most * 10 + 0.001


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        pytest.param("Ada", 100, "Ada", id="fits"),
        pytest.param("Massimiliano", 46, "Massi…", id="cut"),
        pytest.param("Anna Maria", 42, "Anna…", id="no blank before the ellipsis"),
        pytest.param("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 38, "👨‍👩‍👧👨‍👩‍👧…", id="whole emoji"),
        pytest.param("Massimiliano", 0, "…", id="no room"),
    ],
)
def test_a_long_text_ends_in_an_ellipsis(text: str, width: float, shown: str) -> None:
    assert shorten(text, 10, width) == shown


@given(st.text(max_size=60), st.floats(20, 200))
def test_what_is_shown_fits_and_can_be_written(text: str, width: float) -> None:
    shown = shorten(clean(text), 14, width)
    assert text_width(shown, 14) <= width
    assert not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in shown)
    shown.encode()


@pytest.mark.parametrize(
    ("text", "leftward"),
    [
        pytest.param("Ada", False, id="Latin"),
        pytest.param("محمد", True, id="Arabic"),
        pytest.param("🙂 שרה (Sara)", True, id="Hebrew after an emoji"),
        pytest.param("Sara שרה", False, id="Latin first"),
        pytest.param("−12", False, id="number"),
    ],
)
def test_the_first_letter_with_a_direction_decides(*, text: str, leftward: bool) -> None:
    assert (directed(text) != text) is leftward


@pytest.mark.parametrize(
    ("value", "plain", "with_sign"),
    [
        (0, "0", "0"),
        (4, "4", "+4"),
        (-4, "−4", "−4"),
        (9999, "9999", "+9999"),
        (-12345, "−12\u202f345", "−12\u202f345"),
        (1234567, "1\u202f234\u202f567", "+1\u202f234\u202f567"),
    ],
)
def test_numbers_have_a_real_minus_and_narrow_groups(
    value: int, plain: str, with_sign: str
) -> None:
    assert number(value) == plain
    assert signed(value) == with_sign
