from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import pytest

from scorer.rules.cards import DECKS, Card
from scorer.rules.questions import (
    READERS,
    Ask,
    NewName,
    Reading,
    Unanswered,
    body_of,
    questions,
    read,
    read_player,
    side_problems,
    write,
)
from scorer.rules.seats import PerSide, Seat, Side
from tests.data.rows import rows

NAMES = ("Ada", "Bea", "Ciro")


class Party(StrEnum):
    US = "us"
    THEM = "them"


@dataclass(frozen=True, slots=True)
class Extra:
    count: Annotated[int, Ask("How many", low=0)] = 0


@dataclass(frozen=True, slots=True)
class Answers:
    winner: Annotated[Seat, Ask("Winner")]
    points: Annotated[int, Ask("Points", low=1, high=9)]
    side: Annotated[Party, Ask("Side")]
    loser: Annotated[Seat | None, Ask("Loser")] = None
    card: Annotated[Card | None, Ask("Card")] = None
    closed: Annotated[bool, Ask("Closed")] = False
    note: str = ""
    bonus: int = 0
    extra: Annotated[Extra | None, Ask("Extra")] = None


LEAST: dict[str, Any] = {"winner": "Ada", "points": 1, "side": "us"}
FULL: dict[str, Any] = {
    "winner": "Bea",
    "points": 9,
    "side": "them",
    "loser": "Ciro",
    "card": "KC",
    "closed": True,
    "note": "late",
    "bonus": -5,
    "extra": {"count": 3},
}


def reading() -> Reading:
    return Reading(NAMES, DECKS["italian-40"])


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        pytest.param(LEAST, Answers(Seat(0), 1, Party.US), id="only what is asked for"),
        pytest.param(
            FULL,
            Answers(
                Seat(1), 9, Party.THEM, Seat(2), Card.parse("KC"),
                closed=True, note="late", bonus=-5, extra=Extra(3),
            ),
            id="everything",
        ),
        pytest.param(
            {**LEAST, "loser": None, "card": None, "extra": None},
            Answers(Seat(0), 1, Party.US),
            id="nothing said with null",
        ),
        pytest.param(
            {**LEAST, "extra": {}}, Answers(Seat(0), 1, Party.US, extra=Extra()), id="an empty part"
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


@rows(__file__, "wrong answers")
def test_wrong_answer_is_a_problem_with_its_path(
    change: dict[str, Any], problems: list[str]
) -> None:
    found = reading()

    assert read(Answers, {**LEAST, **change}, found, "sheet") is None
    assert [f"{p.code} {p.field}" for p in found.problems] == problems
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


@dataclass(frozen=True, slots=True)
class Typed:
    name: NewName
    amount: Annotated[int, Ask("Amount", low=1, high=9, cents=True)]


@pytest.mark.parametrize(
    ("name", "amount", "problems"),
    [
        ("Ada", 9, []),
        (" ", 1, ["bad-name name"]),
        ("Ada", 0, ["out-of-range amount"]),
        ("Ada", 10, ["out-of-range amount"]),
    ],
)
def test_what_people_type_is_read_and_its_problems_are_kept_apart(
    name: str, amount: int, problems: list[str]
) -> None:
    found = reading()

    assert read(Typed, {"name": name, "amount": amount}, found, "") == Typed(name, amount)
    assert found.problems == []
    assert [f"{p.code} {p.field}" for p in found.typed] == problems


def test_body_of_acts_asks_for_their_parameters_that_are_questions() -> None:
    def rename(_key: UUID, name: Annotated[str, Ask("Name")], *, by: object = None) -> None:
        """Say another name."""

    def pay(stake: Annotated[int | None, Ask("Stake")] = None) -> None: ...

    body = body_of("Body", rename, pay)

    assert [(one.name, one.required) for one in questions(body)] == [
        ("name", True),
        ("stake", False),
    ]
    assert (body.__name__, body.__doc__) == ("Body", "Say another name.")
    assert questions(body_of("Nothing", lambda: None)) == ()


@dataclass(frozen=True, slots=True)
class Wholes:
    coins: Annotated[PerSide[int], Ask("Coins", low=0, high=10)]
    last: Annotated[Side, Ask("Last")]
    best: Annotated[PerSide[tuple[Card | None, ...]] | None, Ask("Best")] = None
    sweeps: Annotated[PerSide[int], Ask("Sweeps", low=0)] = PerSide()
    ticks: Annotated[PerSide[bool], Ask("Ticks")] = PerSide()
    hands: Annotated[Mapping[Seat, int] | None, Ask("Hands", low=0)] = None
    back: Annotated[tuple[Seat, ...], Ask("Back")] = ()
    winner: Annotated[Side | Unanswered | None, Ask("Winner")] = Unanswered.UNANSWERED
    extras: Annotated[PerSide[tuple[Extra, ...]], Ask("Extras")] = PerSide()


LEAST_WHOLES: dict[str, Any] = {"coins": [6, 4], "last": 0}
ALL_WHOLES: dict[str, Any] = {
    **LEAST_WHOLES,
    "best": [["KC", None], []],
    "sweeps": [1, 0],
    "ticks": [True, False],
    "hands": {"Bea": 20, "Ciro": 0},
    "back": ["Ciro", "Ada"],
    "winner": None,
    "extras": [[{"count": 2}], []],
}


@pytest.mark.parametrize(
    ("data", "answers"),
    [
        pytest.param(LEAST_WHOLES, Wholes(PerSide((6, 4)), Side(0)), id="only what is asked for"),
        pytest.param(
            ALL_WHOLES,
            Wholes(
                PerSide((6, 4)), Side(0), PerSide(((Card.parse("KC"), None), ())), PerSide((1, 0)),
                PerSide((True, False)), {Seat(1): 20, Seat(2): 0}, (Seat(2), Seat(0)), None,
                PerSide(((Extra(2),), ())),
            ),
            id="everything",
        ),
        pytest.param(
            {**LEAST_WHOLES, "winner": 1},
            Wholes(PerSide((6, 4)), Side(0), winner=Side(1)), id="a side where null is an answer",
        ),
    ],
)  # fmt: skip
def test_lists_are_read_and_written_back(data: dict[str, Any], answers: Wholes) -> None:
    found = reading()

    assert read(Wholes, data, found, "sheet") == answers
    assert found.problems == []
    assert side_problems(answers, 2, "sheet") == []
    written = write(answers, NAMES)
    assert data.items() <= written.items()
    assert ("winner" in written) == ("winner" in data)
    assert read(Wholes, written, reading(), "sheet") == answers


@rows(__file__, "wrong parts of lists")
def test_wrong_part_of_a_list_is_a_problem_with_its_path(
    change: dict[str, Any], problems: list[str]
) -> None:
    found = reading()

    assert read(Wholes, {**LEAST_WHOLES, **change}, found, "") is None
    assert [f"{p.code} {p.field}" for p in found.problems] == problems


@rows(__file__, "numbers of sides")
def test_answers_must_fit_the_number_of_sides(change: dict[str, Any], problems: list[str]) -> None:
    answers = read(Wholes, {**LEAST_WHOLES, **change}, reading(), "sheet")

    assert [f"{p.code} {p.field}" for p in side_problems(answers, 2, "sheet")] == problems


KEYS = (UUID(int=1), UUID(int=2), UUID(int=3))


@pytest.mark.parametrize(
    ("reader", "value", "found", "code"),
    [
        (read_player, "Bea", KEYS[1], ""),
        (read_player, "Zoe", None, "unknown-name"),
        (READERS[UUID], str(KEYS[2]), KEYS[2], ""),
        (READERS[UUID], 3, None, "wrong-type"),
        (READERS[bytes], "AQI=", b"\x01\x02", ""),
        (READERS[bytes], "?", None, "wrong-type"),
        (READERS[date], "2026-11-20", date(2026, 11, 20), ""),
        (READERS[date], "2026-02-30", None, "wrong-type"),
    ],
)
def test_people_keys_files_and_days_are_read(
    reader: Any, value: object, found: object, code: str
) -> None:
    reading = Reading(NAMES, None, KEYS)

    assert reader(value, reading, "at") == found
    assert [(one.code, one.field) for one in reading.problems] == ([(code, "at")] if code else [])
