import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.typed_text import looks, one_line
from scorer.web.base.names import fitted, short_names, text_width
from tests.data.rows import rows
from tests.web.phones import Phone

SMALL = 12 / 13


def written(names: str, room: float) -> str:
    fit = fitted(names.split(", "), room, text_width, least=SMALL)
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


@rows(__file__, "in a circle")
def test_a_person_has_one_short_name_in_a_circle(people: dict[str, str], short: str) -> None:
    assert ", ".join(short_names(people).values()) == short


@given(
    st.dictionaries(
        st.text("AaBb 1", min_size=1, max_size=12), st.text("AaB", max_size=2), max_size=8
    )
)
def test_short_names_of_a_circle_differ(drawn: dict[str, str]) -> None:
    people = {one_line(name): nickname for name, nickname in drawn.items() if one_line(name)}
    people = {name: people[name] for name in {looks(name): name for name in people}.values()}
    short = short_names(people)

    assert list(short) == list(people)
    assert len({looks(called) for called in short.values()}) == len(people)


def test_names_in_sentences_and_chips_are_short_on_every_page(phone: Phone) -> None:
    phone.start(("Nonna Pina", "Maria Rossi", "Maria Teresa", "Ugo", "Zoe"))
    phone.record(1)
    pages = [phone.page(path) for path in ("", "deals/1/", phone.circle_url, "/")]
    shown = [re.sub(r'<span class="sr">[^<]*|"[^"]*"', "", page.source) for page in pages]

    assert [name for name in ("Nonna Pina", "Maria Rossi") if name in "".join(shown)] == []
    assert all('data-short="Maria R."' in page.source for page in pages)


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
