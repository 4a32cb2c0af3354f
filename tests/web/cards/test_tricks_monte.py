"""Col monte, on a phone without scripts: what the caller laid aside, and whether he showed it."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from scorer.storage import queries
from tests.web.cards.test_tricks import play, tap
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


def play_on(phone: Phone) -> Page:
    """Play everything that was not laid aside, written down as text."""
    tricks = (PLAYED[first : first + 5] for first in range(0, len(PLAYED), 5))
    text = "\n".join(map(" ".join, [["discards:", *ASIDE], *tricks]))
    return tap(phone, grid(phone), do="text", text=text)


def stored(phone: Phone) -> dict[str, Any]:
    with phone.app.app_context():
        found = list(queries.deals.session_plays(*phone.keys).values())
    return found[0] if found else {}


def test_cards_laid_aside_leave_the_grid_and_lie_on_the_table(started: Phone) -> None:
    page = lay(started, grid(started), ASIDE[:2])

    assert "Tap the cards laid aside." in page.words
    assert "Aside 2/5" in page.words
    assert page.source.count('data-code="KC"') == page.source.count('data-code="AB"') == 1
    assert page.source.count('name="lay"') == 40
    assert stored(started) == {}


def test_with_the_last_of_them_play_goes_on_and_they_are_written_down(started: Phone) -> None:
    page = lay(started, grid(started), ASIDE)

    assert "Bea leads." in page.words
    assert 'value="take-up"' in page.source
    assert "alone" in page.words
    assert page.source.count('name="card"') == 40
    assert stored(started) == {"called_card": "KC", "discards": ASIDE, "tricks": []}
    assert tap(started, page, do="lay").words.count("All the cards laid aside are known.") == 1


def test_cards_laid_aside_are_taken_up_one_by_one(started: Phone) -> None:
    page = lay(started, grid(started), ASIDE)

    for count in range(4, -1, -1):
        page = tap(started, page, do="take-up")
        assert f"Aside {count}/5" in page.words

    assert "Tap the cards laid aside." in page.words


def test_what_was_taken_up_is_written_down_on_turning_back_to_the_cards(started: Phone) -> None:
    page = tap(started, lay(started, grid(started), ASIDE), do="take-up")
    assert stored(started)["discards"] == ASIDE

    back = tap(started, page, do="cards")

    assert "Bea leads." in back.words
    assert stored(started)["discards"] == ASIDE[:4]


def test_who_only_looked_at_what_was_laid_aside_writes_nothing(started: Phone) -> None:
    tap(started, lay(started, grid(started), ()), do="cards")

    assert stored(started) == {}


@pytest.mark.parametrize(
    ("laid", "disabled"),
    [
        pytest.param([], True, id="nothing aside"),
        pytest.param(ASIDE[:1], False, id="a card aside"),
    ],
)
def test_undo_takes_up_what_is_aside_and_leaves_the_tricks(
    started: Phone, laid: list[str], *, disabled: bool
) -> None:
    page = lay(started, play(started, PLAYED[:5]), laid)

    button = re.search(r"<button[^>]*data-undo[^>]*>", page.source)

    assert button is not None
    assert 'value="take-up"' in button[0]
    assert ("disabled" in button[0]) is disabled


def test_what_was_laid_aside_may_be_said_late_and_not_to_be_known_after_all(
    started: Phone,
) -> None:
    page = lay(started, play(started, PLAYED[:5]), ASIDE)

    assert "Trick 2 of 7" in page.words
    assert stored(started)["discards"] == ASIDE
    forgotten = tap(started, tap(started, page, do="lay"), do="unknown")
    assert "Trick 2 of 7" in forgotten.words
    assert "discards" not in stored(started)


def test_last_winner_takes_what_was_laid_aside_and_the_caller_is_alone(started: Phone) -> None:
    lay(started, grid(started), ASIDE)
    page = play_on(started)

    assert "Bea takes trick 7: 9, and the cards laid aside: 15." in page.words
    assert "made, at least 120 (75 needed)" in page.words
    assert started.sent("deals/1/tricks/record").status == 303
    assert "Bea played alone: made, 120 (75 needed)" in started.page("deals/1/").words


def test_caller_who_shows_the_called_card_has_a_neighbour_for_a_partner(started: Phone) -> None:
    page = tap(started, lay(started, grid(started), ASIDE), do="lay")
    assert WITH_BEA in page.words

    shown = tap(started, page, do="show")
    assert re.search(r'value="hide"\s+aria-pressed="true"', shown.source)
    assert stored(started)["shown"] is True
    play_on(started)

    started.sent("deals/1/tricks/record")
    deal = started.page("deals/1/")
    assert "Bea with Ciro" in deal.words
    assert "The called card was shown" in deal.words
    assert "The cards agree with the sheet." in deal.words
    assert "had shown it before, so Ciro is the partner, as the next player after Bea" in deal.words
    assert WITH_BEA not in tap(started, grid(started), do="lay").words


def test_that_the_card_was_shown_is_taken_back(started: Phone) -> None:
    page = tap(started, tap(started, grid(started), do="lay"), do="show")

    tap(started, page, do="hide")

    assert "shown" not in stored(started)


def test_text_leaves_what_was_shown(started: Phone) -> None:
    page = tap(started, tap(started, grid(started), do="lay"), do="show")

    tap(started, page, do="text", text="discards: " + " ".join(ASIDE))

    assert stored(started) == {"called_card": "KC", "shown": True, "discards": ASIDE, "tricks": []}


def test_nothing_is_laid_aside_before_a_card_was_called(phone: Phone) -> None:
    phone.start(rules="monte-5")
    phone.record(1, caller="1", bid_points="75", partner="2", card_points="80")
    page = grid(phone)

    for answers in ({"do": "lay"}, {"do": "show"}, {"do": "unknown"}, {"lay": "AC"}):
        assert "Which card was called?" in tap(phone, page, **answers).words


def test_where_there_is_no_monte_nothing_is_laid_aside(phone: Phone) -> None:
    phone.start()
    phone.post("record/start", phone.deal(1, **CALLED, card_points="", partner=""))
    page = grid(phone)

    assert 'value="lay"' not in page.source
    assert "Aside" not in tap(phone, page, do="lay").words
    assert tap(phone, page, lay="AC").status == 422
