"""Queries of circles with their links, phones, players and seasons."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    Subquery,
    and_,
    case,
    cast,
    delete,
    false,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from scorer.roles import KEY, PROGRAM, Holder, Role
from scorer.storage import changes
from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    DealRow,
    DealVersion,
    JournalEntry,
    LedgerEntry,
    Link,
    LinkSecret,
    Phone,
    Player,
    Posting,
    ProgramKey,
    PublicPage,
    RuleSet,
    Season,
    Seat,
    SpokenCode,
    TournamentPlayer,
    TournamentRow,
)
from scorer.storage.queries import base, tournament
from scorer.storage.queries.base import AnySelect, Kind, UuidText, columns, count_of, same

#: The phones of a circle: neither sent away nor the keys of programs.
IN_A_CIRCLE = (Phone.revoked_at.is_(None), Phone.name.not_like(f"{KEY}%"))


@base.entity
def circle_for_update(circle_id: UUID) -> Select[Circle]:
    """Find a circle and lock its row until the commit."""
    return select(Circle).where(Circle.circle_id == circle_id).with_for_update()


@base.in_order_of(lambda circle: (circle.name.casefold(), circle.circle_id))
@base.entities
def circles(circle_ids: Collection[UUID]) -> Select[Circle]:
    return select(Circle).where(Circle.circle_id.in_(circle_ids))


class CircleHeads(NamedTuple):
    """The time zone of a circle, and the heads of its hash chains.

    ``people`` is the one of the journal after the last entry about a player. ``sessions`` is one
    text, as rows take longer: the key of each session, a colon, its head, and ``!`` once it ended.
    """

    zone: str
    people: str
    sessions: str


@base.first
@base.each(CircleHeads)
def circle_heads(circle_id: UUID) -> AnySelect:
    entry = JournalEntry.circle_id == circle_id, JournalEntry.subject == "player"
    # of a sum: to find the last serial itself, SQLite would go back through the whole journal
    last = select(func.max(JournalEntry.serial + 0)).where(*entry).scalar_subquery()
    people = select(JournalEntry.chain).where(entry[0], JournalEntry.serial == last)
    ended = case((CardSession.ended_at.is_(None), ""), else_="!")
    head = cast(CardSession.session_id, String) + ":" + CardSession.chain + ended
    heads = select(func.aggregate_strings(head, " ")).where(CardSession.circle_id == circle_id)
    of_circle = (func.coalesce(text.scalar_subquery(), "") for text in (people, heads))
    return select(Circle.zone, *of_circle).where(Circle.circle_id == circle_id)


@base.column
def circle_ids() -> Select[UUID]:
    """List all circles, oldest first."""
    return select(Circle.circle_id).order_by(Circle.created_at, Circle.circle_id)


@dataclass(frozen=True, slots=True)
class CircleSize:
    """The number of rows of a circle, and when it was last used."""

    circle_id: UUID
    name: str
    players: int
    phones: int
    sessions: int
    deals: int
    last_used_at: datetime


def _count(kind: type[Player | Phone | CardSession | DealRow]) -> Select[int]:
    return count_of(kind).where(kind.circle_id == Circle.circle_id)


def _size(*row: Any) -> CircleSize:
    *size, seen_at, acted_at, dealt_at, created_at = row
    used = filter(None, (seen_at, acted_at, dealt_at, created_at))
    return CircleSize(*(*size, max(used)))


@base.each(_size)
def circle_sizes() -> AnySelect:
    """Count the rows of every circle, oldest first."""
    parts = (
        _count(Player),
        _count(Phone).where(*IN_A_CIRCLE),
        _count(CardSession),
        _count(DealRow),
        select(func.max(Phone.last_seen_at)).where(Phone.circle_id == Circle.circle_id),
        select(func.max(JournalEntry.at)).where(JournalEntry.circle_id == Circle.circle_id),
        select(func.max(DealVersion.at)).where(DealVersion.circle_id == Circle.circle_id),
    )
    selected = (part.correlate(Circle).scalar_subquery() for part in parts)
    sizes = select(Circle.circle_id, Circle.name, *selected, Circle.created_at)
    return sizes.order_by(Circle.created_at, Circle.circle_id)


@base.column
def circles_with_link(name: str, until: datetime) -> Select[UUID]:
    """List all circles with a link of a name that was made until a moment."""
    return select(Link.circle_id).where(Link.name == name, Link.created_at <= until).distinct()


def _by_secret(kind: type[Kind], key: str) -> Callable[[str], Kind | None]:
    """Make the query that finds what a secret opens by its key, revoked or not."""

    @base.entity
    def by_secret(secret_hash: str) -> Select[Kind]:
        of_circle = LinkSecret.circle_id == kind.circle_id
        opens = and_(of_circle, LinkSecret.link_id == getattr(kind, key))
        return select(kind).join(LinkSecret, opens).where(LinkSecret.secret_hash == secret_hash)

    return by_secret


link_by_secret = _by_secret(Link, "link_id")
public_page_by_secret = _by_secret(PublicPage, "page_id")
key_by_secret = _by_secret(ProgramKey, "key_id")


@base.entities
def public_pages(circle_id: UUID, subject_id: UUID) -> Select[PublicPage]:
    """List the public pages of a session or a tournament, revoked ones too, oldest first."""
    of_subject = or_(PublicPage.session_id == subject_id, PublicPage.tournament_id == subject_id)
    pages = select(PublicPage).where(PublicPage.circle_id == circle_id, of_subject)
    return pages.order_by(PublicPage.created_at, PublicPage.page_id)


@base.then(lambda links: links[0] if len(links) == 1 else None)
@base.entities
def link_by_code(code_hash: str, now: datetime) -> Select[Link]:
    """Find the link that a spoken code opens now; a code that two circles share opens none."""
    standing = (SpokenCode.code_hash == code_hash, SpokenCode.expires_at > now)
    return select(Link).join(SpokenCode, same(Link, SpokenCode, "link_id")).where(*standing)


def forget_codes(circle_id: UUID, now: datetime) -> None:
    """Delete the code of a circle, and all expired ones."""
    over = or_(SpokenCode.circle_id == circle_id, SpokenCode.expires_at <= now)
    db.session.execute(delete(SpokenCode).where(over))


@base.entities
def links(circle_id: UUID) -> Select[Link]:
    """List the links into the circle, oldest first, the revoked ones too."""
    return select(Link).filter_by(circle_id=circle_id).order_by(Link.created_at, Link.link_id)


@base.entities
def keys(circle_id: UUID) -> Select[ProgramKey]:
    """List the keys of programs of a circle, oldest first, the revoked ones too."""
    of_circle = select(ProgramKey).filter_by(circle_id=circle_id)
    return of_circle.order_by(ProgramKey.created_at, ProgramKey.key_id)


_PHONES = (
    select(
        *columns(
            Holder,
            Phone,
            Circle,
            link=Link.name,
            player=Player.name,
            circle=Circle.name,
            unused=false(),
            table=tournament.table_of_phone(),
        )
    )
    .join(Circle, Circle.circle_id == Phone.circle_id)
    .outerjoin(Player, same(Player, Phone, "player_id"))
    .outerjoin(Link, same(Link, Phone, "link_id"))
    .order_by(Phone.joined_at, Phone.phone_id)
)


@base.each(Holder)
def phones(circle_id: UUID) -> AnySelect:
    """List the phones of the circle with their holders, in the order they joined."""
    return _PHONES.where(Phone.circle_id == circle_id)


@base.first
@base.each(Holder)
def phone_and_holder(circle_id: UUID, phone_id: UUID) -> AnySelect:
    """Find one phone of the circle with its holder, revoked or not."""
    return _PHONES.where(Phone.circle_id == circle_id, Phone.phone_id == phone_id)


def opened_by(known: Mapping[UUID, UUID]) -> list[Holder]:
    """List those phones of a browser, by circle, that were not sent away."""
    statement = _PHONES.where(
        Phone.circle_id.in_(known), Phone.phone_id.in_(known.values()), Phone.revoked_at.is_(None)
    )
    phones = (Holder(*row) for row in db.session.execute(statement))
    return [row for row in phones if known[row.circle_id] == row.phone_id]


@base.mapping
def let_in_by_links(circle_id: UUID) -> Select[UUID, UUID]:
    """Return, by the journal, the first phone that each link let in or gave another role.

    The phone's own row names only the link that it came in by last.
    """
    link_id = JournalEntry.after["link_id"].as_string()
    of_phones = JournalEntry.subject == Phone.__tablename__
    return (
        select(type_coerce(link_id, UuidText), type_coerce(JournalEntry.key, UuidText))
        .where(JournalEntry.circle_id == circle_id, of_phones, link_id.is_not(None))
        .order_by(JournalEntry.serial.desc())
    )


@base.figure
def owner_count(circle_id: UUID, since: datetime) -> Select[int]:
    """Count the owners' phones used since a moment, without programs."""
    return count_of(Phone).where(
        Phone.circle_id == circle_id,
        Phone.role == Role.OWNER,
        Phone.name.not_like(f"{PROGRAM}%"),
        or_(Phone.last_seen_at > since, Phone.joined_at > since),
        *IN_A_CIRCLE,
    )


@base.figure
def phone_count(circle_id: UUID) -> Select[int]:
    """Count the phones of a circle that were not sent away."""
    return count_of(Phone).where(Phone.circle_id == circle_id, *IN_A_CIRCLE)


@base.figure
def key_count(circle_id: UUID, now: datetime) -> Select[int]:
    """Count the valid keys of programs."""
    lasts = or_(ProgramKey.expires_at.is_(None), ProgramKey.expires_at > now)
    standing = (ProgramKey.circle_id == circle_id, ProgramKey.revoked_at.is_(None), lasts)
    return count_of(ProgramKey).where(*standing)


@base.entities
def phones_of_link(circle_id: UUID, link_id: UUID) -> Select[Phone]:
    return select(Phone).filter_by(circle_id=circle_id, link_id=link_id)


def drop_circle(circle_id: UUID) -> None:
    """Delete a circle with all its rows, those that refer to players and phones first."""
    changes.touch(circle_id)
    for table in (LedgerEntry, TournamentRow, CardSession, RuleSet, Circle, LinkSecret):
        db.session.execute(delete(table).where(table.circle_id == circle_id))


@dataclass(frozen=True, slots=True)
class SessionName:
    """The title of a session, and when it began."""

    session_id: UUID
    title: str
    started_at: datetime


@base.in_order_of(lambda player: (player.name.casefold(), player.name))
@base.entities
def players(circle_id: UUID) -> Select[Player]:
    """List the players of the circle by name, the retired ones too."""
    return select(Player).where(Player.circle_id == circle_id)


@base.then(lambda names: dict(sorted(names, key=lambda row: (row[1].casefold(), row[1]))))
@base.tuples
def player_names(circle_id: UUID) -> Select[UUID, str]:
    """Return the names of the circle's players, in their order, by key."""
    return select(Player.player_id, Player.name).where(Player.circle_id == circle_id)


@base.mapping
def nicknames(circle_ids: Collection[UUID]) -> Select[str, str]:
    """Return the nicknames of the players of these circles, "" for none, by name."""
    return select(Player.name, Player.nickname).where(Player.circle_id.in_(circle_ids))


_CAME = func.sum(Player.merged + 1).over(
    partition_by=Player.circle_id, order_by=(Player.created_at, Player.player_id), rows=(None, 0)
)


def in_order(circles: ColumnElement[bool]) -> Subquery:
    """Select the players of these circles with their place, the number who joined before."""
    place = (_CAME - Player.merged - 1).label("place")  # those merged since count, too
    key = Player.circle_id, Player.player_id
    return select(*key, Player.name, place).where(circles).subquery()


_SITS_IN = same(CardSession, Seat, "session_id")


@base.mapping
def last_used(circle_id: UUID) -> Select[UUID, datetime]:
    """Return when the newest session of each player began."""
    return (
        select(Seat.player_id, func.max(CardSession.started_at))
        .join(CardSession, _SITS_IN)
        .where(Seat.circle_id == circle_id)
        .group_by(Seat.player_id)
    )


def players_last_used_first(circle_id: UUID) -> list[Player]:
    """List the players of the circle, those of the newest session first, the retired ones too."""
    newest = last_used(circle_id)
    never = datetime.min.replace(tzinfo=UTC)
    listed = players(circle_id)
    return sorted(listed, key=lambda player: newest.get(player.player_id, never), reverse=True)


def seated(player_id: ColumnElement[UUID] | UUID) -> ColumnElement[bool]:
    """Return the condition that a player has a seat in the session of the row."""
    seated = select(Seat.seat).where(_SITS_IN, Seat.player_id == player_id)
    return seated.correlate(CardSession).exists()


@base.each(SessionName)
def shared_sessions(circle_id: UUID, player_id: UUID, other_id: UUID) -> AnySelect:
    """List the sessions in which both players have a seat, newest first."""
    return (
        select(*columns(SessionName, CardSession))
        .where(CardSession.circle_id == circle_id, seated(player_id), seated(other_id))
        .order_by(CardSession.started_at.desc(), CardSession.session_id)
    )


def hand_over(circle_id: UUID, player_id: UUID, other_id: UUID) -> None:
    """Move a player's rows to another player, and delete the player."""
    for table in (Seat, Phone, Posting, TournamentPlayer):
        of_player = (table.circle_id == circle_id, table.player_id == player_id)
        db.session.execute(update(table).where(*of_player).values(player_id=other_id))
    db.session.execute(
        delete(Player).where(Player.circle_id == circle_id, Player.player_id == player_id)
    )


@base.entities
def unused_players(circle_id: UUID, player_ids: Iterable[UUID]) -> Select[Player]:
    """List those of these players to whom no seat, phone, posting or entry refers."""
    named = (
        select(table.player_id).where(
            table.circle_id == circle_id, table.player_id == Player.player_id
        )
        for table in (Seat, Phone, Posting, TournamentPlayer)
    )
    return select(Player).where(
        Player.circle_id == circle_id,
        Player.player_id.in_(player_ids),
        Player.merged == 0,
        *(~reference.exists() for reference in named),
    )


@base.entities
def seasons(circle_id: UUID) -> Select[Season]:
    """List the seasons that a circle named, the last ones first."""
    last_first = (Season.first_day.desc(), Season.last_day.desc(), Season.season_id)
    return select(Season).where(Season.circle_id == circle_id).order_by(*last_first)


@base.mapping
def phone_names(circle_id: UUID) -> Select[UUID, str]:
    return select(Phone.phone_id, Phone.name).where(Phone.circle_id == circle_id)
