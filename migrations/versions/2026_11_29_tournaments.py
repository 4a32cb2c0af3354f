"""Club evenings: who takes part, the turns, and which session a table is."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_29_tournaments"
down_revision = "2026_11_29_timers"

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "tournament",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules", JSON, nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_tournament_name")),
        sa.CheckConstraint("people BETWEEN 1 AND 2", name=op.f("ck_tournament_people")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_tournament_version")),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name=op.f("fk_tournament_circle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "tournament_id", name=op.f("pk_tournament")),
    )
    op.create_index(
        op.f("ix_tournament_circle_id_started_at_tournament_id"),
        "tournament",
        ["circle_id", "started_at", "tournament_id"],
    )
    op.create_table(
        "tournament_entry",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Integer(), nullable=True),
        sa.CheckConstraint("entry >= 1", name=op.f("ck_tournament_entry_entry")),
        sa.CheckConstraint("first >= 1", name=op.f("ck_tournament_entry_first")),
        sa.CheckConstraint("withdrawn >= 1", name=op.f("ck_tournament_entry_withdrawn")),
        _within("tournament_entry", "tournament", "tournament_id"),
        sa.PrimaryKeyConstraint(
            "circle_id", "tournament_id", "entry", name=op.f("pk_tournament_entry")
        ),
    )
    op.create_table(
        "tournament_player",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint("place BETWEEN 0 AND 1", name=op.f("ck_tournament_player_place")),
        _within("tournament_player", "tournament_entry", "tournament_id", "entry"),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            name=op.f("fk_tournament_player_player"),
        ),
        sa.PrimaryKeyConstraint(
            "circle_id", "tournament_id", "entry", "place", name=op.f("pk_tournament_player")
        ),
        sa.UniqueConstraint(
            "circle_id",
            "tournament_id",
            "player_id",
            name=op.f("uq_tournament_player_circle_id_tournament_id_player_id"),
        ),
    )
    op.create_index(
        op.f("ix_tournament_player_circle_id_player_id"),
        "tournament_player",
        ["circle_id", "player_id"],
    )
    op.create_table(
        "tournament_turn",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("seating", JSON, nullable=False),
        sa.Column("penalties", JSON, nullable=False),
        sa.Column("published_at", MOMENT, nullable=True),
        sa.CheckConstraint("turn >= 1", name=op.f("ck_tournament_turn_turn")),
        sa.CheckConstraint("drawn >= 1", name=op.f("ck_tournament_turn_drawn")),
        _within("tournament_turn", "tournament", "tournament_id"),
        sa.PrimaryKeyConstraint(
            "circle_id", "tournament_id", "turn", name=op.f("pk_tournament_turn")
        ),
    )
    op.create_table(
        "tournament_table",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("tournament_id", sa.Uuid(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("scores", JSON, nullable=True),
        sa.Column("forfeit", sa.Integer(), nullable=True),
        sa.CheckConstraint("number >= 1", name=op.f("ck_tournament_table_number")),
        _within("tournament_table", "tournament_turn", "tournament_id", "turn"),
        _within("tournament_table", "card_session", "session_id"),
        sa.PrimaryKeyConstraint(
            "circle_id", "tournament_id", "turn", "number", name=op.f("pk_tournament_table")
        ),
        sa.UniqueConstraint(
            "circle_id", "session_id", name=op.f("uq_tournament_table_circle_id_session_id")
        ),
    )


def downgrade() -> None:
    for table in ("table", "turn", "player", "entry"):
        op.drop_table(f"tournament_{table}")
    op.drop_table("tournament")


def _within(table: str, parent: str, *columns: str) -> sa.ForeignKeyConstraint:
    keys = ["circle_id", *columns]
    return sa.ForeignKeyConstraint(
        keys,
        [f"{parent}.{key}" for key in keys],
        name=op.f(f"fk_{table}_{parent}"),
        ondelete="CASCADE",
    )
