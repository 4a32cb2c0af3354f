"""The act of changing a session: everything that follows from it, or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.errors import ConflictError
from scorer.services.changing.anew import check_next, deal_again, write_anew
from scorer.services.changing.rows import row_of_seats, rows_of_rules, write_changes
from scorer.services.ending import end_again
from scorer.services.open_table import table_at, table_to_change
from scorer.services.writing import Act
from scorer.storage import in_transaction, queries

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.changing.wanted import Wanted
    from scorer.services.circles import Holder
    from scorer.services.open_table import OpenTable


def change_session(session_id: UUID, wanted: Wanted, by: Holder) -> int:
    """Change a session from a deal on; give how many deals were written anew.

    What was ``seen`` and asked for by the same phone before is the same success, and changes
    nothing. Raise ConflictError when something else was written meanwhile, InvalidError when the
    rules or seats have problems, or a deal that was played already can't be played so.
    """

    def work() -> int:
        with table_to_change(by.circle_id, session_id) as here:
            if _came_before(here, wanted, by):
                return 0
            check_seen(here, wanted)
            return change(here, wanted, by)

    return in_transaction(work)


def check_seen(here: OpenTable, wanted: Wanted) -> None:
    """Nothing may have been written since the phone looked; raise ConflictError."""
    seen = here.row.written if wanted.seen is None else wanted.seen
    if (seen, wanted.next_number) != (here.row.written, here.row.next_number):
        raise ConflictError(wanted.next_number)


def change(here: OpenTable, wanted: Wanted, by: Holder) -> int:
    """Write the changes and what follows from them, inside the caller's transaction."""
    first = write_changes(here, wanted, by)
    after = table_at(here.row)
    check_next(after)
    count = write_anew(here, after, wanted, Act("amend", by, wanted.reason, first))
    deal_again(table_at(here.row))
    here.row.finished_number = end_again(after)
    return count


def _came_before(here: OpenTable, wanted: Wanted, by: Holder) -> bool:
    """Whether just this was the first thing written since the phone looked, by the same phone."""
    if wanted.seen is None or wanted.seen == here.row.written:
        return False
    asked = list(rows_of_rules(here, wanted))
    asked += [] if wanted.seats is None else [row_of_seats(wanted.seats)]
    first = wanted.seen + 1
    came = [
        row
        for row in queries.session_changes(here.circle_id, here.session_id)
        if row.serial in range(first, first + len(asked))
        and (row.from_number, row.until_number) == (wanted.from_number, wanted.until_number)
        and row.phone_id == by.phone_id
    ]
    return len(came) == len(asked) and all(
        getattr(row, column) == value
        for row, columns in zip(came, asked, strict=True)
        for column, value in columns.items()
    )
