"""A session as a file (contract.md): what is exported, and what a dispute is settled with.

Where the rules or the order of play changed within the session, the first deal of each change
says so in ``rules`` and ``seats``; what changed after the last deal is in ``next``. The cards of a
deal are its ``play``, as they were written down last.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from scorer.cards import engine
from scorer.errors import existing
from scorer.evening.document import write_document
from scorer.services.base import journal
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Holder
from scorer.services.book.state import SessionState, load_state
from scorer.services.book.titles import witness
from scorer.services.cards.tricks import written_cards
from scorer.storage import in_transaction, queries
from scorer.storage.queries.deals import DealRow


def session_file(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Write a session down with the deals that stand; raise NotFoundError."""
    state = load_state(circle_id, session_id)
    row, names = state.row, state.names
    standing = [deal for deal in queries.deals.all_deals(circle_id, session_id) if not deal.voided]
    with_cards = engine.supports_cards(state.game)
    stored = queries.cards.session_plays(circle_id, session_id) if with_cards else {}
    plays = {deal.number: _play(state, deal, stored) for deal in standing if deal.deal_id in stored}
    heading = {"title": row.title, "date": row.started_at.date().isoformat()}
    opening = {names[seat]: balance for seat, balance in state.opening.items()}
    written = write_document(
        replace(state.now, heading=heading),
        map(state.deal_of, standing),
        opening,
        {number: play for number, play in plays.items() if play is not None},
    )
    return written | {"rules": row.rules}


def exported_session(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Write a session down as it is handed out: with its key, and the hash of all of it.

    Whoever keeps the file is a witness: `scorer verify --against` compares.
    """
    row = load_state(circle_id, session_id).row
    of = {"id": str(session_id), "version": row.version, "hash": witness(row)}
    return session_file(circle_id, session_id) | of


def note_export(circle_id: UUID, session_id: UUID, kind: Kind, *, by: Holder) -> None:
    """Write into the circle's journal that a session is given away, as a file or as a table."""
    in_transaction(
        lambda: journal.note(
            kind, existing(queries.book.session(circle_id, session_id), session_id), by
        )
    )


def _play(
    state: SessionState, deal: DealRow, plays: Mapping[UUID, dict[str, Any]]
) -> dict[str, Any] | None:
    """The cards of a deal, where they were written down and can be read beside its sheet."""
    played = written_cards(state, deal, plays)
    if played is None:
        return None
    stored = plays[deal.deal_id]
    note = {"note": stored["note"]} if "note" in stored else {}
    return {**played.write_play(played.table.seats), **note}
