"""The timers of turns that end by the clock."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_29_timers"
down_revision = "2026_11_29_evenings"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "timer",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("paused", MOMENT, nullable=True),
        sa.CheckConstraint("minutes >= 1", name=op.f("ck_timer_minutes")),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            name=op.f("fk_timer_card_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "session_id", name=op.f("pk_timer")),
    )


def downgrade() -> None:
    op.drop_table("timer")
