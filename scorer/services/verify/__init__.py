"""Verify the database: score every stored deal again and check what must always hold.

Each session is read in one snapshot, so a server may write meanwhile. Findings are in English, for
whoever runs the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from scorer.games import find_game
from scorer.services.sessions import title_of
from scorer.services.typed_text import one_line
from scorer.services.verify.journal import journal_findings
from scorer.services.verify.sessions import (
    DAMAGE,
    SessionFinding,
    problem_texts,
    read_session,
    session_findings,
)
from scorer.storage import damages, one_moment, queries, transfer
from scorer.storage.progress import over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from scorer.storage.queries import RuleSetRow

JOURNAL = "journal"


@dataclass(slots=True)
class VerifyReport:
    """How much was checked, and how many findings there were."""

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


def verify(tell: Callable[[str], None]) -> VerifyReport:
    """Check everything that is stored; call ``tell`` with a line for each finding."""
    count = VerifyReport()

    def found(where: str, what: str) -> None:
        count.findings += 1
        tell(one_line(f"{where}: {what}"))

    for what in _readable(_database_findings):
        found("database", what)
    try:
        with one_moment():
            circle_ids = queries.circle_ids()
        for circle_id in over("circles", circle_ids):
            _verify_circle(circle_id, count, found)
    except (*DAMAGE, SQLAlchemyError) as error:
        found("database", f"cannot be read: {error!r}")
    return count


def _database_findings() -> Iterator[str]:
    """Damage to the SQLite file, rows that cannot be read, and rows whose parent is missing."""
    yield from damages()
    with one_moment():
        yield from transfer.unreadable()
        for stray in queries.strays():
            yield f"{stray.rows} rows of {stray.table} name a {stray.named} that is not there"


def _readable(findings: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Yield findings; one that cannot be looked for becomes the last finding."""
    try:
        yield from findings()
    except (*DAMAGE, SQLAlchemyError) as error:
        yield f"cannot be read: {error!r}"


def circle_findings(circle_id: UUID) -> Iterator[str]:
    """Check one circle within the current transaction; yield each finding as a line."""
    session_ids = queries.session_ids(circle_id)
    for session_id in over("sessions", session_ids):
        title, findings = _verify_session(circle_id, session_id, VerifyReport())
        for number, what in findings:
            yield one_line(_where(title, number) + f": {what}")
    for name, what in (*rule_set_findings(circle_id), *_journal_findings(circle_id)):
        yield one_line(f"{name}: {what}")


def _journal_findings(circle_id: UUID) -> Iterator[tuple[str, str]]:
    yield from ((JOURNAL, what) for what in _readable(partial(journal_findings, circle_id)))


def _where(title: str, number: int | None) -> str:
    return title if number is None else f"{title} · deal {number}"


def _verify_circle(circle_id: UUID, count: VerifyReport, found: Callable[[str, str], None]) -> None:
    with one_moment():
        circle = queries.circle(circle_id)
        name = circle.name if circle else str(circle_id)
        session_ids = queries.session_ids(circle_id)
    count.circles += 1
    for session_id in over("sessions", session_ids):
        count.sessions += 1
        with one_moment():
            title, findings = _verify_session(circle_id, session_id, count)
        for number, what in findings:
            found(f"{name} · {_where(title, number)}", what)
    with one_moment():
        rule_sets = list(rule_set_findings(circle_id))
        journal = list(_journal_findings(circle_id))
    for where, what in (*rule_sets, *journal):
        found(f"{name} · {where}", what)


def _verify_session(
    circle_id: UUID, session_id: UUID, count: VerifyReport
) -> tuple[str, list[SessionFinding]]:
    """Check one session; return its title and the findings."""
    title, findings = str(session_id), list[SessionFinding]()
    try:
        row = queries.session(circle_id, session_id)
        if row is not None:
            title = str(title_of(row))
            stored = read_session(row)
            count.deals += len(stored.deals)
            count.versions += sum(map(len, stored.versions.values()))
            findings += session_findings(stored)
    except (*DAMAGE, SQLAlchemyError) as error:
        findings.append(SessionFinding(None, f"cannot be read: {error!r}"))
    return title, findings


def rule_set_findings(circle_id: UUID) -> Iterator[tuple[str, str]]:
    """Check all versions of a circle's own rules; yield the name of the rule set and a finding."""
    try:
        names = queries.rule_set_names(circle_id)
    except (*DAMAGE, SQLAlchemyError) as error:
        yield str(circle_id), f"the rule sets cannot be read: {error!r}"
        return
    for rule_set_id, name in names.items():
        try:
            rows = queries.rule_set_versions(circle_id, rule_set_id)
            yield from ((name, what) for what in _rule_set_findings(rows))
        except (*DAMAGE, SQLAlchemyError) as error:
            yield name, f"cannot be read: {error!r}"


def _rule_set_findings(rows: list[RuleSetRow]) -> Iterator[str]:
    numbers = [row.version for row in rows]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        yield f"its versions are numbered {numbers}"
    for row in rows:
        _, problems = find_game(row.game).rules_from(row.rules)
        if problems:
            yield f"version {row.version} cannot be played by: {problem_texts(problems)}"
