"""A circle to measure with: evenings of 25 deals over the years, and open sessions.

A point is worth ten cents, and for every twenty deals somebody paid somebody.
"""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from scorer.evening.document import FORMAT
from scorer.evening.session_acts import PlayOn
from scorer.games import find_game
from scorer.roles import Holder
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from scorer.services.circle import circles
from scorer.services.files import session_files
from scorer.services.files.demo import invented
from scorer.services.money import ledger
from scorer.services.money.ledger import Payment
from scorer.services.session import sessions
from scorer.services.session.writing import do
from scorer.storage import queries

EVENING, PER_PAYMENT, STAKE_CENTS = 25, 20, 10
#: The number of an evening after all others.
NEWEST = 500
FIRST = date(2016, 1, 8)
PEOPLE = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino", "Ida")
GAME, RULES = "briscola-chiamata", "classic"


@dataclass(frozen=True, slots=True)
class Years:
    """A circle with so many deals, its first phone, a player of it, and its last evening."""

    by: Holder
    player_id: UUID
    session_id: UUID

    @property
    def circle_id(self) -> UUID:
        return self.by.circle_id

    @property
    def path(self) -> str:
        return f"/circles/{self.circle_id}/"


def play(size: int) -> Years:
    """Play so many deals in a circle of its own, five of eight people each evening."""
    random = Random(size)
    by = circles.join(circles.begin_circle(f"{size:,} deals"), {})
    evenings = [play_evening(by, random, number) for number in range(size // EVENING)]
    for session_id in evenings:
        sessions.set_stake(by.circle_id, session_id, STAKE_CENTS, by=by)
    people = [player.player_id for player in queries.circle.players(by.circle_id)]
    for _ in range(size // PER_PAYMENT):
        payer, payee = random.sample(people, 2)
        paid = Payment(uuid4(), payer, payee, random.randrange(10, 500))
        ledger.note_payment(by.circle_id, paid, by=by)
    return Years(by, people[0], evenings[-1])


def open_evening(by: Holder, random: Random, deals: int) -> UUID:
    """Play so many deals in a session that is still open."""
    session_id = play_evening(by, random, NEWEST, deals)
    do(by.circle_id, session_id, PlayOn(), by=by)
    return session_id


def play_evening(by: Holder, random: Random, number: int = 0, deals: int = EVENING) -> UUID:
    """Play so many deals, one of them a misdeal, and end the session."""
    document = json.dumps(_document(random, number, deals))
    preview = session_files.preview_session(document, uuid4(), by.circle_id)
    return session_files.keep(preview, by)


def _document(random: Random, number: int, deals: int) -> dict[str, Any]:
    """Write the file of an evening."""
    game, people = find_game(GAME), random.sample(PEOPLE, 5)
    table = Table(game.presets[RULES], tuple(people), all_seats(5))
    played: list[dict[str, Any]] = [{"sheet": invented(table, random)} for _ in range(deals)]
    played[random.randrange(deals)] = {"outcome": "misdeal"}
    return {
        "format": FORMAT,
        "game": GAME,
        "rules": RULES,
        "title": f"Evening {number + 1}",
        "date": (FIRST + timedelta(days=7 * number)).isoformat(),
        "seats": people,
        "deals": played,
    }
