"""How many whole deals, written down card by card, one process checks in a second."""

from typing import Any

from bench import yardstick
from bench.figures import Bar, Times
from scorer.documents import decode, encode
from scorer.operations import check
from tests.games.tables import play, record_of

BATCH, BATCHES = 50, 300
PRESETS = ("classic", "ladder-bands", "bastarda", "rulebook", "volata", "decades")

OPERATION = "check, the whole operation: a dict in, a dict out"
LINES = "check, a line of JSON in and out"


def requests() -> list[dict[str, Any]]:
    """Play deals at random, and write their cards down with what the sheet says."""
    return [_request(PRESETS[number % len(PRESETS)], number) for number in range(BATCH)]


def _request(preset: str, number: int) -> dict[str, Any]:
    record = record_of(play(preset, number))
    del record["hands"], record["claim"]["player_points"]
    return {**record, "tricks": [trick["cards"] for trick in record["tricks"]]}


def measure() -> dict[str, Times]:
    """Check records over and over, beside the yardstick: seconds a deal."""
    sent = requests()
    refused = [answer for answer in map(check, sent) if not answer["ok"]]
    if refused:
        raise RuntimeError(f"these deals should be sound: {refused[:3]}")
    lines = [encode(request) for request in sent]
    return yardstick.measure({OPERATION: (check, sent), LINES: (_answer, lines)}, BATCHES)


def _answer(line: bytes) -> bytes:
    return encode(check(decode(line)))


def bar(taken: dict[str, Times]) -> Bar:
    """Hold a line in and out to 20,000 a second where the yardstick goes at its usual speed."""
    most = yardstick.A_SECOND / 20_000
    return Bar("a deal checked, JSON in and out / replayed", yardstick.against(taken, LINES), most)
