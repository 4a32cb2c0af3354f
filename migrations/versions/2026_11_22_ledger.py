"""The ledger of a circle, and its currency."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_ledger"
down_revision = "2026_11_22_places"

MOMENT = sa.DateTime(timezone=True)
KINDS = "kind IN ('evening', 'correction', 'payment', 'cost')"


def upgrade() -> None:
    with op.batch_alter_table("circle") as circle:
        circle.add_column(sa.Column("currency", sa.String(), nullable=False, server_default=""))
    _add_entries()
    _add_postings()


def _add_entries() -> None:
    op.create_table(
        "ledger_entry",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("entry_id", sa.Uuid(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("session_id", sa.Uuid()),
        sa.Column("number", sa.Integer()),
        sa.Column("way", sa.String(), nullable=False, server_default=""),
        sa.Column("stake_cents", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("fee_cents", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("means", sa.String(), nullable=False, server_default=""),
        sa.Column("note", sa.String(), nullable=False, server_default=""),
        sa.Column("phone_id", sa.Uuid()),
        sa.Column("written_by", sa.String()),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("confirmed_at", MOMENT),
        sa.Column("voided_at", MOMENT),
        sa.ForeignKeyConstraint(
            ["circle_id"], ["circle.circle_id"], op.f("fk_ledger_entry_circle"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            op.f("fk_ledger_entry_card_session"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            op.f("fk_ledger_entry_phone"),
        ),
        sa.CheckConstraint(KINDS, op.f("ck_ledger_entry_kind")),
        sa.CheckConstraint("stake_cents >= 0", op.f("ck_ledger_entry_stake_cents")),
        sa.CheckConstraint("fee_cents >= 0", op.f("ck_ledger_entry_fee_cents")),
    )
    for columns in (("at", "entry_id"), ("session_id",)):
        name = "_".join(("ix_ledger_entry_circle_id", *columns))
        op.create_index(op.f(name), "ledger_entry", ["circle_id", *columns])


def _add_postings() -> None:
    op.create_table(
        "posting",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("entry_id", sa.Uuid(), primary_key=True),
        sa.Column("line", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Uuid(), nullable=False),
        sa.Column("cents", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "entry_id"],
            ["ledger_entry.circle_id", "ledger_entry.entry_id"],
            op.f("fk_posting_ledger_entry"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "player_id"],
            ["player.circle_id", "player.player_id"],
            op.f("fk_posting_player"),
        ),
        sa.CheckConstraint("line >= 0", op.f("ck_posting_line")),
    )
    op.create_index(op.f("ix_posting_circle_id_player_id"), "posting", ["circle_id", "player_id"])


def downgrade() -> None:
    op.drop_table("posting")
    op.drop_table("ledger_entry")
    with op.batch_alter_table("circle") as circle:
        circle.drop_column("currency")
