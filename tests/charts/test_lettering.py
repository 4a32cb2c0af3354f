import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.style import cut, directed, letters, number
from scorer.charts.values import PointScale
from scorer.typed_text import clusters, one_line


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("Ada", ["A", "d", "a"], id="letters"),
        pytest.param("e\u0301o\u0300", ["e\u0301", "o\u0300"], id="accents"),
        pytest.param("👨‍👩‍👧x", ["👨‍👩‍👧", "x"], id="joined emoji"),
        pytest.param("👍🏽👍", ["👍🏽", "👍"], id="skin tone"),
        pytest.param("🇮🇹🇫🇷", ["🇮🇹", "🇫🇷"], id="flags"),
        pytest.param("❤️1️⃣", ["❤️", "1️⃣"], id="variation and keycap"),
        pytest.param("Z" + "\u0338" * 20 + "a", ["Z" + "\u0338" * 4, "a"], id="towers of accents"),
    ],
)
def test_a_text_is_cut_between_letters_as_people_see_them(text: str, parts: list[str]) -> None:
    assert clusters(text) == parts


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        pytest.param("Ada", 3, "Ada", id="fits"),
        pytest.param("Massimiliano", 6, "Massi…", id="cut"),
        pytest.param("Anna Maria", 6, "Anna…", id="no blank before the ellipsis"),
        pytest.param("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 5, "👨‍👩‍👧👨‍👩‍👧…", id="whole emoji"),
        pytest.param("毛泽东", 4, "毛…", id="ideographs are wide"),
        pytest.param("Massimiliano", 0, "…", id="no room"),
    ],
)
def test_a_long_text_ends_in_an_ellipsis(text: str, room: float, shown: str) -> None:
    assert cut(text, room) == shown


@given(st.text(max_size=60), st.floats(1, 20))
def test_what_is_shown_fits_and_can_be_written(text: str, room: float) -> None:
    shown = cut(one_line(text), room)
    assert letters(shown) <= room
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


def test_numbers_have_a_real_minus_and_narrow_groups() -> None:
    plain = {0: "0", 4: "4", -4: "−4", 9999: "9999", -12345: "−12\u202f345"}
    for value, written in (plain | {1234567: "1\u202f234\u202f567"}).items():
        assert number(value) == PointScale(counted=True).written(value) == written
        assert PointScale().written(value) == ("+" if value > 0 else "") + written
