"""Whoever edits the database by hand: every change that a page would show is found."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date, datetime
from itertools import chain, cycle
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import Column, Integer

from scorer.errors import InvalidError
from scorer.evening.acts import Dispute
from scorer.evening.session_acts import End, Guest, PauseTimer, StartTimer
from scorer.roles import Holder, Role
from scorer.rules.game import Outcome
from scorer.services.album.last_page import publish
from scorer.services.album.notes import NewNote, add_note, take_back
from scorer.services.base import journal
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.circle import circles, codes_and_tokens, players, programs
from scorer.services.circle.circles import LIVES, Life, derived_secrets
from scorer.services.figures import seasons
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.verify.against import verify_against
from scorer.services.money.ledger import Payment, note_payment
from scorer.services.session import house_rules, sessions
from scorer.services.session.writing import do
from scorer.services.tournament.slips import sit_down, slip_seed
from scorer.services.tournament.tournaments import direct, load_tournament
from scorer.storage import db, models, queries
from scorer.storage.models import Base, RoleText
from scorer.tournaments.acts import DrawTurn, Forfeit, Penalise, PublishTurn, WriteScores
from tests.conftest import one_in_three
from tests.data.photos import photo
from tests.services.damages import EDITS, Edit, findings, statements, unfound
from tests.services.evenings import FIVE, Evening, hold, played_once, sheet, start
from tests.services.tournaments import make

DEALER = {"preset": "classic", "sits_out": "dealer"}


@played_once
def a_full_circle() -> Evening:
    """Give a circle with rows in every table, most of them changed at least once."""
    evening = start("classic", FIVE, opening=[3, -3, 0, 0, 0], stake=10)
    circle_id, by = evening.circle_id, evening.by
    by = hold(by, "Bea")
    for name, role in (("Bar", Role.PLAYER), ("Old", Role.SPECTATOR)):
        circles.join(circles.make_link(circle_id, name, role, by=by), {})
    circles.revoke_link(circle_id, queries.circle.links(circle_id)[-1].link_id, by=by)
    chiamata = {"game": "briscola-chiamata", "name": "Ours", "rules": "classic"}
    own = house_rules.keep_rules(circle_id, key=uuid4(), **chiamata, by=by)
    house_rules.save_version(circle_id, own, version=1, name="Ours", rules=DEALER, by=by)
    scopa: dict[str, Any] = {"game": "scopa", "name": "Away", "rules": {}}
    away = house_rules.keep_rules(circle_id, key=uuid4(), **scopa, by=by)
    house_rules.retire_rules(circle_id, away, by=by)
    ours = Evening(evening.session_id, by)
    _play(ours)
    gino = ours.again(players=("Gino", *FIVE[1:]), title="With Gino")
    gino.record(sheet("Gino", "Bea"))
    do(circle_id, gino.session_id, End(), by=by)
    publish(circle_id, gino.session_id, names=True, money=False, by=by)
    them = ours.players
    players.merge(circle_id, them["Ada"], them["Gino"], by=by)
    players.rename(circle_id, them["Ciro"], "Ciro B.", by=by)
    players.retire(circle_id, them["Ezio"], by=by)
    _go_on(ours)
    return ours


def _go_on(evening: Evening) -> None:
    """Propose what is right, sit down anew with no title, for another stake, and let people in."""
    circle_id, by = evening.circle_id, evening.by
    evening.do(4, Dispute, coded={"partner": "2"})
    people = ("Gino", "Bea", "Ciro B.", "Dora", "Fulvia")
    untitled = evening.again(players=people, title="")
    untitled.record(sheet("Bea", "Dora"))
    untitled.record(outcome=Outcome.MISDEAL)
    sessions.set_stake(*untitled.keys, 25, by=by)
    for act in (StartTimer(minutes=40), PauseTimer()):
        do(*untitled.keys, act, by=by)
    circles.set_zone(circle_id, "Rome", by=by)
    code = {"name": "Spoken code", "code_hash": "a hash", "secret": f"secret of {circle_id}"}
    codes_and_tokens.make_code(circle_id, uuid4(), Role.PLAYER, by=by, **code)
    payer, payee, *_ = (player.player_id for player in queries.circle.players(circle_id))
    note_payment(circle_id, Payment(uuid4(), payer, payee, 400), by=by)
    players.set_nickname(circle_id, payer, "the Fox", by=by)
    days = date(2026, 11, 1), date(2027, 1, 31)
    seasons.name_season(circle_id, seasons.NewSeason(uuid4(), "Winter", *days), by=by)
    add_note(*untitled.keys, NewNote(uuid4(), 1, "Zoë’s “face” \u2028 🂡"), by=by)
    add_note(*untitled.keys, NewNote(uuid4(), None, "The table", photo()), by=by)
    add_note(*untitled.keys, gone := NewNote(uuid4(), None, "", photo()), by=by)
    take_back(*untitled.keys, gone.key, by=by)
    keys = {"Bot": uuid4(), "Robot": uuid4()}
    for name, key in keys.items():
        secret, role, life = f"{name} of {circle_id}", Role.PLAYER, LIVES[Life.WEEK]
        programs.make_key(circle_id, key, secret, name=name, role=role, life=life, by=by)
    programs.revoke_key(circle_id, keys["Robot"], by=by)
    _hold_a_tournament(circle_id, by)


def _hold_a_tournament(circle_id: UUID, by: Holder) -> None:
    """Play a turn of a tournament, with a result by hand and a penalty, and draw the next one."""
    key = make(circle_id, by, ["Bea", "Dora", "Fulvia", "Gino"])
    for act in (
        DrawTurn(turn=1),
        PublishTurn(turn=1, drawn=1),
        WriteScores(turn=1, table=1, scores=(71, 49)),
        Penalise(turn=1, entry=1, points=1, reason="Late"),
    ):
        direct(circle_id, key, act, by=by)
    seed = slip_seed(load_tournament(circle_id, key).session_at(1, 1))
    sit_down(derived_secrets(seed)[0], {})
    seated = load_tournament(circle_id, key).evening.turns[0].tables[1].entries
    direct(circle_id, key, Forfeit(turn=1, table=2, entry=int(seated[0])), by=by)
    direct(circle_id, key, DrawTurn(turn=2), by=by)


def _play(evening: Evening) -> None:
    for _ in range(3):
        evening.record(sheet())
    play = {"called_card": "KC", "tricks": [["7B"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play, "as Ada says"), evening.by)
    evening.amend(2, sheet("Ada", "Ezio"), reason="Ezio had it")
    evening.void(3, reason="A card lay on the floor")
    evening.do(1, Dispute, reason="Ciro was alone")
    evening.change(rules=DEALER)
    evening.change(order=(0, 1, 2, 3, 4, 5), guests=[Guest("Fulvia", 7)])
    evening.record(sheet("Ada", "Fulvia"))
    evening.start_deal({"caller": "Bea", "bid": 61})


#: What no page shows: in what order a page is sent again, where a phone was, and secrets.
UNSEEN = {
    ("card_session", "version"),
    ("tournament", "version"),
    ("phone", "browser"),
    ("phone", "last_seen_at"),
    ("spoken_code", "code_hash"),
    ("throttle", "requests"),
}
#: Tables of which a row is hashed with all its columns (`test_damages.py`).
CHAINED = {row.__tablename__ for row in models.ChainedRow.__subclasses__()}
MADE_WITH_THEIR_ENTRY = [*journal.COLUMNS.keys() - {"circle"} - CHAINED]
ANOTHER = {
    bool: "NOT {0}",
    int: "coalesce({0}, 0) + 7",
    str: "coalesce({0}, '') || 'x'",
    object: """'{{"x": 1}}'""",
    datetime: "'2026-05-03 20:00:00.000000'",
    date: "'2026-05-03'",
    UUID: "circle_id",
    Role: "CASE {0} WHEN 'owner' THEN 'player' ELSE 'owner' END",
}


def another(column: Column[Any]) -> str:
    kind = Role if isinstance(column.type, RoleText) else column.type.python_type
    return ANOTHER[kind].format(column.name)


def columns_to_edit() -> dict[str, dict[str, str]]:
    """Give by table the columns that a page may show, each with another value in SQL.

    What is found in a way of its own is a row of edits.json.
    """
    batches = [batch for edits in EDITS.values() for batch in edits]
    by_itself = " ".join(chain.from_iterable(map(statements, batches)))
    return {
        table.name: columns
        for table in Base.metadata.sorted_tables
        if table.name not in CHAINED
        and (
            columns := {
                column.name: another(column)
                for column in table.c
                if not column.primary_key
                and (table.name, column.name) not in UNSEEN
                and f"{table.name} SET {column.name} =" not in by_itself
            }
        )
    }


@pytest.fixture
def file(app: Flask, shared_file: Path) -> Path:  # noqa: ARG001  # which has the database open
    """Give the file of a full circle, which nobody has open."""
    a_full_circle()
    db.session.remove()
    db.engine.dispose()
    return shared_file


def execute(file: Path, *statements: str) -> None:
    """Run statements without a look at the schema, each of which changes rows."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert all(connection.execute(statement).rowcount for statement in statements)


@pytest.mark.parametrize("batch", EDITS["a full circle"])
def test_edit_by_hand_is_found(batch: dict[str, Edit], file: Path) -> None:
    execute(file, *statements(batch))

    found = findings()

    assert unfound(batch, found) == [], found


@pytest.mark.parametrize("of_deals", [False, True])
def test_every_column_that_a_page_shows_is_compared(file: Path, *, of_deals: bool) -> None:
    edited = {
        table: columns
        for table, columns in columns_to_edit().items()
        if (table not in journal.COLUMNS) is of_deals
    }
    for table, columns in edited.items():
        others = ", ".join(f"{name} = {other}" for name, other in columns.items())
        execute(file, f"UPDATE {table} SET {others} WHERE rowid = (SELECT min(rowid) FROM {table})")  # noqa: S608  # names of ours

    found = findings()

    assert [
        (table, name)
        for table, columns in edited.items()
        for name in columns
        if not any(
            f": {name} is " in line and (of_deals or f"journal: {table} " in line) for line in found
        )
    ] == []


def test_row_of_any_table_that_is_gone_is_missed(file: Path) -> None:
    execute(
        file,
        *(
            f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"  # noqa: S608  # names of ours
            for table in MADE_WITH_THEIR_ENTRY
        ),
    )

    gone = {line for line in findings() if "is gone without an entry" in line}

    assert [
        table for table in MADE_WITH_THEIR_ENTRY if not any(f" {table} " in line for line in gone)
    ] == []


#: The columns with whole numbers of each table.
COUNTERS = {
    table.name: [column.name for column in table.c if isinstance(column.type, Integer)]
    for table in Base.metadata.tables.values()
}
#: What an evening is made of anew: a row of one that cannot be read hides those of the others.
REPLAYED = (
    *("card_session", "deal", "deal_version", "journal_entry", "payout"),
    *("play", "review", "seat", "session_change", "started_deal"),
)


@contextmanager
def little_memory() -> Iterator[None]:
    """Let this process take no more than another 400 MB while the block runs."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + 400_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(
    "tables", one_in_three({"others": {*COUNTERS} - {*REPLAYED}} | {one: {one} for one in REPLAYED})
)
def test_numbers_of_any_size_are_counted_and_not_built(tables: set[str], file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for table in sorted(tables):
            key = "number" if table == "payout" else "rowid"  # where rows have none
            keys = [found for (found,) in connection.execute(f"SELECT {key} FROM {table}")]  # noqa: S608  # names of ours
            for column, row in zip(COUNTERS[table], cycle(keys), strict=False):
                of_a_row = f"UPDATE {table} SET {column} = 2147483647 WHERE {key} = ?"  # noqa: S608  # names of ours
                with suppress(sqlite3.IntegrityError):
                    connection.execute(of_a_row, [row])

    with little_memory():
        findings()


@pytest.mark.parametrize("place", ["circle SET journaled", "card_session SET written"])
def test_forged_count_of_entries_is_named(place: str, file: Path, tmp_path: Path) -> None:
    execute(file, f"UPDATE {place} = 2147483647")
    (circle_id,) = queries.circle.circle_ids()
    copy, compared = tmp_path / "copy", list[str]()

    with little_memory():
        found = [line for line in findings() if "entries that it counts: 2147483647" in line]
        copy.write_bytes(b"".join(export_circle(circle_id)))
        verify_against(copy, compared.append)
        circles.delete_circle(circle_id, circles.find(circle_id).name)
        with pytest.raises(InvalidError) as refused:
            import_circles(copy)

    assert found
    assert max(map(len, found)) < 300
    assert refused.value.problems[0].code == "damaged"
    assert "has not all entries that it counts: 2147483647" in " ".join(compared)


def test_rename_after_an_edit_does_not_hide_it(file: Path) -> None:
    execute(file, "UPDATE player SET name = 'Zed' WHERE name = 'Ada'")
    (circle_id,) = queries.circle.circle_ids()
    zed = next(one for one in queries.circle.players(circle_id) if one.name == "Zed")
    players.rename(circle_id, zed.player_id, "Adele")

    assert [line for line in findings() if "with name 'Zed', but it was 'Ada'" in line]


@pytest.mark.usefixtures("file")
def test_nothing_is_found_in_a_full_circle_that_nobody_edited_before_or_after_it_travels(
    tmp_path: Path,
) -> None:
    (circle_id,) = queries.circle.circle_ids()
    before, copy = findings(), tmp_path / "copy"
    copy.write_bytes(b"".join(export_circle(circle_id)))
    circles.delete_circle(circle_id, circles.find(circle_id).name)
    import_circles(copy)

    assert before == findings() == []
