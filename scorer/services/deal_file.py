"""The cards of a session as a file of deals (docs/notation.md): written out, and brought in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.cards import engine
from scorer.cards.deal_files import DealFile, FiledDeal, Head
from scorer.services.circles import find
from scorer.services.session_file import written_cards
from scorer.services.state import load_state
from scorer.storage import queries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from scorer.services.state import SessionState


def deal_file(circle_id: UUID, session_id: UUID) -> DealFile:
    """Give the deals that stand and whose cards are written down; raise NotFoundError.

    Why cards were kept that contradict their sheet is a comment of the deal.
    """
    state = load_state(circle_id, session_id)
    heads = {
        "circle": find(circle_id).name,
        "title": state.row.title,
        "date": state.row.started_at.date().isoformat(),
    }
    return DealFile(
        game=state.game,
        heads=tuple(Head(name, value) for name, value in heads.items() if value),
        deals=tuple(_filed(state)),
    )


def _filed(state: SessionState) -> Iterator[FiledDeal]:
    if not engine.has(state.game):
        return
    plays = queries.session_tricks(state.circle_id, state.session_id)
    for deal in queries.all_deals(state.circle_id, state.session_id):
        cards = None if deal.voided else written_cards(state, deal, plays)
        if cards is not None:
            note = plays[deal.deal_id].get("note")
            yield FiledDeal(deal.number, cards, comments=(note,) if note else ())
