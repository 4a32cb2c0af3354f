"""The first tables: circles and who plays in them, sessions and their deals."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_21_tables"
down_revision = None

TABLES = (
    "circle",
    "link",
    "link_secret",
    "player",
    "phone",
    "card_session",
    "seat",
    "deal",
    "deal_version",
    "payout",
    "started_deal",
)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    _circles()
    _sessions()
    _deals()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _circles() -> None:
    op.create_table(
        "circle",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_circle_name")),
        sa.PrimaryKeyConstraint("circle_id", name="pk_circle"),
    )
    op.create_table(
        "link",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')", name=op.f("ck_link_role")
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name="fk_link_circle", ondelete="CASCADE"
        ),
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
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_player_name")),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name="fk_player_circle", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "player_id", name="pk_player"),
        sa.UniqueConstraint("circle_id", "name", name="uq_player_circle_id_name"),
    )
    op.create_table(
        "phone",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=True),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_phone_name")),
        sa.ForeignKeyConstraint(
            ["circle_id", "link_id"], ["link.circle_id", "link.link_id"], name="fk_phone_link"
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name="fk_phone_player",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name="fk_phone_circle", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "phone_id", name="pk_phone"),
    )


def _sessions() -> None:
    op.create_table(
        "card_session",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("rules", JSON, nullable=False),
        sa.Column("first_dealer", sa.Integer(), nullable=False),
        sa.Column("stake_cents", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_number", sa.Integer(), nullable=False),
        sa.Column("finished_number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "first_dealer BETWEEN 0 AND 9", name=op.f("ck_card_session_first_dealer")
        ),
        sa.CheckConstraint("next_number >= 1", name=op.f("ck_card_session_next_number")),
        sa.CheckConstraint("stake_cents >= 0", name=op.f("ck_card_session_stake_cents")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_card_session_version")),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name="fk_card_session_circle",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name="pk_card_session"),
    )
    op.create_index(
        "ix_card_session_circle_id_started_at_session_id",
        "card_session",
        ["circle_id", "started_at", "session_id"],
    )
    op.create_table(
        "seat",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("opening", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_seat_seat")),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name="fk_seat_player",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name="fk_seat_card_session",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "seat", name="pk_seat"),
        sa.UniqueConstraint(
            "circle_id",
            "session_id",
            "player_id",
            name="uq_seat_circle_id_session_id_player_id",
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
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('played', 'misdeal', 'all-passed', 'thrown-in', 'redeal', 'penalty')",
            name=op.f("ck_deal_outcome"),
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_deal_dealer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_deal_number")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_deal_version")),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name="fk_deal_card_session",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", name="pk_deal"),
        sa.UniqueConstraint(
            "circle_id", "session_id", "number", name="uq_deal_circle_id_session_id_number"
        ),
    )
    op.create_index(
        "ix_deal_circle_id_session_id_voided_outcome_number",
        "deal",
        ["circle_id", "session_id", "voided", "outcome", "number"],
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
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "act IN ('record', 'amend', 'void', 'restore')", name=op.f("ck_deal_version_act")
        ),
        sa.CheckConstraint(
            "outcome IN ('played', 'misdeal', 'all-passed', 'thrown-in', 'redeal', 'penalty')",
            name=op.f("ck_deal_version_outcome"),
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_deal_version_dealer")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_deal_version_version")),
        sa.ForeignKeyConstraint(
            ["circle_id", "deal_id"],
            ["deal.circle_id", "deal.deal_id"],
            name="fk_deal_version_deal",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name="fk_deal_version_phone",
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name="pk_deal_version"),
    )
    op.create_table(
        "payout",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_payout_seat")),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id", "number"],
            ["deal.circle_id", "deal.session_id", "deal.number"],
            name="fk_payout_deal",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "number", "seat", name="pk_payout"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_payout_balance", "payout", ["circle_id", "session_id", "seat", "number", "amount"]
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
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_started_deal_dealer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_started_deal_number")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name="fk_started_deal_phone",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name="fk_started_deal_card_session",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name="pk_started_deal"),
    )
