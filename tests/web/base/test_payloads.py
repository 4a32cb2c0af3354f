"""Whatever is typed into whichever field is shown as text on every page, and as nothing else."""

import io
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorer.roles import Role
from scorer.rules.plain_game import LONGEST_NAME
from scorer.services.album.notes import NewNote, add_note
from scorer.services.circle.circles import holder, make_link
from scorer.services.money.ledger import Cost, share_cost
from scorer.services.session.house_rules import keep_rules, value_of
from scorer.storage import queries
from scorer.typed_text import one_line
from scorer.web.base.names import short_names
from tests.data.payloads import PAYLOADS
from tests.data.photos import photo
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.routes import addresses, values, write_a_card
from tests.web.tables import GAME, tables

#: The longest name; title, name of a link or of rules; and reason.
NAME, TITLE, REASON = 40, 60, 200
TELLING = re.compile(r"""[<>"']""")
#: Elements that none of our pages has.
FOREIGN = {
    "applet", "audio", "base", "embed", "foreignobject", "frameset", "iframe", "marquee", "math",
    "object", "plaintext", "portal", "style", "video", "x", "xss",
}  # fmt: skip
#: Where our pages lead: to ourselves, and to where the rules come from.
OURS = ("/", "#", "http://localhost/", "data:image/svg+xml", "https://")
THEIRS = "e.vil"
#: What a chart is drawn with.
SHAPES = {
    "Agent", "RDF", "Work", "clipPath", "creator", "date", "defs", "desc", "format", "g",
    "metadata", "path", "rect", "style", "svg", "text", "title", "tspan", "type", "use",
}  # fmt: skip
SEATS = 5
#: Every other one is a name, too; all are texts.
NAMED = PAYLOADS[::2]


class Filled(NamedTuple):
    """A circle with words in all its fields, and on which page which of them must be seen."""

    phone: Phone
    shown: list[tuple[str, list[str]]]
    called: dict[str, str]


def fitting(words: Sequence[str], longest: int) -> list[str]:
    """Give words that a field takes, no two of them the same name; others stand in for the rest."""
    found: dict[str, str] = {}
    for number, word in enumerate(words):
        fits = 0 < len(one_line(word)) <= longest and one_line(word).casefold() not in found
        chosen = word if fits else f"Plain {number}"
        found[one_line(chosen).casefold()] = chosen
    return list(found.values())


@pytest.fixture(scope="module")
def filled(app: Flask) -> Filled:
    """Play a session for every five words, and put every word into a text.

    On which page the names of a session are looked for is another for each.
    """
    phone = Phone(app)
    shown: list[tuple[str, list[str]]] = []
    names, titles, texts = fitting(NAMED, NAME), fitting(NAMED, TITLE), fitting(PAYLOADS, REASON)
    circle = ""
    for first in range(0, len(names) - SEATS + 1, SEATS):
        seated, title, reason = names[first : first + SEATS], titles[first], texts[first]
        phone.start(seated, title=title, circle=circle)
        circle = str(phone.keys[0])
        phone.record(1)
        phone.post("deals/1/void", {"version": "1", "reason": reason})
        pages = [("", [*seated, title]), ("deals/1/", [*seated, reason]), ("record", seated)]
        page, words_of_it = pages[first // SEATS % len(pages)]
        shown.append((phone.url + page, words_of_it))
    disputes, notes, costs = texts[::2], texts[1::2], texts[::7]
    dispute(phone, disputes)
    for nickname in names[:SEATS]:
        nicknamed = f"{phone.circle_url}players/{phone.player(one_line(nickname))}/nickname"
        phone.post(nicknamed, {"nickname": nickname[::-1][:20]})
    for day, name in enumerate(names[::4]):
        days = {"first": f"20{day:02}-01-01", "last": f"20{day:02}-12-31"}
        sent = {"key": str(uuid4()), "name": name, **days}
        assert phone.post(f"{phone.circle_url}seasons/", sent).status_code == 303
    ruled = titles[::5]  # many pages tell of each of the circle's rules
    write(phone, costs, notes, links=titles, rules=ruled)
    own = tables(phone)[0]
    change = {"rules": value_of(own.reference), "from": "3", "next_number": "3", "reason": texts[0]}
    assert phone.post("rules/change", change).status_code == 303
    shown += [
        (phone.url, [own.row.name, texts[0]]),
        (f"{phone.url}deals/2/", disputes),
        (f"{phone.url}notes/", notes),
        (f"{phone.circle_url}ledger", costs),
        (f"{phone.circle_url}phones", titles),
        (f"{phone.circle_url}seasons/", names[::4]),
        (f"{phone.circle_url}rules/", ruled),
        (f"{phone.circle_url}who", names[: len(names) // SEATS * SEATS]),
    ]
    with app.app_context():
        people = {row.name: row.nickname for row in queries.circle.players(phone.keys[0])}
    return Filled(phone, shown, short_names(people))


def dispute(phone: Phone, reasons: Sequence[str]) -> None:
    """Dispute, uphold and amend deal 2, each time with other words."""
    phone.record(2)
    for seen, reason in enumerate(reasons):
        kind = "uphold" if seen % 2 else "dispute"
        phone.post(f"deals/2/{kind}", {"version": "1", "seen": str(seen), "reason": reason})
    proposed = {"version": "1", "seen": str(len(reasons)), "right-partner": "2"}
    assert phone.post("deals/2/dispute", proposed).status_code == 303
    amended = phone.deal(2, suit="C", called_rank="K")
    phone.post("deals/2/amend", {**amended, "version": "1", "reason": reasons[-1]})
    write_a_card(phone, "deals/2/tricks/")


def write(
    phone: Phone, costs: list[str], notes: list[str], links: list[str], rules: list[str]
) -> None:
    """Share a cost, add a note, make a link or keep rules for each of the words.

    Half of the notes are of deal 2; the first has a photo.
    """
    circle_id, session_id = phone.keys
    with phone.app.app_context():
        by = holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
        player = queries.circle.players(circle_id)[0].player_id
        for note in costs:
            share_cost(circle_id, Cost(uuid4(), player, 5, {player: 1}, note=note), by=by)
        for place, text in enumerate(notes):
            of_deal, picture = 2 if place % 2 else None, b"" if place else photo()
            add_note(circle_id, session_id, NewNote(uuid4(), of_deal, text, picture), by=by)
        for name in rules:
            own: dict[str, Any] = {"game": GAME, "name": name, "rules": {"preset": "volata"}}
            keep_rules(circle_id, key=uuid4(), **own, by=by)
        for name in links:
            make_link(circle_id, name, Role.PLAYER)


def check(answer: TestResponse, words: Iterable[str]) -> Page:
    """Look that a page has nothing of the words but text."""
    page = Page(answer)
    raw = [
        word
        for word in words
        for one in {word, one_line(word)}
        if TELLING.search(one) and len(one) > 3 and one in page.source
    ]
    assert raw == []
    assert not page.tags & FOREIGN
    assert [name for name in page.attributes if name.startswith("on")] == []
    assert [one for one in page.scripts if not (one or "").startswith("/static/")] == []
    assert [one for one in page.addresses if one and not one.startswith(OURS)] == []
    assert [one for one in page.addresses if THEIRS in urlsplit(one or "").netloc] == []
    return page


def text_of(page: Page) -> str:
    """Give all that a reader sees on a page, and what its forms are filled in with."""
    fields = (value for form in page.forms for _, value in form.fields)
    return "\n".join([page.words, *fields])


def test_words_are_shown_as_text_where_they_were_put(filled: Filled) -> None:
    for path, words in filled.shown:
        answer = filled.phone.get(path)
        seen = text_of(check(answer, PAYLOADS))

        assert answer.status_code == 200, path
        assert [
            word
            for word in map(one_line, words)
            if word not in seen and filled.called.get(word, word) not in seen
        ] == [], path


def test_no_other_page_of_the_circle_has_more_of_them_than_text(app: Flask, filled: Filled) -> None:
    read = {path for path, _ in filled.shown}
    with app.app_context():
        played = queries.session.seats(*filled.phone.keys)[0].player_id
    given = {**values(filled.phone), "number": 2, "player_id": played}

    for endpoint, path in addresses(app, "GET", given).items():
        if path in read:
            continue
        answer = filled.phone.get(path)
        assert answer.status_code == 200, endpoint
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        if answer.mimetype == "text/html":
            check(answer, PAYLOADS)
        elif answer.mimetype == "image/svg+xml":
            check_picture(answer)


def check_picture(answer: TestResponse) -> None:
    """Look that a chart has nothing of the words but text."""
    picture = ET.fromstring(answer.text)  # noqa: S314  # our own picture
    assert {part.tag.rpartition("}")[2] for part in picture.iter()} <= SHAPES
    assert not [key for part in picture.iter() for key in part.attrib if key.startswith("on")]


def test_session_file_with_such_words_is_shown_and_kept_as_text(filled: Filled) -> None:
    phone = filled.phone
    plain = [word for word in NAMED if word == one_line(word) and word.isprintable()]
    bonuses, seats = fitting(plain[::9], LONGEST_NAME), fitting(plain, NAME)
    for first, (word, title) in enumerate(zip(bonuses, plain, strict=False)):
        rules, seated = {"preset": "to-21", "bonus": word}, seats[4 * first : 4 * first + 4]
        document = {"game": "tressette", "rules": rules, "deals": [], "seats": seated}
        looked = check(bring_in(phone, document | {"title": title}), PAYLOADS)
        kept = phone.post(f"{phone.circle_url}import", looked.forms[0].sends()).location
        phone.post(f"{kept}reopen")
        pages = [check(phone.get(f"{kept}{page}"), PAYLOADS) for page in ("", "record", "rules")]

        assert looked.status == 200
        assert [name for name in [*seated, title] if name not in looked.words] == []
        assert all(filled.called.get(word, word) in text_of(page) for page in pages[1:])


def bring_in(phone: Phone, document: Any) -> TestResponse:
    file = (io.BytesIO(json.dumps(document).encode()), "evening.json")
    return phone.post(f"{phone.circle_url}import", {"key": str(uuid4()), "file": file})


def long(word: str) -> str:
    """Say a word until no field takes it."""
    return word * (REASON // max(len(one_line(word)), 1) + 2)


def test_words_that_are_refused_are_shown_again_as_text(app: Flask) -> None:
    phone = Phone(app).start()
    phone.record(1)
    phone.record(2)
    phone.post("deals/2/amend", {**phone.deal(2, card_points="40"), "version": "1"})
    circle = phone.circle_url
    for number, word in enumerate(NAMED[::2]):
        brought = {"key": str(uuid4()), "document": '{"preset": "volata"}', "name": long(word)}
        forms: list[tuple[str, Any]] = [
            ("/sessions/new", phone.agreed([word] * SEATS, title=word * 40)),
            (f"{circle}links", {"name": long(word), "role": "player"}),
            ("/join", {"code": word}),
            ("deals/2/dispute", {"version": "2", "reason": long(word)}),
            (f"{circle}delete", {"name": word}),
            (f"{circle}rules/bring", brought),
            ("/bring", {"document": json.dumps({"preset": word, word: 1})}),
            ("deals/2/dispute", {"version": "2", "right-partner": f"x{word}"}),
            ("stake", {"stake": f"x{word}"}),
            (f"{circle}zone", {"zone": f"x{word}"}),
        ]
        path, sent = forms[number % len(forms)]

        answer = phone.post(path, sent)

        assert answer.status_code == 422, (path, word)
        check(answer, [word, long(word)])


def test_words_in_addresses_are_shown_as_text_or_not_at_all(filled: Filled) -> None:
    asked = [
        "/nothing/%s", "/rules/%s/", "/?%s", "/join?code=%s", "{s}?show=%s&before=%s",
        "{s}record?step=%s", "/sessions/new?like=%s&circle=%s", "{c}?%s=1", "{c}deals/?bid=%s",
        "{c}rules/new?copy=%s", "{s}chart.svg?theme=%s", "{c}players/%s/",
    ]  # fmt: skip
    phone = filled.phone
    for pattern, word in zip(asked, PAYLOADS[::6], strict=False):
        where = pattern.replace("{s}", phone.url).replace("{c}", phone.circle_url)
        answer = phone.get(where.replace("%s", quote(word, safe="")))
        assert answer.status_code in {200, 308, 404, 422}, (where, word)
        if answer.mimetype == "text/html":
            check(answer, [word])


def test_bad_files_are_told_of_with_their_words_as_text(app: Flask) -> None:
    phone = Phone(app).start()
    for word in PAYLOADS[::12]:
        document = {
            "format": word, "game": word, word: 1, "seats": ["A", word, word],
            "opening": {word: 1}, "deals": [{"outcome": word, "dealer": word}],
        }  # fmt: skip
        answer = bring_in(phone, document)
        assert answer.status_code == 422
        check(answer, [word])
