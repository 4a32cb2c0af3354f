"""Keys of programs."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_26_program_keys"
down_revision = "2026_11_24_tables"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "program_key",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=True),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_program_key_name")),
        sa.CheckConstraint(
            "role IN ('owner', 'scorekeeper', 'player', 'spectator')",
            name=op.f("ck_program_key_role"),
        ),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name=op.f("fk_program_key_circle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "key_id", name=op.f("pk_program_key")),
    )


def downgrade() -> None:
    op.execute("DELETE FROM link_secret WHERE link_id IN (SELECT key_id FROM program_key)")
    op.drop_table("program_key")
