"""A deal, a session and a trick record as programs send them."""

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
RECORD: dict[str, Any] = {
    "id": "g1",
    "game": "briscola-chiamata",
    "rules": "classic",
    "seats": DEAL["seats"],
    "dealer": "Ezio",
    "claim": {
        "caller": "Bea",
        "bid": "K",
        "called_card": "KC",
        "partner": "Ciro",
        "card_points": 72,
        "made": True,
    },
    "tricks": [
        ["7B", "2D", "4S", "KS", "JB"],
        ["4D", "3B", "KD", "AS", "5C"],
        ["6D", "AD", "7D", "QC", "QB"],
        ["KB", "JS", "5D", "AB", "6S"],
        ["QS", "QD", "3S", "7S", "2S"],
        ["3D", "KC", "4B", "5B", "5S"],
        ["6C", "6B", "7C", "JC", "3C"],
        ["AC", "2C", "2B", "JD", "4C"],
    ],
}
TOURNAMENT: dict[str, Any] = {
    "format": "scorer-session/1",
    "game": "burraco",
    "rules": {"preset": "three-deals", "deals": 1},
    "seats": ["Ada", "Bea", "Ciro", "Dora"],
    "deals": [
        {
            "sheet": {
                "clean": [1, 0],
                "dirty": [1, 1],
                "closed": 0,
                "pot_taken": [True, True],
                "melded": [385, 210],
                "in_hand": [25, 95],
            }
        }
    ],
}
