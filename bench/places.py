"""Where a server is measured: a folder of its own, SQLite or a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.browsers import believe_phones
from scorer.storage import migrate
from tests.databases import postgres_database, postgres_folder
from tests.serving import Server, running

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
WORKERS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of a server's data, and the URL of a PostgreSQL server or nothing."""

    folder: Path
    postgres: str = ""
    workers: int = WORKERS

    @contextmanager
    def database(self, disk: Path | None = None) -> Iterator[str]:
        """Make a database, on a disk of its own if there is one, and give its URL."""
        believe_phones(self.folder)
        with ExitStack() as opened:
            if self.postgres:
                where = "pg_default"
                if disk:
                    where = opened.enter_context(postgres_folder(self.postgres, disk))
                url = opened.enter_context(postgres_database(self.postgres, where=where))
            else:
                url = f"sqlite:///{(disk or self.folder) / 'scorer.sqlite'}"
            migrate.upgrade(url)
            yield url

    def running(self, url: str, workers: int = 0) -> AbstractContextManager[Server]:
        """Start a server on a database, with as many workers as here are unless that is told."""
        return running(self.folder, database_url=url, workers=workers or self.workers)
