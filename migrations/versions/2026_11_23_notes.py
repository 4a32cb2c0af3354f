"""Notes and photos of evenings and deals."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_notes"
down_revision = "2026_11_23_nicknames"


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("session_id", sa.Uuid(), primary_key=True),
        sa.Column("note_id", sa.Uuid(), primary_key=True),
        sa.Column("number", sa.Integer()),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("photo", sa.String(), nullable=False),
        sa.Column("phone_id", sa.Uuid()),
        sa.Column("written_by", sa.String()),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id"],
            ["card_session.circle_id", "card_session.session_id"],
            op.f("fk_note_card_session"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["circle_id", "phone_id"],
            ["phone.circle_id", "phone.phone_id"],
            op.f("fk_note_phone"),
        ),
        sa.CheckConstraint("length(text) + length(photo) > 0", op.f("ck_note_text")),
        sa.CheckConstraint("number >= 1", op.f("ck_note_number")),
    )
    op.create_table(
        "photo",
        sa.Column("circle_id", sa.Uuid(), primary_key=True),
        sa.Column("session_id", sa.Uuid(), primary_key=True),
        sa.Column("note_id", sa.Uuid(), primary_key=True),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["circle_id", "session_id", "note_id"],
            ["note.circle_id", "note.session_id", "note.note_id"],
            op.f("fk_photo_note"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    op.drop_table("photo")
    op.drop_table("note")
