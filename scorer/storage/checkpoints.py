"""Checkpoints of an SQLite database by one process, for a library where sharing them is unsafe.

Every process that opens the database starts a thread; the one that holds the lock file makes the
checkpoints. When that process ends, another one takes over.
"""

import atexit
import logging
import os
import threading
from contextlib import closing
from pathlib import Path
from types import ModuleType

from scorer.storage.processes import ProcessLock

#: Seconds between two checkpoints, and those that one waits for a lock.
PERIOD, PATIENCE = 2.0, 1.0

log = logging.getLogger(__name__)


class Checkpointer:
    """The thread that checkpoints one database while its process holds the lock."""

    def __init__(self, database: Path, driver: ModuleType) -> None:
        self._database = database
        self._log = Path(f"{database}-wal")
        self._driver = driver
        self._lock = ProcessLock(Path(f"{database}.lock"))
        self._ended = threading.Event()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)

    def start(self) -> None:
        """Run until the process ends."""
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """Make a last checkpoint and let another process take over."""
        atexit.unregister(self.stop)
        self._ended.set()
        self._thread.join()
        self._lock.release()

    def _run(self) -> None:
        while not self._ended.wait(PERIOD):
            self._work()
        self._work()

    def _work(self) -> None:
        """Make a checkpoint, but not in a fork that has inherited the greenlet of this thread."""
        if os.getpid() != self._process:
            return
        try:
            if self._lock.take() and self._log.exists() and self._log.stat().st_size > 0:
                with closing(self._driver.connect(self._database, timeout=PATIENCE)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (self._driver.Error, OSError) as error:
            log.warning("No checkpoint of %s now: %s", self._database, error)


_running: dict[tuple[int, str], Checkpointer] = {}
_starting = threading.Lock()


def start(database: str, driver: ModuleType) -> None:
    """Start the thread of this process for a database, once."""
    with _starting:
        key = (os.getpid(), database)
        if key not in _running:
            _running[key] = Checkpointer(Path(database), driver)
            _running[key].start()
