"""The lines across a score sheet: from which deal on other rules hold, or people sit otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from scorer.services.change_log import rules_changes, seats_changes
from scorer.storage import queries
from scorer.texts import Text, say
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from scorer.services.change_log import RulesChange, RulesPeriod, SeatsChange
    from scorer.services.state import SessionState


@dataclass(frozen=True, slots=True)
class LineView:
    """A line across the sheet: from a deal on something else holds; who said so, when and why."""

    text: Text
    by: Text | str | None
    at: datetime
    reason: str | None


def lines_across(state: SessionState) -> dict[int, list[LineView]]:
    """Say from which deals on the session was played by other rules, or people sat otherwise."""
    lines: dict[int, list[LineView]] = {}
    for rules in rules_changes(state):
        lines.setdefault(rules.period.first, []).append(
            _view(state, rules, _line(state, rules.period))
        )
    for seats in seats_changes(state):
        lines.setdefault(seats.number, []).append(_view(state, seats, seats.text))
    return lines


def _view(state: SessionState, change: RulesChange | SeatsChange, text: Text) -> LineView:
    return LineView(text, _by(state, change), change.at, change.reason)


def _line(state: SessionState, period: RulesPeriod) -> Text:
    name = state.game.describe(period.rules).name
    if period.rule_set is None:
        return say("From deal %(number)s: %(table)s", number=period.first, table=name)
    return say(
        "From deal %(number)s: %(table)s, version %(version)s",
        number=period.first,
        table=name,
        version=period.rule_set[1],
    )


def _by(state: SessionState, change: RulesChange | SeatsChange) -> Text | str | None:
    if change.by or change.phone_id is None:
        return change.by
    phone = queries.phone_and_holder(state.circle_id, change.phone_id)
    return phone_words(phone.name) if phone else None
