"""`make bench PEER=1`: ihatemoney, which also keeps a group's entries, on the same machine.

It is installed from PyPI into an environment of its own, where this file runs as a program and
prints its figures. Pages and writes are asked of both without a server and counted in seconds of
processor time, so that what else the machine does counts little.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import venv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    # Where the peer is measured, nothing of this project is installed.
    from bench.circles import Years
    from bench.figures import Bar

VERSION = "7.2.1"
SIZES = (1_000, 10_000)
TIMES = 9
MEMBERS = 5
FILE = "peer.sqlite"
BILL = (
    "INSERT INTO bill (id, payer_id, amount, converted_amount, what, bill_type, original_currency,"
    " external_link, date, creation_date)"
    " VALUES (?, ?, 12, 12, 'Dinner', 'EXPENSE', 'XXX', '', '2020-01-01', '2020-01-01')"
)
LIST, STATISTICS, FORM, WRITE = "list", "statistics", "form", "write"
AFTER = "list after each write"
NAME = "{}, {:,} entries"
#: What is held to a part of the peer's.
LIMITS = {NAME.format(FORM, size): 0.5 for size in SIZES} | {
    NAME.format(LIST, SIZES[0]): 0.05,
    NAME.format(AFTER, SIZES[0]): 0.1,
}
#: How many seconds of processor time each answer took, by what was asked.
Asked = dict[str, list[float]]


def measure(folder: Path) -> Asked:
    """Install the peer below a folder, and measure it there."""
    venv.create(folder / "peer", with_pip=True)
    python = str(folder / "peer" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", f"ihatemoney=={VERSION}"], check=True)
    done = subprocess.run(
        [python, "-W", "ignore", __file__, str(folder)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: Asked = json.loads(done.stdout.splitlines()[-1])
    return found


def ours(app: Any, filled: Iterable[Years]) -> Asked:
    """Measure the list of past deals, a player's page, the record form and recording."""
    from bench import evenings
    from bench.pages import SHEET
    from scorer.storage import queries

    client, taken = app.test_client(), Asked()
    for name, value in evenings.cookies(app, list(filled)).items():
        client.set_cookie(name, value)
    for one in filled:
        with app.app_context():
            empty = queries.session.sessions(one.circle_id, limit=1)[0].session_id
        record = f"{one.path}sessions/{empty}/record"
        pages = f"{one.path}deals/", f"{one.path}players/{one.player_id}/", record
        sheets = [SHEET | {"key": str(uuid4()), "number": str(n + 1)} for n in range(TIMES)]
        taken |= _ask(client, one.size, pages, record, sheets)
    return taken


def show(mine: Asked, theirs: Asked) -> Iterator[Bar]:
    """Print both, and hold ours to the parts of the peer's time in ``LIMITS``."""
    from bench.figures import Bar

    print(f"\nprocessor time in ms, and ihatemoney {VERSION}")
    for name, times in mine.items():
        one, other = (1_000 * median(taken) for taken in (times, theirs[name]))
        print(f"  {name:<44}{one:9.2f}{other:9.2f}   x {other / one:.1f}")
        if limit := LIMITS.get(name):
            yield Bar(f"{name} / ihatemoney's", one / other, limit)


def _ask(client: Any, size: int, pages: Sequence[str], record: str, sheets: Any) -> Asked:
    """Ask for pages, send sheets, and ask for the first page after each.

    The first answer of each page is not counted.
    """
    taken, listed = Asked(), pages[0]
    for kind, page in zip((LIST, STATISTICS, FORM), pages, strict=True):
        times = [_seconds(partial(client.get, page), 200) for _ in range(TIMES + 1)]
        taken[NAME.format(kind, size)] = times[1:]
    written, after = NAME.format(WRITE, size), NAME.format(AFTER, size)
    for one in sheets:
        seconds = _seconds(partial(client.post, record, data=one), 303, 302)
        taken.setdefault(written, []).append(seconds)
        taken.setdefault(after, []).append(_seconds(partial(client.get, listed), 200))
    return taken


def _seconds(ask: Callable[[], Any], *expected: int) -> float:
    began = process_time()
    status = ask().status_code
    seconds = process_time() - began
    if status not in expected:
        raise RuntimeError(f"the answer was {status}")
    return seconds


def _fill(file: Path, people: list[int], size: int) -> None:
    """Write so many bills, which everybody shares, past the journal that the peer keeps."""
    bills = range(size, 2 * size)
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(BILL, [(one, people[one % MEMBERS]) for one in bills])
        shared = [(one, who) for one in bills for who in people]
        database.executemany("INSERT INTO billowers (bill_id, person_id) VALUES (?, ?)", shared)


def main(folder: Path) -> None:
    """Measure ihatemoney: runs in its own environment, and prints what it took as JSON."""
    from ihatemoney.models import (  # type: ignore[import-not-found]  # installed elsewhere
        Person,
        Project,
        db,
    )
    from ihatemoney.run import create_app  # type: ignore[import-not-found]  # installed elsewhere

    class Settings:
        SQLALCHEMY_DATABASE_URI = f"sqlite:///{folder / FILE}"
        SECRET_KEY = "a bench"  # of a database that is thrown away
        WTF_CSRF_ENABLED = SESSION_COOKIE_SECURE = False

    app, taken = create_app(Settings), Asked()
    with app.app_context():
        for size in SIZES:
            group = Project(id=f"p{size}", name="P", password="", contact_email="a@example.org")
            group.members = [Person(name=f"Person {n}") for n in range(MEMBERS)]
            db.session.add(group)
            db.session.commit()
            people = [one.id for one in group.members]
            _fill(folder / FILE, people, size)
            client = app.test_client()
            with client.session_transaction() as cookie:
                cookie["projects"] = {group.id: group.name}
            sheet = {"what": "Wine", "date": "2026-11-20", "payer": people[0], "amount": "12"}
            sheet |= {"payed_for": people, "bill_type": "Expense", "original_currency": "XXX"}
            at = f"/{group.id}/"
            pages = at, f"{at}statistics", f"{at}add"
            taken |= _ask(client, size, pages, f"{at}add", [sheet] * TIMES)
    print(json.dumps(taken))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
