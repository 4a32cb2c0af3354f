"""Whatever is typed into whichever field is shown as text on every page, and as nothing else."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
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
from scorer.services.journal.journal_page import PAGE
from scorer.services.money.ledger import Cost, share_cost
from scorer.services.session.house_rules import keep_rules, value_of
from scorer.storage import queries
from scorer.typed_text import one_line
from scorer.web.base.names import short_names
from tests.data.payloads import KINDS, PAYLOADS
from tests.data.photos import photo
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.routes import addresses, values, write_a_card
from tests.web.tables import GAME, tables

#: The longest name, title, name of a link or of rules, and reason.
NAME, TITLE, LINK, REASON = 40, 60, 60, 200
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
#: Every sixth has words of each kind: they are typed into all fields, the others into two.
TYPED, OTHERS = PAYLOADS[::6], [word for part in range(1, 6) for word in PAYLOADS[part::6]]
#: An evening for every five of them.
EVENINGS = len(TYPED) // SEATS


class Filled(NamedTuple):
    """A circle with words in all its fields, and on which page which of them must be seen."""

    phone: Phone
    shown: list[tuple[str, list[str]]]
    called: dict[str, str]

    @property
    def words(self) -> set[str]:
        """All the words that must be seen somewhere."""
        return {word for _, some in self.shown for word in some}


def fitting(words: Sequence[str], longest: int) -> list[str]:
    """Give words that a field takes, no two of them the same name; others stand in for the rest."""
    found: dict[str, str] = {}
    for number, word in enumerate(words):
        fits = 0 < len(one_line(word)) <= longest and one_line(word).casefold() not in found
        chosen = word if fits else f"Plain {number}"
        found[one_line(chosen).casefold()] = chosen
    return list(found.values())


def fill(app: Flask, words: Sequence[str]) -> Filled:
    """Play a session for every five words, and put each of them into a name and into a text.

    What kind of text, whose name and on which page it is looked for is another for each: the texts
    of one kind are a long page.
    """
    phone = Phone(app)
    shown: list[tuple[str, list[str]]] = []
    names, titles, reasons = (fitting(words, most) for most in (NAME, TITLE, REASON))
    disputes, costs, notes = (reasons[kind::3] for kind in range(3))
    circle = ""
    for first in range(0, len(names) - SEATS + 1, SEATS):
        seated, title = names[first : first + SEATS], titles[first]
        phone.start(seated, title=title, circle=circle)
        circle = str(phone.keys[0])
        phone.record(1)
        reason = reasons[first]
        phone.post("deals/1/void", {"version": "1", "reason": reason})
        pages = [("", [*seated, title]), ("deals/1/", [*seated, reason]), ("record", seated)]
        page, words_of_it = pages[first // SEATS % len(pages)]
        shown.append((phone.url + page, words_of_it))
        some = fitting(OTHERS[first // SEATS :: EVENINGS], REASON)
        shown.append((f"{phone.url}notes/", write_notes(phone, some, number=1)))
    shown.append((f"{phone.url}deals/2/", said(phone, disputes)))
    shown.append((f"{phone.circle_url}ledger", pay_for(phone, costs)))
    shown.append((f"{phone.url}notes/", write_notes(phone, notes, number=2)))
    name_players(phone, names)
    seasons, linked = names[::2], fitting(words[1::2], LINK)
    name_seasons(phone, seasons)
    ruled = linked[::5]  # many pages tell of each of the circle's rules
    keep(phone, linked, ruled)
    shown.append((phone.url, change_rules(phone, reasons[0])))
    shown += [
        (f"{phone.circle_url}phones", linked),
        (f"{phone.circle_url}seasons/", seasons),
        (f"{phone.circle_url}rules/", ruled),
        (f"{phone.circle_url}journal", linked[-PAGE // 3 :]),
        (f"{phone.circle_url}who", names[: len(names) // SEATS * SEATS]),
    ]
    with app.app_context():
        people = {row.name: row.nickname for row in queries.circle.players(phone.keys[0])}
    return Filled(phone, shown, short_names(people))


def said(phone: Phone, reasons: Sequence[str]) -> list[str]:
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
    return [*reasons, reasons[-1]]


def pay_for(phone: Phone, notes: Sequence[str]) -> list[str]:
    """Share a cost for each of the words."""
    circle_id, _ = phone.keys
    with phone.app.app_context():
        by = holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
        player = queries.circle.players(circle_id)[0].player_id
        for note in notes:
            share_cost(circle_id, Cost(uuid4(), player, 5, {player: 1}, note=note), by=by)
    return [*notes]


def write_notes(phone: Phone, texts: Sequence[str], number: int) -> list[str]:
    """Add a note for each of the words, half of them of a deal; the first of deal 2 has a photo."""
    circle_id, session_id = phone.keys
    with phone.app.app_context():
        by = holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
        for place, text in enumerate(texts):
            of_deal = number if place % 2 else None
            new = NewNote(uuid4(), of_deal, text, photo() if number == 2 and not place else b"")
            add_note(circle_id, session_id, new, by=by)
    return [*texts]


def name_players(phone: Phone, nicknames: Sequence[str]) -> None:
    """Give those of the last session nicknames, of which some are refused."""
    with phone.app.app_context():
        seated = [seat.player_id for seat in queries.session.seats(*phone.keys)]
    for player_id, nickname in zip(seated, nicknames, strict=False):
        nicknamed = f"{phone.circle_url}players/{player_id}/nickname"
        phone.post(nicknamed, {"nickname": nickname[:20]})


def name_seasons(phone: Phone, names: Sequence[str]) -> None:
    """Name a season by each of the words."""
    for day, name in enumerate(names):
        days = {"first": f"20{day:02}-01-01", "last": f"20{day:02}-12-31"}
        sent = {"key": str(uuid4()), "name": name, **days}
        assert phone.post(f"{phone.circle_url}seasons/", sent).status_code == 303


def keep(phone: Phone, links: Sequence[str], rules: Sequence[str]) -> None:
    """Keep rules and make a link under each name."""
    circle_id, _ = phone.keys
    with phone.app.app_context():
        by = holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
        for name in rules:
            own: dict[str, Any] = {"game": GAME, "name": name, "rules": {"preset": "volata"}}
            keep_rules(circle_id, key=uuid4(), **own, by=by)
        for name in links:
            make_link(circle_id, name, Role.PLAYER)


def change_rules(phone: Phone, reason: str) -> list[str]:
    """Let the next deal be played by rules of the circle; give their name and the reason."""
    own = tables(phone)[0]
    change = {"rules": value_of(own.reference), "from": "3", "next_number": "3", "reason": reason}
    assert phone.post("rules/change", change).status_code == 303
    return [own.row.name, reason]


@pytest.fixture(scope="module")
def filled(app: Flask) -> Filled:
    """Give a circle full of the words."""
    return fill(app, TYPED)


def test_there_are_two_hundred_ways_and_names_besides_and_all_kinds_are_in_all_fields() -> None:
    scripts = [word for kind, words in KINDS.items() if kind != "names" for word in words]

    assert [kind for kind, words in KINDS.items() if not {*words} & {*TYPED}] == []
    assert len(set(scripts)) >= 200
    assert len(set(PAYLOADS)) == len(PAYLOADS)


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
        seen = text_of(check(answer, filled.words))

        assert answer.status_code == 200, path
        assert [
            word
            for word in map(one_line, words)
            if word not in seen and filled.called.get(word, word) not in seen
        ] == [], path


def test_no_other_page_of_the_circle_has_more_of_them_than_text(app: Flask, filled: Filled) -> None:
    words, read = filled.words, {path for path, _ in filled.shown}
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
            check(answer, words)
        elif answer.mimetype == "image/svg+xml":
            check_picture(answer)


def check_picture(answer: TestResponse) -> None:
    """Look that a chart has nothing of the words but text."""
    picture = ET.fromstring(answer.text)  # noqa: S314  # our own picture
    assert {part.tag.rpartition("}")[2] for part in picture.iter()} <= SHAPES
    assert not [key for part in picture.iter() for key in part.attrib if key.startswith("on")]


def test_preview_of_a_deal_says_names_as_they_are(filled: Filled) -> None:
    deal = filled.phone.deal(3, bid_points="", bid_rank="K")
    name = filled.phone.post("file").get_json()["seats"][0]

    headline = filled.phone.post("record/preview", deal).get_json()["headline"]
    assert filled.called[name] in headline


def test_file_table_and_chart_hold_them_as_they_are(filled: Filled) -> None:
    sessions = [path for path, _ in filled.shown if path.endswith("/record")]

    for path in sessions:
        session = path.removesuffix("record")
        file = filled.phone.post(f"{session}file")
        names = file.get_json()["seats"]
        table = filled.phone.post(f"{session}csv")
        (heading, *_) = csv.reader(io.StringIO(table.text.removeprefix("\ufeff")))
        check_picture(filled.phone.get(f"{session}chart.svg"))

        assert [cell.removeprefix("'") for cell in heading[-2 * SEATS : -SEATS]] == [
            name.removeprefix("'") for name in names
        ]
        assert [cell for cell in heading if re.match(r"\s*[=+\-@]", cell)] == []
        assert {answer.mimetype for answer in (file, table)} == {"application/json", "text/csv"}


def test_session_file_with_such_words_is_shown_and_kept_as_text(filled: Filled) -> None:
    names, title = filled.shown[0][1][:SEATS], filled.shown[0][1][SEATS]
    seats = [one_line(name) for name in names]
    document = {"format": "scorer-session/1", "game": GAME, "title": title, "deals": []}
    document["seats"] = seats

    looked = check(bring_in(filled.phone, document), [*names, title])
    kept = filled.phone.post(f"{filled.phone.circle_url}import", looked.forms[0].sends())

    assert looked.status == 200
    assert [name for name in [*names, title] if one_line(name) not in looked.words] == []
    check(filled.phone.get(kept.headers["Location"]), [*names, title])


def test_bonus_with_such_a_name_is_shown_as_text(app: Flask) -> None:
    phone = Phone(app).start()
    plain = [word for word in PAYLOADS[::90] if word == one_line(word) and word.isprintable()]
    for word in fitting(plain, LONGEST_NAME):
        rules = {"preset": "to-21", "bonus": word}
        seats = ["Ada", "Bea", "Ciro", "Dora"]
        document = {"game": "tressette", "rules": rules, "deals": [], "seats": seats}
        looked = check(bring_in(phone, document), [word])
        assert looked.status == 200
        kept = phone.post(f"{phone.circle_url}import", looked.forms[0].sends()).location
        phone.post(f"{kept}reopen")
        for page in ("record", "rules"):
            assert one_line(word) in text_of(check(phone.get(f"{kept}{page}"), [word]))


def bring_in(phone: Phone, document: Any) -> TestResponse:
    file = (io.BytesIO(json.dumps(document).encode()), "evening.json")
    return phone.post(f"{phone.circle_url}import", {"key": str(uuid4()), "file": file})


def broken(phone: Phone, words: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Give forms that are refused because of a word, each with what is sent."""
    for number, word in enumerate(words):
        new = phone.agreed([word] * SEATS, title=word * 40)
        brought = {"key": str(uuid4()), "document": '{"preset": "volata"}', "name": long(word)}
        forms = [
            ("/sessions/new", new),
            ("links", {"name": long(word), "role": "player"}),
            ("/join", {"code": word}),
            ("deals/2/dispute", {"version": "2", "reason": long(word)}),
            ("deals/2/void", {"version": "2", "reason": long(word)}),
            ("delete", {"name": word}),
            ("rules/bring", brought),
            ("/bring", {"document": json.dumps({"preset": word, word: 1})}),
            ("deals/2/dispute", {"version": "2", "right-partner": f"x{word}"}),
            ("rename", {"title": long(word)}),
            ("stake", {"stake": f"x{word}"}),
            ("zone", {"zone": f"x{word}"}),
        ]
        yield forms[number % len(forms)]


def long(word: str) -> str:
    """Say a word until no field takes it."""
    return word * (REASON // max(len(one_line(word)), 1) + 2)


def test_words_that_are_refused_are_shown_again_as_text(app: Flask) -> None:
    phone = Phone(app).start()
    phone.record(1)
    phone.record(2)
    phone.post("deals/2/amend", {**phone.deal(2, card_points="40"), "version": "1"})
    of_circle = ("links", "delete", "rules/bring", "zone")

    words = TYPED[::2]
    for word, (path, sent) in zip(words, broken(phone, words), strict=True):
        where = phone.circle_url + path if path in of_circle else path
        answer = phone.post(where, sent)
        assert answer.status_code == 422, (path, word)
        check(answer, [word, long(word)])


def test_words_in_addresses_are_shown_as_text_or_not_at_all(filled: Filled) -> None:
    asked = [
        "/nothing/%s", "/rules/%s/", "/?%s", "/join?code=%s", "{s}?show=%s&before=%s",
        "{s}record?step=%s", "/sessions/new?like=%s&circle=%s", "{c}?%s=1", "{c}deals/?bid=%s",
        "{c}rules/new?copy=%s", "{s}chart.svg?theme=%s", "{c}players/%s/",
    ]  # fmt: skip
    phone = filled.phone
    for number, word in enumerate(sorted(filled.words)[::8]):
        pattern = asked[number % len(asked)]
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
