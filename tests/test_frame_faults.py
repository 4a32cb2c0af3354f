"""What an operator may get wrong: a sentence each, status 2, and nothing is written.

``frame_faults.json`` has settings as the environment has them, and command lines, with what is said
of each; {} in a command is a folder that is empty.
"""

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
from tests.data.rows import rows


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


@rows(__file__, "settings")
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
@rows(__file__, "commands")
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
    assert "SCORER_LAN_HTTP = true  (scorer serve without --https)" in lines
    assert sum(line.startswith("SCORER_") for line in lines) == len(settings.SETTINGS)
    assert "nobody" not in output
    assert "hidden" not in output
