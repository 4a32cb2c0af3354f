"""A deal under way that its cards contradict: the page says why it can't be saved by them."""

from typing import NamedTuple

import pytest

from tests.web.cards.test_tricks import CALLED, TEXT, tap
from tests.web.cards.test_tricks_monte import PACK
from tests.web.phones import Phone

OTHERS = ["AB", "7B", "6B", "5B", "4B"]
TRICKS = [card for card in PACK if card not in OTHERS]
LINES = [" ".join(TRICKS[start : start + 5]) for start in range(0, 35, 5)]
#: With the king of cups, which Dora plays, and without it.
MONTE = "\n".join(["discards: " + " ".join(OTHERS), *LINES])


class Case(NamedTuple):
    """What was called by which rules, what was tapped and written, and what is told of it."""

    rules: str
    called: dict[str, str]
    taps: list[str]
    text: str
    told: str


CASES = [
    pytest.param(
        Case(
            "bastarda",
            {"called_rank": "A"},
            [],
            TEXT,
            "The caller had the called card: that is not allowed at this table.",
        ),
        id="own-card-forbidden",
    ),
    pytest.param(
        Case(
            "ladder-bands",
            {"bid_points": "", "bid_rank": "2"},
            [],
            TEXT,
            "After a bid of the Two the called card can only be the Two or, if the caller holds "
            "that, the lowest briscola that the caller doesn't hold.",
        ),
        id="call-lowest",
    ),
    pytest.param(
        Case(
            "classic",
            {},
            [],
            TEXT.replace("KC", "AC"),
            "The called card, the King of cups, isn't in any recorded trick.",
        ),
        id="called-not-played",
    ),
    pytest.param(
        Case(
            "monte-5",
            {},
            ["lay", "show"],
            MONTE,
            "Dora held the called card, the King of cups, so Dora is the partner.",
        ),
        id="wrong-partner",
    ),
]


@pytest.mark.parametrize("case", CASES)
def test_deal_under_way_that_cannot_be_says_why(phone: Phone, case: Case) -> None:
    phone.start(rules=case.rules)
    told = {**CALLED, "card_points": "", "partner": "", **case.called}
    phone.post("record/start", phone.deal(1, **told))
    page = phone.page("deals/1/tricks/")
    for do in case.taps:
        page = tap(phone, page, do=do)

    over = tap(phone, page, do="text", text=case.text)

    assert "This can’t be right" in over.words
    assert case.told in over.words
    assert "Fill in the sheet yourself" in over.words
