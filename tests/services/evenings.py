"""An evening as phones would write it, for the tests of the services and of the pages."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

from flask import Flask, current_app
from hypothesis import HealthCheck, settings
from sqlalchemy import Table, event, select

from scorer.evening.acts import Amend, DealAct, Record, Restore, Void, WrittenSheet
from scorer.evening.deal import Deal
from scorer.evening.session_acts import Change, Start
from scorer.operations import replay
from scorer.roles import Holder, Role
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat
from scorer.services.base import clock
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.deals.deals import Done
from scorer.services.files.session_files import session_file
from scorer.services.journal.verify import circle_findings
from scorer.services.session import sessions
from scorer.services.session.sessions import NewSession
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.storage import db, in_transaction, queries
from scorer.storage.models import Base
from scorer.storage.transfer import insert_rows
from tests.data import strategies

Given = ParamSpec("Given")
Played = TypeVar("Played")
FIVE = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
SIX = (*FIVE, "Fulvia")


def sheet(caller: str = "Ada", partner: str | None = "Bea", points: int = 70, **rest: Any) -> Any:
    """Write a lawful sheet for tables where points are bid, or ranks."""
    return {"caller": caller, "bid": 61, "partner": partner, "card_points": points, **rest}


def new_session(**other: Any) -> NewSession:
    """Agree on an evening of five by the classic rules, or on another one."""
    agreed: dict[str, Any] = {
        "key": uuid4(),
        "game": "briscola-chiamata",
        "rules": "classic",
        "players": FIVE,
        "first_dealer": 4,
        "title": "Friday",
    } | other
    return NewSession(**agreed | {"opening": dict(enumerate(agreed.get("opening", ())))})


def examples(count: int) -> settings:
    """Try so many evenings in one database, each in a circle of its own."""
    shared = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(strategies.examples(count), suppress_health_check=shared)


@dataclass(frozen=True, slots=True)
class Evening:
    """A session, and the phone that writes it down."""

    session_id: UUID
    by: Holder

    @property
    def circle_id(self) -> UUID:
        """The circle that plays."""
        return self.by.circle_id

    @property
    def keys(self) -> tuple[UUID, UUID]:
        """The keys of the session."""
        return self.by.circle_id, self.session_id

    @property
    def state(self) -> SessionState:
        return load_state(*self.keys)

    @property
    def players(self) -> dict[str, UUID]:
        """The keys of the circle's players."""
        return players_of(self.circle_id)

    def again(self, **other: Any) -> "Evening":
        """Start another evening in the circle."""
        new = new_session(circle_id=self.circle_id, **other)
        return Evening(sessions.start_session(new, self.by).session_id, self.by)

    def let_in(self, role: Role = Role.PLAYER, name: str | None = None) -> Holder:
        """Let another phone in, held by a player."""
        by = circles.join(circles.make_link(self.circle_id, "A phone", role), {})
        return hold(by, name) if name else by

    def entry(self, written: Any = None, outcome: Outcome = Outcome.PLAYED) -> Record:
        """Give what would be the next deal."""
        answers = None if written is None else WrittenSheet(written)
        return Record(key=uuid4(), number=self.next_number(), sheet=answers, outcome=outcome)

    def record(self, written: Any = None, outcome: Outcome = Outcome.PLAYED) -> Done:
        """Record the next deal."""
        played = written is None and outcome is Outcome.PLAYED
        entry = self.entry(sheet() if played else written, outcome)
        return deals.record_deal(self.session_id, entry, self.by)

    def start_deal(
        self, written: Any = None, by: Holder | None = None, *, instead_of: UUID | None = None
    ) -> UUID:
        """Start the next deal, called by Ada; return its key."""
        key, begun = uuid4(), written or {"caller": "Ada", "bid": 61}
        by, number = by or self.by, self.next_number()
        start = Start(key=key, number=number, sheet=begun, instead_of=instead_of)
        do(*self.keys, start, by=by)
        return key

    def do(self, number: int, act: type[DealAct], *, by: Holder | None = None, **said: Any) -> Done:
        """Do something to a deal as it stands, or as it stood at a version, with its reviews."""
        deal = self.deal(number)
        seen = {"version": deal.version, "seen": len(deal.reviews)}
        fields = act.__dataclass_fields__.keys()
        return deals.do(
            *self.keys,
            number,
            act(**{name: seen[name] for name in seen.keys() & fields} | said),
            by=by or self.by,
        )

    def amend(self, number: int, written: Any, **said: Any) -> Done:
        return self.do(number, Amend, sheet=WrittenSheet(written), **said)

    def void(self, number: int, **said: Any) -> Done:
        return self.do(number, Void, **said)

    def restore(self, number: int, **said: Any) -> Done:
        return self.do(number, Restore, **said)

    def change(
        self,
        since: int = 0,
        until: int | None = None,
        *,
        order: Sequence[int] = (),
        rules: Any = None,
        **seats: Any,
    ) -> int:
        """Change the seats or the rules from a deal on; without a number, from the next one."""
        following = self.next_number()
        change = Change(
            from_number=since or following,
            next_number=following,
            rules=rules,
            seats=tuple(map(Seat, order)) or None,
            until_number=until,
            reason="We sat wrong",
            **seats,
        )
        return do(*self.keys, change, by=self.by)

    def next_number(self) -> int:
        """Give the number of the next deal."""
        return self.state.row.next_number

    def deal(self, number: int) -> Deal:
        """Give a deal that is there."""
        return self.state.evening.deal(number)

    def balances(self) -> list[int]:
        """Give the balances in seat order."""
        return list(queries.session.balances(*self.keys).values())


def players_of(circle_id: UUID) -> dict[str, UUID]:
    """Give the keys of the players of a circle, by name."""
    return {player.name: player.player_id for player in queries.circle.players(circle_id)}


def hold(by: Holder, name: str) -> Holder:
    """Let a player hold a phone."""
    circles.hold(by.circle_id, by.phone_id, players_of(by.circle_id)[name], by=by)
    return circles.holder(by.circle_id, by.phone_id)


@contextmanager
def selects() -> Iterator[list[str]]:
    """Note what the database is asked while the block runs."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith("SELECT"):
            asked.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


def played_once(play: Callable[Given, Played]) -> Callable[Given, Played]:
    """Decorate what plays evenings, to write their rows again where the same was played before.

    Only what a test begins with is copied, so that later evenings are later and have other keys.
    """
    kept: dict[str, tuple[Played, list[tuple[Table, list[dict[str, Any]]]]]] = {}

    @wraps(play)
    def played(*args: Given.args, **kwargs: Given.kwargs) -> Played:
        if clock._pretended.get() or queries.circle.circle_ids():
            return play(*args, **kwargs)
        name = repr((args, kwargs))
        if name in kept:
            given, written = kept[name]
            in_transaction(lambda: [*map(insert_rows, *zip(*written, strict=True))])
            return deepcopy(given)
        given = play(*args, **kwargs)
        of_circles = [table for table in Base.metadata.sorted_tables if "circle_id" in table.c]
        every = ((table, db.session.execute(select(table))) for table in of_circles)
        read = [(table, [dict(row) for row in found.mappings()]) for table, found in every]
        db.session.rollback()
        kept[name] = deepcopy(given), [(table, rows) for table, rows in read if rows]
        return given

    return played


@played_once
def start(rules: Any = "classic", players: Sequence[str] = FIVE, **other: Any) -> Evening:
    """Start an evening in a circle of its own; the phone is nobody's in particular."""
    started = sessions.start_session(new_session(rules=rules, players=players, **other))
    assert started.phone_id is not None
    return Evening(started.session_id, circles.holder(started.circle_id, started.phone_id))


def at_once(work: Callable[[int], Played], count: int = 8) -> list[Played]:
    """Do something in so many threads at one moment, each as a request of its own."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # Flask's proxy

    def in_a_request(number: int) -> Played:
        with app.app_context():
            return work(number)

    db.session.rollback()
    with ThreadPoolExecutor(count) as threads:
        done = [*threads.map(in_a_request, range(count))]
    db.session.rollback()
    return done


def findings(evening: Evening) -> list[str]:
    """List what is wrong: the chain, what a deal pays, or the balances that the file comes to."""
    found = list(circle_findings(evening.circle_id))
    answer = replay(session_file(evening.state))
    found += [problem["message"] for problem in answer["problems"]]
    replayed = {line["player"]: line["balance"] for line in answer["standings"]}
    if [replayed[name] for name in evening.state.names] != evening.balances():
        found.append(f"{replayed} is not {evening.balances()}")
    return found
