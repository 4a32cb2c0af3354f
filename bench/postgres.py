"""A PostgreSQL server that goes away, and one whose synchronous standby takes over."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.browsers import believe_phones
from bench.figures import Figure, faultless
from bench.phones import acknowledged, faults, in_one_session, recording
from bench.places import Place

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
    return _recorded(place, "PostgreSQL started again after", Pair.go_away)


def failover(place: Place) -> Iterator[Figure]:
    """Kill the primary while phones record; its synchronous standby takes over."""
    return _recorded(place, "standby promoted after", Pair.fail_over)


def _recorded(place: Place, what: str, change: Callable[["Pair"], None]) -> Iterator[Figure]:
    believe_phones(place.folder)
    with standing_by() as pair, place.running(pair.url) as here:
        phones = in_one_session(here.url, PHONES)
        with recording(phones, DEALS, patient=True):
            before, began = acknowledged(phones), time.monotonic()
            change(pair)
            seconds = time.monotonic() - began
        found = faults(phones, pair.url)
    yield Figure(what, seconds, "s", note=f"{before} deals were acknowledged")
    put_off = sum(phone.put_off for phone in phones)
    unanswered = sum(phone.unanswered for phone in phones)
    note = f"{put_off} times 503, {unanswered} without an answer"
    yield Figure("deals acknowledged", acknowledged(phones), least=PHONES * DEALS, note=note)
    yield faultless(found)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two servers on this machine, of which the second follows the first."""

    programs: Path
    user: str
    #: The folders of their data; the socket of each is beside its folder.
    primary: Path
    standby: Path

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

    def go_away(self) -> None:
        """Stop the primary at once, and start it again a while later."""
        self.run("pg_ctl", "-D", self.primary, "-s", "-m", "immediate", "stop")
        time.sleep(AWAY)
        self.start(self.primary)

    def fail_over(self) -> None:
        """Kill the primary, processes and all, and promote the standby."""
        lock = self.primary / "postmaster.pid"
        postmaster = int(lock.read_text("ascii").split()[0])
        lock.unlink()
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text("ascii")
        for process in (postmaster, *map(int, children.split())):
            os.kill(process, signal.SIGKILL)
        self.run("pg_ctl", "-D", self.standby, "-w", "-s", "promote")

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
    pair = Pair(found[-1].parent, user, folder / "primary/data", folder / "standby/data")
    try:
        pair.make()
        yield pair
    finally:
        pair.stop()
        shutil.rmtree(folder)
