"""The players of a circle and the figures of one of them, as programs read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from scorer.services.figures import DealPlace, PlayerFigures, circle_figures
from scorer.services.players import find
from scorer.storage import queries


def listed_players(circle_id: UUID) -> list[dict[str, Any]]:
    """List all players by name, with the games in which they were ever paid."""
    figures = circle_figures(circle_id)
    return [
        {
            "id": str(one.player_id),
            "name": one.name,
            "retired": one.retired_at is not None,
            "games": [slug for slug in figures.games if one.player_id in figures.players(slug)],
        }
        for one in queries.players(circle_id)
    ]


def player_document(circle_id: UUID, player_id: UUID, game: str) -> dict[str, Any]:
    """Give the figures of a player in a game, else in the one played most; raise NotFoundError.

    Points that came from somebody are a fraction as text, such as ``-7/2``: they are exact.
    """
    player, figures = find(circle_id, player_id), circle_figures(circle_id)
    slug = game or figures.main_game
    names = {one.player_id: one.name for one in queries.players(circle_id)}
    document: dict[str, Any] = {"id": str(player_id), "name": player.name, "game": slug}
    return document | _figures(figures.lifetime(slug or "", player_id), names)


def _figures(life: PlayerFigures, names: Mapping[UUID, str]) -> dict[str, Any]:
    record, run = life.record, life.run
    return {
        "everything": asdict(record.everything),
        "parts": {part or "played": asdict(tally) for part, tally in record.parts.items()},
        "bids": {bid: asdict(tally) for bid, tally in record.bids.items()},
        "partners": {names[who]: asdict(tally) for who, tally in record.partners.items()},
        "callers": {names[who]: asdict(tally) for who, tally in record.callers.items()},
        "flow": {
            names[who]: {"deals": one.deals, "points": str(one.points)}
            for who, one in record.flow.items()
        },
        "unbalanced": record.unbalanced,
        "evenings": [
            {"day": one.day.isoformat(), "points": one.points, "deals": one.deals}
            for one in life.evenings
        ],
        "longest_run": run
        and {"length": run.length, "first": _place(run.first), "last": _place(run.last)},
    }


def _place(one: DealPlace) -> dict[str, Any]:
    return {"session": str(one.session_id), "number": one.number}
