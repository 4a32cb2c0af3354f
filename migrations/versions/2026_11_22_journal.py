"""The journal of each circle, and what is new of links, phones and the chain of a session.

What stands there is taken over into the journal, and sessions are chained anew from it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from scorer.storage import adoption

revision = "2026_11_22_journal"
down_revision = adoption.REVISION

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
START = "0" * 64

#: The columns that matter for taking a circle over, of the tables that do.
COLUMNS = {
    "circle": "circle_id name created_at",
    "link": "circle_id link_id role name created_at revoked_at",
    "player": "circle_id player_id name created_at retired_at",
    "phone": "circle_id phone_id name role player_id link_id joined_at revoked_at",
    "rule_set": "circle_id rule_set_id game name created_at retired_at",
    "rule_set_version": "circle_id rule_set_id version rules phone_id written_by at",
    "card_session": (
        "circle_id session_id game title rules rule_set_id rule_set_version first_dealer "
        "stake_cents started_at ended_at written chain"
    ),
    "session_change": (
        "circle_id session_id serial from_number until_number rules rule_set_id rule_set_version "
        "seats sits_out dealer phone_id written_by reason at chain"
    ),
    "seat": "circle_id session_id seat player_id opening joined",
    "deal": "circle_id deal_id session_id number recorded_at",
    "deal_version": (
        "circle_id deal_id version act outcome dealer sits_out sheet voided payouts phone_id "
        "written_by reason change at serial chain"
    ),
    "opinion": "circle_id deal_id serial kind version phone_id written_by reason at",
    "trick_record": ("circle_id deal_id version session_id record note phone_id written_by at"),
    "started_deal": "circle_id session_id deal_id number dealer sheet phone_id at",
}
NEW_COLUMNS = {
    "circle": "journaled chain",
    "link": "expires_at once",
    "phone": "last_seen_at browser",
    "opinion": "chained chain",
    "trick_record": "chained chain",
}
ENTRY = "circle_id serial kind subject key before after phone_id written_by at chain"
#: What taking over, or giving back, may change of a row: its key, and the columns.
CHANGED = {
    "circle": ("circle_id", "journaled chain"),
    "card_session": ("circle_id session_id", "written chain"),
    "session_change": ("circle_id session_id serial", "serial chain"),
    "seat": ("circle_id session_id seat", "joined"),
    "deal": ("circle_id deal_id", "recorded_at"),
    "deal_version": ("circle_id deal_id version", "serial change chain"),
    "opinion": ("circle_id deal_id serial", "chained chain"),
    "trick_record": ("circle_id deal_id version", "chained chain"),
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
    for rows in _circles():
        before = {table: [dict(row) for row in rows[table]] for table in CHANGED}
        adoption.adopt(rows, at)
        op.bulk_insert(_table("journal_entry", ENTRY), rows["journal_entry"])
        _keep(before, rows)


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
    for rows in _circles(NEW_COLUMNS | {"journal_entry": ENTRY}):
        before = {table: [dict(row) for row in rows[table]] for table in CHANGED}
        adoption.give_back(rows)
        _keep(before, rows)
    _revoke_links_that_would_last()
    op.drop_table("journal_entry")
    for table, columns in NEW_COLUMNS.items():
        with op.batch_alter_table(table) as older:
            for column in columns.split():
                older.drop_column(column)


def _revoke_links_that_would_last() -> None:
    """The version before would let phones in for ever by links that were not meant so."""
    link = _table("link", "revoked_at expires_at once")
    lasting = sa.and_(link.c.revoked_at.is_(None), link.c.once | link.c.expires_at.is_not(None))
    op.get_bind().execute(sa.update(link).where(lasting).values(revoked_at=datetime.now(UTC)))


def _circles(new: dict[str, str] | None = None) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """Read one circle after the other, with what is new in its tables where that is asked for."""
    bind, circle = op.get_bind(), _table("circle", "circle_id")
    columns = {table: COLUMNS.get(table, "") for table in (*COLUMNS, *(new or {}))}
    columns = {table: f"{old} {(new or {}).get(table, '')}" for table, old in columns.items()}
    for circle_id in list(bind.scalars(sa.select(circle.c.circle_id))):
        yield {
            name: [
                {column: _aware(value) for column, value in row.items()}
                for row in bind.execute(
                    sa.select(table).where(table.c.circle_id == circle_id)
                ).mappings()
            ]
            for name, table in ((name, _table(name, listed)) for name, listed in columns.items())
        }


def _keep(before: dict[str, list[dict[str, Any]]], rows: dict[str, list[dict[str, Any]]]) -> None:
    """Write what was changed of the rows; those that keep a place of their own in its order."""
    for name, (key, columns) in CHANGED.items():
        table = _table(name, f"{key} {columns}")
        statement = (
            sa.update(table)
            .where(*(table.c[column] == sa.bindparam(f"of_{column}") for column in key.split()))
            .values({column: sa.bindparam(f"new_{column}") for column in columns.split()})
        )
        changed = [
            {f"of_{column}": old[column] for column in key.split()}
            | {f"new_{column}": row[column] for column in columns.split()}
            for old, row in sorted(
                zip(before[name], rows[name], strict=True),
                key=lambda both: both[1].get("serial", 0),
            )
            if any(old.get(column) != row[column] for column in columns.split())
        ]
        if changed:
            op.get_bind().execute(statement, changed)


def _table(name: str, columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(column, _type(column)) for column in columns.split()))


def _type(column: str) -> sa.types.TypeEngine[Any]:
    if column.endswith("_id"):
        return sa.Uuid()
    if column == "at" or column.endswith("_at"):
        return MOMENT
    if column in {"rules", "sheet", "sits_out", "seats", "payouts", "record", "before", "after"}:
        return JSON
    return sa.Boolean() if column in {"voided", "once"} else sa.types.NullType()


def _aware(value: Any) -> Any:
    """SQLite keeps moments in UTC without saying so."""
    naive = isinstance(value, datetime) and value.tzinfo is None
    return value.replace(tzinfo=UTC) if naive else value
