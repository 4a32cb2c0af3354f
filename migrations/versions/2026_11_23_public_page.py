"""Public pages of evenings."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_public_page"
down_revision = "2026_11_22_ledger"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "public_page",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("page_id", sa.Uuid(), primary_key=True),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("names", sa.Boolean(), nullable=False),
        sa.Column("money", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            op.f("fk_public_page_card_session"),
            ondelete="CASCADE",
        ),
    )
    name = op.f("ix_public_page_circle_id_session_id")
    op.create_index(name, "public_page", ["circle_id", "session_id"])


def downgrade() -> None:
    op.drop_table("public_page")
    op.execute(
        "DELETE FROM link_secret WHERE NOT EXISTS (SELECT 1 FROM link WHERE link.circle_id"
        " = link_secret.circle_id AND link.link_id = link_secret.link_id)"
    )
