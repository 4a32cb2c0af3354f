"""No more web hooks: a program listens to events with its key."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "2026_11_28_no_web_hooks"
down_revision = "2026_11_26_web_hooks"

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.drop_table("hook_message")
    op.drop_table("hook")


def downgrade() -> None:
    op.create_table(
        "hook",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("hook_id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("events", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at", MOMENT, nullable=True),
        sa.Column("failed_at", MOMENT, nullable=True),
        sa.Column("failure", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("given_up_at", MOMENT, nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_hook_attempts")),
        sa.CheckConstraint("length(address) > 0", name=op.f("ck_hook_address")),
        sa.CheckConstraint("length(events) > 0", name=op.f("ck_hook_events")),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], name=op.f("fk_hook_circle"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name=op.f("fk_hook_phone"),
        ),
        sa.PrimaryKeyConstraint("circle_id", "hook_id", name=op.f("pk_hook")),
    )
    op.create_table(
        "hook_message",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("hook_id", sa.Uuid(), nullable=False),
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("body", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "hook_id"],
            ["hook.circle_id", "hook.hook_id"],
            name=op.f("fk_hook_message_hook"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("circle_id", "hook_id", "message_id", name=op.f("pk_hook_message")),
    )
