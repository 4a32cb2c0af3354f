"""The real server, started as a person would start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence

SCORER = Path(sys.executable).with_name("scorer")
SERVE = (str(SCORER), "serve", "--host", "127.0.0.1")
PATIENCE = 90.0


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(
    instance: Path, *, database_url: str = "", workers: int = 2, program: Sequence[str] = SERVE
) -> Iterator[str]:
    """Serve from an instance folder while the block runs; give the address, no slash at its end."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [*program, "--port", str(port), "--workers", str(workers)]
    environment = os.environ | {"SCORER_INSTANCE": str(instance)}
    if database_url:
        environment["SCORER_DATABASE_URL"] = database_url
    with (instance / "server.log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_until_it_answers(url, process, instance / "server.log")
        yield url
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def _wait_until_it_answers(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), urlopen(f"{url}/health", timeout=PATIENCE):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start:\n{log.read_text(encoding='utf-8')}")
