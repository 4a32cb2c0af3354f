"""A session file (contract.md) on its way in: looked at by the replay operation, then kept."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID, uuid5

from scorer.cards import engine
from scorer.documents import decode
from scorer.errors import InvalidError, Problem
from scorer.evening.terms import Terms, turn_of
from scorer.operations import replay
from scorer.rules.game import Outcome, Table, Turn
from scorer.rules.seats import Seat
from scorer.services.base import clock, journal
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder
from scorer.services.base.text import one_line, reason_problems
from scorer.services.book.state import SessionState, lock_state, state_of
from scorer.services.book.writing import insert_deal, score_entry
from scorer.services.cards.tricks import put_down_play
from scorer.services.files.session_file import ending_deal, session_file
from scorer.services.table.changes import ChangeRequest, NewRules, NewSeats, write_changes
from scorer.services.table.sessions import Agreed, NewSession, begin, read_agreed
from scorer.storage import in_transaction, queries
from scorer.storage.models import CardSession
from scorer.texts import Text, say

LONGEST_FILE = 400_000
#: So many deals are played again in a few seconds.
MOST_DEALS = 5_000
NEEDED = {"game", "seats", "deals"}
IN_DEAL = re.compile(r"deals\[(\d+)\]")
#: A file knows the day of a session, not its hour.
NOON = time(12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Looked:
    """A session file that can be kept: what was agreed on, its deals, and what they come to.

    ``following`` is what changed after the last deal, ``odd`` what the replay warns of.
    """

    document: str
    agreed: Agreed
    seats: tuple[str, ...]
    deals: list[dict[str, Any]]
    following: dict[str, Any]
    answer: dict[str, Any]
    odd: list[Problem]

    @property
    def played(self) -> int:
        """How many of the deals were played to their end, as a list of sessions counts them."""
        return sum(deal.get("outcome", Outcome.PLAYED) == Outcome.PLAYED for deal in self.deals)

    @property
    def others(self) -> int:
        """How many of the deals were not."""
        return len(self.deals) - self.played

    @property
    def plays(self) -> int:
        """How many of the deals have their cards written down."""
        return sum(bool(deal.get("play")) for deal in self.deals)


def look_at(text: bytes | str, key: UUID, circle_id: UUID) -> Looked:
    """Read a session file and play it again; raise InvalidError with every problem."""
    if len(text) > LONGEST_FILE:
        raise InvalidError([Problem("too-long", "", say("This file is too long."))])
    document = _decoded(text)
    if isinstance(document["deals"], list) and len(document["deals"]) > MOST_DEALS:
        message = say("A session file has at most %(most)s deals.", most=MOST_DEALS)
        raise InvalidError([Problem("too-many-deals", "deals", message)])
    messages: list[Text] = []

    def noted(message: Text) -> str:
        messages.append(message)
        return str(message)

    answer = replay(document, noted)
    told_of = zip([*answer["problems"], *answer["warnings"]], messages, strict=True)
    found = [Problem(one["code"], one["field"], message) for one, message in told_of]
    if not answer["ok"]:
        raise InvalidError(found[: len(answer["problems"])])
    agreed = _agreed(document, answer, key, circle_id)
    _check_notes(document["deals"])
    return Looked(
        document=json.dumps(document),
        agreed=agreed,
        seats=tuple(document["seats"]),
        deals=document["deals"],
        following=document.get("next") or {},
        answer=answer,
        odd=found,
    )


def _decoded(text: bytes | str) -> dict[str, Any]:
    """Read a file that is one of a session, whatever may be wrong inside."""
    try:
        document = decode(text)
    except ValueError:
        document = None
    if not isinstance(document, dict) or not document.keys() >= NEEDED:
        message = say(
            "This is not the file of a session. Choose one that came from “Download” beside a "
            "session: its name ends in .json."
        )
        raise InvalidError([Problem("no-session-file", "", message)])
    return document


def _agreed(document: dict[str, Any], answer: dict[str, Any], key: UUID, circle_id: UUID) -> Agreed:
    seats = tuple(document["seats"])
    opening = document.get("opening") or {}
    return read_agreed(
        NewSession(
            key=key,
            circle_id=circle_id,
            game=document["game"],
            rules=document.get("rules"),
            players=seats,
            first_dealer=seats.index(answer["deals"][0]["dealer"]) if answer["deals"] else 0,
            title=one_line(document.get("title") or ""),
            opening=[opening.get(name, 0) for name in seats],
            started_at=_read_date(document.get("date")),
        )
    )


def _check_notes(deals: list[dict[str, Any]]) -> None:
    """Refuse a note on a deal's cards that is too long to be kept."""
    notes = [(deal.get("play") or {}).get("note") or "" for deal in deals]
    problems = [
        Problem(one.code, f"deals[{index}].play.note", one.message)
        for index, note in enumerate(notes)
        for one in reason_problems(note)
    ]
    if problems:
        raise InvalidError(problems)


def _read_date(text: str | None) -> datetime:
    if not text:
        return clock.now()
    try:
        return datetime.combine(date.fromisoformat(text), NOON)
    except ValueError:
        message = say("A date like 2026-11-20 is needed.")
        raise InvalidError([Problem("bad-date", "date", message)]) from None


def kept_before(looked: Looked, circle_id: UUID) -> list[CardSession]:
    """List the sessions of a circle that are this one, or how it stood at another time.

    They are of the same game and day, and pay the same deal by deal as far as both go.
    """
    game = looked.agreed.game.slug
    day = (looked.agreed.new.started_at or clock.now()).date()
    same_day = [
        one.session_id
        for one in queries.deals.session_versions(circle_id)
        if (one.game, one.started_at.date()) == (game, day)
    ]
    return [
        row
        for row in queries.book.sessions_by_key(circle_id, same_day)
        if _pay_alike(looked.answer, replay(session_file(circle_id, row.session_id)))
    ]


def _pay_alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    paid = [
        (ours["payouts"], theirs["payouts"])
        for ours, theirs in zip(one["deals"], other["deals"], strict=False)
    ]
    return bool(paid) and all(ours == theirs for ours, theirs in paid)


def keep(looked: Looked, by: Holder) -> UUID:
    """Write the session with its deals, as one that has ended; the same key again is the same."""
    return in_transaction(lambda: write_down(looked, by), again_if_taken=True)


def write_down(looked: Looked, by: Holder) -> UUID:
    """Write the session as `keep` does, inside the caller's transaction."""
    started = begin(looked.agreed, by)
    with lock_state(started.circle_id, started.session_id) as state:
        if state.row.written == 0 and state.row.ended_at is None:
            _write_deals(looked, state, by)
            state.row.finished_number = ending_deal(looked.answer, len(looked.deals))
            journal.change(Kind.ENDED, state.row, by, ended_at=clock.now())
            state.row.version += 1
    return started.session_id


def _write_deals(looked: Looked, state: SessionState, by: Holder) -> None:
    last: tuple[Turn, Outcome, Terms, Any] | None = None
    for number, deal in enumerate(looked.deals):
        before, state = state, _as_changed(looked, state, deal, by)
        terms, outcome = state.upcoming, Outcome(deal.get("outcome", Outcome.PLAYED.value))
        turn = state.turn
        if last and state is before:
            turn = turn_of(state.game, last[:2], last[2], terms, last[3])
        if deal.get("dealer") is not None:
            turn = turn._replace(dealer=Seat(looked.seats.index(deal["dealer"])))
        table = _table(looked, state, turn.dealer, deal)
        scored = score_entry(state.game, table, outcome, deal.get("sheet"), times=turn.times)
        key = uuid5(state.session_id, str(number))
        insert_deal(state, key, turn.dealer, scored, by)
        has_cards = engine.has(state.game, len(table.active))
        if deal.get("play") and scored.answers is not None and has_cards:
            begun = engine.new_deal(state.game, table, turn.dealer)
            put_down_play(state, key, deal["play"], begun, scored.answers, by=by)
        last = turn, outcome, terms, scored.answers
    _as_changed(looked, state, looked.following, by)


def _as_changed(
    looked: Looked, state: SessionState, deal: dict[str, Any], by: Holder
) -> SessionState:
    """Write down what changed with a deal, which is the next one; see then who is still in."""
    rules, seats = deal.get("rules"), deal.get("seats")
    if rules is None and seats is None:
        return state_of(state.row) if state.game.eliminates else state
    number = state.row.next_number
    order = None if seats is None else NewSeats([looked.seats.index(name) for name in seats])
    new_rules = None if rules is None else NewRules(rules)
    write_changes(state, ChangeRequest(number, number, new_rules, order), by)
    return state_of(state.row)


def _table(looked: Looked, state: SessionState, dealer: Seat, deal: dict[str, Any]) -> Table[Any]:
    """Who plays a deal of the file: those who are not named as sitting out, or by the rules."""
    order, out = state.order, [looked.seats.index(name) for name in deal.get("sits_out") or ()]
    active = replace(state, turn=Turn(dealer)).table().active
    if out:
        active = tuple(seat for seat in order if seat not in out)
    return Table(state.rules, looked.seats, active, order, state.balances)


def deal_of(problem: Problem) -> int | None:
    """Give the number of the deal that a problem is in, if it is in one."""
    found = IN_DEAL.match(problem.field)
    return int(found[1]) + 1 if found else None
