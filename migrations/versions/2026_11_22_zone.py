"""The time zone of a circle."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_zone"
down_revision = "2026_11_22_spoken_codes"


def upgrade() -> None:
    with op.batch_alter_table("circle") as circle:
        circle.add_column(sa.Column("zone", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("circle") as circle:
        circle.drop_column("zone")
