"""What 0.3 left is brought along, on both engines, and its history stays readable."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import inspect, select, table
from sqlalchemy.sql.functions import count

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
from scorer.storage.engine import make_engine
from tests.past import FIGURES, write_past
from tests.services.damages import edit_rows
from tests.services.tournaments import Directed
from tests.storage.conftest import opened

BID = {"caller": "Ada", "partner": "Bea", "card_points": 30}
CARDS = {"aces": [4, 0], "thirds": [18, 2], "last_trick": 0}
WEB_HOOKS, TABLES = "2026_11_26_web_hooks", {"hook", "hook_message"}


def test_circle_with_web_hooks_is_read_restored_and_played_on_and_their_tables_go_and_come(
    empty_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    circle_id = write_past(empty_url)
    migrate.upgrade(empty_url)
    backup, circle = str(tmp_path / "backup"), str(tmp_path / "circle.jsonl")
    restored, imported = (f"sqlite:///{tmp_path / name}.sqlite" for name in ("one", "two"))
    statuses = [
        main(arguments)
        for arguments in (
            ["verify", "--database", empty_url],
            ["backup", "--without-key", backup, "--database", empty_url],
            ["restore", backup, "--database", restored],
            ["export", str(circle_id), circle, "--database", empty_url],
            ["import", circle, "--database", imported],
            ["verify", "--database", restored],
            ["verify", "--against", circle, "--database", imported],
        )
    ]
    assert statuses == [0] * len(statuses), capfd.readouterr()

    for url in (empty_url, restored, imported):
        with opened(url):
            told = [str(line.text) for line in journal_page(circle_id).lines]
        assert [line for line in told if "web hook" in line] == [
            "The web hook to removed.example was removed.",
            "The web hook to gone.example failed too often and stopped.",
            "A web hook tells removed.example what happens.",
            "A web hook tells gone.example what happens.",
            "A web hook tells ntfy.sh what happens.",
        ]
    assert_way_back_leaves_the_tables_empty(empty_url, circle_id)
    assert_club_evening_is_held(empty_url, circle_id)


def assert_club_evening_is_held(url: str, circle_id: UUID) -> None:
    with opened(url):
        club = Directed(circles.holder(circle_id, queries.circle.phones(circle_id)[0].phone_id))
        club.publish()
        club.play(1, 1, (71, 49))

        assert [table.number for table in tournament_page(*club.key).turn(1).open] == [2]
        assert list(circle_findings(circle_id)) == []


def assert_way_back_leaves_the_tables_empty(url: str, circle_id: UUID) -> None:
    engine = make_engine(url)
    above = set(inspect(engine).get_table_names())
    migrate.downgrade(url, WEB_HOOKS)
    below = set(inspect(engine).get_table_names())
    with engine.connect() as connection:
        counts = [connection.scalar(select(count()).select_from(table(name))) for name in TABLES]
    engine.dispose()
    migrate.upgrade(url)

    with opened(url):
        assert list(circle_findings(circle_id)) == []
    assert (below - above, counts) == (TABLES, [0, 0])


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


def test_deals_are_paid_by_former_rules_until_they_are_amended_and_otherwise_by_none(
    empty_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    circle_id = write_past(empty_url, FIGURES)
    migrate.upgrade(empty_url)
    file, imported = str(tmp_path / "circle.jsonl"), f"sqlite:///{tmp_path / 'imported.sqlite'}"

    verified = main(["verify", "--database", empty_url])
    *lines, summary = capfd.readouterr().out.splitlines()

    named = [
        f"Ada, Bea, Ciro, Dora, Ezio · {title} · deal {deal}: version {version} is "
        "paid by the rules of 0.3"
        for title, versions in FORMER.items()
        for deal, version in versions
    ]
    assert (verified, sorted(lines)) == (0, sorted(named))
    assert summary.endswith("no differences.")
    with opened(empty_url):
        told = deal_reports(circle_id)
    scored = {
        title: [report.deal.entry.score.payouts for report in deals]
        for title, deals in told.items()
    }
    stored = {title: [report.deal.entry.paid for report in deals] for title, deals in told.items()}
    assert scored == stored
    by_cards, figures = told["Twice"][1], "Ada and Ciro 11, Bea and Dora 0"
    assert str(by_cards.headline).endswith(figures)
    assert str(by_cards.deal.entry.text) == figures
    assert main(["export", str(circle_id), file, "--database", empty_url]) == 0
    assert main(["import", file, "--database", imported]) == 0
    with opened(empty_url):
        amend_by_the_rules_of_today(circle_id)
        find_a_payout_that_no_rules_gave(circle_id)
