"""The chain over the versions of a session: it tells what was changed behind the program's back."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from scorer.storage import chain, db, models, queries
from tests.services.damages import an_evening, edit_rows, findings
from tests.services.evenings import Evening


def test_version_that_was_hashed_again_is_told_by_the_next() -> None:
    an_evening()
    first, second = db.session.scalars(
        select(models.DealVersion).order_by(models.DealVersion.serial).limit(2)
    )
    second.reason = "No"
    anew = chain.link(first.chain, chain.canonical(second))
    db.session.rollback()

    edit_rows(f"UPDATE deal_version SET reason = 'No', chain = '{anew}' WHERE serial = 2")  # noqa: S608  # a hash

    assert [line for line in findings() if "deal 3: version 1 differs from its hash" in line]


def test_versions_are_chained_in_the_order_they_were_written(evening: Evening) -> None:
    versions = queries.journal.stored_by_deal(*evening.keys, models.DealVersion)
    written = [
        one
        for deal in queries.journal.stored(*evening.keys, models.DealRow, models.DealRow.number)
        for one in versions[deal.deal_id]
    ]

    row = queries.find(models.CardSession, *evening.keys)

    assert [one.serial for one in written] == [1, 2, 8, 3, 13, 4, 5, 6, 14, 15]
    assert row is not None
    assert (row.written, row.chain) == (15, written[-1].chain)
    assert len({one.chain for one in written}) == 10


def test_one_changed_version_is_told_once_and_the_later_ones_are_left_alone() -> None:
    an_evening()
    edit_rows("UPDATE deal_version SET reason = 'x' WHERE number = 1")

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


def test_text_of_a_row_has_its_keys_in_order_and_letters_escaped() -> None:
    assert '"stored":{"a":"\\u00e8","b":1}' in chain.canonical(ROWS["version"])
