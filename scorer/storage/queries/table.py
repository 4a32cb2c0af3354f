"""Questions about a circle's own rules and their versions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased

from scorer.storage.models import Phone, RuleSet, RuleSetVersion
from scorer.storage.queries import base
from scorer.storage.queries.base import AnySelect


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
    select(*base.columns(RuleSetRow, RuleSet, RuleSetVersion, phone=Phone.name))
    .join(RuleSetVersion, base.same(RuleSetVersion, RuleSet, "rule_set_id"))
    .outerjoin(Phone, base.same(Phone, RuleSetVersion, "phone_id"))
)


@base.in_order_of(lambda row: (row.name.casefold(), row.name, row.game))
@base.each(RuleSetRow)
def rule_sets(circle_id: UUID) -> AnySelect:
    """List the circle's own rules by name, as the newest versions say, the retired ones too."""
    newest = (
        select(func.max(_Later.version))
        .where(_Later.circle_id == RuleSet.circle_id, _Later.rule_set_id == RuleSet.rule_set_id)
        .scalar_subquery()
    )
    return _VERSIONS.where(RuleSet.circle_id == circle_id, RuleSetVersion.version == newest)


@base.each(RuleSetRow)
def rule_set_versions(circle_id: UUID, rule_set_id: UUID) -> AnySelect:
    of_rule_set = (RuleSet.circle_id == circle_id, RuleSet.rule_set_id == rule_set_id)
    return _VERSIONS.where(*of_rule_set).order_by(RuleSetVersion.version)


@base.mapping
def rule_set_names(circle_id: UUID) -> Select[UUID, str]:
    """Return the names of the circle's rule sets, of those without any version too."""
    return (
        select(RuleSet.rule_set_id, RuleSet.name)
        .where(RuleSet.circle_id == circle_id)
        .order_by(RuleSet.name, RuleSet.rule_set_id)
    )


@base.entity
def rule_set_for_update(circle_id: UUID, rule_set_id: UUID) -> Select[RuleSet]:
    """Find a rule set of the circle, locked until the transaction ends."""
    of_key = select(RuleSet).filter_by(circle_id=circle_id, rule_set_id=rule_set_id)
    return of_key.with_for_update()
