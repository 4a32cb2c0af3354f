"""The functions of scripts, to be called from Python; what needs no Python is tested by Deno."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

DENO = Path(sys.executable).with_name("deno")
CALLS = Path(__file__).with_name("calls.js")

#: Call functions of a script, each with its arguments, and return what they answer.
CallScript = Callable[[str, Sequence[tuple[str, Sequence[Any]]]], list[Any]]


@pytest.fixture(scope="module")
def call_script() -> Iterator[CallScript]:
    command = [str(DENO), "run", "--quiet", "--no-check", "--allow-read", str(CALLS)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as running:
        assert running.stdin
        assert running.stdout
        written, read = running.stdin, running.stdout

        def call(script: str, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Any]:
            written.write(json.dumps([script, calls]) + "\n")
            answers: list[Any] = json.loads(read.readline())
            return answers

        yield call
        written.close()
