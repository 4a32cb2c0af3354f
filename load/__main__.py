"""Print what must hold on a real server, as a table, and fail where it doesn't.

`python -m load` measures everything in some minutes; names of bars measure those alone.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from load.bars import BARS, Place
from tests.databases import postgres_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def main() -> int:
    """Measure, print, and give the exit status."""
    parser = ArgumentParser("load", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="BAR", help=", ".join(BARS))
    names = parser.parse_args().names or list(BARS)
    _own_settings()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    print("| what | engine | figures | |\n|---|---|---|---|")
    found = list(_measure(names))
    print(f"\nload {os.getloadavg()[0]:.1f}", *found, sep="\n")
    return 1 if found else 0


def _own_settings() -> None:
    for name in [name for name in os.environ if name.startswith("SCORER_")]:
        del os.environ[name]


def _measure(names: Sequence[str]) -> Iterator[str]:
    """Measure bar by bar and print a line for each; give whatever speaks against one."""
    with ExitStack() as opened:
        server = ""
        if any(BARS[name][2] for name in names):
            server = opened.enter_context(postgres_server(flushing=True))
        for name in names:
            what, measure, both = BARS[name]
            for postgres in ("", server) if both else ("",):
                with TemporaryDirectory(prefix="scorer-load-") as folder:
                    place = Place(Path(folder), postgres)
                    figures, faults = measure(place)
                verdict = "MISSED" if faults else "held"
                print(f"| {what} | {place.engine} | {figures} | {verdict} |", flush=True)
                yield from (f"{what}, {place.engine}: {fault}" for fault in faults)


if __name__ == "__main__":
    sys.exit(main())
