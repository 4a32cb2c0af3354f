from dataclasses import replace

import pytest

from scorer.errors import InvalidError
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.seats import Seat
from tests.cards.card_deals import card, value_of
from tests.samples import RECORD

G1 = value_of({**RECORD, "claim": {**RECORD["claim"], "partner": "Ciro", "card_points": 72}})
CLAIM = G1.call
SHEET = ChiamataSheet(
    caller=CLAIM.caller,
    bid=CLAIM.bid,
    partner=Seat(2),
    called_card=CLAIM.called_card,
    card_points=72,
)


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        pytest.param(SHEET, [], id="nothing"),
        pytest.param(replace(SHEET, tricks_won=5), [], id="the right number of tricks"),
        pytest.param(
            replace(SHEET, tricks_won=4),
            [("tricks-total", "The caller's side took 5 tricks.")],
            id="another number of tricks",
        ),
        pytest.param(
            replace(SHEET, called_card=card("AC")),
            [("other-call", "The sheet says that the Ace of cups was called.")],
            id="another called card",
        ),
    ],
)
def test_cards_are_compared_with_what_the_sheet_says(
    sheet: ChiamataSheet, found: list[tuple[str, str]]
) -> None:
    assert [(one.code, str(one.message)) for one in G1.differences(sheet)] == found


def test_tricks_of_a_caller_who_is_alone_are_told_by_name() -> None:
    claim = {"caller": "Bea", "bid": "A", "called_card": "AC"}
    sheet = replace(SHEET, bid=Bid.parse("A"), called_card=card("AC"), partner=None, tricks_won=1)

    found = value_of({**RECORD, "claim": claim}).differences(sheet)

    assert [str(one.message) for one in found if one.code == "tricks-total"] == [
        "Bea took 4 tricks."
    ]


def test_sheet_is_written_as_the_cards_prove_it() -> None:
    wrong = replace(SHEET, partner=None, card_points=60, tricks_won=1, blind=True)

    assert G1.proved_sheet(wrong, G1.table.seats) == {
        "caller": "Bea",
        "bid": "K",
        "blind": True,
        "times": 1,
        "called_card": "KC",
        "partner": "Ciro",
        "card_points": 72,
        "shown": False,
        "tricks_won": 5,
    }


def test_cards_that_leave_something_open_prove_no_sheet() -> None:
    assert G1.back().proved_sheet(SHEET, G1.table.seats) is None
    assert replace(G1, claim=None).proved_sheet(SHEET, G1.table.seats) is None


def test_sheet_may_leave_open_which_card_was_called() -> None:
    assert not G1.asks_trump(SHEET)
    assert G1.asks_trump(ChiamataStart(CLAIM.caller, CLAIM.bid))


def test_text_of_another_deal_is_refused() -> None:
    text = G1.write_text()

    assert G1.parse_beside(text, SHEET).tricks == G1.tricks
    with pytest.raises(InvalidError) as refused:
        G1.parse_beside(text, replace(SHEET, caller=Seat(0)))
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("other-deal", "text")
    assert str(problem.message) == "This text is of another deal: there Bea bid the King."
