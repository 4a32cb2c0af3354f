"""What must hold on a real server, measured in full; the tests beside hold the same in small."""

import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar
from uuid import UUID, uuid4

from sqlalchemy import Column, String, Table

from bench.figures import p50, p99
from load import disks, flushes
from load.backups import taken_under_load
from load.browsers import believe_phones
from load.image import build, started
from load.killing import killed_while
from load.overwrites import overwritten
from load.phones import Phone, faults, faults_of, in_one_session, record_at_once, record_for
from load.postgres import restart
from load.slow import KINDS, slow_clients
from load.standby import standing_by
from load.streams import Listener, heard_while_recorded
from load.tables import listening, play, tables
from load.watching import memory, processor_seconds, watch
from scorer.services.files.demo import fill as play_evenings
from scorer.storage import db, migrate
from tests.databases import postgres_database, postgres_folder
from tests.serving import SERVE, Server, running
from tests.storage.conftest import opened
from tests.storage.test_partitions import create, spread_tables

T = TypeVar("T")

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
#: Seconds of what is watched for a while, unless another time is asked for.
SECONDS = 60.0
SLOW = 300
RECORDING, PACE = 8, 0.5
WATCHING = (100, 300)
PACE_WHILE_WATCHED = 60.0
#: Phones on streams and the deals recorded meanwhile, the pause after each, and the bar in seconds.
LISTENING = ((100, 200), (300, 20))
PAUSE, HEARD_WITHIN = 0.1, 1.0
#: Phones on streams while nothing happens, seconds until that begins, and the bar for a core.
IDLE, SETTLED, IDLE_SHARE = 100, 5.0, 0.02
AWAY = 3.0
DEALS_IN_IMAGE = 20
#: Circles that play at once, phones of each, and deals a second of all together.
CIRCLES, PHONES_OF_A_CIRCLE, RATE = 200, 5, 20.0
ONE_KEY = 200
DISKS = {"SQLite": (4 * MB, MB), "PostgreSQL": (16 * MB, MB // 4)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server keeps its data: a folder of its own, and a PostgreSQL server or none."""

    folder: Path
    postgres: str = ""
    program: tuple[str, ...] = SERVE
    seconds: float = SECONDS
    circles: int = CIRCLES
    rate: float = RATE

    @property
    def engine(self) -> str:
        """The engine's name."""
        return POSTGRES if self.postgres else SQLITE

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

    def running(self, url: str, workers: int = WORKERS) -> AbstractContextManager[Server]:
        """Start the server that is measured."""
        return running(self.folder, database_url=url, workers=workers, program=self.program)


class Outcome(NamedTuple):
    """The figures of a bar in words, and whatever speaks against it."""

    figures: str
    faults: list[str]


def at_once(place: Place) -> Outcome:
    """Ten phones record into one session."""
    with place.database() as url, place.running(url) as here:
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
    with place.database() as url, place.running(url) as here:
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
        place.running(url) as here,
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


def slow(place: Place) -> Outcome:
    """Phones record while slow clients of every kind hold connections, as quickly as before."""
    with place.database() as url, place.running(url, 2) as here:
        phones = [phone for _ in range(RECORDING) for phone in in_one_session(here.url, 1)]
        before = record_for(phones, place.seconds / 2, PACE)
        empty = memory(here.workers())
        with slow_clients(here.url, list(KINDS), SLOW):
            during = record_for(phones, place.seconds, PACE)
            full = memory(here.workers())
        found = [fault for phone in phones for fault in faults([phone], url)]
    unanswered = sum(phone.unanswered for phone in phones)
    if unanswered or p99(during) > 2 * p99(before):
        found.append(f"{unanswered} requests without an answer, or twice as slow as before")
    return Outcome(
        f"{len(before)} deals before: {_spread(before)}; {len(during)} during: {_spread(during)}; "
        f"{unanswered} without an answer; {empty} and {full} MB",
        found,
    )


def _spread(taken: list[float]) -> str:
    return f"p50 {1000 * p50(taken):.0f} ms, p99 {1000 * p99(taken):.0f} ms"


def watching(place: Place) -> Outcome:
    """Phones watch one session while somebody records now and then."""
    told, found = [], []
    for count in WATCHING:
        with place.database() as url, place.running(url, 2) as here:
            (phone,) = in_one_session(here.url, 1)
            empty = memory(here.workers())
            with ThreadPoolExecutor(1) as writing:
                written = writing.submit(record_for, [phone], place.seconds, PACE_WHILE_WATCHED)
                watchers = watch(phone.browser, count, place.seconds)
                full = memory(here.workers())
            found += faults([phone], url)
        looks = [second for watcher in watchers for second in watcher.looks]
        pages = [second for watcher in watchers for second in watcher.pages]
        errors = sum(watcher.errors for watcher in watchers)
        found += [f"{errors} looks without an answer"] if errors else []
        told.append(
            f"{count}: {len(looks):,} looks {_spread(looks)}; {len(pages):,} pages "
            f"{_spread(pages)}; {len(written.result())} deals; {empty} and {full} MB"
        )
    return Outcome("; ".join(told), found)


def streams(place: Place) -> Outcome:
    """Phones hold streams open, and another one records."""
    told, found = [], []
    for count, deals in LISTENING:
        with place.database() as url, place.running(url, 2) as here:
            phones = in_one_session(here.url, count + 1)
            hearing, waited, missed = heard_while_recorded(phones, deals, PAUSE)
            found += faults(phones[:1], url)
        if missed or hearing.errors:
            found.append(f"{missed} deals not heard of, {hearing.errors} streams broke off")
        if p99(waited) > HEARD_WITHIN:
            found.append(f"heard of after {p99(waited):.1f} s")
        told.append(f"{count} phones, {deals} deals: {_spread(waited)}, {missed} missed")
    return Outcome("; ".join(told), found)


def idle(place: Place) -> Outcome:
    """Phones hold streams open, and nothing happens."""
    with ExitStack() as opened:
        url = opened.enter_context(place.database())
        here = opened.enter_context(place.running(url, 2))
        for phone in in_one_session(here.url, IDLE):
            opened.enter_context(Listener(phone.browser))
        time.sleep(SETTLED)
        before, began = processor_seconds(here.workers()), time.monotonic()
        time.sleep(place.seconds)
        spent = processor_seconds(here.workers()) - before
        share = spent / (time.monotonic() - began)
    told = f"{IDLE} phones: {share:.1%} of a core in {place.seconds:.0f} s, both workers together"
    return Outcome(told, [f"{share:.1%} is too much"] if share > IDLE_SHARE else [])


def stopped(place: Place) -> Outcome:
    """A server is told to stop while phones record; another one takes over."""
    with place.database() as url, ExitStack() as opened:
        first = opened.enter_context(place.running(url))
        phones = in_one_session(first.url, PHONES)
        opened.enter_context(slow_clients(first.url, ["half a head"], PHONES))
        with ThreadPoolExecutor(1) as recording:
            done = recording.submit(record_at_once, phones, DEALS)
            while _acknowledged(phones) < PHONES * DEALS // 4:
                time.sleep(0.01)
            began = time.monotonic()
            first.process.terminate()
            first.process.wait()
            seconds = time.monotonic() - began
            refused = sum(phone.unanswered - phone.dropped for phone in phones)
            second = opened.enter_context(place.running(url))
            for phone in phones:
                phone.browser.site = second.url
            done.result()
        found = faults(phones, url)
    dropped = sum(phone.dropped for phone in phones)
    return Outcome(
        f"stopped in {seconds:.1f} s; {_acknowledged(phones):,} acknowledged, {dropped} requests "
        f"broken off, {refused} connections refused",
        found,
    )


def away(place: Place) -> Outcome:
    """PostgreSQL is stopped at once while phones record, and comes back."""
    with place.database() as url, place.running(url) as here:
        phones = in_one_session(here.url, PHONES)
        with ThreadPoolExecutor(1) as recording:
            done = recording.submit(record_at_once, phones, DEALS // 4, patient=True)
            while _acknowledged(phones) < PHONES * DEALS // 10:
                time.sleep(0.01)
            restart(place.postgres, AWAY)
            done.result()
        found = faults(phones, url)
    put_off = sum(phone.put_off for phone in phones)
    unanswered = sum(phone.unanswered for phone in phones)
    return Outcome(
        f"away for {AWAY:.0f} s; {_acknowledged(phones):,} acknowledged; {put_off} times 503, "
        f"{unanswered} without an answer",
        found,
    )


def failover(place: Place) -> Outcome:
    """The primary is killed while phones record, and its synchronous standby takes over."""
    believe_phones(place.folder)
    with standing_by() as pair, place.running(pair.url) as here:
        phones = in_one_session(here.url, PHONES)
        with ThreadPoolExecutor(1) as recording:
            done = recording.submit(record_at_once, phones, DEALS, patient=True)
            while _acknowledged(phones) < PHONES * DEALS // 4:
                time.sleep(0.01)
            before, took = _acknowledged(phones), pair.fail_over()
            done.result()
        found = faults(phones, pair.url)
    put_off = sum(phone.put_off for phone in phones)
    unanswered = sum(phone.unanswered for phone in phones)
    return Outcome(
        f"primary killed after {before} deals, standby promoted {took:.1f} s later; "
        f"{_acknowledged(phones):,} acknowledged; {put_off} times 503, {unanswered} without an "
        "answer",
        found,
    )


def circles(place: Place) -> Outcome:
    """Many circles play at once, each with phones on streams; then as quickly as can be."""
    with place.database() as url:
        return _playing(place, url)


def partitioned(place: Place) -> Outcome:
    """The same on tables that are spread by the circle's key, as on a cluster."""
    with place.database() as url:
        with opened(url):
            spread = spread_tables()
            Table("alembic_version", spread, Column("version_num", String(32), primary_key=True))
            create(spread)
            told = spread.tables["alembic_version"].insert().values(version_num=migrate.newest())
            with db.engine.begin() as connection:
                connection.execute(told)
        return _playing(place, url)


def _playing(place: Place, url: str) -> Outcome:
    with place.running(url, 2) as here:
        playing = tables(here.url, place.circles, PHONES_OF_A_CIRCLE)
        with listening(playing):
            time.sleep(SETTLED)
            idle, _ = _spent(here, lambda: time.sleep(place.seconds / 2))
            spent, taken = _spent(here, lambda: play(playing, place.rate, place.seconds))
            full = memory(here.workers())
        flat_out, quick = _spent(
            here, lambda: record_for([table.phone for table in playing], place.seconds / 2, 0)
        )
        found = faults_of([[table.phone] for table in playing], url)
    heard = [seconds for table in playing for seconds in table.heard]
    wanted, missed = round(place.rate * place.seconds), PHONES_OF_A_CIRCLE * len(taken) - len(heard)
    if len(taken) < wanted or missed:
        found.append(f"{len(taken)} of {wanted} deals, {missed} not heard of")
    return Outcome(
        f"{place.circles} × {PHONES_OF_A_CIRCLE} phones on streams: idle "
        f"{2 * idle / place.seconds:.1%} of a core; {place.rate:g} deals a second: "
        f"{len(taken)} done, {_spread(taken)}, {1000 * spent / len(taken):.1f} ms of the workers' "
        f"processor time a deal; heard {_spread(heard)}; {full} MB; without streams and pauses "
        f"{2 * len(quick) / place.seconds:.0f} deals a second, {1000 * flat_out / len(quick):.1f} "
        "ms a deal",
        found,
    )


def _spent(here: Server, act: Callable[[], T]) -> tuple[float, T]:
    """Give the processor seconds that the workers spent meanwhile, and the answer."""
    before = processor_seconds(here.workers())
    answer = act()
    return processor_seconds(here.workers()) - before, answer


def one_key(place: Place) -> Outcome:
    """One deal is sent again and again from many threads."""
    with place.database() as url, place.running(url) as here:
        (phone,) = in_one_session(here.url, 1)
        form = phone.form | {"key": str(uuid4()), "number": "1", "card_points": "70"}
        with ThreadPoolExecutor(20) as threads:
            answers = list(
                threads.map(lambda _: phone.browser.send(form, "record"), range(ONE_KEY))
            )
        phone.acknowledged[UUID(form["key"])] = 70
        found = faults([phone], url)
    statuses = Counter(answer.status_code for answer in answers)
    if statuses != {303: ONE_KEY}:
        found.append(f"the answers were {statuses}")
    return Outcome(f"{ONE_KEY} times the same answer, one deal", found)


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
    with opened(f"sqlite:///{database}"):
        play_evenings(1)
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


def image(place: Place) -> Outcome:
    """The steps of the Dockerfile are taken in a folder, and phones record at what they made."""
    if os.geteuid():
        return Outcome("not tried: only root may become the user of the image", [])
    place.folder.chmod(0o711)
    root = place.folder / "image"
    root.mkdir()
    began = time.monotonic()
    made = build(root)
    seconds = time.monotonic() - began
    made.settings["SCORER_LAN_HTTP"] = "true"
    with started(made) as site:
        phones = in_one_session(site, 1)
        record_at_once(phones, DEALS_IN_IMAGE)
    found = faults(phones, f"sqlite:///{made.work / 'scorer.sqlite'}")
    return Outcome(
        f"made in {seconds:.0f} s; healthy as user {made.user}, who may write to its volume "
        f"alone; {_acknowledged(phones)} deals acknowledged",
        found,
    )


SQLITE, POSTGRES = "SQLite", "PostgreSQL"
BOTH = (SQLITE, POSTGRES)
#: What is held, in which words, and on which engines.
BARS: dict[str, tuple[str, Callable[[Place], Outcome], Sequence[str]]] = {
    "at-once": (f"{PHONES} phones × {DEALS} deals into one session", at_once, BOTH),
    "one-key": (f"one deal sent {ONE_KEY} times", one_key, BOTH),
    "slow": (f"{SLOW} slow clients of each of {len(KINDS)} kinds", slow, BOTH),
    "watching": ("phones that watch", watching, BOTH),
    "streams": ("phones on streams while one records", streams, BOTH),
    "idle": ("phones on streams while nothing happens", idle, BOTH),
    "stopped": ("SIGTERM while phones record", stopped, BOTH),
    "killed": (f"`kill -9` of all {WORKERS} workers, {KILLS} times", killed, BOTH),
    "away": ("PostgreSQL stopped while phones record", away, (POSTGRES,)),
    "failover": ("primary killed, synchronous standby promoted", failover, (POSTGRES,)),
    "circles": ("circles playing at once", circles, BOTH),
    "image": ("the steps of `deploy/Dockerfile`, in a folder", image, (SQLITE,)),
    "partitioned": (
        "circles on tables partitioned by their keys",
        partitioned,
        (POSTGRES,),
    ),
    "flushed": ("`fsync` of every acknowledged deal", flushed, BOTH),
    "full-disk": ("a full disk", full_disk, BOTH),
    "overwrites": ("overwrites of 512 bytes of the file", overwrites, (SQLITE,)),
    "backups": ("backups while others write", backups, (SQLITE,)),
}
