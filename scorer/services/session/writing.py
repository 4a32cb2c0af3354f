"""Do something to a session and write it: facts at the end of its chain, and what searches need.

Repeated requests are ignored.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from scorer.errors import NotFoundError, existing
from scorer.evening import Evening
from scorer.evening.deal import Deal, Review, Started, Version
from scorer.evening.judging import NUMBERS
from scorer.evening.session_acts import Change, SessionAct
from scorer.evening.terms import TermsChange
from scorer.rules.questions import write as written_rules
from scorer.rules.seats import Seat
from scorer.services.base import journal
from scorer.services.base.circle_limits import CircleLimit, refuse_full
from scorer.services.base.clock import now
from scorer.services.base.journal import Author, Kind, as_author
from scorer.services.circle.players import find_player, names
from scorer.services.session.settling import settle
from scorer.services.session.state import SessionState, lock_state, written
from scorer.storage import chain, models, queries, write
from scorer.typed_text import looks, one_line


def do(circle_id: UUID, session_id: UUID, act: SessionAct, *, by: Author = None) -> int:
    """Do something to a session; return how many deals it wrote anew. Raise as the act does."""

    def work() -> tuple[int, SessionState]:
        with lock_state(circle_id, session_id) as state:
            after = do_within(state, act, by)
            facts = after.evening.facts_since(state.evening.written)
            return sum(isinstance(fact, Version) for fact in facts), after

    return written(work)


def do_within(state: SessionState, act: SessionAct, by: Author) -> SessionState:
    """Do something to a locked session; return it as it is then, itself if that was done before."""
    evening = applied(state, act, by)
    if evening is state.evening:
        return state
    after = save(state, evening, by, act.noted)
    settle(after, by, anew=after.evening.over and not state.evening.over)
    return after


def applied(state: SessionState, act: SessionAct, by: Author) -> Evening:
    """Return the evening after an act, with guests by the names that the circle has for them."""
    if isinstance(act, Change):
        act = replace(act, most=models.MOST_AT_TABLE)
        if act.guests:
            known = {looks(name): name for name in names(state.circle_id).values()}
            guests = (
                replace(guest, name=known.get(looks(one_line(guest.name)), guest.name))
                for guest in act.guests
            )
            act = replace(act, guests=tuple(guests))
    return act.apply(state.evening, as_author(by))


def save(before: SessionState, evening: Evening, by: Author, noted: str = "") -> SessionState:
    """Write how an evening differs from its session, which is locked; return what is stored then.

    Its facts go to the end of the chain; each deal and its payouts are written as they stand then.
    What is not in the chain is ``noted`` in the journal as of that kind.
    """
    state = replace(before, evening=evening)
    row, deals = state.row, dict[int, Deal]()
    rows = list[models.DealVersion | models.ReviewRow | models.SessionChange]()
    if len(evening.names) > len(before.seats):
        state = replace(state, seats=_seat_guests(state, by))
    for fact in state.evening.facts_since(row.written):
        rows.append(_row(state, fact))
        chain.append(row, rows[-1])
        if not isinstance(fact, TermsChange):
            deals[fact.number] = state.evening.deal(fact.number)
    versions = [row for row in rows if isinstance(row, models.DealVersion)]
    new = {version.number for version in versions if version.version == 1}
    write(*(_new_deal(state, deal) for number, deal in deals.items() if number in new))
    kept = (deal for number, deal in deals.items() if number not in new)
    queries.session.save_deals([{"circle_id": state.circle_id, **standing(deal)} for deal in kept])
    write(*rows)
    numbers = {version.number for version in versions}
    queries.session.drop_payouts(state.circle_id, state.session_id, numbers - new)
    write(*(payout for number in sorted(numbers) for payout in _payouts(state, deals[number])))
    row.changes, row.next_number = len(state.changes), state.evening.number
    row.finished_number = state.evening.ended
    _save_start(before, state, by, noted)
    _save_timer(before, state, by, noted)
    if evening.over != (row.ended_at is not None):
        journal.change(Kind(noted), row, by, ended_at=now() if evening.over else None)
    row.version += 1
    return replace(state, evening=replace(state.evening, written=row.written))


def _seat_guests(state: SessionState, by: Author) -> tuple[queries.session.SeatRow, ...]:
    """Write a seat for everybody who has none yet, with the change that brings them."""
    changes = (change for change in state.changes if change.serial > state.row.written)
    joined = next(change.serial for change in changes if change.order)
    brought = state.evening.begun().totals
    for number in range(len(state.seats), len(state.names)):
        seat = models.Seat(
            **state.key_columns,
            seat=number,
            player_id=find_player(state.circle_id, state.names[number], by),
            opening=brought[Seat(number)],
            joined=joined,
        )
        journal.create(Kind.SEATED, seat, by)
    return tuple(queries.session.seats(state.circle_id, state.session_id))


def _save_start(before: SessionState, state: SessionState, by: Author, noted: str) -> None:
    """Write which deal is under way, and who deals it; the one before was played or cancelled."""
    old, new, dealer = before.started, state.started, state.evening.turn.dealer
    if old == new:
        if new is not None and dealer != before.evening.turn.dealer:
            row = queries.find(models.StartedDeal, state.circle_id, state.session_id)
            existing(row).dealer = dealer
        return
    if old is not None:
        if noted and new is None:  # cancelled: a recorded deal is noted in the chain
            journal.remove(Kind(noted), _started_row(before, old), by)
        queries.drop(models.StartedDeal, state.circle_id, state.session_id)
    if new is not None:
        refuse_full(CircleLimit.DEALS, state.circle_id)
        if queries.deals.has_key(state.circle_id, new.deal_id):
            raise NotFoundError  # it is a deal of another session
        journal.create(Kind(noted), _started_row(state, new), by)


def _save_timer(before: SessionState, state: SessionState, by: Author, noted: str) -> None:
    """Write the timer, or that there is none any more."""
    timer, key = state.evening.timer, (state.circle_id, state.session_id)
    if timer == before.evening.timer:
        return
    row = queries.find(models.TimerRow, *key)
    if timer is None:
        journal.remove(Kind(noted), existing(row), by)
        queries.drop(models.TimerRow, *key)
    elif row is None:
        new = models.TimerRow(**state.key_columns, **timer._asdict())
        journal.create(Kind(noted), new, by)
    else:
        journal.change(Kind(noted), row, by, **timer._asdict())


def _started_row(state: SessionState, started: Started) -> models.StartedDeal:
    dealer = state.evening.turn.dealer
    return models.StartedDeal(**state.key_columns, dealer=dealer, **started._asdict())


def _row(
    state: SessionState, fact: Version | Review | TermsChange
) -> models.DealVersion | models.ReviewRow | models.SessionChange:
    """Return the row of a fact, without its hash."""
    columns = fact._asdict() | state.key_columns
    del columns["phone"]
    if isinstance(fact, Version):
        columns["payouts"] = {NUMBERS[seat]: amount for seat, amount in fact.payouts.items()}
        return models.DealVersion(**columns)
    if isinstance(fact, Review):
        return models.ReviewRow(**columns)
    rule_set, version = columns.pop("rule_set") or (None, None)
    order = columns.pop("order")
    columns |= {
        "rule_set_id": rule_set,
        "rule_set_version": version,
        "rules": None if fact.rules is None else written_rules(fact.rules),
        "seats": list(order) or None,
        "sits_out": None if fact.sits_out is None else list(fact.sits_out),
    }
    return models.SessionChange(**columns)


def _new_deal(state: SessionState, deal: Deal) -> models.DealRow:
    columns = {**state.key_columns, **standing(deal)}
    return models.DealRow(**columns, number=deal.number, recorded_at=deal.versions[0].at)


def standing(deal: Deal) -> dict[str, Any]:
    """Return what searches need of a deal as it stands."""
    return {
        "deal_id": deal.deal_id,
        "version": deal.version,
        "outcome": deal.outcome,
        "dealer": deal.turn.dealer,
        "voided": deal.voided,
        "amended": deal.amended,
        "disputed": deal.disputed,
        "bid": deal.entry.bid,
        "made": deal.entry.made,
    }


def _payouts(state: SessionState, deal: Deal) -> list[models.Payout]:
    roles = deal.entry.roles if deal.paid else {}
    columns = {**state.key_columns, "number": deal.number}
    return [
        models.Payout(**columns, seat=seat, amount=amount, role=roles.get(seat, ""))
        for seat, amount in deal.paid.items()
    ]
