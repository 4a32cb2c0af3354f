"""Plans: every question finds its rows by an index, however many other circles there are."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from scorer.storage import db, dry_run, in_transaction
from tests.databases import begin_anew
from tests.storage.conftest import opened
from tests.storage.evenings import Evening, write_evening
from tests.storage.test_queries import SCOPED, arguments

#: What a part of a statement has found is read from end to end: it is no table. Nor is the one row
#: of a statement that only counts.
OURS = (" anon_", " (subquery-", " CONSTANT ROW")
#: `scorer verify` looks through everything for rows that belong to nothing.
#: Codes that are said aloud stand for minutes, so that there are few.
READS_ALL = {"strays", "forget_codes", "link_by_code"}
ASKED = [question for question in SCOPED if question.__name__ not in READS_ALL]


@pytest.fixture(scope="module")
def evening(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    file = tmp_path_factory.mktemp("plans") / "scorer.sqlite"
    with opened(begin_anew(file, sqlite_template)):
        yield write_evening()


@pytest.mark.parametrize("question", ASKED, ids=lambda one: str(one.__name__))
def test_question_reads_no_table_from_end_to_end(
    question: Callable[..., Any], evening: Evening
) -> None:
    given = arguments(question, evening)
    with dry_run():
        plans = in_transaction(lambda: plans_of(lambda: question(**given)))

    assert plans
    scans = [step for step in plans if step.startswith("SCAN ")]
    assert [step for step in scans if not any(ours in step for ours in OURS)] == []


def plans_of(work: Callable[[], object]) -> list[str]:
    """Do some work; list the steps by which SQLite found the rows of its statements."""
    asked: list[tuple[str, Any]] = []
    connection = db.session.connection()

    @event.listens_for(connection, "before_cursor_execute")
    def keep(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    work()
    event.remove(connection, "before_cursor_execute", keep)
    explained = (
        connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        for statement, parameters in asked
        if not statement.startswith(("SAVEPOINT", "RELEASE"))
    )
    return [row.detail for rows in explained for row in rows]
