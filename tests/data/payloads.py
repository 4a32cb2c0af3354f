"""Words that try to be more than words: two hundred ways to run a script, and odd names."""

import json
from pathlib import Path

KINDS: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("payloads.json").read_text(encoding="utf-8")
)
PAYLOADS = [word for kind in KINDS.values() for word in kind]
