from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.charts.lettering import text_width
from scorer.charts.names import fitted

LETTERS = partial(text_width, size=1)
SMALL = 12 / 13


def written(names: str, room: float, **nicknames: str) -> str:
    fit = fitted(names.split(", "), room, LETTERS, least=SMALL, nicknames=nicknames)
    return ", ".join(fit.written.values())


@pytest.mark.parametrize(
    ("room", "size"),
    [pytest.param(9, 1, id="roomy"), pytest.param(8, SMALL, id="narrower"), (4, SMALL)],
)
def test_all_of_a_group_have_one_size(room: float, size: float) -> None:
    assert fitted(["Giovambattista", "Ada"], room, LETTERS, least=SMALL).size == size


@pytest.mark.parametrize(
    ("names", "room", "short"),
    [
        pytest.param("Giovambattista, Ada", 10.8, "Giovambattista, Ada", id="two"),
        pytest.param(
            "Giovambattista, Nonno Piero, Ada", 8, "Giovambattista, Nonno Piero, Ada", id="3"
        ),
        pytest.param("Giovambattista, Maria Teresa", 5.2, "Giovamb., M. Teresa", id="four"),
        pytest.param("Giovambattista, Maria Teresa", 4.15, "Giovam., Maria T.", id="five"),
        pytest.param("Nonno Piero, Pierfrancesco", 4.15, "N. Piero, Pierfr.", id="five others"),
        pytest.param("Giovambattista, Maria Teresa", 3.56, "Giov., M. Ter.", id="six"),
        pytest.param(
            "Nonno Piero, Massimiliano, Ada", 3.56, "Non. P., Mass., Ada", id="six others"
        ),
        pytest.param("Maria Teresa", 2.7, "M. T.", id="only initials"),
        pytest.param("Anna Maria Rossi", 4.15, "Anna M.", id="three words"),
        pytest.param(
            "Maria Teresa, Maria Tullia", 4.15, "M. Ter., M. Tull.", id="alike but the last"
        ),
        pytest.param("Francesca, Francesco", 4, "Franc.a, Franc.o", id="alike but for a letter"),
        pytest.param("Giovambattista, Giovambattina", 4.15, "Giov.ta, Giov.na", id="two letters"),
        pytest.param("Xaaaaaaaa1aaa, Xaaaaaaaa2aaa", 3, "X.1, X.2", id="alike at both ends"),
        pytest.param("Massimo, massimo", 3, "Mas.1, mas.2", id="alike but for the case"),
        pytest.param("Ada, ADA, Massimiliano", 4, "Ada, ADA, Mass.", id="alike and short"),
        pytest.param("Aiuoleiaaa", 3, "Aiuol.", id="a consonant at last"),
        pytest.param("Massimiliano", 0.5, "1", id="no room"),
    ],
)
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
    fit = fitted(names, room, LETTERS, least=0.8)

    assert list(fit.written) == names
    assert len({short.casefold() for short in fit.written.values()}) == len(names)
    assert all(LETTERS(short) * fit.size <= room + 0.001 for short in fit.written.values())
