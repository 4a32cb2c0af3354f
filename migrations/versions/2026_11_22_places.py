"""Players keep their places when two others are merged."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_places"
down_revision = "2026_11_22_zone"


def upgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.add_column(sa.Column("gone", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.drop_column("gone")
