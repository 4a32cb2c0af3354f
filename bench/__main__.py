"""Print what must hold as tables, and fail where it doesn't; names of subjects run those alone."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.backups import backups
from bench.bounds import bounds
from bench.disks import full_disk
from bench.figures import Figure
from bench.hall import hall
from bench.image import image
from bench.kills import killed, slow, stopped
from bench.live import hundred_circles, hundred_phones
from bench.peer import peer
from bench.places import POSTGRES, SQLITE, Place
from bench.postgres import away, failover
from tests.databases import postgres_server

BOTH = (SQLITE, POSTGRES)
Subject = Callable[[Place], Iterator[Figure]]
SUBJECTS: dict[str, tuple[Subject, Sequence[str]]] = {
    "bounds": (bounds, BOTH),
    "peer": (peer, (SQLITE,)),
    "phones": (hundred_phones, BOTH),
    "circles": (hundred_circles, BOTH),
    "hall": (hall, BOTH),
    "killed": (killed, BOTH),
    "stopped": (stopped, BOTH),
    "slow": (slow, BOTH),
    "full-disk": (full_disk, BOTH),
    "backups": (backups, (SQLITE,)),
    "away": (away, (POSTGRES,)),
    "failover": (failover, (POSTGRES,)),
    "image": (image, (SQLITE,)),
}


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = ArgumentParser("bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--engine", choices=BOTH, help="measure one engine only")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("SCORER_")]:
        del os.environ[name]
    engines = {options.engine} if options.engine else set(BOTH)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    missed = [
        figure.what
        for name in options.names or SUBJECTS
        for figure in measured(name, engines)
        if not figure.held
    ]
    print(f"\nload {os.getloadavg()[0]:.1f}", *(f"MISSED: {what}" for what in missed), sep="\n")
    return 1 if missed else 0


def measured(name: str, engines: set[str]) -> Iterator[Figure]:
    """Measure a subject on each of its engines, in a folder of its own, and print its figures."""
    measure, on = SUBJECTS[name]
    for engine in (engine for engine in on if engine in engines):
        print(f"\n**{name}**, {engine}\n\n| what | figure | bound | | |\n|---|---:|---|---|---|")
        with ExitStack() as opened:
            folder = opened.enter_context(TemporaryDirectory(prefix="scorer-bench-"))
            os.environ["SCORER_INSTANCE"] = folder
            server = ""
            if engine == POSTGRES:
                server = opened.enter_context(postgres_server(flushing=True))
            for figure in measure(Place(Path(folder), server)):
                print(figure.row(), flush=True)
                yield figure


if __name__ == "__main__":
    sys.exit(main())
