"""A circle as a file: out of one engine and into the other, everything or nothing."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.cli import main
from scorer.errors import InvalidError, NotFoundError
from scorer.roles import Role
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.circle import circles
from scorer.services.journal import circle_file
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.verify import verify
from scorer.storage import db, queries
from scorer.storage.models import Base
from tests.commands import run
from tests.conftest import one_in_three
from tests.databases import begin_anew
from tests.services.conftest import BOTH_ENGINES
from tests.services.damages import an_evening
from tests.services.evenings import Evening, sheet
from tests.services.journal.test_edits_by_hand import a_full_circle
from tests.storage.conftest import leave_no_rows, opened

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def file_from_elsewhere(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Give the file of a circle in another database."""
    with opened(begin_anew(tmp_path_factory.mktemp("circle") / "file", sqlite_template)):
        return b"".join(export_circle(a_full_circle().circle_id))


def exported(evening: Evening, path: Path) -> Path:
    path.write_bytes(b"".join(export_circle(evening.circle_id)))
    db.session.remove()
    return path


def delete_everything() -> None:
    db.session.remove()
    leave_no_rows()


@BOTH_ENGINES
def test_circle_that_was_taken_in_is_played_on(evening: Evening, tmp_path: Path) -> None:
    secret = circles.make_link(evening.circle_id, "Bar", Role.SCOREKEEPER)
    balances = evening.balances()
    file = exported(evening, tmp_path / "file")
    delete_everything()

    (taken_in,) = import_circles(file)

    assert (taken_in.circle_id, taken_in.name) == (evening.circle_id, "Ada, Bea, Ciro")
    assert taken_in.rows == len(file.read_bytes().splitlines()) - 2
    assert evening.balances() == balances
    assert circles.join(secret, {}).circle_id == evening.circle_id
    evening.record(sheet())
    assert verify(print).findings == 0


def test_several_circles_are_in_files_of_their_own_or_in_one_that_is_kept_or_not_at_all(
    database_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    keys = {an_evening().circle_id for _ in range(2)}
    command = ["export", "--all", str(tmp_path / "all"), "--database", database_url]
    db.session.remove()
    assert (main(command), main(command)) == (0, 2)
    assert "already exists" in capfd.readouterr().err
    assert {UUID(file.stem) for file in (tmp_path / "all").iterdir()} == keys
    lines = list(circle_file.export_all())
    file, cut = tmp_path / "file", tmp_path / "cut"
    file.write_bytes(b"".join(lines))
    cut.write_bytes(b"".join(lines[:-1]))
    delete_everything()

    assert code_of(cut) == ("cut-off", f"line {len(lines) - 1}")
    assert queries.circle.circle_ids() == []
    assert len(import_circles(file)) == 2
    assert code_of(file) == ("circle-exists", "line 1")
    assert b"".join(circle_file.export_all()) == file.read_bytes()


def code_of(file: Path) -> tuple[str, str]:
    with pytest.raises(InvalidError) as raised:
        import_circles(file)
    (problem,) = raised.value.problems
    return problem.code, problem.field


def first(lines: Lines, table: str) -> dict[str, Any]:
    row: dict[str, Any] = next(line[table] for line in lines if table in line)
    return row


def put(table: str, column: str, value: Any) -> Callable[[Lines], object]:
    return lambda lines: first(lines, table).update({column: value})


def without(table: str, **holding: Any) -> Callable[[Lines], Lines]:
    """Leave out the rows of a table that hold this."""

    def gone(line: dict[str, Any]) -> bool:
        return table in line and holding.items() <= line[table].items()

    def spoil(lines: Lines) -> Lines:
        lines[:] = [line for line in lines if not gone(line)]
        return lines

    return spoil


def no_rows(lines: Lines) -> None:
    del lines[1:-1]


SPOILT: dict[str, tuple[Callable[[Lines], object], str]] = {
    "other format": (lambda lines: lines[0].update(format="x/2"), "unknown-format"),
    "other revision": (lambda lines: lines[0].update(revision="old"), "other-revision"),
    "no key": (lambda lines: lines[0].update(circle_id="x"), "bad-line"),
    "unknown table": (lambda lines: lines.insert(3, {"sqlite_master": {}}), "bad-line"),
    "two tables": (lambda lines: lines.insert(3, {"circle": {}, "player": {}}), "bad-line"),
    "column missing": (lambda lines: first(lines, "player").pop("name"), "bad-line"),
    "column added": (put("player", "mood", "good"), "bad-line"),
    "no text": (put("player", "name", 7), "bad-line"),
    "nothing": (put("player", "name", None), "bad-line"),
    "half a letter": (put("player", "name", "\ud800"), "bad-line"),
    "letter zero": (put("player", "name", "\0"), "bad-line"),
    "no number": (put("seat", "opening", True), "bad-line"),
    "large number": (put("card_session", "version", 2**40), "bad-line"),
    "no key of a player": (put("player", "player_id", "x"), "bad-line"),
    "another way to write a key": (put("player", "player_id", uuid4().hex), "bad-line"),
    "time without a zone": (put("player", "created_at", "2026-11-20T20:00:00"), "bad-line"),
    "row of others": (put("player", "circle_id", str(uuid4())), "other-circle"),
    "nobody of that key": (put("player", "player_id", str(uuid4())), "contradiction"),
    "empty name": (put("player", "name", ""), "contradiction"),
    "players missing": (without("player"), "contradiction"),
    "no circle": (no_rows, "no-circle"),
    "what was written": (put("deal_version", "reason", "mine"), "damaged"),
    "what was paid": (put("payout", "amount", 100), "damaged"),
    "version missing": (without("deal_version", serial=3), "damaged"),
    "rules": (put("card_session", "rules", {"slug": 7}), "damaged"),
    "no photo": (put("photo", "jpeg", "x="), "bad-line"),
    "another photo": (put("photo", "jpeg", "/9g="), "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("spoilt", one_in_three(SPOILT))
def test_spoilt_file_is_refused_and_nothing_of_it_is_kept(
    spoilt: tuple[Callable[[Lines], object], str], file_from_elsewhere: bytes, tmp_path: Path
) -> None:
    spoil, code = spoilt
    lines = [json.loads(line) for line in file_from_elsewhere.decode().split("\n")[:-1]]
    spoil(lines)
    (tmp_path / "file").write_bytes(summed_up(lines))

    assert code_of(tmp_path / "file")[0] == code
    assert queries.circle.circle_ids() == []


def summed_up(lines: Lines) -> bytes:
    """Write the lines anew, with a last one that fits them."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[:-1])
    end = {"rows": len(lines) - 2, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps({"end": end}).encode() + b"\n"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (b"", "no-circle"),
        (b"rubbish\n", "bad-line"),
        (b"\xff\xfe\n", "bad-line"),
        (b"{}\n", "unknown-format"),
        (b'{"format": "scorer-circle/1"' + b" " * 2**21, "bad-line"),
    ],
)
def test_what_is_no_circle_is_refused(given: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(given)

    assert code_of(tmp_path / "file")[0] == code


def test_one_letter_changed_is_noticed(file_from_elsewhere: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(file_from_elsewhere.replace(b"Friday", b"Fridax", 1))

    assert code_of(tmp_path / "file")[0] == "changed"


def test_commands_take_a_circle_out_and_in(
    evening: Evening, database_url: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    db.session.remove()
    named = ["--database", database_url]
    file = tmp_path / "file"
    main(["export", str(evening.circle_id), str(tmp_path / "no/file"), *named])
    assert queries.journal.journal_entries(evening.circle_id)[-1].kind == "exported"
    db.session.remove()
    statuses = [
        main(["export", str(evening.circle_id), str(file), *named]),
        main(["export", str(evening.circle_id), *named]),
    ]
    printed = capfdbinary.readouterr().out
    statuses.append(main(["export", str(evening.circle_id), str(file), *named]))
    statuses.append(main(["export", "nobody", *named]))
    delete_everything()
    statuses.append(main(["import", str(file), *named]))
    statuses.append(main(["import", str(file), *named]))
    said = capfdbinary.readouterr()

    assert file.read_bytes().count(b'"kind":"exported"') == 2
    noted = [one for one in printed.splitlines() if one not in file.read_bytes().splitlines()]
    assert [b'"kind":"exported"' in line for line in noted] == [False, True, False]
    assert statuses == [0, 0, 2, 2, 0, 2]
    assert str(evening.circle_id).encode() in said.out
    assert said.err.splitlines()[-1] == b"scorer: line 1: This circle is here already."


@pytest.mark.postgres
def test_backup_of_every_table_goes_through_both_engines_with_its_key_and_nothing_differs(
    shared_postgres_url: str, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_full_circle()
    an_evening()
    before = b"".join(circle_file.export_all())
    db.session.remove()
    db.engine.dispose()

    def at(instance: str, command: str, copy: str, url: str) -> int:
        (tmp_path / instance).mkdir(exist_ok=True)
        monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path / instance))
        return main([command, str(tmp_path / copy), "--database", url])

    new = f"sqlite:///{tmp_path / 'new.sqlite'}"
    statuses = [
        at("first", "backup", "copy", sqlite_url),
        at("second", "restore", "copy", shared_postgres_url),
        at("second", "backup", "lines", shared_postgres_url),
        at("third", "restore", "lines", new),
    ]
    with opened(shared_postgres_url):
        leave_no_rows()
    with opened(new):
        after = b"".join(circle_file.export_all())

    sums = [hashlib.sha256(content).hexdigest() for content in (before, after)]
    assert (statuses, sums[1:]) == ([0] * 4, sums[:1])
    tables = {next(iter(json.loads(line))) for line in before.split(b"\n") if line}
    assert tables >= {t.name for t in Base.metadata.sorted_tables if "circle_id" in t.c} - {
        "spoken_code"
    }
    keys = {file.read_text("ascii").strip() for file in tmp_path.glob("*/secret.key")}
    assert len(keys) == 1
    assert len([*tmp_path.glob("*/secret.key")]) == 3


def test_circle_is_found_by_its_key_or_its_name_in_any_case_unless_two_have_it() -> None:
    first, second = (circles.begin_circle(name) for name in ("Bar Sport", "bar  sport"))
    links = [circles.standing_link(secret) for secret in (first, second)]
    key, other = (link.circle_id for link in links if link)

    for said in ("Bar Sport", str(key), key.hex, key.hex.upper()):
        assert circle_file.find_circle(said) == key
    with pytest.raises(NotFoundError, match=f"2 circles .*{other}"):
        circle_file.find_circle("BAR SPORT")
    with pytest.raises(NotFoundError, match="unknown circle Bar"):
        circle_file.find_circle("Bar")


def test_operator_lists_circles_and_lets_an_owner_back_in(
    evening: Evening, database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    db.session.remove()
    named = ["--database", database_url]

    assert main(["circles", *named]) == 0
    listed = capfd.readouterr().out.splitlines()[-1]
    assert main(["link", evening.circle_id.hex, "--address", "https://x.test/", *named]) == 0
    link = capfd.readouterr().out.strip()

    assert str(evening.circle_id) in listed
    assert listed.split()[1] == "5"
    secret = link.removeprefix("https://x.test/join#")
    assert circles.join(secret, {}).role is Role.OWNER
    with pytest.raises(NotFoundError):
        circles.join(secret, {})


def test_operator_deletes_a_circle_by_its_key_when_it_was_confirmed(
    evening: Evening, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCORER_SECURITY_LOG", str(tmp_path / "log"))
    delete = ["circles", "--delete", str(evening.circle_id), "--database", database_url]
    stays = circles.standing_link(circles.begin_circle("Bar Sport"))
    assert stays
    db.session.remove()

    asked = run(*delete, given=b"n\n")
    assert set(queries.circle.circle_ids()) == {evening.circle_id, stays.circle_id}
    db.session.remove()
    deleted, again = run(*delete, given=b"y\n"), main([*delete, "--yes"])
    by_option = run(*delete[:2], str(stays.circle_id), "--yes", *delete[3:])

    assert [asked.returncode, deleted.returncode, again, by_option.returncode] == [130, 0, 2, 0]
    assert b"1 session" in deleted.stdout
    assert queries.circle.circle_ids() == []
    lines = (tmp_path / "log").read_text("ascii").splitlines()
    told = [json.loads(line) for line in lines if "circle-deleted" in line]
    assert [line["circle"] for line in told] == [str(evening.circle_id), str(stays.circle_id)]


def test_cards_of_a_circle_are_exported_into_a_file_a_session(
    evening: Evening, database_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play = {"called_card": "KC", "tricks": [["7B", "2D"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play), evening.by)
    db.session.remove()
    command = ["export", str(evening.circle_id), "--database", database_url, "--deals"]

    assert main([*command, str(tmp_path / "cards")]) == 0
    (file,) = (tmp_path / "cards").iterdir()
    assert file.name.endswith(f"-{evening.session_id.hex[:8]}.smazzate")
    assert "deal: 1\n" in file.read_text(encoding="utf-8")
    assert "1. 7B 2D\n" in file.read_text(encoding="utf-8")
    assert str(file) in capfd.readouterr().out
    assert main([*command, str(tmp_path / "cards")]) == 2


@BOTH_ENGINES
def test_backups_in_a_folder_are_rotated_and_an_empty_one_is_restored(
    database_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    named, copies, made = ["--database", database_url], tmp_path / "copies", list[Path]()
    copies.mkdir()
    (copies / "letter.sqlite").touch()
    db.engine.dispose()

    for _ in range(2):
        assert main(["backup", "--without-key", "--keep", "1", str(copies), *named]) == 0
        made.append(max(copies.glob("scorer-*")))
    assert main(["restore", str(made[-1]), *named]) == 0

    assert {*copies.iterdir()} == {made[1], copies / "letter.sqlite"}
    assert "has to join again" in capfd.readouterr().out


def test_newest_entry_passes_over_what_importing_refuses(tmp_path: Path) -> None:
    file, newest = tmp_path / "circles.jsonl", datetime(2026, 11, 28, 21, tzinfo=UTC)
    lines = [{"deal": {"at": at}} for at in ("0001-01-01T00:00", "x", 7, None, newest.isoformat())]
    file.write_text("\n".join(map(json.dumps, [*lines, {}, [1], {"deal": 3}])) + "\n{")

    assert circle_file.newest_entry(file) == newest
    file.write_text("{")
    assert circle_file.newest_entry(file) is None
