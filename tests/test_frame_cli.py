import json
import os
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path
from subprocess import PIPE
from typing import Any
from uuid import uuid4

import pytest

from scorer import __version__
from scorer.cli import main, progress, stored
from scorer.storage import backups, migrate
from tests.commands import lines, run
from tests.data.rows import rows
from tests.samples import CLUB_EVENING, DEAL, SESSION
from tests.serving import SCORER


def test_every_line_is_answered_in_order_and_one_bad_line_makes_the_status_1() -> None:
    given = b"\n".join([json.dumps(DEAL).encode(), b"{", b"", b"\xff", json.dumps(DEAL).encode()])

    done = run("score", "-", given=given)

    assert done.returncode == 1
    assert [answer["ok"] for answer in lines(done)] == [True, False, False, True]
    paid = {"Ada": 8, "Bea": -2, "Ciro": -2, "Dora": -2, "Ezio": -2}
    assert [answer["payouts"] for answer in lines(done)[::3]] == [paid, paid]
    assert lines(done)[1]["problems"][0]["code"] == "malformed-json"
    assert done.stderr == b""


@pytest.mark.parametrize("operation", ["score", "check", "solve"])
def test_bad_lines_are_answered_with_problems(operation: str) -> None:
    done = run(operation, "--language", "it", given=b'{}\n[]\n{"game": 1}\nnull\n')

    assert done.returncode == 1
    assert [bool(answer["problems"]) for answer in lines(done)] == [True] * 4
    assert lines(done)[0]["problems"][0]["message"].startswith("Manca questa risposta: ")
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["score", "replay"])
def test_closed_input_gives_status_2_and_a_sentence(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)

    assert main([command]) == 2
    assert capsys.readouterr().err == "scorer: standard input is closed\n"


def test_answers_are_utf_8_whatever_the_locale() -> None:
    deal = json.loads(json.dumps(DEAL).replace("Ada", "Nicolò"))
    given = json.dumps(deal, ensure_ascii=False).encode()
    among = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    done = subprocess.run(
        [str(SCORER), "score"], input=given, capture_output=True, check=False, env=among
    )

    assert done.returncode == 0
    assert "Nicolò" in done.stdout.decode("utf-8")


@pytest.mark.usefixtures("sqlite_url")
@rows(__file__, "headings")
@pytest.mark.parametrize("command", [("import",), ("restore",), ("verify", "--against")])
def test_wrongly_typed_head_of_a_file_is_a_sentence(
    heading: dict[str, Any],
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    file = tmp_path / "circle.jsonl"
    head = {"format": "scorer-circle/1", "revision": migrate.newest(), "circle_id": str(uuid4())}
    file.write_text(json.dumps(head | heading) + "\n" + json.dumps({"end": []}), encoding="utf-8")

    status, told = main([*command, str(file)]), capfd.readouterr()

    assert status == 2
    assert told.err.startswith("scorer: ")
    assert told.err.count("\n") == 1
    assert "Error" not in told.err
    assert not set("\u202e\x1b\x9b") & set(told.err + told.out)


def test_reader_that_went_away_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text((json.dumps(DEAL) + "\n") * 2000, encoding="utf-8")

    with subprocess.Popen([SCORER, "score", file], stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("command", "given", "status"),
    [
        ("tournament", json.dumps(CLUB_EVENING), 0),
        ("tournament", json.dumps(CLUB_EVENING | {"plan": {"kind": "swiss"}}), 1),
        ("tournament", "format: scorer-tournament/1", 2),
        ("replay", json.dumps(SESSION), 0),
        ("replay", json.dumps(SESSION | {"seats": []}), 1),
        ("replay", "format: scorer-session/1", 2),
    ],
)
def test_document_is_answered_or_refused(
    command: str, given: str, status: int, tmp_path: Path
) -> None:
    file = tmp_path / "document.json"
    file.write_text(given, encoding="utf-8")

    done = run(command, str(file))
    answer = json.loads(done.stdout)

    assert run(command, given=given.encode()).stdout == done.stdout
    assert (done.returncode, answer["ok"]) == (status, status == 0)
    if status:
        assert answer["problems"]
    elif command == "replay":
        assert answer["deals"][0]["payouts"]["Ada"] == 2
    else:
        assert answer["next"]["tables"][0]["sides"] == ["a", "c"]


@pytest.mark.parametrize(
    ("table", "answers", "status"),
    [
        pytest.param("Data;Ada;Bea\n2024-03-12;1;-1\n", '{"row": "deal"}', 0, id="whole"),
        pytest.param("Data;Ada;Bea\n2024-03-12;1;-1\n", "{}", 3, id="open"),
        pytest.param("Data;Ada;Bea\n2024-03-12;1;-1\n", "row", 2, id="no JSON"),
        pytest.param("Caro diario", "{}", 2, id="no table"),
    ],
)
def test_old_table_is_read_and_the_status_says_whether_something_is_open(
    table: str, answers: str, status: int, tmp_path: Path
) -> None:
    file, given = tmp_path / "table.csv", tmp_path / "answers.json"
    file.write_text(table, encoding="utf-8")
    given.write_text(answers, encoding="utf-8")

    done = run("import-table", str(file), "--people", "Adalgisa=ada,Bea", "--answers", str(given))

    assert done.returncode == status
    if status != 2:
        answer = json.loads(done.stdout)
        assert bool(answer["open"]) == (status == 3)
        assert answer["sheets"][0]["columns"][1]["person"] == "Adalgisa"
    else:
        assert b"problems" in done.stdout or done.stderr


def test_db_goes_up_and_down_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))

    revisions = [
        run("db", *action).stdout.decode().strip()
        for action in [("current",), ("upgrade",), ("downgrade", "base"), ("upgrade", "head")]
    ]

    assert revisions == ["None", migrate.newest(), "None", migrate.newest()]


def test_older_program_restores_its_backup_beside_a_newer_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))
    copy = str(tmp_path / "before.sqlite")
    assert [main(["circle", "Bar"]), main(["backup", copy])] == [0, 0]
    with closing(sqlite3.connect(tmp_path / "scorer.sqlite")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'of another century'")
        connection.commit()

    assert [main(["circles"]), main(["restore", copy]), main(["circles"])] == [2, 0, 0]
    (kept,) = tmp_path.glob("scorer-before-*.sqlite")
    with closing(sqlite3.connect(kept)) as connection:
        rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert rows == [("of another century",)]
    assert "is the database now" in capfd.readouterr().out


def test_command_is_a_module_and_one_of_flask_and_shells_complete_it() -> None:
    def done(*command: str, **among: str) -> Any:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | among
        )

    version = done(sys.executable, "-m", "scorer", "--version")
    flask = done(str(SCORER.with_name("flask")), "--app", "scorer", "db", "upgrade", "nope")
    among = {"COMP_WORDS": "scorer link --role s", "COMP_CWORD": "3"}
    completed = done(str(SCORER), _SCORER_COMPLETE="bash_complete", **among)

    assert (version.returncode, version.stdout.strip()) == (0, __version__)
    assert (flask.returncode, flask.stderr.count("\n")) == (2, 1)
    assert "unknown revision nope" in flask.stderr
    assert completed.stdout.split() == ["plain,scorekeeper", "plain,spectator"]


@pytest.fixture
def in_a_moment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let every command show at once how far it is, and keep its data in a folder."""
    monkeypatch.setattr(progress, "QUIET", 0)
    monkeypatch.setattr(progress, "EVERY", 0)
    monkeypatch.setattr(progress, "LINES", 0)
    monkeypatch.setattr(backups, "AT_ONCE", 10)
    monkeypatch.setenv("SCORER_INSTANCE", str(tmp_path))


class Terminal(StringIO):
    """Keeps what a terminal was sent."""

    def isatty(self) -> bool:
        return True


#: A command, and what it counts on a terminal; {} is the folder.
LONG = [
    ("demo", "1 of 22 deals, "),
    ("verify", "of 3 sessions"),
    ("backup {}/copy.sqlite", " pages"),
    ("restore {}/copy.sqlite", " pages"),
    ("export --all {}/all", " rows"),
    ("import {}/all.jsonl --database sqlite:///{}/new.sqlite", " bytes"),
]


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_moment")
def test_long_commands_show_how_far_they_are_on_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for command, counted in LONG:
        words = shlex.split(command.replace("{}", str(tmp_path)))
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", terminal := Terminal())
            patched.setattr(stored, "LINE", progress.ProgressLine())
            assert main(words) == 0
        shown = terminal.getvalue()
        assert counted in shown, command
        assert shown.endswith("\33[K"), command
        for file in (tmp_path / "all").glob("*.jsonl"):
            file.rename(tmp_path / "all.jsonl")

    capfd.readouterr()
    monkeypatch.setattr(stored, "LINE", progress.ProgressLine())
    assert main(["verify"]) == 0
    assert "\r" not in capfd.readouterr().err

    assert main(["verify", "--progress"]) == 0
    told = capfd.readouterr().err
    assert " sessions" in told
    assert "\r" not in told


@pytest.mark.parametrize(("seconds", "told"), [(0.2, "1 s"), (59.2, "59 s"), (200, "3 min")])
def test_time_that_is_left_is_told_in_seconds_and_minutes(seconds: float, told: str) -> None:
    assert progress._duration(seconds) == told
