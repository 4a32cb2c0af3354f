"""Commands of the command line, run in the process of the tests."""

import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest

from scorer.cli import main

Done = subprocess.CompletedProcess[bytes]


def run(*arguments: str, given: bytes = b"") -> Done:
    """Run a command in this process."""
    streams = [TextIOWrapper(BytesIO(content), "utf-8") for content in (given, b"", b"")]
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        status = main(arguments)
    read = []
    for stream in streams[1:]:
        stream.seek(0)
        read.append(stream.buffer.read())
    return Done(arguments, status, *read)


def lines(done: Done) -> list[Any]:
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
