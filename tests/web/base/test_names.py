import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.web.base.names import fitted, text_width
from tests.data.rows import rows

SMALL = 12 / 13


def written(names: str, room: float, **nicknames: str) -> str:
    fit = fitted(names.split(", "), room, text_width, least=SMALL, nicknames=nicknames)
    return ", ".join(fit.written.values())


@pytest.mark.parametrize(
    ("room", "size"),
    [pytest.param(9, 1, id="roomy"), pytest.param(7, SMALL, id="narrower"), (4, SMALL)],
)
def test_all_of_a_group_have_one_size(room: float, size: float) -> None:
    assert fitted(["Giovambattista", "Ada"], room, text_width, least=SMALL).size == size


@rows(__file__, "short names")
def test_a_long_name_has_its_first_letters_and_a_point(names: str, room: float, short: str) -> None:
    assert written(names, room) == short


def test_a_nickname_that_fits_stands_for_a_long_name_only() -> None:
    assert written("Giovambattista, Ada", 4, Giovambattista="Titta", Ada="La zia") == "Titta, Ada"
    assert written("Giovambattista", 4.15, Giovambattista="Il Grande Capo") == "Giovam."


@given(
    st.lists(
        st.text("AaBbMmOo àW.1👩", min_size=1, max_size=24), max_size=8, unique_by=str.casefold
    ),
    st.floats(3, 12),
)
def test_different_names_stay_different_and_fit(drawn: list[str], room: float) -> None:
    names = [name for name in drawn if name.strip()]
    fit = fitted(names, room, text_width, least=0.8)

    assert list(fit.written) == names
    assert len({short.casefold() for short in fit.written.values()}) == len(names)
    assert all(text_width(short) * fit.size <= room + 0.001 for short in fit.written.values())


@rows(__file__, "widths")
def test_widths_are_about_right(text: str, least: float, most: float) -> None:
    assert least <= text_width(text) <= most + 0.0001
