"""Players: rename, nickname, retire, bring back, and merge two who are one person.

The journal keeps names as they were written; seats and phones belong to the player.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Annotated, NamedTuple
from uuid import UUID, uuid4

from scorer.errors import InvalidError, Problem, RefusedError, existing, refuse
from scorer.roles import Holder, Role
from scorer.rules.questions import Ask, NewName
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Author
from scorer.services.circle import names as journal_names
from scorer.services.circle.names import title_of
from scorer.storage import queries, transaction
from scorer.storage.models import MOST_AT_TABLE, Player
from scorer.texts import say
from scorer.typed_text import TypedText, looks, read_name

NICKNAME = TypedText(20, say("A nickname has at most %(count)s letters.", count=20))


def names(circle_id: UUID) -> dict[UUID, str]:
    return queries.circle.player_names(circle_id)


def nicknames(*circle_ids: UUID) -> dict[str, str]:
    """Return the nicknames of the players of circles, "" for none, by name."""
    return queries.circle.nicknames(circle_ids)


def everybody(circle_id: UUID) -> list[Player]:
    """List by name every player of a circle, the retired ones too."""
    return queries.circle.players(circle_id)


def active(circle_id: UUID) -> list[Player]:
    return [player for player in queries.circle.players(circle_id) if player.retired_at is None]


def offered_names(circle_id: UUID) -> list[str]:
    """Name who is offered for a new session, those of the newest session first."""
    players = queries.circle.players_last_used_first(circle_id)
    return [player.name for player in players if player.retired_at is None]


def find_player(circle_id: UUID, name: str, by: Author, *, since: datetime | None = None) -> UUID:
    """Find the circle's player of this name, or add a new one."""
    for player in queries.circle.players(circle_id):
        if looks(player.name) == looks(name):
            journal.change(journal.Kind.BROUGHT_BACK, player, by, retired_at=None)
            return player.player_id
    player = Player(circle_id=circle_id, player_id=uuid4(), name=name, created_at=since or now())
    journal.create(journal.Kind.PLAYER_ADDED, player, by)
    return player.player_id


class JoinOrder(NamedTuple):
    """Each player's join position, by what the name looks like, and the next free one."""

    positions: Mapping[str, int]
    next: int


def join_order(circle_id: UUID | None) -> JoinOrder:
    """Return who joined a circle before whom; merged players keep the positions they had."""
    position, positions = 0, {}
    for player in as_they_came(queries.circle.players(circle_id)) if circle_id else ():
        positions[looks(player.name)] = position
        position += 1 + player.merged
    return JoinOrder(positions, position)


def as_they_came(players: Iterable[Player]) -> list[Player]:
    """Order players by when they were added."""
    return sorted(players, key=lambda player: (player.created_at, player.player_id))


def marks_of(seats: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the mark and colour of each seat: its player's in the circle.

    Each seat has the serial with which a guest joined (0 for the others), and ``n``, the number of
    earlier players of the circle. The player with ``n`` has mark ``n``, modulo the number of marks.
    In a clash the earlier player keeps it and the later takes the next free one; guests choose
    last.
    """
    marks: dict[int, int] = {}
    for seat in sorted(range(len(seats)), key=seats.__getitem__):
        wanted = (seats[seat][1] + step for step in range(MOST_AT_TABLE))
        free = (mark % MOST_AT_TABLE for mark in wanted)
        marks[seat] = next(mark for mark in free if mark not in marks.values())
    return tuple(marks[seat] for seat in range(len(seats)))


def marks_to_be(names: Sequence[str], order: JoinOrder) -> tuple[int, ...]:
    """Return the marks that people would have in a session, new and unnamed ones included."""
    new = count(order.next)
    positions = (order.positions.get(looks(name)) for name in names)
    return marks_of([(0, next(new) if position is None else position) for position in positions])


def find(circle_id: UUID, player_id: UUID) -> Player:
    """Find a player of the circle; raise NotFoundError."""
    return existing(queries.find(Player, circle_id, player_id))


@transaction
def rename(circle_id: UUID, player_id: UUID, name: NewName, *, by: Author = None) -> None:
    """Rename a player; raise InvalidError if another has the name, or had it within a year."""
    player = _locked(circle_id, player_id)
    new = read_name(name, (), "name")
    for other in queries.circle.players(circle_id):
        if other is not player and looks(other.name) == looks(new):
            message = say(
                "There is a %(name)s already. If they are one person, merge the two.",
                name=other.name,
            )
            raise InvalidError.of("duplicate-name", "name", message)
    # Old sheets show a name that another player gave up.
    former = journal_names.had_recently(circle_id, new, player_id)
    if former is not None:
        message = say(
            "%(name)s was the name of %(who)s until %(date)s. It is free a year after that.",
            name=former.name,
            who=find(circle_id, former.player_id).name,
            date=former.until.date().isoformat(),
        )
        raise InvalidError.of("former-name", "name", message)
    journal.change(journal.Kind.RENAMED, player, by, name=new)


@transaction
def set_nickname(
    circle_id: UUID,
    player_id: UUID,
    nickname: Annotated[str, Ask(say("Nickname"), typed=NICKNAME)],
    *,
    by: Author = None,
) -> None:
    """Set or clear one's own nickname, an owner anybody's; raise InvalidError, RefusedError."""
    if by and not may_nickname(player_id, by):
        raise RefusedError(say("Only they themselves or an owner can choose that nickname."))
    new = NICKNAME.read(nickname, "nickname")
    journal.change(journal.Kind.NICKNAMED, _locked(circle_id, player_id), by, nickname=new)


def may_nickname(player_id: UUID, by: Holder) -> bool:
    return by.role is Role.OWNER or (by.player_id == player_id and by.role.reaches(Role.PLAYER))


@transaction
def retire(circle_id: UUID, player_id: UUID, *, by: Author = None) -> None:
    """Stop offering a player for new sessions; the deals stay."""
    player = find(circle_id, player_id)
    journal.change(journal.Kind.RETIRED, player, by, retired_at=player.retired_at or now())


@transaction
def bring_back(circle_id: UUID, player_id: UUID, *, by: Author = None) -> None:
    """Offer a retired player for new sessions again."""
    journal.change(journal.Kind.BROUGHT_BACK, find(circle_id, player_id), by, retired_at=None)


@transaction
def merge(
    circle_id: UUID,
    player_id: UUID,
    other: Annotated[UUID, Ask("The other name of the same person: its seats and phones move")],
    *,
    by: Author = None,
) -> None:
    """Merge two players: the other's seats and phones become the player's; the other is deleted.

    It cannot be undone. Raise InvalidError if both had a seat in one session.
    """
    player, same = _locked(circle_id, player_id), find(circle_id, other)
    refuse(merge_problems(circle_id, player_id, other))
    gone = _places_gone(player, same)
    became = {
        "became": str(player_id),
        "merged": {str(earlier.player_id): places for earlier, places in gone.items()},
    }
    journal.remove(journal.Kind.MERGED, same, by, after=became)
    for earlier, places in gone.items():
        earlier.merged = places
    since = min(player.created_at, same.created_at)
    retired_at = same.retired_at and player.retired_at
    nickname = player.nickname or same.nickname
    journal.change(
        journal.Kind.MERGED, player, by, created_at=since, retired_at=retired_at, nickname=nickname
    )
    queries.circle.hand_over(circle_id, other, player_id)


def _places_gone(player: Player, other: Player) -> dict[Player, int]:
    """Return the number of join positions to leave free after each player, so that no mark changes.

    The merged player has the earlier position of the two; the later one stays unused.
    """
    ordered = as_they_came(queries.circle.players(player.circle_id))
    first, second = sorted((player, other), key=ordered.index)
    before = ordered[ordered.index(second) - 1]
    gone = {before: before.merged + 1 + second.merged}
    gone[player] = gone.get(first, first.merged)
    gone.pop(other, None)
    return gone


def merge_problems(circle_id: UUID, player_id: UUID, other_id: UUID) -> list[Problem]:
    """Return why two players cannot be one person, if they cannot."""
    if player_id == other_id:
        message = say("That is the same player. Choose another one.")
        return [Problem("same-player", "other", message)]
    names = [find(circle_id, key).name for key in (player_id, other_id)]
    for tournament in queries.tournament.shared_tournaments(circle_id, player_id, other_id):
        message = say(
            "%(one)s and %(other)s both take part in “%(tournament)s”, so they are two people.",
            one=names[0],
            other=names[1],
            tournament=tournament,
        )
        return [Problem("both-entered", "other", message)]
    shared = queries.circle.shared_sessions(circle_id, player_id, other_id)
    if not shared:
        return []
    message = say(
        "%(one)s and %(other)s both had a seat in “%(session)s” (%(date)s): "
        "nobody sits at a table twice, so they are two people.",
        one=names[0],
        other=names[1],
        session=title_of(shared[0]),
        date=shared[0].started_at.date().isoformat(),
    )
    return [Problem("both-seated", "other", message)]


def _locked(circle_id: UUID, player_id: UUID) -> Player:
    """Find a player with the circle locked until the commit; raise NotFoundError."""
    queries.circle.circle_for_update(circle_id)
    return find(circle_id, player_id)
