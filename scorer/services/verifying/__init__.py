"""Verifying: every stored deal is paid again, and what must always hold is looked at.

Session by session, each seen at one moment, so that a server may go on writing meanwhile. What is
found is said in English, for whoever looks after the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from scorer.services.lines import one_line
from scorer.services.verifying.kept import DAMAGE, Finding, kept_session
from scorer.services.verifying.sessions import session_findings
from scorer.services.verifying.tables import table_findings
from scorer.storage import damages, one_moment, queries, transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID


@dataclass(slots=True)
class Count:
    """What was looked at, and how much of it differs."""

    circles: int = 0
    sessions: int = 0
    deals: int = 0
    versions: int = 0
    findings: int = 0

    def __str__(self) -> str:
        looked_at = (
            f"{self.circles} circles, {self.sessions} sessions, {self.deals} deals, "
            f"{self.versions} versions"
        )
        return f"{looked_at}: {self.findings or 'nothing'} to look at."


def verify(tell: Callable[[str], None]) -> Count:
    """Look at everything that is stored; ``tell`` takes each finding as a line."""
    count = Count()

    def found(where: str, what: str) -> None:
        count.findings += 1
        tell(one_line(f"{where}: {what}"))

    for what in _readable(_database_findings):
        found("database", what)
    try:
        with one_moment():
            circle_ids = queries.circle_ids()
        for circle_id in circle_ids:
            _verify_circle(circle_id, count, found)
    except (*DAMAGE, SQLAlchemyError) as error:
        found("database", f"cannot be read: {error!r}")
    return count


def _database_findings() -> Iterator[str]:
    """What SQLite finds broken in its file, rows that nobody wrote, and rows of nothing."""
    yield from damages()
    with one_moment():
        yield from transfer.unreadable()
        for stray in queries.strays():
            yield f"{stray.rows} rows of {stray.table} name a {stray.named} that is not there"


def _readable(findings: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Give findings for as long as they can be looked for: the last one is that they can't."""
    try:
        yield from findings()
    except (*DAMAGE, SQLAlchemyError) as error:
        yield f"cannot be read: {error!r}"


def circle_findings(circle_id: UUID) -> Iterator[str]:
    """Say what differs in the sessions of one circle, as the transaction under way sees them."""
    for session_id in queries.session_ids(circle_id):
        title, findings = _verify_session(circle_id, session_id, Count())
        for number, what in findings:
            yield one_line(_where(title, number) + f": {what}")
    for name, what in table_findings(circle_id):
        yield one_line(f"{name}: {what}")


def _where(title: str, number: int | None) -> str:
    return title if number is None else f"{title} · deal {number}"


def _verify_circle(circle_id: UUID, count: Count, found: Callable[[str, str], None]) -> None:
    with one_moment():
        circle = queries.circle(circle_id)
        name = circle.name if circle else str(circle_id)
        session_ids = queries.session_ids(circle_id)
    count.circles += 1
    for session_id in session_ids:
        count.sessions += 1
        with one_moment():
            title, findings = _verify_session(circle_id, session_id, count)
        for number, what in findings:
            found(f"{name} · {_where(title, number)}", what)
    with one_moment():
        tables = list(table_findings(circle_id))
    for title, what in tables:
        found(f"{name} · {title}", what)


def _verify_session(circle_id: UUID, session_id: UUID, count: Count) -> tuple[str, list[Finding]]:
    """Look at one session; give its title and what differs."""
    title, findings = str(session_id), list[Finding]()
    try:
        row = queries.session(circle_id, session_id)
        if row is not None:
            title = row.title
            kept = kept_session(row)
            count.deals += len(kept.deals)
            count.versions += sum(map(len, kept.versions.values()))
            findings += session_findings(kept)
    except (*DAMAGE, SQLAlchemyError) as error:
        findings.append(Finding(None, f"cannot be read: {error!r}"))
    return title, findings
