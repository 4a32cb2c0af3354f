"""Fees and prizes of tournaments, and their public pages."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from scorer.errors import ScorerError

revision = "2026_11_29_fees"
down_revision = "2026_11_29_slips"

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")
KEY = ["circle_id", "tournament_id"]
INDEX = "ix_ledger_entry_circle_id_tournament_id"
ONE_SUBJECT = "(session_id IS NULL) <> (tournament_id IS NULL)"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("prizes", JSON, nullable=True))
    for name in ("ledger_entry", "public_page"):
        with op.batch_alter_table(name) as table:
            table.add_column(sa.Column("tournament_id", sa.Uuid(), nullable=True))
            table.create_foreign_key(
                op.f(f"fk_{name}_tournament"), "tournament", KEY, KEY, ondelete="CASCADE"
            )
    op.create_index(op.f(INDEX), "ledger_entry", KEY)
    with op.batch_alter_table("public_page") as table:
        table.alter_column("session_id", existing_type=sa.Uuid(), nullable=True)
        table.create_check_constraint(op.f("ck_public_page_subject"), ONE_SUBJECT)


def downgrade() -> None:
    pages = sa.table("public_page", sa.column("session_id", sa.Uuid()))
    of_tournaments = sa.select(sa.func.count()).where(pages.c.session_id.is_(None))
    if count := op.get_bind().scalar(of_tournaments):
        raise ScorerError(
            f"{count} public pages of tournaments are stored, which the older version cannot read"
        )
    with op.batch_alter_table("public_page") as table:
        table.drop_constraint(op.f("ck_public_page_subject"), type_="check")
        table.alter_column("session_id", existing_type=sa.Uuid(), nullable=False)
    op.drop_index(op.f(INDEX), "ledger_entry")
    for name in ("ledger_entry", "public_page"):
        with op.batch_alter_table(name) as table:
            table.drop_constraint(op.f(f"fk_{name}_tournament"), type_="foreignkey")
            table.drop_column("tournament_id")
    op.drop_column("tournament", "prizes")
