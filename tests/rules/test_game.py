# ruff: noqa: ARG002 - a game need not look at all that it is given
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from scorer.errors import Problem
from scorer.rules.game import (
    Fact,
    Game,
    NamedRules,
    Outcome,
    Score,
    Step,
    Table,
    Turn,
    read_penalty,
    with_times,
)
from scorer.rules.match import UNDECIDED, Progress, Tally
from scorer.rules.options import Description, merged
from scorer.rules.seats import Seat, Seating, Sides, all_seats, sides_of, wrong_count
from scorer.rules.sheet import Ask, Reading
from scorer.texts import Text, say
from tests.data.rows import rows

NAMES = ("Ada", "Bea", "Ciro")


@dataclass(frozen=True, slots=True)
class WarSheet:
    winner: Annotated[Seat, Ask("Winner")]


@dataclass(frozen=True, slots=True)
class WarRules(NamedRules):
    stake: Annotated[int, Ask("Stake", low=1)] = 1


PRESETS = {"peace": WarRules("peace", "Peace"), "total": WarRules("total", "Total", 9)}


class War(Game[WarSheet, WarRules]):
    slug = "war"
    name = say("War")
    blurb = say("The highest card wins.")
    about = ()
    sheet_type = WarSheet
    rules_type = WarRules
    presets = PRESETS

    def seating(self, rules: WarRules) -> Seating:
        return Seating(tuple(range(2, rules.stake + 3)))

    def check_rules(self, rules: WarRules, reading: Reading, path: str) -> None:
        if rules.stake == 13:
            reading.fault("unlucky", f"{path}.stake", say("Not thirteen."))

    def problems(self, sheet: WarSheet, table: Table[WarRules]) -> list[Problem]:
        return []

    def score(self, sheet: WarSheet, table: Table[WarRules]) -> Score:
        step = Step("win", say("The winner is paid."), {sheet.winner: table.rules.stake})
        return Score.of(table.active, [step, step])

    def summary(self, sheet: WarSheet, table: Table[WarRules]) -> Text:
        return self.name

    def headline(self, sheet: WarSheet, table: Table[WarRules]) -> Text:
        return self.name

    def facts(self, sheet: WarSheet, table: Table[WarRules]) -> list[Fact]:
        return [Fact(say("Winner"), table.name(sheet.winner))]

    def describe(self, rules: WarRules) -> Description:
        raise AssertionError(rules)

    def end_text(self, rules: WarRules) -> Text:
        return say("never")

    def progress(self, tally: Tally, rules: WarRules) -> Progress:
        return UNDECIDED


class Truce(War):
    """A game of sides for few points."""

    slug = "truce"

    def leads_lowest(self, rules: WarRules) -> bool:
        return True

    def sides(
        self, active: Sequence[Seat], rules: WarRules, sheet: WarSheet | None = None
    ) -> Sides:
        return sides_of(active)


WAR = War()
TRUCE = Truce()
THREE = all_seats(3)
TABLE = Table(WAR.preset, NAMES, THREE)


def test_steps_add_up_to_the_payouts_of_those_who_play() -> None:
    sheet, problems = WAR.read_sheet({"winner": "Bea"}, TABLE)

    assert problems == []
    assert sheet is not None
    score = WAR.score(sheet, TABLE)
    assert score.payouts == {0: 0, 1: 2, 2: 0}
    assert score.made is None
    assert WAR.write_sheet(sheet, NAMES) == {"winner": "Bea"}
    assert WAR.facts(sheet, TABLE) == [Fact(say("Winner"), "Bea")]


def test_game_without_parts_bids_and_kinds_tells_of_none() -> None:
    sheet, _ = WAR.read_sheet({"winner": "Bea"}, TABLE)
    assert sheet is not None

    assert (WAR.roles(sheet), WAR.bid(sheet), WAR.kind(WAR.preset)) == ({}, None, "")
    assert WAR.role_names(WAR.preset) == {}


def test_whoever_sits_out_is_among_the_sides_in_order_of_play() -> None:
    ada, bea, ciro = THREE
    table = Table(WAR.preset, NAMES, (ada, ciro), order=(ciro, bea, ada))

    assert WAR.around(table) == ((ciro,), (bea,), (ada,))


@pytest.mark.parametrize(("count", "fits"), [(1, False), (2, True), (3, True), (4, False)])
def test_plain_game_is_for_as_many_as_play(count: int, fits: bool) -> None:  # noqa: FBT001
    seating = WAR.seating(WAR.preset)

    assert seating.fits(count) is fits
    assert (count in seating.for_deal) is fits
    assert (count in seating.for_session) is fits
    assert (wrong_count(count, seating.playing) is None) is fits
    assert seating.most == 3
    assert WAR.who_sits_out(count, WAR.preset) is None


def test_wrong_number_of_players_is_told_with_the_right_ones() -> None:
    problem = wrong_count(4, WAR.seating(WAR.preset).playing)

    assert problem is not None
    assert (problem.code, problem.field) == ("seats-count", "seats")
    assert str(problem.message) == "These rules are for 2 / 3 players, not for 4."


def test_plain_game_deals_on_in_turn_and_carries_nothing_over() -> None:
    turn = Turn(Seat(2), 3)

    assert WAR.turn_after(turn, Outcome.PLAYED, THREE, WAR.preset) == Turn(Seat(0))
    assert WAR.turn_after(turn, Outcome.MISDEAL, THREE, WAR.preset) == turn
    assert WAR.active(Seat(1), THREE, WAR.preset) == THREE
    assert WAR.still_in(THREE, {}, WAR.preset) == THREE
    assert not WAR.leads_lowest(WAR.preset)


@pytest.mark.parametrize(
    ("answers", "times", "carried"),
    [
        ({"winner": "Ada"}, 1, {"winner": "Ada"}),
        ({"winner": "Ada"}, 2, {"winner": "Ada", "times": 2}),
        ({"times": 3}, 2, {"times": 3}),
        ("no sheet", 2, "no sheet"),
    ],
)
def test_times_carried_over_hold_where_a_sheet_names_none(
    answers: object, times: int, carried: object
) -> None:
    assert with_times(answers, times) == carried


@pytest.mark.parametrize(
    ("seating", "for_deal", "for_session", "fitting"),
    [
        pytest.param(Seating((2, 4)), (2, 4), (2, 4), [2, 4], id="everybody plays"),
        pytest.param(Seating((5,), spare=2), (5,), (5,), [5, 6, 7], id="a rota to agree on"),
        pytest.param(
            Seating((5,), spare=2, rota=True),
            (5, 6),
            (5, 6, 7),
            [5, 6, 7],
            id="a rota",
        ),
    ],
)
def test_table_takes_more_than_play_where_they_take_turns(
    seating: Seating, for_deal: tuple[int, ...], for_session: tuple[int, ...], fitting: list[int]
) -> None:
    assert seating.for_deal == for_deal
    assert seating.for_session == for_session
    assert [count for count in range(1, 10) if seating.fits(count)] == fitting


def test_plain_game_asks_for_nothing_more_than_it_must() -> None:
    sheet = WarSheet(Seat(0))

    assert WAR.warnings(sheet, TABLE) == []
    assert WAR.roles(sheet) == {}
    assert WAR.sides((Seat(2), Seat(0)), WAR.preset, sheet) == ((2,), (0,))
    assert WAR.deck(WAR.preset) is None
    assert WAR.balance_checks(WAR.preset) == {}
    assert WAR.outcomes(WAR.preset) == (Outcome.MISDEAL,)
    assert WAR.can_end(WAR.preset)
    assert WAR.rules_for(5, {"stake": 2}) == {"stake": 2}
    assert WAR.start_problems(None, TABLE) == []
    assert WAR.started(None, TABLE) == WAR.name


def test_game_without_an_auction_writes_nothing_before_the_play() -> None:
    start, problems = WAR.read_start({}, TABLE)

    assert not WAR.has_auction
    assert start is None
    assert [(p.code, p.field) for p in problems] == [("no-start", "sheet")]


@rows(__file__, "overrides")
def test_rules_are_a_preset_with_its_overrides(data: object, slug: str, stake: int) -> None:
    rules, problems = WAR.rules_from(data)

    assert problems == []
    assert (rules.slug, rules.stake) == (slug, stake)


@rows(__file__, "wrong rules")
def test_wrong_rules_are_problems_and_the_first_preset_stands_in(
    data: object, problems: list[str]
) -> None:
    rules, faults = WAR.rules_from(data)

    assert rules == WAR.preset
    assert [f"{p.code} {p.field}" for p in faults] == problems


@rows(__file__, "merged")
def test_objects_merge_deeply_and_all_else_is_replaced(
    base: dict[str, Any], override: dict[str, Any], whole: dict[str, Any]
) -> None:
    assert merged(base, override) == whole


@pytest.mark.parametrize(
    ("active", "offender", "payouts"),
    [
        pytest.param((0, 1, 2, 3, 4), 2, {0: 1, 1: 1, 2: -4, 3: 1, 4: 1}, id="five play"),
        pytest.param((0, 2, 3, 4, 5), 0, {0: -4, 2: 1, 3: 1, 4: 1, 5: 1}, id="one sits out"),
        pytest.param((0, 1, 2, 3), 3, {0: 1, 1: 1, 2: 1, 3: -3}, id="four play"),
    ],
)
def test_penalty_goes_from_the_offender_to_all_others_who_play(
    active: tuple[int, ...], offender: int, payouts: dict[int, int]
) -> None:
    table = Table(WAR.preset, tuple("abcdef"), tuple(map(Seat, active)))
    score = WAR.penalty(Seat(offender), table)

    assert score.payouts == payouts
    assert sum(score.payouts.values()) == 0
    assert [step.rule for step in score.steps] == ["penalty", "penalty"]


@pytest.mark.parametrize(
    ("count", "offender", "payouts"),
    [
        pytest.param(4, 2, {0: 1, 2: 1, 1: -1, 3: -1}, id="a pair"),
        pytest.param(3, 1, {0: -1, 1: 2, 2: -1}, id="each for itself"),
        pytest.param(6, 5, {0: -1, 2: -1, 4: -1, 1: 1, 3: 1, 5: 1}, id="three of six"),
    ],
)
def test_side_of_the_offender_pays_upwards_where_few_points_are_good(
    count: int, offender: int, payouts: dict[int, int]
) -> None:
    table = Table(WAR.preset, tuple("abcdef"), all_seats(count))

    assert TRUCE.penalty(Seat(offender), table).payouts == payouts


@pytest.mark.parametrize(
    ("game", "count", "told"),
    [
        pytest.param(
            WAR, 5, "Penalty for c: 1 for each of the others, 4 × 1 → −4.", id="one alone"
        ),
        pytest.param(TRUCE, 4, "Penalty for a and c → +1.", id="a pair"),
    ],
)
def test_penalty_is_told_with_its_arithmetic(game: Any, count: int, told: str) -> None:
    table = Table(WAR.preset, tuple("abcdef"), all_seats(count))

    assert str(game.penalty(Seat(2), table).steps[0].text) == told


def test_side_is_called_by_the_names_of_its_players() -> None:
    assert str(TABLE.names((Seat(0), Seat(2)))) == "Ada and Ciro"
    assert str(TABLE.names((Seat(1),))) == "Bea"


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        pytest.param({"offender": "Ada"}, [], id="somebody who plays"),
        pytest.param({"offender": "Ciro"}, [("sits-out", "sheet.offender")], id="who sits out"),
        pytest.param({"offender": "Zoe"}, [("unknown-name", "sheet.offender")], id="a stranger"),
        pytest.param({}, [("missing-key", "sheet.offender")], id="nobody"),
        pytest.param("Ada", [("wrong-type", "sheet")], id="a name alone"),
    ],
)
def test_offender_is_one_of_those_who_play(data: object, problems: list[tuple[str, str]]) -> None:
    sheet, faults = read_penalty(data, Table(WAR.preset, NAMES, (Seat(0), Seat(1))), "sheet")

    assert [(p.code, p.field) for p in faults] == problems
    assert (sheet is None) == bool(problems)
