"""Put each fault of ``mutants.toml`` into a copy of the checkout and run the tests that see it.

``python -m tests.mutants [WORD …]`` tries those whose description or file has one of the words.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

CHECKOUT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("mutants.toml")
#: Each has a copy of the checkout to itself.
WORKERS = 2
LONGEST = 300


class Mutant(NamedTuple):
    """A fault: what it breaks, the text of a file that becomes another, and who should see it."""

    breaks: str
    file: str
    text: str
    becomes: str
    tests: str

    @property
    def is_stale(self) -> bool:
        """Whether its text no longer stands in the code, or more than once."""
        path = CHECKOUT / self.file
        return not path.is_file() or path.read_text().count(self.text) != 1

    def is_caught(self, copy: Path) -> bool:
        """Whether its tests fail with it in a copy of the checkout."""
        path = copy / self.file
        sound = path.read_text()
        path.write_text(sound.replace(self.text, self.becomes))
        try:
            return not passes(self.tests, copy)
        finally:
            path.write_text(sound)


def mutants() -> list[Mutant]:
    return [Mutant(**row) for row in tomllib.loads(TABLE.read_text())["mutant"]]


def passes(tests: str, copy: Path) -> bool:
    """Whether tests pass in a copy of the checkout; the scripts' are those of JavaScript."""
    programs = Path(sys.executable).parent
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    if tests.endswith(".js"):
        command = [str(programs / "deno"), "test", "--quiet", "--no-check", "--allow-read"]
    surroundings = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings.pop("CI", None)
    try:
        run = subprocess.run(
            [*command, *tests.split()],
            cwd=copy,
            env=surroundings,
            capture_output=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def copied(into: Path) -> Path:
    """Copy the files that Git knows, as they stand."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(command, cwd=CHECKOUT, text=True)
    for name in filter(None, listed.split("\0")):
        if (CHECKOUT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, into / name)
    return into


def main(words: Sequence[str]) -> int:
    """Try the mutants; return 1 where one was missed or is stale, or a test fails without any."""
    every = [
        mutant
        for mutant in mutants()
        if not words or any(word in f"{mutant.breaks} {mutant.file}" for word in words)
    ]
    stale = [mutant for mutant in every if mutant.is_stale]
    report(
        "stale: the text stands no longer, or more than once, in",
        (f"{one.file}: {one.text}" for one in stale),
    )
    with TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(copied(Path(folder) / str(number)))

        def with_copy(tests: str, mutant: Mutant | None = None) -> bool:
            copy = copies.get()
            try:
                return passes(tests, copy) if mutant is None else mutant.is_caught(copy)
            finally:
                copies.put(copy)

        named = list(dict.fromkeys(test for mutant in every for test in mutant.tests.split()))
        sound = dict(zip(named, pool.map(with_copy, named), strict=True))
        failing = [test for test in named if not sound[test]]
        tried = [
            mutant
            for mutant in every
            if mutant not in stale and all(sound[test] for test in mutant.tests.split())
        ]
        results = pool.map(lambda mutant: with_copy(mutant.tests, mutant), tried)
        missed = []
        for mutant, caught in zip(tried, results, strict=True):
            print("caught" if caught else "MISSED", mutant.breaks, flush=True)
            if not caught:
                missed.append(mutant)
    report("these tests fail without a mutant:", failing)
    print(f"{len(tried) - len(missed)} caught, {len(missed)} missed, {len(stale)} stale")
    return int(bool(missed or stale or failing))


def report(heading: str, lines: Iterable[str]) -> None:
    for line in lines:
        print(f"{heading} {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
