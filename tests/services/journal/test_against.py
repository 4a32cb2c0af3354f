"""A file that somebody kept, and the database: since when they differ, and how."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from scorer.cli import main
from scorer.errors import ScorerError
from scorer.evening.session_acts import End, Guest
from scorer.services.album.notes import NewNote, add_note, take_back
from scorer.services.base.journal import Kind
from scorer.services.circle import circles, players
from scorer.services.files.session_files import exported_session
from scorer.services.journal.circle_file import export_circle, import_circles, note_export
from scorer.services.journal.verify import verify
from scorer.services.journal.verify.against import STANDS, verify_against
from scorer.services.journal.verify.sessions import chain_entries, read_session
from scorer.services.session import sessions
from scorer.services.session.writing import do
from scorer.storage import chain, db, queries
from scorer.storage.models import CardSession
from tests.data.photos import photo
from tests.data.rows import rows
from tests.services.damages import an_evening, edit_rows
from tests.services.evenings import Evening, sheet, start
from tests.services.journal.test_circle_file import Lines, summed_up, without


def kept(document: dict[str, Any], path: Path) -> Path:
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


def session_kept(evening: Evening, path: Path) -> Path:
    return kept(exported_session(*evening.keys), path / "session.json")


def circle_kept(evening: Evening, path: Path) -> Path:
    file = path / "circle"
    file.write_bytes(b"".join(export_circle(evening.circle_id)))
    return file


def compared(file: Path) -> tuple[list[str], bool]:
    told: list[str] = []
    differs = verify_against(file, told.append)
    return told, differs


def test_file_of_a_session_without_title_is_as_it_stands_with_its_stored_number_too(
    evening: Evening, tmp_path: Path
) -> None:
    edit_rows("UPDATE card_session SET title = '· 2'")
    document = exported_session(*evening.keys)
    of_old = {**document, "title": "· 2"}
    del of_old["ended_at"]

    statuses = [compared(kept(file, tmp_path / "session.json"))[1] for file in (document, of_old)]

    assert (document["title"], statuses) == ("", [False, False])


def test_session_file_is_as_it_stands_until_more_is_written(
    evening: Evening, tmp_path: Path
) -> None:
    file = session_kept(evening, tmp_path)
    assert compared(file) == (["Friday: the same in the database"], False)

    evening.amend(1, sheet("Bea", "Ada"))
    evening.record()
    players.rename(evening.circle_id, queries.circle.players(evening.circle_id)[0].player_id, "Zed")

    before = evening.state.letters
    note_export(*evening.keys, Kind.EXPORTED, by=evening.by)

    assert evening.state.letters == before
    assert compared(file) == (["Friday: unchanged; later entries in the database: 2"], False)


def test_photo_decides_nothing_and_is_compared_by_its_entry(
    evening: Evening, tmp_path: Path
) -> None:
    file, before = session_kept(evening, tmp_path), evening.state.letters
    add_note(*evening.keys, new := NewNote(uuid4(), 1, "", photo()), by=evening.by)
    circle = circle_kept(evening, tmp_path)
    take_back(*evening.keys, new.key, by=evening.by)

    assert evening.state.letters == before
    assert compared(file) == (["Friday: the same in the database"], False)
    (journal, *_), differs = compared(circle)
    assert journal.endswith("unchanged; later entries in the database: 1")
    assert not differs


DECIDING: list[Callable[[Evening], object]] = [
    lambda one: one.record(),
    lambda one: sessions.set_stake(*one.keys, 100, by=one.by),
    lambda one: one.change(order=(0, 1, 2, 3, 4, 5), guests=[Guest("Fulvia", 7)]),
    lambda one: sessions.rename_session(*one.keys, "", by=one.by),
    lambda one: do(*one.keys, End(), by=one.by),
]


def test_what_decides_a_session_changes_its_letters_and_an_older_file_is_continued(
    tmp_path: Path,
) -> None:
    evening = start({"preset": "classic", "sits_out": "dealer"})
    for decide in DECIDING:
        file, before = session_kept(evening, tmp_path), evening.state.letters

        decide(evening)

        assert evening.state.letters != before
        (line,), differs = compared(file)
        assert ("unchanged; later entries in the database" in line, differs) == (True, False)
        title = evening.state.row.title or "session"
        assert compared(session_kept(evening, tmp_path)) == ([f"{title}: {STANDS}"], False)


def test_stake_that_was_written_anew_with_its_journal_differs_from_the_file(
    evening: Evening, tmp_path: Path
) -> None:
    sessions.set_stake(*evening.keys, 10, by=evening.by)
    file = session_kept(evening, tmp_path)
    *_, before, entry = queries.journal.journal_entries(evening.circle_id)
    serial = entry.serial
    entry.after = {"stake_cents": 99}
    anew = chain.link(before.chain, chain.canonical(entry))
    db.session.rollback()
    edit_rows(
        f"""UPDATE journal_entry SET after = '{{"stake_cents": 99}}', chain = '{anew}'
        WHERE serial = {serial}""",  # noqa: S608  # a hash and a number
        f"UPDATE circle SET chain = '{anew}'",  # noqa: S608  # a hash
        "UPDATE card_session SET stake_cents = 99",
    )

    assert verify(print).findings == 0
    assert compared(file)[1]


def forged(document: dict[str, Any], path: Path, **other: Any) -> Path:
    return kept({**document, **other}, path / "forged.json")


def test_file_with_the_hash_and_other_deals_is_told_as_changed(
    evening: Evening, tmp_path: Path
) -> None:
    document = exported_session(*evening.keys)
    players.rename(evening.circle_id, queries.circle.players(evening.circle_id)[0].player_id, "Zed")
    assert compared(forged(document, tmp_path))[1] is False

    deals = [{**document["deals"][0], "outcome": "misdeal"}, *document["deals"][1:]]
    others: list[dict[str, Any]] = [
        {"deals": deals},
        {"deals": []},
        {"opening": {"Ada": 3}},
        {"next": {"rules": 1}},
    ]
    for other in others:
        (line,), differs = compared(forged(document, tmp_path, **other))
        assert differs
        assert "has the hash of the stored session, but the file was changed" in line


def test_older_database_does_not_have_what_the_file_has(evening: Evening, tmp_path: Path) -> None:
    backup = circle_kept(evening, tmp_path).rename(tmp_path / "backup")
    evening.record()
    session, circle = session_kept(evening, tmp_path), circle_kept(evening, tmp_path)
    name = circles.find(evening.circle_id).name
    circles.delete_circle(evening.circle_id, name)
    assert compared(session) == (["Friday: is not in the database"], True)
    assert compared(circle) == ([f"{name}: is not in the database"], True)
    import_circles(backup)

    assert compared(backup)[1] is False
    (line,), differs = compared(session)
    assert differs
    assert line.endswith("which is not in the database")
    lines, differs = compared(circle)
    assert differs
    assert "deal 7, version 1, which is not in the database" in lines[1]


FORGERIES: list[dict[str, Any]] = [
    {"seats": [["a"], {}]},
    {"seats": None},
    {"hash": []},
    {"hash": None, "id": None},
    {"id": 3},
    {"deals": [3, None]},
    {"title": {"a": "\u001b[2J"}},
]


@pytest.mark.parametrize("other", FORGERIES, ids=str)
def test_forged_session_file_is_refused_or_differs(other: dict[str, Any], tmp_path: Path) -> None:
    told, differs = judged(forged(exported_session(*an_evening().keys), tmp_path, **other))

    assert differs
    assert "\u001b" not in told


def judged(file: Path) -> tuple[str, bool]:
    """Give what is told of a file, or why it is refused."""
    try:
        lines, differs = compared(file)
    except ScorerError as error:
        return str(error), True
    return " ".join(lines), differs


def signed(forge: Callable[[Lines], Lines]) -> Callable[[bytes], bytes]:
    """Forge the rows as somebody does who knows how to write the end of the file anew."""
    return lambda file: summed_up(forge([json.loads(line) for line in file.splitlines()]))


#: What is done to the file of a circle, and what is told of that.
DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "it is not a file"),
    "list": (lambda _: b"[]", "it is not a file"),
    "rubbish": (lambda _: b"rubbish", "it is not a file"),
    "changed": (lambda file: file.replace(b'"reason":null', b'"reason":"x"', 1), "was changed"),
    "cut off": (lambda file: file[: file.rindex(b"\n", 0, -1)], "in the middle of a circle"),
    "no JSON": (lambda file: file.replace(b'{"circle":', b"{", 1), "line 2 of the file"),
    "after its end": (lambda file: file + file.splitlines()[1], "cannot read"),
    "no journal": (signed(without("journal_entry")), "has not all"),
    "no entry": (signed(without("journal_entry", serial=2)), "has not all"),
    "no version": (signed(without("deal_version", serial=3)), "has not all"),
    "no session": (signed(without("card_session")), "cannot read"),
    "no circle": (signed(without("circle")), "cannot read"),
    "no row": (signed(lambda lines: [*lines[:3], {"deal_version": 3}, *lines[3:]]), "cannot"),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGES.values(), ids=DAMAGES)
def test_circle_file_that_is_not_whole_is_no_witness(
    damage: Callable[[bytes], bytes], told: str, tmp_path: Path
) -> None:
    file = circle_kept(an_evening(), tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    said, differs = judged(file)

    assert differs
    assert told in said


@rows(__file__, "edits")
def test_file_tells_since_when_and_how_they_differ(
    evening: Evening, edit: str, by_session: str, by_circle: str, tmp_path: Path
) -> None:
    session, circle = session_kept(evening, tmp_path), circle_kept(evening, tmp_path)
    edit_rows(edit)

    (line,), differs = compared(session)
    assert differs
    assert by_session in line
    lines, differs = compared(circle)
    assert differs
    assert f"· Friday: differs since {by_circle}" in lines[1]


def test_database_that_was_chained_anew_differs_from_the_file(
    evening: Evening, tmp_path: Path
) -> None:
    file, whole = session_kept(evening, tmp_path), circle_kept(evening, tmp_path)
    edit_rows("UPDATE deal_version SET written_by = 'Dora' WHERE serial = 1")
    _chain_anew(evening)

    assert compared(file)[1]
    assert 'written_by is null in the file and "Dora" in the database' in compared(whole)[0][1]


def _chain_anew(evening: Evening) -> None:
    """Do what somebody does who knows the program and may write to the database."""
    row = queries.find(CardSession, *evening.keys)
    assert row is not None
    stored, statements = read_session(row), []
    before = stored.start or ""
    tables = {"version": "deal_version", "review": "review"}
    for one in sorted(chain_entries(stored), key=lambda one: one.row.serial):
        before = chain.link(before, chain.canonical(one.row))
        table, serial = tables[one.name.split()[0]], one.row.serial
        statements.append(f"UPDATE {table} SET chain = '{before}' WHERE serial = {serial}")  # noqa: S608  # ours
    db.session.remove()
    edit_rows(*statements, f"UPDATE card_session SET chain = '{before}'")  # noqa: S608  # a hash
    assert verify(print).findings == 0


def test_entries_of_the_journal_that_were_changed_are_told(
    evening: Evening, tmp_path: Path
) -> None:
    file, circle = session_kept(evening, tmp_path), circle_kept(evening, tmp_path)
    edit_rows("UPDATE journal_entry SET written_by = 'Dora' WHERE serial = 2")
    assert "journal: differs since entry 2 (joined): written_by is null" in compared(circle)[0][0]
    edit_rows("UPDATE journal_entry SET written_by = 'Dora' WHERE subject = 'card_session'")

    assert compared(file)[1]
    edit_rows("DELETE FROM journal_entry WHERE subject = 'card_session'")
    assert compared(file)[1]


def test_short_hash_is_eight_letters_that_are_not_taken_for_others() -> None:
    assert chain.short("0" * 64) == "AAAA-AAAA"
    assert chain.short("f" * 64) != chain.short("f" * 63 + "e")
    assert not set("IOQV01") & set(chain.LETTERS)


def test_command_says_whether_a_file_differs(
    evening: Evening, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = session_kept(evening, tmp_path)
    db.session.remove()

    assert main(["verify", "--against", str(file), "--database", database_url]) == 0
    assert main(["verify", "--against", str(tmp_path / "no"), "--database", database_url]) == 2
    edit_rows("UPDATE deal_version SET reason = 'x' WHERE serial = 1")
    assert main(["verify", "--against", str(file), "--database", database_url]) == 1
    assert "Friday: the same in the database" in capsys.readouterr().out
