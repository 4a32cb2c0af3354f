"""A hash chain over the versions of a session's deals, in the order they were written."""

import hashlib
import json
from datetime import UTC
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

if TYPE_CHECKING:
    from datetime import datetime

revision = "2026_11_21_chain"
down_revision = "2026_11_21_tables"

START = "0" * 64
ADDED = {"deal_version": ("serial", "chain"), "card_session": ("written", "chain")}
KEYS = ("circle_id", "session_id", "deal_id", "phone_id")
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")

SESSIONS = sa.table(
    "card_session",
    sa.column("circle_id", sa.Uuid()),
    sa.column("session_id", sa.Uuid()),
    sa.column("written", sa.Integer()),
    sa.column("chain", sa.String()),
)
DEALS = sa.table(
    "deal",
    sa.column("circle_id", sa.Uuid()),
    sa.column("session_id", sa.Uuid()),
    sa.column("deal_id", sa.Uuid()),
    sa.column("number", sa.Integer()),
)
VERSIONS = sa.table(
    "deal_version",
    sa.column("circle_id", sa.Uuid()),
    sa.column("deal_id", sa.Uuid()),
    sa.column("version", sa.Integer()),
    sa.column("act", sa.String()),
    sa.column("outcome", sa.String()),
    sa.column("dealer", sa.Integer()),
    sa.column("sits_out", JSON),
    sa.column("sheet", JSON),
    sa.column("voided", sa.Boolean()),
    sa.column("payouts", JSON),
    sa.column("phone_id", sa.Uuid()),
    sa.column("written_by", sa.String()),
    sa.column("reason", sa.String()),
    sa.column("at", sa.DateTime(timezone=True)),
    sa.column("serial", sa.Integer()),
    sa.column("chain", sa.String()),
)
SAID = [column for column in VERSIONS.c if column.name not in ADDED["deal_version"]]


def upgrade() -> None:
    for table, (order, chain) in ADDED.items():
        op.add_column(table, sa.Column(order, sa.Integer(), nullable=False, server_default="0"))
        op.add_column(table, sa.Column(chain, sa.String(), nullable=False, server_default=START))
    connection = op.get_bind()
    sessions = connection.execute(sa.select(SESSIONS.c.circle_id, SESSIONS.c.session_id)).all()
    for circle_id, session_id in sessions:
        _chain(connection, circle_id, session_id)


def downgrade() -> None:
    for table, columns in ADDED.items():
        for column in columns:
            op.drop_column(table, column)


def _chain(connection: sa.Connection, circle_id: object, session_id: object) -> None:
    """Chain what was written in one session."""
    chain, serial = START, 0
    for serial, row in enumerate(_in_order(connection, circle_id, session_id), 1):
        said = json.dumps(_said({**row, "serial": serial}), sort_keys=True, separators=(",", ":"))
        chain = hashlib.sha256((chain + said).encode()).hexdigest()
        connection.execute(
            sa.update(VERSIONS)
            .where(*(VERSIONS.c[key] == row[key] for key in ("circle_id", "deal_id", "version")))
            .values(serial=serial, chain=chain)
        )
    connection.execute(
        sa.update(SESSIONS)
        .where(SESSIONS.c.circle_id == circle_id, SESSIONS.c.session_id == session_id)
        .values(written=serial, chain=chain)
    )


def _in_order(
    connection: sa.Connection, circle_id: object, session_id: object
) -> list[dict[str, Any]]:
    """List the versions by their moments; those of one deal keep their own order."""
    found = connection.execute(
        sa.select(*SAID, DEALS.c.session_id, DEALS.c.number)
        .join(
            DEALS,
            sa.and_(
                DEALS.c.circle_id == VERSIONS.c.circle_id, DEALS.c.deal_id == VERSIONS.c.deal_id
            ),
        )
        .where(DEALS.c.circle_id == circle_id, DEALS.c.session_id == session_id)
        .order_by(DEALS.c.number, VERSIONS.c.version)
    )
    rows = [dict(row) for row in found.mappings()]
    latest: dict[int, datetime] = {}
    moments = []
    for row in rows:
        latest[row["number"]] = max(row["at"], latest.get(row["number"], row["at"]))
        moments.append(latest[row["number"]])
    return [rows[place] for place in sorted(range(len(rows)), key=moments.__getitem__)]


def _said(row: dict[str, Any]) -> dict[str, Any]:
    """Write a version as both engines would: keys as hexadecimal text, the moment in UTC."""
    at = row["at"] if row["at"].tzinfo else row["at"].replace(tzinfo=UTC)
    keys = {key: row[key] and str(row[key]) for key in KEYS}
    return {**row, **keys, "at": at.astimezone(UTC).isoformat(timespec="microseconds")}
