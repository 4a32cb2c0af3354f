"""The built wheel, installed with only what it declares and tested away from the checkout.

`python -m tests.installed WHEEL PYTHON…` does so with each interpreter that there is (`make
release`): a circle is filled and verified, deals are played on a real server with SQLite and with
PostgreSQL, then the tests of the pure layers run, which have no checkout beside them to find
anything in.

pip takes the newest of each dependency that `pyproject.toml` allows, not the locked one; where
something fails, all are listed. The gate brings nothing that nobody locked:
`test_frame_installed.py` looks at the wheel itself.
"""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.phones import in_one_session, record_at_once
from scorer.settings import CHECKOUT
from tests.databases import postgres_database, postgres_server
from tests.serving import serving

#: The tests of the layers that need the standard library only, and what those tests import.
PURE = ("rules", "games", "cards", "ledger", "operations")
NEEDED = ("data", "golden", "commands.py", "conftest.py", "growth.py", "samples.py", "serving.py")
#: Reads a game of the documents, which are in no wheel.
OF_THE_CHECKOUT = "tests/rules/test_installed_games.py"
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
#: What the extra `solver` compiles is compiled when it is first imported: a minute.
SOLVER = "from scorer.cards.solver import kernel; assert kernel.ENGINE == 'numba'"
#: Pages of an ended session with two deals, with a chart and a picture.
PAGES = ("", "deals/2/", "chart.svg", "picture.png")
#: What fails in an installation that does not work: a command, a server, an answer.
BROKEN = (subprocess.CalledProcessError, RuntimeError, AssertionError)


@dataclass(frozen=True, slots=True)
class Installation:
    """The wheel in an environment of its own, and the folder of both."""

    folder: Path

    @property
    def scorer(self) -> Path:
        return self.folder / "environment/bin/scorer"

    def run(self, program: str, *words: object) -> str:
        """Run a program of the environment, print what it prints, and return that."""
        return self._printed([self.scorer.with_name(program), *words])

    def _printed(self, command: Sequence[object]) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SCORER_")}
        environment["SCORER_INSTANCE"] = str(self.folder / "instance")
        words = [*map(str, command)]
        done = subprocess.run(
            words, cwd=self.folder, env=environment, stdout=subprocess.PIPE, check=False
        )
        print(told := done.stdout.decode())
        done.check_returncode()
        return told

    def pip(self, *words: object) -> str:
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        return self._printed([*pip, "--python", self.scorer.with_name("python"), *words])

    def install(self, *requirements: object) -> None:
        self.pip("install", "--quiet", "--no-compile", "--only-binary", ":all:", *requirements)

    def play(self, database_url: str = "") -> None:
        """Let two phones record a deal each on a real server, then look at it."""
        instance = self.folder / "played"
        instance.mkdir(exist_ok=True)
        program = (str(self.scorer), "serve", "--host", "127.0.0.1")
        with serving(instance, database_url=database_url, program=program) as site:
            phones = in_one_session(site, 2)
            record_at_once(phones, 1)
            owner, form = phones[0].browser, phones[0].form
            owner.send(form, "end")
            told = {page: owner.go(page).status_code for page in PAGES}
            told["xlsx"] = owner.send(form, "xlsx").status_code
        refused = [status for phone in phones for status in phone.refused]
        failed = {page: status for page, status in told.items() if status != HTTPStatus.OK}
        assert (refused, failed) == ([], {}), f"refused deals: {refused}, failed pages: {failed}"

    def check(self) -> None:
        """Open pages, fill a circle."""
        self.pip("check")
        self.run("python", "-W", "error", "-c", COMPLETE)
        self.run("scorer", "demo")


def install(wheel: object, python: str, folder: Path) -> Installation:
    """Install a wheel with the newest of each dependency that it allows."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder / "environment"], check=True)
    installation = Installation(folder)
    installation.install(wheel)
    return installation


def main() -> int:
    """Install and test with each interpreter; give 1 if there was none."""
    parser = ArgumentParser("tests.installed", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    options = parser.parse_args()
    wheel = options.wheel.resolve()
    try:
        tried = [said for name in options.pythons if (said := _tried(wheel, name))]
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
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
        installation = install(f"{wheel}[postgres]", name, Path(folder))
        try:
            last = _checked(installation, wheel)
        except BROKEN as error:
            print(installation.pip("list"))
            sys.exit(str(error))
    return f"CPython {asked.stdout.strip()}: {last}"


def _checked(installation: Installation, wheel: Path) -> str:
    """Fill a circle, play on both engines, compile the solver; return how the tests ended."""
    installation.check()
    installation.run("scorer", "verify")
    installation.play()
    with postgres_server() as server, postgres_database(server) as url:
        installation.play(url)
    installation.install(f"{wheel}[solver]")
    installation.run("python", "-W", "error", "-c", SOLVER)
    return _test(installation)


def _test(installation: Installation) -> str:
    """Run the tests of the pure layers; return their last line."""
    installation.install(*TOOLS)
    tests = installation.folder / "tests"
    for part in (*PURE, *NEEDED):
        copy = shutil.copytree if (CHECKOUT / "tests" / part).is_dir() else shutil.copy
        tests.mkdir(exist_ok=True)
        copy(CHECKOUT / "tests" / part, tests / part)
    shutil.copy(CHECKOUT / "pyproject.toml", installation.folder)
    (installation.folder / "docs").mkdir()
    shutil.copy(CHECKOUT / "docs/notation.md", installation.folder / "docs")
    (installation.folder / OF_THE_CHECKOUT).unlink()
    told = installation.run("pytest", "--quiet", *(f"tests/{part}" for part in PURE))
    return told.splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
