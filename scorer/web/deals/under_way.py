"""The deal under way: what was said in the auction, who started it, and two phones that did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import render_template

from scorer.services import deals
from scorer.web.deals.pages import place
from scorer.web.views import phone_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.services.state import SessionState
    from scorer.storage.models import StartedDeal
    from scorer.texts import Text
    from scorer.web.forms.deals import DealForm


def started_words(state: SessionState, stored: Mapping[str, Any]) -> Text:
    """Say what is being played."""
    return state.game.started(state.start_of(stored), state.table())


def started_by(started: StartedDeal) -> Text | str | None:
    """Name who holds the phone that a deal was started on, or the phone."""
    phone = deals.phone_of(started)
    return (phone.player or phone_words(phone.name)) if phone else None


def started_twice_page(state: SessionState, started: StartedDeal, form: DealForm) -> str:
    """Show what the other phone has started and what this one wanted to, and the choice."""
    start, _ = state.game.read_start(form.start(), state.table())
    return render_template(
        "deals/started.html",
        **place(state),
        number=started.number,
        by=started_by(started),
        at=started.at,
        theirs=started_words(state, started.sheet),
        mine=None if start is None else state.game.started(start, state.table()),
        fields=form.answers(),
        instead_of=str(started.deal_id),
        new_key=str(uuid4()),
    )
