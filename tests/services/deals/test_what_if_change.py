"""What a change would come to, told before it is done: by the same code, and nothing is written."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import InvalidError
from scorer.evening.session_acts import Change, Guest
from scorer.rules.seats import all_seats
from scorer.services.deals.report import deal_report
from scorer.services.deals.what_if import ChangeWhatIf, change_what_if
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.storage import queries
from scorer.texts import Text
from tests.services.evenings import SIX, Evening, examples, played_once, sheet, start
from tests.web.rows import every_row

ADA, BEA, CIRO, DORA, EZIO, FULVIA = all_seats(6)
RULES = {"preset": "classic-plain", "sits_out": "dealer"}


@pytest.fixture
@played_once
def evening() -> Evening:
    """Six at the table and four deals, one of them voided; Ada deals first."""
    evening = start(RULES, SIX, first_dealer=0)
    evening.record(sheet("Bea", "Ciro"))
    evening.record(sheet("Dora", "Ezio"))
    evening.record(sheet("Dora", None))
    evening.record(sheet("Ezio", "Fulvia"))
    evening.void(4)
    return evening


def a_request(evening: Evening, since: int, **other: Any) -> Change:
    row = load_state(*evening.keys).row
    return Change(from_number=since, next_number=row.next_number, seen=row.written, **other)


def told(found: ChangeWhatIf) -> dict[int, dict[str, tuple[str, str]]]:
    """Say of each deal what would change: label -> what it was and is to be."""
    return {
        one.number: {str(c.label): (str(c.old), str(c.new)) for c in one.changes}
        for one in found.deals
    }


def test_dealers_who_sits_out_and_the_balances_are_foretold(evening: Evening) -> None:
    seats = (ADA, FULVIA, BEA, CIRO, DORA, EZIO)

    asked = a_request(evening, 2, seats=seats, dealer=FULVIA)
    found = change_what_if(evening.session_id, asked, evening.by)

    assert told(found) == {
        2: {"Dealer": ("Bea", "Fulvia"), "Sat out": ("Bea", "Fulvia")},
        3: {"Dealer": ("Ciro", "Bea"), "Sat out": ("Ciro", "Bea")},
        4: {"Dealer": ("Dora", "Ciro"), "Sat out": ("Dora", "Ciro")},
    }
    assert found.deals[0].moved == {1: -1, 5: 1}
    assert [one.voided for one in found.deals] == [False, False, True]
    assert [*found.before.values()] == [-2, 1, 0, 5, -1, -3]
    assert [*found.after.values()] == [-2, 1, -1, 5, -1, -2]
    assert (found.dealer, found.out) == ("Ciro", ("Ciro",))


def test_nothing_is_written(evening: Evening) -> None:
    before = every_row()
    rules, guests = {**RULES, "score": {"caller": 3}}, (Guest("Gino", 5),)
    asked = a_request(evening, 1, seats=all_seats(7), guests=guests, rules=rules)

    found = change_what_if(evening.session_id, asked, evening.by)

    assert found.names[-1] == "Gino"
    assert every_row() == before


def test_history_of_a_deal_names_the_change_and_what_followed_from_it(evening: Evening) -> None:
    evening.change(2, 3, order=(ADA, FULVIA, BEA, CIRO, DORA, EZIO), dealer=FULVIA)
    evening.change(1, rules={**RULES, "score": {"caller": 3}})
    evening.change(3, 3, rules=RULES, order=all_seats(6), dealer=CIRO)

    second = deal_report(*evening.keys, 2).history
    third = deal_report(*evening.keys, 3).history

    assert [because(one.because) for one in second] == [
        "Rules changed to Classic without cappotto, from deal 1 on",
        "Seats changed, for deals 2 to 3",
        None,
    ]
    assert (
        because(third[0].because)
        == "Rules (Classic without cappotto) and seats changed, for deal 3"
    )
    assert [str(change.label) for change in second[1].changes] == ["Dealer", "Sat out"]
    assert second[1].row.reason == "We sat wrong"


def because(text: Text | None) -> str | None:
    return None if text is None else str(text)


@examples(12)
@given(data=st.data())
def test_what_is_foretold_comes_to_pass(evening: Evening, data: st.DataObject) -> None:
    since = data.draw(st.integers(1, 5))
    order = tuple(data.draw(st.permutations(all_seats(6))))
    asked = a_request(
        evening,
        since,
        until_number=data.draw(st.none() | st.integers(since, 5)),
        seats=order,
        dealer=data.draw(st.sampled_from(order)),
        by_place=data.draw(st.booleans()),
    )
    try:
        found = change_what_if(evening.session_id, asked, evening.by)
    except InvalidError as error:
        with pytest.raises(InvalidError, match=re.escape(str(error))):
            do(*evening.keys, asked, by=evening.by)
        return

    do(*evening.keys, asked, by=evening.by)

    state = load_state(*evening.keys)
    assert found.after == queries.session.balances(*evening.keys)
    assert found.dealer == state.names[state.evening.turn.dealer]
    for one in found.deals:
        newest = deal_report(*evening.keys, one.number).history[0]
        moved = {seat: amount for seat, amount in newest.moved.items() if amount}
        assert (newest.changes, moved) == (one.changes, one.moved)
