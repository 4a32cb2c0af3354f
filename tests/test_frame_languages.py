from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po
from flask import render_template_string

from scorer import languages
from scorer.languages import translate
from scorer.settings import CHECKOUT
from scorer.texts import Text, say

if TYPE_CHECKING:
    from babel.messages import Catalog
    from flask import Flask

PLACE = re.compile(r"%\(\w+\)[a-z]|%%|%.?")


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def places(text: str) -> list[str]:
    return sorted(PLACE.findall(text))


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    pot = tmp_path_factory.mktemp("texts") / "messages.pot"
    program = [str(Path(sys.executable).with_name("pybabel")), "--quiet", "extract"]
    keywords = ["--mapping-file", "pyproject.toml", "--keywords", "say lazy_gettext"]
    subprocess.run([*program, *keywords, "--output", str(pot), "."], cwd=CHECKOUT, check=True)
    with pot.open("rb") as file:
        return read_po(file)


@pytest.fixture(scope="module")
def italian() -> Catalog:
    with languages.catalogue_file("it").open("rb") as file:
        return read_po(file, locale="it")


def test_every_text_has_an_italian_translation(wanted: Catalog, italian: Catalog) -> None:
    missing = [
        message.id
        for message in wanted
        if message.id
        and not ((found := italian.get(message.id)) and found.string and all(forms(found.string)))
    ]

    assert len(list(wanted)) > 100
    assert missing == []


def test_no_translation_is_doubtful_or_left_over(wanted: Catalog, italian: Catalog) -> None:
    doubtful = [message.id for message in italian if message.id and message.fuzzy]
    left_over = [message.id for message in italian if message.id and message.id not in wanted]

    assert doubtful == []
    assert left_over == []
    assert list(italian.obsolete) == []


def test_translations_have_the_places_of_their_texts(italian: Catalog) -> None:
    differing = [
        message.id
        for message in italian
        if message.id and message.string
        for string in forms(message.string)
        if string and places(string) not in [places(text) for text in forms(message.id)]
    ]

    assert differing == []


def test_places_have_names(wanted: Catalog) -> None:
    nameless = [
        text
        for message in wanted
        for text in forms(message.id)
        for place in places(text)
        if not place.startswith("%(") and place != "%%" and message.python_format
    ]

    assert nameless == []


def test_text_is_translated_with_the_texts_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dictionary:
        def gettext(self, template: str) -> str:
            return {"%(who)s won: %(what)s.": "%(what)s: ha vinto %(who)s.", "made": "fatta"}[
                template
            ]

    monkeypatch.setattr(languages, "catalogue", lambda _: Dictionary())
    text = say("%(who)s won: %(what)s.", who="Ada", what=say("made"))

    assert translate(text, "it") == "fatta: ha vinto Ada."
    assert translate(text, "en") == "Ada won: made."


def test_empty_text_stays_empty() -> None:
    assert translate(Text("", {}), "it") == ""


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "it-IT,it;q=0.9,en;q=0.8", "it"),
        ("", "fr-FR,en;q=0.5", "en"),
        ("", "de", "en"),
        ("it", "en", "it"),
        ("en", "it", "en"),
        ("xx", "it", "it"),
    ],
)
def test_language_is_the_chosen_one_or_that_of_the_browser(
    app: Flask, cookie: str, accepted: str, language: str
) -> None:
    heard = {"en": "Too often", "it": translate(say("Too often"), "it")}
    app.add_url_rule("/said", view_func=lambda: render_template_string("{{ _('Too often') }}"))
    client = app.test_client()
    if cookie:
        client.set_cookie("language", cookie)

    response = client.get("/said", headers={"Accept-Language": accepted})

    assert response.text == heard[language]


def test_template_shows_a_text_in_the_language_of_the_reader(app: Flask) -> None:
    app.add_url_rule(
        "/said", view_func=lambda: render_template_string("{{ t }}", t=say("Too much"))
    )

    response = app.test_client().get("/said", headers={"Accept-Language": "it"})

    assert response.text == translate(say("Too much"), "it")
