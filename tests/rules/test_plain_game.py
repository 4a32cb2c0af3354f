# ruff: noqa: ARG002 - a game need not look at all that it is given
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest

from scorer.errors import Problem
from scorer.rules.game import NamedRules, Step, Table
from scorer.rules.match import Progress, Tally
from scorer.rules.options import Source
from scorer.rules.plain_game import (
    PlainGame,
    Preset,
    highest_wins,
    level_step,
    side_step,
    side_totals,
    signed_if_less,
)
from scorer.rules.seats import PerSide, Seat, Sides, all_seats, sides_of
from scorer.rules.sheet import Ask
from scorer.texts import Text, say
from tests.data.rows import rows

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio")


@dataclass(frozen=True, slots=True)
class TossSheet:
    heads: Annotated[PerSide[int], Ask(say("Heads"))]


@dataclass(frozen=True, slots=True)
class TossRules(NamedRules):
    target: int = 3


class Toss(PlainGame[TossSheet, TossRules]):
    slug = "toss"
    name = say("Toss")
    blurb = say("Heads count.")
    about = ()
    sheet_type = TossSheet
    rules_type = TossRules
    seats = (2, 4)
    described = (Preset("to-3", say("To three"), say("Quick."), {"target": 3}),)
    sources = (Source("nowhere", None),)

    def problems(self, sheet: TossSheet, table: Table[TossRules]) -> list[Problem]:
        return []

    def steps(self, sheet: TossSheet, table: Table[TossRules], sides: Sides) -> list[Step]:
        return [
            side_step("heads", table, side, say("heads"), heads)
            for side, heads in zip(sides, sheet.heads, strict=True)
        ]

    def progress(self, tally: Tally, rules: TossRules) -> Progress:
        return highest_wins(tally, self.sides_at(tally, rules), rules.target)

    def end_text(self, rules: TossRules) -> Text:
        return say("To %(target)s points", target=rules.target)

    def words(self, rules: TossRules) -> Iterator[Text]:
        yield say("Heads count.")


TOSS = Toss()
TABLE = Table(TOSS.preset, NAMES[:4], all_seats(4))


@pytest.mark.parametrize(
    ("heads", "headline"),
    [
        ((2, 1), "Ada and Ciro scored the most points: Ada and Ciro 2, Bea and Dora 1"),
        ((-1, -2), "Ada and Ciro scored the most points: Ada and Ciro −1, Bea and Dora −2"),
        ((1, 1), "A tie: Ada and Ciro 1, Bea and Dora 1"),
    ],
)
def test_deal_is_told_by_what_each_side_took(heads: tuple[int, ...], headline: str) -> None:
    assert str(TOSS.headline(TossSheet(PerSide(heads)), TABLE)) == headline


def test_tie_of_some_is_told_as_one_at_the_top() -> None:
    three = Table(TOSS.preset, NAMES[:3], all_seats(3))

    headline = str(TOSS.headline(TossSheet(PerSide((2, 2, 1))), three))

    assert headline == f"A tie at the top: {NAMES[0]} 2, {NAMES[1]} 2, {NAMES[2]} 1"


def test_deal_pays_every_player_of_a_side() -> None:
    score = TOSS.score(TossSheet(PerSide((2, 0))), TABLE)

    assert score.payouts == {0: 2, 1: 0, 2: 2, 3: 0}
    assert [str(step.text) for step in score.steps] == [
        "Ada and Ciro: heads → +2.",
        "Bea and Dora: heads → 0.",
    ]


def test_everything_is_asked_where_no_question_is_irrelevant() -> None:
    assert [question.name for question in TOSS.asks(TABLE)] == ["heads"]
    assert TOSS.seating(TOSS.preset).playing == (2, 4)


@pytest.mark.parametrize(
    ("rules", "name", "blurb"),
    [
        (TOSS.preset, "To three", "Quick."),
        (TossRules("to-3", "To three", 5), "To three", "The group's own table."),
        (TossRules("to-3", "Ours", 5), "Ours", "The group's own table."),
        (TossRules("ours", "Ours"), "Ours", "The group's own table."),
    ],
)
def test_rule_set_is_called_by_its_preset_or_the_group_s_own(
    rules: TossRules, name: str, blurb: str
) -> None:
    description = TOSS.describe(rules)

    assert (str(description.name), str(description.blurb)) == (name, blurb)
    assert [str(sentence) for sentence in description.words] == ["Heads count."]


@rows(__file__, "winners")
def test_highest_side_wins_at_the_target(
    balances: list[int], order: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    totals = {Seat(seat): balance for seat, balance in enumerate(balances)}
    tally = Tally(totals, 3, None, tuple(map(Seat, order)))

    progress = TOSS.progress(tally, TOSS.preset)

    assert progress == Progress(finished=bool(winners), winners=tuple(map(Seat, winners)))


def test_side_has_the_balance_of_whoever_played_longest() -> None:
    balances = {Seat(0): 5, Seat(1): 2, Seat(2): 0, Seat(3): 2}

    assert side_totals(balances, sides_of(all_seats(4))) == (5, 2)


def test_step_for_nobody_says_why() -> None:
    step = level_step("heads", say("Heads"), (1, 1))

    assert (str(step.text), dict(step.amounts)) == ("Heads, 1–1: a tie, nobody gets the point.", {})


@pytest.mark.parametrize(("amount", "written"), [(5, "5"), (0, "0"), (-5, "−5")])
def test_only_what_is_below_nothing_has_a_sign(amount: int, written: str) -> None:
    assert signed_if_less(amount) == written
