"""The seasons that a circle names."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_seasons"
down_revision = "2026_11_23_public_page"


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("season_id", sa.Uuid(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], op.f("fk_season_circle"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("circle_id", "name", name=op.f("uq_season_circle_id_name")),
        sa.CheckConstraint("length(name) > 0", op.f("ck_season_name")),
        sa.CheckConstraint("last_day >= first_day", op.f("ck_season_last_day")),
    )


def downgrade() -> None:
    op.drop_table("season")
