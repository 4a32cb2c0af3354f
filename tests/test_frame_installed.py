import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scorer import __version__
from scorer.settings import CHECKOUT
from tests.installed import COMPLETE


@pytest.mark.slow
def test_wheel_has_all_that_the_program_needs_and_links_that_lead_somewhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*build, "--no-index", "--wheel-dir", tmp_path, CHECKOUT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    (metadata,) = tmp_path.glob("*.dist-info/METADATA")
    shown = metadata.read_text(encoding="utf-8")

    assert wheel.name.startswith(f"briscola_scorer-{__version__}-")
    assert {name.partition("/")[0] for name in names} == {"scorer", metadata.parent.name}
    assert sum(name.endswith("/licenses/LICENSE") for name in names) == 1
    assert "# Scorer" in shown
    assert re.findall(r"\]\((?!https://)[^)]*", shown) == []
    here = os.environ | {"PYTHONPATH": str(tmp_path), "SCORER_INSTANCE": str(tmp_path / "data")}
    complete = [sys.executable, "-W", "error", "-c", COMPLETE]
    subprocess.run(complete, cwd=tmp_path, env=here, check=True)
