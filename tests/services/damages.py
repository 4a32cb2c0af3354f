"""Rows that are edited behind the program's back: the statements are in `edits.json`."""

import json
from pathlib import Path
from typing import TypedDict

from scorer.evening.acts import ACTS
from scorer.rules.game import Outcome
from scorer.services.journal.verify import verify
from scorer.services.session import state
from scorer.storage import db
from tests.services.evenings import Evening, played_once, sheet, start


class Edit(TypedDict):
    """Statements, and what `scorer verify` says of the rows that they change."""

    edits: list[str]
    finding: str


#: By the database that is edited, in batches of what is found side by side; by what is changed.
EDITS: dict[str, list[dict[str, Edit]]] = json.loads(
    (Path(__file__).parent / "journal/edits.json").read_text(encoding="utf-8")
)


def edit_rows(*statements: str) -> None:
    """Run statements, each of which changes rows."""
    with db.engine.begin() as connection:
        for statement in statements:
            assert connection.exec_driver_sql(statement).rowcount
    db.session.rollback()


def statements(batch: dict[str, Edit]) -> list[str]:
    return [statement for edit in batch.values() for statement in edit["edits"]]


def unfound(batch: dict[str, Edit], lines: list[str]) -> list[str]:
    """Name the edits of which no line tells."""
    found = {name: any(edit["finding"] in line for line in lines) for name, edit in batch.items()}
    return [name for name, told in found.items() if not told]


def restart() -> None:
    """Let the process know nothing of any session, as after a start."""
    state._known.clear()


def findings() -> list[str]:
    """List what `scorer verify` finds."""
    found: list[str] = []
    verify(found.append)
    return found


@played_once
def an_evening() -> Evening:
    """Play seven deals: 2 is amended, 3 voided, 4 a misdeal, 5 a penalty, 6 restored.

    1 is disputed, 2 was before it was amended and was upheld after that, 3 was when it was voided.
    """
    evening = start({"preset": "classic", "session": {"end": "target", "target": 4}})
    for _ in range(3):
        evening.record(sheet())
    evening.record(None, Outcome.MISDEAL)
    evening.record({"offender": "Dora"}, Outcome.PENALTY)
    evening.record(sheet("Bea", None))
    say(evening, "dispute", 2)
    evening.amend(2, sheet("Ada", "Ezio"))
    for kind, number in (("dispute", 2), ("uphold", 2), ("dispute", 3), ("dispute", 1)):
        say(evening, kind, number)
    for number in (3, 6):
        evening.void(number)
    evening.restore(6)
    evening.start_deal()
    return evening


def say(evening: Evening, kind: str, number: int) -> None:
    """Say something of a deal as it stands."""
    evening.do(number, ACTS[kind], reason="Ciro was alone")
