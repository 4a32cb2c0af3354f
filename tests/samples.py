"""A deal and a session as programs send them."""

from typing import Any

DEAL: dict[str, Any] = {
    "id": "x1",
    "game": "briscola-chiamata",
    "rules": "ladder-bands",
    "seats": ["Ada", "Bea", "Ciro", "Dora", "Ezio"],
    "sheet": {
        "caller": "Ada",
        "bid": "2@72",
        "partner": None,
        "card_points": 72,
        "tricks_won": 5,
    },
}
SESSION: dict[str, Any] = {
    "format": "scorer-session/1",
    "game": "briscola-chiamata",
    "rules": "classic",
    "seats": DEAL["seats"],
    "deals": [{"sheet": {"caller": "Ada", "bid": "A", "partner": "Bea", "card_points": 70}}],
}
