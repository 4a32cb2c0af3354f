"""The golden evenings: whole sessions of every game, answers in, payouts and standings out."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from scorer.rules.game import Game

FOLDER = Path(__file__).parents[1] / "golden"


class Evening(NamedTuple):
    """One evening of the files."""

    name: str
    session: dict[str, Any]
    answer: dict[str, Any]


def file_of(game: Game[Any, Any]) -> Path:
    return FOLDER / f"{game.slug.replace('-', '_')}.json"


def evenings(game: Game[Any, Any]) -> list[Evening]:
    """Give the golden evenings of a game."""
    listed = json.loads(file_of(game).read_text(encoding="utf-8"))
    return [Evening(**evening) for evening in listed]


def deals(game: Game[Any, Any]) -> list[dict[str, Any]]:
    """Give every deal that the evenings say was played, as a request to score it alone.

    Whoever was out by then, or sat out, isn't at the table.
    """
    return [
        {
            "id": f"{evening.name}, deal {number}",
            "game": game.slug,
            "rules": evening.session.get("rules"),
            "seats": [name for name in evening.session["seats"] if name in played["payouts"]],
            "sheet": deal["sheet"],
        }
        for evening in evenings(game)
        for number, (deal, played) in enumerate(
            zip(evening.session["deals"], evening.answer["deals"], strict=True), start=1
        )
        if deal.get("outcome", "played") == "played"
    ]
