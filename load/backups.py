"""Backups taken while others write, each looked at afterwards."""

import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from scorer.services.journal.verify import verify
from scorer.storage.backups import back_up
from tests.services.evenings import start
from tests.storage.conftest import opened

WRITERS = 4


class Taken(NamedTuple):
    """How many of the backups are not sound, how many deals were written meanwhile, how long."""

    bad: int
    deals: int
    seconds: float


def taken_under_load(database: Path, count: int) -> Taken:
    """Take backups one after the other while deals are written, and verify each."""
    ended, written = Event(), Counter[str]()

    def write() -> None:
        with opened(f"sqlite:///{database}"):
            evening = start()
            while not ended.is_set():
                evening.record()
                written["deals"] += 1

    writers = [Thread(target=write) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    began = time.monotonic()
    copies = [database.with_name(f"backup-{number}.sqlite") for number in range(count)]
    for copy in copies:
        back_up(database, copy)
    seconds = time.monotonic() - began
    ended.set()
    for writer in writers:
        writer.join()
    return Taken(sum(not _is_sound(copy) for copy in copies), written["deals"], seconds)


def _is_sound(copy: Path) -> bool:
    with opened(f"sqlite:///{copy}"):
        return verify(print).findings == 0
