"""Circles to measure with: of 1,000 and of 10,000 deals, in evenings of 25 over the years.

A point is worth ten cents, and for every twenty deals somebody paid somebody.
"""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from scorer.evening.document import FORMAT
from scorer.games import find_game
from scorer.rules.game import Table
from scorer.rules.seats import all_seats
from scorer.services.base.author import Holder
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.files import session_files
from scorer.services.files.demo import invented
from scorer.services.money import ledger
from scorer.services.money.ledger import Payment
from scorer.services.session import sessions
from scorer.services.session.sessions import NewSession
from scorer.services.session.writing import DealChange
from scorer.storage import queries

SIZES = (1_000, 10_000)
EVENING = 25
PER_PAYMENT = 20
STAKE_CENTS = 10
FIRST = date(2016, 1, 8)
PEOPLE = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fulvia", "Gino", "Ida")
GAME = "briscola-chiamata"
RULES = "ladder-bands"


@dataclass(frozen=True, slots=True)
class Years:
    """A circle with so many deals, a phone and a player of it, and its last evening."""

    size: int
    circle_id: UUID
    phone_id: UUID
    player_id: UUID
    session_id: UUID

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/circles/{self.circle_id}/"


def fill() -> list[Years]:
    """Play for years: five of eight people each evening, and now and then a deal is voided."""
    return [play(size) for size in SIZES]


def play(size: int) -> Years:
    """Play so many deals in a circle of its own."""
    random = Random(size)
    new = NewSession(
        key=uuid4(),
        game=GAME,
        rules=RULES,
        players=PEOPLE[:5],
        first_dealer=0,
        title="The first evening",
        circle_name=f"{size:,} deals",
    )
    started = sessions.start_session(new)
    if started.phone_id is None:
        raise RuntimeError("a circle begins with a phone")
    by = circles.holder(started.circle_id, started.phone_id)
    *_, last = (_evening(number, by, random) for number in range(size // EVENING))
    sessions.end_session(by.circle_id, last, by=by)
    people = [one.player_id for one in queries.circle.players(by.circle_id)]
    for _ in range(size // PER_PAYMENT):
        payer, payee = random.sample(people, 2)
        paid = Payment(uuid4(), payer, payee, random.randrange(10, 500))
        ledger.note_payment(by.circle_id, paid, by=by)
    return Years(size, by.circle_id, by.phone_id, people[0], last)


def _evening(number: int, by: Holder, random: Random) -> UUID:
    document = _document(number, random)
    preview = session_files.preview_session(json.dumps(document), uuid4(), by.circle_id)
    session_id = session_files.keep(preview, by)
    if number % 4 == 0:
        deals.void_deal(
            session_id, DealChange(random.randint(1, EVENING), 1, "A card too many"), by
        )
    sessions.set_stake(by.circle_id, session_id, STAKE_CENTS, by=by)
    return session_id


def _document(number: int, random: Random) -> dict[str, Any]:
    """Write the file of an evening of 25 deals, one of them a misdeal."""
    game, people = find_game(GAME), random.sample(PEOPLE, 5)
    table = Table(game.presets[RULES], tuple(people), all_seats(5))
    played: list[dict[str, Any]] = [{"sheet": invented(table, random)} for _ in range(EVENING)]
    played[random.randrange(EVENING)] = {"outcome": "misdeal"}
    return {
        "format": FORMAT,
        "game": GAME,
        "rules": RULES,
        "title": f"Evening {number + 1}",
        "date": (FIRST + timedelta(days=7 * number)).isoformat(),
        "seats": people,
        "deals": played,
    }
