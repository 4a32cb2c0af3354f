"""What an operator may get wrong: a sentence each, status 2, and nothing is written."""

import gc
import re
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer import create_app, settings
from scorer.cli import main
from scorer.settings import SettingsError

#: A setting as the environment has it, and what is said of it.
SETTINGS = [
    ("LAN_HTTP=maybe", "true or false"),
    ("LAN_HTTP=", "true or false"),
    ("LAN_HTTP=2", "true or false"),
    ("PUBLIC_START=nein", "true or false"),
    ("PUBLIC_START=[]", "true or false"),
    ("PROXY_HOPS=one", "from 0 to 16, not 'one'"),
    ("PROXY_HOPS=-1", "from 0 to 16"),
    ("PROXY_HOPS=1.5", "from 0 to 16"),
    ("PROXY_HOPS=17", "from 0 to 16"),
    ("PROXY_HOPS=true", "from 0 to 16"),
    ("PROXY_HOPS=", "from 0 to 16"),
    ("MAX_CONTENT_LENGTH=1MB", "a whole number"),
    ("MAX_CONTENT_LENGTH=10", "from 1024"),
    ("STREAMS_A_PHONE=0", "from 1"),
    ("STREAMS_A_WORKER=many", "a whole number"),
    ("PUBLIC_URL=scorer.example", "https://NAME"),
    ("PUBLIC_URL=ftp://scorer.example", "https://NAME"),
    ("PUBLIC_URL=https://", "https://NAME"),
    ("PUBLIC_URL=https://ada@scorer.example", "https://NAME"),
    ("PUBLIC_URL=https://scorer.example/cards?at=home", "https://NAME"),
    ("PUBLIC_URL=https://scorer.example/my cards", "https://NAME"),
    ("PUBLIC_URL=https://scorer.example//cards", "https://NAME"),
    ("PUBLIC_URL=https://scorer.example:99999", "https://NAME"),
    ("TRUSTED_HOSTS=*", "such as scorer.example"),
    ("TRUSTED_HOSTS=https://scorer.example", "such as scorer.example"),
    ("TRUSTED_HOSTS=scorer.example,a:80", "not a:80"),
    ("SECURITY_LOG=/nowhere/at/all/log", "its folder does not exist"),
    ("SECURITY_LOG=/tmp", "a folder, not a file"),
    ("ACCESS_LOG=/nowhere/at/all/log", "its folder does not exist"),
    ("METRICS=9100", "true or false"),
    ("METRICS_TOKEN=short", "at least 16 characters"),
    ("SECRET_KEY=[1]", "must be a text"),
    ("DATABASE_URL=nonsense", "the URL of a database"),
    ("DATABASE_URL=mysql://ada:hunter2@host/scorer", "not mysql"),
    ("DATABASE_URL=postgresql+psycopg2://host/scorer", "not postgresql+psycopg2"),
    ("DATABASE_URL=[1]", "the URL of a database"),
    ("DATABASE_URL=postgresql://host:port/scorer", "the URL of a database"),
    ("LIMITS=10", "must be JSON"),
    ('LIMITS={"joins": 3}', "unknown limit joins"),
    ('LIMITS={"join": "3"}', "a number from 0"),
    ('LIMITS={"join": -3}', "a number from 0"),
    ('LIMITS={"join": true}', "a number from 0"),
    ("LAN_HTP=1", "did you mean SCORER_LAN_HTTP?"),
    ("lan_http=1", "did you mean SCORER_LAN_HTTP?"),
    ("DATABASE=x", "unknown setting SCORER_DATABASE"),
    ("TRUSTED_HOST=x", "did you mean SCORER_TRUSTED_HOSTS?"),
    ("SESSION_COOKIE_SECURE=false", "unknown setting SCORER_SESSION_COOKIE_SECURE"),
]
#: A command line, and what is said of it; {} is a folder that is empty.
COMMANDS = [
    ("", "Missing command"),
    ("exprot", "Did you mean 'export'?"),
    ("poker", "No such command 'poker'"),
    ("score --lang", "--language"),
    ("score --language de", "'de' is not one of 'en', 'it'"),
    ("score {}/none.jsonl", "No such file"),
    ("score {}", "directory"),
    ("score a b", "unexpected extra argument (b)"),
    ("replay {}/none.json", "No such file"),
    ("rules poker", "There is no game poker"),
    ("solve --memory lots", "--memory must be a whole number"),
    ("solve --memory 0", "from 1"),
    ("serve --workers 0", "serve: --workers must be a whole number from 1"),
    ("serve --workers two", "--workers must be a whole number"),
    ("serve --port 0", "--port must be a whole number from 1 to 65535"),
    ("serve --port 70000", "--port must be a whole number from 1 to 65535"),
    ("serve --public-url scorer.example", "--public-url must be https://NAME"),
    ("serve --socket {}", "is not a socket"),
    ("serve --socket {}/none/socket", "/none/socket does not exist"),
    (f"serve --socket {{}}/{'x' * 120}", "cannot listen at"),
    ("serve --socket {}/../taken", "another server listens there"),
    ("db", "Missing argument"),
    ("db up", "'up' is not one of 'upgrade', 'downgrade', 'current'"),
    ("db upgrad", "'upgrad' is not one of"),
    ("db upgrade nope", "unknown revision nope"),
    ("db downgrade nope", "unknown revision nope"),
    ("verify --database mysql://host/scorer", "--database must name SQLite"),
    ("verify --database nonsense", "--database must be the URL"),
    ("verify --database sqlite:////no/x/y", "run scorer db upgrade first"),
    ("verify --database sqlite:///{}/none.sqlite", "run scorer db upgrade first"),
    ("verify", "run scorer db upgrade first"),
    ("verify --database postgresql://127.0.0.1:1/none", "cannot use the database"),
    ("circles", "run scorer db upgrade first"),
    ("circles --database sqlite:///{}/none.sqlite", "run scorer db upgrade first"),
    ("circle", "NAME"),
    ("circle ' '", "A name of 1 to 60 letters."),
    ("link", "CIRCLE"),
    ("link Friday --role king", "--role': 'king' is not one of"),
    ("link Friday", "run scorer db upgrade first"),
    ("demo --seed x", "--seed must be a whole number from 0"),
    ("backup", "FILE"),
    ("backup {}/copy", "run scorer db upgrade first"),
    ("backup --keep 0 {}/copies", "--keep must be a whole number from 1"),
    ("restore {}/none", "No such file"),
    ("restore {}", "directory"),
    ("export", "either a circle or --all DIR"),
    ("export Friday --all {}/all", "either a circle or --all DIR"),
    ("export --all {}/all --deals {}/cards", "either a circle or --all DIR"),
    ("export --all {}/all", "run scorer db upgrade first"),
    ("import {}/none", "No such file"),
    ("key turn", "'turn' is not 'rotate'"),
    ("key rotate --keep -1", "--keep must be a whole number from 0"),
    ("settings now", "unexpected extra argument (now)"),
]


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give where the data would be; nothing is there yet."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("SCORER_INSTANCE", str(folder))
    return folder


@pytest.fixture
def serving_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let `scorer serve` begin in this process; another one listens at the socket file `taken`."""
    monkeypatch.setattr("gevent.monkey.is_module_patched", lambda _: True)
    monkeypatch.setattr("gevent.monkey.patch_all", lambda: None)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(tmp_path / "taken"))
        other.listen()
        yield
    gc.enable()


@pytest.mark.parametrize(("setting", "told"), SETTINGS, ids=[setting for setting, _ in SETTINGS])
def test_wrong_setting_is_told_in_a_sentence_and_nothing_starts(
    setting: str,
    told: str,
    instance: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, _, value = setting.partition("=")
    monkeypatch.setenv(f"SCORER_{name}", value)

    status = main(["settings"])

    (sentence,) = capsys.readouterr().err.splitlines()
    assert status == 2
    assert re.match(rf"scorer: (unknown setting )?SCORER_{name}\b", sentence)
    assert told in sentence
    assert "hunter2" not in sentence
    for chosen in ({}, {"LAN_HTTP": True}):  # as `scorer serve` chooses, whatever was set
        with pytest.raises(SettingsError):
            create_app(chosen)
    assert not instance.exists()


@pytest.mark.usefixtures("serving_here")
@pytest.mark.parametrize(("command", "told"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_wrong_command_is_told_in_a_sentence_and_nothing_is_written(
    command: str,
    told: str,
    instance: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty").mkdir()

    status = main(shlex.split(command.replace("{}", str(tmp_path / "empty"))))

    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    (sentence,) = output.err.splitlines()
    assert sentence.startswith("scorer: ")
    assert told in sentence
    assert not instance.exists()
    assert list((tmp_path / "empty").iterdir()) == []


def test_all_that_is_wrong_is_told_at_once_also_in_the_file(
    instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instance.mkdir()
    (instance / "config.py").write_text("PROXY_HOP = 1\nLAN_HTTP = 'x'\n1 / 0\n", encoding="utf-8")
    monkeypatch.setenv("SCORER_PROXY_HOPS", "x")

    assert main(["settings"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert "ZeroDivisionError" in lines[0]
    assert "did you mean SCORER_PROXY_HOPS?" in lines[1]
    assert [path.name for path in instance.iterdir()] == ["config.py"]


@pytest.mark.parametrize("text", ["False", "FALSE", "no", "0", "off", " false "])
def test_false_is_false_however_it_is_written(
    instance: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SCORER_LAN_HTTP", text)

    assert settings.load(instance)["LAN_HTTP"].value is False


def test_settings_are_printed_with_value_source_and_meaning_and_no_secret(
    instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instance.mkdir()
    (instance / "config.py").write_text("TRUSTED_HOSTS = ['A.example', '.b.example']\n")
    monkeypatch.setenv("SCORER_SECRET_KEY", "nobody is told")
    monkeypatch.setenv("SCORER_DATABASE_URL", "postgresql://ada:hidden@host/scorer")

    assert main(["settings"]) == 0
    output = capsys.readouterr().out
    lines = output.splitlines()
    assert "SCORER_TRUSTED_HOSTS = a.example, .b.example  (config.py)" in lines
    assert "SCORER_SECRET_KEY = (secret)  (the environment)" in lines
    assert "SCORER_LAN_HTTP = false  (default)" in lines
    assert sum(line.startswith("SCORER_") for line in lines) == len(settings.SETTINGS)
    assert "nobody" not in output
    assert "hidden" not in output
