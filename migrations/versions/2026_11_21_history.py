"""What the history asks of deals and payouts is answered by their indexes alone."""

from alembic import op

revision = "2026_11_21_history"
down_revision = "2026_11_21_evenings"

OF_SESSION = ["circle_id", "session_id"]
STANDS = [*OF_SESSION, "voided", "outcome", "number"]
STANDING = "ix_deal_circle_id_session_id_voided_outcome_number"
PAID = [*OF_SESSION, "seat", "number", "amount"]


def upgrade() -> None:
    op.drop_index(STANDING, table_name="deal")
    op.create_index("ix_deal_history", "deal", [*STANDS, "made", "bid", "disputed", "amended"])
    op.drop_index("ix_payout_balance", table_name="payout")
    op.create_index("ix_payout_balance", "payout", [*PAID, "role"])


def downgrade() -> None:
    op.drop_index("ix_payout_balance", table_name="payout")
    op.create_index("ix_payout_balance", "payout", PAID)
    op.drop_index("ix_deal_history", table_name="deal")
    op.create_index(STANDING, "deal", STANDS)
