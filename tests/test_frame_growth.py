"""Hostile text: whatever reads what people and programs send takes time like its length."""

import json
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from time import process_time
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask_babel import Babel
from werkzeug.datastructures import MultiDict

from scorer.documents import decode, encode
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.games.briscola_chiamata.bids import Bid
from scorer.operations import check, replay, score
from scorer.rules.cards import DECKS, Card
from scorer.rules.questions import Reading, read_card, read_rank, read_suit
from scorer.services.files.session_files import preview_session
from scorer.services.journal.circle_file import FileLines
from scorer.services.session.house_rules import LONGEST_DOCUMENT, preview_rules
from scorer.services.session.sessions import NewSession, check_session
from scorer.storage import transfer
from scorer.typed_text import one_line, read_name
from scorer.web.base.fields import number, whole
from scorer.web.figures.searching import SearchForm
from scorer.web.session.new import NewSessionForm
from scorer.web.session.rules_forms import rules_form
from tests.samples import DEAL, RECORD, SESSION

LONG = 65_536
#: Not a measurement: what is linear takes hundredths of a second for a text of that length, and
#: what is quadratic 3 s and more. Only the time of this process counts, on any machine.
MOST_SECONDS = 1.5
KEY = UUID(int=1)
FRENCH = DECKS["french-no-8-9-10"]


def in_time(read: Callable[[Any], object], sent: Any) -> None:
    began = process_time()
    with suppress(InvalidError, ValueError):
        read(sent)
    took = process_time() - began

    assert took < MOST_SECONDS, (str(sent)[:60], took)


def agreed(names: list[str]) -> object:
    new = NewSession(key=KEY, game="briscola-chiamata", players=tuple(names))
    return check_session(new, counted=True)


def form_of_a_session(text: str) -> object:
    sent = MultiDict(dict.fromkeys(("title", "target", "deals", "stake", "opening"), text))
    sent.setlist("player", [text])
    sent.setlist("place", [text])
    sent.update({"key": str(KEY), "openings": "y", "first_dealer": text})
    app = Flask(__name__)
    Babel(app)
    with app.test_request_context():  # the form asks for the circle's currency
        form = NewSessionForm(sent)
        return form.validate(), form.names, form.dealer, form.brought


def search(text: str) -> object:
    names = [field.name for field in SearchForm(MultiDict(), (), {})]
    form = SearchForm(MultiDict(dict.fromkeys(names, text)), (), {})
    return form.validate(), form.criteria, form.sought


def options_of_a_table(text: str) -> object:
    form = rules_form(find_game("briscola-chiamata"))
    sent = {field.name: text for field in form()}
    return form(MultiDict(sent)).document


def row_of_a_circle(text: str) -> object:
    (table, *_) = transfer.tables().values()
    return transfer.read_row(table, dict.fromkeys(table.c.keys(), text))


UNITS = [
    " ", "a ", "A", "1", "10", "1e9", ",", "2@", "2@75", "R", "RE DI ", " DI ", "COPPE", "\u00a0",
    "\u200d", "\u200da", "\u0301\u0316", "a\u0316\u0301", "\u0130", "\u1100\u1161\u11a8",
    "\ud800", "\x00", "\ufeff", "\u0663", "%(x)s", "0000-", '"', "\\", "[", '{"a":', "#A", "_-",
]  # fmt: skip
READERS: dict[str, Callable[[str], object]] = {
    "card": Card.parse,
    "card of an Italian deck": DECKS["italian-40"].card,
    "card of a French deck": FRENCH.card,
    "rank": FRENCH.rank,
    "wire card": lambda text: read_card(text, Reading((), FRENCH), ""),
    "wire rank": lambda text: read_rank(text, Reading(), ""),
    "wire suit": lambda text: read_suit(text, Reading(), ""),
    "bid": Bid.parse,
    "wire bid": lambda text: Bid.read_wire(text, Reading((), FRENCH), ""),
    "line": one_line,
    "name": lambda text: read_name(text, ["Ada"], "name"),
    "form of a session": form_of_a_session,
    "search": search,
    "number": lambda text: (number(text), whole(text)),
    "options of a table": options_of_a_table,
    "document": decode,
    "document written": lambda text: encode({text: text}),
    "session file": lambda text: preview_session(text, KEY, KEY),
    "table": lambda text: preview_rules(text[:LONGEST_DOCUMENT]),
    "code of a table": lambda text: preview_rules(f"#{text[: LONGEST_DOCUMENT - 1]}"),
    "line of a circle": lambda text: FileLines(BytesIO(text.encode(errors="replace"))).next(),
    "row of a circle": row_of_a_circle,
}


@pytest.mark.parametrize("reader", READERS)
def test_text_is_read_in_time_like_its_length(reader: str) -> None:
    for unit in UNITS:
        in_time(READERS[reader], f"A{unit * (LONG // len(unit))}")
        in_time(READERS[reader], unit * (LONG // len(unit)))


def many(unit: Any) -> list[Any]:
    return [unit] * (LONG // (len(json.dumps(unit)) + 2))


OTHERS = {f"{index:x}": 0 for index in range(LONG // 8)}
SHAPES = {
    "numbers": many(0),
    "names": many("Ada"),
    "lists": many([]),
    "objects": many({}),
    "calls": many(["Ada", "A"]),
    "tricks": many(RECORD["tricks"][0]),
    "deals": many(SESSION["deals"][0]),
    "rules": many({"outcome": "misdeal", "rules": {"name": "x"}}),
    "keys": OTHERS,
    "keys within": [{"cards": OTHERS}],
    "a long number": 10**4000,
    "accents": "\u0301\u0316" * (LONG // 2),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_document_is_answered_in_time_like_its_length(shape: str) -> None:
    sent = SHAPES[shape]
    for key in ("id", "game", "rules", "seats", "dealer", "sheet"):
        in_time(score, {**DEAL, key: sent})
    for key in DEAL["sheet"]:
        in_time(score, {**DEAL, "sheet": {**DEAL["sheet"], key: sent}})
    for key in ("auction", "call", "score", "session", "deck", "name", "unknown"):
        in_time(score, {**DEAL, "rules": {"preset": "classic", key: sent}})
    for key in ("claim", "auction", "hands", "discards", "tricks"):
        in_time(check, {**RECORD, key: sent})
    for key in ("opening", "deals", "next", "seats", "title"):
        in_time(replay, {**SESSION, key: sent})
    for key in ("sheet", "dealer", "sits_out", "seats", "rules", "play"):
        in_time(replay, {**SESSION, "deals": [{**SESSION["deals"][0], key: sent}]})
    for key in ("opening", "deals", "title", "date"):
        in_time(lambda text: preview_session(text, KEY, KEY), json.dumps({**SESSION, key: sent}))


def test_names_of_a_table_are_compared_with_few_others() -> None:
    in_time(agreed, [f"{index:x}" for index in range(LONG // 5)])
