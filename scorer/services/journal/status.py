"""The status of a server and its data, for operators: no names, addresses or secrets."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from scorer.services.base.clock import now
from scorer.services.circle.circles import today
from scorer.storage import backups, database_bytes, database_mode, queries, revision
from scorer.storage.processes import OPEN, counted
from scorer.storage.queries.journal import ServerSizes

#: The age of the last backup from which owners are warned.
OLD = timedelta(days=3)
#: The number of open streams of a process, and how that of a day's errors begins.
STREAMS, ERRORS = f"{OPEN}streams", "errors "
NOT_RUNNING = "no server of scorer serve runs with this instance folder"
NEVER = "scorer backup has not run with this instance folder"


class ServerTotals(NamedTuple):
    """The counts of all servers that run on an instance folder."""

    streams: int
    errors_today: int


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The state of a server: ``totals`` is None if none runs. Days are in UTC."""

    version: str
    engine: str
    revision: str | None
    sizes: ServerSizes
    totals: ServerTotals | None
    database_bytes: int
    last_backup: datetime | None

    def document(self) -> dict[str, Any]:
        """Return the status as JSON, with the reasons why values are null."""
        last, totals = self.last_backup, self.totals
        reasons = {} if totals else dict.fromkeys(ServerTotals._fields, NOT_RUNNING)
        return {
            "version": self.version,
            "engine": self.engine,
            "revision": self.revision,
            **asdict(self.sizes),
            "database_bytes": self.database_bytes,
            "last_backup": f"{last:%Y-%m-%dT%H:%M:%SZ}" if last else None,
            **(totals._asdict() if totals else dict.fromkeys(ServerTotals._fields)),
            "reasons": reasons if last else {**reasons, "last_backup": NEVER},
        }


def server_status(instance: Path, version: str) -> ServerStatus:
    """Read the status of the server whose data is in an instance folder."""
    (sizes,) = queries.journal.server_sizes(today())
    return ServerStatus(
        version=version,
        engine=database_mode().engine,
        revision=revision(),
        sizes=sizes,
        totals=server_totals(instance),
        database_bytes=database_bytes(),
        last_backup=backups.last_backup(instance),
    )


def errors_of_today() -> str:
    """Return the name of the number of errors of today, in UTC."""
    return f"{ERRORS}{datetime.now(UTC):%Y-%m-%d}"


def server_totals(instance: Path) -> ServerTotals | None:
    """Sum the counts of running servers, and all errors of today; None if no server runs."""
    files = list(counted(instance))
    if not any(file.is_running for file in files):
        return None
    names = STREAMS, errors_of_today()
    return ServerTotals(*(int(sum(file.numbers.get(n, 0) for file in files)) for n in names))


def forget_old_counts(instance: Path) -> None:
    """Delete the counts of servers that have ended, unless they had errors today."""
    for file in counted(instance):
        if not file.is_running and errors_of_today() not in file.numbers:
            file.path.unlink(missing_ok=True)


def days_without_backup(instance: Path) -> int:
    """Return the days since the last backup once they are many; 0 if there never was one."""
    last_backup = backups.last_backup(instance)
    age = now() - last_backup if last_backup else timedelta()
    return age.days if age >= OLD else 0
