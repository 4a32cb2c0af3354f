import json
import re
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import check, solve
from tests.data.documents import GONE, paths, replaced
from tests.data.examples import NAMES
from tests.data.strategies import examples
from tests.games.played import deals, whole
from tests.games.tables import Deal
from tests.operations.test_any_input import ANY_JSON, ANY_OBJECT, mutated

CODE = re.compile(r"[a-z0-9-]+")
CARDS = [rank + suit for rank in "A23KQJ789" for suit in "CDSBH"]
OTHERS: list[Any] = [None, True, "pass", "K", "2@70", 0, 1, 61, 119, "??", [], {}, 0.5]
NEARLY = [*CARDS, *NAMES, *OTHERS]


def written(deal: Deal, random: Random) -> dict[str, Any]:
    """Write a deal down, whole or in part."""
    record = whole(deal)
    for key in ("hands", "discards", "auction", "dealer"):
        if random.random() < 0.5:
            record.pop(key, None)
    record["tricks"] = [None if random.random() < 0.1 else trick for trick in record["tricks"]]
    return record


@st.composite
def slipped(draw: st.DrawFn) -> Any:
    """Give a record in which one to six things are others of their kind, or gone."""
    random = Random(draw(st.integers(0, 10**9)))
    record: Any = written(draw(deals()), random)
    for _ in range(random.randint(1, 6)):
        path = random.choice([path for path in paths(record) if path])
        value = GONE if random.random() < 0.1 else random.choice(NEARLY)
        record = replaced(record, path, value)
    return record


def check_answered(request: Any) -> None:
    answer = check(request)

    json.dumps(answer, allow_nan=False)
    assert answer["ok"] is (not answer["problems"])
    findings = [*answer["problems"], *answer.get("warnings", [])]
    assert all(CODE.fullmatch(finding["code"]) and finding["message"] for finding in findings)
    if "winners" in answer:
        check_examined(request, answer)
    else:
        assert answer["problems"]
        assert all(isinstance(problem["field"], str) for problem in answer["problems"])


def check_examined(request: Any, answer: dict[str, Any]) -> None:
    low, high = answer["bounds"]
    assert 0 <= low <= high <= 120
    assert all(finding["where"] for finding in [*answer["problems"], *answer["warnings"]])
    assert len(answer["winners"]) == len(request["tricks"])
    assert sum(answer["card_points"].values()) <= 120
    assert sum(answer["tricks_won"].values()) <= len(request["tricks"])
    assert answer["side_points"] is None or answer["side_points"] <= high
    if answer["payouts"] is not None:
        assert answer["complete"]
        assert low == high == answer["side_points"]


@examples(50)
@given(ANY_JSON | ANY_OBJECT)
def test_anything_may_be_sent_to_be_checked(request: Any) -> None:
    check_answered(request)


@examples(30)
@given(mutated(deals().map(whole)))
def test_any_fault_in_a_sound_record_is_answered(request: Any) -> None:
    check_answered(request)


@examples(150)
@given(slipped())
def test_any_slip_in_a_sound_record_is_answered(request: Any) -> None:
    check_answered(request)


@examples(50)
@given(mutated(deals().map(lambda deal: {**whole(deal), "limit": {"nodes": 100}})))
def test_any_fault_in_a_record_to_be_solved_is_answered(request: Any) -> None:
    answer = solve(request)

    json.dumps(answer, allow_nan=False)
    assert answer["ok"] or answer["problems"]
