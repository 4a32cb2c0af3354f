"""What a phone is called on a page: by its number and, if that is known, by who holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g

from scorer.services import circles
from scorer.services.circles import phone_words
from scorer.texts import say
from scorer.web.access import current_holder

if TYPE_CHECKING:
    from scorer.texts import Text


def whose(name: str | None) -> Text | str | None:
    """Call a phone by its number and by who holds it now: ``#2`` is phone 2 (Bea)."""
    words = phone_words(name)
    player = _players().get(name or "")
    return say("%(phone)s (%(name)s)", phone=words, name=player) if player else words


def _players() -> dict[str, str]:
    if "players_of_phones" not in g:
        g.players_of_phones = circles.players_of_phones(current_holder().circle_id)
    found: dict[str, str] = g.players_of_phones
    return found
