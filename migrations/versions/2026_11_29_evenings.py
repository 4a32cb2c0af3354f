"""Agreed results, and which session another one went on from."""

from uuid import UUID, uuid5

import sqlalchemy as sa
from alembic import op

from scorer.errors import ScorerError

revision = "2026_11_29_evenings"
down_revision = "2026_11_28_no_web_hooks"

BEFORE = ("played", "misdeal", "all-passed", "thrown-in", "redeal", "penalty")
TABLES = ("deal", "deal_version")
#: By these names 0.3 made the key of a rematch of the session before it.
SESSION = UUID("6f1c5d3e-4a2b-4d52-9a5e-0c6f3f4f9b11")
MATCH = UUID("0d2a5c7e-93b1-4f5a-8a44-7be6f1c09d36")


def upgrade() -> None:
    _allow(*BEFORE, "agreed")
    op.add_column("card_session", sa.Column("went_on_from", sa.Uuid(), nullable=True))
    sessions = sa.table(
        "card_session",
        sa.column("circle_id", sa.Uuid()),
        sa.column("session_id", sa.Uuid()),
        sa.column("went_on_from", sa.Uuid()),
    )
    keys = op.get_bind().execute(sa.select(sessions.c.circle_id, sessions.c.session_id)).all()
    there = {(circle_id, session_id) for circle_id, session_id in keys}
    for circle_id, session_id in there:
        rematch = uuid5(SESSION, uuid5(MATCH, session_id.hex).hex)
        if (circle_id, rematch) in there:
            is_rematch = sessions.c.circle_id == circle_id, sessions.c.session_id == rematch
            op.execute(sessions.update().where(*is_rematch).values(went_on_from=session_id))


def downgrade() -> None:
    versions = sa.table("deal_version", sa.column("outcome", sa.String()))
    agreed = sa.select(sa.func.count()).select_from(versions).where(versions.c.outcome == "agreed")
    if count := op.get_bind().scalar(agreed):
        raise ScorerError(f"{count} agreed results are stored, which the older version cannot read")
    op.drop_column("card_session", "went_on_from")
    _allow(*BEFORE)


def _allow(*outcomes: str) -> None:
    words = ", ".join(f"'{outcome}'" for outcome in outcomes)
    for name in TABLES:
        with op.batch_alter_table(name) as table:
            table.drop_constraint(op.f(f"ck_{name}_outcome"), type_="check")
            table.create_check_constraint(op.f(f"ck_{name}_outcome"), f"outcome IN ({words})")
