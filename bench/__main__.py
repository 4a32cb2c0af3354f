"""`make bench`: print the figures, and fail when a bar is missed."""

import os
import platform
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench import circles, endings, evenings, history, pages, peer, records, sheets, taps
from bench.figures import Bar, show_bars, show_rates, show_times
from bench.statements import statements
from scorer import create_app, storage
from tests.databases import postgres_database, postgres_server


def main() -> int:
    """Measure, print, and give the exit status."""
    parser = ArgumentParser("bench", description="Prints how quick the program is.")
    parser.add_argument("--postgres", action="store_true", help="measure on PostgreSQL as well")
    parser.add_argument("--peer", action="store_true", help="measure ihatemoney beside it")
    options = parser.parse_args()
    began = perf_counter()
    print(f"CPython {platform.python_version()}, {os.cpu_count()} processors, {_load()}")
    scored = sheets.measure()
    checked = records.measure()
    show_rates("sheets a second", scored)
    show_rates("whole deals a second", checked)
    endings.show()
    with _instance("") as folder:
        tapped = taps.measure(folder)
    show_times(f"in a browser {taps.SLOWER} times slower", tapped, {})
    bars = [sheets.bar(scored), records.bar(checked), *taps.bars(tapped), *_on("")]
    if options.peer:
        bars += _beside_peer()
    if options.postgres:
        with postgres_server() as server, postgres_database(server) as url:
            bars += _on(url)
    held = show_bars(bars)
    print(f"\n{perf_counter() - began:.0f} seconds, {_load()}")
    return 0 if held else 1


def _on(url: str) -> list[Bar]:
    """Measure the pages on one engine, in an instance folder of its own."""
    with _instance(url) as folder:
        app = create_app({"LAN_HTTP": True, "LIMITS": {"write": 1_000_000}})
        with app.app_context():
            storage.upgrade()
            filled, years = evenings.fill(), circles.fill()
            counted = {
                name: count
                for evening in filled
                for name, count in statements(app, evening).items()
            }
            taken = pages.measure(app, folder, filled, years) | history.cold(app, years)
            mode = storage.database_mode()
            storage.db.engine.dispose()
    title = f"{mode.engine} {mode.version}"
    show_times(title, taken, counted)
    return list(pages.bars(taken, mode.engine))


def _beside_peer() -> list[Bar]:
    """Measure years of deals, and as many entries of a peer."""
    with _instance("") as folder:
        app = create_app({"LAN_HTTP": True, "LIMITS": {"write": 1_000_000}})
        with app.app_context():
            storage.upgrade()
            years = circles.fill()
        return list(peer.show(peer.ours(app, years), peer.measure(folder)))


@contextmanager
def _instance(url: str) -> Iterator[Path]:
    """Keep the data of the run, and of the servers it starts, away from everybody else's."""
    for name in [name for name in os.environ if name.startswith("SCORER_")]:
        if name != "SCORER_TEST_PG":
            del os.environ[name]
    with TemporaryDirectory(prefix="scorer-bench-") as folder:
        os.environ["SCORER_INSTANCE"] = folder
        if url:
            os.environ["SCORER_DATABASE_URL"] = url
        yield Path(folder)


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
