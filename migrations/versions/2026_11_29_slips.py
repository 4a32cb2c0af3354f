"""The phones that slips let write at tables of tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_29_slips"
down_revision = "2026_11_29_tournaments"


def upgrade() -> None:
    op.create_table(
        "table_phone",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("phone_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_table_phone_phone"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_table_phone_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "phone_id", name=op.f("pk_table_phone")),
    )


def downgrade() -> None:
    op.drop_table("table_phone")
