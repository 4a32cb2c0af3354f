"""Processes that act on the sessions of a circle at random, and say what was acknowledged.

One of them waits to be killed. That a session in the memory of another one is not the one that the
database has is a fault.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from random import Random
from signal import SIGKILL
from typing import Any
from uuid import UUID, uuid4

from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.acts import (
    Amend,
    Confirm,
    DealAct,
    Dispute,
    Record,
    Restore,
    Uphold,
    Void,
    WrittenSheet,
)
from scorer.evening.session_acts import Change, End, PlayOn
from scorer.roles import Holder
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.session.state import SessionState, load_state, read_anew
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.services.evenings import sheet
from tests.storage.conftest import opened

REFUSALS = ConflictError, InvalidError, RefusedError
#: Seconds that whoever has written waits for the other one.
PATIENCE = 120


class Writer:
    """A phone that acts on one session after another."""

    def __init__(self, name: str, by: Holder) -> None:
        self.name, self.by, self.random = name, by, Random(name)  # a test
        self.keys = queries.session.session_ids(by.circle_id)
        self.acts: list[Callable[[SessionState], None]] = [
            self.record, self.record, self.record, self.on_a_deal, self.on_a_deal, self.change,
            self.end,
        ]  # fmt: skip

    def act(self) -> None:
        state = load_state(self.by.circle_id, self.random.choice(self.keys))
        with suppress(*REFUSALS):
            self.random.choice(self.acts)(state)

    def record(self, state: SessionState) -> None:
        outcome = self.random.choice([Outcome.PLAYED] * 4 + [Outcome.MISDEAL])
        answers = self.answers(state) if outcome is Outcome.PLAYED else None
        number = state.evening.number
        record = Record(key=uuid4(), number=number, sheet=answers, outcome=outcome)
        done = deals.record_deal(state.session_id, record, self.by)
        self.acknowledge(record.key, done.version)

    def answers(self, state: SessionState) -> WrittenSheet:
        caller, partner = self.random.sample(range(len(state.names[:5])), 2)
        points = self.random.randint(20, 100)
        return WrittenSheet(sheet(state.names[caller], state.names[partner], points))

    def on_a_deal(self, state: SessionState) -> None:
        if not state.deals:
            return
        deal, kind = self.random.choice(state.deals), self.random.choice(KINDS)
        said: dict[str, Any] = {"version": deal.version, "reason": "so it was"}
        if kind is Amend:
            said |= {"sheet": self.answers(state), "seen": len(deal.reviews)}
        elif kind not in (Void, Restore):
            said |= {"seen": len(deal.reviews)}
        done = deals.do(self.by.circle_id, state.session_id, deal.number, kind(**said), by=self.by)
        if kind in (Amend, Void, Restore):
            self.acknowledge(deal.deal_id, done.version)

    def change(self, state: SessionState) -> None:
        number = state.evening.number
        since = self.random.randint(max(1, number - 3), number)
        order = list(all_seats(5))
        self.random.shuffle(order)
        rules = self.random.choice(["classic", "monte-5"])
        change = Change(from_number=since, next_number=number, rules=rules)
        if self.random.random() < 1 / 2:
            change = Change(from_number=since, next_number=number, seats=tuple(order))
        do(self.by.circle_id, state.session_id, change, by=self.by)

    def end(self, state: SessionState) -> None:
        do(self.by.circle_id, state.session_id, End(), by=self.by)
        do(self.by.circle_id, state.session_id, PlayOn(), by=self.by)

    def acknowledge(self, key: UUID, number: int) -> None:
        print(self.name, os.getpid(), key, number, flush=True)


KINDS: list[type[DealAct]] = [Amend, Void, Restore, Dispute, Confirm, Uphold]


def differing(circle_id: UUID) -> list[UUID]:
    """List the sessions that are not in memory as they are in the database."""
    keys = queries.session.session_ids(circle_id)
    return [
        key
        for key in keys
        if content(load_state(circle_id, key)) != content(read_anew(circle_id, key))
    ]


def content(state: SessionState) -> tuple[Any, ...]:
    """Return all that a session comes to."""
    evening = state.evening
    told = [(deal.versions, deal.reviews, deal.turn, deal.totals) for deal in evening.deals]
    return told, evening.changes, evening.totals, evening.turn, evening.ended, evening.written


def write(url: str, name: str, acts: int, written: Barrier) -> None:
    """Do so many acts; when nobody writes any more, compare what is in memory."""
    with opened(url):
        circle_id = queries.circle.circle_ids()[0]
        phone = queries.circle.phones(circle_id)[0]
        writer = Writer(name, circles.holder(circle_id, phone.phone_id))
        for _ in range(acts):
            writer.act()
        written.wait(PATIENCE)
        wrong = differing(circle_id)
        assert wrong == []


def main(url: str, acts: int) -> int:
    """Let one write beside another that is killed, and then a third; they share what is loaded."""
    context = get_context("fork")
    written = context.Barrier(2)
    steady, killed, again = (
        context.Process(target=write, args=(url, name, count, written))
        for name, count in (("steady", acts), ("killed", 100 * acts), ("again", acts // 2))
    )
    steady.start()
    killed.start()
    killed.join()
    again.start()
    steady.join()
    again.join()
    ended = [process.exitcode for process in (steady, killed, again)]
    return int(ended != [0, -SIGKILL, 0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
