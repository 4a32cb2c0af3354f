"""Sessions in memory: what is written behind a running process is seen by the end of the chain."""

from pathlib import Path

from sqlalchemy import make_url

from scorer.services.session.state import load_state, read_anew
from scorer.storage import db
from scorer.storage.backups import back_up, restore
from tests.services.damages import edit_rows, findings, restart
from tests.services.evenings import Evening, sheet


def payouts(evening: Evening) -> list[dict[str, int]]:
    return [deal.payouts for deal in load_state(*evening.keys).deals]


def test_backup_restored_under_a_running_process_is_seen(
    evening: Evening, database_url: str, tmp_path: Path
) -> None:
    file = Path(make_url(database_url).database or "")

    def put_back(backup: Path) -> None:
        db.session.remove()
        db.engine.dispose()
        restore(backup, file)

    early, late = tmp_path / "early", tmp_path / "late"
    evening.record()
    before = payouts(evening)
    back_up(file, early)
    evening.record(sheet("Ciro", "Dora"))
    evening.record(sheet("Ezio", None))
    after = payouts(evening)
    back_up(file, late)

    put_back(early)
    assert payouts(evening) == before
    evening.record(sheet("Dora", "Ezio"))
    assert payouts(evening) != after[:2]
    put_back(late)
    assert payouts(evening) == after
    assert findings() == []


def test_row_edited_by_hand_is_seen_by_who_reads_anew_and_after_a_restart(evening: Evening) -> None:
    evening.record()
    before = payouts(evening)
    edit_rows("""UPDATE deal_version SET payouts = '{"0": 8, "1": -8}'""")
    edited = [{"Ada": 8, "Bea": -8}]

    assert payouts(evening) == before
    assert [deal.payouts for deal in read_anew(*evening.keys).deals] == edited
    assert [line for line in findings() if "differs from its hash" in line]
    restart()
    assert payouts(evening) == edited
