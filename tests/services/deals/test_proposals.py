"""Proposals: what a dispute says is right, kept, shown beside the deal, and given back."""

from pathlib import Path

import pytest
from sqlalchemy import update

from scorer.evening.acts import Accept, Dispute, Withdraw
from scorer.roles import Holder
from scorer.services.circle import circles
from scorer.services.deals.report import ProposalReport, deal_report
from scorer.services.deals.sheet import score_sheet
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import read_anew
from scorer.storage import db, models, one_moment, queries
from tests.services.conftest import BOTH_ENGINES
from tests.services.evenings import Evening, played_once, refused, start


@pytest.fixture
@played_once
def evening() -> Evening:
    evening = start()
    evening.record()
    return evening


def dispute(evening: Evening, reason: str = "", **right: str) -> Holder:
    by = evening.let_in()
    assert evening.do(1, Dispute, by=by, reason=reason, coded=right).new
    return by


def proposal(evening: Evening) -> ProposalReport:
    found = deal_report(*evening.keys, 1).proposal
    assert found is not None
    return found


def findings(evening: Evening) -> list[str]:
    with one_moment():
        return list(circle_findings(evening.circle_id))


@pytest.mark.parametrize(
    ("right", "text"),
    [
        ({"partner": "nobody"}, "Partner: nobody"),
        ({"card_points": " 58 "}, "Card points of the caller's side: 58"),
        ({"outcome": "misdeal"}, "Misdeal"),
    ],
)
@BOTH_ENGINES
def test_proposal_is_kept_shown_and_accepted(
    evening: Evening, right: dict[str, str], text: str
) -> None:
    dispute(evening, "Look", **right)

    found = proposal(evening)
    assert (str(found.text), found.refusal) == (text, None)
    assert found.changes
    assert [str(proposal) for _, proposal in score_sheet(evening.state).disputes] == [text]
    assert str(deal_report(*evening.keys, 1).history[0].proposal) == text
    assert findings(evening) == []

    assert evening.do(1, Accept).new
    assert evening.deal(1).paid == found.payouts
    assert findings(evening) == []


def test_dispute_without_a_proposal_shows_none(evening: Evening) -> None:
    dispute(evening, "Count again")

    assert deal_report(*evening.keys, 1).proposal is None


def test_proposal_that_the_rules_do_not_allow_any_more_is_explained(evening: Evening) -> None:
    dispute(evening, bid="61", partner="nobody")
    evening.change(1, rules={"preset": "classic", "call": {"own_card": False}})

    assert str(proposal(evening).refusal).startswith("At this table nobody may call")
    with refused("own-card-forbidden"):
        evening.do(1, Accept)


def test_only_ones_own_dispute_is_offered_to_be_withdrawn(evening: Evening) -> None:
    by, other = dispute(evening, partner="2"), evening.let_in()
    report = deal_report(*evening.keys, 1)
    assert (report.withdraws(by), report.withdraws(other)) == (True, False)

    assert evening.do(1, Withdraw, by=by).new

    acts = [one.act for one in deal_report(*evening.keys, 1).history]
    assert acts == ["withdraw", "dispute", "record"]
    assert findings(evening) == []


def test_circle_file_keeps_proposals_and_one_edited_by_hand_is_found(
    evening: Evening, tmp_path: Path
) -> None:
    dispute(evening, partner="2")
    file = tmp_path / "circle.jsonl"
    file.write_bytes(b"".join(export_circle(evening.circle_id)))
    circles.delete_circle(evening.circle_id, queries.find(models.Circle, evening.circle_id).name)  # type: ignore[union-attr]  # it is there

    import_circles(file)

    (review,) = read_anew(*evening.keys).evening.deal(1).reviews
    assert review.proposal == {"partner": "2"}
    with db.engine.begin() as connection:
        connection.execute(update(models.ReviewRow.__table__).values(proposal={"partner": "3"}))  # type: ignore[arg-type]  # a table
    db.session.remove()
    assert any("review 1 differs from its hash" in line for line in findings(evening))
