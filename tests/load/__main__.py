"""Overwrite a file 200 times and look each time; take 100 backups while deals are written."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from threading import Event
from threading import Thread

from scorer.services.demo import fill
from scorer.services.verifying import verify
from scorer.storage import db
from scorer.storage import migrate
from scorer.storage.backups import back_up
from tests.load.overwrites import overwritten
from tests.services.evenings import start
from tests.storage.conftest import bare_app

OVERWRITES = 200
BACKUPS = 100
WRITERS = 4


def main() -> None:
    """Print what came of both."""
    with tempfile.TemporaryDirectory() as folder:
        print(_overwrites(Path(folder)))
        print(_backups(Path(folder)))


def _new(path: Path) -> str:
    url = f"sqlite:///{path}"
    migrate.upgrade(url)
    return url


def _overwrites(folder: Path) -> str:
    whole, copy = folder / "whole.sqlite", folder / "copy.sqlite"
    with bare_app(_new(whole)).app_context():
        fill(1)
        db.session.remove()
        db.engine.dispose()
    back_up(whole, folder / "one.sqlite")
    chance, results = random.Random(1), Counter[str]()
    for _ in range(OVERWRITES):
        result = overwritten(folder / "one.sqlite", copy, chance)
        results["found" if result.found else "no row changed" if result.same else "MISSED"] += 1
    size = (folder / "one.sqlite").stat().st_size
    return f"{OVERWRITES} overwrites of {size} bytes: {dict(results)}"


def _backups(folder: Path) -> str:
    database = folder / "busy.sqlite"
    url, ended, written = _new(database), Event(), Counter[str]()

    def write() -> None:
        with bare_app(url).app_context():
            evening = start()
            while not ended.is_set():
                evening.record()
                written["deals"] += 1
            db.session.remove()
            db.engine.dispose()

    writers = [Thread(target=write) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    began = time.monotonic()
    for number in range(BACKUPS):
        back_up(database, folder / f"backup-{number}.sqlite")
    took = time.monotonic() - began
    ended.set()
    for writer in writers:
        writer.join()
    bad = sum(_findings(folder / f"backup-{number}.sqlite") > 0 for number in range(BACKUPS))
    return (
        f"{BACKUPS} backups in {took:.1f} s while {written['deals']} deals were written: {bad} bad"
    )


def _findings(path: Path) -> int:
    with bare_app(f"sqlite:///{path}").app_context():
        try:
            return verify(print).findings
        finally:
            db.session.remove()
            db.engine.dispose()


if __name__ == "__main__":
    main()
