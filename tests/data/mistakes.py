"""Mistakes that people make in documents, each with the code, the place and the sentence it gets.

A line of the file changes a sound document: ``put`` has new values by their paths, and ``drop`` the
paths of what is left out.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

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
    "session": {
        "format": "scorer-session/1", "game": "briscola-chiamata", "rules": "classic",
        "seats": FIVE, "deals": [{"dealer": "Ezio", "sheet": {**SHEET, "bid": "65"}}],
    },
    "six": {
        "format": "scorer-session/1", "game": "briscola-chiamata", "rules": "classic",
        "seats": SIX, "deals": [{"sits_out": ["Fede"], "sheet": {**SHEET, "bid": "65"}}],
    },
}  # fmt: skip


def mistakes() -> list[dict[str, Any]]:
    """Give every line of the table."""
    lines = Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def mistaken(mistake: dict[str, Any]) -> dict[str, Any]:
    """Give the document with the mistake in it."""
    document = deepcopy(DOCUMENTS[mistake["in"]])
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
