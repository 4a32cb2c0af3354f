"""`scorer verify` finds each kind of damage, here in the file of one evening."""

from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import make_url, text

from scorer.storage import db
from scorer.storage.engine import make_engine
from tests.services.damages import EDITS, Edit, an_evening, edit_rows, findings, statements, unfound

DAMAGED = "Ada, Bea, Ciro · damaged"
JOURNAL = "Ada, Bea, Ciro · journal"


@pytest.fixture(autouse=True)
def _an_evening(app: Flask) -> None:  # noqa: ARG001  # which has the database open
    an_evening()


@pytest.mark.parametrize("batch", EDITS["an evening"])
def test_each_damage_is_found_and_a_sound_evening_is_left_alone(batch: dict[str, Edit]) -> None:
    edit_rows(*statements(batch), "UPDATE card_session SET title = 'damaged'")
    an_evening()

    found = findings()

    assert unfound(batch, found) == []
    assert all(line.startswith((DAMAGED, JOURNAL, "database: ")) for line in found)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("card_session", "5 rows of seat with a card_session"),
        ("deal", "10 rows of deal_version with a deal"),
        ("player", "5 rows of seat with a player"),
        ("phone", "10 rows of deal_version with a phone"),
        ("circle", "1 row of card_session with a circle"),
    ],
)
def test_rows_that_belong_nowhere_are_found(database_url: str, table: str, told: str) -> None:
    heedless = make_engine(database_url, foreign_keys=False)
    with heedless.begin() as connection:
        connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608  # a name of ours
    heedless.dispose()

    assert f"database: {told} that is not there" in findings()


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("deal_version", "stored"),
        ("deal_version", "payouts"),
        ("deal_version", "sits_out"),
        ("card_session", "rules"),
    ],
)
def test_what_is_no_json_is_found(table: str, column: str) -> None:
    edit_rows(f"UPDATE {table} SET {column} = 'rub{{bish'")  # noqa: S608  # names of ours

    found = findings()

    assert found[0].startswith(f"database: a row of {table} cannot be read: JSONDecodeError")
    assert [line for line in found[1:] if "cannot be read: JSONDecodeError" in line]


def test_broken_file_is_found(database_url: str) -> None:
    with db.engine.connect() as connection:
        asked = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_payout_balance'"
        page = connection.execute(text(asked)).scalar_one()
        size = connection.execute(text("PRAGMA page_size")).scalar_one()
    db.engine.dispose()
    with Path(make_url(database_url).database or "").open("r+b") as file:
        file.seek((page - 1) * size + 3)
        file.write(b"\0\0")

    assert [line for line in findings() if line.startswith("database: ")]


def test_title_does_not_break_the_line() -> None:
    edit_rows("UPDATE card_session SET title = 'two\nlines\x1b[2J', next_number = 9")

    assert findings()[0].startswith("Ada, Bea, Ciro · two lines[2J: deal 9 is stored")
