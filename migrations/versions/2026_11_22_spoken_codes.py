"""Codes that are said aloud, each of which leads to a link for ten minutes."""

import sqlalchemy as sa
from alembic import op

from scorer.storage import revising

revision = "2026_11_22_spoken_codes"
down_revision = "2026_11_22_proposals"


def upgrade() -> None:
    op.create_table(
        "spoken_code",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("expires_at", revising.MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "link_id"],
            ["link.circle_id", "link.link_id"],
            name=op.f("fk_spoken_code_link"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", name=op.f("pk_spoken_code")),
    )


def downgrade() -> None:
    op.drop_table("spoken_code")
