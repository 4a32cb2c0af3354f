"""What acts are read from and told as: their answers, their offers, the line of a deal."""

from typing import Any
from uuid import UUID

import pytest

from scorer import Evening
from scorer.errors import InvalidError
from scorer.evening.acts import (
    ACTS,
    Amend,
    Confirm,
    Dispute,
    Restore,
    Right,
    Uphold,
    Withdraw,
    review_act,
)
from scorer.evening.deal import Author
from scorer.evening.judging import StoredDeal
from scorer.evening.proposals import coded_answers
from scorer.rules.game import Outcome
from scorer.rules.questions import Reading
from tests.data.examples import NAMES

FIVE = NAMES[:5]
SHEET = {"caller": "Ada", "bid": 61, "partner": "Bea", "card_points": 70}
PENALTY = {"offender": "Ciro"}


@pytest.fixture
def evening() -> Evening:
    """Give an evening of a played deal, a misdeal and a penalty."""
    evening = Evening.begin("briscola-chiamata", FIVE)
    evening.record(SHEET)
    evening.record(outcome="misdeal")
    evening.record(PENALTY, "penalty")
    return evening


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        pytest.param({}, ["missing-key sheet"], id="played without a sheet"),
        pytest.param({"sheet": SHEET}, [], id="played"),
        pytest.param({"outcome": "misdeal"}, [], id="misdeal"),
        pytest.param(
            {"outcome": "misdeal", "sheet": {}}, ["unexpected-sheet sheet"], id="misdeal with one"
        ),
    ],
)
def test_sheet_is_there_where_a_deal_has_one(body: dict[str, Any], codes: list[str]) -> None:
    reading = Reading()
    Amend.check(body, reading)
    assert [f"{problem.code} {problem.field}" for problem in reading.problems] == codes


@pytest.mark.parametrize(
    ("right", "fields"),
    [([], ["right"]), ({"partner": []}, ["right.partner"]), ({"partner": None}, [])],
)
def test_what_is_right_are_plain_values(right: Any, fields: list[str]) -> None:
    reading = Reading()
    Right.read_wire(right, reading, "right")
    assert [problem.field for problem in reading.problems] == fields


def test_act_is_offered_while_it_can_be_done(evening: Evening) -> None:
    def offered(evening: Evening, by: Author) -> set[str]:
        return {name for name, act in ACTS.items() if act.possible(evening.deal(1), by)}

    ada, bea = Author(UUID(int=1), "Ada"), Author(UUID(int=2), "Bea")
    assert offered(evening, ada) == {"void", "dispute", "confirm"}
    disputed = Dispute(version=1, reason="No").apply(evening, evening.deal(1), ada)
    assert offered(disputed, ada) == {"void", "dispute", "uphold", "withdraw"}
    assert offered(disputed, bea) == {"void", "dispute", "uphold"}
    evening.void(1)
    assert offered(evening, ada) == {"restore"}
    assert [str(act.title(7)) for act in (Restore, Uphold)] == ["Restore deal 7", "Uphold deal 7"]


def test_only_who_disputed_withdraws(evening: Evening) -> None:
    ada, bea = Author(UUID(int=1), "Ada"), Author(UUID(int=2), "Bea")
    for by, act in ((ada, Withdraw), (bea, Uphold)):
        disputed = Dispute(version=1, reason="No").apply(evening, evening.deal(1), ada)
        upheld = Uphold(version=1, seen=1).apply(disputed, disputed.deal(1), by)
        before, review = upheld.deal(1).reviews[:1], upheld.deal(1).reviews[1]
        assert review_act(before, review) is act
        assert review_act((), review) is Uphold
        assert review_act((), before[0]) is Dispute
        assert (before[0].settles, review.settles) == (False, True)


def test_amendment_by_hand_is_none_of_the_rules(evening: Evening) -> None:
    assert evening.deal(1).amended_by_hand is None
    evening.amend(1, SHEET | {"card_points": 60})
    assert evening.deal(1).amended_by_hand == evening.deal(1).current


def test_evening_of_facts_is_the_evening_that_they_were_written_in(evening: Evening) -> None:
    evening.change(rules="monte-5")
    dora = Author(UUID(int=4), "Dora")
    confirmed = Confirm(version=1).apply(evening, evening.deal(1), dora)
    again = Evening.begin("briscola-chiamata", FIVE).take(*confirmed.facts_since(0))

    assert [deal.versions for deal in again.deals] == [deal.versions for deal in evening.deals]
    assert [deal.reviews for deal in again.deals] == [deal.reviews for deal in confirmed.deals]
    assert (again.balances, again.dealer) == (confirmed.balances, confirmed.dealer)
    assert again.decided_since(2) == [3, 4]
    assert again.last_played == again.deal(1)
    told = [str(deal.entry.text) for deal in evening.deals]
    assert [str(deal.entry.text) for deal in again.deals] == told
    assert told[1:] == ["Misdeal", "Penalty: Ciro"]


def test_sheet_of_a_stored_deal_is_read_late(evening: Evening) -> None:
    played, misdeal, _ = (StoredDeal(*deal.entry[:3], deal.entry.stored) for deal in evening.deals)
    assert (played.made, misdeal.made) == (True, None)
    changed = played._replace(outcome=Outcome.MISDEAL)
    assert (changed.outcome, changed.sheet) == (Outcome.MISDEAL, played.sheet)
    damaged = StoredDeal(*played[:3], {"caller": 12})
    with pytest.raises(InvalidError):
        _ = damaged.sheet


@pytest.mark.parametrize(
    ("right", "coded"),
    [
        pytest.param({"partner": "Ciro"}, {"partner": "2"}, id="a name"),
        pytest.param({"partner": None}, {"partner": "nobody"}, id="alone"),
        pytest.param({"card_points": 60}, {"card_points": 60}, id="a number"),
        pytest.param({"partner": "Bea"}, None, id="what it says"),
        pytest.param({"partner": "Zoe"}, None, id="a stranger"),
        pytest.param({"dealer": "Bea"}, None, id="what is not asked"),
    ],
)
def test_program_says_what_is_right_by_names(
    evening: Evening, right: dict[str, Any], coded: dict[str, Any] | None
) -> None:
    if coded is not None:
        assert coded_answers(evening, evening.deal(1), right) == coded
        return
    with pytest.raises(InvalidError):
        coded_answers(evening, evening.deal(1), right)
