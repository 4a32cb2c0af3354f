"""The chain over the versions of a session: it tells what was changed behind the program's back."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, Table, delete, insert, select, update

from scorer.storage import chain, db, models, queries
from tests.services.damages import DEALS, SESSIONS, VERSIONS, Damage, an_evening, change, findings
from tests.services.evenings import Evening


def swapped(table: Table, column: str, one: int, other: int) -> Damage:
    """Let two versions change places in the order of writing, or two deals on the sheet."""

    def damage(evening: Evening, connection: Connection) -> None:
        here = table.c.circle_id == evening.circle_id
        for old, new in ((one, 99), (other, one), (99, other)):
            moved = update(table).where(here, table.c[column] == old).values({column: new})
            connection.execute(moved)

    return damage


def last_gone(evening: Evening, connection: Connection) -> None:
    """Take the newest of all versions away, and let its deal be as it was before."""
    connection.execute(delete(VERSIONS).where(VERSIONS.c.serial == 15))
    change(DEALS, 6, version=2, voided=True)(evening, connection)


def one_added(evening: Evening, connection: Connection) -> None:
    """Put a version in that looks as if it had been written with the first one."""
    row = connection.execute(select(VERSIONS).where(VERSIONS.c.serial == 1)).mappings().one()
    connection.execute(insert(VERSIONS).values({**row, "version": 2, "act": "amend"}))
    change(DEALS, 1, version=2, amended=True)(evening, connection)


def hashed_again(evening: Evening, connection: Connection) -> None:
    """Change a version, and take its own hash anew."""
    here = VERSIONS.c.circle_id == evening.circle_id
    first, second = (
        connection.execute(select(VERSIONS).where(here, VERSIONS.c.serial == n)).mappings().one()
        for n in (1, 2)
    )
    said = chain.canonical(models.DealVersion(**{**second, "reason": "No"}))
    again = update(VERSIONS).where(here, VERSIONS.c.serial == 2)
    connection.execute(again.values(reason="No", chain=chain.link(first["chain"], said)))


CHANGES: dict[str, tuple[Damage, str]] = {
    "who": (
        change(VERSIONS, 1, written_by="Dora"),
        "deal 1: version 1 differs from its hash",
    ),
    "when": (
        change(VERSIONS, 2, 2, at=datetime(2026, 1, 1, tzinfo=UTC)),
        "deal 2: version 2 differs from its hash",
    ),
    "why": (
        change(VERSIONS, 3, 2, reason="No"),
        "deal 3: version 2 differs from its hash",
    ),
    "why, with its hash": (hashed_again, "deal 3: version 1 differs from its hash"),
    "order": (
        swapped(VERSIONS, "serial", 1, 2),
        "deal 1: version 1 differs from its hash",
    ),
    "numbers": (swapped(DEALS, "number", 3, 4), "deal 3: version 1 was chained as one of deal 4"),
    "removed": (last_gone, "of 15 entries the chain misses 15"),
    "removed at the end": (last_gone, "does not end where it should"),
    "added": (one_added, "deal 1: version 2 differs from its hash"),
    "counted wrong": (change(SESSIONS, written=9), "does not end where it should"),
    "another end": (change(SESSIONS, chain="0" * 64), "does not end where it should"),
    "nothing to compare": (
        change(VERSIONS, 1, chain=""),
        "deal 1: version 1 differs from its hash",
    ),
}


@pytest.mark.parametrize(("damage", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_chain_tells_what_was_changed(damage: Damage, told: str) -> None:
    evening = an_evening()
    with db.engine.begin() as connection:
        damage(evening, connection)

    found = findings()

    assert [line for line in found if told in line], found


def test_versions_are_chained_in_the_order_they_were_written() -> None:
    evening = an_evening()
    versions = queries.record.stored_versions(*evening.keys)
    written = [
        one for deal in queries.record.stored_deals(*evening.keys) for one in versions[deal.deal_id]
    ]

    row = queries.find(models.CardSession, *evening.keys)

    assert [one.serial for one in written] == [1, 2, 8, 3, 13, 4, 5, 6, 14, 15]
    assert row is not None
    assert (row.written, row.chain) == (15, written[-1].chain)
    assert len({one.chain for one in written}) == 10


def test_one_changed_version_is_told_once_and_the_later_ones_are_left_alone() -> None:
    evening = an_evening()
    with db.engine.begin() as connection:
        change(VERSIONS, 1, reason="x")(evening, connection)

    assert len(findings()) == 1


AT = datetime(2026, 11, 20, tzinfo=UTC)
KEY = uuid4()
CIRCLE: dict[str, Any] = {"circle_id": KEY, "at": AT}
OF_DEAL: dict[str, Any] = {**CIRCLE, "deal_id": KEY, "session_id": KEY, "version": 1}
ROWS = {
    "version": models.DealVersion(
        **OF_DEAL, number=3, act="record", outcome="played", dealer=0, sits_out=[5],
        stored={"b": 1, "a": "è"}, voided=False, payouts={"0": 1}, change=3,
    ),
    "review": models.Review(**OF_DEAL, number=3, review=1, kind="dispute"),
    "play": models.Play(**OF_DEAL, cards={"tricks": []}),
    "change": models.SessionChange(**CIRCLE, session_id=KEY, serial=0, from_number=2, seats=[1, 0]),
    "entry": models.JournalEntry(**CIRCLE, serial=0, kind="held", subject="phone", key="x"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_everything_that_a_row_says_is_in_the_chain(row: models.ChainedRow) -> None:
    head = chain.JournalHead(7, "0" * 64)

    chain.append(head, row)

    said = chain.canonical(row)
    assert json.loads(said).keys() == set(row.__table__.columns.keys()) - {"chain"}
    assert (head.written, row.serial) == (8, 8)
    assert head.chain == row.chain == chain.link("0" * 64, said)


def test_text_of_a_row_has_its_keys_in_order_and_letters_escaped() -> None:
    assert '"stored":{"a":"\\u00e8","b":1}' in chain.canonical(ROWS["version"])
