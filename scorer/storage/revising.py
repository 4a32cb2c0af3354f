"""How migrations that rebuild the hash chains read each circle, and write it back."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import Connection

    Rows = dict[str, list[dict[str, Any]]]

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
#: The columns that a migration reads, by table.
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
JSON_COLUMNS = "rules sheet sits_out seats payouts record before after proposal"
ENTRY = "circle_id serial kind subject key before after phone_id written_by at chain"
#: By table, the key of a row and the columns that rebuilding the chains may change.
CHAINED = {
    "circle": ("circle_id", "journaled chain"),
    "card_session": ("circle_id session_id", "written chain"),
    "session_change": ("circle_id session_id serial", "serial chain"),
    "seat": ("circle_id session_id seat", "joined"),
    "deal": ("circle_id deal_id", "recorded_at"),
    "deal_version": ("circle_id deal_id version", "serial change chain"),
    "opinion": ("circle_id deal_id serial", "chained chain reason"),
    "trick_record": ("circle_id deal_id version", "chained chain"),
}


def circles(bind: Connection, new: Mapping[str, str] = MappingProxyType({})) -> Iterator[Rows]:
    """Read one circle after the other; ``new`` are further columns, by table."""
    circle = table("circle", "circle_id")
    columns = {name: COLUMNS.get(name, "") for name in (*COLUMNS, *new)}
    columns = {name: f"{old} {new.get(name, '')}" for name, old in columns.items()}
    for circle_id in list(bind.scalars(sa.select(circle.c.circle_id))):
        yield {
            name: [
                {column: _aware(value) for column, value in row.items()}
                for row in bind.execute(
                    sa.select(kept).where(kept.c.circle_id == circle_id)
                ).mappings()
            ]
            for name, kept in ((name, table(name, listed)) for name, listed in columns.items())
        }


def keep(bind: Connection, before: Rows, rows: Rows) -> None:
    """Write the changed rows, in the order of their serial where they have one."""
    for name, (key, columns) in CHAINED.items():
        kept = table(name, f"{key} {columns}")
        statement = (
            sa.update(kept)
            .where(*(kept.c[column] == sa.bindparam(f"of_{column}") for column in key.split()))
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
            bind.execute(statement, changed)


def table(name: str, columns: str) -> sa.TableClause:
    """Describe a table with these of its columns."""
    return sa.table(name, *(sa.column(column, _type(column)) for column in columns.split()))


def _type(column: str) -> sa.types.TypeEngine[Any]:
    if column.endswith("_id"):
        return sa.Uuid()
    if column == "at" or column.endswith("_at"):
        return MOMENT
    if column in JSON_COLUMNS.split():
        return JSON
    return sa.Boolean() if column in {"voided", "once"} else sa.types.NullType()


def _aware(value: Any) -> Any:
    """Add the zone that moments of SQLite lack; they are in UTC."""
    naive = isinstance(value, datetime) and value.tzinfo is None
    return value.replace(tzinfo=UTC) if naive else value
