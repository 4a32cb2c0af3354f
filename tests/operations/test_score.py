from typing import Any

import pytest

from scorer.operations import not_json, score
from tests.data.examples import NAMES, request_for

SHEET: dict[str, Any] = {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 61}
SOUND = {"id": "x1", **request_for("classic", SHEET)}
TOO_MANY = [f"player {number}" for number in range(21)]


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


def test_id_may_be_left_out() -> None:
    assert score({key: SOUND[key] for key in SOUND if key != "id"})["id"] is None


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({"game": "whist"}, [("unknown-game", "game")], id="no such game"),
        pytest.param({"game": None}, [("wrong-type", "game")], id="null for a game"),
        pytest.param({"game": ["briscola-chiamata"]}, [("wrong-type", "game")], id="a list"),
        pytest.param({"rules": "poker"}, [("unknown-preset", "rules")], id="no such preset"),
        pytest.param({"rules": {"preset": "poker"}}, [("unknown-preset", "rules.preset")],
                     id="no such preset to override"),
        pytest.param({"rules": {"floor": 200}}, [("out-of-range", "rules.floor")], id="a floor"),
        pytest.param({"rules": 5}, [("wrong-type", "rules")], id="a number for rules"),
        pytest.param({"seats": "Ada"}, [("wrong-type", "seats")], id="one name for all"),
        pytest.param({"seats": []}, [("wrong-type", "seats")], id="nobody"),
        pytest.param({"seats": None}, [("wrong-type", "seats")], id="null for seats"),
        pytest.param({"seats": list(NAMES[:4])}, [("seats-count", "seats")], id="four for five"),
        pytest.param({"seats": list(NAMES[:6])}, [("seats-count", "seats")], id="six for five"),
        pytest.param({"seats": TOO_MANY}, [("seats-count", "seats")], id="a crowd"),
        pytest.param({"seats": ["Ada", "Bea", "Ciro", "Dora", 5]}, [("wrong-type", "seats[4]")],
                     id="a number for a name"),
        pytest.param({"seats": ["Ada", "Bea", "Ciro", "Dora", " "]}, [("bad-name", "seats[4]")],
                     id="an empty name"),
        pytest.param({"seats": ["Ada", "Bea", "Ciro", "Dora", "x" * 201]},
                     [("bad-name", "seats[4]")], id="a name without end"),
        pytest.param({"seats": ["Ada", "Bea", "Ada", "Dora", "Ada"]},
                     [("duplicate-name", "seats[2]"), ("duplicate-name", "seats[4]")],
                     id="three of one name"),
        pytest.param({"sheet": None}, [("wrong-type", "sheet")], id="null for a sheet"),
        pytest.param({"dealer": "Zoe"}, [("unknown-name", "dealer")], id="a stranger deals"),
        pytest.param({"dealer": 0}, [("wrong-type", "dealer")], id="a seat's number deals"),
        pytest.param({"sheat": {}, "note": ""}, [("unknown-key", "sheat"), ("unknown-key", "note")],
                     id="keys that nobody knows"),
        pytest.param(
            {"seats": ["Ada", ""], "game": "whist", "rules": "poker", "x": 1},
            [("unknown-key", "x"), ("bad-name", "seats[1]"), ("unknown-game", "game")],
            id="every fault at once",
        ),
        pytest.param(
            {"seats": ["Ada", ""], "rules": "poker"},
            [("bad-name", "seats[1]"), ("unknown-preset", "rules")],
            id="faults of seats and rules at once",
        ),
        pytest.param(
            {"dealer": "Zoe", "sheet": {**SHEET, "bid": "60"}},
            [("unknown-name", "dealer"), ("bid-range", "sheet.bid")],
            id="faults of dealer and sheet at once",
        ),
    ],
)  # fmt: skip
def test_wrong_request_gets_every_problem_with_its_path(
    change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    assert problems_of({**SOUND, **change}) == problems


@pytest.mark.parametrize("name", ["x", "x" * 200, " Ada ", "Ælfgifu", "\N{GRINNING FACE}"])
def test_name_has_from_one_to_200_letters(name: str) -> None:
    answer = score({**SOUND, "seats": [*NAMES[:4], name]})

    assert answer["payouts"][name] == -1


@pytest.mark.parametrize("key", ["game", "seats", "sheet"])
def test_key_that_must_be_there_is_missed(key: str) -> None:
    request = {name: value for name, value in SOUND.items() if name != key}

    assert problems_of(request) == [("missing-key", key)]


@pytest.mark.parametrize("request_", [None, [], "score", 5, True, [SOUND]])
def test_what_is_no_object_is_one_problem(request_: object) -> None:
    assert problems_of(request_) == [("wrong-type", "")]
    assert score(request_)["id"] is None


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
