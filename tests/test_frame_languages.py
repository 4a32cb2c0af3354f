import re
import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po
from flask import Flask, render_template_string
from flask_babel import gettext as flask_gettext

from scorer import languages
from scorer.languages import translate
from scorer.settings import CHECKOUT
from scorer.texts import BEFORE_VALUE, Text, say
from tests.data.rows import rows as rows_of

PLACE = re.compile(r"%\(\w+\)[a-z]|%%|%.?")
#: A number, and behind it a word that stands for more than one.
MANY = {
    "en": re.compile(
        r"(?<!\w)1 (?:card |hand |clean |dirty |semi-clean |French |Italian )?(?:cards|points|deals"
        r"|tricks|turns|players|coins|letters|rows|columns|seconds|minutes|days|evenings|sessions"
        r"|phones|photos|times|calls|callers|people|burrachi|were|are|make)\b"
    ),
    "it": re.compile(
        r"(?<!\w)1 (?:punti|carte|smazzate|prese|giocatori|volte|turni|mani|serate|lettere|righe"
        r"|colonne|denari|assi|secondi|minuti|giorni|telefoni|chiamate|chiamanti|burrachi)\b"
        r"|\b(?:servivano|servono|mancano) 1\b"
    ),
}
#: A number above 1, and behind it a word that stands for one.
ONE = {
    "en": re.compile(
        r"\b2 (?:card (?!points)|point|deal|trick|turn|player|evening|session|time|burraco)\b"
    ),
    "it": re.compile(r"\b2 (?:carta|punto|smazzata|presa|giocatore|serata|volta|burraco)\b"),
}
#: Texts whose number is never 1.
NEVER_ONE = [
    line
    for line in (CHECKOUT / "tests/data/never_one.txt").read_text("utf-8").splitlines()[1:]
    if line and not line.startswith("# ")
]
#: Places that hold words, or the number of a deal or a phone.
WORDS = re.compile(
    r"%\((?:name|names|dealer|who|side|card|title|whose|other|caller|partner|number|payer|payee|game"
    r"|circle|session|rules|phone|holder|bid|suit|message|word|coins|cards_of)\)s"
)
PLACES = re.compile(r"%\((\w+)\)")


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


def read_catalogue(language: str) -> Catalog:
    with languages.catalogue_file(language).open("rb") as file:
        return read_po(file, locale=language)


@pytest.fixture(scope="module")
def italian() -> Catalog:
    return read_catalogue("it")


@pytest.fixture(scope="module", params=languages.LANGUAGES[1:])
def translated(request: pytest.FixtureRequest) -> Catalog:
    return read_catalogue(request.param)


def test_every_text_has_a_translation(wanted: Catalog, translated: Catalog) -> None:
    missing = [
        message.id
        for message in wanted
        if message.id
        and not (
            (found := translated.get(message.id)) and found.string and all(forms(found.string))
        )
    ]

    assert len(list(wanted)) > 100
    assert missing == []


def test_no_translation_is_doubtful_or_left_over(wanted: Catalog, translated: Catalog) -> None:
    doubtful = [message.id for message in translated if message.id and message.fuzzy]
    left_over = [message.id for message in translated if message.id and message.id not in wanted]

    assert doubtful == []
    assert left_over == []
    assert list(translated.obsolete) == []


def test_translations_have_the_places_of_their_texts(translated: Catalog) -> None:
    differing = [
        message.id
        for message in translated
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


@rows_of(__file__, "chosen")
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


def with_number(text: str, number: int) -> str:
    return re.sub(r"%\(\w+\)[sd]", str(number), WORDS.sub("x", text))


def in_both(message: Message) -> dict[str, str]:
    """The form of a text that is said with 1, in each language."""
    return {"en": forms(message.id)[0], "it": forms(message.string or "")[0]}


def test_no_text_has_a_word_for_many_behind_1(italian: Catalog) -> None:
    wrong = {
        message.id
        for message in italian
        if message.id
        for language, text in in_both(message).items()
        if MANY[language].search(with_number(text, 1))
    }

    assert wrong - {*NEVER_ONE} == set()
    assert {*NEVER_ONE} - wrong == set()  # each is still said, and would be wrong with 1


def test_no_text_has_a_word_for_one_behind_2(italian: Catalog) -> None:
    wrong = {
        text
        for message in italian
        if message.id and message.string
        for language, said in (("en", message.id), ("it", message.string))
        if ONE[language].search(text := with_number(forms(said)[-1], 2))
    }

    assert wrong == set()


@pytest.mark.parametrize("name", ["Anna", "Ugo", "ezio", "Édith", "“Ezio”", "Zoe"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_list_is_said_with_a_name_in_each_vowel(
    italian: Catalog, name: str, language: str
) -> None:
    name = name.lower()
    first = re.sub(r"\W", "", normalize("NFD", name))[0]
    linked = [
        message.id
        for message in italian
        if isinstance(message.id, str) and BEFORE_VALUE.search(str(message.string))
    ]
    wrong = []
    for text in linked:
        sentence = translate(Text(text, dict.fromkeys(PLACES.findall(text), name)), language)
        for word in re.findall(rf"(?<![\w’'])([ea]d?) (?={re.escape(name)})", sentence.lower()):
            same = language == "it" and word[0] == first
            wrong += [] if word == word[0] + "d" * same else [sentence]

    assert len(linked) > 20
    assert wrong == []


@pytest.mark.parametrize(
    ("names", "english", "italian"),
    [
        (["Ugo", "Ezio"], "Ugo and Ezio", "Ugo ed Ezio"),
        (["Anna", "Ivo", "Èlia"], "Anna, Ivo and Èlia", "Anna, Ivo ed Èlia"),
        (["Ezio", "Anna"], "Ezio and Anna", "Ezio e Anna"),
        (["Ezio", "Gino e Enza"], "Ezio and Gino e Enza", "Ezio e Gino e Enza"),
        (["Ezio"], "Ezio", "Ezio"),
    ],
)
def test_page_lists_names_in_the_language_of_the_reader(
    app: Flask, names: list[str], english: str, italian: str
) -> None:
    ways = (
        "{{ names|joined }}",
        "{{ names|joined|say }}",
        "{{ _('%(name)s', name=names|joined) }}",
        "{{ gettext('%(name)s', name=names|joined) }}",
    )
    app.add_url_rule(
        "/said",
        view_func=lambda: render_template_string(
            "\n".join(ways), names=names, gettext=flask_gettext
        ),
    )

    for language, said in (("en", english), ("it", italian)):
        answer = app.test_client().get("/said", headers={"Accept-Language": language})
        assert answer.text.splitlines() == [said] * len(ways)
