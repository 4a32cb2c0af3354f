"""The tables, as of the day from which on migrations are kept."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_24_tables"
down_revision = None

TABLES = (
    "circle",
    "link",
    "link_secret",
    "spoken_code",
    "player",
    "phone",
    "season",
    "throttle",
    "rule_set",
    "rule_set_version",
    "card_session",
    "session_change",
    "seat",
    "public_page",
    "deal",
    "deal_version",
    "payout",
    "review",
    "play",
    "started_deal",
    "ledger_entry",
    "posting",
    "note",
    "photo",
    "journal_entry",
)
MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")
START = "0" * 64


def upgrade() -> None:
    _circles()
    _rule_sets()
    _sessions()
    _deals()
    _money()
    _notes()
    _journal()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)


def _circles() -> None:
    op.create_table(
        "circle",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("zone", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("currency", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("journaled", sa.Integer(), server_default="0", nullable=False),
        sa.Column("chain", sa.String(), server_default=START, nullable=False),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_circle_name")),
        sa.PrimaryKeyConstraint("circle_id", name=op.f("pk_circle")),
    )
    op.create_table(
        "link",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.Column("expires_at", MOMENT, nullable=True),
        sa.Column("once", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')", name=op.f("ck_link_role")
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_link_circle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "link_id", name=op.f("pk_link")),
    )
    op.create_table(
        "link_secret",
        sa.Column("secret_hash", sa.String(), nullable=False),
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_link_secret")),
    )
    op.create_index("ix_link_secret_circle_id_link_id", "link_secret", ["circle_id", "link_id"])
    op.create_table(
        "spoken_code",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "link_id"],
            ["link.circle_id", "link.link_id"],
            name=op.f("fk_spoken_code_link"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", name=op.f("pk_spoken_code")),
    )
    op.create_table(
        "player",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("retired_at", MOMENT, nullable=True),
        sa.Column("merged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("nickname", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_player_name")),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_player_circle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "player_id", name=op.f("pk_player")),
        sa.UniqueConstraint("circle_id", "name", name=op.f("uq_player_circle_id_name")),
    )
    op.create_table(
        "phone",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), server_default="spectator", nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=True),
        sa.Column("link_id", sa.Uuid(), nullable=True),
        sa.Column("joined_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.Column("last_seen_at", MOMENT, nullable=True),
        sa.Column("browser", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')", name=op.f("ck_phone_role")
        ),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_phone_name")),
        sa.ForeignKeyConstraint(
            ["circle_id", "link_id"], ["link.circle_id", "link.link_id"], name=op.f("fk_phone_link")
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name=op.f("fk_phone_player"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_phone_circle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "phone_id", name=op.f("pk_phone")),
    )
    op.create_table(
        "season",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("last_day >= first_day", name=op.f("ck_season_last_day")),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_season_name")),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_season_circle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "season_id", name=op.f("pk_season")),
        sa.UniqueConstraint("circle_id", "name", name=op.f("uq_season_circle_id_name")),
    )
    op.create_table(
        "throttle",
        sa.Column("address_hash", sa.String(), nullable=False),
        sa.Column("minute", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.CheckConstraint("requests >= 1", name=op.f("ck_throttle_requests")),
        sa.PrimaryKeyConstraint("address_hash", "minute", name=op.f("pk_throttle")),
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
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_rule_set_circle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("circle_id", "rule_set_id", name=op.f("pk_rule_set")),
        sa.UniqueConstraint(
            "circle_id", "game", "name", name=op.f("uq_rule_set_circle_id_game_name")
        ),
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
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_rule_set_version_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "rule_set_id"],
            ["rule_set.circle_id", "rule_set.rule_set_id"],
            name=op.f("fk_rule_set_version_rule_set"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "circle_id", "rule_set_id", "version", name=op.f("pk_rule_set_version")
        ),
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
        sa.Column("changes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("written", sa.Integer(), server_default="0", nullable=False),
        sa.Column("chain", sa.String(), server_default=START, nullable=False),
        sa.CheckConstraint(
            "first_dealer BETWEEN 0 AND 9", name=op.f("ck_card_session_first_dealer")
        ),
        sa.CheckConstraint("next_number >= 1", name=op.f("ck_card_session_next_number")),
        sa.CheckConstraint("stake_cents >= 0", name=op.f("ck_card_session_stake_cents")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_card_session_version")),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name=op.f("fk_card_session_circle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name=op.f("pk_card_session")),
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
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint(
            "(rules IS NULL) <> (seats IS NULL)", name=op.f("ck_session_change_kind")
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_session_change_dealer")),
        sa.CheckConstraint("from_number >= 1", name=op.f("ck_session_change_from_number")),
        sa.CheckConstraint(
            "until_number >= from_number", name=op.f("ck_session_change_until_number")
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_session_change_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_session_change_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "circle_id", "session_id", "serial", name=op.f("pk_session_change")
        ),
    )
    op.create_table(
        "seat",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("opening", sa.BigInteger(), nullable=False),
        sa.Column("joined", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_seat_seat")),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name=op.f("fk_seat_player"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_seat_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint(
            "circle_id",
            "session_id",
            "player_id",
            name=op.f("uq_seat_circle_id_session_id_player_id"),
        ),
    )
    op.create_index("ix_seat_circle_id_player_id", "seat", ["circle_id", "player_id"])
    op.create_table(
        "public_page",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("page_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("names", sa.Boolean(), nullable=False),
        sa.Column("money", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_public_page_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "page_id", name=op.f("pk_public_page")),
    )
    op.create_index(
        "ix_public_page_circle_id_session_id", "public_page", ["circle_id", "session_id"]
    )


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
        sa.Column("disputed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("bid", sa.String(), nullable=True),
        sa.Column("made", sa.Boolean(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("recorded_at", MOMENT, nullable=False),
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
            name=op.f("fk_deal_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", name=op.f("pk_deal")),
        sa.UniqueConstraint(
            "circle_id", "session_id", "number", name=op.f("uq_deal_circle_id_session_id_number")
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
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("sits_out", JSON, nullable=False),
        sa.Column("stored", JSON, nullable=True),
        sa.Column("voided", sa.Boolean(), nullable=False),
        sa.Column("payouts", JSON, nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("change", sa.Integer(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
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
            name=op.f("fk_deal_version_deal"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_deal_version_phone"),
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name=op.f("pk_deal_version")),
    )
    op.create_table(
        "payout",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("seat BETWEEN 0 AND 9", name=op.f("ck_payout_seat")),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id", "number"],
            ["deal.circle_id", "deal.session_id", "deal.number"],
            name=op.f("fk_payout_deal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "circle_id", "session_id", "number", "seat", name=op.f("pk_payout")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_payout_balance",
        "payout",
        ["circle_id", "session_id", "seat", "number", "amount", "role"],
    )
    op.create_table(
        "review",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("review", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("proposal", JSON, nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("kind IN ('dispute', 'confirm', 'uphold')", name=op.f("ck_review_kind")),
        sa.CheckConstraint("review >= 1", name=op.f("ck_review_review")),
        sa.ForeignKeyConstraint(
            ["circle_id", "deal_id"],
            ["deal.circle_id", "deal.deal_id"],
            name=op.f("fk_review_deal"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_review_phone"),
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "review", name=op.f("pk_review")),
    )
    op.create_table(
        "play",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("cards", JSON, nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_play_version")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_play_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_play_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name=op.f("pk_play")),
    )
    op.create_index("ix_play_circle_id_session_id", "play", ["circle_id", "session_id"])
    op.create_table(
        "started_deal",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("deal_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("stored", JSON, nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_started_deal_dealer")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_started_deal_number")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_started_deal_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_started_deal_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name=op.f("pk_started_deal")),
    )


def _money() -> None:
    op.create_table(
        "ledger_entry",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("entry_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("way", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("stake_cents", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fee_cents", sa.Integer(), server_default="0", nullable=False),
        sa.Column("means", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("note", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("confirmed_at", MOMENT, nullable=True),
        sa.Column("voided_at", MOMENT, nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint(
            "kind IN ('evening', 'correction', 'payment', 'cost')",
            name=op.f("ck_ledger_entry_kind"),
        ),
        sa.CheckConstraint("fee_cents >= 0", name=op.f("ck_ledger_entry_fee_cents")),
        sa.CheckConstraint("stake_cents >= 0", name=op.f("ck_ledger_entry_stake_cents")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_ledger_entry_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_ledger_entry_card_session"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name=op.f("fk_ledger_entry_circle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "entry_id", name=op.f("pk_ledger_entry")),
    )
    op.create_index(
        "ix_ledger_entry_circle_id_at_entry_id", "ledger_entry", ["circle_id", "at", "entry_id"]
    )
    op.create_index(
        "ix_ledger_entry_circle_id_session_id", "ledger_entry", ["circle_id", "session_id"]
    )
    op.create_table(
        "posting",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("entry_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("line >= 0", name=op.f("ck_posting_line")),
        sa.ForeignKeyConstraint(
            ["circle_id", "entry_id"],
            ["ledger_entry.circle_id", "ledger_entry.entry_id"],
            name=op.f("fk_posting_ledger_entry"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name=op.f("fk_posting_player"),
        ),
        sa.PrimaryKeyConstraint("circle_id", "entry_id", "line", name=op.f("pk_posting")),
    )
    op.create_index("ix_posting_circle_id_player_id", "posting", ["circle_id", "player_id"])


def _notes() -> None:
    op.create_table(
        "note",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("note_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("photo", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("length(text) + length(photo) > 0", name=op.f("ck_note_text")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_note_number")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_note_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_note_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "note_id", name=op.f("pk_note")),
    )
    op.create_table(
        "photo",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("note_id", sa.Uuid(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id", "note_id"],
            ["note.circle_id", "note.session_id", "note.note_id"],
            name=op.f("fk_photo_note"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "note_id", name=op.f("pk_photo")),
    )


def _journal() -> None:
    op.create_table(
        "journal_entry",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("serial", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("before", JSON, nullable=True),
        sa.Column("after", JSON, nullable=True),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("length(kind) > 0", name=op.f("ck_journal_entry_kind")),
        sa.CheckConstraint("serial >= 1", name=op.f("ck_journal_entry_serial")),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_journal_entry_phone"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name=op.f("fk_journal_entry_circle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "serial", name=op.f("pk_journal_entry")),
    )
    op.create_index(
        "ix_journal_entry_circle_id_at_serial", "journal_entry", ["circle_id", "at", "serial"]
    )
    op.create_index(
        "ix_journal_entry_circle_id_kind_serial", "journal_entry", ["circle_id", "kind", "serial"]
    )
    op.create_index(
        "ix_journal_entry_circle_id_subject_key_serial",
        "journal_entry",
        ["circle_id", "subject", "key", "serial"],
    )
    op.create_index(
        "ix_journal_entry_circle_id_written_by_serial",
        "journal_entry",
        ["circle_id", "written_by", "serial"],
    )
