"""Proposals: what a dispute says is right, accepted, refused, or overtaken by other rules."""

from typing import Any

import pytest

from scorer import Evening
from scorer.errors import ConflictError
from scorer.evening.acts import Accept, Dispute
from scorer.evening.proposals import proposal_text, proposed_entry, right_answers
from scorer.languages import translate
from scorer.rules.game import Outcome
from scorer.texts import Text
from tests.data.rows import rows
from tests.evening.test_acts import PHONES, after, begun, do, sheet
from tests.refusals import refused


def dispute(evening: Evening, by: str = "Ciro", reason: str = "", **right: str) -> Evening:
    deal = evening.deal(1)
    act = Dispute(version=deal.version, seen=len(deal.reviews), reason=reason, coded=right)
    return act.apply(evening, deal, PHONES[by])


def accept(evening: Evening, version: int = 0, seen: int | None = None) -> Evening:
    deal = evening.deal(1)
    act = Accept(version=version or deal.version, seen=len(deal.reviews) if seen is None else seen)
    return act.apply(evening, deal, PHONES["Ada"])


def proposal(evening: Evening) -> dict[str, Any]:
    return evening.deal(1).reviews[-1].proposal or {}


def with_cappotto() -> Evening:
    evening = begun()
    evening.record(sheet(120, cappotto=True))
    return evening


@rows(__file__, "proposals")
def test_proposal_is_told_and_accepted(
    right: dict[str, str], text: str, answers: dict[str, Any] | None
) -> None:
    evening = dispute(after(""), "Ciro", "Look", **right)
    before = evening.deal(1)
    entry = proposed_entry(evening, before, proposal(evening))

    assert str(proposal_text(evening, proposal(evening))) == text
    deal = accept(evening).deal(1)

    assert (deal.amended, deal.disputed, deal.current.reason) == (True, False, "Look")
    assert deal.paid == entry.paid
    expected = None if answers is None else {**(before.entry.stored or {}), **answers}
    assert deal.entry.stored == expected
    assert (deal.outcome == Outcome.MISDEAL) == (answers is None)


@rows(__file__, "refused")
def test_proposal_that_cannot_be_is_refused(right: dict[str, str], code: str) -> None:
    with refused(code):
        dispute(after(""), **right)


@rows(__file__, "follows")
def test_yes_or_no_that_follows_from_an_answer_is_set(
    right: dict[str, str], stored: dict[str, Any]
) -> None:
    assert proposal(dispute(with_cappotto(), **right)) == stored


def test_yes_or_no_that_was_said_is_not_turned() -> None:
    with refused("wrong-cappotto"):
        dispute(with_cappotto(), card_points="120", cappotto="no")


def test_bid_is_written_as_its_deck_writes_it() -> None:
    evening = begun("ladder-bands")
    evening.record(sheet(bid="K"))
    asked = right_answers(evening, evening.deal(1))
    current = next(one.current for one in asked if one.name == "bid")
    assert isinstance(current, Text)
    assert translate(current, "it") == "R"

    evening = dispute(evening, bid="C")
    text = proposal_text(evening, proposal(evening))
    assert (str(text), translate(text, "it")) == ("Bid: Q", "Chiamata: C")


def test_another_proposal_is_another_dispute_and_the_newest_is_accepted_once() -> None:
    first = dispute(after(""), "Ciro", "Ciro had it", partner="2")
    deal = first.deal(1)
    again = Dispute(version=1, reason="Ciro had it", coded={"partner": "2"})
    assert again.apply(first, deal, PHONES["Ciro"]) is first
    upheld, _ = do(first, "uphold")
    disputed = dispute(dispute(upheld, "Dora", "It was Dora", partner="3"), card_points="58")

    with pytest.raises(ConflictError):
        accept(disputed, seen=3)
    accepted = accept(disputed)

    answers = accepted.deal(1).entry.stored or {}
    assert (answers["partner"], answers["card_points"]) == ("1", 58)
    assert accept(accepted, version=1, seen=4) is accepted


def test_only_a_proposal_of_an_open_dispute_is_accepted() -> None:
    undisputed = after("")
    proposed = dispute(undisputed, partner="2")
    voided, upheld = (do(proposed, act)[0] for act in ("void", "uphold"))

    for evening in (undisputed, dispute(undisputed, reason="Bad"), voided, upheld):
        with pytest.raises(ConflictError):
            accept(evening)


def test_proposal_is_accepted_by_the_rules_that_hold_by_now() -> None:
    points = dispute(after(""), card_points="80").what_if("bastarda")
    alone = dispute(after(""), partner="nobody").what_if(
        {"preset": "classic", "call": {"own_card": False}}
    )

    assert (accept(points).deal(1).entry.stored or {})["card_points"] == 80
    with refused("own-card-forbidden"):
        accept(alone)


def test_answer_on_the_sheet_stands_at_its_place_among_the_choices() -> None:
    evening = with_cappotto()
    asked = {one.name: one for one in right_answers(evening, evening.deal(1))}

    partner, cappotto = asked["partner"].all_choices, asked["cappotto"].all_choices
    assert [words for _, words in partner[:-1]] == list(evening.names)
    assert [code for code, _ in partner] == ["0", "", "2", "3", "4", "nobody"]
    assert [code for code, _ in cappotto] == ["", "no"]


def test_deal_that_was_not_played_may_be_another_outcome_only() -> None:
    evening = after("amend outcome=misdeal")
    deal = evening.deal(1)

    (asked,) = right_answers(evening, deal)

    assert (asked.name, str(asked.current)) == ("outcome", "Misdeal")
    assert "misdeal" not in dict(asked.choices)
    with refused("not-played"):
        proposed_entry(evening, deal, {"partner": "2"})
