"""What a change would come to, told before it is done: by the same code, and nothing is written."""

from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import TooOftenError
from scorer.evening.session_acts import Change, Guest
from scorer.games import find_game
from scorer.rules.game import Outcome
from scorer.rules.seats import all_seats
from scorer.services.deals import what_if
from scorer.services.deals.report import deal_report, seats_changes
from scorer.services.deals.what_if import (
    RulesWhatIf,
    change_what_if,
    rules_what_if,
    tables_what_if,
)
from scorer.services.session.house_rules import keep_rules
from scorer.services.session.writing import do
from scorer.storage import queries
from scorer.texts import Text
from tests.refusals import refused
from tests.services.evenings import FIVE, SIX, Evening, played_once, sheet, start
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
    row = evening.state.row
    return Change(from_number=since, next_number=row.next_number, seen=row.written, **other)


def test_what_a_change_comes_to_is_foretold_and_written_once_it_is_done(evening: Evening) -> None:
    before = every_row()
    seats = (ADA, FULVIA, BEA, CIRO, DORA, EZIO)
    rules, guests = {**RULES, "score": {"caller": 3}}, (Guest("Gino", 5),)
    with_guest = a_request(evening, 1, seats=all_seats(7), guests=guests, rules=rules)

    names = change_what_if(evening.session_id, with_guest, evening.by).names
    asked = a_request(evening, 2, seats=seats, dealer=FULVIA)
    found = change_what_if(evening.session_id, asked, evening.by)

    dealers_who_sit_out = [("Bea", "Fulvia"), ("Ciro", "Bea"), ("Dora", "Ciro")]
    assert [[(str(c.old), str(c.new)) for c in one.changes] for one in found.deals] == [
        [change] * 2 for change in dealers_who_sit_out
    ]
    assert [(one.number, one.voided) for one in found.deals] == [(2, False), (3, False), (4, True)]
    assert found.deals[0].moved == {1: -1, 5: 1}
    assert [*found.before.values()] == [-2, 1, 0, 5, -1, -3]
    assert [*found.after.values()] == [-2, 1, -1, 5, -1, -2]
    assert (found.dealer, found.out) == ("Ciro", ("Ciro",))
    assert names[-1] == "Gino"
    assert every_row() == before
    do(*evening.keys, asked, by=evening.by)
    assert found.after == queries.session.balances(*evening.keys)
    for one in found.deals:
        newest = deal_report(*evening.keys, one.number).history[0]
        moved = {seat: amount for seat, amount in newest.moved.items() if amount}
        assert (newest.changes, moved) == (one.changes, one.moved)


def test_history_of_a_deal_names_the_change_and_what_followed_from_it(evening: Evening) -> None:
    evening.change(2, 3, order=(ADA, FULVIA, BEA, CIRO, DORA, EZIO), dealer=FULVIA)
    both_ends = list(seats_changes(evening.state))
    assert [(one.number, one.row.reason) for one in both_ends] == [
        *((2, "We sat wrong"), (4, "We sat wrong")),
    ]
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


GAME = find_game("briscola-chiamata")
DOUBLED: dict[str, Any] = {"preset": "classic", "score": {"bands": [[0, 2]]}}


@pytest.fixture
@played_once
def five() -> Evening:
    """Play four deals, void one, and give a penalty."""
    played = start()
    played.record()
    played.record(sheet(caller="Ciro", partner=None, points=40))
    played.record({"offender": "Dora"}, Outcome.PENALTY)
    played.record(outcome=Outcome.MISDEAL)
    played.record()
    played.void(5)
    return played


def computed(evening: Evening, document: Any, from_number: int = 1) -> RulesWhatIf:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return rules_what_if(evening.state, rules, from_number)


def change(evening: Evening, document: Any, from_number: int = 1) -> int:
    change = Change(from_number=from_number, next_number=evening.next_number(), rules=document)
    return do(*evening.keys, change, by=evening.by)


def test_deals_are_paid_anew_and_nothing_is_written_before_it_is_done(five: Evening) -> None:
    before = five.balances(), five.state.row.version

    told = computed(five, DOUBLED)

    assert [one.deal.number for one in told.differing] == [1, 2]
    assert list(told.now.values()) == before[0]
    assert list(told.then.values()) == [7, 5, -9, -4, 1]
    assert (told.refused, told.refusal) == ([], None)
    assert (five.balances(), five.state.row.version) == before
    change(five, DOUBLED)
    assert_comes_to_pass(five, told)


@pytest.mark.parametrize(("target", "since", "end"), [(3, 2, 2), (7, 1, None), (1, 3, 3)])
def test_change_ends_the_evening_where_it_was_foretold(
    five: Evening, target: int, since: int, end: int | None
) -> None:
    until = {"preset": "classic", "session": {"end": "target", "target": target}}
    told = computed(five, until, since)

    assert change(five, until, since) == len(told.deals)

    assert told.finished_number == end
    assert_comes_to_pass(five, told)


def assert_comes_to_pass(evening: Evening, told: RulesWhatIf) -> None:
    assert evening.balances() == list(told.then.values())
    assert evening.state.row.finished_number == told.finished_number
    for one in told.deals:
        assert evening.deal(one.deal.number).paid == one.then


def test_deal_that_another_deck_cannot_tell_is_named_and_keeps_what_it_paid() -> None:
    evening = start("ladder-bands")
    evening.record(sheet(bid="7", called_card="7D"))

    told = computed(evening, "rulebook")

    assert [(one.deal.number, one.then == one.now) for one in told.refused] == [(1, True)]
    assert str(told.refused[0].refusal) == "There is no card 7D in this deck."
    with refused("deals.1"):
        change(evening, "rulebook")


def test_others_have_their_turn_while_a_long_evening_is_computed(
    five: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[float] = []
    monkeypatch.setattr(what_if, "TURN", 2)
    monkeypatch.setattr("time.sleep", turns.append)

    computed(five, DOUBLED)

    assert turns.count(what_if.PAUSE) == 2  # other threads may sleep meanwhile


def test_who_would_wait_for_another_answer_is_told_to_come_again(
    five: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what_if, "PATIENCE", 0.01)

    with what_if._computing, pytest.raises(TooOftenError):
        computed(five, DOUBLED)

    assert computed(five, DOUBLED).deals


def test_deal_of_six_is_not_scored_by_rules_for_five_of_whom_one_sits_out() -> None:
    evening = start("monte-6", (*FIVE, "Fulvia"))
    evening.record()
    rules = {"preset": "classic", "sits_out": "dealer"}
    keep_rules(
        evening.circle_id, key=uuid4(), game=GAME.slug, name="Ours", rules=rules, by=evening.by
    )

    found = tables_what_if(deal_report(*evening.keys, 1))

    assert {one.rules.players for one in found} == {6}
