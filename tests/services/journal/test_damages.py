"""`scorer verify` finds each kind of damage in one evening, and the chain what was changed."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import make_url, select, text

from scorer.storage import chain, db, models
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
        ("circle", "1 row of card_session with a circle"),
    ],
)
def test_rows_that_belong_nowhere_are_found(database_url: str, table: str, told: str) -> None:
    heedless = make_engine(database_url, foreign_keys=False)
    with heedless.begin() as connection:
        connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608  # a name of ours
    heedless.dispose()

    assert f"database: {told} that is not there" in findings()


def test_what_is_no_json_is_found() -> None:
    edit_rows(
        "UPDATE deal_version SET stored = 'rub{bish'", "UPDATE card_session SET rules = 'rub{bish'"
    )

    found = [line for line in findings() if "cannot be read: JSONDecodeError" in line]
    for table in ("deal_version", "card_session"):
        assert [line for line in found if line.startswith(f"database: a row of {table} cannot")]
    assert len(found) > 2


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


def test_version_that_was_hashed_again_is_told_by_the_next() -> None:
    first, second = db.session.scalars(
        select(models.DealVersion).order_by(models.DealVersion.serial).limit(2)
    )
    second.reason = "No"
    anew = chain.link(first.chain, chain.canonical(second))
    db.session.rollback()

    edit_rows(f"UPDATE deal_version SET reason = 'No', chain = '{anew}' WHERE serial = 2")  # noqa: S608  # a hash

    assert [line for line in findings() if "deal 3: version 1 differs from its hash" in line]


def test_one_changed_version_is_told_once_in_one_line() -> None:
    edit_rows(
        "UPDATE deal_version SET reason = 'x' WHERE number = 1",
        "UPDATE card_session SET title = 'two\nlines\x1b[2J'",
    )

    version, title = findings()
    assert version == "Ada, Bea, Ciro · two lines[2J · deal 1: version 1 differs from its hash"
    assert title.startswith("Ada, Bea, Ciro · journal")


AT = datetime(2026, 11, 20, tzinfo=UTC)
KEY = uuid4()
CIRCLE: dict[str, Any] = {"circle_id": KEY, "at": AT}
OF_DEAL: dict[str, Any] = {**CIRCLE, "deal_id": KEY, "session_id": KEY, "version": 1}
ROWS = {
    "version": models.DealVersion(
        **OF_DEAL, number=3, act="record", outcome="played", dealer=0, sits_out=[5],
        stored={"b": 1, "a": "è"}, voided=False, payouts={"0": 1}, change=3,
    ),
    "review": models.ReviewRow(**OF_DEAL, number=3, review=1, kind="dispute"),
    "play": models.Play(**OF_DEAL, cards={"tricks": []}),
    "change": models.SessionChange(**CIRCLE, session_id=KEY, serial=0, from_number=2, seats=[1, 0]),
    "entry": models.JournalEntry(**CIRCLE, serial=0, kind="held", subject="phone", key="x"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_everything_that_a_row_says_is_in_the_chain(row: models.ChainedRow) -> None:
    chain.place(row, 8, "0" * 64)

    said = chain.canonical(row)
    assert json.loads(said).keys() == set(row.__table__.columns.keys()) - {"chain"}
    assert (row.serial, row.chain) == (8, chain.link("0" * 64, said))
    if row is ROWS["version"]:
        assert '"stored":{"a":"\\u00e8","b":1}' in said
