"""How many whole deals, written down card by card, one process checks in a second."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from scorer.documents import decode
from scorer.documents import encode
from scorer.verbs import check
from tests.bench.figures import Bar
from tests.bench.sheets import seconds
from tests.games.tables import play
from tests.games.tables import record_of

if TYPE_CHECKING:
    from tests.bench.figures import Times

BATCH, BATCHES = 50, 300
PRESETS = ("classic", "ladder-bands", "bastarda", "rulebook", "volata", "decades")

VERB = "check, the whole verb: a dict in, a dict out"
LINES = "check, a line of JSON in and out"


def requests() -> list[dict[str, Any]]:
    """Play deals at random, and write their cards down with what the sheet says."""
    return [_request(PRESETS[number % len(PRESETS)], number) for number in range(BATCH)]


def _request(preset: str, number: int) -> dict[str, Any]:
    record = record_of(play(preset, number))
    del record["hands"], record["claim"]["player_points"]
    return {**record, "tricks": [trick["cards"] for trick in record["tricks"]]}


def measure() -> dict[str, Times]:
    """Check records over and over: seconds a deal."""
    sent = requests()
    refused = [answer for answer in map(check, sent) if not answer["ok"]]
    if refused:
        raise RuntimeError(f"these deals should be sound: {refused[:3]}")
    lines = [encode(request) for request in sent]
    return {
        VERB: [seconds(check, sent) for _ in range(BATCHES)],
        LINES: [seconds(_answer, lines) for _ in range(BATCHES)],
    }


def _answer(line: bytes) -> bytes:
    return encode(check(decode(line)))


def bar(taken: dict[str, Times]) -> Bar:
    """Hold the lines to what is asked for, by the best batch: the others were disturbed."""
    return Bar("whole deals checked a second in one process, JSON in and out",
               1 / min(taken[LINES]), 20_000, at_least=True)  # fmt: skip
