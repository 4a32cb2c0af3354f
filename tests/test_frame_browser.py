from __future__ import annotations

import pytest

from tests import chromium
from tests.chromium import MISSING, OF_DEBIAN, OF_PLAYWRIGHT

PROGRAMS = {"chromium": "/usr/bin/chromium", "google-chrome": "/opt/chrome", "apt-get": "/bin/apt"}


class Machine:
    """A machine where some browsers start, and where some ways to install one are open."""

    def __init__(self, starting: set[str], ways: list[list[list[str]]], user: int = 0) -> None:
        self.starting, self.user = starting, user
        self.open = [command for way in ways for command in way]
        self.tried: list[list[str]] = []

    def run(self, command: list[str]) -> bool:
        if command[-1] == "--version":
            return command[0] in self.starting
        self.tried.append(command)
        if command in self.open and "install" in command:
            self.starting.add("/usr/bin/chromium")
        return command in self.open

    def take_over(self, patch: pytest.MonkeyPatch) -> Machine:
        patch.delenv("SCORER_BROWSER", raising=False)
        patch.setattr("shutil.which", PROGRAMS.get)
        patch.setattr("os.geteuid", lambda: self.user)
        patch.setattr(chromium, "_run", self.run)
        patch.setattr(chromium, "_downloaded", lambda: None)
        return self


def test_first_browser_that_starts_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    Machine({"/opt/chrome"}, []).take_over(monkeypatch)

    assert chromium.find_chromium() == "/opt/chrome"


@pytest.mark.parametrize("named", ["apt-get", "nothing"])
def test_browser_that_is_named_is_taken_or_none(
    monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    machine = Machine({"/opt/chrome", "/bin/apt"}, [OF_PLAYWRIGHT]).take_over(monkeypatch)
    monkeypatch.setenv("SCORER_BROWSER", named)

    assert chromium.installed() == PROGRAMS.get(named)
    if named == "nothing":
        with pytest.raises(SystemExit, match=MISSING[:20]):
            chromium.main()
    assert machine.tried == []


@pytest.mark.parametrize(
    ("ways", "user", "tried"),
    [
        pytest.param([OF_PLAYWRIGHT, OF_DEBIAN], 0, OF_PLAYWRIGHT, id="Playwright"),
        pytest.param([OF_DEBIAN], 0, OF_PLAYWRIGHT + OF_DEBIAN, id="Debian"),
    ],
)
def test_browser_is_installed_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, ways: list[list[list[str]]], user: int, tried: list[list[str]]
) -> None:
    machine = Machine(set(), ways, user).take_over(monkeypatch)

    chromium.main()

    assert machine.tried == tried
    assert chromium.find_chromium() == "/usr/bin/chromium"


@pytest.mark.parametrize(
    ("ways", "user", "tried"),
    [
        pytest.param([OF_DEBIAN], 1000, OF_PLAYWRIGHT, id="nobody may"),
        pytest.param([], 0, [*OF_PLAYWRIGHT, OF_DEBIAN[0]], id="nothing is to be had"),
    ],
)
def test_missing_browser_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, ways: list[list[list[str]]], user: int, tried: list[list[str]]
) -> None:
    machine = Machine(set(), ways, user).take_over(monkeypatch)

    with pytest.raises(SystemExit) as ended:
        chromium.main()

    assert ended.value.code == MISSING
    assert machine.tried == tried
    with pytest.raises(pytest.fail.Exception, match="SCORER_BROWSER"):
        chromium.find_chromium()
