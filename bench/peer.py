"""ihatemoney, which also keeps a group's entries, on the same machine.

It is installed from PyPI into an environment of its own, where this module runs as a program and
prints its figures. Pages and writes are asked of both without a server and counted in seconds of
processor time, so that what else the machine does counts little.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bench.figures import Figure

if TYPE_CHECKING:  # where the peer is measured, nothing that this imports is installed
    from bench.places import Place

VERSION = "7.2.1"
ENTRIES, TIMES, MEMBERS, EVENING = 1_000, 9, 5, 20
FILE = "peer.sqlite"
BILL = (
    "INSERT INTO bill (id, payer_id, amount, converted_amount, what, bill_type, original_currency,"
    " external_link, date, creation_date)"
    " VALUES (?, ?, 12, 12, 'Dinner', 'EXPENSE', 'XXX', '', '2020-01-01', '2020-01-01')"
)
LIST, STATISTICS, FORM, WRITE, AFTER = "list", "statistics", "form", "write", "list after a write"
#: Milliseconds that ours may take, and how many times as long the peer must take.
MOST, LEAST = {FORM: 15, WRITE: 10}, {LIST: 20, STATISTICS: 20}
#: Milliseconds of processor time that each answer took, by what was asked.
Asked = dict[str, list[float]]


def peer(place: Place) -> Iterator[Figure]:
    """Measure both, and hold ours to the clock and to a part of the peer's time."""
    with place.database() as url:
        mine = ours(url)
    theirs = measure(place.folder)
    for name, taken in mine.items():
        own, other = median(taken), median(theirs[name])
        note = f"ihatemoney {VERSION}: {other:.1f} ms"
        yield Figure(f"{name}, {ENTRIES:,} entries", own, "ms", MOST.get(name), note=note)
        yield Figure(f"{name}, ihatemoney's time / ours", other / own, least=LEAST.get(name))


def ours(url: str) -> Asked:
    """Measure the list of past deals, a player's page, the record form and recording."""
    from bench import years
    from scorer import create_app, storage
    from tests.web.phones import PLAYED, Browser

    app = create_app({"DATABASE_URL": url, "LAN_HTTP": True, "LIMITS": {"write": 1_000_000}})
    client = Browser(app, app.response_class)
    with app.app_context():
        large = years.play(ENTRIES)
        session = years.open_evening(large.by, Random(0), EVENING)
    with client.session_transaction() as cookie:
        cookie["phones"] = {large.circle_id.hex: large.by.phone_id.hex}
    record = f"{large.path}sessions/{session}/record"
    pages = f"{large.path}deals/", f"{large.path}players/{large.player_id}/", record
    numbers = range(EVENING + 1, EVENING + TIMES + 1)
    sheets = [{**PLAYED, "key": str(uuid4()), "number": str(number)} for number in numbers]
    taken = _ask(client, pages, record, sheets)
    with app.app_context():
        storage.db.engine.dispose()
    return taken


def measure(folder: Path) -> Asked:
    """Install the peer below a folder, and measure it there."""
    venv.create(folder / "peer", with_pip=True)
    python = str(folder / "peer" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", f"ihatemoney=={VERSION}"], check=True)
    command = [python, "-W", "ignore", "-m", "bench.peer", str(folder)]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=root)
    taken: Asked = json.loads(done.stdout.splitlines()[-1])
    return taken


def _ask(client: Any, pages: Sequence[str], record: str, sheets: Sequence[Any]) -> Asked:
    """Ask for pages, send sheets, and ask for the first page after each.

    The first answer of each page is not counted.
    """
    taken: Asked = {WRITE: [], AFTER: []}
    for name, page in zip((LIST, STATISTICS, FORM), pages, strict=True):
        taken[name] = [_milliseconds(client, page) for _ in range(TIMES + 1)][1:]
    for sheet in sheets:
        taken[WRITE].append(_milliseconds(client, record, sheet))
        taken[AFTER].append(_milliseconds(client, pages[0]))
    return taken


def _milliseconds(client: Any, path: str, sheet: Any = None) -> float:
    began = process_time()
    answer = client.get(path) if sheet is None else client.post(path, data=sheet)
    seconds = process_time() - began
    if answer.status_code not in ((200,) if sheet is None else (302, 303)):
        raise RuntimeError(f"{path}: {answer.status_code}")
    return 1_000 * seconds


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

    app = create_app(Settings)
    with app.app_context():
        group = Project(id="p", name="P", password="", contact_email="a@example.org")
        group.members = [Person(name=f"Person {number}") for number in range(MEMBERS)]
        db.session.add(group)
        db.session.commit()
        people = [person.id for person in group.members]
        _fill(folder / FILE, people)
        client = app.test_client()
        with client.session_transaction() as cookie:
            cookie["projects"] = {group.id: group.name}
        sheet = {"what": "Wine", "date": "2026-11-20", "payer": people[0], "amount": "12"}
        sheet |= {"payed_for": people, "bill_type": "Expense", "original_currency": "XXX"}
        pages = "/p/", "/p/statistics", "/p/add"
        print(json.dumps(_ask(client, pages, "/p/add", [sheet] * TIMES)))


def _fill(file: Path, people: list[int]) -> None:
    """Write the bills, which everybody shares, past the journal that the peer keeps."""
    bills = range(ENTRIES)
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(BILL, [(bill, people[bill % MEMBERS]) for bill in bills])
        shared = [(bill, person) for bill in bills for person in people]
        database.executemany("INSERT INTO billowers (bill_id, person_id) VALUES (?, ?)", shared)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
