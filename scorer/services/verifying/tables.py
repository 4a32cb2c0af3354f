"""Whether a circle's own rules can be read, in all their versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from scorer.games import find_game
from scorer.services.verifying.kept import DAMAGE, said
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from scorer.storage.queries import RuleSetRow


def table_findings(circle_id: UUID) -> Iterator[tuple[str, str]]:
    """Give what differs in a circle's own rules, each with the name of the rule set."""
    try:
        names = queries.rule_set_names(circle_id)
    except (*DAMAGE, SQLAlchemyError) as error:
        yield str(circle_id), f"the rule sets cannot be read: {error!r}"
        return
    for rule_set_id, name in names.items():
        try:
            rows = queries.rule_set_versions(circle_id, rule_set_id)
            yield from ((name, what) for what in _findings(rows))
        except (*DAMAGE, SQLAlchemyError) as error:
            yield name, f"cannot be read: {error!r}"


def _findings(rows: list[RuleSetRow]) -> Iterator[str]:
    numbers = [row.version for row in rows]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        yield f"its versions are numbered {numbers}"
    for row in rows:
        _, problems = find_game(row.game).rules_from(row.rules)
        if problems:
            yield f"version {row.version} cannot be played by: {said(problems)}"
