"""Stored sessions as evenings in memory: read once, then brought up to date by what was written."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from scorer.errors import Problem, RefusedError, ScorerError, existing
from scorer.evening import Evening
from scorer.evening.deal import Deal, Fact, Started, Timer
from scorer.evening.judging import read_start
from scorer.evening.terms import Terms, TermsChange
from scorer.games import stored_game
from scorer.ledger import Standing, standings
from scorer.rules.game import Game, Table
from scorer.rules.seats import Seat, Sides, lasting
from scorer.services.base.caching import LRUCache
from scorer.services.base.clock import now
from scorer.services.circle.players import marks_of
from scorer.storage import chain, changes, in_transaction, models, queries
from scorer.storage.queries.base import Mark
from scorer.texts import say

Answer = TypeVar("Answer")

#: So many deals does a process keep, of some 3 kB each.
MOST_DEALS = 5_000


@dataclass(frozen=True, kw_only=True)
class SessionState:
    """A session as it is now: its evening, its row, and its seats.

    ``evening`` is before the next deal. It and the rows are shared: they are not to be changed.
    ``journal`` is the hash of the circle's journal as it was when seats and phones were read.
    ``place`` says which table of a tournament it is, if it is one.
    """

    evening: Evening
    row: models.CardSession
    seats: tuple[queries.session.SeatRow, ...]
    phones: Mapping[UUID, str]
    journal: str = ""
    place: queries.session.TableOfTurn | None = None

    @property
    def circle_id(self) -> UUID:
        return self.row.circle_id

    @property
    def session_id(self) -> UUID:
        return self.row.session_id

    @property
    def key_columns(self) -> dict[str, Any]:
        """The columns that every row of the session begins with."""
        return {"circle_id": self.circle_id, "session_id": self.session_id}

    @property
    def game(self) -> Game[Any, Any]:
        return self.evening.game

    @property
    def names(self) -> tuple[str, ...]:
        return self.evening.names

    @property
    def deals(self) -> Sequence[Deal]:
        return self.evening.deals

    @property
    def changes(self) -> Sequence[TermsChange]:
        return self.evening.changes

    @property
    def started(self) -> Started | None:
        """The deal under way; only a game that is installed knows what was said of it."""
        return None if self.game.missing else self.evening.started

    @property
    def opening(self) -> dict[Seat, int]:
        return {Seat(seat.seat): seat.opening for seat in self.seats}

    @cached_property
    def marks(self) -> tuple[int, ...]:
        return marks_of([(seat.joined, seat.place) for seat in self.seats])

    def terms(self, number: int) -> Terms:
        """Return the rules and order of a deal."""
        return self.evening.terms_of(number)

    def start_of(self, stored: Mapping[str, Any], rules: Any) -> Any:
        """Read the start of a deal under way; raise InvalidError if the rules don't allow it."""
        return read_start(self.game, stored, rules)

    @property
    def borders(self) -> list[int]:
        """The deals from which on other rules or seats may hold than before."""
        return sorted({1, *(number for change in self.changes for number in change.borders)})

    @cached_property
    def sides(self) -> Sides:
        """Return the sides of the standings: seats that win and lose together in every deal."""
        sides = []
        for terms in map(self.terms, self.borders):
            playing = [seat for seat in terms.order if seat not in (terms.sits_out or ())]
            sides.append(self.game.sides(playing, terms.rules))
        return lasting(sides, self.opening)

    @cached_property
    def ranked(self) -> list[Standing]:
        """Return the places of the sides, each by its first seat, the leader first."""
        firsts = {side[0]: self.evening.totals[side[0]] for side in self.sides}
        return standings(firsts, lowest_first=self.lowest_leads, out=self.evening.behind)

    @cached_property
    def witness(self) -> str:
        """Return the hash of everything that decides the session.

        The chain has the deals; the journal has the title, the stake, the end, and the openings of
        guests.
        """
        last = queries.journal.deciding_chain(self.circle_id, self.session_id)
        return chain.link(self.row.chain, last) if last else self.row.chain

    @property
    def letters(self) -> str:
        """Return the few letters of the ``witness`` that people compare."""
        return chain.short(self.witness)

    def first_deal(self, seat: Seat) -> int:
        """The first deal at which a player sat; for one who has yet to join, the next deal."""
        arrived = (n for n in self.borders if seat in self.terms(n).order)
        return next(arrived, self.evening.number)

    @property
    def rules(self) -> Any:
        return self.evening.terms.rules

    @property
    def order(self) -> tuple[Seat, ...]:
        """Return all at the table of the next deal, in order of play."""
        return self.evening.terms.order

    @property
    def out(self) -> tuple[Seat, ...]:
        """Return those at the table who are out, in games that eliminate."""
        return self.evening.resting

    @property
    def lowest_leads(self) -> bool:
        """Whether the lowest balance leads by the rules of the next deal."""
        return self.game.leads_lowest(self.rules)

    @property
    def counted(self) -> bool:
        """Whether points are counted up, not won from each other: then none has a plus."""
        return self.lowest_leads or not self.game.adds_up(self.rules)

    @property
    def can_go_on(self) -> bool:
        """Whether enough are left for another deal of a game that is installed."""
        playing = self.game.seating(self.rules).playing
        return not self.game.missing and len(self.table().active) in playing

    def table(self) -> Table[Any]:
        return self.evening.next_table


#: Each of them is read once, and the page of an evening has all of its deals.
_known: LRUCache[SessionState] = LRUCache(MOST_DEALS, cost=lambda state: len(state.deals) + 10)


def load_state(circle_id: UUID, session_id: UUID) -> SessionState:
    """Return a session as it is now; raise NotFoundError."""
    return existing(load_states(circle_id, [session_id]).get(session_id))


def load_states(circle_id: UUID, session_ids: Collection[UUID]) -> dict[UUID, SessionState]:
    """Return several sessions as they are now; those that are gone are left out."""
    return states_at(circle_id, queries.live.marks_of([circle_id], session_ids)[circle_id])


def states_at(circle_id: UUID, marks: Iterable[Mark]) -> dict[UUID, SessionState]:
    """Return sessions as they are now; those are read of which something was written since.

    Whatever is in a session's head and people is in its chain or in the journal of its circle.
    """
    states, behind = {}, []
    for mark in marks:
        state = _known.look_up((circle_id, mark.session_id))
        stands = mark.version, mark.chain, mark.journal
        if state is not None and stands == (state.row.version, state.row.chain, state.journal):
            states[mark.session_id] = state
        else:
            behind.append(mark.session_id)
    heads = queries.session.heads(circle_id, behind) if behind else []
    for session_id, state in _at_heads(heads).items():
        _known.put((circle_id, session_id), state)
        states[session_id] = state
    return states


def read_anew(circle_id: UUID, session_id: UUID) -> SessionState:
    """Read all of a session, whatever is known of it; raise NotFoundError."""
    heads = queries.session.heads(circle_id, [session_id])
    return existing(_at_heads(heads, anew=True).get(session_id))


def _at_heads(
    heads: Sequence[queries.session.Head], *, anew: bool = False
) -> dict[UUID, SessionState]:
    """Return sessions of a circle as their heads say, with what was written since."""
    known = [(head, None if anew else _kept(head.row)) for head in heads]
    states = {
        head.row.session_id: replace(state, row=head.row, place=head.place)
        for head, state in zip(heads, _with_people(known), strict=True)
    }
    facts = _facts(states)
    for head in heads:
        key = head.row.session_id
        evening = states[key].evening
        if key in facts:
            evening = evening.take(*facts[key])
        evening = replace(
            evening,
            written=head.row.written,
            over=head.row.ended_at is not None,
            started=head.started,
            timer=head.timer,
        )
        states[key] = replace(states[key], evening=evening)
    return states


def _kept(row: models.CardSession) -> SessionState | None:
    """Return what is known of a session, unless its chain does not go on where that ends.

    After a backup was restored it may not.
    """
    state = _known.look_up((row.circle_id, row.session_id))
    if state is None:
        return None
    before = state.row
    if before.written >= row.written:
        follows = (before.written, before.chain) == (row.written, row.chain)
    else:
        place = queries.journal.chain_at(row.circle_id, row.session_id, before.written)
        follows = place in (None, before.chain)
    return state if follows else None


def _with_people(
    known: Sequence[tuple[queries.session.Head, SessionState | None]],
) -> Iterator[SessionState]:
    """Yield sessions with their people as they are now, of whom the circle's journal may tell.

    One that is not known, or in which somebody has a new name, is read from the beginning.
    """
    unread = {
        head.row.session_id: head.row.circle_id
        for head, state in known
        if state is None or state.journal != head.journal
    }
    circle_id = next(iter(unread.values()), None)
    seats = queries.session.seats_by_session(circle_id, unread) if circle_id else {}
    phones = queries.circle.phone_names(circle_id) if circle_id else {}
    for head, state in known:
        if state is None or head.row.session_id in unread:
            people = tuple(seats[head.row.session_id])
            if state and (state.seats, phones) == (people, {**phones, **state.phones}):
                yield replace(state, journal=head.journal, phones=phones)
            else:
                yield _begun(head, people, phones)
        else:
            yield state


def _begun(
    head: queries.session.Head, seats: Sequence[queries.session.SeatRow], phones: Mapping[UUID, str]
) -> SessionState:
    """Return a session before its first deal."""
    row = head.row
    game = stored_game(row.game)
    evening = Evening(
        game=game,
        names=tuple(seat.name for seat in seats),
        began=Terms(
            stored_rules(game, row.rules),
            tuple(Seat(seat.seat) for seat in seats if not seat.joined),
            rule_set=_rule_set(row),
        ),
        totals={Seat(seat.seat): seat.opening for seat in seats},
        first=Seat(row.first_dealer),
    )
    return SessionState(
        evening=evening,
        row=row,
        seats=tuple(seats),
        phones=phones,
        journal=head.journal,
    )


def _facts(states: Mapping[UUID, SessionState]) -> dict[UUID, list[Fact]]:
    """Read what was written in sessions of a circle after what is known of them."""
    behind = {key: s for key, s in states.items() if s.row.written > s.evening.written}
    if not behind:
        return {}
    circle_id = next(iter(behind.values())).circle_id
    after = min(state.evening.written for state in behind.values())
    versions = queries.session.versions_since(circle_id, behind, after)
    reviews = queries.session.reviews_since(circle_id, behind, after)
    changed = [key for key, state in behind.items() if state.row.changes > len(state.changes)]
    changes = queries.session.changes_since(circle_id, changed, after) if changed else {}
    facts = {}
    for key, state in behind.items():
        written: list[Fact] = [
            *versions.get(key, ()),
            *reviews.get(key, ()),
            *(read_change(state.game, change, state.phones) for change in changes.get(key, ())),
        ]
        newer = (f for f in written if state.evening.written < f.serial <= state.row.written)
        facts[key] = sorted(newer, key=lambda fact: fact.serial)
    return facts


@contextmanager
def lock_state(circle_id: UUID, session_id: UUID) -> Iterator[SessionState]:
    """Return a session as it is now, locked against other writers until the commit.

    That saves its row: increase ``row.version`` whenever you change it. Raise RefusedError if its
    game is not installed: then it can only be read.
    """
    head = existing(queries.session.head_for_update(circle_id, session_id))
    state = _at_heads([head])[session_id]
    if state.game.missing:
        raise not_installed(state)
    version = state.row.version
    yield state
    if state.row.version != version:
        changes.touch(circle_id)


def not_installed(state: SessionState) -> RefusedError:
    """Return the refusal to write in a session whose game is not installed."""
    return RefusedError(state.game.blurb, say("Not possible"))


def written(work: Callable[[], tuple[Answer, SessionState]]) -> Answer:
    """Run the work in one transaction, and keep the session as it is then."""
    answer, state = in_transaction(work)
    _known.put((state.circle_id, state.session_id), state)
    return answer


def read_change(
    game: Game[Any, Any], change: models.SessionChange, phones: Mapping[UUID, str]
) -> TermsChange:
    return TermsChange(
        serial=change.serial,
        from_number=change.from_number,
        until_number=change.until_number,
        rules=None if change.rules is None else stored_rules(game, change.rules),
        order=seats_of(change.seats or ()),
        sits_out=None if change.sits_out is None else seats_of(change.sits_out),
        dealer=None if change.dealer is None else Seat(change.dealer),
        rule_set=_rule_set(change),
        phone_id=change.phone_id,
        written_by=change.written_by,
        at=change.at,
        reason=change.reason,
        phone=phones.get(change.phone_id) if change.phone_id else None,
    )


def _rule_set(row: models.CardSession | models.SessionChange) -> tuple[UUID, int] | None:
    if row.rule_set_id is None or row.rule_set_version is None:
        return None
    return row.rule_set_id, row.rule_set_version


def seats_of(numbers: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in numbers)


def stored_rules(game: Game[Any, Any], rules: dict[str, Any]) -> Any:
    """Read stored rules; raise ScorerError if they are invalid."""
    read_rules, problems = _read_rules(game, json.dumps(rules))
    if problems:
        faults = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
        raise ScorerError(f"stored rules of {game.slug}: {faults}")
    return read_rules


def listed_rules(game: Game[Any, Any], rules: dict[str, Any]) -> Any:
    """Read stored rules; the game's first preset replaces invalid ones."""
    return _read_rules(game, json.dumps(rules))[0]


@lru_cache(maxsize=256)  # half a millisecond each, and figures read those of all sessions
def _read_rules(game: Game[Any, Any], document: str) -> tuple[Any, list[Problem]]:
    return game.rules_from(json.loads(document))


class ShownTimer(NamedTuple):
    """A timer at a moment, and the deal with which the turn ends once it is up.

    ``recorded`` says whether that deal was recorded since.
    """

    timer: Timer
    at: datetime
    last_deal: int
    recorded: bool

    @property
    def up(self) -> datetime:
        return self.timer.up

    @property
    def is_up(self) -> bool:
        return self.timer.is_up(self.at)

    @property
    def stands(self) -> bool:
        return self.timer.paused is not None

    @property
    def left(self) -> str:
        """The time that is left in minutes and seconds, as ``12:05``."""
        minutes, seconds = divmod(max(0, round(self.timer.left(self.at).total_seconds())), 60)
        return f"{minutes}:{seconds:02}"


def shown_timer(state: SessionState) -> ShownTimer | None:
    """Return the timer of a session that goes on, if it has one."""
    timer = state.evening.timer
    if timer is None or state.evening.over:
        return None
    since = (deal.number for deal in state.deals if deal.versions[0].at >= timer.up)
    last = next(since, None)
    return ShownTimer(timer, now(), last or state.evening.number, last is not None)


def offered_minutes(state: SessionState) -> int | None:
    """Return the minutes to start a timer with, by rules that end a turn by the clock."""
    return None if state.evening.over else state.game.turn_minutes(state.rules)
