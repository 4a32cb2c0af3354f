"""Proposals: what a dispute says is right, accepted, refused, withdrawn, kept and given back."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from scorer.errors import ConflictError, InvalidError, RefusedError
from scorer.evening.acts import Accept, Dispute, Uphold, Withdraw
from scorer.evening.proposals import proposed_entry, right_answers
from scorer.languages import translate
from scorer.rules.game import Outcome
from scorer.services.base.author import Holder
from scorer.services.circle import circles
from scorer.services.deals.deals import Done
from scorer.services.deals.report import ProposalReport, deal_report
from scorer.services.deals.sheet import score_sheet
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import read_anew
from scorer.storage import db, models, one_moment, queries
from scorer.texts import Text
from tests.data.rows import rows
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, played_once, refused, sheet, start


def played() -> Evening:
    evening = start()
    evening.record(sheet("Ada", "Bea", points=70))
    return evening


def dispute(evening: Evening, by: Holder, reason: str = "", **right: str) -> bool:
    return evening.do(1, Dispute, by=by, reason=reason, coded=right).new


def proposal(evening: Evening) -> ProposalReport:
    found = deal_report(*evening.keys, 1).proposal
    assert found is not None
    return found


def accept(evening: Evening, **said: Any) -> Done:
    return evening.do(1, Accept, **said)


def findings(evening: Evening) -> list[str]:
    with one_moment():
        return list(circle_findings(evening.circle_id))


@pytest.fixture
@played_once
def evening() -> Evening:
    return played()


@rows(__file__, "proposals")
@BOTH_ENGINES
def test_proposal_is_kept_shown_and_accepted(
    right: dict[str, str], text: str, answers: dict[str, Any] | None
) -> None:
    evening = played()
    assert dispute(evening, evening.let_in(), "Look", **right)

    found = proposal(evening)
    assert (str(found.text), found.refusal) == (text, None)
    assert found.changes
    disputes = score_sheet(evening.state).disputes
    assert [str(proposal) for _, proposal in disputes] == [text]
    assert str(deal_report(*evening.keys, 1).history[0].proposal) == text
    assert findings(evening) == []

    before = evening.deal(1).entry
    assert accept(evening).new
    after = evening.deal(1)

    assert (after.amended, after.disputed) == (True, False)
    assert after.paid == found.payouts
    if answers is None:
        assert after.outcome == Outcome.MISDEAL
    else:
        assert after.entry.stored == {**(before.stored or {}), **answers}
    assert deal_report(*evening.keys, 1).versions[-1].reason == "Look"
    assert findings(evening) == []


def test_same_acceptance_sent_twice_amends_once(evening: Evening) -> None:
    dispute(evening, evening.let_in(), partner="2")

    assert accept(evening, seen=1).new
    assert not accept(evening, version=1, seen=1).new
    assert evening.deal(1).version == 2


@rows(__file__, "refused")
def test_proposal_that_cannot_be_is_refused(
    right: dict[str, str], code: str, evening: Evening
) -> None:
    with refused(code):
        dispute(evening, evening.let_in(), **right)

    assert not evening.deal(1).disputed


def test_bid_is_written_as_its_deck_writes_it() -> None:
    evening = start(rules="ladder-bands")
    evening.record({**sheet(), "bid": "K"})
    asked = right_answers(evening.state.evening, evening.deal(1))
    current = next(one.current for one in asked if one.name == "bid")
    assert isinstance(current, Text)
    assert translate(current, "it") == "R"

    assert dispute(evening, evening.let_in(), bid="C")
    text = proposal(evening).text
    assert (str(text), translate(text, "it")) == ("Bid: Q", "Chiamata: C")


def test_dispute_sent_twice_is_one_and_another_proposal_is_another(evening: Evening) -> None:
    by = evening.let_in()

    twice = [evening.do(1, Dispute, by=by, seen=0, coded={"partner": "2"}).new for _ in range(2)]

    assert twice == [True, False]
    assert dispute(evening, by, partner="3")
    assert str(proposal(evening).text) == "Partner: Dora"


def test_proposal_is_told_against_the_deal_as_it_stands_by_now(evening: Evening) -> None:
    dispute(evening, evening.let_in(), card_points="80")
    evening.change(1, rules="bastarda")

    found = proposal(evening)

    assert found.refusal is None
    assert accept(evening).new
    assert (evening.deal(1).entry.stored or {})["card_points"] == 80


def test_proposal_that_the_rules_do_not_allow_any_more_is_explained(evening: Evening) -> None:
    dispute(evening, evening.let_in(), bid="61", partner="nobody")
    evening.change(1, rules={"preset": "classic", "call": {"own_card": False}})

    assert str(proposal(evening).refusal).startswith("At this table nobody may call")
    with pytest.raises(InvalidError):
        accept(evening)


def test_of_several_disputes_the_newest_is_accepted(evening: Evening) -> None:
    first, second = evening.let_in(), evening.let_in()
    dispute(evening, first, "Ciro had it", partner="2")
    evening.do(1, Uphold)
    dispute(evening, second, "It was Dora", partner="3")
    dispute(evening, first, "It was 58", card_points="58")

    accept(evening)

    answers = evening.deal(1).entry.stored or {}
    assert (answers["partner"], answers["card_points"]) == ("1", 58)
    assert deal_report(*evening.keys, 1).versions[-1].reason == "It was 58"


def test_only_a_deal_that_is_disputed_with_a_proposal_can_be_accepted(evening: Evening) -> None:
    by = evening.let_in()
    with pytest.raises(ConflictError):
        accept(evening)
    dispute(evening, by, "Count again")
    assert deal_report(*evening.keys, 1).proposal is None
    with pytest.raises(ConflictError):
        accept(evening)
    dispute(evening, by, partner="2")
    with pytest.raises(ConflictError):
        accept(evening, seen=0)
    evening.void(1)
    with pytest.raises(ConflictError):
        accept(evening)


def test_deal_that_was_not_played_may_be_another_outcome_only(evening: Evening) -> None:
    evening.record(outcome=Outcome.MISDEAL)

    (asked,) = right_answers(evening.state.evening, evening.deal(2))

    assert (asked.name, str(asked.current)) == ("outcome", "Misdeal")
    assert "misdeal" not in dict(asked.choices)


def test_proposal_for_a_played_deal_does_not_fit_one_that_was_not_played(evening: Evening) -> None:
    evening.record(outcome=Outcome.MISDEAL)

    with refused("not-played"):
        proposed_entry(evening.state.evening, evening.deal(2), {"partner": "2"})


def test_own_dispute_is_withdrawn(evening: Evening) -> None:
    by = evening.let_in()
    dispute(evening, by, partner="2")
    assert deal_report(*evening.keys, 1).withdraws(by)

    assert evening.do(1, Withdraw, by=by, seen=1).new
    assert not evening.do(1, Withdraw, by=by, seen=1).new

    assert not evening.deal(1).disputed
    assert [one.act for one in deal_report(*evening.keys, 1).history] == [
        "withdraw", "dispute", "record"
    ]  # fmt: skip
    assert findings(evening) == []


def test_dispute_of_somebody_else_is_not_withdrawn(evening: Evening) -> None:
    bea, ciro = evening.let_in(), evening.let_in()
    for by in (bea, ciro):
        evening.do(1, Dispute, by=by, seen=0, reason="Bad")
        with pytest.raises(RefusedError):
            evening.do(1, Withdraw, by=ciro)
    assert not deal_report(*evening.keys, 1).withdraws(ciro)


def test_proposal_edited_by_hand_is_found(evening: Evening) -> None:
    dispute(evening, evening.let_in(), partner="2")
    with db.engine.begin() as connection:
        connection.execute(update(models.Review.__table__).values(proposal={"partner": "3"}))  # type: ignore[arg-type]  # a table
    db.session.remove()

    assert any("review 1 differs from its hash" in line for line in findings(evening))


def test_circle_file_keeps_proposals(evening: Evening, tmp_path: Path) -> None:
    dispute(evening, evening.let_in(), partner="2")
    file = tmp_path / "circle.jsonl"
    file.write_bytes(b"".join(export_circle(evening.circle_id)))
    circles.delete_circle(evening.circle_id, queries.find(models.Circle, evening.circle_id).name)  # type: ignore[union-attr]  # it is there

    import_circles(file)

    (review,) = read_anew(*evening.keys).evening.deal(1).reviews
    assert review.proposal == {"partner": "2"}


@rows(__file__, "follows")
def test_yes_or_no_that_follows_from_an_answer_is_set(
    right: dict[str, str], stored: dict[str, Any]
) -> None:
    evening = start()
    evening.record(sheet("Ada", "Bea", points=120) | {"cappotto": True})

    dispute(evening, evening.let_in(), **right)

    assert evening.deal(1).reviews[-1].proposal == stored


def test_yes_or_no_that_was_said_is_not_turned() -> None:
    evening = start()
    evening.record(sheet("Ada", "Bea", points=120) | {"cappotto": True})

    with refused("wrong-cappotto"):
        dispute(evening, evening.let_in(), card_points="120", cappotto="no")
