"""The same people by the same rules: the next match of an evening, or another session later."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from scorer.errors import ConflictError
from scorer.rules.sheet import write as written
from scorer.services import journal
from scorer.services.clock import now
from scorer.services.evening_money import settle
from scorer.services.journal import Kind
from scorer.services.roles import Holder
from scorer.services.rule_sets import find_rules
from scorer.services.sessions import LONGEST_TITLE, SESSION, NewSession, begin, read_agreed
from scorer.services.state import SessionState, load_state, lock_state, turn_at
from scorer.storage import in_transaction, queries

MATCH = UUID("0d2a5c7e-93b1-4f5a-8a44-7be6f1c09d36")
#: Matches that begin within so many hours of each other are played on one evening.
AN_EVENING = timedelta(hours=12)
#: Which match of the evening it is, at the end of a title.
NUMBERED = re.compile(r"(?:(.*) )?· (\d{1,3})")


class NextMatch(NamedTuple):
    """The match after one that is over: who deals first, and where it is once it has begun."""

    dealer: str
    session_id: UUID
    begun: bool


def next_match(state: SessionState) -> NextMatch:
    """Say what the next match would be, or which one it is."""
    session_id = uuid5(SESSION, _key(state).hex)
    begun = queries.session(state.circle_id, session_id) is not None
    return NextMatch(state.names[turn_at(state, state.row.next_number).dealer], session_id, begun)


def start_next_match(circle_id: UUID, session_id: UUID, *, by: Holder | None = None) -> UUID:
    """End a session that is decided, and start the next one; give its key.

    There is one next match, however often and by how many phones it is asked for. It is called
    after the one before, unless that was on another day. Raise ConflictError when the session is
    not decided, or not any more.
    """

    def work() -> UUID:
        with lock_state(circle_id, session_id) as state:
            if state.row.finished_number is None:
                raise ConflictError(session_id)
            if state.row.ended_at is None:
                journal.change(Kind.ENDED, state.row, by, ended_at=now())
                settle(state.row, by, anew=True)
                state.row.version += 1
            return begin(read_agreed(_agreed_on(state)), by).session_id

    return in_transaction(work)


def _key(state: SessionState) -> UUID:
    return uuid5(MATCH, state.session_id.hex)


def _agreed_on(state: SessionState) -> NewSession:
    same_day = now() - state.row.started_at < AN_EVENING
    return NewSession(
        key=_key(state),
        game=state.game.slug,
        rules=written(state.rules),
        players=[state.names[seat] for seat in state.order],
        first_dealer=state.order.index(turn_at(state, state.row.next_number).dealer),
        title=_numbered(state.row.title) if same_day else "",
        circle_id=state.circle_id,
        stake_cents=state.row.stake_cents,
        rule_set=state.rule_set,
    )


def _numbered(title: str) -> str:
    """Number the matches of an evening: the second one is ``Friday · 2``."""
    numbered = NUMBERED.fullmatch(title)
    name, number = (numbered[1] or "", int(numbered[2])) if numbered else (title, 1)
    ending = f" · {number + 1}"
    return (name[: LONGEST_TITLE - len(ending)] + ending).strip()


@dataclass(frozen=True, slots=True)
class SameAgain:
    """What another session like an earlier one begins with.

    Who has retired meanwhile is left out; whose deal it was then, deals first now. Of the circle's
    own rules the newest version is meant: ``rule_set``, which is ``newer`` where they have changed.
    ``end`` says how it ends, as the options of the rules call it.
    """

    title: str
    started_at: datetime
    game: str
    players: list[str]
    first_dealer: int
    preset: str
    rule_set: tuple[UUID, int] | None
    newer: bool
    end: str | None
    target: int | None
    deals: int | None
    stake_cents: int | None


def same_again(circle_id: UUID, session_id: UUID) -> SameAgain:
    """Say what another session like this one begins with."""
    state = load_state(circle_id, session_id)
    staying, dealer = _staying(state)
    end: dict[str, Any] = written(state.rules).get("session", {})
    newest = find_rules(circle_id, state.rule_set[0]).reference if state.rule_set else None
    return SameAgain(
        title=state.row.title,
        started_at=state.row.started_at,
        game=state.game.slug,
        players=staying,
        first_dealer=dealer,
        preset=state.rules.slug,
        rule_set=newest,
        newer=newest != state.rule_set,
        end=end.get("end"),
        target=end.get("target"),
        deals=end.get("deals"),
        stake_cents=state.row.stake_cents,
    )


def _staying(state: SessionState) -> tuple[list[str], int]:
    """Name those at the table who have not retired, and say which of them deals next."""
    players = queries.players(state.circle_id)
    retired = {one.player_id for one in players if one.retired_at is not None}
    place = state.order.index(state.turn.dealer)
    around = state.order[place:] + state.order[:place]
    staying = [seat for seat in around if state.seats[seat].player_id not in retired]
    order = [seat for seat in state.order if seat in staying]
    return [state.names[seat] for seat in order], order.index(staying[0]) if staying else 0
