"""A deal, a session and a trick record as programs send them."""

import json
from pathlib import Path
from typing import Any

_SAMPLES = json.loads((Path(__file__).parent / "data/samples.json").read_text(encoding="utf-8"))
DEAL: dict[str, Any] = _SAMPLES["deal"]
SESSION: dict[str, Any] = _SAMPLES["session"]
RECORD: dict[str, Any] = _SAMPLES["record"]
CLUB_EVENING: dict[str, Any] = _SAMPLES["club evening"]
TOURNAMENT: dict[str, Any] = _SAMPLES["tournament"]
