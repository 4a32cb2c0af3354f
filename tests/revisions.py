"""A revision after the newest, for tests of what happens from one to the next."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorer.storage import migrate

NEXT = "2026_12_24_next"
MIGRATION = '''"""One more."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.create_table("extra", sa.Column("extra_id", sa.Uuid(), primary_key=True))
    with op.batch_alter_table("circle") as circle:
        circle.add_column(sa.Column("motto", sa.String(), nullable=False, server_default=""))
        circle.drop_constraint(op.f("ck_circle_name"), type_="check")
    {then}


def downgrade() -> None:
    with op.batch_alter_table("circle") as circle:
        circle.drop_column("motto")
        circle.create_check_constraint(op.f("ck_circle_name"), "length(name) > 0")
    op.drop_table("extra")
'''


@contextmanager
def own_folder(folder: Path) -> Iterator[Path]:
    """Read the migrations from a copy in a folder, which a test may add to, in the block."""
    copy = folder / "migrations"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(migrate._folder(), copy, ignore=ignored, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate, "_folder", lambda: copy)
        yield copy


def add_next(folder: Path, then: str = "") -> None:
    """Add a migration after the newest, with one more statement at its end."""
    text = MIGRATION.format(revision=NEXT, before=migrate.newest(), then=then)
    (folder / "versions" / f"{NEXT}.py").write_text(text, encoding="utf-8")


@contextmanager
def by_a_newer_program(folder: Path, then: str = "") -> Iterator[None]:
    """Know one more revision in the block, as the next version of the program does."""
    with own_folder(folder) as own:
        if migrate.newest() != NEXT:
            add_next(own, then)
        yield
