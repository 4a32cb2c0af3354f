"""The players of a circle and the figures of one of them, as programs read them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from scorer.services.circle.players import find
from scorer.services.figures.figures import CircleFigures, DealPlace, PlayerFigures, circle_figures
from scorer.storage import queries
from scorer.storage.models import Player


def listed_players(circle_id: UUID) -> list[dict[str, Any]]:
    """List all players by name, with the games in which they were ever paid."""
    figures = circle_figures(circle_id)
    return [
        {
            "id": str(player.player_id),
            "name": player.name,
            "retired": player.retired_at is not None,
            "games": [slug for slug in figures.games if player.player_id in figures.players(slug)],
        }
        for player in queries.circle.players(circle_id)
    ]


def player_document(circle_id: UUID, player_id: UUID, game: str) -> dict[str, Any]:
    """Return a player's figures in a game, by default the one played most; raise NotFoundError.

    Points that came from another player are an exact fraction as text, such as ``-7/2``.
    """
    player, figures = find(circle_id, player_id), circle_figures(circle_id)
    slug = game or figures.main_game
    names = {player.player_id: player.name for player in queries.circle.players(circle_id)}
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
            names[who]: {"deals": flow.deals, "points": str(flow.points)}
            for who, flow in record.flow.items()
        },
        "unbalanced": record.unbalanced,
        "evenings": [
            {"day": evening.day.isoformat(), "points": evening.points, "deals": evening.deals}
            for evening in life.evenings
        ],
        "longest_run": run
        and {"length": run.length, "first": _place(run.first), "last": _place(run.last)},
    }


def _place(deal: DealPlace) -> dict[str, Any]:
    return {"session": str(deal.session_id), "number": deal.number}


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player: since when, on how many evenings, and the balance in the game played most."""

    player_id: UUID
    name: str
    nickname: str
    created_at: datetime
    retired_at: datetime | None
    balance: int
    evenings: int
    last: date | None
    phones: int


def summaries(circle_id: UUID) -> list[PlayerSummary]:
    """List every player of a circle by name, the retired ones too."""
    figures = circle_figures(circle_id)
    held = Counter(
        phone.player_id for phone in queries.circle.phones(circle_id) if phone.revoked_at is None
    )
    return [
        _summary(figures, player, phones=held[player.player_id])
        for player in queries.circle.players(circle_id)
    ]


def _summary(figures: CircleFigures, player: Player, *, phones: int) -> PlayerSummary:
    lifetimes = {slug: figures.lifetime(slug, player.player_id) for slug in figures.games}
    days = [evening.day for life in lifetimes.values() for evening in life.evenings]
    main = figures.main_game
    return PlayerSummary(
        player_id=player.player_id,
        name=player.name,
        nickname=player.nickname,
        created_at=player.created_at,
        retired_at=player.retired_at,
        balance=lifetimes[main].record.everything.points if main else 0,
        evenings=len(days),
        last=max(days, default=None),
        phones=phones,
    )
