"""House rules, changes within a session, opinions, trick records, what the history asks for."""

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator

revision = "2026_11_21_evenings"
down_revision = "2026_11_21_roles"

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(), "postgresql")
NEW_TABLES = ("rule_set", "rule_set_version", "session_change", "opinion", "trick_record")
DEALS = sa.table(
    "deal",
    sa.column("circle_id", sa.Uuid()),
    sa.column("session_id", sa.Uuid()),
    sa.column("deal_id", sa.Uuid()),
    sa.column("number", sa.Integer()),
    sa.column("outcome", sa.String()),
    sa.column("version", sa.Integer()),
    sa.column("bid", sa.String()),
    sa.column("made", sa.Boolean()),
)
VERSIONS = sa.table(
    "deal_version",
    sa.column("circle_id", sa.Uuid()),
    sa.column("deal_id", sa.Uuid()),
    sa.column("version", sa.Integer()),
    sa.column("sheet", JSON),
    sa.column("payouts", JSON),
)
PAYOUTS = sa.table(
    "payout",
    sa.column("circle_id", sa.Uuid()),
    sa.column("session_id", sa.Uuid()),
    sa.column("number", sa.Integer()),
    sa.column("seat", sa.Integer()),
    sa.column("role", sa.String()),
)


def upgrade() -> None:
    _rule_sets()
    _session_changes()
    _opinions()
    _trick_records()
    for table, column in _new_columns():
        op.add_column(table, column)
    _tell_what_was_bid()


def downgrade() -> None:
    for table, column in _new_columns():
        op.drop_column(table, column.name)
    for table in reversed(NEW_TABLES):
        op.drop_table(table)


def _new_columns() -> "Iterator[tuple[str, sa.Column[Any]]]":
    yield "card_session", sa.Column("rule_set_id", sa.Uuid(), nullable=True)
    yield "card_session", sa.Column("rule_set_version", sa.Integer(), nullable=True)
    yield "card_session", sa.Column("changes", sa.Integer(), nullable=False, server_default="0")
    yield "seat", sa.Column("joined", sa.Integer(), nullable=False, server_default="0")
    yield "deal", sa.Column("disputed", sa.Boolean(), nullable=False, server_default=sa.false())
    yield "deal", sa.Column("bid", sa.String(), nullable=True)
    yield "deal", sa.Column("made", sa.Boolean(), nullable=True)
    yield "deal_version", sa.Column("change", sa.Integer(), nullable=True)
    yield "payout", sa.Column("role", sa.String(), nullable=False, server_default=sa.text("''"))


def _circle_and(*columns: "sa.Column[Any]") -> "Iterator[sa.Column[Any]]":
    yield sa.Column("circle_id", sa.Uuid(), nullable=False)
    yield from columns


def _written() -> "Iterator[sa.Column[Any]]":
    """Who wrote a row, on which phone, and when."""
    yield sa.Column("phone_id", sa.Uuid(), nullable=True)
    yield sa.Column("written_by", sa.String(), nullable=True)
    yield sa.Column("at", sa.DateTime(timezone=True), nullable=False)


def _within(table: str, parent: str, *keys: str) -> sa.ForeignKeyConstraint:
    columns = ["circle_id", *keys]
    return sa.ForeignKeyConstraint(
        columns, [f"{parent}.{key}" for key in columns],
        name=f"fk_{table}_{parent}", ondelete="CASCADE",
    )  # fmt: skip


def _on_a_phone(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["circle_id", "phone_id"], ["phone.circle_id", "phone.phone_id"], name=f"fk_{table}_phone"
    )


def _rule_sets() -> None:
    op.create_table(
        "rule_set",
        *_circle_and(
            sa.Column("rule_set_id", sa.Uuid(), nullable=False),
            sa.Column("game", sa.String(), nullable=False),
            sa.Column("name", sa.String(), nullable=False),
            sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        ),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_rule_set_name")),
        _within("rule_set", "circle"),
        sa.PrimaryKeyConstraint("circle_id", "rule_set_id", name="pk_rule_set"),
        sa.UniqueConstraint("circle_id", "game", "name", name="uq_rule_set_circle_id_game_name"),
    )
    op.create_table(
        "rule_set_version",
        *_circle_and(
            sa.Column("rule_set_id", sa.Uuid(), nullable=False),
            sa.Column("version", sa.Integer(), nullable=False),
            sa.Column("rules", JSON, nullable=False),
            *_written(),
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_rule_set_version_version")),
        _within("rule_set_version", "rule_set", "rule_set_id"),
        _on_a_phone("rule_set_version"),
        sa.PrimaryKeyConstraint("circle_id", "rule_set_id", "version", name="pk_rule_set_version"),
    )


def _session_changes() -> None:
    op.create_table(
        "session_change",
        *_circle_and(
            sa.Column("session_id", sa.Uuid(), nullable=False),
            sa.Column("serial", sa.Integer(), nullable=False),
            sa.Column("from_number", sa.Integer(), nullable=False),
            sa.Column("until_number", sa.Integer(), nullable=True),
            sa.Column("rules", JSON, nullable=True),
            sa.Column("rule_set_id", sa.Uuid(), nullable=True),
            sa.Column("rule_set_version", sa.Integer(), nullable=True),
            sa.Column("seats", JSON, nullable=True),
            sa.Column("sits_out", JSON, nullable=True),
            sa.Column("dealer", sa.Integer(), nullable=True),
            *_written(),
            sa.Column("reason", sa.String(), nullable=True),
            sa.Column("chain", sa.String(), nullable=False),
        ),
        sa.CheckConstraint("from_number >= 1", name=op.f("ck_session_change_from_number")),
        sa.CheckConstraint(
            "until_number >= from_number", name=op.f("ck_session_change_until_number")
        ),
        sa.CheckConstraint(
            "(rules IS NULL) <> (seats IS NULL)", name=op.f("ck_session_change_kind")
        ),
        sa.CheckConstraint("dealer BETWEEN 0 AND 9", name=op.f("ck_session_change_dealer")),
        _within("session_change", "card_session", "session_id"),
        _on_a_phone("session_change"),
        sa.PrimaryKeyConstraint("circle_id", "session_id", "serial", name="pk_session_change"),
    )


def _opinions() -> None:
    op.create_table(
        "opinion",
        *_circle_and(
            sa.Column("deal_id", sa.Uuid(), nullable=False),
            sa.Column("serial", sa.Integer(), nullable=False),
            sa.Column("kind", sa.String(), nullable=False),
            sa.Column("version", sa.Integer(), nullable=False),
            *_written(),
            sa.Column("reason", sa.String(), nullable=True),
        ),
        sa.CheckConstraint(
            "kind IN ('dispute', 'confirm', 'uphold')", name=op.f("ck_opinion_kind")
        ),
        sa.CheckConstraint("serial >= 1", name=op.f("ck_opinion_serial")),
        _within("opinion", "deal", "deal_id"),
        _on_a_phone("opinion"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "serial", name="pk_opinion"),
    )


def _trick_records() -> None:
    op.create_table(
        "trick_record",
        *_circle_and(
            sa.Column("deal_id", sa.Uuid(), nullable=False),
            sa.Column("version", sa.Integer(), nullable=False),
            sa.Column("session_id", sa.Uuid(), nullable=False),
            sa.Column("record", JSON, nullable=False),
            sa.Column("note", sa.String(), nullable=True),
            *_written(),
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_trick_record_version")),
        _within("trick_record", "card_session", "session_id"),
        _on_a_phone("trick_record"),
        sa.PrimaryKeyConstraint("circle_id", "deal_id", "version", name="pk_trick_record"),
    )
    op.create_index(
        "ix_trick_record_circle_id_session_id", "trick_record", ["circle_id", "session_id"]
    )


def _tell_what_was_bid() -> None:
    """Put the bid, its result and the roles, until now in the sheets alone, where they are asked.

    There was one game until now, in which whoever made a bid is paid for it.
    """
    connection = op.get_bind()
    of_deal = sa.and_(
        DEALS.c.circle_id == VERSIONS.c.circle_id,
        DEALS.c.deal_id == VERSIONS.c.deal_id,
        DEALS.c.version == VERSIONS.c.version,
    )
    found = connection.execute(
        sa.select(DEALS, VERSIONS.c.sheet, VERSIONS.c.payouts)
        .join(VERSIONS, of_deal)
        .where(DEALS.c.outcome.in_(["played", "penalty"]))
    ).mappings()
    for deal in found.all():
        if deal["outcome"] == "played":
            _tell_of_bid(connection, deal)
        for seat, role in _roles(deal["sheet"]).items():
            _tell_of_role(connection, deal, int(seat), role)


def _roles(sheet: dict[str, Any]) -> dict[str, str]:
    if "offender" in sheet:
        return {sheet["offender"]: "offender"}
    caller, partner = sheet["caller"], sheet["partner"]
    return {caller: "alone"} if partner is None else {caller: "caller", partner: "partner"}


def _tell_of_bid(connection: sa.Connection, deal: "sa.RowMapping") -> None:
    made = deal["payouts"][deal["sheet"]["caller"]] > 0
    connection.execute(
        sa.update(DEALS)
        .where(DEALS.c.circle_id == deal["circle_id"], DEALS.c.deal_id == deal["deal_id"])
        .values(bid=deal["sheet"]["bid"], made=made)
    )


def _tell_of_role(connection: sa.Connection, deal: "sa.RowMapping", seat: int, role: str) -> None:
    of_deal = (PAYOUTS.c[key] == deal[key] for key in ("circle_id", "session_id", "number"))
    connection.execute(sa.update(PAYOUTS).where(*of_deal, PAYOUTS.c.seat == seat).values(role=role))
