"""What must hold on a real server, measured in full; the tests beside hold the same in small."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.figures import p50, p99
from load import disks, flushes
from load.backups import taken_under_load
from load.browsers import believe_phones
from load.killing import killed_while
from load.overwrites import overwritten
from load.phones import faults, in_one_session, record_at_once
from scorer.services.demo import fill as play_evenings
from scorer.storage import db, migrate
from tests.databases import postgres_database, postgres_folder
from tests.serving import SERVE, running
from tests.storage.conftest import bare_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from load.phones import Phone

WORKERS = 4
PHONES = 10
DEALS = 100
PHONES_WHILE_KILLED = 4
DEALS_WHILE_KILLED = 500
KILLS = 10
FLUSHED_DEALS = 200
OVERWRITES = 200
BACKUPS = 100
MB = 1 << 20
DISKS = {"SQLite": (4 * MB, MB), "PostgreSQL": (16 * MB, MB // 4)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server keeps its data: a folder of its own, and a PostgreSQL server or none."""

    folder: Path
    postgres: str = ""

    @property
    def engine(self) -> str:
        """The engine's name."""
        return "PostgreSQL" if self.postgres else "SQLite"

    @contextmanager
    def database(self, disk: Path | None = None) -> Iterator[str]:
        """Give the URL of a new database, on a disk of its own if there is one."""
        believe_phones(self.folder)
        with ExitStack() as opened:
            if not self.postgres:
                yield f"sqlite:///{(disk or self.folder) / 'scorer.sqlite'}"
                return
            where = "pg_default"
            if disk:
                where = opened.enter_context(postgres_folder(self.postgres, disk))
            yield opened.enter_context(postgres_database(self.postgres, where=where))


class Outcome(NamedTuple):
    """The figures of a bar in words, and whatever speaks against it."""

    figures: str
    faults: list[str]


def at_once(place: Place) -> Outcome:
    """Ten phones record into one session."""
    with place.database() as url, running(place.folder, database_url=url, workers=WORKERS) as here:
        phones = in_one_session(here.url, PHONES)
        seconds = record_at_once(phones, DEALS)
        found = faults(phones, url)
    taken = [second for phone in phones for second in phone.seconds]
    return Outcome(
        f"{_acknowledged(phones):,} acknowledged in {seconds:.0f} s; {len(taken):,} requests, "
        f"{sum(phone.conflicts for phone in phones):,} of them told that another was quicker; "
        f"p50 {1000 * p50(taken):.0f} ms, p99 {1000 * p99(taken):.0f} ms",
        found,
    )


def killed(place: Place) -> Outcome:
    """All workers are killed ten times while four phones record."""
    with place.database() as url, running(place.folder, database_url=url, workers=WORKERS) as here:
        phones = in_one_session(here.url, PHONES_WHILE_KILLED)
        every = PHONES_WHILE_KILLED * DEALS_WHILE_KILLED // (KILLS + 1)
        with killed_while(here, phones, times=KILLS, every=every) as kills:
            record_at_once(phones, DEALS_WHILE_KILLED)
        found = faults(phones, url)
    if kills != [WORKERS] * KILLS:
        found.append(f"{kills} workers were killed")
    unanswered = sum(phone.unanswered for phone in phones)
    return Outcome(
        f"{_acknowledged(phones):,} acknowledged; {sum(kills)} workers killed in {len(kills)} "
        f"times; {unanswered} requests without an answer",
        found,
    )


def _acknowledged(phones: list[Phone]) -> int:
    return sum(len(phone.acknowledged) for phone in phones)


def flushed(place: Place) -> Outcome:
    """Between a deal and its answer the disk is told to keep it."""
    log = place.folder / "flushes"
    program = SERVE if place.postgres else flushes.watched(SERVE, log)
    with place.database() as url, ExitStack() as opened:
        if place.postgres:
            opened.enter_context(flushes.watched_postgres(url, log))
        here = opened.enter_context(
            running(place.folder, database_url=url, workers=WORKERS, program=program)
        )
        phones = in_one_session(here.url, 1)
        spans = flushes.timed(lambda: phones[0].record(70), FLUSHED_DEALS)
        found = faults(phones, url)
    counted = flushes.within(flushes.moments(log), spans)
    if min(counted) < 1:
        found.append(f"{counted.count(0)} deals were acknowledged before they were on the disk")
    return Outcome(f"{sum(counted)} for {len(spans)} deals, at least {min(counted)} each", found)


def full_disk(place: Place) -> Outcome:
    """The disk fills up, is read from, gets room again; only root can make such a disk."""
    if os.geteuid():
        return Outcome("not tried: only root may mount a disk", [])
    place.folder.chmod(0o711)
    instance = place.folder / "instance"
    instance.mkdir()
    size, left = DISKS[place.engine]
    with (
        disks.small_disk(place.folder / "disk", size) as disk,
        place.database(disk) as url,
        running(instance, database_url=url, workers=WORKERS) as here,
    ):
        phones = in_one_session(here.url, 1)
        disks.fill(disk, left)
        while not phones[0].refused:
            phones[0].record(70)
        before = _acknowledged(phones)
        told, read = phones[0].refused.pop(), phones[0].browser.go("").status_code
        disks.make_room(disk)
        phones[0].record(70)
        found = faults(phones, url)
    if (told, read, _acknowledged(phones)) != (507, 200, before + 1):
        found.append("the disk was full, and then it was not")
    return Outcome(f"{before} acknowledged, then {told}; pages {read}; with room again 303", found)


def overwrites(place: Place) -> Outcome:
    """Any part of a file is overwritten; verify finds it, or nothing that is kept has changed."""
    results = _overwritten(_evenings(place))
    return Outcome(
        f"{results['found']} of {OVERWRITES} found, {results['harmless']} changed nothing kept",
        [f"{results['missed']} were missed"] if results["missed"] else [],
    )


def _evenings(place: Place) -> Path:
    """Play three evenings; give a copy of the file as it is while somebody has it open."""
    database, copy = place.folder / "scorer.sqlite", place.folder / "copied.sqlite"
    migrate.upgrade(f"sqlite:///{database}")
    with bare_app(f"sqlite:///{database}").app_context():
        play_evenings(1)
        db.session.remove()
        db.engine.dispose()
    shutil.copy(database, copy)
    return copy


def _overwritten(whole: Path) -> Counter[str]:
    chance, results = random.Random(1), Counter[str]()
    for _ in range(OVERWRITES):
        result = overwritten(whole, whole.with_name("overwritten.sqlite"), chance)
        results["found" if result.found else "harmless" if result.same else "missed"] += 1
    return results


def backups(place: Place) -> Outcome:
    """Backups are taken while deals are written."""
    database = place.folder / "scorer.sqlite"
    migrate.upgrade(f"sqlite:///{database}")
    taken = taken_under_load(database, BACKUPS)
    return Outcome(
        f"{BACKUPS} in {taken.seconds:.0f} s while {taken.deals} deals were written",
        [f"{taken.bad} are not sound"] if taken.bad else [],
    )


#: What is held, in which words, and whether on PostgreSQL too.
BARS: dict[str, tuple[str, Callable[[Place], Outcome], bool]] = {
    "at-once": (f"{PHONES} phones × {DEALS} deals into one session", at_once, True),
    "killed": (f"`kill -9` of all {WORKERS} workers, {KILLS} times", killed, True),
    "flushed": ("`fsync` of every acknowledged deal", flushed, True),
    "full-disk": ("a full disk", full_disk, True),
    "overwrites": ("overwrites of 512 bytes of the file", overwrites, False),
    "backups": ("backups while others write", backups, False),
}
