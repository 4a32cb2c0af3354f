"""A phone has a role, and joining is counted."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_roles"
down_revision = "2026_11_21_chain"

ROLES = "role IN ('owner', 'scorekeeper', 'player', 'spectator')"


def upgrade() -> None:
    with op.batch_alter_table("phone") as phone:
        phone.add_column(sa.Column("role", sa.String(), nullable=False, server_default="spectator"))
        phone.create_check_constraint(op.f("ck_phone_role"), ROLES)
    _give_roles()
    op.create_table(
        "throttle",
        sa.Column("address_hash", sa.String(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.CheckConstraint("requests >= 1", name=op.f("ck_throttle_requests")),
        sa.PrimaryKeyConstraint("address_hash", "minute", name="pk_throttle"),
    )


def _give_roles() -> None:
    """Let a phone have the role of its link; one without a link began its circle and owns it."""
    op.execute(
        "UPDATE phone SET role = coalesce((SELECT link.role FROM link "
        "WHERE link.circle_id = phone.circle_id AND link.link_id = phone.link_id), 'owner')"
    )


def downgrade() -> None:
    op.drop_table("throttle")
    with op.batch_alter_table("phone") as phone:
        phone.drop_constraint(op.f("ck_phone_role"), type_="check")
        phone.drop_column("role")
