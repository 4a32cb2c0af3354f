"""Questions about a circle's own rules and their versions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased

from scorer.storage.database import db
from scorer.storage.models import Phone, RuleSet, RuleSetVersion
from scorer.storage.queries.base import CIRCLE, RULE_SET, columns, rows, same


@dataclass(frozen=True, slots=True)
class RuleSetRow:
    """A rule set as one of its versions says, who wrote that version, when and on which phone."""

    rule_set_id: UUID
    game: str
    name: str
    retired_at: datetime | None
    version: int
    rules: dict[str, Any]
    at: datetime
    written_by: str | None
    phone: str | None


_Later = aliased(RuleSetVersion, name="later")

_VERSIONS = (
    select(
        *columns(
            RuleSetRow,
            RuleSet,
            version=RuleSetVersion.version,
            rules=RuleSetVersion.rules,
            at=RuleSetVersion.at,
            written_by=RuleSetVersion.written_by,
            phone=Phone.name,
        )
    )
    .join(RuleSetVersion, same(RuleSetVersion, RuleSet, "rule_set_id"))
    .outerjoin(Phone, same(Phone, RuleSetVersion, "phone_id"))
    .where(RuleSet.circle_id == CIRCLE)
)
_NEWEST_NUMBER = (
    select(func.max(_Later.version))
    .where(_Later.circle_id == RuleSet.circle_id, _Later.rule_set_id == RuleSet.rule_set_id)
    .scalar_subquery()
)
_NEWEST = _VERSIONS.where(RuleSetVersion.version == _NEWEST_NUMBER)


def rule_sets(circle_id: UUID) -> list[RuleSetRow]:
    """List the circle's own rules by name, as the newest versions say, the retired ones too."""
    rules = _rows(_NEWEST, circle_id=circle_id)
    return sorted(rules, key=lambda row: (row.name.casefold(), row.name, row.game))


_OF_RULE_SET = _VERSIONS.where(RuleSet.rule_set_id == RULE_SET).order_by(RuleSetVersion.version)


def rule_set_versions(circle_id: UUID, rule_set_id: UUID) -> list[RuleSetRow]:
    return _rows(_OF_RULE_SET, circle_id=circle_id, rule_set_id=rule_set_id)


_NAMES = (
    select(RuleSet.rule_set_id, RuleSet.name)
    .where(RuleSet.circle_id == CIRCLE)
    .order_by(RuleSet.name, RuleSet.rule_set_id)
)


def rule_set_names(circle_id: UUID) -> dict[UUID, str]:
    """Return the names of the circle's rule sets, of those without any version too."""
    return dict(rows(_NAMES, circle_id=circle_id).tuples().all())


_FOR_UPDATE = (
    select(RuleSet)
    .where(RuleSet.circle_id == CIRCLE, RuleSet.rule_set_id == RULE_SET)
    .with_for_update()
)


def rule_set_for_update(circle_id: UUID, rule_set_id: UUID) -> RuleSet | None:
    """Find a rule set of the circle, locked until the transaction ends."""
    parameters = {"circle_id": circle_id, "rule_set_id": rule_set_id}
    return db.session.scalar(_FOR_UPDATE, parameters)


def _rows(statement: Select[Any], **parameters: UUID) -> list[RuleSetRow]:
    return [RuleSetRow(*row) for row in rows(statement, **parameters)]
