"""A session as a file (contract.md): what is exported, and what a dispute is settled with.

Where the rules or the order of play changed within the session, the first deal of each change
says so in ``rules`` and ``seats``; what changed after the last deal is in ``next``. The cards of a
deal are its ``play``, as they were written down last.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scorer.cards import engine
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import write as written
from scorer.rules.terms import Terms
from scorer.services.open_table import open_table
from scorer.storage import queries
from scorer.verbs.replaying import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from scorer.services.open_table import OpenTable
    from scorer.storage.queries import DealRow


def session_file(circle_id: UUID, session_id: UUID) -> dict[str, Any]:
    """Write a session down with the deals that stand; raise NotFoundError."""
    here = open_table(circle_id, session_id)
    began = Terms(here.began.rules, all_seats(len(here.names)))
    standing = [deal for deal in queries.all_deals(circle_id, session_id) if not deal.voided]
    plays = queries.session_tricks(circle_id, session_id) if engine.has(here.game) else {}
    all_terms = [began, *(here.terms(deal.number, deal.serial) for deal in standing)]
    following = _changed(here, all_terms[-1], here.upcoming)
    if here.changes and not standing:
        following["seats"] = [here.names[seat] for seat in here.order]
    return {
        "format": FORMAT,
        "game": here.game.slug,
        "rules": here.row.rules,
        "title": here.row.title,
        "date": here.row.started_at.date().isoformat(),
        "seats": list(here.names),
        "opening": {here.names[seat]: balance for seat, balance in here.opening.items()},
        "deals": [
            {**_deal(here, deal), **_play(here, deal, plays), **_changed(here, before, terms)}
            for deal, (before, terms) in zip(standing, pairwise(all_terms), strict=True)
        ],
    } | ({"next": following} if following else {})


def _deal(here: OpenTable, deal: DealRow) -> dict[str, Any]:
    active = here.table_of(deal).active
    told = {
        "outcome": deal.outcome,
        "dealer": here.names[deal.dealer],
        "sits_out": [name for seat, name in enumerate(here.names) if seat not in active],
    }
    sheet = here.answers_of(deal)
    return told if sheet is None else {**told, "sheet": sheet}


def _play(here: OpenTable, deal: DealRow, plays: Mapping[UUID, dict[str, Any]]) -> dict[str, Any]:
    """The cards of a deal, where they were written down and can be read beside its sheet."""
    stored = plays.get(deal.deal_id)
    sheet = None if stored is None else here.sheet_of(deal)
    if stored is None or sheet is None:
        return {}
    begun = engine.open_deal(here.game, here.table_of(deal), Seat(deal.dealer))
    played, _ = engine.read_stored_play(begun, stored, sheet)
    if played is None:
        return {}
    note = {"note": stored["note"]} if "note" in stored else {}
    return {"play": {**engine.write_play(played, played.table.seats), **note}}


def _changed(here: OpenTable, before: Terms, terms: Terms) -> dict[str, Any]:
    """Say what holds from a deal on that did not hold before."""
    changed: dict[str, Any] = {}
    if terms.rules != before.rules:
        changed["rules"] = written(terms.rules)
    if terms.order != before.order:
        changed["seats"] = [here.names[seat] for seat in terms.order]
    return changed
