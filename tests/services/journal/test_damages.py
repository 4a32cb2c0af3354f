"""`scorer verify` finds each kind of damage, here in the file of one evening."""

from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from scorer.storage import db
from scorer.storage.engine import make_engine
from tests.conftest import one_in_three
from tests.services.damages import EDITS, Edit, an_evening, edit_rows, findings, played_file

HERE = "Ada, Bea, Ciro · Friday"
DAMAGES = EDITS["an evening"]
JOURNAL = "Ada, Bea, Ciro · journal"


@pytest.fixture(scope="module")
def played(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play an evening once, to be copied."""
    return played_file(sqlite_template, tmp_path_factory.mktemp("played"), an_evening)


@pytest.fixture
def first_content(played: Path) -> Path:
    """Give the file of the evening."""
    return played


def test_evening_is_sound() -> None:
    assert findings() == []


@pytest.mark.parametrize("edit", one_in_three(DAMAGES))
def test_damage_is_found(edit: Edit) -> None:
    edit_rows(*edit["edits"])

    found = findings()

    assert [line for line in found if edit["finding"] in line], found
    assert all(line.startswith((HERE, JOURNAL, "database: ")) for line in found)


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


@pytest.mark.parametrize("column", ["stored", "payouts", "sits_out"])
def test_what_is_no_json_is_found(column: str) -> None:
    edit_rows(f"UPDATE deal_version SET {column} = 'rub{{bish'")  # noqa: S608  # a name of ours

    found = findings()

    assert found[0].startswith("database: a row of deal_version cannot be read: JSONDecodeError")
    assert found[1].startswith(f"{HERE}: cannot be read: JSONDecodeError")


def test_rules_that_are_no_json_are_found() -> None:
    edit_rows("UPDATE card_session SET rules = 'rub{bish'")

    found = findings()

    assert len(found) == 3
    assert all("cannot be read: JSONDecodeError" in line for line in found)


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
