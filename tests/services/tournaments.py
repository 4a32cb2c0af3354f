"""Tournaments for the tests of services and pages."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from scorer.evening.acts import Record, WrittenSheet
from scorer.roles import Holder
from scorer.services.deals import deals
from scorer.services.session.state import load_state
from scorer.services.tournament.tournaments import (
    NewTournament,
    StoredTournament,
    direct,
    load_tournament,
    make_tournament,
)
from scorer.tournaments.acts import DrawTurn, PublishTurn, TournamentAct

EIGHT = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino", "Ines")
PAIRS = tuple(f"{one}, {other}" for one, other in zip(EIGHT[::2], EIGHT[1::2], strict=True))


def new_tournament(entries: Sequence[str], **other: Any) -> NewTournament:
    """Agree on a tournament at briscola, in which each entry has the names between commas."""
    people = max((name.count(",") for name in entries), default=0) + 1
    agreed: dict[str, Any] = {
        "key": uuid4(),
        "name": "Tuesday",
        "game": "briscola",
        "rules": {"preset": "points-120", "target": 60},
        "settings": {"plan": {"kind": "mitchell"}, "ties": ["difference", "lot"]},
        "people": people,
        "entries": [name.split(", ") for name in entries],
    }
    return NewTournament(**agreed | other)


def make(circle_id: UUID, by: Holder, entries: Sequence[str], **other: Any) -> UUID:
    """Make a tournament; give its key."""
    new = new_tournament(entries, **other)
    make_tournament(circle_id, new, by=by)
    return new.key


class Directed:
    """A tournament of a circle, and the phone that directs it."""

    def __init__(self, by: Holder, entries: Sequence[str] = PAIRS, **other: Any) -> None:
        self.by = by
        self.key = by.circle_id, make(by.circle_id, by, entries, **other)

    @property
    def stored(self) -> StoredTournament:
        return load_tournament(*self.key)

    def do(self, act: TournamentAct) -> None:
        direct(*self.key, act, by=self.by)

    def publish(self, turn: int = 1) -> None:
        """Draw a turn and publish it."""
        self.do(DrawTurn(turn=turn))
        drawn = self.stored.evening.turns[turn - 1].drawn
        self.do(PublishTurn(turn=turn, drawn=drawn))

    def play(self, turn: int, table: int, points: Sequence[int]) -> UUID:
        """Record a deal at a table, with the card points of its sides; give its session."""
        session_id = self.stored.session_at(turn, table)
        number = load_state(self.by.circle_id, session_id).evening.number
        sheet = WrittenSheet({"card_points": [*points]})
        record = Record(key=uuid4(), number=number, sheet=sheet)
        deals.record_deal(session_id, record, self.by)
        return session_id
