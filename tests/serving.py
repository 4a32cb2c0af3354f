"""The real server, started as a person would start it."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import urlopen

from scorer.settings import CHECKOUT

SCORER = Path(sys.executable).with_name("scorer")
SERVE = (str(SCORER), "serve", "--host", "127.0.0.1")
PATIENCE = 180.0
#: What the servers of this process compiled of the templates, for the ones that start after them.
COMPILED = TemporaryDirectory()


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server(NamedTuple):
    """A running server: its address, no slash at its end, and its process."""

    url: str
    process: subprocess.Popen[bytes]

    def workers(self) -> list[int]:
        """List the processes that answer requests."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text(encoding="ascii").split()]


def make_certificate(folder: Path) -> list[str]:
    """Make a certificate as docs/hosting.md does; give the options that serve with it."""
    page = (CHECKOUT / "docs/hosting.md").read_text(encoding="utf-8")
    told = re.search(r"```sh\nNAME=.*\n((?:.*\n)*?)```", page)
    assert told
    script = f"NAME=localhost ADDRESS=127.0.0.1\n{told[1]}"
    subprocess.run(["sh", "-e", "-c", script], cwd=folder, check=True, capture_output=True)
    files = {"--certificate": folder / "scorer.crt", "--key": folder / "scorer.key"}
    return [text for option, file in files.items() for text in (option, str(file))]


@contextmanager
def running(
    instance: Path,
    *,
    database_url: str = "",
    workers: int = 1,
    program: Sequence[str] = SERVE,
    port: int = 0,
) -> Iterator[Server]:
    """Serve from an instance folder while the block runs; over HTTPS where it has a certificate."""
    port = port or free_port()
    url = f"{'https' if '--certificate' in program else 'http'}://127.0.0.1:{port}"
    command = [*program, "--port", str(port), "--workers", str(workers)]
    environment = os.environ | {"SCORER_INSTANCE": str(instance)}
    if database_url:
        environment["SCORER_DATABASE_URL"] = database_url
    if "--demo" not in program:  # it has a folder of its own
        _copy_compiled(Path(COMPILED.name), instance)
    with (instance / "server.log").open("ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        _wait_until_it_answers(url, process, instance / "server.log")
        yield Server(url, process)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        _copy_compiled(instance, Path(COMPILED.name))


def _copy_compiled(source: Path, target: Path) -> None:
    for folder in source.glob("templates-*"):
        shutil.copytree(folder, target / folder.name, dirs_exist_ok=True)


@contextmanager
def serving(instance: Path, **how: Any) -> Iterator[str]:
    """Serve as `running` does; give the address alone."""
    with running(instance, **how) as server:
        yield server.url


@contextmanager
def developing(folder: Path) -> Iterator[tuple[str, Path]]:
    """Run `make dev` with its data in a folder; give the address and what it prints."""
    port = free_port()
    url, log = f"http://127.0.0.1:{port}", folder / "dev.log"
    settings = [f"BIN={SCORER.parent}", f"DEV={folder / 'dev'}", f"PORT={port}"]
    command = ["make", "--directory", str(CHECKOUT), "--old-file=.venv/run.stamp", "dev", *settings]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    try:
        _wait_until_it_answers(url, process, log)
        yield url, log
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # a SIGTERM is lost where it finds the reloader busy
        process.wait(timeout=PATIENCE)


def _wait_until_it_answers(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    any_ = ssl._create_unverified_context()  # noqa: S323  # it is our own
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), urlopen(f"{url}/health", timeout=PATIENCE, context=any_):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start:\n{log.read_text(encoding='utf-8')}")
