"""Seasons say what the places of their tournaments are worth, and how many count."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_29_seasons"
down_revision = "2026_11_29_fees"

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    with op.batch_alter_table("season") as table:
        table.add_column(sa.Column("place_points", JSON, nullable=True))
        table.add_column(sa.Column("best", sa.Integer(), nullable=True))
        table.create_check_constraint(op.f("ck_season_best"), "best >= 1")


def downgrade() -> None:
    with op.batch_alter_table("season") as table:
        table.drop_constraint(op.f("ck_season_best"), type_="check")
        table.drop_column("best")
        table.drop_column("place_points")
