import json
from typing import Any

import pytest

from scorer.operations import check
from tests.data.examples import NAMES
from tests.data.mistakes import DOCUMENTS
from tests.samples import RECORD

KEYS = (
    "id ok complete winners card_points tricks_won partner alone side_points bounds exact status"
    " payouts problems warnings"
)


def refused(request: object) -> list[tuple[str, str]]:
    answer = check(request)
    assert set(answer) == {"id", "ok", "problems"}
    assert answer["ok"] is False
    assert all(set(problem) == {"code", "field", "message"} for problem in answer["problems"])
    return [(problem["code"], problem["field"]) for problem in answer["problems"]]


def found(request: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    answer = check(request)
    assert " ".join(answer) == KEYS
    return [(problem["code"], problem["where"]) for problem in answer["problems"]]


def test_record_is_answered_as_the_contract_says() -> None:
    answer = check(RECORD)

    assert " ".join(answer) == KEYS
    assert (answer["id"], answer["ok"]) == ("g1", True)
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    "end",
    [[[]], [{"cards": []}], [{"leader": "Ezio", "cards": [], "winner": None}, [], []]],
    ids=str,
)
def test_tricks_without_cards_at_the_end_are_none(end: list[Any]) -> None:
    for played in (RECORD["tricks"][:2], [None], [], RECORD["tricks"]):
        assert check({**RECORD, "tricks": [*played, *end]}) == check({**RECORD, "tricks": played})


def test_trick_of_whoever_sits_out_is_wrong() -> None:
    trick = ["7B", "2D", "4S", "KS", "JB", "3C"]
    record = DOCUMENTS["seven"]

    told = [{"cards": trick, "leader": "Gino", "winner": "Gino"}]
    assert found({**record, "tricks": told}) == [
        ("wrong-first-leader", {"trick": 1}),
        ("wrong-winner", {"trick": 1}),
    ]


def test_reader_is_told_in_his_language() -> None:
    answer = check({**RECORD, "tricks": []}, lambda text: text.template)
    faulty = check({**RECORD, "tricks": [["7B"] * 2]}, lambda text: text.template)

    assert answer["ok"]
    assert faulty["problems"][0]["message"] == "Trick %(trick)s has %(card)s twice."


@pytest.mark.untraced
@pytest.mark.parametrize(
    "record",
    [
        pytest.param({**RECORD, "tricks": [["7B"] * 40] * 20, "discards": ["7B"] * 40,
                      "hands": dict.fromkeys(NAMES[:5], ["7B"] * 40)}, id="one card, often"),
        pytest.param({**RECORD, "tricks": [[]] * 100_000}, id="many tricks"),
        pytest.param({**RECORD, "tricks": [["a di " * 200_000]]}, id="words without end"),
    ],
)  # fmt: skip
def test_record_of_any_size_is_answered(record: dict[str, Any]) -> None:
    assert 0 < len(check(record)["problems"]) <= 101


@pytest.mark.parametrize("name", ["Friday", "x" * 5_000], ids=["short", "long"])
def test_rules_of_a_house_may_be_sent_with_every_record(name: str) -> None:
    rules = {"preset": "classic", "name": name, "floor": 73}
    wrong = {**rules, "floor": 200}

    for _ in range(2):
        assert found({**RECORD, "rules": rules}) == [("wrong-result", {"claim": "made"})]
        assert refused({**RECORD, "rules": wrong}) == [("out-of-range", "rules.floor")]


def test_first_hundred_findings_are_told_and_how_many_more_there_are() -> None:
    found = check({**RECORD, "tricks": [["nothing"] * 40] * 20})["problems"]

    assert len(found) == 101
    assert (found[-1]["code"], found[-1]["where"]) == ("too-many-problems", {})


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ({"game": "tressette", "seats": ["Ada", "Bea", "Ciro"]}, "for this number of players"),
        ({"game": "briscola", "rules": "marianna", "seats": ["Ada", "Bea"]}, "By these rules"),
    ],
)
def test_cards_of_some_tables_are_not_written_down(deal: dict[str, Any], why: str) -> None:
    (problem,) = check({**deal, "tricks": []})["problems"]

    assert (problem["code"], problem["field"]) == ("no-cards", "seats")
    assert why in problem["message"]
