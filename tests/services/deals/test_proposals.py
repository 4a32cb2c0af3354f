"""Proposals: what a dispute says is right, kept, shown beside the deal, and given back."""

import pytest

from scorer.evening.acts import Accept, Dispute
from scorer.roles import Holder
from scorer.services.deals.report import ProposalReport, deal_report
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.journal.verify import circle_findings
from scorer.storage import one_moment
from tests.services.evenings import Evening, played_once, start


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
