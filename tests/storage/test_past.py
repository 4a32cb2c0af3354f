"""What 0.3 left is brought along, on both engines, and its history stays readable."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from scorer.cli import main
from scorer.errors import InvalidError
from scorer.evening.acts import Amend, WrittenSheet
from scorer.services.circle import circles
from scorer.services.deals.deals import do
from scorer.services.deals.report import DealReport, deal_report
from scorer.services.journal.journal_page import journal_page
from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import load_state
from scorer.services.tournament.page import tournament_page
from scorer.storage import migrate, queries
from tests.past import FIGURES, HOOKS, write_past
from tests.services.damages import edit_rows
from tests.services.tournaments import Directed
from tests.storage.conftest import opened

BID = {"caller": "Ada", "partner": "Bea", "card_points": 30}
CARDS = {"aces": [4, 0], "thirds": [18, 2], "last_trick": 0}
#: The versions of deals that 0.3 paid otherwise, by the title of the session.
FORMER = {
    "Friday": [(1, 1), (2, 2), (3, 1), (3, 2), (3, 3)],
    "Declared": [(1, 1)],
    "Twice": [(2, 1)],
    "Cancelled": [(1, 1)],
    "Three": [(1, 1), (2, 1)],
}


def deal_reports(circle_id: UUID) -> dict[str, list[DealReport]]:
    sessions = queries.deals.sessions_in_order(circle_id)
    return {
        row.title: [
            deal_report(circle_id, row.session_id, deal.number)
            for deal in load_state(circle_id, row.session_id).deals
        ]
        for row in queries.session.sessions_by_key(circle_id, [one.session_id for one in sessions])
    }


def amended(sheet: dict[str, Any]) -> Amend:
    return Amend(version=1, sheet=WrittenSheet(sheet))


def amend_by_the_rules_of_today(circle_id: UUID) -> None:
    by = circles.holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
    deals = {title: reports[-1] for title, reports in deal_reports(circle_id).items()}
    rank, cards = deals["Declared"], deals["Twice"]
    with pytest.raises(InvalidError, match="a rank is not a bid"):
        do(circle_id, rank.state.session_id, 1, amended({**BID, "bid": "K"}), by=by)
    points = do(circle_id, rank.state.session_id, 1, amended({**BID, "bid": "29"}), by=by)
    again = do(circle_id, cards.state.session_id, 2, amended(CARDS), by=by)
    paid = [list(deal.payouts.values()) for deal in (points, again)]

    assert paid == [[29, 29, 0, 0, 0], [22, 0, 22, 0]]
    assert list(circle_findings(circle_id)) == []


def find_a_payout_that_no_rules_gave(circle_id: UUID) -> None:
    edit_rows(
        """UPDATE deal_version SET payouts = '{"0": 12, "1": 0, "2": 12, "3": 0}'"""
        " WHERE number = 2 AND act = 'record'"
    )
    found = [line for line in circle_findings(circle_id) if "version 1 pays" in line]

    of_two_deals = FORMER.keys() - {"Declared"}
    assert {line.partition(":")[0] for line in found} == {
        f"{name} · deal 2" for name in of_two_deals
    }


def named_by_verify() -> list[str]:
    return [
        f"Ada, Bea, Ciro, Dora, Ezio · {title} · deal {deal}: version {version} is "
        "paid by the rules of 0.3"
        for title, versions in FORMER.items()
        for deal, version in versions
    ]


def assert_deals_are_told_as_they_were_paid(circle_id: UUID) -> None:
    told = deal_reports(circle_id)
    entries = [report.deal.entry for reports in told.values() for report in reports]
    assert [entry.score.payouts for entry in entries] == [entry.paid for entry in entries]
    by_cards, figures = told["Twice"][1], "Ada and Ciro 11, Bea and Dora 0"
    assert str(by_cards.headline).endswith(figures)
    assert str(by_cards.deal.entry.text) == figures


def assert_web_hooks_are_told(circle_id: UUID) -> None:
    told = [str(line.text) for line in journal_page(circle_id).lines]
    assert [line for line in told if "web hook" in line] == [
        "The web hook to removed.example was removed.",
        "The web hook to gone.example failed too often and stopped.",
        "A web hook tells removed.example what happens.",
        "A web hook tells gone.example what happens.",
        "A web hook tells ntfy.sh what happens.",
    ]


def assert_club_evening_is_held(circle_id: UUID) -> None:
    club = Directed(circles.holder(circle_id, queries.circle.phones(circle_id)[0].phone_id))
    club.publish()
    club.play(1, 1, (71, 49))

    assert [table.number for table in tournament_page(*club.key).turn(1).open] == [2]
    assert list(circle_findings(circle_id)) == []


def test_circles_of_0_3_are_verified_imported_and_played_on(
    empty_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hooks, figures = (write_past(empty_url, file) for file in (HOOKS, FIGURES))
    migrate.upgrade(empty_url)

    assert main(["verify", "--database", empty_url]) == 0
    *lines, summary = capfd.readouterr().out.splitlines()
    assert sorted(lines) == sorted(named_by_verify())
    assert summary.endswith("no differences.")
    file, copy = str(tmp_path / "circle"), f"sqlite:///{tmp_path / 'copy.sqlite'}"
    for words in (
        ["export", str(figures), file, "--database", empty_url],
        ["import", file, "--database", copy],
        ["verify", "--against", file, "--database", copy],
    ):
        assert main(words) == 0, capfd.readouterr()
    with opened(copy):
        assert_deals_are_told_as_they_were_paid(figures)
    with opened(empty_url):
        assert_web_hooks_are_told(hooks)
        assert_deals_are_told_as_they_were_paid(figures)
        assert_club_evening_is_held(hooks)
        amend_by_the_rules_of_today(figures)
        find_a_payout_that_no_rules_gave(figures)
