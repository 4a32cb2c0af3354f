"""The initial tables.

The revision keeps the id of the last one before the first release, which circle files name.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_21_history"
down_revision = None

TABLES = (
    "circle",
    "link",
    "link_secret",
    "player",
    "phone",
    "throttle",
    "rule_set",
    "rule_set_version",
    "card_session",
    "session_change",
    "seat",
    "deal",
    "deal_version",
    "payout",
    "opinion",
    "trick_record",
    "started_deal",
)
MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")
START = "0" * 64


def upgrade() -> None:
    _circles()
    _rule_sets()
    _sessions()
    _deals()
    _cards()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _circles() -> None:
    op.create_table(
        "circle",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_circle_name")),
        sa.PrimaryKeyConstraint("circle_id", name="pk_circle"),
    )
    op.create_table(
        "link",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')", name=op.f("ck_link_role")
        ),
        _within("link", "circle"),
        sa.PrimaryKeyConstraint("circle_id", "link_id", name="pk_link"),
    )
    op.create_table(
        "link_secret",
        sa.Column("secret_hash", sa.String(), nullable=False),
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_link_secret"),
    )
    op.create_index("ix_link_secret_circle_id_link_id", "link_secret", ["circle_id", "link_id"])
    op.create_table(
        "player",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("retired_at", MOMENT, nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_player_name")),
        _within("player", "circle"),
        sa.PrimaryKeyConstraint("circle_id", "player_id", name="pk_player"),
        sa.UniqueConstraint("circle_id", "name", name="uq_player_circle_id_name"),
    )
    op.create_table(
        "phone",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False, server_default="spectator"),
        sa.Column("player_id", sa.Uuid(), nullable=True),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("joined_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_phone_name")),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')", name=op.f("ck_phone_role")
        ),
        _within("phone", "circle"),
        _names("phone", "link"),
        _names("phone", "player"),
        sa.PrimaryKeyConstraint("circle_id", "phone_id", name="pk_phone"),
    )
    op.create_table(
        "throttle",
        sa.Column("address_hash", sa.String(), nullable=False),
        sa.Column("minute", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.CheckConstraint("requests >= 1", name=op.f("ck_throttle_requests")),
        sa.PrimaryKeyConstraint("address_hash", "minute", name="pk_throttle"),
    )


def _rule_sets() -> None:
    op.create_table(
        "rule_set",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("rule_set_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("retired_at", MOMENT, nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_rule_set_name")),
        _within("rule_set", "circle"),
        sa.PrimaryKeyConstraint("circle_id", "rule_set_id", name="pk_rule_set"),
        sa.UniqueConstraint("circle_id", "game", "name", name="uq_rule_set_circle_id_game_name"),
    )
    op.create_table(
        "rule_set_version",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("rule_set_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rules", JSON, nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_rule_set_version_version")),
        _within("rule_set_version", "rule_set", "rule_set_id"),
        _names("rule_set_version", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "rule_set_id", "version", name="pk_rule_set_version"),
    )


def _sessions() -> None:
    op.create_table(
        "card_session",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("rules", JSON, nullable=False),
        sa.Column("rule_set_id", sa.Uuid(), nullable=True),
        sa.Column("rule_set_version", sa.Integer(), nullable=True),
        sa.Column("first_dealer", sa.Integer(), nullable=False),
        sa.Column("stake_cents", sa.Integer(), nullable=True),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("next_number", sa.Integer(), nullable=False),
        sa.Column("finished_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("written", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("chain", sa.String(), nullable=False, server_default=START),
        sa.CheckConstraint(
            "first_dealer BETWEEN 0 AND 9", name=op.f("ck_card_session_first_dealer")
        ),
        sa.CheckConstraint("next_number >= 1", name=op.f("ck_card_session_next_number")),
        sa.CheckConstraint("stake_cents >= 0", name=op.f("ck_card_session_stake_cents")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_card_session_version")),
        _within("card_session", "circle"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name="pk_card_session"),
    )
    op.create_index(
        "ix_card_session_circle_id_started_at_session_id",
        "card_session",
        ["circle_id", "started_at", "session_id"],
    )
    op.create_table(
        "session_change",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("serial", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("from_number", sa.Integer(), nullable=False),
        sa.Column("until_number", sa.Integer(), nullable=True),
        sa.Column("rules", JSON, nullable=True),
        sa.Column("rule_set_id", sa.Uuid(), nullable=True),
        sa.Column("rule_set_version", sa.Integer(), nullable=True),
        sa.Column("seats", JSON, nullable=True),
        sa.Column("sits_out", JSON, nullable=True),
        sa.Column("dealer", sa.Integer(), nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(rules IS NULL) <> (seats IS NULL)", name=op.f("ck_session_change_kind")
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_session_change_dealer")),
        sa.CheckConstraint("from_number >= 1", name=op.f("ck_session_change_from_number")),
        sa.CheckConstraint(
            "until_number >= from_number", name=op.f("ck_session_change_until_number")
        ),
        _within("session_change", "card_session", "session_id"),
        _names("session_change", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "serial", name="pk_session_change"),
    )
    op.create_table(
        "seat",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("opening", sa.BigInteger(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False, server_default="0"),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_seat_seat")),
        _within("seat", "card_session", "session_id"),
        _names("seat", "player"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "seat", name="pk_seat"),
        sa.UniqueConstraint(
            "circle_id", "session_id", "player_id", name="uq_seat_circle_id_session_id_player_id"
        ),
    )
    op.create_index("ix_seat_circle_id_player_id", "seat", ["circle_id", "player_id"])


def _deals() -> None:
    op.create_table(
        "deal",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("amended", sa.Boolean(), nullable=False),
        sa.Column("disputed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("bid", sa.String(), nullable=True),
        sa.Column("made", sa.Boolean(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("recorded_at", MOMENT, nullable=False),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_deal_dealer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_deal_number")),
        sa.CheckConstraint(
            "outcome IN ('played', 'misdeal', 'all-passed', 'thrown-in', 'redeal', 'penalty')",
            name=op.f("ck_deal_outcome"),
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_deal_version")),
        _within("deal", "card_session", "session_id"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", name="pk_deal"),
        sa.UniqueConstraint(
            "circle_id", "session_id", "number", name="uq_deal_circle_id_session_id_number"
        ),
    )
    op.create_index(
        "ix_deal_history",
        "deal",
        [
            "circle_id",
            "session_id",
            "voided",
            "outcome",
            "number",
            "made",
            "bid",
            "disputed",
            "amended",
        ],
    )
    op.create_table(
        "deal_version",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("sits_out", JSON, nullable=False),
        sa.Column("sheet", JSON, nullable=True),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("payouts", JSON, nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("change", sa.Integer(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("serial", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("chain", sa.String(), nullable=False, server_default=START),
        sa.CheckConstraint(
            "act IN ('record', 'amend', 'void', 'restore')", name=op.f("ck_deal_version_act")
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_deal_version_dealer")),
        sa.CheckConstraint(
            "outcome IN ('played', 'misdeal', 'all-passed', 'thrown-in', 'redeal', 'penalty')",
            name=op.f("ck_deal_version_outcome"),
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_deal_version_version")),
        _within("deal_version", "deal", "deal_id"),
        _names("deal_version", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name="pk_deal_version"),
    )
    op.create_table(
        "payout",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.String(), nullable=False, server_default=sa.text("''")),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_payout_seat")),
        _within("payout", "deal", "session_id", "number"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "number", "seat", name="pk_payout"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_payout_balance",
        "payout",
        ["circle_id", "session_id", "seat", "number", "amount", "role"],
    )
    op.create_table(
        "opinion",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("serial", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint(
            "kind IN ('dispute', 'confirm', 'uphold')", name=op.f("ck_opinion_kind")
        ),
        sa.CheckConstraint("serial >= 1", name=op.f("ck_opinion_serial")),
        _within("opinion", "deal", "deal_id"),
        _names("opinion", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "serial", name="pk_opinion"),
    )


def _cards() -> None:
    op.create_table(
        "trick_record",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("record", JSON, nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_trick_record_version")),
        _within("trick_record", "card_session", "session_id"),
        _names("trick_record", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name="pk_trick_record"),
    )
    op.create_index(
        "ix_trick_record_circle_id_session_id", "trick_record", ["circle_id", "session_id"]
    )
    op.create_table(
        "started_deal",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("sheet", JSON, nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_started_deal_dealer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_started_deal_number")),
        _within("started_deal", "card_session", "session_id"),
        _names("started_deal", "phone"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name="pk_started_deal"),
    )


def _within(table: str, parent: str, *keys: str) -> sa.ForeignKeyConstraint:
    """Belong to a row of another table, and go when it goes."""
    columns = ["circle_id", *keys]
    return sa.ForeignKeyConstraint(
        columns,
        [f"{parent}.{key}" for key in columns],
        name=f"fk_{table}_{parent}",
        ondelete="CASCADE",
    )


def _names(table: str, other: str) -> sa.ForeignKeyConstraint:
    """Point to a row of the same circle that must not be deleted while it is pointed to."""
    columns = ["circle_id", f"{other}_id"]
    return sa.ForeignKeyConstraint(
        columns, [f"{other}.{key}" for key in columns], name=f"fk_{table}_{other}"
    )
