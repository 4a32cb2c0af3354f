"""Insert deals and versions at the end of the session's chain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from scorer.evening import JudgedDeal
from scorer.evening.judging import NUMBERS
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.base.author import Holder, authored
from scorer.services.base.clock import now
from scorer.services.session.state import SessionState
from scorer.storage import chain, models, queries, write_plain
from scorer.texts import say
from scorer.typed_text import one_line

#: What somebody may bring in at most.
MOST_POINTS = 1_000_000_000
#: What a version of a deal repeats of it.
SAME = ("circle_id", "deal_id", "session_id", "number", "version", "outcome", "dealer", "voided")
OUTCOME_WORDS = {
    Outcome.MISDEAL: say("Misdeal"),
    Outcome.ALL_PASSED: say("All passed"),
    Outcome.THROWN_IN: say("Thrown in"),
    Outcome.REDEAL: say("Dealt again"),
    Outcome.PENALTY: say("Penalty"),
}


@dataclass(frozen=True, slots=True)
class DealChange:
    """A change or a review of a deal, by a phone that saw it at ``version``.

    ``seen`` is the number of reviews it saw; with None a change does not check them. The proposal
    of a dispute, by question, is in ``proposed_form`` as a page sends it (choices by their codes),
    or in ``proposed_json`` as a program sends it (players by name).
    """

    number: int
    version: int
    reason: str = ""
    seen: int | None = None
    proposed_form: Mapping[str, str] = field(default_factory=dict)
    proposed_json: Mapping[str, Any] = field(default_factory=dict)


class Act(NamedTuple):
    """An act on a deal: the phone, the reason, the serial of the session change behind it."""

    name: str
    by: Holder
    reason: str = ""
    change: int | None = None


def insert_deal(
    state: SessionState, key: UUID, dealer: Seat, entry: JudgedDeal, by: Holder
) -> None:
    """Insert the next deal of a session whose row is locked."""
    row, at = state.row, now()
    same = {
        "circle_id": row.circle_id,
        "deal_id": key,
        "session_id": row.session_id,
        "number": row.next_number,
        "version": 1,
        "outcome": entry.outcome,
        "dealer": dealer,
        "voided": False,
    }
    states = {"amended": False, "disputed": False, "bid": entry.bid, "made": entry.made}
    write_plain(models.Deal, [{**same, **states, "recorded_at": at}])
    _insert_version(row, same, Act("record", by), entry, at)
    _insert_payouts(row, row.next_number, entry)
    row.next_number += 1
    row.version += 1


def insert_version(state: SessionState, deal: models.Deal, act: Act, entry: JudgedDeal) -> None:
    """Insert the next version of a deal, and its payouts unless it is voided."""
    deal.version += 1
    deal.outcome, deal.bid, deal.made = entry.outcome.value, entry.bid, entry.made
    same = {name: getattr(deal, name) for name in SAME}
    _insert_version(state.row, same, act, entry, now())
    queries.session.drop_payouts(deal.circle_id, deal.session_id, deal.number)
    if not deal.voided:
        _insert_payouts(state.row, deal.number, entry)


def _insert_version(
    row: models.CardSession, same: Mapping[str, Any], act: Act, entry: JudgedDeal, at: datetime
) -> None:
    """Insert a version of a deal, with the columns that are the ``same`` in both."""
    version = {
        **same,
        "act": act.name,
        "stored": entry.stored,
        "sits_out": entry.sits_out,
        "payouts": {NUMBERS[seat]: amount for seat, amount in entry.paid.items()},
        "reason": one_line(act.reason) or None,
        "change": act.change,
        **authored(act.by, at),
    }
    write_plain(models.DealVersion, [chain.appended(row, version)])


def _insert_payouts(row: models.CardSession, number: int, entry: JudgedDeal) -> None:
    roles = entry.roles
    key = {"circle_id": row.circle_id, "session_id": row.session_id, "number": number}
    paid = [
        {**key, "seat": seat, "amount": amount, "role": roles.get(seat, "")}
        for seat, amount in entry.paid.items()
    ]
    write_plain(models.Payout, paid)
