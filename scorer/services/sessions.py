"""Card sessions: started, ended and taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid4, uuid5

from scorer.errors import InvalidError, NotFoundError, Problem, RefusedError
from scorer.games import find_game
from scorer.rules.sheet import Reading
from scorer.rules.sheet import write as written
from scorer.services.circles import holder, new_phone
from scorer.services.clock import now
from scorer.services.roles import Role
from scorer.services.typed_text import one_line
from scorer.storage import in_transaction, models, queries, write
from scorer.texts import say

if TYPE_CHECKING:
    from scorer.rules.game import Game

LONGEST_NAME = 40
LONGEST_TITLE = 80
MOST_CENTS = 1_000_000
MOST_POINTS = 1_000_000_000
SESSION = UUID("6f1c5d3e-4a2b-4d52-9a5e-0c6f3f4f9b11")
CIRCLE = UUID("a3b8e0f4-7f60-4a51-8f3c-52d1b6f5c2d7")


@dataclass(frozen=True, slots=True)
class NewSession:
    """What the people agree on before the first deal.

    ``key`` is made by the phone: the same request twice is one session. ``circle_id`` None begins
    a circle of its own, whose owner is the phone ``phone_id``. ``opening`` are the balances
    brought in, seat by seat. ``rule_set`` names the version of the circle's own rules that the
    rules are.
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
    rule_set: tuple[UUID, int] | None = None
    phone_id: UUID = field(default_factory=uuid4)


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


def start_session(new: NewSession) -> Started:
    """Start a session, and its circle where it has none; raise InvalidError.

    Raise RefusedError where the circle of that key was begun by another phone, or this one was
    sent away.
    """
    agreed = agree(new)

    # Another phone may send the same request, or bring the same new player, at the same time.
    return in_transaction(lambda: begin(agreed), again_if_taken=True)


def agree(new: NewSession) -> Agreed:
    """Read what is agreed on by as many as the rules have room for; raise InvalidError."""
    reading = Reading()
    game, rules = _read_game(new, reading)
    count, counts = len(new.players), game.seating(rules).for_session
    if reading.problems or count in counts:
        return read_agreed(new)
    message = (
        say(
            "These rules are for %(wanted)s players; there are %(count)s.",
            wanted=" / ".join(map(str, counts)),
            count=count,
        )
        if new.players
        else say("Write down who plays.")
    )
    return read_agreed(new, [Problem("seats-count", "players", message)])


def read_agreed(new: NewSession, problems: Sequence[Problem] = ()) -> Agreed:
    """Read what is agreed on; raise InvalidError with every problem, those known before too."""
    reading = Reading()
    players = _read_players(new.players, reading)
    game, rules = _read_game(new, reading)
    reading.problems += problems
    _check_rest(new, len(new.players), reading)
    if reading.problems:
        raise InvalidError(reading.problems)
    return Agreed(new, game, rules, players)


def _read_players(names: Sequence[str], reading: Reading) -> list[str]:
    players: list[str] = []
    for name in names[: models.HIGHEST_SEAT + 2]:  # more are refused, whatever they are called
        try:
            players.append(read_name(name, players, "players"))
        except InvalidError as error:
            reading.problems += error.problems
    return players


def read_name(text: str, others: Sequence[str], path: str) -> str:
    """Read a player's name, which none of the others has; raise InvalidError."""
    name = one_line(text)
    if not 0 < len(name) <= LONGEST_NAME:
        message = say("A name has from 1 to 40 letters.")
        raise InvalidError([Problem("bad-name", path, message)])
    if name.casefold() in (other.casefold() for other in others):
        message = say("There is more than one %(name)s: names are unique.", name=name)
        raise InvalidError([Problem("duplicate-name", path, message)])
    return name


def _read_game(new: NewSession, reading: Reading) -> tuple[Game[Any, Any], Any]:
    game = find_game(new.game)
    rules, problems = game.rules_from(new.rules)
    reading.problems += problems
    return game, rules


def _check_rest(new: NewSession, count: int, reading: Reading) -> None:
    if count > models.HIGHEST_SEAT + 1:
        reading.fault("seats-count", "players", say("So many people don't fit around a table."))
    if any(abs(balance) > MOST_POINTS for balance in new.opening):
        message = say("A balance of so many points can't be brought in.")
        reading.fault("out-of-range", "opening", message)
    if not 0 <= new.first_dealer < max(count, 1):
        reading.fault("out-of-range", "first_dealer", say("Who deals first?"))
    if len(one_line(new.title)) > LONGEST_TITLE:
        reading.fault("bad-name", "title", say("A title has at most 80 letters."))
    if new.stake_cents is not None and not 0 < new.stake_cents <= MOST_CENTS:
        reading.fault("out-of-range", "stake", say("An amount from 0.01 to 10,000."))


def begin(agreed: Agreed) -> Started:
    """Write a session that was agreed on, inside the caller's transaction, unless it is there."""
    new, players = agreed.new, agreed.players
    session_id = uuid5(SESSION, new.key.hex)
    if new.circle_id is None:
        circle_id = circle_begun_by(new.key)
        _begin_circle(circle_id, new.circle_name or ", ".join(players), new.phone_id)
        started = Started(circle_id, session_id, new.phone_id)
    else:
        started = Started(new.circle_id, session_id, None)
    if queries.session(started.circle_id, session_id) is None:
        _write_session(started, agreed)
    return started


def circle_begun_by(key: UUID) -> UUID:
    """Give the circle that a start with this key begins."""
    return uuid5(CIRCLE, key.hex)


def _begin_circle(circle_id: UUID, name: str, phone_id: UUID) -> None:
    """Write a circle and the phone that owns it; where it stands, that phone must be in it."""
    if queries.circle(circle_id) is None:
        write(models.Circle(circle_id=circle_id, name=name, created_at=now()))
        new_phone(circle_id, Role.OWNER, phone_id=phone_id)
        return
    try:
        holder(circle_id, phone_id)
    except NotFoundError:
        message = say("This session was started already. Ask for a link, and join with it.")
        raise RefusedError(message) from None


def _write_session(where: Started, agreed: Agreed) -> None:
    new, game, rules, players = agreed
    circle_id, session_id = where.circle_id, where.session_id
    ids = [find_player(circle_id, name) for name in players]
    opening = dict(enumerate(new.opening))
    rule_set_id, version = new.rule_set or (None, None)
    write(
        models.CardSession(
            circle_id=circle_id,
            session_id=session_id,
            game=game.slug,
            title=one_line(new.title),
            rules=written(rules),
            first_dealer=new.first_dealer,
            stake_cents=new.stake_cents,
            started_at=now(),
            rule_set_id=rule_set_id,
            rule_set_version=version,
        ),
        *(
            models.Seat(
                circle_id=circle_id,
                session_id=session_id,
                seat=seat,
                player_id=player_id,
                opening=opening.get(seat, 0),
            )
            for seat, player_id in enumerate(ids)
        ),
    )


def find_player(circle_id: UUID, name: str) -> UUID:
    """Find the circle's player of this name, or write a new one down."""
    for player in queries.players(circle_id):
        if player.name.casefold() == name.casefold():
            player.retired_at = None
            return player.player_id
    player_id = uuid4()
    write(models.Player(circle_id=circle_id, player_id=player_id, name=name, created_at=now()))
    return player_id


def session_version(circle_id: UUID, session_id: UUID) -> int:
    """Give the number that grows with everything that is written in a session."""
    row = queries.session(circle_id, session_id)
    if row is None:
        raise NotFoundError(session_id)
    return row.version


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
        queries.keep_session(row)

    in_transaction(work)
