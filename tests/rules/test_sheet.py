from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated
from typing import Any

import pytest

from scorer.rules.cards import DECKS
from scorer.rules.cards import Card
from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask
from scorer.rules.sheet import Reading
from scorer.rules.sheet import join
from scorer.rules.sheet import questions
from scorer.rules.sheet import read
from scorer.rules.sheet import write

NAMES = ("Ada", "Bea", "Ciro")


class Side(StrEnum):
    US = "us"
    THEM = "them"


@dataclass(frozen=True, slots=True)
class Extra:
    count: Annotated[int, Ask("How many", low=0)] = 0


@dataclass(frozen=True, slots=True)
class Answers:
    winner: Annotated[Seat, Ask("Winner")]
    points: Annotated[int, Ask("Points", low=1, high=9)]
    side: Annotated[Side, Ask("Side")]
    loser: Annotated[Seat | None, Ask("Loser")] = None
    card: Annotated[Card | None, Ask("Card")] = None
    closed: Annotated[bool, Ask("Closed")] = False
    note: str = ""
    bonus: int = 0
    extra: Annotated[Extra | None, Ask("Extra")] = None


LEAST: dict[str, Any] = {"winner": "Ada", "points": 1, "side": "us"}
FULL: dict[str, Any] = {
    "winner": "Bea", "points": 9, "side": "them", "loser": "Ciro", "card": "KC", "closed": True,
    "note": "late", "bonus": -5, "extra": {"count": 3},
}  # fmt: skip


def reading() -> Reading:
    return Reading(NAMES, DECKS["italian-40"])


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        pytest.param(LEAST, Answers(Seat(0), 1, Side.US), id="only what is asked for"),
        pytest.param(
            FULL,
            Answers(
                Seat(1), 9, Side.THEM, Seat(2), Card.parse("KC"),
                closed=True, note="late", bonus=-5, extra=Extra(3),
            ),
            id="everything",
        ),
        pytest.param(
            {**LEAST, "loser": None, "card": None, "extra": None},
            Answers(Seat(0), 1, Side.US),
            id="nothing said with null",
        ),
        pytest.param(
            {**LEAST, "extra": {}}, Answers(Seat(0), 1, Side.US, extra=Extra()), id="an empty part"
        ),
    ],
)  # fmt: skip
def test_object_is_read_into_answers_and_written_back(
    data: dict[str, Any], answers: Answers
) -> None:
    found = reading()

    assert read(Answers, data, found, "sheet") == answers
    assert found.problems == []
    written = write(answers, NAMES)
    assert read(Answers, written, reading(), "sheet") == answers
    assert {key: written[key] for key in data if data[key] != {}} == {
        key: value for key, value in data.items() if value != {}
    }


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({"winner": "Zoe"}, [("unknown-name", "sheet.winner")], id="a stranger"),
        pytest.param({"winner": "ada"}, [("unknown-name", "sheet.winner")], id="another spelling"),
        pytest.param({"winner": None}, [("wrong-type", "sheet.winner")], id="nobody"),
        pytest.param({"winner": 0}, [("wrong-type", "sheet.winner")], id="a seat's number"),
        pytest.param({"loser": []}, [("wrong-type", "sheet.loser")], id="a list for a name"),
        pytest.param({"points": 0}, [("out-of-range", "sheet.points")], id="too few"),
        pytest.param({"points": 10}, [("out-of-range", "sheet.points")], id="too many"),
        pytest.param({"points": 10**300}, [("out-of-range", "sheet.points")], id="far too many"),
        pytest.param({"points": "5"}, [("wrong-type", "sheet.points")], id="a number in quotes"),
        pytest.param({"points": 5.0}, [("wrong-type", "sheet.points")], id="a broken number"),
        pytest.param({"points": True}, [("wrong-type", "sheet.points")], id="a tick for a number"),
        pytest.param({"points": None}, [("wrong-type", "sheet.points")], id="no number"),
        pytest.param({"side": "they"}, [("unknown-choice", "sheet.side")], id="no such choice"),
        pytest.param({"side": {}}, [("wrong-type", "sheet.side")], id="an object for a choice"),
        pytest.param({"closed": 1}, [("wrong-type", "sheet.closed")], id="a number for a tick"),
        pytest.param({"closed": None}, [("wrong-type", "sheet.closed")], id="null for a tick"),
        pytest.param({"note": 5}, [("wrong-type", "sheet.note")], id="a number for a text"),
        pytest.param({"bonus": "no"}, [("wrong-type", "sheet.bonus")], id="a text for a number"),
        pytest.param({"card": 5}, [("wrong-type", "sheet.card")], id="a number for a card"),
        pytest.param({"card": "8H"}, [("card-not-in-deck", "sheet.card")], id="no such card"),
        pytest.param({"extra": []}, [("wrong-type", "sheet.extra")], id="a list for an object"),
        pytest.param(
            {"extra": {"count": -1, "more": 1}},
            [("out-of-range", "sheet.extra.count"), ("unknown-key", "sheet.extra.more")],
            id="two faults in a part",
        ),
        pytest.param({"Points": 5}, [("unknown-key", "sheet.Points")], id="a key misspelt"),
        pytest.param({"": 5}, [("unknown-key", "sheet.")], id="an empty key"),
        pytest.param(
            {"winner": 1, "side": "x", "note": 1, "zzz": 1},
            [
                ("wrong-type", "sheet.winner"),
                ("unknown-choice", "sheet.side"),
                ("wrong-type", "sheet.note"),
                ("unknown-key", "sheet.zzz"),
            ],
            id="every fault at once",
        ),
    ],
)
def test_wrong_answer_is_a_problem_with_its_path(
    change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    found = reading()

    assert read(Answers, {**LEAST, **change}, found, "sheet") is None
    assert [(p.code, p.field) for p in found.problems] == problems
    assert all(str(p.message) for p in found.problems)


def test_every_missing_answer_is_a_problem() -> None:
    found = reading()

    assert read(Answers, {"note": "hm"}, found, "") is None
    assert [(p.code, p.field) for p in found.problems] == [
        ("missing-key", "winner"),
        ("missing-key", "points"),
        ("missing-key", "side"),
    ]


@pytest.mark.parametrize("data", [None, [], "winner", 5, True])
def test_what_is_no_object_is_one_problem(data: object) -> None:
    found = reading()

    assert read(Answers, data, found, "sheet") is None
    assert [(p.code, p.field) for p in found.problems] == [("wrong-type", "sheet")]


def test_questions_come_in_the_order_of_the_fields() -> None:
    asked = questions(Answers)

    assert [question.name for question in asked][:3] == ["winner", "points", "side"]
    assert [question.required for question in asked] == [True] * 3 + [False] * 6
    assert asked[1].ask == Ask("Points", low=1, high=9)
    assert asked[6].ask is None


def test_path_of_a_key_begins_with_its_object() -> None:
    assert join("sheet", "bid") == "sheet.bid"
    assert join("", "game") == "game"
