"""Acts are listed by the program alone: a new one needs no migration."""

from alembic import op

revision = "2026_11_29_acts"
down_revision = "2026_11_29_seasons"

LISTS = {
    ("deal_version", "act"): "act IN ('record', 'amend', 'void', 'restore')",
    ("review", "kind"): "kind IN ('dispute', 'confirm', 'uphold')",
}


def upgrade() -> None:
    for name, column in LISTS:
        with op.batch_alter_table(name) as table:
            table.drop_constraint(op.f(f"ck_{name}_{column}"), type_="check")


def downgrade() -> None:
    """Allow what the older version knows; a row of another act holds that up."""
    for (name, column), allowed in LISTS.items():
        with op.batch_alter_table(name) as table:
            table.create_check_constraint(op.f(f"ck_{name}_{column}"), allowed)
