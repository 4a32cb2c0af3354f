"""Verify the database: score every stored deal again and check what must always hold.

Each session is read in one snapshot, so a server may write meanwhile. Findings are in English, for
whoever runs the server.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from scorer.games import stored_game
from scorer.services.circle.names import title_of
from scorer.services.journal.verify.chains import DAMAGE, Discrepancy, journal_findings
from scorer.services.journal.verify.sessions import problem_texts, read_session, session_findings
from scorer.storage import damages, database, models, one_moment, queries, transfer
from scorer.texts import counted
from scorer.typed_text import one_line

UNREADABLE = (*DAMAGE, SQLAlchemyError)


@dataclass(slots=True)
class VerifyReport:
    """How much was checked, and how many findings there were.

    ``former`` has a line for each version of a deal that was paid by the rules of 0.3.
    """

    circles: int = 0
    sessions: int = 0
    deals: int = 0
    versions: int = 0
    findings: int = 0
    former: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(
            counted(getattr(self, f"{noun}s"), noun)
            for noun in ("circle", "session", "deal", "version")
        )
        found = counted(self.findings, "difference") if self.findings else "no differences"
        return f"{counts}: {found}."


def verify(tell: Callable[[str], None]) -> VerifyReport:
    """Check everything that is stored; call ``tell`` with a line for each finding."""
    count = VerifyReport()

    def report(what: str) -> None:
        count.findings += 1
        tell(one_line(what))

    for what in _readable(_database_findings()):
        report(f"database: {what}")
    try:
        with one_moment():
            circle_ids = queries.circle.circle_ids()
        for circle_id in transfer.track_progress("circles", circle_ids):
            with one_moment():
                circle = queries.find(models.Circle, circle_id)
                name = circle.name if circle else str(circle_id)
            count.circles, told = count.circles + 1, len(count.former)
            for what in circle_findings(circle_id, count, one_moment):
                report(f"{name} · {what}")
            for what in count.former[told:]:
                tell(one_line(f"{name} · {what}"))
    except UNREADABLE as error:
        report(f"database: cannot be read: {error!r}")
    return count


def _database_findings() -> Iterator[str]:
    """Find damage to the SQLite file, a changed schema, unreadable rows, rows without a parent."""
    yield from damages()
    with one_moment():
        yield from _readable(database.differences())
        yield from transfer.unreadable()
        for table, named, count in queries.journal.strays():
            yield f"{counted(count, 'row')} of {table} with a {named} that is not there"


def _readable(findings: Iterator[str]) -> Iterator[str]:
    """Yield findings; an error while searching becomes the last one."""
    try:
        yield from findings
    except UNREADABLE as error:
        yield f"cannot be read: {error!r}"


def circle_findings(
    circle_id: UUID,
    count: VerifyReport | None = None,
    moment: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Iterator[str]:
    """Check one circle; yield each finding as a line.

    ``moment`` is a snapshot, taken for each session; without it all is read in the transaction of
    the caller.
    """
    count = count or VerifyReport()
    with moment():
        session_ids = queries.session.session_ids(circle_id)
    for session_id in transfer.track_progress("sessions", session_ids):
        count.sessions += 1
        with moment():
            findings = list(_session_findings(circle_id, session_id, count))
        yield from map(one_line, findings)
    with moment():
        findings = list(_readable(_rule_set_findings(circle_id)))
        findings += [f"journal: {what}" for what in _readable(journal_findings(circle_id))]
    yield from map(one_line, findings)


def _session_findings(circle_id: UUID, session_id: UUID, count: VerifyReport) -> Iterator[str]:
    title = str(session_id)
    try:
        row = queries.find(models.CardSession, circle_id, session_id)
        if row is None:
            return
        title = str(title_of(row))
        stored = read_session(row)
        count.deals += len(stored.deals)
        count.versions += sum(map(len, stored.versions.values()))
        former: list[Discrepancy] = []
        for finding in session_findings(stored, former):
            yield _line(title, finding)
        count.former += [_line(title, finding) for finding in former]
    except UNREADABLE as error:
        yield f"{title}: cannot be read: {error!r}"


def _line(title: str, finding: Discrepancy) -> str:
    number, what = finding
    return f"{title}: {what}" if number is None else f"{title} · deal {number}: {what}"


def _rule_set_findings(circle_id: UUID) -> Iterator[str]:
    for rule_set_id, name in queries.session.rule_set_names(circle_id).items():
        for what in _readable(_version_findings(circle_id, rule_set_id)):
            yield f"{name}: {what}"


def _version_findings(circle_id: UUID, rule_set_id: UUID) -> Iterator[str]:
    rows = queries.session.rule_set_versions(circle_id, rule_set_id)
    numbers = [row.version for row in rows]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        yield f"its versions are numbered {numbers}"
    for row in rows:
        _, problems = stored_game(row.game).rules_from(row.rules)
        if problems:
            yield f"version {row.version} cannot be played by: {problem_texts(problems)}"
