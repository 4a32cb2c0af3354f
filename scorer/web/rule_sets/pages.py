"""The blueprint of house rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, url_for

if TYPE_CHECKING:
    from uuid import UUID

RULES = "/circles/<uuid:circle_id>/rules"
RULE_SET = f"{RULES}/<uuid:rule_set_id>"

pages = Blueprint("rule_sets", __name__)


def rule_set_url(circle_id: UUID, rule_set_id: UUID) -> str:
    """The address of a rule set's page."""
    return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=rule_set_id)
