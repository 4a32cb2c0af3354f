"""One deal told whole: what was written, what it pays and why, what if, and every version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scorer.errors import NotFoundError
from scorer.rules.game import Fact, Outcome, Score, Table
from scorer.rules.seats import Seat
from scorer.services.reviews import unconfirmed
from scorer.services.rule_sets import OwnRules, rules_in_use
from scorer.services.score_sheet import OUTCOME_WORDS, deal_text
from scorer.services.state import SessionState, load_state
from scorer.storage import queries
from scorer.storage.queries import DealRow, ReviewRow, VersionRow
from scorer.texts import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from scorer.rules.terms import TermsChange

WHAT = say("What happened")


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The same deal under another rule set: what it would have paid, or why it can't be played."""

    rules: Any
    own: OwnRules | None
    score: Score | None
    refusal: Text | None
    here: bool


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """One answer that a version changed."""

    label: Text
    old: Text | str
    new: Text | str


@dataclass(frozen=True, slots=True)
class VersionReport:
    """A version of a deal: who wrote it and why, what changed, and how it moved the balances.

    ``because`` names the change of rules or seats that had it written.
    """

    row: VersionRow
    because: Text | None
    changes: tuple[AnswerChange, ...]
    moved: dict[Seat, int]


@dataclass(frozen=True, slots=True)
class DealReport:
    """A deal as its page shows it."""

    state: SessionState
    deal: DealRow
    table: Table[Any]
    headline: Text
    facts: tuple[Fact, ...]
    score: Score
    what_if: tuple[WhatIf, ...]
    versions: tuple[VersionReport, ...]
    reviews: tuple[ReviewRow, ...]
    unconfirmed: bool

    @property
    def history(self) -> list[VersionReport | ReviewRow]:
        """All that was written and said, newest first: a review comes after what it is of."""
        events: list[VersionReport | ReviewRow] = []
        for version in reversed(self.versions):
            of_it = [one for one in self.reviews if one.version == version.row.version]
            events += [version, *of_it]
        return events[::-1]


def deal_report(circle_id: UUID, session_id: UUID, number: int) -> DealReport:
    """Open one deal; raise NotFoundError."""
    state = load_state(circle_id, session_id)
    deal = queries.deal(circle_id, session_id, number)
    if deal is None:
        raise NotFoundError(number)
    table, sheet = state.table_for(deal, with_balances=True), state.sheet_of(deal)
    return DealReport(
        state,
        deal,
        table,
        state.game.headline(sheet, table) if sheet else deal_text(state, deal),
        tuple(facts(state, deal)),
        _score(state, deal, table, sheet),
        what_if(state, deal, sheet) if sheet else (),
        _versions(state, queries.deal_versions(circle_id, deal.deal_id)),
        tuple(queries.reviews(circle_id, deal.deal_id)),
        bool(unconfirmed(state, [deal])),
    )


def facts(state: SessionState, deal: DealRow | VersionRow) -> list[Fact]:
    """List what was written down for a deal, whatever became of it."""
    sheet = state.sheet_of(deal)
    if sheet is not None:
        return state.game.facts(sheet, state.table_for(deal))
    written = [Fact(WHAT, OUTCOME_WORDS[Outcome(deal.outcome)])]
    if deal.sheet is not None:
        written.append(Fact(say("Offender"), state.names[int(deal.sheet["offender"])]))
    return written


def _score(state: SessionState, deal: DealRow, table: Table[Any], sheet: Any) -> Score:
    if sheet is not None:
        return state.game.score(sheet, table)
    if deal.sheet is None:
        return Score.of((), ())
    return state.game.penalty(Seat(int(deal.sheet["offender"])), table)


def what_if(state: SessionState, deal: DealRow, sheet: Any) -> tuple[WhatIf, ...]:
    """Pay the same sheet by the rules it was played by, the circle's own, and every preset.

    Left out are those for another number of players.
    """
    table, played = state.table_for(deal, with_balances=True), state.terms(deal.number, deal.serial)
    answers = state.game.write_sheet(sheet, table.seats)
    own = [
        one
        for one in rules_in_use(state.circle_id, state.game.slug)
        if one.reference != played.rule_set
    ]
    others: list[tuple[Any, OwnRules | None]] = [(one.rules, one) for one in own]
    others += [(rules, None) for rules in state.game.presets.values() if rules != table.rules]
    fitting = [
        (rules, one)
        for rules, one in others
        if len(table.active) in state.game.seating(rules).for_deal
    ]
    return (
        _paid(state, table, answers, (table.rules, None)),
        *(_paid(state, table, answers, other) for other in fitting),
    )


def _paid(
    state: SessionState,
    table: Table[Any],
    answers: Mapping[str, Any],
    by: tuple[Any, OwnRules | None],
) -> WhatIf:
    rules, own = by
    other = replace(table, rules=rules)
    sheet, problems = state.game.read_sheet(answers, other)
    at_this_table = rules is table.rules
    if problems:
        return WhatIf(rules, own, None, problems[0].message, at_this_table)
    return WhatIf(rules, own, state.game.score(sheet, other), None, at_this_table)


def _versions(state: SessionState, rows: list[VersionRow]) -> tuple[VersionReport, ...]:
    """Tell the versions, newest first, each beside the one before it."""
    before: list[VersionRow | None] = [None, *rows]
    versions = [version_report(state, row, old) for row, old in zip(rows, before, strict=False)]
    return tuple(reversed(versions))


def version_report(state: SessionState, row: VersionRow, old: VersionRow | None) -> VersionReport:
    """Tell a version beside the one before it."""
    counted, counts = _counting(old), _counting(row)
    seats = sorted(counted.keys() | counts.keys())
    moved = {Seat(seat): counts.get(seat, 0) - counted.get(seat, 0) for seat in seats}
    return VersionReport(row, _because(state, row), _changes(state, row, old), moved)


def _counting(row: VersionRow | None) -> Mapping[int, int]:
    """What a version adds to the balances: nothing while it is voided."""
    return {} if row is None or row.voided else row.payouts


def _changes(
    state: SessionState, row: VersionRow, old: VersionRow | None
) -> tuple[AnswerChange, ...]:
    if old is None or row.act != "amend":
        return ()
    before = {str(fact.label): fact for fact in _all_facts(state, old)}
    after = {str(fact.label): fact for fact in _all_facts(state, row)}
    return tuple(
        AnswerChange(
            (after.get(key) or before[key]).label,
            before[key].value if key in before else "–",
            after[key].value if key in after else "–",
        )
        for key in dict.fromkeys([*before, *after])
        if key not in before or key not in after or before[key].value != after[key].value
    )


def _all_facts(state: SessionState, version: VersionRow) -> list[Fact]:
    """What was written down, with who dealt and who sat out."""
    out = ", ".join(state.names[seat] for seat in version.sits_out) or "–"
    dealer = state.names[version.dealer]
    return [*facts(state, version), Fact(say("Dealer"), dealer), Fact(say("Sat out"), out)]


def _because(state: SessionState, row: VersionRow) -> Text | None:
    """Name the act that changed rules or seats: its rows are those that follow on each other."""
    by_serial = {change.serial: change for change in state.changes}
    act: list[TermsChange] = []
    while row.change is not None and row.change + len(act) in by_serial:
        act.append(by_serial[row.change + len(act)])
    if not act:
        return None
    return say("%(what)s, %(deals)s", what=_changed(state, act), deals=_deals(act[0]))


def _changed(state: SessionState, act: Sequence[TermsChange]) -> Text:
    """Say what an act changed, and to which table."""
    rules = next((one for one in act if one.rules is not None), None)
    if rules is None:
        return say("Seats changed")
    table = state.game.describe(rules.rules).name
    if rules.rule_set is not None:
        table = say("%(table)s, version %(version)s", table=table, version=rules.rule_set[1])
    if any(one.order for one in act):
        return say("Rules (%(table)s) and seats changed", table=table)
    return say("Rules changed to %(table)s", table=table)


def _deals(changed: TermsChange) -> Text:
    first, last = changed.from_number, changed.until_number
    if last is None:
        return say("from deal %(number)s on", number=first)
    if first == last:
        return say("for deal %(number)s", number=first)
    return say("for deals %(first)s to %(last)s", first=first, last=last)
