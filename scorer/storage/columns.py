"""Column types, the declarative base class of the tables, and values of columns as JSON."""

import base64
from datetime import UTC, date, datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import JSON, DateTime, Dialect, MetaData
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, MappedAsDataclass
from sqlalchemy.types import TypeDecorator

#: The hash before the first one of a chain.
CHAIN_START = "0" * 64
NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}

Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcTime(TypeDecorator[datetime]):
    """An aware moment, stored and given back in UTC by both engines."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert an aware moment to UTC; raise ValueError for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a stored time needs a zone: {value!r}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Make a stored moment aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Base(MappedAsDataclass, DeclarativeBase, kw_only=True, eq=False):
    """The base class of all tables; rows are made with keyword arguments only."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcTime(),
        dict[str, Any]: Json,
        dict[str, int]: Json,
        list[int]: Json,
    }


def plain(value: Any) -> Any:
    """Give the value of a column as JSON, the same on both engines."""
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value
