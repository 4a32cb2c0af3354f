from typing import Any

import pytest

from scorer.operations import not_json, score
from tests.data.examples import NAMES, request_for

SHEET: dict[str, Any] = {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 61}
SOUND = {"id": "x1", **request_for("classic", SHEET)}


def problems_of(request: object) -> list[tuple[str, str]]:
    answer = score(request)
    assert answer["ok"] is False
    assert set(answer) == {"id", "ok", "problems"}
    return [(problem["code"], problem["field"]) for problem in answer["problems"]]


def test_sound_request_is_answered_as_the_contract_says() -> None:
    answer = score(SOUND)

    assert list(answer) == ["id", "ok", "made", "payouts", "why", "warnings"]
    assert answer["id"] == "x1"
    assert answer["ok"] is answer["made"] is True
    assert answer["payouts"] == {"Ada": 2, "Bea": 1, "Ciro": -1, "Dora": -1, "Ezio": -1}
    assert list(answer["payouts"]) == list(NAMES[:5])
    assert [set(step) for step in answer["why"]] == [{"rule", "text"}] * len(answer["why"])
    assert answer["warnings"] == []


def test_fault_is_answered_as_the_contract_says() -> None:
    answer = score({**SOUND, "id": "x2", "sheet": {**SHEET, "partner": "Ada"}})

    assert (answer["id"], answer["ok"]) == ("x2", False)
    (problem,) = answer["problems"]
    assert (problem["code"], problem["field"]) == ("caller-is-partner", "sheet.partner")
    assert set(problem) == {"code", "field", "message"}
    assert problem["message"]


def test_warnings_come_with_the_payouts() -> None:
    answer = score({**SOUND, "sheet": {**SHEET, "bid": "K"}})

    assert answer["ok"]
    assert [(w["code"], w["field"]) for w in answer["warnings"]] == [("bid-style", "sheet.bid")]


@pytest.mark.parametrize("request_id", ["x", 5, None, 1.5, ["x"], {"a": {"b": None}}, True])
def test_answer_carries_the_id_of_its_request(request_id: object) -> None:
    assert score({**SOUND, "id": request_id})["id"] == request_id
    assert score({"id": request_id})["id"] == request_id


@pytest.mark.parametrize("name", ["x", "x" * 200, " Ada ", "Ælfgifu", "\N{GRINNING FACE}"])
def test_name_has_from_one_to_200_letters(name: str) -> None:
    answer = score({**SOUND, "seats": [*NAMES[:4], name]})

    assert answer["payouts"][name] == -1


def test_seven_at_a_table_of_six_need_a_dealer() -> None:
    request = request_for("monte-7", SHEET, 7)

    assert problems_of(request) == [("missing-key", "dealer")]
    assert problems_of({**request, "dealer": None}) == [("missing-key", "dealer")]
    assert problems_of({**request, "dealer": "Ada"}) == [("sits-out", "sheet.caller")]
    assert set(score({**request, "dealer": "Gino"})["payouts"]) == set(NAMES[:6])


def test_texts_are_told_by_whoever_asks() -> None:
    answer = score(SOUND, lambda text: text.template.upper())

    assert (
        answer["why"][-1]["text"]
        == "EACH DEFENDER PAYS THEIR SHARE: %(WEIGHT)S × %(UNIT)S → %(AMOUNT)S."
    )


def test_what_is_no_json_is_answered() -> None:
    answer = not_json()

    assert answer["ok"] is False
    assert answer["id"] is None
    assert [(p["code"], p["field"]) for p in answer["problems"]] == [("malformed-json", "")]


@pytest.mark.parametrize(("count", "told"), [(100, 100), (101, 101), (5_000, 101)])
def test_first_hundred_problems_are_told_and_how_many_more_there_are(count: int, told: int) -> None:
    problems = score({**dict.fromkeys(map(str, range(count)), 0), **SOUND})["problems"]

    assert len(problems) == told
    assert [one["code"] for one in problems[:100]] == ["unknown-key"] * 100
    assert [(one["code"], one["field"], one["message"]) for one in problems[100:]] == [
        ("too-many-problems", "", f"More were found: {count - 100}, and perhaps not all.")
    ][: told - 100]


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param({"game": "briscola-chiamata", "rules": {
            "preset": "classic", "score": {"bands": [0] * 5_000}}}, id="bands"),
        pytest.param({"game": "burraco", "seats": ["Ada", "Bea"], "rules": {
            "victory_points": [0] * 5_000}}, id="victory points"),
    ],
)  # fmt: skip
def test_table_with_more_rows_than_there_can_be_is_refused_at_once(rules: dict[str, Any]) -> None:
    assert [one["code"] for one in score({**SOUND, **rules})["problems"]] == ["too-long"]
