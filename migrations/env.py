"""How Alembic runs: in the transaction that `scorer.storage.migrate` has opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import sqlalchemy as sa
from alembic import context

from scorer.storage import models

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext

PORTABLE_JSON = 'sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")'


def in_plain_types(kind: str, item: object, draft: AutogenContext) -> str | Literal[False]:
    """Draft migrations without the program's own types, whose changes must not change them."""
    if kind != "type":
        return False
    if isinstance(item, sa.TypeDecorator):
        return f"sa.{item.impl!r}"
    if isinstance(item, sa.JSON):
        draft.imports.add("from sqlalchemy.dialects import postgresql")
        return PORTABLE_JSON
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=models.Base.metadata,
    render_as_batch=True,
    render_item=in_plain_types,
    transactional_ddl=True,
)
context.run_migrations()
