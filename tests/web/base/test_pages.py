"""Every page opens, in each language; none changes a row; each refuses a browser of elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po
from flask import Flask
from werkzeug.test import TestResponse

from scorer import languages
from scorer.evening.acts import ACTS
from scorer.languages import LANGUAGES
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.photos import add, add_photo
from tests.web.routes import addresses, values, write_a_card
from tests.web.rows import rows
from tests.web.tables import keep_table

#: Forms with keys and versions that only our pages fill in, and those whose key may be left out.
FILLED_IN_BY_PAGES = [
    *(f"deals.{name}" for name in ACTS),
    "circles.give_role", "circles.new_link", "deals.amend_sent", "deals.cancel_start",
    "deals.outcome", "deals.preview", "deals.record_sent", "deals.resume_start", "deals.start",
    "deals.undo", "notebooks.preview_sent", "notes.add", "rule_sets.bring_in",
    "rule_sets.edit_sent", "rule_sets.new_sent", "rule_sets.preview", "sessions.bring_in",
    "sessions.new_sent", "sessions.pass_pen", "tricks.amend", "tricks.enter_sent", "tricks.keep",
]  # fmt: skip
KEYED = ["circles.make_recovery", "circles.no_recovery"]
TOKEN = re.compile(r'name="csrf_token" value="[^"]*"')
#: A language without a catalogue of ours, whose days and currencies are known.
MADE_UP = "hr"
#: What every language keeps of a text: places of values, markup, addresses.
KEPT = re.compile(r"(%\(\w+\)[a-z]|%%|\{\w+\}|<[^>]*>|&\w+;|https?://\S+)")
ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
#: What people typed that evening, and what is called so everywhere.
TYPED = re.compile(
    "House table|Another phone|The last card|A card lay on the floor|Friday"
    "|Europe/Rome|English|scorer|cardrulesplus.com, Briscola Chiamata"
)
#: What scripts say is several words; what is for them alone is a code, an address or JSON.
SENTENCE = re.compile(r"(?![{\[])\S+ ")
ELSEWHERE = "https://elsewhere.example"
#: Where the pages of the made-up language are mounted.
MOUNT = "/scorer"
#: What may be loaded from where, and what every answer says besides.
SOURCES = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "form-action 'self'",
    "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types sw",
}  # fmt: skip
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}
WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]{2,}(?![\w-])")


@pytest.fixture(scope="module")
def evening(app: Flask) -> Phone:
    """Play an evening with something of everything: its pages are opened by the tests."""
    phone = Phone(app).start(rules="scighera", end="points", target="3", stake="0.10")
    for number in range(1, 4):
        phone.record(number, bid_rank="K", bid_points="", suit="C")
    phone.outcome(4, "thrown-in")
    phone.outcome(5, "penalty", offender="3")
    amended = phone.deal(2, bid_rank="K", bid_points="", suit="C", card_points="40")
    phone.post("deals/2/amend", {**amended, "version": "1", "reason": "?"})
    write_a_card(phone, "deals/2/tricks/")
    phone.post("deals/3/void", {"version": "1", "reason": "A card lay on the floor"})
    phone.link()
    keep_table(phone)
    phone.post("record/start", phone.deal(6, bid_rank="2", bid_points="70"))
    add(phone, "The last card", number="2")
    add_photo(phone)
    return phone


def check_headers(answer: TestResponse, endpoint: str, path: str) -> None:
    """Look that nothing of another site comes in, and that pages of a circle are kept nowhere."""
    assert "Access-Control-Allow-Origin" not in answer.headers
    if endpoint != "static":
        assert {*answer.headers["Content-Security-Policy"].split("; ")} == SOURCES, endpoint
        assert SAFE.items() <= dict(answer.headers).items(), endpoint
    if path.startswith("/circles/"):
        kept = {*answer.headers["Cache-Control"].split(", ")}
        page = answer.mimetype == "text/html"
        assert kept == {"no-store"} or (not page and "private" in kept), endpoint


def accented(text: str) -> str:
    return "".join(
        part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(text)
    )


@pytest.fixture(scope="module")
def english() -> list[Message]:
    with languages.catalogue_file("it").open("rb") as file:
        return [message for message in read_po(file) if message.id]


@pytest.fixture
def made_up(english: list[Message], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Add a language whose catalogue has the English texts with accents."""
    catalogue = Catalog(locale=languages.SOURCE)
    for message in english:
        text = message.id
        said = accented(text) if isinstance(text, str) else [*map(accented, text)]
        catalogue.add(text, said)
    languages.catalogue("it")  # is kept from here on, as its file is in the other folder
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    monkeypatch.setattr(languages, "LANGUAGES", (*LANGUAGES, MADE_UP))
    written = languages.catalogue_file(MADE_UP)
    written.parent.mkdir(parents=True)
    with written.open("wb") as file:
        write_po(file, catalogue)
    return MADE_UP


class Said(HTMLParser):
    """The texts of a page that people see or hear, also those that its scripts say."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._within = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within = tag
        heard = {"aria-label", "title", "placeholder", "alt"}
        self.texts += [
            value
            for name, value in attrs
            if value and (name in heard or (name.startswith("data-") and SENTENCE.match(value)))
        ]

    def handle_data(self, data: str) -> None:
        if self._within not in {"script", "style", "code", "pre", "textarea"}:
            self.texts.append(data)


def test_every_page_opens_in_each_language_with_its_headers_and_changes_no_row(
    app: Flask, evening: Phone, english: list[Message], made_up: str
) -> None:
    """What is still English in a language that has a catalogue and nothing else has no message."""
    words = {word for message in english for word in WORD.findall(str(message.id))}
    left = dict[str, str]()
    before = rows(app)
    for endpoint, path in addresses(app, "GET", values(evening)).items():
        for language in (*LANGUAGES[1:], made_up):
            headers = {"Accept-Language": language, "Origin": ELSEWHERE}
            mount = MOUNT if language == made_up else ""
            answer = evening.get(path, headers=headers, base_url=f"http://localhost{mount}")
            assert answer.status_code == 200, (endpoint, path)
            check_headers(answer, endpoint, path)
            is_page = answer.mimetype == "text/html"
            assert not is_page or f'<html lang="{language}">' in answer.text, endpoint
            if is_page and language == made_up:
                check_page(Page(answer), endpoint)
                left |= dict.fromkeys(of_messages(answer.text, words), endpoint)

    assert rows(app) == before
    assert len(words) > 1_000
    assert list(left) == []


def check_page(page: Page, endpoint: str) -> None:
    """Look that a page has tokens in its forms, and stays within its mount."""
    forms = [dict(form.fields) for form in page.forms if form.method == "POST"]
    assert all(form.get("csrf_token") for form in forms), endpoint
    assert [one for one in page.own_addresses if not one.startswith(f"{MOUNT}/")] == [], endpoint


def of_messages(source: str, words: set[str]) -> list[str]:
    """Give the texts of a page that have words of our messages."""
    said = [TYPED.sub("", KEPT.sub("", text)) for text in Said(source).texts]
    return [text for text in said if words.intersection(WORD.findall(text))]


def test_every_kind_of_deal_and_view_opens_whatever_is_asked(evening: Phone) -> None:
    views = [
        "", "?show=balances", "?before=3", "?before=1", "?before=99", "record", "record?step=start",
        "deals/1/", "deals/2/", "deals/3/", "deals/4/", "deals/5/", "deals/3/amend",
        "deals/4/amend", "deals/5/amend", "chart.svg?theme=dark&width=1",
        "chart.svg?width=99999999999", "?before=-1", "?before=x", f"?before={10**30}",
        "?before=" + "9" * 5000, "?show=nonsense", "record?step=nonsense",
        "chart.svg?theme=pink&width=wide", f"chart.svg?width={10**30}", "chart.svg?width=-5",
    ]  # fmt: skip
    absent = [
        "deals/0/", "deals/-1/", "deals/99/", f"deals/{10**30}/", "deals/x/", "deals/99/amend",
        f"deals/{10**30}/amend", "nothing",
    ]  # fmt: skip

    assert [path for path in views if evening.get(path).status_code != 200] == []
    assert [path for path in absent if evening.get(path).status_code != 404] == []


def test_form_that_no_page_filled_in_is_refused_and_writes_nothing(
    app: Flask, evening: Phone
) -> None:
    paths = addresses(app, "POST", values(evening))
    before = rows(app)

    for endpoint in (*FILLED_IN_BY_PAGES, *KEYED):
        for sent in [{"key": "x"}, {"key": "9" * 5000}, *([{}] if endpoint not in KEYED else [])]:
            assert evening.post(paths[endpoint], sent).status_code == 400, endpoint
    assert rows(app) == before


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "deals/2/"), ("POST", "record")])
def test_circle_of_others_is_answered_as_one_that_does_not_exist(
    app: Flask, evening: Phone, method: str, path: str
) -> None:
    stranger, nowhere = Phone(app).start(), uuid4()
    before = rows(app)

    shown = []
    for circle_id in (evening.keys[0], nowhere):
        where = f"/circles/{circle_id}/sessions/{evening.keys[1]}/{path}"
        answer = stranger.client.open(where, method=method)
        assert answer.status_code == 404
        shown.append(TOKEN.sub("", answer.text.replace(str(circle_id), "-")))
    assert shown[0] == shown[1]
    assert "Ada" not in shown[0]
    assert rows(app) == before


@pytest.mark.parametrize("given", ["session_id", "link_id", "phone_id", "player_id"])
def test_own_circle_does_not_open_what_belongs_to_another(
    app: Flask, evening: Phone, given: str
) -> None:
    stranger = Phone(app).start()
    mixed = {**values(evening), "circle_id": stranger.keys[0]}
    before = rows(app)

    for method in ("GET", "POST"):
        for endpoint, path in addresses(app, method, mixed).items():
            if str(mixed[given]) in path:
                sent = {**stranger.deal(2), "version": "1", "outcome": "misdeal", "role": "owner"}
                sent["phone_id"] = str(mixed["phone_id"])
                answer = stranger.client.open(path, method=method, data=sent)
                assert answer.status_code == 404, endpoint

    assert rows(app) == before


def test_new_session_is_not_like_one_of_another_circle(app: Flask, evening: Phone) -> None:
    stranger = Phone(app).start()
    like = f"/sessions/new?circle={stranger.keys[0]}&like={evening.keys[1]}"

    assert stranger.get(like).status_code == 404
