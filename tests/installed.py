"""The built wheel, installed with only what it declares and tested away from the checkout.

`python -m tests.installed WHEEL PYTHON…` does so with each interpreter that there is (`make
release`): pages are opened, a circle is filled and verified, then the tests of the pure layers run,
which have no checkout beside them to find anything in.
"""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from scorer.settings import CHECKOUT

#: The tests of the layers that need the standard library only, and what those tests import.
PURE = ("rules", "games", "cards", "ledger", "operations")
NEEDED = ("data", "golden", "conftest.py", "samples.py", "serving.py")
TOOLS = ("pytest", "hypothesis")
#: What must have come with the wheel: pages, styles, Italian, tables, the API's description.
COMPLETE = """
from scorer import create_app, settings
assert settings.root() == settings.PACKAGE, settings.root()
client = create_app({"LAN_HTTP": True}).test_client()
for path in ("/", "/static/0/base/scorer.css", "/api/v1/openapi.json", "/health"):
    assert client.get(path).status_code == 200, path
assert "Nuova serata" in client.get("/", headers={"Accept-Language": "it"}).text
"""


def main() -> int:
    """Install and test with each interpreter; give 1 if there was none."""
    parser = ArgumentParser("tests.installed", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    options = parser.parse_args()
    wheel = options.wheel.resolve()
    tried = [said for name in options.pythons if (said := _tried(wheel, name))]
    print("", *tried, sep="\n")
    return 0 if tried else 1


def _tried(wheel: Path, name: str) -> str:
    """Install and test with one interpreter; say how it went, or nothing where there is none."""
    command = [name, "-c", "import platform; print(platform.python_version())"]
    asked = shutil.which(name) and subprocess.run(
        command, capture_output=True, text=True, check=False
    )
    if not asked or asked.returncode:
        print(f"{name} is not installed: left out")
        return ""
    with TemporaryDirectory(prefix="scorer-installed-") as folder:
        last = _test(wheel, name, Path(folder))
    return f"CPython {asked.stdout.strip()}: {last}"


def _test(wheel: Path, name: str, folder: Path) -> str:
    """Give the last line of the tests; an error of any step ends the program."""
    programs = folder / "environment/bin"

    def run(*words: object) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SCORER_")}
        environment["SCORER_INSTANCE"] = str(folder / "instance")
        done = subprocess.run(
            list(map(str, words)), cwd=folder, env=environment, stdout=subprocess.PIPE, check=False
        )
        told = done.stdout.decode()
        if done.returncode:
            sys.exit(f"{told}\n{words[0]} ended with status {done.returncode}")
        return told

    run(name, "-m", "venv", folder / "environment")
    install = [programs / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    run(*install, wheel)
    run(programs / "python", "-m", "pip", "check")
    run(programs / "python", "-W", "error", "-c", COMPLETE)
    run(programs / "scorer", "demo")
    run(programs / "scorer", "verify")
    run(*install, *TOOLS)
    tests = folder / "tests"
    for part in (*PURE, *NEEDED):
        copy = shutil.copytree if (CHECKOUT / "tests" / part).is_dir() else shutil.copy
        tests.mkdir(exist_ok=True)
        copy(CHECKOUT / "tests" / part, tests / part)
    shutil.copy(CHECKOUT / "pyproject.toml", folder)
    (folder / "docs").mkdir()
    shutil.copy(CHECKOUT / "docs/notation.md", folder / "docs")
    told = run(programs / "pytest", "--quiet", *(f"tests/{part}" for part in PURE))
    return told.splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
