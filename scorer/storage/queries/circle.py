"""Queries of circles with their links, phones and players."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    Subquery,
    and_,
    bindparam,
    delete,
    false,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.types import Uuid

from scorer.storage import changes
from scorer.storage.database import db
from scorer.storage.models import (
    CardSession,
    Circle,
    Deal,
    DealVersion,
    JournalEntry,
    LedgerEntry,
    Link,
    LinkSecret,
    Phone,
    Player,
    Posting,
    PublicPage,
    Role,
    RuleSet,
    Seat,
    SpokenCode,
)
from scorer.storage.queries.base import (
    CIRCLE,
    CIRCLES,
    LINK,
    PHONE,
    PLAYER,
    SECRET,
    SESSION,
    columns,
    rows,
    same,
)

#: What the name of a program's phone begins with.
PROGRAM = "program #"


@dataclass(frozen=True, slots=True)
class Holder:
    """A phone of a circle: its role, who holds it, which link let it in, and its circle.

    ``journaled`` counts the entries of the circle's journal. ``unused`` is a phone that has lost
    access, as nobody used it for long.
    """

    circle_id: UUID
    phone_id: UUID
    name: str
    role: Role
    player_id: UUID | None = None
    player: str | None = None
    link_id: UUID | None = field(default=None, compare=False)
    link: str | None = field(default=None, compare=False)
    joined_at: datetime | None = field(default=None, compare=False)
    revoked_at: datetime | None = field(default=None, compare=False)
    last_seen_at: datetime | None = field(default=None, compare=False)
    browser: str = field(default="", compare=False)
    circle: str = field(default="", compare=False)
    zone: str = field(default="", compare=False)
    currency: str = field(default="", compare=False)
    journaled: int = field(default=0, compare=False)
    unused: bool = field(default=False, compare=False)

    @property
    def is_first(self) -> bool:
        """Whether no phone was in the circle before this one."""
        return self.name == "#1"


_CIRCLE_FOR_UPDATE = select(Circle).where(Circle.circle_id == CIRCLE).with_for_update()


def circle_for_update(circle_id: UUID) -> Circle | None:
    """Find a circle and lock its row until the commit."""
    return db.session.scalar(_CIRCLE_FOR_UPDATE, {"circle_id": circle_id})


_CIRCLES = select(Circle).where(Circle.circle_id.in_(CIRCLES))


def circles(circle_ids: Collection[UUID]) -> list[Circle]:
    circles = db.session.scalars(_CIRCLES, {"circle_ids": list(circle_ids)})
    return sorted(circles, key=lambda circle: (circle.name.casefold(), circle.circle_id))


def circle_ids() -> list[UUID]:
    """List all circles, oldest first."""
    oldest_first = select(Circle.circle_id).order_by(Circle.created_at, Circle.circle_id)
    return list(db.session.scalars(oldest_first))


def played_last(most: int) -> list[tuple[UUID, int]]:
    """List at most ``most`` circles with their number of sessions, last played first."""
    newest_first = (
        select(CardSession.circle_id, func.count())
        .group_by(CardSession.circle_id)
        .order_by(func.max(CardSession.started_at).desc(), CardSession.circle_id)
        .limit(most)
    )
    return [(row[0], row[1]) for row in db.session.execute(newest_first)]


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


def circle_sizes() -> list[CircleSize]:
    """Count the rows of every circle, oldest first."""
    counted = (
        _count(Player),
        _count(Phone).where(Phone.revoked_at.is_(None)),
        _count(CardSession),
        _count(Deal),
    )
    used = (
        select(func.max(Phone.last_seen_at)).where(Phone.circle_id == Circle.circle_id),
        select(func.max(JournalEntry.at)).where(JournalEntry.circle_id == Circle.circle_id),
        select(func.max(DealVersion.at)).where(DealVersion.circle_id == Circle.circle_id),
    )
    statement = select(
        Circle.circle_id,
        Circle.name,
        Circle.created_at,
        *(part.correlate(Circle).scalar_subquery() for part in (*counted, *used)),
    ).order_by(Circle.created_at, Circle.circle_id)
    return [
        CircleSize(
            circle_id=row[0],
            name=row[1],
            players=row[3],
            phones=row[4],
            sessions=row[5],
            deals=row[6],
            last_used_at=max(filter(None, (row[2], *row[7:]))),
        )
        for row in db.session.execute(statement)
    ]


def _count(kind: type[Player | Phone | CardSession | Deal]) -> Select[tuple[int]]:
    return select(func.count()).select_from(kind).where(kind.circle_id == Circle.circle_id)


_LINK_BY_SECRET = (
    select(Link)
    .join(LinkSecret, same(Link, LinkSecret, "link_id"))
    .where(LinkSecret.secret_hash == SECRET)
)


def link_by_secret(secret_hash: str) -> Link | None:
    """Find the link that a secret opens, revoked or not."""
    return db.session.scalar(_LINK_BY_SECRET, {"secret_hash": secret_hash})


_PAGE_BY_SECRET = (
    select(PublicPage)
    .join(
        LinkSecret,
        and_(
            LinkSecret.circle_id == PublicPage.circle_id, LinkSecret.link_id == PublicPage.page_id
        ),
    )
    .where(LinkSecret.secret_hash == SECRET)
)


def public_page_by_secret(secret_hash: str) -> PublicPage | None:
    """Find the public page that a secret opens, revoked or not."""
    return db.session.scalar(_PAGE_BY_SECRET, {"secret_hash": secret_hash})


_PUBLIC_PAGES = (
    select(PublicPage)
    .where(PublicPage.circle_id == CIRCLE, PublicPage.session_id == SESSION)
    .order_by(PublicPage.created_at, PublicPage.page_id)
)


def public_pages(circle_id: UUID, session_id: UUID) -> list[PublicPage]:
    """List the public pages of a session, revoked ones too, oldest first."""
    params = {"circle_id": circle_id, "session_id": session_id}
    return list(db.session.scalars(_PUBLIC_PAGES, params))


_LINK_BY_CODE = (
    select(Link)
    .join(SpokenCode, same(Link, SpokenCode, "link_id"))
    .where(SpokenCode.code_hash == SECRET, SpokenCode.expires_at > bindparam("now"))
)


def link_by_code(code_hash: str, now: datetime) -> Link | None:
    """Find the link that a spoken code opens now.

    A code that two circles happen to share opens neither.
    """
    params = {"secret_hash": code_hash, "now": now}
    links = db.session.scalars(_LINK_BY_CODE, params).all()
    return links[0] if len(links) == 1 else None


def forget_codes(circle_id: UUID, now: datetime) -> None:
    """Delete the code of a circle, and all expired ones."""
    over = or_(SpokenCode.circle_id == circle_id, SpokenCode.expires_at <= now)
    db.session.execute(delete(SpokenCode).where(over))


_LINKS = select(Link).where(Link.circle_id == CIRCLE).order_by(Link.created_at, Link.link_id)


def links(circle_id: UUID) -> list[Link]:
    """List the links into the circle, oldest first, the revoked ones too."""
    return list(db.session.scalars(_LINKS, {"circle_id": circle_id}))


_PHONES_OF_CIRCLES = (
    select(
        *columns(
            Holder,
            Phone,
            link=Link.name,
            player=Player.name,
            circle=Circle.name,
            zone=Circle.zone,
            currency=Circle.currency,
            journaled=Circle.journaled,
            unused=false(),
        )
    )
    .join(Circle, Circle.circle_id == Phone.circle_id)
    .outerjoin(Player, same(Player, Phone, "player_id"))
    .outerjoin(Link, same(Link, Phone, "link_id"))
    .order_by(Phone.joined_at, Phone.phone_id)
)
_PHONES = _PHONES_OF_CIRCLES.where(Phone.circle_id == CIRCLE)


def phones(circle_id: UUID) -> list[Holder]:
    """List the phones of the circle with their holders, in the order they joined."""
    return [Holder(*row) for row in rows(_PHONES, circle_id=circle_id)]


_PHONE_AND_HOLDER = _PHONES.where(Phone.phone_id == PHONE)


def phone_and_holder(circle_id: UUID, phone_id: UUID) -> Holder | None:
    """Find one phone of the circle with its holder, revoked or not."""
    row = rows(_PHONE_AND_HOLDER, circle_id=circle_id, phone_id=phone_id).first()
    return Holder(*row) if row else None


_PHONES_OF_LINK = select(Phone).where(Phone.circle_id == CIRCLE, Phone.link_id == LINK)


def opened_by(known: Mapping[UUID, UUID]) -> list[Holder]:
    """List those phones of a browser, by circle, that were not sent away."""
    statement = _PHONES_OF_CIRCLES.where(
        Phone.circle_id.in_(known), Phone.phone_id.in_(known.values()), Phone.revoked_at.is_(None)
    )
    phones = (Holder(*row) for row in db.session.execute(statement))
    return [row for row in phones if known[row.circle_id] == row.phone_id]


_LET_IN = (
    select(JournalEntry.after["link_id"].as_string(), JournalEntry.key)
    .where(
        JournalEntry.circle_id == CIRCLE,
        JournalEntry.subject == Phone.__tablename__,
        JournalEntry.after["link_id"].as_string().is_not(None),
    )
    .order_by(JournalEntry.serial.desc())
)


def let_in_by_links(circle_id: UUID) -> dict[UUID, UUID]:
    """Return the first phone that each link let in or gave another role, by the journal.

    The phone's own row names only the link that it came in by last.
    """
    pairs = rows(_LET_IN, circle_id=circle_id)
    return {UUID(link_id): UUID(phone_id) for link_id, phone_id in pairs}


_OWNERS = (
    select(func.count())
    .select_from(Phone)
    .where(
        Phone.circle_id == CIRCLE,
        Phone.role == Role.OWNER,
        Phone.name.not_like(f"{PROGRAM}%"),
        Phone.revoked_at.is_(None),
        or_(Phone.last_seen_at > bindparam("since"), Phone.joined_at > bindparam("since")),
    )
)


def owner_count(circle_id: UUID, since: datetime) -> int:
    """Count the owners' phones used since a moment, without programs."""
    return db.session.scalar(_OWNERS, {"circle_id": circle_id, "since": since}) or 0


def phones_of_link(circle_id: UUID, link_id: UUID) -> list[Phone]:
    params = {"circle_id": circle_id, "link_id": link_id}
    return list(db.session.scalars(_PHONES_OF_LINK, params))


def drop_circle(circle_id: UUID) -> None:
    """Delete a circle with all its rows, those that refer to players and phones first."""
    changes.touch(circle_id)
    for table in (LedgerEntry, CardSession, RuleSet, Circle, LinkSecret):
        db.session.execute(delete(table).where(table.circle_id == circle_id))


OTHER = bindparam("other_id", type_=Uuid())


@dataclass(frozen=True, slots=True)
class SessionName:
    """The title of a session, and when it began."""

    session_id: UUID
    title: str
    started_at: datetime


_PLAYERS = select(Player).where(Player.circle_id == CIRCLE)


def players(circle_id: UUID) -> list[Player]:
    """List the players of the circle by name, the retired ones too."""
    players = db.session.scalars(_PLAYERS, {"circle_id": circle_id})
    return sorted(players, key=lambda player: (player.name.casefold(), player.name))


_CAME = func.sum(Player.merged + 1).over(
    partition_by=Player.circle_id, order_by=(Player.created_at, Player.player_id), rows=(None, 0)
)


def in_order(circles: ColumnElement[bool]) -> Subquery:
    """Select the players of these circles with their place, the number who joined before."""
    place = (_CAME - Player.merged - 1).label("place")  # those merged since count, too
    key = Player.circle_id, Player.player_id
    return select(*key, Player.name, place, Player.nickname).where(circles).subquery()


_SITS_IN = same(CardSession, Seat, "session_id")
_LAST_USED = (
    select(Seat.player_id, func.max(CardSession.started_at))
    .join(CardSession, _SITS_IN)
    .where(Seat.circle_id == CIRCLE)
    .group_by(Seat.player_id)
)


def last_used(circle_id: UUID) -> dict[UUID, datetime]:
    """Return when the newest session of each player began."""
    return dict(rows(_LAST_USED, circle_id=circle_id).tuples().all())


def players_last_used_first(circle_id: UUID) -> list[Player]:
    """List the players of the circle, those of the newest session first, the retired ones too."""
    newest = last_used(circle_id)
    never = [player for player in players(circle_id) if player.player_id not in newest]
    used = [player for player in players(circle_id) if player.player_id in newest]
    return sorted(used, key=lambda player: newest[player.player_id], reverse=True) + never


def seated(player_id: ColumnElement[UUID] | UUID) -> ColumnElement[bool]:
    """Return the condition that a player has a seat in the session of the row."""
    seated = select(Seat.seat).where(_SITS_IN, Seat.player_id == player_id)
    return seated.correlate(CardSession).exists()


_SHARED = (
    select(CardSession.session_id, CardSession.title, CardSession.started_at)
    .where(CardSession.circle_id == CIRCLE, seated(PLAYER), seated(OTHER))
    .order_by(CardSession.started_at.desc(), CardSession.session_id)
)


def shared_sessions(circle_id: UUID, player_id: UUID, other_id: UUID) -> list[SessionName]:
    """List the sessions in which both players have a seat, newest first."""
    return [
        SessionName(*row)
        for row in rows(_SHARED, circle_id=circle_id, player_id=player_id, other_id=other_id)
    ]


def hand_over(circle_id: UUID, player_id: UUID, other_id: UUID) -> None:
    """Move a player's rows to another player, and delete the player."""
    for table in (Seat, Phone, Posting):
        of_player = (table.circle_id == circle_id, table.player_id == player_id)
        db.session.execute(update(table).where(*of_player).values(player_id=other_id))
    db.session.execute(
        delete(Player).where(Player.circle_id == circle_id, Player.player_id == player_id)
    )


_NAMED = (
    select(table.player_id).where(table.circle_id == CIRCLE, table.player_id == Player.player_id)
    for table in (Seat, Phone, Posting)
)
_UNUSED = select(Player).where(
    Player.circle_id == CIRCLE,
    Player.player_id.in_(bindparam("player_ids", expanding=True)),
    Player.merged == 0,
    *(~named.exists() for named in _NAMED),
)


def unused_players(circle_id: UUID, player_ids: Iterable[UUID]) -> list[Player]:
    """List those of these players to whom no seat, phone or posting refers."""
    params = {"circle_id": circle_id, "player_ids": list(player_ids)}
    return list(db.session.scalars(_UNUSED, params))
