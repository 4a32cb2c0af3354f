"""What a dispute proposes, beside its reason."""

import sqlalchemy as sa
from alembic import op

from scorer.storage import adoption, revising

revision = "2026_11_22_proposals"
down_revision = "2026_11_22_journal"

#: What the circles have by now beside what they had before the journal.
ADDED = {
    "circle": "journaled chain",
    "journal_entry": revising.ENTRY,
    "opinion": "chained chain proposal",
    "trick_record": "chained chain",
}


def upgrade() -> None:
    with op.batch_alter_table("opinion") as opinion:
        opinion.add_column(sa.Column("proposal", revising.JSON, nullable=True))


def downgrade() -> None:
    """The version before knows no proposal: sessions with one are chained anew without."""
    for rows in revising.circles(op.get_bind(), ADDED):
        before = {table: [dict(row) for row in rows[table]] for table in revising.CHAINED}
        adoption.drop_proposals(rows)
        revising.keep(op.get_bind(), before, rows)
    with op.batch_alter_table("opinion") as opinion:
        opinion.drop_column("proposal")
