"""The nicknames of players."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_nicknames"
down_revision = "2026_11_23_seasons"


def upgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.add_column(sa.Column("nickname", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.drop_column("nickname")
