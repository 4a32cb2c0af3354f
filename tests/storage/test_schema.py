"""`scorer verify` names what of the schema is missing, and what was put in."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from scorer.services.record.verify import verify
from scorer.storage import db, migrate
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
EDITS = {
    "index dropped": (["DROP INDEX ix_payout_balance"], "index ix_payout_balance (circle_id, "),
    "index put in": (["CREATE INDEX mine ON deal (number)"], "index mine (number) is not the"),
    "index of other columns": (
        ["DROP INDEX ix_payout_balance", "CREATE INDEX ix_payout_balance ON payout (number)"],
        "index ix_payout_balance (number) is not the program’s",
    ),
    "unique index": (
        ["CREATE UNIQUE INDEX mine ON deal (number, deal_id)"], "unique index mine (number, deal",
    ),
    "index of some": (
        ["CREATE INDEX mine ON deal (number) WHERE number > 3"], "index mine (number) where",
    ),
    "index of an expression": (["CREATE INDEX mine ON player (lower(name))"], "mine"),
    "view": (["CREATE VIEW looked AS SELECT * FROM player"], "view looked is not the program’s"),
    "table put in": (["CREATE TABLE mine (a INTEGER)"], "table mine is not the program’s"),
    "table dropped": (["DROP TABLE throttle"], "table throttle is missing"),
    "column put in": (
        ["ALTER TABLE player ADD COLUMN mood VARCHAR"], "column player.mood VARCHAR is not the",
    ),
    "column dropped": (
        ["ALTER TABLE phone DROP COLUMN browser"],
        "column phone.browser VARCHAR NOT NULL DEFAULT '' is missing",
    ),
    "column renamed": (
        ["ALTER TABLE phone RENAME COLUMN browser TO program"],
        "column phone.program VARCHAR NOT NULL DEFAULT '' is not the program’s",
    ),
}  # fmt: skip
ON_POSTGRES = {
    "type": (["ALTER TABLE payout ALTER amount TYPE integer"], "payout.amount INTEGER NOT NULL"),
    "nothing allowed": (
        ["ALTER TABLE payout ALTER amount DROP NOT NULL"], "payout.amount BIGINT is not",
    ),
    "default": (["ALTER TABLE payout ALTER role SET DEFAULT 'x'"], "payout.role VARCHAR NOT NULL "),
    "key": (["ALTER TABLE posting DROP CONSTRAINT pk_posting"], "PrimaryKey pk_posting on posting"),
    "reference": (
        ["ALTER TABLE posting DROP CONSTRAINT fk_posting_player"], "fk_posting_player on posting",
    ),
    "check": (
        ["ALTER TABLE posting DROP CONSTRAINT ck_posting_line"], "Check ck_posting_line on posting",
    ),
    "unique": (
        ["ALTER TABLE player DROP CONSTRAINT uq_player_circle_id_name"], "uq_player_circle_id_name",
    ),
    "rule": (
        ["CREATE RULE thief AS ON INSERT TO payout DO INSTEAD NOTHING"], "rule thief on payout is",
    ),
    "kept view": (["CREATE MATERIALIZED VIEW looked AS SELECT 1 AS a"], "view looked is not"),
}  # fmt: skip


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
@pytest.mark.parametrize(("statements", "told"), EDITS.values(), ids=EDITS.keys())
def test_edit_of_the_schema_is_named(statements: list[str], told: str) -> None:
    found = findings(statements)

    assert [line for line in found if line.startswith("database: ") and told in line], found


@pytest.mark.usefixtures("own_url")
def test_trigger_is_named() -> None:
    found = findings(TRIGGER[db.engine.dialect.name])

    assert found == ["database: trigger thief on payout is not the program’s"]


@pytest.mark.postgres
@pytest.mark.parametrize(("statements", "told"), ON_POSTGRES.values(), ids=ON_POSTGRES.keys())
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
