"""Write what happened in a session: facts at the end of its chain, and what searches need."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from scorer.evening.deal import Deal, Review, Version
from scorer.evening.judging import NUMBERS
from scorer.evening.terms import TermsChange
from scorer.rules.sheet import write as written_rules
from scorer.services.session.state import SessionState
from scorer.storage import chain, models, queries, write_plain

#: What somebody may bring in at most.
MOST_POINTS = 1_000_000_000
#: What a new deal repeats of its first version.
SAME = ("circle_id", "deal_id", "session_id", "number", "version", "outcome", "dealer", "voided")


def save(state: SessionState) -> SessionState:
    """Write the facts of a session that its row, which is locked, does not have yet.

    They go to the end of the chain; each deal and its payouts are written as they stand then.
    Return the session as it is stored.
    """
    row, key = state.row, {"circle_id": state.circle_id, "session_id": state.session_id}
    versions, others, deals = list[dict[str, Any]](), list[tuple[Any, Any]](), dict[int, Deal]()
    for fact in state.evening.facts_since(row.written):
        columns = chain.appended(row, key | _columns(fact))
        if isinstance(fact, Version):
            versions.append(columns)
        else:
            others.append(
                (models.Review if isinstance(fact, Review) else models.SessionChange, columns)
            )
        if not isinstance(fact, TermsChange):
            deals[fact.number] = state.evening.deal(fact.number)
    first = {columns["number"] for columns in versions if columns["version"] == 1}
    write_plain(
        models.Deal,
        [_new_deal(deals[v["number"]], v) for v in versions if v["version"] == 1],
    )
    queries.session.save_deals(
        [_standing(state, deal) for number, deal in deals.items() if number not in first]
    )
    write_plain(models.DealVersion, versions)
    for table, columns in others:
        write_plain(table, [columns])
    _save_payouts(key, deals, {columns["number"] for columns in versions}, first)
    row.changes, row.next_number = len(state.changes), state.evening.number
    row.finished_number = state.evening.ended
    row.version += 1
    return replace(state, evening=replace(state.evening, written=row.written))


def _columns(fact: Version | Review | TermsChange) -> dict[str, Any]:
    """Return a fact as the columns of its row."""
    columns = fact._asdict()
    del columns["phone"], columns["serial"]
    if isinstance(fact, Version):
        columns["payouts"] = {NUMBERS[seat]: amount for seat, amount in fact.payouts.items()}
    if isinstance(fact, TermsChange):
        rule_set, version = columns.pop("rule_set") or (None, None)
        order = columns.pop("order")
        columns |= {"rule_set_id": rule_set, "rule_set_version": version}
        columns |= {
            "rules": None if fact.rules is None else written_rules(fact.rules),
            "seats": list(order) or None,
            "sits_out": None if fact.sits_out is None else list(fact.sits_out),
        }
    return columns


def _new_deal(deal: Deal, version: dict[str, Any]) -> dict[str, Any]:
    same = {name: version[name] for name in SAME}
    states = {"amended": False, "disputed": False, "recorded_at": version["at"]}
    return same | states | {"bid": deal.entry.bid, "made": deal.entry.made}


def _standing(state: SessionState, deal: Deal) -> dict[str, Any]:
    """Return what searches need of a deal as it stands."""
    return {
        "of": state.circle_id,
        "which": deal.deal_id,
        "version": deal.version,
        "outcome": deal.outcome,
        "dealer": deal.turn.dealer,
        "voided": deal.voided,
        "amended": deal.amended,
        "disputed": deal.disputed,
        "bid": deal.entry.bid,
        "made": deal.entry.made,
    }


def _save_payouts(
    key: dict[str, Any], deals: dict[int, Deal], numbers: Iterable[int], new: set[int]
) -> None:
    """Replace the payouts of the deals with these numbers; the new ones have none yet."""
    again = [number for number in numbers if number not in new]
    if again:
        queries.session.drop_payouts(key["circle_id"], key["session_id"], again)
    paid = []
    for deal in map(deals.__getitem__, sorted(numbers)):
        roles = deal.entry.roles if deal.paid else {}
        of = key | {"number": deal.number}
        paid += [
            of | {"seat": seat, "amount": amount, "role": roles.get(seat, "")}
            for seat, amount in deal.paid.items()
        ]
    write_plain(models.Payout, paid)


def redeal_started(state: SessionState) -> None:
    """Let whose turn it is now deal the deal under way, if there is one."""
    started = state.started and queries.find(models.StartedDeal, state.circle_id, state.session_id)
    if started is not None:
        started.dealer = state.evening.turn.dealer
