"""The status of a server and its data, for operators: no names, addresses or secrets."""

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from scorer.services.base.clock import now
from scorer.services.circle.circles import today
from scorer.services.live.counts import server_totals
from scorer.storage import backups, database_bytes, database_mode, queries, revision

#: The age of the last backup from which owners are warned.
OLD = timedelta(days=3)
NOT_RUNNING = "no server of scorer serve runs with this instance folder"
NEVER = "scorer backup has not run with this instance folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """The state of a server: days are in UTC, and ``reasons`` says why a value is None."""

    version: str
    engine: str
    revision: str | None
    circles: int
    phones: int
    sessions: int
    open_sessions: int
    deals_today: int
    streams: int | None
    database_bytes: int
    photos_bytes: int
    last_backup: datetime | None
    errors_today: int | None
    reasons: dict[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the status as JSON."""
        last = self.last_backup
        return {**asdict(self), "last_backup": f"{last:%Y-%m-%dT%H:%M:%SZ}" if last else None}


def server_status(instance: Path, version: str) -> ServerStatus:
    """Read the status of the server whose data is in an instance folder."""
    (sizes,) = queries.record.server_sizes(today())
    totals = server_totals(instance)
    last_backup = backups.last_backup(instance)
    reasons = {} if totals else dict.fromkeys(("streams", "errors_today"), NOT_RUNNING)
    return ServerStatus(
        version=version,
        engine=database_mode().engine,
        revision=revision(),
        circles=sizes.circles,
        phones=sizes.phones,
        sessions=sizes.sessions,
        open_sessions=sizes.open_sessions,
        deals_today=sizes.deals_today,
        streams=totals.streams if totals else None,
        database_bytes=database_bytes(),
        photos_bytes=sizes.photos_bytes,
        last_backup=last_backup,
        errors_today=totals.errors_today if totals else None,
        reasons=reasons if last_backup else {**reasons, "last_backup": NEVER},
    )


def days_without_backup(instance: Path) -> int:
    """Return the days since the last backup once they are many; 0 where none was ever made."""
    last_backup = backups.last_backup(instance)
    age = now() - last_backup if last_backup else timedelta()
    return age.days if age >= OLD else 0
