"""A demo circle: three evenings of invented but possible deals, written by the services.

A seed decides the deals: the same seed makes the same evenings, in another circle.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from secrets import randbelow
from threading import Thread
from time import sleep
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import BusyError
from scorer.evening.acts import Amend, Record, Void, WrittenSheet
from scorer.evening.session_acts import End, Start
from scorer.roles import Holder, Role
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import Seat
from scorer.services.base import clock
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.session import sessions
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.storage import in_transaction, queries
from scorer.storage.transfer import track_progress

#: What is played, and how its rules say that ranks are bid before points.
GAME = "briscola-chiamata"
LADDER = "ladder-then-points"
CIRCLE = "The Friday table"
#: The name of the link into the circle.
LINK = "Demo"
#: How long a visitor's circle lasts, how many there may be, and the Retry-After where there are.
LIFE, MOST_CIRCLES, LATER = timedelta(hours=1), 300, 60
#: Seconds between two looks for circles to delete.
EVERY = 30
FIVE = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
SIX = (*FIVE, "Fulvia")
BREAK = timedelta(minutes=7)
#: What a point is worth, so that there is something to settle.
STAKE_CENTS = 10


log = logging.getLogger(__name__)


class DemoSession(NamedTuple):
    """The script of one evening: its game, how long ago it was, which deals have mistakes."""

    title: str
    rules: str | Mapping[str, Any]
    players: tuple[str, ...]
    ago: timedelta
    length: int
    misdeal: int
    amended: int
    voided: int
    ended: bool = True


EVENINGS = (
    DemoSession(
        title="Friday at Bea’s",
        rules="ladder-bands",
        players=FIVE,
        ago=timedelta(days=14, hours=2),
        length=22,
        misdeal=6,
        amended=9,
        voided=15,
    ),
    DemoSession(
        title="Six at the table",
        rules={"preset": "classic", "sits_out": "dealer"},
        players=SIX,
        ago=timedelta(days=7, hours=2),
        length=18,
        misdeal=11,
        amended=4,
        voided=13,
    ),
    DemoSession(
        title="Col monte",
        rules="monte-5",
        players=FIVE,
        ago=timedelta(hours=1, minutes=30),
        length=9,
        misdeal=3,
        amended=5,
        voided=7,
        ended=False,
    ),
)


def fill(seed: int) -> str:
    """Write the evenings into a circle of their own; return the secret of a link into it."""
    random = Random(seed)  # noqa: S311  # invented evenings need no secrecy
    first, *later = EVENINGS
    opened = clock.now()
    circle_id = _play(first, opened, random)
    for evening in later:
        _play(evening, opened, random, circle_id)
    writer = _first_phone(circle_id)
    circles.hold(circle_id, writer.phone_id, None, by=writer)  # so that it is nobody's second phone
    return circles.make_link(circle_id, LINK, Role.OWNER)


def begin_for_visitor(browser: str) -> Holder:
    """Make a circle for a visitor, who owns it; raise BusyError if there are too many."""
    if len(queries.circle.circle_ids()) >= MOST_CIRCLES:
        raise BusyError(LATER)
    return circles.join(fill(randbelow(2**31)), {}, browser=browser)


class DemoWiper(Thread):
    """The thread of `scorer serve --demo` that deletes circles after an hour."""

    def __init__(self, app: Flask) -> None:
        super().__init__(name="demo", daemon=True)
        self._app = app

    def run(self) -> None:
        while True:
            sleep(EVERY)
            try:
                with self._app.app_context():
                    wipe()
            except SQLAlchemyError as error:
                log.warning("No circle of the demo can be deleted for now: %s", error)


def wipe() -> None:
    """Delete the circles that were made for visitors an hour ago or earlier."""
    for circle_id in queries.circle.circles_with_link(LINK, clock.now() - LIFE):
        in_transaction(partial(queries.circle.drop_circle, circle_id))


def _play(
    evening: DemoSession, opened: datetime, random: Random, circle_id: UUID | None = None
) -> UUID:
    begins = opened - evening.ago
    new = sessions.NewSession(
        key=uuid4(),
        game=GAME,
        rules=evening.rules,
        title=evening.title,
        players=evening.players,
        first_dealer=Seat(random.randrange(len(evening.players))),
        circle_id=circle_id,
        circle_name=CIRCLE,
        stake=STAKE_CENTS,
    )
    with clock.at(begins):
        by = None if circle_id is None else _first_phone(circle_id)
        started = sessions.start_session(new, by)
        by = _held(_first_phone(started.circle_id), evening.players[0])
    table = _DemoTable(evening, random, begins, started.session_id, by)
    numbers = range(1, evening.length + 1)
    for number in track_progress("deals", numbers):
        table.deal(number)
    table.finish()
    return started.circle_id


def _first_phone(circle_id: UUID) -> Holder:
    return circles.holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)


def _held(by: Holder, name: str) -> Holder:
    players = queries.circle.players(by.circle_id)
    player = next(player for player in players if player.name == name)
    circles.hold(by.circle_id, by.phone_id, player.player_id, by=by)
    return circles.holder(by.circle_id, by.phone_id)


@dataclass(slots=True)
class _DemoTable:
    """An evening being played."""

    evening: DemoSession
    random: Random
    begins: datetime
    session_id: UUID
    by: Holder

    @property
    def keys(self) -> tuple[UUID, UUID]:
        return self.by.circle_id, self.session_id

    def deal(self, number: int) -> None:
        """Play a deal, and afterwards correct a mistake in it."""
        misdeal = number == self.evening.misdeal
        sheet = None if misdeal else WrittenSheet(self.sheet())
        entry = Record(
            key=uuid4(),
            number=number,
            sheet=sheet,
            outcome=Outcome.MISDEAL if misdeal else Outcome.PLAYED,
        )
        with clock.at(self.begins + number * BREAK):
            deals.record_deal(self.session_id, entry, self.by)
        with clock.at(self.begins + number * BREAK + BREAK / 2):
            if sheet is not None and number == self.evening.amended:
                other = WrittenSheet(sheet | {"card_points": 120 - sheet["card_points"]})
                amend = Amend(version=1, reason="The other pile was counted", sheet=other)
                deals.do(*self.keys, number, amend, by=self.by)
            if number == self.evening.voided:
                void = Void(version=1, reason="A card lay on the floor")
                deals.do(*self.keys, number, void, by=self.by)

    def finish(self) -> None:
        """End the evening, or leave it with a deal under way."""
        number = self.evening.length + 1
        with clock.at(self.begins + number * BREAK):
            if self.evening.ended:
                do(*self.keys, End(), by=self.by)
                return
            sheet = self.sheet()
            start = {key: sheet[key] for key in ("caller", "bid", "called_card")}
            act = Start(key=uuid4(), number=number, sheet=start)
            do(*self.keys, act, by=self.by)

    @property
    def state(self) -> SessionState:
        return load_state(*self.keys)

    def sheet(self) -> dict[str, Any]:
        return invented(self.state.table(), self.random)


def invented(table: Table[Any], random: Random) -> dict[str, Any]:
    """Invent the sheet of a deal as it may well have been played."""
    caller, partner = random.sample([table.name(seat) for seat in table.active], 2)
    bid, rank = _bid(table.rules, random)
    target = table.rules.target(bid)
    low, high = (target, min(target + 30, 118)) if random.random() < 0.6 else (30, target - 1)
    ladder = table.rules.auction.style.value == LADDER
    return {
        "caller": caller,
        "bid": rank if bid is None else f"{rank}@{bid}" if ladder else bid,
        "called_card": f"{rank}{random.choice('CDSB')}",
        "partner": None if random.random() < 0.08 else partner,
        "card_points": random.randint(low, high),
    }


def _bid(rules: Any, random: Random) -> tuple[int | None, str]:
    """Invent a bid: its points, if points were bid, and the rank of the called card."""
    low = rules.auction.lowest
    points = random.randint(low, low + 25)
    ranks = [str(rank) for rank in rules.cards.ranks]
    if rules.auction.style.value != LADDER:
        return points, random.choice(ranks[:4])
    if random.random() < 0.25:
        return points, ranks[-1]
    return None, random.choice(ranks)
