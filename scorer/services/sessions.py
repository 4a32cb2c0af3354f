"""Card sessions: started, opened at the point where they stand, ended and taken up again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple
from uuid import UUID
from uuid import uuid4
from uuid import uuid5

from sqlalchemy.exc import IntegrityError

from scorer.errors import InvalidError
from scorer.errors import NotFoundError
from scorer.games import find_game
from scorer.rules.game import Game
from scorer.rules.game import Outcome
from scorer.rules.game import Table
from scorer.rules.game import Turn
from scorer.rules.match import Progress
from scorer.rules.match import Tally
from scorer.rules.seats import Seat
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading
from scorer.rules.sheet import read
from scorer.rules.sheet import write as written
from scorer.services.circles import new_phone
from scorer.services.clock import now
from scorer.services.lines import one_line
from scorer.services.roles import Role
from scorer.storage import in_transaction
from scorer.storage import models
from scorer.storage import queries
from scorer.storage import write
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping


NUMBERS = tuple(str(number) for number in range(models.HIGHEST_SEAT + 1))
LONGEST_NAME = 40
LONGEST_TITLE = 80
MOST_CENTS = 1_000_000
SESSION = UUID("6f1c5d3e-4a2b-4d52-9a5e-0c6f3f4f9b11")
CIRCLE = UUID("a3b8e0f4-7f60-4a51-8f3c-52d1b6f5c2d7")


@dataclass(frozen=True, slots=True)
class NewSession:
    """What the people agree on before the first deal.

    ``key`` is made by the phone: the same request twice is one session. ``circle_id`` None begins
    a circle of its own. ``opening`` are the balances brought in, seat by seat.
    """

    key: UUID
    game: str
    rules: Any
    players: Sequence[str]
    first_dealer: int
    title: str
    circle_id: UUID | None = None
    circle_name: str = ""
    stake_cents: int | None = None
    opening: Sequence[int] = ()


class Agreed(NamedTuple):
    """What was agreed on, and found sound."""

    new: NewSession
    game: Game[Any, Any]
    rules: Any
    players: list[str]


@dataclass(frozen=True, slots=True)
class Started:
    """Where a new session is; ``phone_id`` when a circle began with it."""

    circle_id: UUID
    session_id: UUID
    phone_id: UUID | None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A session as it stands: its row, its game and rules, who sits where, and whose turn it is.

    The names are in order of play.
    """

    row: models.CardSession
    game: Game[Any, Any]
    rules: Any
    seats: tuple[queries.SeatRow, ...]
    names: tuple[str, ...]
    turn: Turn

    @property
    def circle_id(self) -> UUID:
        """The circle that the session belongs to."""
        return self.row.circle_id

    @property
    def session_id(self) -> UUID:
        """The session's own key."""
        return self.row.session_id

    @property
    def opening(self) -> dict[Seat, int]:
        """The balances brought in."""
        return {Seat(seat.seat): seat.opening for seat in self.seats}

    def table(self, dealer: int | None = None, sits_out: Sequence[int] = ()) -> Table[Any]:
        """The people for one deal: of the dealer whose turn it is, or of another."""
        dealing = self.turn.dealer if dealer is None else Seat(dealer)
        active = self.game.active(dealing, all_seats(len(self.seats)), self.rules)
        if sits_out:
            active = tuple(s for s in all_seats(len(self.seats)) if s not in sits_out)
        return Table(self.rules, self.names, active)

    def sheet(self, stored: Mapping[str, Any] | None, outcome: str) -> Any:
        """Read a stored sheet back: seats are named by their number there."""
        if stored is None or outcome != Outcome.PLAYED:
            return None
        reading = Reading(NUMBERS, self.game.deck(self.rules))
        return read(self.game.sheet_type, stored, reading, "sheet")


def open_table(circle_id: UUID, session_id: UUID, *, lock: bool = False) -> OpenTable:
    """Open a session of the circle; ``lock`` keeps other writers out until the commit."""
    find = queries.session_for_update if lock else queries.session
    row = find(circle_id, session_id)
    if row is None:
        raise NotFoundError(session_id)
    game, rules = find_game(row.game), _stored_rules(row.game, json.dumps(row.rules))
    seats = tuple(queries.seats(circle_id, session_id))
    names = tuple(seat.name for seat in seats)
    return OpenTable(row, game, rules, seats, names, _turn(row, game, rules, len(seats)))


@lru_cache(maxsize=256)
def _stored_rules(slug: str, document: str) -> Any:
    """Read the snapshot of a session's rules; many sessions have the same one."""
    rules, _ = find_game(slug).rules_from(json.loads(document))
    return rules


def _turn(row: models.CardSession, game: Game[Any, Any], rules: Any, count: int) -> Turn:
    """Whose deal is next: the last deal played tells, and what was dealt in vain since."""
    turn = Turn(Seat(row.first_dealer))
    for past in queries.deals_since_last_played(row.circle_id, row.session_id):
        dealt = turn._replace(dealer=Seat(past.dealer))
        turn = game.turn_after(dealt, Outcome(past.outcome), all_seats(count), rules)
    return turn


def progress(table: OpenTable) -> Progress:
    """Say whether the session has reached its end, and who won.

    It is the balances after the deal that reached it that count: what is played on later doesn't.
    """
    row = table.row
    if row.finished_number is None:
        return Progress(finished=False)
    balances = queries.balances(row.circle_id, row.session_id, until=row.finished_number)
    totals = {Seat(seat): balance for seat, balance in balances.items()}
    played = queries.played_count(row.circle_id, row.session_id, until=row.finished_number)
    return table.game.progress(Tally(totals, played), table.rules)


def start_session(new: NewSession) -> Started:
    """Start a session, and its circle where it has none; raise InvalidError."""
    agreed = agree(new)

    def work() -> Started:
        return begin(agreed)

    try:
        return in_transaction(work)
    except IntegrityError:
        # The same request came twice at one moment, or two phones brought the same new player:
        # by now the other one is written, and will be found.
        return in_transaction(work)


def agree(new: NewSession) -> Agreed:
    """Read what is agreed on; raise InvalidError with every problem."""
    reading = Reading()
    players = _read_players(new.players, reading)
    game, rules = _read_rules(new, len(new.players), reading)
    _check_rest(new, len(new.players), reading)
    if reading.problems:
        raise InvalidError(reading.problems)
    return Agreed(new, game, rules, players)


def _read_players(names: Sequence[str], reading: Reading) -> list[str]:
    players: list[str] = []
    for name in map(one_line, names):
        if not 0 < len(name) <= LONGEST_NAME:
            reading.fault("bad-name", "players", say("A name has from 1 to 40 letters."))
        elif name.casefold() in (other.casefold() for other in players):
            message = say("There is more than one %(name)s: names are unique.", name=name)
            reading.fault("duplicate-name", "players", message)
        else:
            players.append(name)
    return players


def _read_rules(new: NewSession, count: int, reading: Reading) -> tuple[Game[Any, Any], Any]:
    game = find_game(new.game)
    rules, problems = game.rules_from(new.rules)
    reading.problems += problems
    counts = game.seat_counts(rules)
    if not problems and count not in counts:
        message = say(
            "These rules are for %(wanted)s players; there are %(count)s.",
            wanted=" / ".join(map(str, counts)), count=count,
        )  # fmt: skip
        reading.fault("seats-count", "players", message)
    return game, rules


def _check_rest(new: NewSession, count: int, reading: Reading) -> None:
    if not 0 <= new.first_dealer < max(count, 1):
        reading.fault("out-of-range", "first_dealer", say("Who deals first?"))
    if len(one_line(new.title)) > LONGEST_TITLE:
        reading.fault("bad-name", "title", say("A title has at most 80 letters."))
    if new.stake_cents is not None and not 0 < new.stake_cents <= MOST_CENTS:
        reading.fault("out-of-range", "stake", say("An amount from 0.01 to 10,000."))


def begin(agreed: Agreed) -> Started:
    """Write a session that was agreed on, inside the caller's transaction, unless it is there."""
    new, players = agreed.new, agreed.players
    circle_id = new.circle_id or uuid5(CIRCLE, new.key.hex)
    session_id = uuid5(SESSION, new.key.hex)
    begins = new.circle_id is None and queries.circle(circle_id) is None
    if begins:
        name = new.circle_name or ", ".join(players)
        write(models.Circle(circle_id=circle_id, name=name, created_at=now()))
    phone_id = new_phone(circle_id, Role.OWNER) if new.circle_id is None else None
    started = Started(circle_id, session_id, phone_id)
    if queries.session(circle_id, session_id) is None:
        _write_session(started, agreed)
    return started


def _write_session(where: Started, agreed: Agreed) -> None:
    new, game, rules, players = agreed
    circle_id, session_id = where.circle_id, where.session_id
    ids = [_player(circle_id, name) for name in players]
    opening = dict(enumerate(new.opening))
    write(
        models.CardSession(
            circle_id=circle_id, session_id=session_id, game=game.slug,
            title=one_line(new.title), rules=written(rules), first_dealer=new.first_dealer,
            stake_cents=new.stake_cents, started_at=now(),
        ),
        *(
            models.Seat(circle_id=circle_id, session_id=session_id, seat=seat, player_id=player_id,
                        opening=opening.get(seat, 0))
            for seat, player_id in enumerate(ids)
        ),
    )  # fmt: skip


def _player(circle_id: UUID, name: str) -> UUID:
    """Find the circle's player of this name, or write a new one down."""
    for player in queries.players(circle_id):
        if player.name.casefold() == name.casefold():
            player.retired_at = None
            return player.player_id
    player_id = uuid4()
    write(models.Player(circle_id=circle_id, player_id=player_id, name=name, created_at=now()))
    return player_id


def end_session(circle_id: UUID, session_id: UUID) -> None:
    """End a session: it moves to the past ones, and nothing in it changes."""
    _set_ended(circle_id, session_id, ended=True)


def reopen_session(circle_id: UUID, session_id: UUID) -> None:
    """Take an ended session up again."""
    _set_ended(circle_id, session_id, ended=False)


def _set_ended(circle_id: UUID, session_id: UUID, *, ended: bool) -> None:
    def work() -> None:
        row = queries.session_for_update(circle_id, session_id)
        if row is None:
            raise NotFoundError(session_id)
        row.ended_at = (row.ended_at or now()) if ended else None
        row.version += 1

    in_transaction(work)
