"""Col monte, on a phone without scripts: what the caller laid aside, and whether he showed it."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from scorer.storage import queries
from tests.web.cards.test_tricks import AGREES, play, tap
from tests.web.pages import Page
from tests.web.phones import Phone

PACK = [rank + suit for suit in "CDSB" for rank in "A3KQJ76542"]
#: Bea calls the king of cups; it may lie in the monte.
CALLED = {"caller": "1", "bid_points": "75", "suit": "C", "called_rank": "K"}
ASIDE = ["KC", "AB", "7B", "6B", "5B"]
PLAYED = [card for card in PACK if card not in ASIDE]
WITH_BEA = "Called card shown: Ciro is the partner"


@pytest.fixture
def started(phone: Phone) -> Phone:
    """Start a session col monte and its first deal, of which the auction is written down."""
    phone.start(rules="monte-5")
    phone.post("record/start", phone.deal(1, **CALLED, card_points="", partner=""))
    return phone


def lay(phone: Phone, page: Page, cards: Sequence[str]) -> Page:
    """Open what was laid aside, and tap one card after the other."""
    page = tap(phone, page, do="lay")
    for card in cards:
        page = tap(phone, page, lay=card)
    return page


def grid(phone: Phone) -> Page:
    return phone.page("deals/1/tricks/")


def stored(phone: Phone) -> dict[str, Any]:
    with phone.app.app_context():
        found = list(queries.deals.session_plays(*phone.keys).values())
    return found[0] if found else {}


def test_cards_laid_aside_leave_the_grid_and_with_the_last_they_are_written_down(
    started: Phone,
) -> None:
    page = lay(started, grid(started), ASIDE[:2])

    assert "Tap the cards laid aside." in page.words
    assert "Aside 2/5" in page.words
    assert page.source.count('data-code="KC"') == page.source.count('data-code="AB"') == 1
    assert page.source.count('name="lay"') == 40
    assert stored(started) == {}
    for card in ASIDE[2:]:
        page = tap(started, page, lay=card)

    assert "Bea leads." in page.words
    assert 'value="take-up"' in page.source
    assert "alone" in page.words
    assert page.source.count('name="card"') == 40
    assert stored(started) == {"called_card": "KC", "discards": ASIDE, "tricks": []}


def test_undo_takes_up_what_is_aside_and_leaves_the_tricks(started: Phone) -> None:
    played = play(started, PLAYED[:5])

    for laid in ([], ASIDE[:1]):
        page = lay(started, played, laid)
        button = re.search(r"<button[^>]*data-undo[^>]*>", page.source)

        assert button is not None
        assert 'value="take-up"' in button[0]
        assert ("disabled" in button[0]) is not bool(laid)


def test_caller_who_shows_the_called_card_has_a_neighbour_for_a_partner(started: Phone) -> None:
    page = tap(started, lay(started, grid(started), ASIDE), do="lay")
    assert WITH_BEA in page.words

    shown = tap(started, page, do="show")
    assert re.search(r'value="hide"\s+aria-pressed="true"', shown.source)
    assert stored(started)["shown"] is True
    tricks = (PLAYED[first : first + 5] for first in range(0, len(PLAYED), 5))
    text = "\n".join(map(" ".join, [["discards:", *ASIDE], *tricks]))
    tap(started, shown, do="text", text=text)

    started.sent("deals/1/tricks/record")
    deal = started.page("deals/1/")
    assert "Bea with Ciro" in deal.words
    assert "The called card was shown" in deal.words
    assert AGREES in deal.source
    assert "so Ciro is the partner" in deal.words
    assert WITH_BEA not in tap(started, grid(started), do="lay").words
