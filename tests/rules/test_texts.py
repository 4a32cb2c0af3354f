from datetime import date

import pytest

from scorer.languages import translate
from scorer.texts import (
    Day,
    Text,
    TypedAmount,
    as_it_is,
    card_count,
    card_point_count,
    deal_count,
    evening_count,
    figures,
    from_to,
    listed,
    needed,
    often,
    point_count,
    say,
    tricks,
    visible,
    with_euphonic_d,
)
from tests.data.rows import rows


def test_text_keeps_its_sentence_and_its_values() -> None:
    text = say("The target is %(target)s.", target=61)

    assert str(text) == "The target is 61."
    assert text.template == "The target is %(target)s."
    assert text.values == {"target": 61}


@pytest.mark.parametrize("name", ["100%", "%(name)s", "%s", "{name}"])
def test_value_is_never_read_as_a_sentence(name: str) -> None:
    assert str(say("%(name)s deals.", name=name)) == f"{name} deals."
    assert str(as_it_is(name)) == name


def test_texts_are_put_one_after_another() -> None:
    parts: list[Text | str] = [say("made"), "100%", say("%(count)s deals", count=3)]

    assert str(listed(parts)) == "made, 100%, 3 deals"
    assert str(listed(parts[:1])) == "made"
    assert str(listed([])) == ""


@pytest.mark.parametrize(
    ("values", "written"), [((22, 18), "22–18"), ((1, 2, 3), "1–2–3"), ((51, None), "51–·")]
)
def test_what_the_sides_have_stands_side_by_side(
    values: tuple[int | None, ...], written: str
) -> None:
    assert figures(values) == written


@pytest.mark.parametrize(
    ("text", "english", "italian"),
    [
        (often(2), "double", "doppio"),
        (often(3), "triple", "triplo"),
        (often(4), "4 times", "4 volte tanto"),
        (tricks(1), "1 trick", "1 presa"),
        (tricks(0), "0 tricks", "0 prese"),
        (deal_count(1), "1 deal", "1 smazzata"),
        (card_count(1), "1 card", "1 carta"),
        (card_count(2), "2 cards", "2 carte"),
        (point_count(1), "1 point", "1 punto"),
        (point_count(2), "2 points", "2 punti"),
        (card_point_count(1), "1 card point", "1 punto"),
        (card_point_count(2), "2 card points", "2 punti"),
        (evening_count(1), "1 evening", "1 serata"),
        (evening_count(2), "2 evenings", "2 serate"),
        (needed(1), "1 was needed", "ne serviva 1"),
        (needed(2), "2 were needed", "ne servivano 2"),
        (deal_count(10), "10 deals", "10 smazzate"),
        (from_to(0, 0), "0", "0"),
        (from_to(14, 72), "between 14 and 72", "tra 14 e 72"),
        (say("%(it)s", it=TypedAmount(1_000_000, 2)), "10000.00", "10000,00"),
        (say("%(it)s", it=TypedAmount(1, 3)), "0.001", "0,001"),
        (say("%(it)s", it=TypedAmount(1_000_000, 0)), "1000000", "1000000"),
        (say("%(it)s", it=Day(date(2026, 11, 20))), "Friday 20 November", "venerdì 20 novembre"),
    ],
)
def test_figures_are_said_as_people_say_them(text: Text, english: str, italian: str) -> None:
    assert (str(text), translate(text, "it")) == (english, italian)


@pytest.mark.parametrize(
    ("name", "said"),
    [("Maria R.", "Ada met Maria R."), ("Maria", "Ada met Maria."), (8, "Ada met 8.")],
)
def test_sentence_that_ends_with_a_shortened_name_has_one_full_stop(
    name: object, said: str
) -> None:
    text = say("%(one)s met %(name)s.", one="Ada", name=name)

    assert (str(text), translate(text, "it")) == (said, said)


@rows(__file__, "euphonic d")
def test_italian_words_before_a_value_take_a_d(template: str, value: object, written: str) -> None:
    assert with_euphonic_d(template, {"one": "Ugo", "name": value}) == written


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        pytest.param("\u202eadA", "\\u202eadA", id="right to left"),
        pytest.param("\x1b[31m\x9b2J", "\\x1b[31m\\x9b2J", id="colours of a terminal"),
        pytest.param("a\rb\x7f\u2028c", "a\\rb\\x7f\\u2028c", id="other lines"),
        pytest.param("a\n\tb", "a\n\tb", id="lines and columns"),
        pytest.param("José\xa0👩\u200d🎤", "José\xa0👩\u200d🎤", id="spaces and joined letters"),
    ],
)
def test_what_steers_what_shows_it_is_escaped(words: str, shown: str) -> None:
    named = say("There is no %(what)s.", what=listed([as_it_is(words), words]))

    assert visible(words) == visible(visible(words)) == shown
    assert str(named) == f"There is no {shown}, {shown}."
    assert translate(named, "it") == f"There is no {shown}, {shown}."
