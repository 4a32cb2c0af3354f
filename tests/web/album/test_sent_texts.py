"""What leaves the phone as a text: every one is read here, in both languages."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from tests.web.pages import Page
from tests.web.phones import Phone

NAMES = ("Nonna Pina", "Maria Rossi", "Maria Teresa", "Ugo", "Zoe")
LANGUAGE = pytest.mark.parametrize("language", ["en", "it"])


@pytest.fixture(autouse=True)
def _at_an_address(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.config, "PUBLIC_URL", "https://cards.example")


def texts_of(page: Page) -> list[str]:
    """Read the texts that a page sends, from the links that send them."""
    links = re.findall(r'href="(https://wa\.me/[^"]+)"', page.source)
    return [parse_qs(urlsplit(unescape(link)).query)["text"][0] for link in links]


def played(app: Flask, language: str) -> Phone:
    phone = Phone(app, **{"Accept-Language": language})
    phone.start(NAMES, stake="0.50", title="")
    for number in range(1, 5):
        phone.record(number)
    phone.post("end")
    return phone


def sent(phone: Phone) -> Iterator[str]:
    """Yield every text of the pages that send one."""
    phone.post(f"{phone.circle_url}share", {"role": "player"})
    listed = phone.page(f"{phone.circle_url}players/").source
    one, other = list(dict.fromkeys(re.findall(r"players/([0-9a-f-]{36})/", listed)))[:2]
    person = f"{phone.circle_url}players/{one}/"
    paths = "last", f"{phone.circle_url}share", f"{person}year", f"{person}with/{other}"
    for path in paths:
        texts = texts_of(phone.page(path))
        assert texts, path
        yield from texts


@LANGUAGE
def test_no_text_lets_anybody_in_or_says_what_was_not_published(app: Flask, language: str) -> None:
    phone = played(app, language)
    phone.post("public", {"names": "full"})
    texts = list(sent(phone))
    shared = phone.page(f"{phone.circle_url}share")
    code = re.search(r'class="spoken"[^>]*>([^<]+)', shared.source)
    link = re.search(r'id="link" readonly value="([^"]+)"', shared.source)
    assert code is not None
    assert link is not None

    secrets = str(phone.keys[0]), code[1].strip(), unescape(link[1]).rpartition("#")[2]
    for text in texts:
        addresses = re.findall(r"https?://[^\s]+", text)
        begun = {urlsplit(address).path.split("/")[1] for address in addresses}
        assert begun <= {"evening", "join."}
        assert not any("#" in address for address in addresses)
        assert [said for said in (*secrets, "€", "%", "Maria Rossi") if said in text] == []


@LANGUAGE
def test_text_of_an_evening_says_who_won_by_how_much_and_the_page(
    app: Flask, language: str
) -> None:
    phone = played(app, language)
    (before,) = texts_of(phone.page("last"))
    phone.post("public", {"names": "full"})
    (after,) = texts_of(phone.page("last"))

    assert "://" not in before
    assert after.startswith(before)
    assert after.rpartition("\n")[2].startswith("https://cards.example/evening/")
    ahead = {
        "en": "Nonna won, 4 points ahead of Maria R.",
        "it": "Vince Nonna, 4 punti davanti a Maria R.",
    }
    assert ahead[language] in before
    assert "Nonna +8, Maria R. +4, Maria T. −4, Ugo −4, Zoe −4." in before.replace("\xa0", " ")


def test_text_says_by_which_rule_somebody_won_where_points_do_not_decide(app: Flask) -> None:
    phone = Phone(app).start(("Ada", "Bea", "Ciro"), game="ramino", rules="to-101")
    hands = {"hands-0": "90", "hands-1": "", "hands-2": "9"}
    assert phone.enter(1, closed="1", close="plain", **hands).status_code == 303
    hands = {"hands-0": "", "hands-1": "9", "hands-2": "4"}
    assert phone.enter(2, closed="0", close="ramino", **hands).status_code == 303
    phone.post("end")
    (text,) = texts_of(phone.page("last"))

    assert "Ada won. A ramino wins the match." in text
    assert " ahead of " not in text


def test_text_has_initials_where_the_page_of_the_evening_has_them(app: Flask) -> None:
    phone = played(app, "en")
    phone.post("public", {"names": "initials"})
    (text,) = texts_of(phone.page("last"))

    assert "N.\xa0+8" in text
    assert not any(word in text for word in ("Nonna", "Ugo", "Zoe"))


def test_text_of_several_games_has_a_line_for_each_and_who_won_most(app: Flask) -> None:
    phone = played(app, "en")
    phone.url = phone.post("next", {"game": "points"}).headers["Location"]
    figures = {f"points-{side}": str(9 - side) for side in range(5)}
    phone.enter(1, **figures)
    phone.post("end")
    (text,) = texts_of(phone.page("last"))
    result, _, *lines = text.replace("\xa0", " ").split("\n")

    assert result.endswith("Nonna: 2 games of 2.")
    assert lines[:2] == [
        "Briscola Chiamata: Nonna +8, Maria R. +4, Maria T. −4, Ugo −4, Zoe −4.",
        "Free points: Nonna 1, Maria R. 0, Maria T. 0, Ugo 0, Zoe 0.",
    ]
