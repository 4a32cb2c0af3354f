from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import pytest

from scorer.languages import translate
from scorer.rules.cards import Rank
from scorer.rules.game import NamedRules, Table
from scorer.rules.plain_game import sheet_facts
from scorer.rules.questions import Ask, Unanswered, questions
from scorer.rules.seats import PerSide, Seat, Side, all_seats, sides_of
from scorer.texts import Text, say

TABLE = Table(NamedRules("x", "X"), ("Ada", "Bea", "Ciro", "Dora"), all_seats(4))


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Accuse:
    @property
    def words(self) -> object:
        return say("three aces")


@dataclass(frozen=True, slots=True)
class Sheet:
    points: Annotated[PerSide[int | None], Ask(say("Points"))]
    closed: Annotated[Side | None, Ask("Closed")]
    best: Annotated[Side | Unanswered | None, Ask("Best")] = Unanswered.UNANSWERED
    by: Annotated[Seat | None, Ask("By")] = None
    hands: Annotated[Mapping[Seat, int] | None, Ask("Hands")] = None
    back: Annotated[tuple[Seat, ...], Ask("Back")] = ()
    accused: Annotated[PerSide[tuple[Accuse, ...]], Ask("Accused")] = PerSide()
    pots: Annotated[PerSide[bool], Ask("Pots")] = PerSide()
    ranks: Annotated[tuple[Rank | None, ...], Ask("Ranks")] = ()
    colour: Annotated[Colour, Ask("Colour")] = Colour.RED
    note: str = ""


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        pytest.param({}, {}, id="only what must be there"),
        pytest.param({"best": Side(1)}, {"Best": "Bea and Dora"}, id="a side"),
        pytest.param({"best": None}, {"Best": "nobody"}, id="no side"),
        pytest.param({"by": Seat(2)}, {"By": "Ciro"}, id="a seat"),
        pytest.param({"hands": {Seat(1): 20, Seat(3): 0}}, {"Hands": "Bea: 20 · Dora: 0"},
                     id="some seats"),
        pytest.param({"back": (Seat(3), Seat(0))}, {"Back": "Dora, Ada"}, id="a list"),
        pytest.param({"accused": PerSide(((Accuse(), Accuse()), ()))},
                     {"Accused": "Ada and Ciro: three aces, three aces · Bea and Dora: –"},
                     id="a list for each side"),
        pytest.param({"pots": PerSide((True, False))},
                     {"Pots": "Ada and Ciro: yes · Bea and Dora: no"}, id="a tick for each side"),
        pytest.param({"hands": {Seat(1): -20}}, {"Hands": "Bea: −20"}, id="a real minus"),
        pytest.param({"ranks": (Rank.KING, Rank.QUEEN, Rank.SEVEN, None)}, {"Ranks": "K, Q, 7, –"},
                     id="ranks"),
        pytest.param({"note": "late"}, {"note": "late"}, id="without a label"),
    ],
)  # fmt: skip
def test_sheet_is_told_answer_by_answer(answers: dict[str, Any], told: dict[str, str]) -> None:
    sheet = Sheet(PerSide((71, None)), None, **answers)

    facts = sheet_facts(sheet, TABLE, sides_of(TABLE.active), questions(type(sheet)))

    assert {str(fact.label): str(fact.value) for fact in facts} == {
        "Points": "Ada and Ciro: 71 · Bea and Dora: –",
        "Closed": "nobody",
        **told,
    }


def test_rank_has_the_letter_of_its_language() -> None:
    sheet = Sheet(PerSide((1, 2)), None, ranks=(Rank.KING, Rank.QUEEN))

    told = sheet_facts(sheet, TABLE, sides_of(TABLE.active), questions(type(sheet)))

    (ranks,) = (fact.value for fact in told if str(fact.label) == "Ranks")
    assert isinstance(ranks, Text)
    assert translate(ranks, "it") == "R, C"
