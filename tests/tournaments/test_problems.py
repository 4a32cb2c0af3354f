import json
from pathlib import Path
from typing import Any

import pytest

from scorer.operations import tournament
from tests.tournaments.clubs import club, codes

CASES = json.loads((Path(__file__).parent / "problems.json").read_text(encoding="utf-8"))
SOUND: dict[str, Any] = {
    "format": "scorer-tournament/1",
    "name": "Tuesday",
    "entries": [{"id": entry, "name": entry.upper()} for entry in "abcd"],
    "plan": {"kind": "danish"},
}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_every_fault_is_found_with_its_field(case: dict[str, Any]) -> None:
    document = case.get("document", SOUND | case.get("change", {}))
    if document and document.get("entries") == "201":
        document = document | {"entries": [{"id": str(number)} for number in range(201)]}

    answer = tournament(document)

    found = [f"{problem['code']} {problem['field']}" for problem in answer["problems"]]
    assert found == case["problems"]
    assert answer["ok"] is answer["finished"] is False
    assert (answer["standings"], answer["next"], answer["winner"]) == ([], None, None)


def test_sound_document_has_no_problems() -> None:
    assert tournament(SOUND)["ok"]


def test_too_many_turns_are_told_with_how_many_fit() -> None:
    answer = tournament(club(7, kind="mitchell", rounds=5))

    assert (answer["fits"], answer["problems"][0]["fits"]) == (4, 4)


def test_list_longer_than_anything_real_is_refused() -> None:
    assert codes(SOUND | {"rounds": [{}] * 20_001}) == [("too-long", "rounds")]
