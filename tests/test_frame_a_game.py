"""The template of a game, built and installed as a distribution; its own test runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed_games import TEMPLATE, install


@pytest.mark.slow
def test_template_is_built_installed_and_tested_and_a_faulty_game_is_named(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*pip, "--target", tmp_path, TEMPLATE], check=True)
    install(tmp_path, "GAME = None", name="a-faulty-one", value="faulty_game:GAME")
    paths = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "PYTHONPATH": paths},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )

    listed = run("-m", "scorer", "rules", "rubamazzetto")
    assert "three-deals" in listed.stdout
    assert "a-faulty-one (faulty_game:GAME) is left out" in listed.stderr
    own = TEMPLATE / "test_rubamazzetto.py"
    assert "2 passed" in run("-m", "pytest", "-p", "no:cacheprovider", str(own)).stdout
