"""`scorer verify` names what of the schema is missing, and what was put in."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from scorer.services.record.verify import verify
from scorer.storage import db, migrate
from tests.data.rows import rows
from tests.storage.conftest import POSTGRES, SQLITE, opened

TRIGGER = {
    "sqlite": [
        "CREATE TRIGGER thief AFTER INSERT ON payout BEGIN UPDATE payout SET amount = 0; END"
    ],
    "postgresql": [
        "CREATE FUNCTION steal() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER thief BEFORE INSERT ON payout FOR EACH ROW EXECUTE FUNCTION steal()",
    ],
}


@pytest.fixture(params=[SQLITE, POSTGRES])
def own_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Open a database whose schema a test may change."""
    kind = "sqlite_url" if request.param == SQLITE else "postgres_url"
    url: str = request.getfixturevalue(kind)
    with opened(url):
        yield url


def findings(statements: list[str]) -> list[str]:
    """Change the schema and verify the database."""
    with db.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    found: list[str] = []
    verify(found.append)
    return found


@pytest.mark.usefixtures("own_url")
def test_nothing_is_found_in_the_schema_of_the_program() -> None:
    assert findings([]) == []


@pytest.mark.usefixtures("own_url")
@rows(__file__, "edits")
def test_edit_of_the_schema_is_named(statements: list[str], told: str) -> None:
    found = findings(statements)

    assert [line for line in found if line.startswith("database: ") and told in line], found


@pytest.mark.usefixtures("own_url")
def test_trigger_is_named() -> None:
    found = findings(TRIGGER[db.engine.dialect.name])

    assert found == ["database: trigger thief on payout is not the program’s"]


@pytest.mark.postgres
@rows(__file__, "on postgresql")
def test_edit_that_only_postgresql_can_make_is_named(
    statements: list[str], told: str, postgres_url: str
) -> None:
    with opened(postgres_url):
        found = findings(statements)

    assert [line for line in found if told in line], found


def test_schema_that_an_upgrade_of_before_left_is_sound(empty_url: str) -> None:
    migrate.upgrade(empty_url)
    with opened(empty_url):
        assert findings([]) == []
