"""The journal of each circle, and what is new of links, phones and the chain of a session.

What stands there is taken over into the journal, and sessions are chained anew from it.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from scorer.storage import adoption, revising
from scorer.storage.revising import JSON, MOMENT

revision = "2026_11_22_journal"
down_revision = "2026_11_21_history"

START = "0" * 64

NEW_COLUMNS = {
    "circle": "journaled chain",
    "link": "expires_at once",
    "phone": "last_seen_at browser",
    "opinion": "chained chain",
    "trick_record": "chained chain",
}


def upgrade() -> None:
    _add_columns()
    op.create_table(
        "journal_entry",
        sa.Column("circle_id", sa.Uuid(), nullable=False),
        sa.Column("serial", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("before", JSON, nullable=True),
        sa.Column("after", JSON, nullable=True),
        sa.Column("phone_id", sa.Uuid(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.CheckConstraint("serial >= 1", name=op.f("ck_journal_entry_serial")),
        sa.CheckConstraint("length(kind) > 0", name=op.f("ck_journal_entry_kind")),
        sa.ForeignKeyConstraint(
            ["circle_id"],
            ["circle.circle_id"],
            name="fk_journal_entry_circle",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            name="fk_journal_entry_phone",
        ),
        sa.PrimaryKeyConstraint("circle_id", "serial", name="pk_journal_entry"),
    )
    for columns in ("subject key serial", "kind serial", "written_by serial", "at serial"):
        name = "_".join(["ix_journal_entry_circle_id", *columns.split()])
        op.create_index(name, "journal_entry", ["circle_id", *columns.split()])
    at = datetime.now(UTC)
    for rows in revising.circles(op.get_bind()):
        before = {table: [dict(row) for row in rows[table]] for table in revising.CHAINED}
        adoption.adopt(rows, at)
        op.bulk_insert(revising.table("journal_entry", revising.ENTRY), rows["journal_entry"])
        revising.keep(op.get_bind(), before, rows)


def _add_columns() -> None:
    with op.batch_alter_table("circle") as circle:
        circle.add_column(sa.Column("journaled", sa.Integer(), nullable=False, server_default="0"))
        circle.add_column(sa.Column("chain", sa.String(), nullable=False, server_default=START))
    with op.batch_alter_table("link") as link:
        link.add_column(sa.Column("expires_at", MOMENT, nullable=True))
        link.add_column(sa.Column("once", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("phone") as phone:
        phone.add_column(sa.Column("last_seen_at", MOMENT, nullable=True))
        phone.add_column(
            sa.Column("browser", sa.String(), nullable=False, server_default=sa.text("''"))
        )
    for table in ("opinion", "trick_record"):
        with op.batch_alter_table(table) as chained:
            chained.add_column(
                sa.Column("chained", sa.Integer(), nullable=False, server_default="0")
            )
            chained.add_column(
                sa.Column("chain", sa.String(), nullable=False, server_default=START)
            )


def downgrade() -> None:
    for rows in revising.circles(op.get_bind(), NEW_COLUMNS | {"journal_entry": revising.ENTRY}):
        before = {table: [dict(row) for row in rows[table]] for table in revising.CHAINED}
        adoption.give_back(rows)
        revising.keep(op.get_bind(), before, rows)
    _revoke_links_that_would_last()
    op.drop_table("journal_entry")
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as older:
            for column in columns.split():
                older.drop_column(column)


def _revoke_links_that_would_last() -> None:
    """The version before would let phones in for ever by links that were not meant so."""
    link = revising.table("link", "revoked_at expires_at once")
    lasting = sa.and_(link.c.revoked_at.is_(None), link.c.once | link.c.expires_at.is_not(None))
    op.get_bind().execute(sa.update(link).where(lasting).values(revoked_at=datetime.now(UTC)))
