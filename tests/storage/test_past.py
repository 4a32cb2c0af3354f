"""What 0.3 left is brought along, on both engines, and its history stays readable."""

from pathlib import Path

import pytest
from sqlalchemy import inspect, select, table
from sqlalchemy.sql.functions import count

from scorer.cli import main
from scorer.services.record.journal_page import journal_page
from scorer.services.record.verify import circle_findings
from scorer.storage import migrate
from scorer.storage.engine import make_engine
from tests.past import write_past
from tests.storage.conftest import opened

WEB_HOOKS, TABLES = "2026_11_26_web_hooks", {"hook", "hook_message"}


def test_history_of_web_hooks_is_read_verified_and_restored(
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


def test_way_back_leaves_the_tables_of_web_hooks_empty(empty_url: str) -> None:
    circle_id = write_past(empty_url)
    migrate.upgrade(empty_url)
    engine = make_engine(empty_url)
    above = set(inspect(engine).get_table_names())
    migrate.downgrade(empty_url, WEB_HOOKS)
    below = set(inspect(engine).get_table_names())
    with engine.connect() as connection:
        counts = [connection.scalar(select(count()).select_from(table(name))) for name in TABLES]
    engine.dispose()
    migrate.upgrade(empty_url)

    with opened(empty_url):
        assert list(circle_findings(circle_id)) == []
    assert (below - above, counts) == (TABLES, [0, 0])
