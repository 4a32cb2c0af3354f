"""A session as a file (contract.md): what is exported, and what a dispute is settled with.

Where the rules or the order of play changed within the session, the first deal of each change
says so in ``rules`` and ``seats``; what changed after the last deal is in ``next``. The cards of a
deal are its ``play``, as they were written down last.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from uuid import UUID

from scorer.cards import engine
from scorer.errors import existing
from scorer.evening.document import FORMAT
from scorer.evening.terms import Terms
from scorer.rules.seats import all_seats
from scorer.rules.sheet import write as written
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
    began = Terms(state.began.rules, all_seats(len(state.names)))
    standing = [deal for deal in queries.deals.all_deals(circle_id, session_id) if not deal.voided]
    plays = queries.cards.session_tricks(circle_id, session_id) if engine.has(state.game) else {}
    all_terms = [began, *(state.terms(deal.number, deal.serial) for deal in standing)]
    following = _changed(state, all_terms[-1], state.upcoming)
    if state.changes and not standing:
        following["seats"] = [state.names[seat] for seat in state.order]
    return {
        "format": FORMAT,
        "game": state.game.slug,
        "rules": state.row.rules,
        "title": state.row.title,
        "date": state.row.started_at.date().isoformat(),
        "seats": list(state.names),
        "opening": {state.names[seat]: balance for seat, balance in state.opening.items()},
        "deals": [
            {**_deal(state, deal), **_play(state, deal, plays), **_changed(state, before, terms)}
            for deal, (before, terms) in zip(standing, pairwise(all_terms), strict=True)
        ],
    } | ({"next": following} if following else {})


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


def _deal(state: SessionState, deal: DealRow) -> dict[str, Any]:
    active = state.table_for(deal).active
    document = {
        "outcome": deal.outcome,
        "dealer": state.names[deal.dealer],
        "sits_out": [name for seat, name in enumerate(state.names) if seat not in active],
    }
    sheet = state.answers_of(deal)
    return document if sheet is None else {**document, "sheet": sheet}


def _play(
    state: SessionState, deal: DealRow, plays: Mapping[UUID, dict[str, Any]]
) -> dict[str, Any]:
    """The cards of a deal, where they were written down and can be read beside its sheet."""
    played = written_cards(state, deal, plays)
    if played is None:
        return {}
    stored = plays[deal.deal_id]
    note = {"note": stored["note"]} if "note" in stored else {}
    return {"play": {**played.write_play(played.table.seats), **note}}


def _changed(state: SessionState, before: Terms, terms: Terms) -> dict[str, Any]:
    """Say what holds from a deal on that did not hold before."""
    changed: dict[str, Any] = {}
    if terms.rules != before.rules:
        changed["rules"] = written(terms.rules)
    if terms.order != before.order:
        changed["seats"] = [state.names[seat] for seat in terms.order]
    return changed


def ending_deal(answer: Mapping[str, Any], count: int) -> int | None:
    """Return the place, from 1, of the deal with which a replay of so many came to its end.

    What follows was played on; of these warnings the answer tells the first at least.
    """
    if not answer["finished"]:
        return None
    fields = (one["field"] for one in answer["warnings"] if one["code"] == "played-on")
    first = next(fields, f"deals[{count}]")
    return int(first.removeprefix("deals[").partition("]")[0])
