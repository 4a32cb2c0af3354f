"""How long each question takes with 20 and with 2,000 deals: `python -m tests.storage.timings`.

Runs on SQLite, and on PostgreSQL where SCORER_TEST_PG names a server. Milliseconds, best of many.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from uuid import uuid4

from flask import Flask

from scorer import storage
from scorer.storage import db, in_transaction, queries
from tests.databases import postgres_database
from tests.storage.evenings import write_deal, write_evening

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.storage.evenings import Evening

SIZES = (20, 2_000)
ROUNDS = 30


def main() -> None:
    """Print a table for each engine."""
    with tempfile.TemporaryDirectory() as folder:
        show(f"sqlite:///{Path(folder) / 'scorer.sqlite'}")
    if "SCORER_TEST_PG" in os.environ:
        with postgres_database(os.environ["SCORER_TEST_PG"]) as url:
            show(url)


def show(url: str) -> None:
    app = Flask("timings")
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    storage.init_app(app)
    with app.app_context():
        storage.upgrade()
        evenings = [write_evening(f"{size} ", deals=size) for size in SIZES]
        print(f"{storage.database_mode()}\n{'':24}{SIZES[0]:>10}{SIZES[1]:>10}")
        for name in asked(evenings[0]):
            figures = [best(asked(evening)[name]) for evening in evenings]
            print(f"{name:24}" + "".join(f"{figure:10.2f}" for figure in figures))
        db.session.remove()
        db.engine.dispose()


def asked(evening: Evening) -> dict[str, Callable[[], object]]:
    """Give the work of a session page, of the chart, and of recording."""
    key = evening.circle_id, evening.session_id
    middle = len(evening.deal_ids) // 2
    return {
        "session": lambda: queries.session(*key),
        "seats": lambda: queries.seats(*key),
        "balances": lambda: queries.balances(*key),
        "balances half way": lambda: queries.balances(*key, until=middle),
        "newest 10 deals": lambda: queries.newest_deals(*key, limit=10),
        "10 deals half way": lambda: queries.newest_deals(*key, limit=10, before=middle + 1),
        "one deal": lambda: queries.deal(*key, middle),
        "since the last played": lambda: queries.deals_since_last_played(*key),
        "played": lambda: queries.played_count(*key),
        "sessions of the circle": lambda: queries.sessions(evening.circle_id, limit=20),
        "amended numbers": lambda: queries.amended_numbers(*key),
        "standing outcomes": lambda: queries.standing_outcomes(*key),
        "matrix of payouts": lambda: queries.payout_matrix(*key),
        "write a deal": lambda: in_transaction(lambda: record(evening)),
    }


def record(evening: Evening) -> None:
    session = queries.session_for_update(evening.circle_id, evening.session_id)
    if session:
        write_deal(evening, uuid4(), session.next_number)
        session.next_number += 1
        queries.keep_session(session)


def best(work: Callable[[], object]) -> float:
    """Give the milliseconds of the quickest round, the connection being open."""
    rounds = []
    for _ in range(ROUNDS):
        db.session.remove()
        db.session.connection()
        began = perf_counter()
        work()
        rounds.append(perf_counter() - began)
    return 1_000 * min(rounds)


if __name__ == "__main__":
    main()
