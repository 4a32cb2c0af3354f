"""Print what must hold on a real server, as a table, and fail where it doesn't.

`python -m load` measures everything in some minutes; names of bars measure those alone.
`--threads` measures gunicorn's threads instead of what `scorer serve` uses.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from load.bars import BARS, CIRCLES, POSTGRES, RATE, SECONDS, SQLITE, Place
from tests.databases import postgres_server
from tests.serving import SERVE

THREADS = (sys.executable, "-m", "load.threads")


def main() -> int:
    """Measure, print, and give the exit status."""
    parser = ArgumentParser("load", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="BAR", help=", ".join(BARS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of what takes its time")
    parser.add_argument("--circles", type=int, default=CIRCLES, help="that play at once")
    parser.add_argument("--rate", type=float, default=RATE, help="deals a second of all of them")
    parser.add_argument("--engine", choices=[SQLITE, POSTGRES], help="measure one engine only")
    parser.add_argument("--threads", action="store_true", help="serve by gunicorn's threads")
    options = parser.parse_args()
    _own_settings()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    print("| what | engine | figures | |\n|---|---|---|---|")
    found = list(_measure(options))
    print(f"\nload {os.getloadavg()[0]:.1f}", *found, sep="\n")
    return 1 if found else 0


def _own_settings() -> None:
    for name in [name for name in os.environ if name.startswith("SCORER_")]:
        del os.environ[name]


def _measure(options: Namespace) -> Iterator[str]:
    """Measure bar by bar and print a line for each; give whatever speaks against one."""
    program = THREADS if options.threads else SERVE
    engines = {options.engine} if options.engine else {SQLITE, POSTGRES}
    bars = [BARS[name] for name in options.names or BARS]
    with ExitStack() as opened:
        server = ""
        if any(POSTGRES in on and POSTGRES in engines for _, _, on in bars):
            server = opened.enter_context(postgres_server(flushing=True))
        for what, measure, on in bars:
            for engine in (engine for engine in on if engine in engines):
                with TemporaryDirectory(prefix="scorer-load-") as folder:
                    postgres = server if engine == POSTGRES else ""
                    place = Place(
                        Path(folder),
                        postgres,
                        program,
                        options.seconds,
                        options.circles,
                        options.rate,
                    )
                    figures, faults = measure(place)
                verdict = "MISSED" if faults else "held"
                print(f"| {what} | {engine} | {figures} | {verdict} |", flush=True)
                yield from (f"{what}, {engine}: {fault}" for fault in faults)


if __name__ == "__main__":
    sys.exit(main())
