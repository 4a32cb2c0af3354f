"""What other rules would make of an evening: the same as the change does, and nothing written."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings

from scorer.errors import InvalidError, TooOftenError
from scorer.evening.session_acts import Change
from scorer.games import find_game
from scorer.rules.game import Outcome
from scorer.services.deals import what_if
from scorer.services.deals.report import deal_report
from scorer.services.deals.what_if import RulesWhatIf, rules_what_if, tables_what_if
from scorer.services.session.house_rules import keep_rules
from scorer.services.session.writing import do
from tests.data.strategies import examples, rule_sets
from tests.refusals import refused
from tests.services.evenings import FIVE, Evening, played_once, sheet, start

GAME = find_game("briscola-chiamata")
DOUBLED: dict[str, Any] = {"preset": "classic", "score": {"bands": [[0, 2]]}}


@pytest.fixture
@played_once
def evening() -> Evening:
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


def test_deals_are_paid_anew_and_nothing_is_written(evening: Evening) -> None:
    before = evening.balances(), evening.state.row.version

    told = computed(evening, DOUBLED)

    assert [one.deal.number for one in told.differing] == [1, 2]
    assert list(told.now.values()) == before[0]
    assert list(told.then.values()) == [7, 5, -9, -4, 1]
    assert (told.refused, told.refusal) == ([], None)
    assert (evening.balances(), evening.state.row.version) == before


def until(target: int) -> dict[str, Any]:
    return {"preset": "classic", "session": {"end": "target", "target": target}}


@pytest.mark.parametrize(
    ("document", "from_number", "end"),
    [
        *((DOUBLED, number, None) for number in (1, 2, 3, 6)),
        *((until(3), number, 2) for number in (1, 2)),
        (until(7), 1, None),
        (until(1), 3, 3),
    ],
)
def test_change_does_the_what_if_said_and_ends_the_evening_where_it_said(
    evening: Evening, document: dict[str, Any], from_number: int, end: int | None
) -> None:
    told = computed(evening, document, from_number)

    assert change(evening, document, from_number) == len(told.deals)

    assert told.finished_number == end
    assert_comes_to_pass(evening, told)


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


@settings(examples(25), suppress_health_check=list(HealthCheck))
@given(document=rule_sets())
def test_whatever_the_rules_the_change_agrees_with_the_what_if_said(
    document: dict[str, Any],
) -> None:
    evening = start({"preset": "classic", "session": {"end": "open"}})
    for written in (sheet(), sheet(partner=None, points=120), sheet(caller="Dora", points=0)):
        evening.record(written)
    told = computed(evening, document)

    if told.refused or told.refusal:
        with pytest.raises(InvalidError):
            change(evening, document)
    else:
        change(evening, document)
        assert_comes_to_pass(evening, told)


def test_others_have_their_turn_while_a_long_evening_is_computed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[float] = []
    monkeypatch.setattr(what_if, "TURN", 2)
    monkeypatch.setattr("time.sleep", turns.append)

    computed(evening, DOUBLED)

    assert turns.count(what_if.PAUSE) == 2  # other threads may sleep meanwhile


def test_who_would_wait_for_another_answer_is_told_to_come_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what_if, "PATIENCE", 0.01)

    with what_if._computing, pytest.raises(TooOftenError):
        computed(evening, DOUBLED)

    assert computed(evening, DOUBLED).deals


def test_deal_of_six_is_not_scored_by_rules_for_five_of_whom_one_sits_out() -> None:
    evening = start("monte-6", (*FIVE, "Fulvia"))
    evening.record()
    rules = {"preset": "classic", "sits_out": "dealer"}
    keep_rules(
        evening.circle_id, key=uuid4(), game=GAME.slug, name="Ours", rules=rules, by=evening.by
    )

    found = tables_what_if(deal_report(*evening.keys, 1))

    assert {one.rules.players for one in found} == {6}
