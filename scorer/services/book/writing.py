"""Score the entry of a deal, and insert deals and versions at the end of the session's chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from scorer.errors import InvalidError
from scorer.rules.game import Game, Outcome, Table, read_penalty, with_times
from scorer.rules.seats import Seat, wrong_count
from scorer.rules.sheet import write as written_sheet
from scorer.services.base.clock import now
from scorer.services.base.roles import Holder
from scorer.services.base.text import one_line
from scorer.services.book.state import NUMBERS, SessionState
from scorer.storage import chain, models, queries, write, write_plain
from scorer.texts import say

OFFENDER = "offender"
OUTCOME_WORDS = {
    Outcome.MISDEAL: say("Misdeal"),
    Outcome.ALL_PASSED: say("All passed"),
    Outcome.THROWN_IN: say("Thrown in"),
    Outcome.REDEAL: say("Dealt again"),
    Outcome.PENALTY: say("Penalty"),
}


@dataclass(frozen=True, slots=True)
class ScoredEntry:
    """A valid entry, ready to be stored: its sheet, payouts and roles.

    ``sheet`` is the stored form; ``answers`` is the sheet itself, of an entry that was just read.
    """

    outcome: Outcome
    sits_out: tuple[int, ...]
    sheet: dict[str, Any] | None = None
    payouts: Mapping[Seat, int] = field(default_factory=dict)
    roles: Mapping[Seat, str] = field(default_factory=dict)
    bid: str | None = None
    made: bool | None = None
    answers: Any = None


@dataclass(frozen=True, slots=True)
class DealChange:
    """A change or a review of a deal, by a phone that saw it at ``version``.

    ``seen`` is the number of reviews it saw; with None a change does not check them. What a dispute
    proposes, by question, is in ``proposed_form`` as a page sends it (choices by their codes), or
    in ``proposed_json`` as a program sends it (players by name).
    """

    number: int
    version: int
    reason: str = ""
    seen: int | None = None
    proposed_form: Mapping[str, str] = field(default_factory=dict)
    proposed_json: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody does to a deal, on which phone and why.

    ``change`` is the serial of the session change that caused it, if any.
    """

    name: str
    by: Holder
    reason: str = ""
    change: int | None = None


def score_entry(
    game: Game[Any, Any], table: Table[Any], outcome: Outcome, sheet: Any, *, times: int = 1
) -> ScoredEntry:
    """Read the sheet of a deal and score it.

    Raise InvalidError with every problem of the sheet; a wrong number of players is raised alone,
    before the sheet is read.

    ``times`` is how often a deal that is played counts, where its sheet doesn't say.
    """
    wrong = wrong_count(len(table.active), game.seating(table.rules).playing, "")
    if wrong is not None:
        raise InvalidError([wrong])
    sits_out = tuple(seat for seat in table.order if seat not in table.active)
    if outcome is Outcome.PENALTY:
        return _penalty(game, table, sheet, sits_out)
    if outcome is not Outcome.PLAYED:
        return ScoredEntry(outcome, sits_out)
    answers, problems = game.read_sheet(with_times(sheet, times), table)
    if problems:
        raise InvalidError(problems)
    score = game.score(answers, table)
    return ScoredEntry(
        outcome=outcome,
        sits_out=sits_out,
        sheet=game.write_sheet(answers, NUMBERS),
        payouts=score.payouts,
        roles=game.roles(answers),
        bid=game.bid(answers),
        made=score.made,
        answers=answers,
    )


def _penalty(
    game: Game[Any, Any], table: Table[Any], data: Any, sits_out: tuple[int, ...]
) -> ScoredEntry:
    sheet, problems = read_penalty(data, table)
    if sheet is None:
        raise InvalidError(problems)
    payouts, roles = game.penalty(sheet.offender, table).payouts, {sheet.offender: OFFENDER}
    return ScoredEntry(Outcome.PENALTY, sits_out, written_sheet(sheet, NUMBERS), payouts, roles)


def insert_deal(
    state: SessionState, key: UUID, dealer: Seat, entry: ScoredEntry, by: Holder
) -> None:
    """Insert the next deal of a session whose row is locked."""
    row, at = state.row, now()
    deal = models.Deal(
        circle_id=row.circle_id,
        deal_id=key,
        session_id=row.session_id,
        number=row.next_number,
        outcome=entry.outcome,
        dealer=dealer,
        bid=entry.bid,
        made=entry.made,
        recorded_at=at,
    )
    write(deal, _version(state, deal, Act("record", by), entry, at))
    _insert_payouts(deal, entry)
    row.next_number += 1
    row.version += 1


def insert_version(state: SessionState, deal: models.Deal, act: Act, entry: ScoredEntry) -> None:
    """Insert the next version of a deal.

    Its payouts are deleted and, unless it is voided, written anew.
    """
    deal.version += 1
    deal.outcome, deal.bid, deal.made = entry.outcome.value, entry.bid, entry.made
    write(_version(state, deal, act, entry, now()))
    queries.book.drop_payouts(deal.circle_id, deal.session_id, deal.number)
    if not deal.voided:
        _insert_payouts(deal, entry)


def current_entry(
    state: SessionState, deal: models.Deal, stored: queries.deals.DealRow
) -> ScoredEntry:
    """Return the entry of a deal as it is stored."""
    return ScoredEntry(
        outcome=Outcome(stored.outcome),
        sits_out=stored.sits_out,
        sheet=stored.sheet,
        payouts={Seat(seat): amount for seat, amount in stored.payouts.items()},
        roles=_roles(state, stored),
        bid=deal.bid,
        made=deal.made,
    )


def _roles(state: SessionState, stored: queries.deals.DealRow) -> Mapping[Seat, str]:
    sheet = state.sheet_of(stored)
    if sheet is not None:
        return state.game.roles(sheet)
    offender = (stored.sheet or {}).get(OFFENDER)
    return {} if offender is None else {Seat(int(offender)): OFFENDER}


def _version(
    state: SessionState, deal: models.Deal, act: Act, entry: ScoredEntry, at: datetime
) -> models.DealVersion:
    """Make the next version of a deal, at the end of the session's chain."""
    version = models.DealVersion(
        circle_id=deal.circle_id,
        deal_id=deal.deal_id,
        version=deal.version,
        act=act.name,
        outcome=entry.outcome,
        dealer=deal.dealer,
        voided=deal.voided,
        sheet=entry.sheet,
        sits_out=list(entry.sits_out),
        payouts={NUMBERS[seat]: amount for seat, amount in entry.payouts.items()},
        phone_id=act.by.phone_id,
        written_by=act.by.player,
        reason=one_line(act.reason) or None,
        change=act.change,
        at=at,
    )
    chain.append(state.row, deal, version)
    return version


def _insert_payouts(deal: models.Deal, entry: ScoredEntry) -> None:
    key = {"circle_id": deal.circle_id, "session_id": deal.session_id, "number": deal.number}
    paid = [
        {**key, "seat": seat, "amount": amount, "role": entry.roles.get(seat, "")}
        for seat, amount in entry.payouts.items()
    ]
    write_plain(models.Payout, paid)


MOST_POINTS = 1_000_000_000
