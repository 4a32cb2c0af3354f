"""Mistakes in documents: those that people make with their sentences, and faults of every kind.

A line of a file changes a sound document: ``put`` has new values by their paths, and ``drop`` the
paths of what is left out.
"""

import json
from pathlib import Path
from typing import Any

from tests.samples import RECORD

FIVE = ["Ada", "Bea", "Ciro", "Dora", "Ezio"]
SHEET: dict[str, Any] = {"caller": "Ada", "bid": "K", "partner": "Bea", "card_points": 70}
CALL: dict[str, Any] = {
    "game": "briscola-chiamata", "rules": "ladder-bands", "seats": FIVE, "sheet": SHEET,
}  # fmt: skip
BURRACO: dict[str, Any] = {
    "clean": [1, 0], "dirty": [1, 1], "pot_taken": [True, True], "melded": [385, 210],
    "in_hand": [25, 95], "closed": 0,
}  # fmt: skip
SCOPA: dict[str, Any] = {
    "cards": [22, 18], "coins": [6, 4], "settebello": 0, "primiera": [78, 75], "sweeps": [1, 0],
}  # fmt: skip
SCALA: dict[str, Any] = {"closed": "Ada", "hands": {"Bea": 20, "Ciro": 36}}
TRESSETTE: dict[str, Any] = {"aces": [3, 1], "thirds": [11, 9], "last_trick": 0}
SIX = [*FIVE, "Fede"]
PLAIN: dict[str, Any] = {
    "format": "scorer-session/1", "game": "briscola-chiamata", "rules": "classic", "seats": FIVE,
}  # fmt: skip
DEAL: dict[str, Any] = {
    "sheet": {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 61},
}  # fmt: skip
WITH_CARDS: dict[str, Any] = {
    "dealer": "Ezio",
    "sheet": {"caller": "Bea", "bid": "61", "partner": "Ciro", "card_points": 72},
    "play": {"called_card": "KC", "tricks": RECORD["tricks"]},
}
DOCUMENTS: dict[str, dict[str, Any]] = {
    "ranks": CALL,
    "french": {**CALL, "rules": "rulebook"},
    "points": {**CALL, "rules": "classic", "sheet": {**SHEET, "bid": "65"}},
    "ladder": {**CALL, "rules": {"preset": "classic", "auction": {"style": "ladder"}}},
    "briscola": {"game": "briscola", "seats": FIVE[:2], "sheet": {"card_points": [71, 49]}},
    "scopa": {"game": "scopa", "seats": FIVE[:4], "sheet": SCOPA},
    "burraco": {"game": "burraco", "seats": FIVE[:4], "sheet": BURRACO},
    "scala": {"game": "scala-quaranta", "seats": FIVE[:3], "sheet": SCALA},
    "tressette": {"game": "tressette", "seats": FIVE[:4], "sheet": TRESSETTE},
    "check": {
        "game": "briscola-chiamata", "rules": "ladder-bands", "seats": FIVE, "dealer": "Ezio",
        "claim": {"caller": "Bea", "bid": "K", "called_card": "KC"},
        "tricks": [["7B", "2D", "4S", "KS", "JB"]],
    },
    "session": {**PLAIN, "deals": [{"dealer": "Ezio", "sheet": {**SHEET, "bid": "65"}}]},
    "six": {
        **PLAIN, "seats": SIX, "deals": [{"sits_out": ["Fede"], "sheet": {**SHEET, "bid": "65"}}],
    },
    "score": {
        "id": "x1", "game": "briscola-chiamata", "rules": "classic", "seats": FIVE, **DEAL,
    },
    "record": RECORD,
    "seven": {
        "game": "briscola-chiamata", "rules": "monte-7", "seats": [*SIX, "Gino"], "dealer": "Gino",
        "claim": {"caller": "Bea", "bid": "61", "called_card": "KC"}, "tricks": [],
    },
    "dead hand": {
        "game": "briscola-chiamata", "seats": FIVE[:4], "dealer": "Dora",
        "rules": {"preset": "four-balanced", "cards_each": 8, "dead_hand": True},
        "claim": {"caller": "Bea", "bid": 61, "called_card": "KC"}, "tricks": RECORD["tricks"],
    },
    "known sides": {
        "game": "briscola", "seats": FIVE[:4], "turned_up": "7D", "tricks": [["4D", "6S"]],
    },
    "solve": RECORD,
    "evening": {**PLAIN, "deals": [DEAL]},
    "changes": {**PLAIN, "deals": [DEAL, DEAL]},
    "deals": {**PLAIN, "deals": [DEAL, DEAL, DEAL]},
    "cards": {**PLAIN, "deals": [{"outcome": "misdeal", "dealer": "Ezio"}, WITH_CARDS]},
}  # fmt: skip


def mistakes(name: str) -> list[dict[str, Any]]:
    """Return every line of a table: ``mistakes`` or ``faults``."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def mistaken(mistake: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the mistake in it."""
    # Not a deep copy: the deals of a document are one value, and only one of them changes.
    document: dict[str, Any] = json.loads(json.dumps(DOCUMENTS[mistake["in"]]))
    for path, value in mistake.get("put", {}).items():
        whole, key = _place(document, path)
        whole[key] = value
    for path in mistake.get("drop", ()):
        whole, key = _place(document, path)
        del whole[key]
    return document


def _place(document: Any, path: str) -> tuple[Any, Any]:
    *parts, last = (int(part) if part.isdecimal() else part for part in path.split("."))
    for part in parts:
        document = document[part]
    return document, last
