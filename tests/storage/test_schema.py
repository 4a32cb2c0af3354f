"""`scorer verify` names what of the schema is missing, and what was put in."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import text

from scorer.services.journal.verify import verify
from scorer.storage import database, db
from tests.data.rows import rows
from tests.databases import begin_anew, postgres_database
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


@pytest.fixture(scope="module", params=[SQLITE, POSTGRES])
def opened_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Open a database with all tables, whose schema no test changes for good."""
    with ExitStack() as stack:
        if request.param == SQLITE:
            file = tmp_path_factory.mktemp("schema") / "scorer.sqlite"
            url = begin_anew(file, request.getfixturevalue("sqlite_template"))
        else:
            server, template = map(
                request.getfixturevalue, ("postgres_server", "postgres_template")
            )
            url = stack.enter_context(postgres_database(server, template))
        stack.enter_context(opened(url))
        yield


def findings(statements: list[str]) -> list[str]:
    """Change the schema, compare it, and change it back."""
    connection = db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
    for statement in statements:
        connection.execute(text(statement))
    found = list(database.differences())
    db.session.rollback()
    return found


@pytest.mark.usefixtures("opened_database")
@rows(__file__, "edits")
def test_edit_of_the_schema_is_named(statements: list[str], told: str) -> None:
    found = findings(statements)

    assert [line for line in found if told in line], found


@pytest.mark.usefixtures("opened_database")
def test_trigger_is_named() -> None:
    found = findings(TRIGGER[db.engine.dialect.name])

    assert found == ["trigger thief on payout is not the program’s"]


@pytest.mark.usefixtures("opened_database")
@pytest.mark.parametrize("opened_database", [POSTGRES], indirect=True)
@rows(__file__, "on postgresql")
def test_edit_that_only_postgresql_can_make_is_named(statements: list[str], told: str) -> None:
    found = findings(statements)

    assert [line for line in found if told in line], found


@pytest.mark.usefixtures("app")
def test_verify_names_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    verify(found.append)
    monkeypatch.setattr(database, "differences", lambda: ["a trigger"])
    verify(found.append)

    assert found == ["database: a trigger"]
