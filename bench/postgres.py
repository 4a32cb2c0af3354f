"""A PostgreSQL server that goes away, and one whose synchronous standby takes over."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.browsers import believe_phones
from bench.figures import Figure, faultless
from bench.phones import Phone, acknowledged, faults, in_one_session, record_at_once
from bench.places import Place
from tests.databases import postmaster

PHONES, DEALS, AWAY = 10, 50, 3.0
#: Without TCP each server is told apart by the folder of its socket. A commit waits until the
#: standby has written it to its disk; a standby that is away for long keeps the primary waiting.
SETTINGS = """
listen_addresses = ''
max_connections = 200
fsync = on
synchronous_commit = on
"""
SYNCHRONOUS = "synchronous_standby_names = 'standby'\n"


def away(place: Place) -> Iterator[Figure]:
    """Stop PostgreSQL at once while phones record, and start it again."""
    with place.database() as url, place.running(url) as here:
        phones = in_one_session(here.url, PHONES)
        with ThreadPoolExecutor(1) as recording:
            done = recording.submit(record_at_once, phones, DEALS, patient=True)
            _wait_for(phones, PHONES * DEALS // 4)
            restart(place.postgres, AWAY)
            done.result()
        found = faults(phones, url)
    yield from _outcome(phones, found)


def failover(place: Place) -> Iterator[Figure]:
    """Kill the primary while phones record; its synchronous standby takes over."""
    believe_phones(place.folder)
    with standing_by() as pair, place.running(pair.url) as here:
        phones = in_one_session(here.url, PHONES)
        with ThreadPoolExecutor(1) as recording:
            done = recording.submit(record_at_once, phones, DEALS, patient=True)
            _wait_for(phones, PHONES * DEALS // 4)
            before, seconds = acknowledged(phones), pair.fail_over()
            done.result()
        found = faults(phones, pair.url)
    yield Figure("standby promoted after", seconds, "s", note=f"{before} deals were acknowledged")
    yield from _outcome(phones, found)


def _wait_for(phones: list[Phone], deals: int) -> None:
    while acknowledged(phones) < deals:
        time.sleep(0.01)


def _outcome(phones: list[Phone], found: list[str]) -> Iterator[Figure]:
    put_off = sum(phone.put_off for phone in phones)
    unanswered = sum(phone.unanswered for phone in phones)
    note = f"{put_off} times 503, {unanswered} without an answer"
    yield Figure("deals acknowledged", acknowledged(phones), least=PHONES * DEALS, note=note)
    yield faultless(found)


def restart(server: str, away: float) -> None:
    """Stop a server at once, and start it again after so many seconds."""
    process = Path(f"/proc/{postmaster(server)}")
    data, program = (process / "cwd").resolve(), (process / "exe").resolve()
    owner = process.stat()

    def control(*what: str) -> None:
        words = ("--pgdata", str(data), "--silent", "--wait", *what)
        command = [str(program.with_name("pg_ctl")), *words]
        log, user, group = subprocess.DEVNULL, owner.st_uid, owner.st_gid
        subprocess.run(command, check=True, stdout=log, user=user, group=group, extra_groups=[])

    options = (data / "postmaster.opts").read_text("utf-8").split(" ", 1)[1].replace('"', "'")
    control("--mode", "immediate", "stop")
    time.sleep(away)
    control("--options", options.strip(), "start")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two servers on this machine, of which the second follows the first."""

    programs: Path
    folder: Path
    user: str

    @property
    def primary(self) -> Path:
        """The folder of the first server's data; its socket is beside it."""
        return self.folder / "primary/data"

    @property
    def standby(self) -> Path:
        """The folder of the second server's data; its socket is beside it."""
        return self.folder / "standby/data"

    @property
    def url(self) -> str:
        """The address of whichever of the two takes writes."""
        hosts = "&".join(f"host={one.parent}:5432" for one in (self.primary, self.standby))
        return f"postgresql+psycopg://{self.user}@/postgres?{hosts}&target_session_attrs=read-write"

    def run(self, name: str, *words: str | Path) -> None:
        """Run one of PostgreSQL's programs as the user that the servers run as."""
        command = [str(self.programs / name), *map(str, words)]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

    def start(self, folder: Path) -> None:
        """Start a server on its folder."""
        log, socket = folder.with_suffix(".log"), f"-k {folder.parent}"
        self.run("pg_ctl", "-D", folder, "-l", log, "-w", "-s", "-o", socket, "start")

    def make(self) -> None:
        """Make both servers and wait until the standby follows."""
        self.run("initdb", "-D", self.primary, "--auth", "trust", "--encoding", "UTF8", "-N")
        with (self.primary / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(SETTINGS)
        self.start(self.primary)
        where = f"{self._address(self.primary)} application_name=standby"
        self.run("pg_basebackup", "-D", self.standby, "-d", where, "-R", "-c", "fast")
        self.start(self.standby)
        with (self.primary / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(SYNCHRONOUS)
        self.run("pg_ctl", "-D", self.primary, "-s", "reload")
        with psycopg.connect(self._address(self.primary), autocommit=True) as connection:
            while not connection.execute(
                "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            ).fetchone():
                time.sleep(0.05)

    def fail_over(self) -> float:
        """Kill the primary, processes and all, and promote the standby; give the seconds taken."""
        began, lock = time.monotonic(), self.primary / "postmaster.pid"
        postmaster = int(lock.read_text("ascii").split()[0])
        lock.unlink()
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text("ascii")
        for process in (postmaster, *map(int, children.split())):
            os.kill(process, signal.SIGKILL)
        self.run("pg_ctl", "-D", self.standby, "-w", "-s", "promote")
        return time.monotonic() - began

    def stop(self) -> None:
        """Stop whatever runs."""
        for folder in (self.primary, self.standby):
            if (folder / "postmaster.pid").exists():
                self.run("pg_ctl", "-D", folder, "-s", "-m", "immediate", "stop")

    def _address(self, folder: Path) -> str:
        return f"host={folder.parent} user={self.user} dbname=postgres"


@contextmanager
def standing_by() -> Iterator[Pair]:
    """Give a primary with a synchronous standby, of the newest PostgreSQL that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_basebackup"))
    if not found:
        raise FileNotFoundError("PostgreSQL is missing: apt-get install postgresql")
    user = "postgres" if os.geteuid() == 0 else Path.home().owner()
    folder = Path(tempfile.mkdtemp(prefix="scorer-standby-"))
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    pair = Pair(found[-1].parent, folder, user)
    try:
        pair.make()
        yield pair
    finally:
        pair.stop()
        shutil.rmtree(folder)
