"""What-if: the result of other rules, or of a change of the session; nothing is written.

Other rules are computed: every deal is scored by them. A change of rules or seats is applied to the
evening in memory.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, TooOftenError, refuse
from scorer.evening.deal import Deal
from scorer.evening.session_acts import Change, check_next
from scorer.evening.terms import NOW, TermsChange
from scorer.roles import Holder
from scorer.rules.game import Fact, Game, Score, Table, with_times
from scorer.rules.seats import Seat
from scorer.services.deals.report import AnswerChange, DealReport, version_event
from scorer.services.session.house_rules import OwnRules, rules_in_use
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import applied
from scorer.texts import Text

#: Seconds that a request waits for another what-if, and its Retry-After when that is not enough.
PATIENCE, LATER = 1.0, 5
#: After so many deals, sleep to let the worker's other requests run; gevent's timers would not run
#: during a sleep of 0.
TURN, PAUSE = 100, 0.001
_computing = Lock()


class SheetWhatIf(NamedTuple):
    """A sheet in words, and its payouts."""

    headline: Text
    facts: tuple[Fact, ...]
    score: Score

    @property
    def notes(self) -> list[Text]:
        """The band and the multipliers, in a few words."""
        return [step.brief for step in self.score.steps if step.brief]


def sheet_what_if(
    game: Game[Any, Any], table: Table[Any], answers: Any, *, times: int = 1
) -> SheetWhatIf:
    """Score a sheet; raise InvalidError with its problems.

    ``times`` is the multiplier of the deal, if the sheet has none.
    """
    sheet, problems = game.read_sheet(with_times(answers, times), table)
    refuse(problems)
    facts = tuple(game.facts(sheet, table))
    return SheetWhatIf(game.headline(sheet, table), facts, game.score(sheet, table))


class TableWhatIf(NamedTuple):
    """What a deal would pay by other rules, or why not; ``own`` are the circle's own rules."""

    rules: Any
    own: OwnRules | None
    score: Score | None
    refusal: Text | None


def tables_what_if(report: DealReport) -> list[TableWhatIf]:
    """Score a deal by other rules for its number of players: the circle's own, and presets."""
    state, table, sheet = report.state, report.deal.entry.table, report.deal.entry.played
    if sheet is None:
        return []
    answers = state.game.write_sheet(sheet, table.seats)
    played = state.terms(report.deal.number).rule_set
    circles = rules_in_use(state.circle_id, state.game.slug)
    others: list[tuple[Any, OwnRules | None]] = [
        (own.rules, own) for own in circles if own.reference != played
    ]
    others += [(rules, None) for rules in state.game.presets.values() if rules != table.rules]
    what_ifs = []
    for rules, own in others:
        if len(table.active) in state.game.seating(rules).playing:
            score, refusal = None, None
            try:
                score = sheet_what_if(state.game, replace(table, rules=rules), answers).score
            except InvalidError as error:
                refusal = error.problems[0].message
            what_ifs.append(TableWhatIf(rules, own, score, refusal))
    return what_ifs


class RescoredDeal(NamedTuple):
    """What a deal pays as it stands and by the other rules, or why it can't be played by them."""

    deal: Deal
    then: Mapping[Seat, int]
    refusal: Text | None

    @property
    def now(self) -> Mapping[Seat, int]:
        return self.deal.paid

    @property
    def differs(self) -> bool:
        return self.refusal is not None or self.then != self.now


class RulesWhatIf(NamedTuple):
    """The deals, from one of them on by other rules, and the resulting balances.

    A deal that is impossible by them keeps its payouts. ``refusal`` says why the next deal couldn't
    be played; ``finished_number`` is the deal that would have ended the evening.
    """

    rules: Any
    deals: tuple[RescoredDeal, ...]
    now: Mapping[Seat, int]
    then: Mapping[Seat, int]
    refusal: Text | None
    finished_number: int | None

    @property
    def refused(self) -> list[RescoredDeal]:
        """The deals that can't be played by the other rules, the voided ones too."""
        return [deal for deal in self.deals if deal.refusal is not None]

    @property
    def differing(self) -> list[RescoredDeal]:
        return [deal for deal in self.deals if deal.then != deal.now]


class ChangedDeal(NamedTuple):
    """A deal as a change would write it, the difference, and whose balances ``moved``."""

    number: int
    voided: bool
    text: Text
    changes: tuple[AnswerChange, ...]
    moved: Mapping[Seat, int]


class ChangeWhatIf(NamedTuple):
    """The deals that would change, the balances before and after, all names, and the next deal."""

    deals: tuple[ChangedDeal, ...]
    unchanged: int
    before: Mapping[Seat, int]
    after: Mapping[Seat, int]
    names: tuple[str, ...]
    dealer: str
    out: tuple[str, ...]


def rules_what_if(state: SessionState, rules: Any, from_number: int = 1) -> RulesWhatIf:
    """Score the deals from a number on by other rules, as a change of the rules would.

    A process computes one at a time; raise TooOftenError after ``PATIENCE``.
    """
    if not _computing.acquire(timeout=PATIENCE):
        raise TooOftenError(LATER)
    other = TermsChange(NOW - 1, from_number, None, rules)
    then, deals = state.evening.begun(other), list[RescoredDeal]()
    try:
        again = then.again(state.deals, lambda number: number >= from_number)
        for deal, (line, wrong) in zip(state.deals, again, strict=True):
            if line.number % TURN == 0:
                time.sleep(PAUSE)
            if line.number >= from_number:
                deals.append(RescoredDeal(deal, line.paid, wrong[0].message if wrong else None))
    finally:
        _computing.release()
    refusal = None
    try:
        next_by = replace(state.evening, changes=(*state.changes, other))
        check_next(next_by)
    except InvalidError as error:
        refusal = error.problems[0].message
    return RulesWhatIf(rules, tuple(deals), state.evening.totals, then.totals, refusal, then.ended)


def change_what_if(session_id: UUID, change: Change, by: Holder) -> ChangeWhatIf:
    """Return what a change would do; raise what it would raise."""
    before = load_state(by.circle_id, session_id)
    change.check_seen(before.evening)
    after = replace(before, evening=applied(before, change, by))
    held = []
    for deal in after.deals:
        if change.holds_for(deal.number):
            *_, old, new = deal.versions
            event = version_event(after, new, old)
            moved = {seat: amount for seat, amount in event.moved.items() if amount}
            text = deal.entry.text
            held.append(ChangedDeal(deal.number, deal.voided, text, event.changes, moved))
    differ = tuple(deal for deal in held if deal.changes or deal.moved)
    names = after.names
    return ChangeWhatIf(
        deals=differ,
        unchanged=len(held) - len(differ),
        before=before.evening.totals,
        after=after.evening.totals,
        names=names,
        dealer=names[after.evening.turn.dealer],
        out=tuple(names[seat] for seat in after.table().sits_out),
    )
