"""Backups that are taken while others write, each restored afterwards."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

from bench.figures import Figure
from bench.places import Place
from scorer.services.journal.verify import verify
from scorer.storage.backups import back_up, restore
from tests.services.evenings import start
from tests.storage.conftest import opened

WRITERS, BACKUPS = 4, 100


def backups(place: Place) -> Iterator[Figure]:
    """Take backups one after the other while deals are written, restore and verify each."""
    ended, written = Event(), Counter[str]()
    database = place.folder / "scorer.sqlite"

    def write() -> None:
        with opened(f"sqlite:///{database}"):
            evening = start()
            while not ended.is_set():
                evening.record()
                written["deals"] += 1

    with place.database():
        writers = [Thread(target=write) for _ in range(WRITERS)]
        for writer in writers:
            writer.start()
        began = time.monotonic()
        copies = [place.folder / f"backup-{number}.sqlite" for number in range(BACKUPS)]
        for copy in copies:
            back_up(database, copy)
        seconds = time.monotonic() - began
        ended.set()
        for writer in writers:
            writer.join()
    bad = sum(not _is_sound(copy) for copy in copies)
    note = f"of {BACKUPS} in {seconds:.0f} s"
    yield Figure("deals written meanwhile", written["deals"], least=1)
    yield Figure("backups that are not sound", bad, most=0, note=note)


def _is_sound(copy: Path) -> bool:
    restored = copy.with_suffix(".restored")
    restore(copy, restored)
    with opened(f"sqlite:///{restored}"):
        return verify(print).findings == 0
