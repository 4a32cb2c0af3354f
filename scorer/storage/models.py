"""The tables: facts are rows, sums are never stored.

The circle is the security boundary and the unit of scale: all tables but the link secrets and the
throttle start their primary, unique and foreign keys with `circle_id`. Keys are UUIDs that the
program makes, so there are no database sequences. Moments are aware and in UTC.

Deleting a session cascades to what it owns. A player, link or phone cannot be deleted while a row
refers to it. A circle is deleted in two steps: its sessions and rule sets, then the circle.
"""

import base64
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, ClassVar
from uuid import UUID

from flask_sqlalchemy.model import camel_to_snake_case
from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    MappedAsDataclass,
    declared_attr,
    mapped_column,
    query_expression,
)
from sqlalchemy.types import TypeDecorator

from scorer.roles import Role
from scorer.rules.game import Outcome

#: The hash before the first one of a chain.
CHAIN_START = "0" * 64
NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}

Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcTime(TypeDecorator[datetime]):
    """An aware moment, stored and given back in UTC by both engines."""

    impl = DateTime(timezone=True)
    cache_ok = True
    python_type = datetime

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert an aware moment to UTC; raise ValueError for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a stored time needs a zone: {value!r}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Make a stored moment aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class RoleText(TypeDecorator[Role]):
    """A role, stored as its word."""

    impl = String
    cache_ok = True
    python_type = str

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Role | None:
        """Read a stored role; raise ValueError for any other word."""
        return None if value is None else Role(value)


class Base(MappedAsDataclass, DeclarativeBase, kw_only=True, eq=False):
    """The base class of all tables, each called as its class; rows are made with keywords only."""

    __tablename__ = declared_attr.directive(
        lambda table: camel_to_snake_case(table.__name__).removesuffix("_row")
    )
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcTime(),
        Role: RoleText(),
        dict[str, Any]: Json,
        dict[str, int]: Json,
        list[int]: Json,
        list[str]: Json,
    }


def plain(value: Any) -> Any:
    """Return the value of a column as JSON, the same on both engines."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.value if isinstance(value, Role) else value


LEDGER_KINDS = ("evening", "correction", "payment", "cost")

MOST_AT_TABLE = 10
HIGHEST_SEAT = MOST_AT_TABLE - 1


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=column)


def at_least(column: str, low: int) -> CheckConstraint:
    return CheckConstraint(f"{column} >= {low}", name=column)


def a_seat(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} BETWEEN 0 AND {HIGHEST_SEAT}", name=column)


def some_text(column: str) -> CheckConstraint:
    return CheckConstraint(f"length({column}) > 0", name=column)


def within(parent: str, *columns: str) -> ForeignKeyConstraint:
    """Refer to a parent row of the same circle, and be deleted with it."""
    keys = ["circle_id", *columns]
    return ForeignKeyConstraint(keys, [f"{parent}.{key}" for key in keys], ondelete="CASCADE")


def names(other: str, column: str) -> ForeignKeyConstraint:
    """Return a foreign key to a row of the same circle, which then can't be deleted."""
    keys = ["circle_id", column]
    return ForeignKeyConstraint(keys, [f"{other}.{key}" for key in keys])


class OfCircle(Base, kw_only=True):
    """A table whose primary key starts with its circle."""

    __abstract__ = True

    circle_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)


class AuthoredRow(OfCircle, kw_only=True):
    """A table whose rows say on which phone and when they were written, and by whom.

    `written_by` is the player's name at the time; the command line has neither phone nor name.
    """

    __abstract__ = True

    phone_id: Mapped[UUID | None] = mapped_column(default=None, sort_order=1)
    written_by: Mapped[str | None] = mapped_column(default=None, sort_order=1)
    at: Mapped[datetime] = mapped_column(sort_order=1)

    @declared_attr
    def phone(self) -> Mapped[str | None]:
        """The name of the phone, which `queries.base.with_phone` looks up."""
        return query_expression()


class ChainedRow(AuthoredRow, kw_only=True):
    """A row of a hash chain (`scorer.storage.chain`): `serial` is its place, `chain` its hash."""

    __abstract__ = True

    serial: Mapped[int] = mapped_column(default=0, sort_order=1)
    chain: Mapped[str] = mapped_column(default="", sort_order=1)


class Circle(OfCircle, kw_only=True):
    """The people who play together.

    `zone` is the time zone of its days and times; when empty, each browser uses its own.
    `currency` is the ISO code of its money, empty until one is chosen. `journaled` counts the
    entries of the journal, and `chain` is the hash of the last one.
    """

    __table_args__ = (some_text("name"),)

    name: Mapped[str]
    created_at: Mapped[datetime]
    zone: Mapped[str] = mapped_column(default="", server_default=text("''"))
    currency: Mapped[str] = mapped_column(default="", server_default=text("''"))
    journaled: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)


class Link(OfCircle, kw_only=True):
    """An invitation in one role: it can be revoked, expires, and with `once` admits one phone."""

    __table_args__ = (within("circle"), one_of("role", Role))

    link_id: Mapped[UUID] = mapped_column(primary_key=True)
    role: Mapped[Role]
    name: Mapped[str]
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    expires_at: Mapped[datetime | None] = mapped_column(default=None)
    once: Mapped[bool] = mapped_column(default=False, server_default=false())


class LinkSecret(Base, kw_only=True):
    """The link that a secret belongs to, looked up by SHA-256 before the circle is known.

    There is no foreign key, because on a cluster this table lives apart from the circles: a row
    whose link is gone or revoked admits nobody. `link_id` may also be the key of a public page, of
    a program's key, or of the session of a table that has a slip.
    """

    __table_args__ = (Index(None, "circle_id", "link_id"),)

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    circle_id: Mapped[UUID]
    link_id: Mapped[UUID]


class SpokenCode(OfCircle, kw_only=True):
    """The spoken code of a circle, as a keyed hash: at most one, valid for minutes.

    It belongs to a link of its own and is valid until `expires_at`. Making a code deletes all that
    have expired, so the table stays small and needs no index.
    """

    __table_args__ = (within("link", "link_id"),)

    link_id: Mapped[UUID]
    code_hash: Mapped[str]
    expires_at: Mapped[datetime]


class Player(OfCircle, kw_only=True):
    """A person of the circle.

    `merged` counts the players added right after this one who were merged with others since; their
    places in the order of players stay free.
    """

    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "name"),
        some_text("name"),
    )

    player_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None] = mapped_column(default=None)
    merged: Mapped[int] = mapped_column(default=0, server_default="0")
    nickname: Mapped[str] = mapped_column(default="", server_default=text("''"))


class Season(OfCircle, kw_only=True):
    """A span of days that a circle named; months are seasons without a row.

    `place_points` is what each place in its tournaments is worth, of which the `best` count;
    without the one it is as in a month, without the other all count.
    """

    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "name"),
        some_text("name"),
        CheckConstraint("last_day >= first_day", name="last_day"),
        at_least("best", 1),
    )

    season_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    first_day: Mapped[date]
    last_day: Mapped[date]
    created_at: Mapped[datetime]
    place_points: Mapped[list[int] | None] = mapped_column(default=None)
    best: Mapped[int | None] = mapped_column(default=None)


class Phone(OfCircle, kw_only=True):
    """A browser that belongs to the circle: its role, who holds it, which link admitted it.

    `last_seen_at` and `browser` ("Firefox · Android") are of its last visit, and are not in the
    journal.
    """

    __table_args__ = (
        within("circle"),
        names("player", "player_id"),
        names("link", "link_id"),
        some_text("name"),
        one_of("role", Role),
    )

    phone_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[Role] = mapped_column(server_default=Role.SPECTATOR)
    player_id: Mapped[UUID | None] = mapped_column(default=None)
    link_id: Mapped[UUID | None] = mapped_column(default=None)
    joined_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    last_seen_at: Mapped[datetime | None] = mapped_column(default=None)
    browser: Mapped[str] = mapped_column(default="", server_default=text("''"))


class ProgramKey(OfCircle, kw_only=True):
    """The key of a program: its name and role, until it expires or an owner takes it back.

    What the program writes is written as on a phone of the same key, which is in no list of phones:
    the last use of the key is that row's `last_seen_at`.
    """

    __table_args__ = (within("circle"), some_text("name"), one_of("role", Role))

    key_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[Role]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None] = mapped_column(default=None)
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)


class RuleSet(OfCircle, kw_only=True):
    """A circle's own rules of a game; the rules themselves are in its versions."""

    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "game", "name"),
        some_text("name"),
    )

    rule_set_id: Mapped[UUID] = mapped_column(primary_key=True)
    game: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None] = mapped_column(default=None)


class RuleSetVersion(AuthoredRow, kw_only=True):
    """The rules of a rule set from `at` on; versions are added, never changed."""

    __table_args__ = (
        within("rule_set", "rule_set_id"),
        names("phone", "phone_id"),
        at_least("version", 1),
    )

    rule_set_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    rules: Mapped[dict[str, Any]]


class CardSession(OfCircle, kw_only=True):
    """One sitting: a game, its seats, its deals, and a copy of the rules it began with.

    `rule_set_id` and `rule_set_version` name the circle's own rule set that the copy is of; rule
    sets are retired, never deleted. `version` grows with every write to the session or its deals.
    `next_number` is the number of the next deal, read and raised only while the row is locked.
    `finished_number` is the deal that ended the session by its rules. `changes` counts the changes
    of rules and seats. `written` counts the rows of the session's hash chain (versions of deals,
    changes, reviews, cards), and `chain` is the hash of the last one; before the first it is that
    of the journal entry which started the session. `went_on_from` is the session before it of one
    evening, whose key makes the key of this one.
    """

    __table_args__ = (
        within("circle"),
        Index(None, "circle_id", "started_at", "session_id"),
        a_seat("first_dealer"),
        at_least("stake_cents", 0),
        at_least("next_number", 1),
        at_least("version", 1),
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    game: Mapped[str]
    title: Mapped[str]
    rules: Mapped[dict[str, Any]]
    rule_set_id: Mapped[UUID | None] = mapped_column(default=None)
    rule_set_version: Mapped[int | None] = mapped_column(default=None)
    first_dealer: Mapped[int]
    stake_cents: Mapped[int | None] = mapped_column(default=None)
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
    next_number: Mapped[int] = mapped_column(default=1)
    finished_number: Mapped[int | None] = mapped_column(default=None)
    version: Mapped[int] = mapped_column(default=1)
    changes: Mapped[int] = mapped_column(default=0, server_default="0")
    written: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)
    went_on_from: Mapped[UUID | None] = mapped_column(default=None)


class SessionChange(ChainedRow, kw_only=True):
    """A change of a session's rules, or of who sits where, from a deal on.

    It has either `rules`, with the version of the rule set that they are, or `seats`: all at the
    table in order of play. Seats may come with `sits_out`, those chosen not to play, and `dealer`,
    the one chosen to deal `from_number`; what is not chosen follows the rules. A change applies up
    to and including `until_number`, if there is one; of several that apply to a deal the last one
    written counts.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        at_least("from_number", 1),
        CheckConstraint("until_number >= from_number", name="until_number"),
        CheckConstraint("(rules IS NULL) <> (seats IS NULL)", name="kind"),
        a_seat("dealer"),
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    serial: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    from_number: Mapped[int]
    until_number: Mapped[int | None] = mapped_column(default=None)
    rules: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    rule_set_id: Mapped[UUID | None] = mapped_column(default=None)
    rule_set_version: Mapped[int | None] = mapped_column(default=None)
    seats: Mapped[list[int] | None] = mapped_column(default=None)
    sits_out: Mapped[list[int] | None] = mapped_column(default=None)
    dealer: Mapped[int | None] = mapped_column(default=None)
    reason: Mapped[str | None] = mapped_column(default=None)


class Seat(OfCircle, kw_only=True):
    """A seat of a session, its player, and the balance that the player brings in.

    Those present from the start are numbered in order of play; `joined` is the serial of the
    change by which a later guest came.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        names("player", "player_id"),
        UniqueConstraint("circle_id", "session_id", "player_id"),
        Index(None, "circle_id", "player_id"),
        a_seat("seat"),
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]
    opening: Mapped[int] = mapped_column(BigInteger, default=0)
    joined: Mapped[int] = mapped_column(default=0, server_default="0")


class DealRow(OfCircle, kw_only=True):
    """One line of the score sheet as it stands; its sheet is in the current version.

    `deal_id` is made by the phone, so that a request sent twice records one deal. `amended` is set
    once the sheet was corrected, but not by voiding or restoring. `disputed` is set while a dispute
    is open. `bid` and `made` repeat the sheet, so that an index can answer searches.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        UniqueConstraint("circle_id", "session_id", "number"),
        Index(
            "ix_deal_history",
            "circle_id",
            "session_id",
            "voided",
            "outcome",
            "number",
            "made",
            "bid",
            "disputed",
            "amended",
        ),
        one_of("outcome", Outcome),
        a_seat("dealer"),
        at_least("number", 1),
        at_least("version", 1),
    )

    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID]
    number: Mapped[int]
    outcome: Mapped[str]
    dealer: Mapped[int]
    voided: Mapped[bool] = mapped_column(default=False)
    amended: Mapped[bool] = mapped_column(default=False)
    disputed: Mapped[bool] = mapped_column(default=False, server_default=false())
    bid: Mapped[str | None] = mapped_column(default=None)
    made: Mapped[bool | None] = mapped_column(default=None)
    version: Mapped[int] = mapped_column(default=1)
    recorded_at: Mapped[datetime]


class DealVersion(ChainedRow, kw_only=True):
    """What was written for a deal, and why; versions are added, never changed.

    `stored` is the sheet by seat, a number as text, so that renaming a player changes no sheet.
    `payouts` ({"0": 4, …}) are those of the sheet, also in a version that voids the deal; a seat
    that sat out has none. `number` and the session repeat the deal's, for the
    hash chain. `change` is the serial of the change of rules or seats that rewrote
    the deal. `act` is the name of an act (`scorer.evening.acts`), which only the program lists.
    """

    __table_args__ = (
        within("deal", "deal_id"),
        names("phone", "phone_id"),
        one_of("outcome", Outcome),
        a_seat("dealer"),
        at_least("version", 1),
    )

    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[UUID]
    number: Mapped[int]
    act: Mapped[str]
    outcome: Mapped[str]
    dealer: Mapped[int]
    sits_out: Mapped[list[int]]
    stored: Mapped[dict[str, Any] | None]
    voided: Mapped[bool]
    payouts: Mapped[dict[str, int]]
    reason: Mapped[str | None] = mapped_column(default=None)
    change: Mapped[int | None] = mapped_column(default=None)


class Payout(OfCircle, kw_only=True):
    """The game points of one seat for one deal; a voided deal has no payouts.

    `role` is the seat's role in the deal (`Game.roles`), or empty. On SQLite the rows are stored in
    the order of the key. The index has all columns that sums of balances need, also by role.
    """

    __table_args__ = (
        within("deal", "session_id", "number"),
        Index("ix_payout_balance", "circle_id", "session_id", "seat", "number", "amount", "role"),
        a_seat("seat"),
        {"sqlite_with_rowid": False},
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    amount: Mapped[int] = mapped_column(BigInteger)
    role: Mapped[str] = mapped_column(default="", server_default=text("''"))


class ReviewRow(ChainedRow, kw_only=True):
    """A dispute or confirmation of a version of a deal, or what settles a dispute.

    `review` numbers the reviews of a deal, whose `number` and session are repeated for the chain.
    `kind` is that of an act (`scorer.evening.acts`), which only the program lists.
    `proposal` is what a dispute says is right: stored answers of the sheet, or `outcome`.
    """

    __table_args__ = (
        within("deal", "deal_id"),
        names("phone", "phone_id"),
        at_least("review", 1),
    )

    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    review: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[UUID]
    number: Mapped[int]
    kind: Mapped[str]
    version: Mapped[int]
    reason: Mapped[str | None] = mapped_column(default=None)
    proposal: Mapped[dict[str, Any] | None] = mapped_column(default=None)


class Play(ChainedRow, kw_only=True):
    """The cards of a deal as somebody wrote them down; versions are added, never changed.

    The deal may only be started and not be on the sheet yet, hence no foreign key to it. `cards`
    is the document of the contract's `check` without the claim, with seats by number. `reason` is
    why it was kept although it contradicts the sheet or itself.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        Index(None, "circle_id", "session_id"),
        at_least("version", 1),
    )

    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[UUID]
    cards: Mapped[dict[str, Any]]
    reason: Mapped[str | None] = mapped_column(default=None)


class StartedDeal(OfCircle, kw_only=True):
    """The deal under way in a session: the answers known before the cards are played."""

    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        a_seat("dealer"),
        at_least("number", 1),
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    deal_id: Mapped[UUID]
    number: Mapped[int]
    dealer: Mapped[int]
    stored: Mapped[dict[str, Any]]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    at: Mapped[datetime]


class TimerRow(OfCircle, kw_only=True):
    """The timer of a session's turn: its minutes count from `since`; it stands from `paused` on."""

    __table_args__ = (within("card_session", "session_id"), at_least("minutes", 1))

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    minutes: Mapped[int]
    since: Mapped[datetime]
    paused: Mapped[datetime | None] = mapped_column(default=None)


class PublicPage(OfCircle, kw_only=True):
    """A page of a session or a tournament that everybody with its secret may read, until revoked.

    `LinkSecret` refers to it by `page_id`. `names` shows full names instead of initials, `money`
    who pays whom.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        within("tournament", "tournament_id"),
        Index(None, "circle_id", "session_id"),
        CheckConstraint("(session_id IS NULL) <> (tournament_id IS NULL)", name="subject"),
    )

    page_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID | None] = mapped_column(default=None)
    tournament_id: Mapped[UUID | None] = mapped_column(default=None)
    names: Mapped[bool]
    money: Mapped[bool]
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)


class LedgerEntry(AuthoredRow, kw_only=True):
    """An entry of the circle's ledger; its postings say how many cents move on whose account.

    An `evening` settles a session when it ends; a `correction` follows a later change of the deal
    `number`. Both hold how the session is paid: `way`, with `stake_cents` per point, place or
    person, and `fee_cents` per buying in. A `payment` or a `cost` was recorded by people and paid
    by `means`; the payee may confirm a payment. Fees of a tournament are its costs and payments. A
    voided entry does not count. `entry_id` is made by the phone.
    """

    __table_args__ = (
        within("circle"),
        within("card_session", "session_id"),
        within("tournament", "tournament_id"),
        names("phone", "phone_id"),
        Index(None, "circle_id", "tournament_id"),
        Index(None, "circle_id", "at", "entry_id"),
        Index(None, "circle_id", "session_id"),
        one_of("kind", LEDGER_KINDS),
        at_least("stake_cents", 0),
        at_least("fee_cents", 0),
    )

    entry_id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    session_id: Mapped[UUID | None] = mapped_column(default=None)
    tournament_id: Mapped[UUID | None] = mapped_column(default=None)
    number: Mapped[int | None] = mapped_column(default=None)
    way: Mapped[str] = mapped_column(default="", server_default=text("''"))
    stake_cents: Mapped[int] = mapped_column(default=0, server_default="0")
    fee_cents: Mapped[int] = mapped_column(default=0, server_default="0")
    means: Mapped[str] = mapped_column(default="", server_default=text("''"))
    note: Mapped[str] = mapped_column(default="", server_default=text("''"))
    confirmed_at: Mapped[datetime | None] = mapped_column(default=None)
    voided_at: Mapped[datetime | None] = mapped_column(default=None)


class Posting(OfCircle, kw_only=True):
    """What a ledger entry moves on one account, in cents; the postings of an entry sum to 0."""

    __table_args__ = (
        within("ledger_entry", "entry_id"),
        names("player", "player_id"),
        Index(None, "circle_id", "player_id"),
        at_least("line", 0),
    )

    entry_id: Mapped[UUID] = mapped_column(primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]
    cents: Mapped[int] = mapped_column(BigInteger)


class Note(AuthoredRow, kw_only=True):
    """A text, a photo or both, added to a session or to its deal of a number.

    `photo` is the SHA-256 of the photo, or empty; with a photo `text` describes it. `note_id` is
    made by the page. Taking a note back deletes its row.
    """

    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        CheckConstraint("length(text) + length(photo) > 0", name="text"),
        at_least("number", 1),
    )

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    note_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int | None] = mapped_column(default=None)
    text: Mapped[str]
    photo: Mapped[str]


class Photo(OfCircle, kw_only=True):
    """The photo of a note, a JPEG; deleted with the note."""

    __table_args__ = (within("note", "session_id", "note_id"),)

    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    note_id: Mapped[UUID] = mapped_column(primary_key=True)
    jpeg: Mapped[bytes]


class TournamentRow(OfCircle, kw_only=True):
    """A club evening: a game with a copy of its rules, who takes part, and how they are seated.

    `settings` are the plan, the points, the ties and so on of its document, `people` how many play
    together as one entry, `prizes` a line each. `seed` is what its lots are drawn by; it is set by
    the draw of the first turn. `version` grows with every act on it.
    """

    __table_args__ = (
        within("circle"),
        Index(None, "circle_id", "started_at", "tournament_id"),
        some_text("name"),
        CheckConstraint("people BETWEEN 1 AND 2", name="people"),
        at_least("version", 1),
    )

    tournament_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    game: Mapped[str]
    rules: Mapped[dict[str, Any]]
    settings: Mapped[dict[str, Any]]
    people: Mapped[int]
    seed: Mapped[str] = mapped_column(default="", server_default=text("''"))
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
    version: Mapped[int] = mapped_column(default=1)
    prizes: Mapped[list[str] | None] = mapped_column(default=None)


class TournamentEntry(OfCircle, kw_only=True):
    """Who takes part as one: in from the turn `first` on, out before the turn `withdrawn`."""

    __table_args__ = (
        within("tournament", "tournament_id"),
        at_least("entry", 1),
        at_least("first", 1),
        at_least("withdrawn", 1),
    )

    tournament_id: Mapped[UUID] = mapped_column(primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    first: Mapped[int]
    withdrawn: Mapped[int | None] = mapped_column(default=None)


class TournamentPlayer(OfCircle, kw_only=True):
    """A player of an entry; of two partners the second has `place` 1."""

    __table_args__ = (
        within("tournament_entry", "tournament_id", "entry"),
        names("player", "player_id"),
        UniqueConstraint("circle_id", "tournament_id", "player_id"),
        Index(None, "circle_id", "player_id"),
        CheckConstraint("place BETWEEN 0 AND 1", name="place"),
    )

    tournament_id: Mapped[UUID] = mapped_column(primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]


class TournamentTurn(OfCircle, kw_only=True):
    """A turn as it was drawn for the `drawn`th time.

    `seating` has its tables, each a list of sides, and who rests; `penalties` the points that
    entries lose in it, with the reasons. Once it is published its tables are sessions.
    """

    __table_args__ = (
        within("tournament", "tournament_id"),
        at_least("turn", 1),
        at_least("drawn", 1),
    )

    tournament_id: Mapped[UUID] = mapped_column(primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    drawn: Mapped[int]
    seating: Mapped[dict[str, Any]]
    penalties: Mapped[dict[str, Any]]
    published_at: Mapped[datetime | None] = mapped_column(default=None)


class TournamentTable(OfCircle, kw_only=True):
    """The session that a table of a published turn is.

    `scores` are those that a director wrote, one a side; without any, the session's balances count.
    `forfeit` is the entry that gave the table up.
    """

    __table_args__ = (
        within("tournament_turn", "tournament_id", "turn"),
        within("card_session", "session_id"),
        UniqueConstraint("circle_id", "session_id"),
        at_least("number", 1),
    )

    tournament_id: Mapped[UUID] = mapped_column(primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[UUID]
    scores: Mapped[list[int] | None] = mapped_column(default=None)
    forfeit: Mapped[int | None] = mapped_column(default=None)


class TablePhone(OfCircle, kw_only=True):
    """A phone that a slip lets write at a table of a tournament, while that turn is played.

    It is at one table at a time, since `at`. The phone may be in the circle, or not: then its
    `revoked_at` is the moment at which the slip let it in.
    """

    __table_args__ = (within("phone", "phone_id"), within("card_session", "session_id"))

    phone_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID]
    at: Mapped[datetime]


class JournalEntry(ChainedRow, kw_only=True):
    """An act on a circle; entries are added, never changed.

    `subject` is the table of the row that was acted on, `key` its key without the circle. `before`
    and `after` are the changed columns: a new row has no `before`, a deleted one no `after`, and
    with neither nothing was changed.
    """

    __table_args__ = (
        within("circle"),
        names("phone", "phone_id"),
        Index(None, "circle_id", "subject", "key", "serial"),
        Index(None, "circle_id", "kind", "serial"),
        Index(None, "circle_id", "written_by", "serial"),
        Index(None, "circle_id", "at", "serial"),
        at_least("serial", 1),
        some_text("kind"),
    )

    serial: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    subject: Mapped[str]
    key: Mapped[str]
    before: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    after: Mapped[dict[str, Any] | None] = mapped_column(default=None)


class Throttle(Base, kw_only=True):
    """The number of requests of one kind from one address, stored as a hash, in one minute."""

    __table_args__ = (at_least("requests", 1),)

    address_hash: Mapped[str] = mapped_column(primary_key=True)
    minute: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    requests: Mapped[int]
