"""Circles from before there was a journal: their file, and a database that is upgraded."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from scorer import storage
from scorer.errors import InvalidError
from scorer.services import circles, demo, sessions
from scorer.services.circle_file import export_circle, import_circles
from scorer.services.circles import Life
from scorer.services.roles import Role
from scorer.storage import adoption, db, models, queries, transfer
from scorer.storage.columns import Base
from tests.services.conftest import BOTH_ENGINES
from tests.services.damages import an_evening, findings
from tests.services.evenings import Evening, sheet
from tests.services.test_circle_file import a_circle

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    Lines = list[dict[str, Any]]

OLD_FILE = Path(__file__).parents[1] / "data" / "circle-2026_11_21_history.jsonl"
VERSIONS, SESSIONS = Base.metadata.tables["deal_version"], Base.metadata.tables["card_session"]


def evening_of(circle_id: UUID) -> Evening:
    phone = queries.phones(circle_id)[0].phone_id
    return Evening(queries.session_ids(circle_id)[0], circles.holder(circle_id, phone))


def down_and_up() -> None:
    db.session.remove()
    storage.downgrade(adoption.REVISION)
    storage.upgrade()


@BOTH_ENGINES
def test_file_of_the_first_revision_is_taken_over_and_played_on() -> None:
    (taken_in,) = import_circles(OLD_FILE)

    assert findings() == []
    entries = queries.journal_entries(taken_in.circle_id)
    assert {entry.kind for entry in entries} == {"taken-over"}
    assert [one.name for one in queries.players(taken_in.circle_id)][:2] == ["Ada", "Bea"]
    evening = evening_of(taken_in.circle_id)
    caller, partner = (seat.name for seat in queries.seats(*evening.keys)[:2])
    evening.record(sheet(caller, partner))
    assert findings() == []


@BOTH_ENGINES
def test_what_was_taken_over_goes_on_as_a_file_of_today(tmp_path: Path) -> None:
    (taken_in,) = import_circles(OLD_FILE)
    (tmp_path / "new").write_bytes(b"".join(export_circle(taken_in.circle_id)))
    circles.delete_circle(taken_in.circle_id, taken_in.name)

    (again,) = import_circles(tmp_path / "new")

    assert again.rows == taken_in.rows
    assert findings() == []


def put(lines: Lines, table: str, **values: Any) -> None:
    row = next(line[table] for line in lines if table in line)
    row.update(values)


def without_circle(lines: Lines) -> None:
    del lines[1]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        pytest.param(lambda lines: put(lines, "deal_version", reason="x"), "damaged", id="reason"),
        pytest.param(lambda lines: put(lines, "card_session", chain="x"), "damaged", id="chain"),
        pytest.param(lambda lines: put(lines, "card_session", written=1), "damaged", id="count"),
        pytest.param(lambda lines: put(lines, "link", once="x"), "bad-line", id="no truth value"),
        pytest.param(without_circle, "no-circle", id="no circle"),
    ],
)
def test_file_that_was_changed_is_refused(
    edit: Callable[[Lines], None], code: str, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in OLD_FILE.read_text(encoding="utf-8").splitlines()]
    edit(lines)
    text = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines[:-1])
    end = {"rows": len(lines) - 2, "sha256": hashlib.sha256(text).hexdigest()}
    (tmp_path / "file").write_bytes(text + json.dumps({"end": end}).encode() + b"\n")

    with pytest.raises(InvalidError) as refused:
        import_circles(tmp_path / "file")

    assert refused.value.problems[0].code == code


@BOTH_ENGINES
def test_database_goes_down_and_up_again_and_is_sound() -> None:
    evening = a_circle()
    (taken_in,) = import_circles(OLD_FILE)
    before = evening.balances(), evening_of(taken_in.circle_id).balances()

    down_and_up()

    assert findings() == []
    assert (evening.balances(), evening_of(taken_in.circle_id).balances()) == before
    evening.record(sheet())
    assert findings() == []


def test_demo_goes_down_and_up() -> None:
    demo.fill(1)
    down_and_up()
    assert findings() == []


def test_order_in_which_an_engine_gives_the_rows_does_not_matter() -> None:
    evening = a_circle()
    sessions.end_session(*evening.keys)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in transfer.tables()}
    for name, row in transfer.rows_of(evening.circle_id):
        rows[name].insert(0, transfer.read_row(transfer.tables()[name], row))

    adoption.give_back(rows)
    assert [one["written"] for one in rows["card_session"]] == [10]
    adoption.adopt(rows, datetime(2026, 11, 22, tzinfo=UTC))

    assert [one["written"] for one in rows["card_session"]] == [17]


def test_session_that_was_changed_before_is_no_other_afterwards() -> None:
    evening = an_evening()
    with db.engine.begin() as connection:
        first = update(VERSIONS).where(VERSIONS.c.serial == 1)
        connection.execute(first.values(written_by="Dora"))

    down_and_up()

    assert any("deal 1: version 1 is not as it was chained" in line for line in findings())
    assert evening.deal(1).number == 1


def test_links_that_were_not_to_last_open_nothing_in_the_version_before() -> None:
    evening = an_evening()
    for secret in ("once", "a week", "never"):
        circles.make_link(evening.circle_id, secret, Role.PLAYER, secret, life=Life.NEVER)
    links = models.Link.metadata.tables["link"]
    with db.engine.begin() as connection:
        once = update(links).where(links.c.name == "once")
        connection.execute(once.values(once=True))
        week = update(links).where(links.c.name == "a week")
        connection.execute(week.values(expires_at=datetime(2030, 1, 1, tzinfo=UTC)))

    down_and_up()

    open_ones = select(links.c.name).where(links.c.revoked_at.is_(None))
    assert list(db.session.scalars(open_ones)) == ["never"]
