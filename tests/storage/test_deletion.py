"""Deleting: a circle goes whole, and nothing goes that a row still names."""

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from scorer.storage import db, in_transaction, queries, transfer
from tests.storage.evenings import write_evening

pytestmark = pytest.mark.usefixtures("app")


def test_a_circle_is_dropped_with_everything_in_it_and_no_other_is() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    in_transaction(lambda: queries.circle.drop_circle(ours.circle_id))
    for name, table in transfer.tables().items():
        circle_ids = set(db.session.scalars(select(table.c.circle_id)))
        assert circle_ids <= {theirs.circle_id}, name
    assert len(theirs.deals) == 3


def test_a_session_takes_what_it_owns_and_nothing_else() -> None:
    ours, theirs = write_evening("our "), write_evening("their ")
    with db.engine.begin() as connection:
        gone = "DELETE FROM card_session WHERE title LIKE 'our %'"
        connection.execute(text(gone))
    assert queries.session.session_ids(ours.circle_id) == []
    assert len(queries.circle.players(ours.circle_id)) == 5
    assert len(theirs.deals) == 3


@pytest.mark.parametrize("table", ["player", "phone", "link"])
def test_what_a_row_names_cannot_be_deleted(table: str) -> None:
    write_evening()
    with db.engine.begin() as connection, pytest.raises(IntegrityError):
        connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608  # names of ours
