"""The examples that tests of several folders share, as data."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fede", "Gino")
PRESETS: dict[str, dict[str, Any]] = {
    rules["slug"]: rules
    for rules in json.loads((HERE / "presets.json").read_text(encoding="utf-8"))
}


def request_for(rules: object, sheet: dict[str, Any], count: int = 5) -> dict[str, Any]:
    """Ask to score a deal of Briscola Chiamata among the first so many people."""
    seats = list(NAMES[:count])
    return {"game": "briscola-chiamata", "rules": rules, "seats": seats, "sheet": sheet}


def deals() -> list[dict[str, Any]]:
    """Give whole deals as programs send them, each with the answer that is right."""
    plain = {"game": "briscola-chiamata", "seats": list(NAMES[:5])}
    lines = (HERE / "deals.jsonl").read_text(encoding="utf-8").splitlines()
    return [plain | json.loads(line) for line in lines]


def published() -> list[dict[str, Any]]:
    """Give the deals handed over beside the repository, where they are there."""
    path = HERE.parents[2] / "shared" / "vectors" / "score.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines]


def payout_rows() -> list[tuple[str, dict[str, Any], dict[str, int]]]:
    """Give every row of the score tables as preset, sheet and payouts, partnered and alone."""
    lines = (HERE / "payouts.txt").read_text(encoding="utf-8").splitlines()
    rows = []
    for line in filter(None, (line.partition("#")[0].strip() for line in lines)):
        deal, partnered, alone = (part.split() for part in line.split("|"))
        rows.append(_payout_row(deal, "Bea", partnered))
        if alone != ["-", "-"]:
            rows.append(_payout_row(deal, None, alone))
    return rows


def _payout_row(
    deal: list[str], partner: str | None, figures: list[str]
) -> tuple[str, dict[str, Any], dict[str, int]]:
    slug, bid, points, tricks = deal
    sheet = {"caller": "Ada", "bid": bid, "partner": partner, "card_points": int(points)}
    if tricks != "-":
        sheet["tricks_won"] = int(tricks)
    amounts = list(map(int, figures))
    others = NAMES[len(amounts) - 1 : PRESETS[slug]["players"]]
    paid = dict(zip(NAMES, amounts[:-1], strict=False)) | dict.fromkeys(others, amounts[-1])
    return slug, sheet, paid
