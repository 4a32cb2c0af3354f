"""Evenings whose seats and rules change for deals that were played, and guests bring something in.

What else people do to an evening is in `tests/evening`.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scorer.evening.session_acts import Guest
from tests.evening.test_changes import begun, do, told
from tests.services.evenings import SIX, Evening, findings, start

LETTERS = "ABCDEF"
LISTED = json.loads(Path(__file__).with_name("evenings.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in LISTED["evenings"]}


def played(case: dict[str, Any]) -> Evening:
    """Begin the evening of a case, and do its acts."""
    table = begun(case["begin"])
    first, people = LETTERS.index(table["first"]), SIX[: len(table["seats"])]
    evening = start(table["rules"], people, game=table["game"], first_dealer=first)
    for act, *said in deepcopy(case["acts"]):
        if act == "expect":
            assert said[0].items() <= told(evening.state.evening).items()
            continue
        if act == "change" and "guests" in said[0]:
            said[0]["guests"] = [Guest(*guest) for guest in said[0]["guests"]]
        do(evening, act, said, LETTERS.index)
    return evening


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_evening_is_dealt_and_paid_as_its_acts_say(case: dict[str, Any]) -> None:
    evening = played(case)

    assert evening.state.row.finished_number == evening.state.evening.ended
    assert findings(evening) == []
