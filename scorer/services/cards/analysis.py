"""The analysis of a deal with all cards open: until which card the bid could be made.

The last tricks are analysed at once, a whole deal by a background process, one at a time and at low
priority. Its queue and its results are files of the instance folder, named by a hash of the cards.
They can be computed again, so none of it is in the database.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import NamedTuple

import msgspec

from scorer.cards import open_cards as opening
from scorer.cards.board import Board
from scorer.cards.solver.open_deal import Limit, OpenDeal, turning_point
from scorer.errors import InvalidError
from scorer.storage import private_files
from scorer.storage.processes import ProcessLock
from scorer.texts import say

FOLDER = "analyses"
#: Nodes while a page waits, some tenths of a second in plain Python, and megabytes.
AT_ONCE = Limit(nodes=10_000, memory=5)
#: Seconds for the cards of one deal, and between two notes of how far it has got.
LONGEST, OFTEN = 300.0, 1.0
#: Seconds for the points with best play, which take minutes or hours where the cards take seconds.
EXACT = 30.0
MOST_WAITING, MOST_KEPT = 50, 5000
LOWEST_PRIORITY = 19
WAITING, FOUND = ".deal", ".json"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a deal's analysis.

    ``made`` says for each position from ``first`` on whether the bid could still be made; position
    0 is before the first card. ``value`` has the card points that the caller's side could have had
    from the first card on, or their bounds. ``whole`` says whether the background process has
    finished, or given up.
    """

    first: int
    made: tuple[bool, ...]
    value: tuple[int, int] | None = None
    whole: bool = False

    def at(self, position: int) -> bool | None:
        """Whether the bid could still be made in a position; None if that is not known."""
        return self.made[position - self.first] if position >= self.first else None

    @property
    def turning(self) -> int | None:
        """Return the number of cards played before the turning one, if any."""
        place = turning_point(self.made)
        return None if place is None else self.first + place


class Costs(NamedTuple):
    """The cost of the cards of the last ``tricks``, each compared with a best card.

    ``costliest`` is the number of cards played before the one that cost most, None if nobody could
    have played better; ``points`` are the card points that it cost.
    """

    tricks: int
    costliest: int | None
    points: int


class AnalysisQueue:
    """The folder of the background process: its queue and its results."""

    def __init__(self, instance: str) -> None:
        self._folder = Path(instance) / FOLDER

    def look(self, deal: OpenDeal) -> Analysis:
        """Return the results for a deal; at least its last tricks are analysed now."""
        kept = _read(self._path(deal, FOUND))
        if kept is not None and kept.whole:
            return kept
        analysis = _at_once(deal)
        return kept if kept is not None and kept.first <= analysis.first else analysis

    def waits(self, deal: OpenDeal) -> bool:
        """Whether a deal is in the queue; if so, make sure that the process runs."""
        waiting = self._path(deal, WAITING).exists()
        if waiting:
            self._go_on()
        return waiting

    def ask(self, deal: OpenDeal) -> None:
        """Queue a whole deal; raise InvalidError while too many wait."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(deal, WAITING)
        if not path.exists() and len(self._waiting()) >= MOST_WAITING:
            message = say("Too many deals are being thought over. Try again later.")
            raise InvalidError.of("too-many", "", message)
        with private_files.atomic_write(path) as draft:
            draft.write_bytes(_cards(deal))
        self._go_on()

    def stop(self, deal: OpenDeal) -> None:
        """Take a deal out of the queue; its results so far stay."""
        self._path(deal, WAITING).unlink(missing_ok=True)

    def work(self) -> None:
        while waiting := self._waiting():
            self._think_over(waiting[0])
            kept = sorted(self._folder.glob(f"*{FOUND}"), key=_made_at, reverse=True)
            for path in kept[MOST_KEPT:]:
                path.unlink(missing_ok=True)

    def _think_over(self, path: Path) -> None:
        """Analyse a deal until it is finished, time is up, or it is taken out of the queue.

        It continues the results of an earlier process.
        """
        from scorer.cards.solver.search import Search  # late: compiled, it takes seconds to load

        try:
            deal = msgspec.json.decode(path.read_bytes(), type=OpenDeal)
            search = Search(deal, Limit(seconds=LONGEST), lambda _: path.exists())
            nothing = Analysis(len(deal.played) + 1, ())
            analysis, kept_at = _read(path.with_suffix(FOUND)) or nothing, monotonic()
            for made in search.verdicts(known=analysis.first):
                analysis = replace(analysis, first=analysis.first - 1, made=(made, *analysis.made))
                if monotonic() - kept_at > OFTEN:
                    self._keep(path, analysis)
                    kept_at = monotonic()
            self._keep(path, analysis)
            search.allow(EXACT)
            value = search.value(deal.positions()[0]) if analysis.first == 0 else None
            self._keep(path, replace(analysis, value=value, whole=path.exists()))
        finally:
            path.unlink(missing_ok=True)

    def _keep(self, path: Path, analysis: Analysis) -> None:
        with private_files.atomic_write(path.with_suffix(FOUND)) as draft:
            draft.write_bytes(msgspec.json.encode(analysis))

    def _waiting(self) -> Sequence[Path]:
        """The files of the queue, oldest first."""
        return sorted(self._folder.glob(f"*{WAITING}"), key=_made_at)

    def _path(self, deal: OpenDeal, suffix: str) -> Path:
        return self._folder / f"{hashlib.sha256(_cards(deal)).hexdigest()[:40]}{suffix}"

    def _go_on(self) -> None:
        """Start the background process unless one runs: it holds the lock until it ends."""
        lock = ProcessLock(self._folder / "lock")
        if lock.take():
            process = subprocess.Popen(  # noqa: S603  # nothing in it was said by anybody
                [sys.executable, "-m", __name__, str(self._folder.parent)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[lock.file],
                start_new_session=True,
            )
            lock.release()
            Thread(target=process.wait, daemon=True).start()


def open_cards(board: Board) -> OpenDeal | None:
    """Open the cards of a finished deal; None if some are unknown or wrong."""
    opened = opening.open_cards(board) if board.over else None
    return opened if isinstance(opened, OpenDeal) else None


def _cards(deal: OpenDeal) -> bytes:
    """Write a deal without the names of its players."""
    return msgspec.json.encode(replace(deal, names=()), order="deterministic")


@lru_cache(maxsize=128)  # a moment of the solver, for each phone at the table
def _at_once(deal: OpenDeal) -> Analysis:
    """Analyse a deal backwards from its end, for a moment."""
    from scorer.cards.solver.search import Search  # late: compiled, it takes seconds to load

    made = [*Search(deal, AT_ONCE).verdicts()][::-1]
    return Analysis(len(deal.played) + 1 - len(made), tuple(made))


def _read(path: Path) -> Analysis | None:
    """Read the results for a deal; None if there are none, or the file can't be read."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=Analysis)
    return None


@lru_cache(maxsize=128)  # as above
def end_costs(deal: OpenDeal) -> Costs:
    """Find the costliest card of the last tricks, of as many as a moment suffices for."""
    from scorer.cards.solver.search import Search  # late: compiled, it takes seconds to load

    values = [*Search(deal, AT_ONCE).values()][::-1]
    tricks = (len(values) - 1) // len(deal.hands)
    first = len(deal.played) - tricks * len(deal.hands)
    values = values[-tricks * len(deal.hands) - 1 :]
    costs = [abs(after - before) for before, after in pairwise(values)]
    points = max(costs, default=0)
    return Costs(tricks, first + costs.index(points) if points else None, points)


def _made_at(path: Path) -> float:
    """Return when a file was written; 0 if it is gone."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


if __name__ == "__main__":
    os.nice(LOWEST_PRIORITY)
    AnalysisQueue(sys.argv[1]).work()
