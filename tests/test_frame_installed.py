import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scorer import __version__
from scorer.settings import CHECKOUT
from tests import installed


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder in which nothing of the checkout is found."""
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.delenv("PIP_CONSTRAINT", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check_metadata(wheel: Path) -> None:
    """Look at what an index shows of the wheel: its links lead there, as it has no other files."""
    assert wheel.name.startswith(f"briscola_scorer-{__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        shown = archive.read(metadata).decode()
    folders = {name.partition("/")[0] for name in names}
    assert folders == {"scorer", metadata.partition("/")[0]}  # no tests, no bench
    assert sum(name.endswith("/licenses/LICENSE") for name in names) == 1
    assert "# Scorer" in shown
    assert re.findall(r"\]\((?!https://)[^)]*", shown) == []


@pytest.mark.slow
@pytest.mark.postgres
def test_wheel_runs_with_the_newest_of_each_dependency(away: Path, postgres_url: str) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*build, "--wheel-dir", away, CHECKOUT], check=True)
    (wheel,) = away.glob("*.whl")
    check_metadata(wheel)
    installation = installed.install(f"{wheel}[postgres]", sys.executable, away)

    try:
        installation.check()
        installation.play(postgres_url)
    except installed.BROKEN as error:
        pytest.fail(f"{error}; {installed.newer_than_locked(installation)}")
