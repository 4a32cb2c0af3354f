"""The schema on a cluster: every table of a circle can be spread by the circle's key."""

import pytest
from sqlalchemy import MetaData, Table, UniqueConstraint, text

from scorer.storage import database, db, migrate, queries
from scorer.storage.models import Base
from tests import databases
from tests.storage.conftest import leave_no_rows, opened
from tests.storage.evenings import write_evening

pytestmark = pytest.mark.postgres

APART = {"link_secret", "throttle", "alembic_version"}
PARTS = 3


def spread_tables() -> MetaData:
    """Copy the tables, those of a circle partitioned by its key."""
    spread = MetaData(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        copy = table.to_metadata(spread)
        if table.name not in APART:
            copy.dialect_options["postgresql"]["partition_by"] = "HASH (circle_id)"
    return spread


def parts(table: Table) -> list[str]:
    return [
        f"CREATE TABLE {table.name}_{part} PARTITION OF {table.name} "
        f"FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
        for part in range(PARTS)
    ]


def test_the_tables_of_a_circle_are_spread_by_its_key(postgres_server: str) -> None:
    with databases.postgres_database(postgres_server) as url, opened(url):
        create(spread_tables())
        stamp()
        assert list(database.differences()) == []
        db.session.remove()
        evenings = [write_evening(f"{number} ") for number in range(8)]
        for evening in evenings:
            assert len(evening.deals) == 3
        assert len(queries.session.open_sessions([one.circle_id for one in evenings])) == 8
        db.session.remove()
        leave_no_rows()


def stamp() -> None:
    """Say of which revision the tables are."""
    with db.engine.begin() as connection:
        connection.execute(
            text("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)")
        )
        stamped = text("INSERT INTO alembic_version VALUES (:revision)")
        connection.execute(stamped, {"revision": migrate.newest()})


def create(spread: MetaData) -> None:
    with db.engine.begin() as connection:
        for table in spread.sorted_tables:
            table.create(connection)
            if table.name not in APART:
                for statement in parts(table):
                    connection.execute(text(statement))


@pytest.mark.parametrize("table", Base.metadata.sorted_tables, ids=str)
def test_every_key_of_a_circles_table_starts_with_the_circle(table: Table) -> None:
    if table.name in APART:
        return
    unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    keys = [table.primary_key.columns, *(one.columns for one in unique)]
    keys += [one.columns for one in table.foreign_key_constraints]
    for columns in (*keys, *(one.columns for one in table.indexes)):
        assert next(iter(columns)).name == "circle_id"
