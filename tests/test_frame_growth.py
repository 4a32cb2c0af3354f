"""Hostile text: whatever reads what people and programs send takes time like its length."""

import json
from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask_babel import Babel
from werkzeug.datastructures import MultiDict

from scorer.documents import decode, encode
from scorer.games import find_game
from scorer.games.briscola_chiamata.bids import Bid
from scorer.languages import page_language
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
from tests.growth import is_linear
from tests.samples import DEAL, RECORD, SESSION

LONG = 32_768
KEY = UUID(int=1)
FRENCH = DECKS["french-no-8-9-10"]


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
        page_language.set("en")
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
    for begin, unit in product(("A", ""), UNITS):
        sent = partial(begun_with, begin, unit)
        assert is_linear(READERS[reader], sent, LONG), (begin, unit)


def begun_with(begin: str, unit: str, length: int) -> str:
    return begin + unit * (length // len(unit))


def many(unit: Any, length: int) -> list[Any]:
    return [unit] * (length // (len(json.dumps(unit)) + 2))


def others(length: int) -> dict[str, int]:
    return {f"{index:x}": 0 for index in range(length // 8)}


SHAPES: dict[str, Callable[[int], Any]] = {
    "numbers": partial(many, 0),
    "names": partial(many, "Ada"),
    "lists": partial(many, []),
    "objects": partial(many, {}),
    "calls": partial(many, ["Ada", "A"]),
    "tricks": partial(many, RECORD["tricks"][0]),
    "deals": partial(many, SESSION["deals"][0]),
    "rules": partial(many, {"outcome": "misdeal", "rules": {"name": "x"}}),
    "keys": others,
    "keys within": lambda length: [{"cards": others(length)}],
    "a long number": lambda length: 10 ** (length // 16),
    "accents": lambda length: "\u0301\u0316" * (length // 2),
}
PLACES: list[tuple[Callable[[Any], object], dict[str, Any], str]] = [
    (score, DEAL, "id game rules seats dealer sheet"),
    (check, RECORD, "claim auction hands discards tricks"),
    (replay, SESSION, "opening deals next seats title"),
    (lambda sent: preview_session(json.dumps(sent), KEY, KEY), SESSION, "opening deals title date"),
    (lambda sheet: score({**DEAL, "sheet": sheet}), DEAL["sheet"], " ".join(DEAL["sheet"])),
    (
        lambda rules: score({**DEAL, "rules": rules}),
        {"preset": "classic"},
        "auction call score session deck name unknown",
    ),
    (
        lambda deal: replay({**SESSION, "deals": [deal]}),
        SESSION["deals"][0],
        "sheet dealer sits_out seats rules play",
    ),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_document_is_answered_in_time_like_its_length(shape: str) -> None:
    for read, document, keys in PLACES:
        for key in keys.split():
            assert is_linear(read, partial(put, document, key, shape), LONG), key


def put(document: dict[str, Any], key: str, shape: str, length: int) -> dict[str, Any]:
    return {**document, key: SHAPES[shape](length)}


def test_names_of_a_table_are_compared_with_few_others() -> None:
    def names(length: int) -> list[str]:
        return [f"{index:x}" for index in range(length // 5)]

    assert is_linear(agreed, names, LONG)
