"""Migrations: one chain of revisions for both engines, each run in one transaction.

Alembic is imported only to migrate; the chain is read from the files of the migrations.
"""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import String, column, inspect, select, table, text

from scorer.errors import ScorerError
from scorer.storage.engine import begin_writing, database_url, make_engine, sqlite_driver
from scorer.storage.private_files import MOMENT, atomic_write, moment, rotate
from scorer.texts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alembic.config import Config
    from sqlalchemy import URL

ADVISORY_LOCK = 2_611_210_000
#: Asked in each transaction that writes: what is under way holds the migration up, and what begins
#: meanwhile waits for it.
CURRENT = select(column("version_num", String)).select_from(table("alembic_version"))
LONGEST_NAME = 32
#: How many copies from before migrations are kept beside the database.
COPIES = 5
#: The revision of a migration's file, and the one before it.
PLACE = re.compile(
    r"""^revision = ["'](.+)["']\ndown_revision = (?:["'](.+)["']|None)$""", re.MULTILINE
)
#: What may stand for a revision's name.
STEPS = re.compile(r"[+-][0-9]{1,4}|base|heads?")


class UnknownRevisionError(ScorerError):
    """This version of the program has no such revision."""


class BrokenReferenceError(ScorerError):
    """After a migration a row would refer to a row that does not exist."""


def upgrade(url: str | URL, revision: str = "head") -> Path | None:
    """Migrate up to a revision, by default the newest; return the copy made of an SQLite file."""
    known_target(revision)
    before = refuse_unknown(url)
    if revision in {"head", before} and before == newest():
        return None
    from alembic import command

    copy = _back_up(url, before)
    with _one_transaction(url) as config:
        command.upgrade(config, revision)
    return copy


def downgrade(url: str | URL, revision: str) -> None:
    """Migrate back to an older revision; copy an SQLite file before."""
    from alembic import command

    known_target(revision)
    _back_up(url, refuse_unknown(url))
    with _one_transaction(url) as config:
        command.downgrade(config, revision)


def current(url: str | URL) -> str | None:
    """Return the revision of the tables, None before the first."""
    address = database_url(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        return None  # to connect would make the file
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.scalar(CURRENT)
    finally:
        engine.dispose()


def newest() -> str:
    """Return the revision that this version of the program works with."""
    chain = _revisions()
    (head,) = chain.keys() - chain.values()
    return head


def refuse_unknown(url: str | URL) -> str | None:
    """Return the revision of the tables; raise UnknownRevisionError for one not known here."""
    revision = current(url)
    if revision is not None and not is_known(revision):
        raise UnknownRevisionError(
            f"The database is at revision {revision}, which this version does not know. "
            "Install the version that made it, or a newer one."
        )
    return revision


def known_target(revision: str) -> None:
    """Raise UnknownRevisionError unless this is a revision or a name for one."""
    if not STEPS.fullmatch(revision) and not is_known(revision):
        raise UnknownRevisionError(f"unknown revision {revision}; the newest is {newest()}")


def is_known(revision: str) -> bool:
    """Whether this version of the program has a migration of that name."""
    return revision in _revisions()


def draft(url: str | URL, what: str) -> None:
    """Draft a migration from the differences between the tables and the models."""
    from alembic import command

    name = f"{datetime.now(UTC):%Y_%m_%d} {what}".replace(" ", "_")[:LONGEST_NAME]
    with _one_transaction(url) as config:
        command.revision(config, what, autogenerate=True, rev_id=name)


@contextmanager
def _one_transaction(url: str | URL) -> Iterator[Config]:
    """Open the transaction of a migration; programs that start at the same time take turns."""
    from alembic.util import CommandError

    engine = make_engine(url, foreign_keys=False)
    try:
        with engine.begin() as connection:
            begin_writing(connection)
            if connection.dialect.name == "postgresql":  # SQLite has locked the file by now
                connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
                if inspect(connection).has_table("alembic_version"):
                    connection.execute(text("LOCK TABLE alembic_version"))
            config = _config()
            config.attributes["connection"] = connection
            yield config
            if connection.dialect.name == "sqlite":  # foreign keys are off: tables are remade
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    rows = f"{counted(len(broken), 'row')} of {broken[0][0]}"
                    raise BrokenReferenceError(f"{rows} with a reference to a missing row")
    except CommandError as error:
        raise UnknownRevisionError(f"{error}.") from error
    finally:
        engine.dispose()


def _back_up(url: str | URL, revision: str | None) -> Path | None:
    """Copy an SQLite file that has tables, naming its revision; keep the newest copies."""
    address = database_url(url)
    if revision is None or address.get_backend_name() != "sqlite":
        return None
    file = Path(address.database or "")
    copy = file.with_name(f"{file.stem}-{revision}-{moment()}{file.suffix}")
    driver = sqlite_driver()
    with (
        atomic_write(copy) as draft,
        closing(driver.connect(file)) as source,
        closing(driver.connect(draft)) as target,
    ):
        source.backup(target)
    patterns = (
        f"{escape(f'{file.stem}-{name}')}-{MOMENT}{escape(file.suffix)}" for name in _revisions()
    )
    rotate([copy for pattern in patterns for copy in file.parent.glob(pattern)], COPIES)
    return copy


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_folder()).replace("%", "%%"))
    config.set_main_option("file_template", "%%(rev)s")
    config.set_main_option("path_separator", "os")
    return config


def _revisions() -> dict[str, str]:
    """Return each revision with the one before it, "" for the first, as the files say."""
    texts = (file.read_text(encoding="utf-8") for file in (_folder() / "versions").glob("*.py"))
    return dict(pair for text in texts for pair in PLACE.findall(text))


def _folder() -> Path:
    """Find the migrations: beside the package in a checkout, inside it once installed."""
    package = Path(__file__).parents[1]
    inside = package / "migrations"
    return inside if inside.is_dir() else package.parent / "migrations"
