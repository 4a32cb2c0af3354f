"""The tables: facts are rows, sums are never stored.

Every table but the circle's own, the link secrets and the throttle starts its primary key, its
unique keys and its foreign keys with `circle_id`: the circle is the security boundary and the unit
of scale. Keys are UUIDs made by the program, so no engine has to hand out numbers. Moments are
aware and in UTC.

Deleting a session takes what it owns with it; a player, link or phone that a row still names
cannot be deleted. A whole circle goes in two steps: its sessions and rule sets, then the
circle.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from scorer.rules.game import Outcome
from scorer.storage.columns import Base

ROLES = ("owner", "scorekeeper", "player", "spectator")
LEAST_ROLE = ROLES[-1]
ACTS = ("record", "amend", "void", "restore")
REVIEWS = ("dispute", "confirm", "uphold")
LEDGER_KINDS = ("evening", "correction", "payment", "cost")

HIGHEST_SEAT = 9
#: What is not chained yet, and the hash before the first entry of a journal.
CHAIN_START = "0" * 64


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """Hold a column to a list of words."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({words})", name=column)


def at_least(column: str, low: int) -> CheckConstraint:
    """Hold a column to a smallest number."""
    return CheckConstraint(f"{column} >= {low}", name=column)


def a_seat(column: str) -> CheckConstraint:
    """Hold a column to the numbers that a seat may have."""
    return CheckConstraint(f"{column} BETWEEN 0 AND {HIGHEST_SEAT}", name=column)


def some_text(column: str) -> CheckConstraint:
    """Refuse an empty name."""
    return CheckConstraint(f"length({column}) > 0", name=column)


def within(parent: str, *columns: str) -> ForeignKeyConstraint:
    """Belong to a row of another table, and go when it goes."""
    keys = ["circle_id", *columns]
    return ForeignKeyConstraint(keys, [f"{parent}.{key}" for key in keys], ondelete="CASCADE")


def names(other: str, column: str) -> ForeignKeyConstraint:
    """Point to a row of the same circle that must not be deleted while it is pointed to."""
    keys = ["circle_id", column]
    return ForeignKeyConstraint(keys, [f"{other}.{key}" for key in keys])


class Circle(Base, kw_only=True):
    """The people who play together.

    `journaled` counts the entries of the circle's journal, and `chain` is the hash of the last one.
    `zone` names the time zone of its days and times; empty, each browser has its own. `currency` is
    that of its money, by its ISO code; empty, nobody has chosen one.
    """

    __tablename__ = "circle"
    __table_args__ = (some_text("name"),)

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    zone: Mapped[str] = mapped_column(default="", server_default=text("''"))
    currency: Mapped[str] = mapped_column(default="", server_default=text("''"))
    journaled: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)


class Link(Base, kw_only=True):
    """A way into a circle, in one role, that can be taken back.

    It opens nothing from `expires_at` on; `once` lets one phone in and no other.
    """

    __tablename__ = "link"
    __table_args__ = (within("circle"), one_of("role", ROLES))

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    link_id: Mapped[UUID] = mapped_column(primary_key=True)
    role: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    expires_at: Mapped[datetime | None] = mapped_column(default=None)
    once: Mapped[bool] = mapped_column(default=False, server_default=false())


class LinkSecret(Base, kw_only=True):
    """Where the SHA-256 of a link's secret leads, looked up before the circle is known.

    It has no foreign key, because on a cluster it lives apart from the circles; a row whose link
    is gone or revoked opens nothing. `link_id` may be the key of a public page, which is no link.
    """

    __tablename__ = "link_secret"
    __table_args__ = (Index(None, "circle_id", "link_id"),)

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    circle_id: Mapped[UUID]
    link_id: Mapped[UUID]


class SpokenCode(Base, kw_only=True):
    """The code of a circle that is said aloud, kept as a keyed hash: one at most, for minutes.

    It leads to a link of its own, and opens nothing from `expires_at` on. Each new one sweeps away
    all that ran out: the table is small, and is looked through without an index.
    """

    __tablename__ = "spoken_code"
    __table_args__ = (within("link", "link_id"),)

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    link_id: Mapped[UUID]
    code_hash: Mapped[str]
    expires_at: Mapped[datetime]


class Player(Base, kw_only=True):
    """A person of the circle, with the nickname that the others use, if one does.

    `gone` counts those who came next and were merged with others since: nobody gets their places.
    """

    __tablename__ = "player"
    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "name"),
        some_text("name"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    player_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None] = mapped_column(default=None)
    gone: Mapped[int] = mapped_column(default=0, server_default="0")
    nickname: Mapped[str] = mapped_column(default="", server_default=text("''"))


class Season(Base, kw_only=True):
    """A span of days to which a circle gave a name; the months need none."""

    __tablename__ = "season"
    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "name"),
        some_text("name"),
        CheckConstraint("last_day >= first_day", name="last_day"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    season_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    first_day: Mapped[date]
    last_day: Mapped[date]
    created_at: Mapped[datetime]


class Phone(Base, kw_only=True):
    """One browser that belongs to the circle: its role, who holds it, which link let it in.

    `last_seen_at` and `browser` ("Firefox · Android") are what it said of itself when it came last;
    the journal has neither.
    """

    __tablename__ = "phone"
    __table_args__ = (
        within("circle"),
        names("player", "player_id"),
        names("link", "link_id"),
        some_text("name"),
        one_of("role", ROLES),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    phone_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[str] = mapped_column(server_default=LEAST_ROLE)
    player_id: Mapped[UUID | None] = mapped_column(default=None)
    link_id: Mapped[UUID | None] = mapped_column(default=None)
    joined_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    last_seen_at: Mapped[datetime | None] = mapped_column(default=None)
    browser: Mapped[str] = mapped_column(default="", server_default=text("''"))


class RuleSet(Base, kw_only=True):
    """A circle's own rules of a game; what they say is in their versions."""

    __tablename__ = "rule_set"
    __table_args__ = (
        within("circle"),
        UniqueConstraint("circle_id", "game", "name"),
        some_text("name"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    rule_set_id: Mapped[UUID] = mapped_column(primary_key=True)
    game: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None] = mapped_column(default=None)


class RuleSetVersion(Base, kw_only=True):
    """What a rule set said from a moment on; versions are added and never changed."""

    __tablename__ = "rule_set_version"
    __table_args__ = (
        within("rule_set", "rule_set_id"),
        names("phone", "phone_id"),
        at_least("version", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    rule_set_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    rules: Mapped[dict[str, Any]]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]


class CardSession(Base, kw_only=True):
    """One sitting: a game, a snapshot of the rules it began with, its seats and its deals.

    `rule_set_id` and `rule_set_version` say which of the circle's own rules those are; a rule set
    is retired, never deleted. `changes` counts the changes of rules and seats. `version` grows
    with every write to the session or its deals. `next_number` is handed out and raised only while
    the row is locked. `finished_number` is the deal that brought the session to its end by the
    rules. `written` counts what was written in the session (versions of deals, changes, reviews,
    cards), and `chain` is the hash of the last of it; that of a session in which nothing was
    written is the hash of the journal entry that started it.
    """

    __tablename__ = "card_session"
    __table_args__ = (
        within("circle"),
        Index(None, "circle_id", "started_at", "session_id"),
        a_seat("first_dealer"),
        at_least("stake_cents", 0),
        at_least("next_number", 1),
        at_least("version", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
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


class SessionChange(Base, kw_only=True):
    """What was changed about a session from a deal on: its rules, or who sits where.

    Either there are `rules`, and which version of which rule set they are; or there are `seats`:
    all at the table in order of play. With them may come `sits_out`, who of them was chosen not to
    play, and `dealer`, who was chosen to deal `from_number`; what was not chosen follows the rules.
    A change holds up to `until_number`, where it has an end. Of several that hold for a deal the
    one written last counts. `serial` and `chain` are of the same chain as the deals' versions.
    """

    __tablename__ = "session_change"
    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        at_least("from_number", 1),
        CheckConstraint("until_number >= from_number", name="until_number"),
        CheckConstraint("(rules IS NULL) <> (seats IS NULL)", name="kind"),
        a_seat("dealer"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
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
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    reason: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]
    chain: Mapped[str]


class Seat(Base, kw_only=True):
    """A place at the table, who sits on it and the balance brought in.

    Whoever was there from the start sits in order of play; `joined` is the serial of the change
    that brought a later guest.
    """

    __tablename__ = "seat"
    __table_args__ = (
        within("card_session", "session_id"),
        names("player", "player_id"),
        UniqueConstraint("circle_id", "session_id", "player_id"),
        Index(None, "circle_id", "player_id"),
        a_seat("seat"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]
    opening: Mapped[int] = mapped_column(BigInteger, default=0)
    joined: Mapped[int] = mapped_column(default=0, server_default="0")


class Deal(Base, kw_only=True):
    """One line of the sheet as it stands; what was written for it is in its current version.

    `deal_id` is the key that the phone made, so that the same request twice is one deal.
    `amended` says that the sheet was corrected at least once; voiding and restoring do not.
    `disputed` says that somebody disputes it and nobody has settled that yet. `bid` and `made` are
    what the sheet says, for the questions of the history; an index answers them without the row.
    """

    __tablename__ = "deal"
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

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
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


class DealVersion(Base, kw_only=True):
    """What was written for a deal, by whom and why; versions are added and never changed.

    `sheet` names seats by their number as text, so that renaming a player touches no sheet.
    `payouts` ({"0": 4, …}) is what the sheet pays, also in a version that voids the deal; a seat
    that sat out has no figure. `written_by` is the player's name as it was. `serial` numbers all
    versions of a session in the order they were written, and `chain` is the hash over all that
    they say up to this one (`scorer.storage.chain`). `change` is the serial of the change of rules
    or seats that had the deal written anew.
    """

    __tablename__ = "deal_version"
    __table_args__ = (
        within("deal", "deal_id"),
        names("phone", "phone_id"),
        one_of("act", ACTS),
        one_of("outcome", Outcome),
        a_seat("dealer"),
        at_least("version", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    act: Mapped[str]
    outcome: Mapped[str]
    dealer: Mapped[int]
    sits_out: Mapped[list[int]]
    sheet: Mapped[dict[str, Any] | None]
    voided: Mapped[bool]
    payouts: Mapped[dict[str, int]]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    reason: Mapped[str | None] = mapped_column(default=None)
    change: Mapped[int | None] = mapped_column(default=None)
    at: Mapped[datetime]
    serial: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)


class Payout(Base, kw_only=True):
    """What one seat gets or gives for one deal that stands; a voided deal has no such rows.

    `role` is the part that the seat played (`Game.roles`), empty where it played none of its own.
    SQLite keeps the rows in the order of the key. The index holds everything that a balance is
    the sum of, and the role, so that a sum reads nothing else.
    """

    __tablename__ = "payout"
    __table_args__ = (
        ForeignKeyConstraint(
            ["circle_id", "session_id", "number"],
            ["deal.circle_id", "deal.session_id", "deal.number"],
            ondelete="CASCADE",
        ),
        Index("ix_payout_balance", "circle_id", "session_id", "seat", "number", "amount", "role"),
        a_seat("seat"),
        {"sqlite_with_rowid": False},
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    amount: Mapped[int] = mapped_column(BigInteger)
    role: Mapped[str] = mapped_column(default="", server_default=text("''"))


class Review(Base, kw_only=True):
    """What somebody said of a version of a deal: that it is wrong, right, or right after all.

    Its table has the name that files of circles have known it by since version 0.1.

    `serial` numbers the reviews of a deal; `chained` is the place in the session's chain.
    `proposal` is what a dispute says is right: answers of the sheet as it is stored, or `outcome`.
    """

    __tablename__ = "opinion"
    __table_args__ = (
        within("deal", "deal_id"),
        names("phone", "phone_id"),
        one_of("kind", REVIEWS),
        at_least("serial", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    serial: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    version: Mapped[int]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    reason: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]
    chained: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)
    proposal: Mapped[dict[str, Any] | None] = mapped_column(default=None)


class TrickRecord(Base, kw_only=True):
    """The cards of a deal as somebody wrote them down; versions are added and never changed.

    The deal need not be on the sheet yet: it has its key from the moment it is started. `record`
    says what the contract's `check` asks for, but for the claim, with seats by number. `note` is
    why it was kept although it contradicts the sheet or itself. `chained` is its place in the
    session's chain.
    """

    __tablename__ = "trick_record"
    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        Index(None, "circle_id", "session_id"),
        at_least("version", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    deal_id: Mapped[UUID] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    session_id: Mapped[UUID]
    record: Mapped[dict[str, Any]]
    note: Mapped[str | None] = mapped_column(default=None)
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]
    chained: Mapped[int] = mapped_column(default=0, server_default="0")
    chain: Mapped[str] = mapped_column(default=CHAIN_START, server_default=CHAIN_START)


class StartedDeal(Base, kw_only=True):
    """The deal under way in a session: what the auction said, before the cards are played."""

    __tablename__ = "started_deal"
    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        a_seat("dealer"),
        at_least("number", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    deal_id: Mapped[UUID]
    number: Mapped[int]
    dealer: Mapped[int]
    sheet: Mapped[dict[str, Any]]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    at: Mapped[datetime]


class PublicPage(Base, kw_only=True):
    """A page of one evening that whoever has its secret may read, until it is taken back.

    `LinkSecret` leads to it by the key of the page. `names` says whether full names are shown, or
    initials; `money` whether it says who pays whom.
    """

    __tablename__ = "public_page"
    __table_args__ = (
        within("card_session", "session_id"),
        Index(None, "circle_id", "session_id"),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    page_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID]
    names: Mapped[bool]
    money: Mapped[bool]
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)


class LedgerEntry(Base, kw_only=True):
    """Something that moves money between the people of a circle: `Posting` says how much to whom.

    An `evening` is what a session came to when it ended, a `correction` what a later change of it
    makes of that: `number` is the deal that was changed. Both say how the session is paid: `way`,
    with `stake_cents` a point, a place or a person, and `fee_cents` for each time somebody bought
    in. A payment and a cost say what was paid by hand, and by which `means`; whoever got a payment
    may confirm it. A voided entry counts for nothing. `entry_id` is the key that the phone made.
    """

    __tablename__ = "ledger_entry"
    __table_args__ = (
        within("circle"),
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        Index(None, "circle_id", "at", "entry_id"),
        Index(None, "circle_id", "session_id"),
        one_of("kind", LEDGER_KINDS),
        at_least("stake_cents", 0),
        at_least("fee_cents", 0),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    entry_id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    session_id: Mapped[UUID | None] = mapped_column(default=None)
    number: Mapped[int | None] = mapped_column(default=None)
    way: Mapped[str] = mapped_column(default="", server_default=text("''"))
    stake_cents: Mapped[int] = mapped_column(default=0, server_default="0")
    fee_cents: Mapped[int] = mapped_column(default=0, server_default="0")
    means: Mapped[str] = mapped_column(default="", server_default=text("''"))
    note: Mapped[str] = mapped_column(default="", server_default=text("''"))
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None] = mapped_column(default=None)
    voided_at: Mapped[datetime | None] = mapped_column(default=None)


class Posting(Base, kw_only=True):
    """What an entry of the ledger moves on one account, in cents; those of an entry cancel."""

    __tablename__ = "posting"
    __table_args__ = (
        within("ledger_entry", "entry_id"),
        names("player", "player_id"),
        Index(None, "circle_id", "player_id"),
        at_least("line", 0),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    entry_id: Mapped[UUID] = mapped_column(primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[UUID]
    cents: Mapped[int] = mapped_column(BigInteger)


class Note(Base, kw_only=True):
    """What somebody added to a session, or to the deal of a number: a text, a photo or both.

    `photo` is the SHA-256 of the photo, empty without one; `text` says what it shows then.
    `note_id` is the key that the page made. A note that is taken back is a row no longer.
    """

    __tablename__ = "note"
    __table_args__ = (
        within("card_session", "session_id"),
        names("phone", "phone_id"),
        CheckConstraint("length(text) + length(photo) > 0", name="text"),
        at_least("number", 1),
    )

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    note_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int | None] = mapped_column(default=None)
    text: Mapped[str]
    photo: Mapped[str]
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]


class Photo(Base, kw_only=True):
    """The photo of a note, a JPEG; it goes with the note."""

    __tablename__ = "photo"
    __table_args__ = (within("note", "session_id", "note_id"),)

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(primary_key=True)
    note_id: Mapped[UUID] = mapped_column(primary_key=True)
    jpeg: Mapped[bytes]


class JournalEntry(Base, kw_only=True):
    """Something that was done to a circle; entries are added and never changed.

    `subject` is the table of what it was done to, `key` its key without the circle. `before` and
    `after` are the columns that it changed: without `before` there was no such row, without
    `after` there is none any more, and without both nothing was changed. `written_by` is the
    player's name as it was. `chain` is the hash over all entries up to this one.
    """

    __tablename__ = "journal_entry"
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

    circle_id: Mapped[UUID] = mapped_column(primary_key=True)
    serial: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str]
    subject: Mapped[str]
    key: Mapped[str]
    before: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    after: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    phone_id: Mapped[UUID | None] = mapped_column(default=None)
    written_by: Mapped[str | None] = mapped_column(default=None)
    at: Mapped[datetime]
    chain: Mapped[str]


class Throttle(Base, kw_only=True):
    """How often something was asked from one address within one minute; no address is stored."""

    __tablename__ = "throttle"
    __table_args__ = (at_least("requests", 1),)

    address_hash: Mapped[str] = mapped_column(primary_key=True)
    minute: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    requests: Mapped[int]
