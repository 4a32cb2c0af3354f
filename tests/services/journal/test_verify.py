"""`scorer verify` on both engines: nothing in a sound database, several damages at once, status."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from scorer.cli import main
from scorer.errors import ScorerError
from scorer.services.base import clock
from scorer.services.files.demo import fill
from scorer.services.files.session_files import session_file
from scorer.services.journal.verify import VerifyReport, verify
from scorer.services.session.state import load_state, read_anew
from scorer.storage import migrate, queries
from tests.services.conftest import BOTH_ENGINES
from tests.services.damages import an_evening, edit_rows, restart
from tests.services.evenings import sheet, start


def verified() -> tuple[list[str], VerifyReport]:
    """Verify everything; give what was found and what was counted."""
    found: list[str] = []
    return found, verify(found.append)


@BOTH_ENGINES
def test_nothing_is_found_while_others_write(app: Flask) -> None:
    evening = start("ladder-bands")

    def play() -> None:
        with app.app_context():
            for number in range(1, 13):
                evening.record(sheet(bid="K"))
                evening.amend(number, sheet(bid="K", points=50))
                evening.void(number)

    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(play)
        looked = []
        while not playing.done():
            looked.append(verified())
        playing.result()

    assert [found for found, _ in looked if found] == []
    assert len({count.versions for _, count in looked}) > 1


def test_session_whose_rules_are_lost_is_not_opened_by_others() -> None:
    lost = an_evening()
    known = lost.state
    edit_rows("""UPDATE card_session SET rules = '{"floor": "high"}'""")
    sound = an_evening()

    with pytest.raises(ScorerError, match="stored rules of briscola-chiamata: rules"):
        read_anew(*lost.keys)
    assert lost.state.rules == known.rules
    restart()
    with pytest.raises(ScorerError, match="stored rules of briscola-chiamata: rules"):
        load_state(*lost.keys)
    assert sound.state.rules.slug == "classic"


def test_demo_is_lawful_and_the_same_for_the_same_number_and_its_command_prints_its_link(
    database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    demo = ["demo", "--seed", "7", "--address", "http://192.0.2.7:8000/"]
    with clock.at(datetime(2026, 11, 20, 22, tzinfo=UTC)):
        fill(7)
    with clock.at(datetime(2026, 11, 20, 22, 0, 1, tzinfo=UTC)):
        assert main([*demo, "--database", database_url]) == 0

    first, again = (
        [session_file(load_state(circle_id, key)) for key in queries.session.session_ids(circle_id)]
        for circle_id in queries.circle.circle_ids()
    )
    found, count = verified()

    assert first == again
    assert found == []
    assert (count.circles, count.sessions) == (2, 6)
    assert capfd.readouterr().out.startswith("http://192.0.2.7:8000/join#")


def test_command_says_what_differs_and_by_its_status_that_something_does(
    database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    an_evening()
    sound = main(["verify", "--database", database_url]), capfd.readouterr().out
    edit_rows("UPDATE card_session SET next_number = 9")

    damaged = main(["verify", "--database", database_url]), capfd.readouterr().out

    assert sound == (0, "1 circle, 1 session, 6 deals, 10 versions: no differences.\n")
    assert damaged[0] == 1
    assert damaged[1].splitlines()[-1].endswith(": 2 differences.")
    assert "Friday: deal 9 is stored as the next of 6" in damaged[1].splitlines()[0]


def test_tables_of_an_older_version_are_not_verified(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    migrate.upgrade(url)
    migrate.downgrade(url, "base")

    assert main(["verify", "--database", url]) == 2
    assert "scorer db upgrade" in capfd.readouterr().err


def test_older_version_is_not_judged_by_balances_that_came_later() -> None:
    three = ("Ada", "Bea", "Ciro")
    rules = {"preset": "to-1505", "alone_until": 1000}
    evening = start(rules, three, game="burraco", opening=[900, 0, 0], first_dealer=0)
    nothing = {"clean": [0] * 3, "dirty": [0] * 3, "pot_taken": [True] * 3, "in_hand": [0] * 3}
    evening.record({**nothing, "melded": [95, 0, 0]})
    evening.record({**nothing, "melded": [10, 20, 30], "alone": "Ada"})
    evening.amend(2, {**nothing, "melded": [10, 20, 30]})
    evening.amend(1, {**nothing, "melded": [100, 0, 0]})

    assert verified()[0] == []
