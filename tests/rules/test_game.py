from dataclasses import dataclass

from scorer.games import find_game
from scorer.rules.game import Game, Outcome, Table
from scorer.rules.plain_game import sheet_facts
from scorer.rules.questions import questions
from scorer.rules.seats import Seat, all_seats
from tests.data.examples import NAMES
from tests.data.rows import rows

SCALA = find_game("scala-quaranta")


@dataclass(frozen=True)
class Noted:
    note: str = ""


def test_answer_that_has_no_words_is_told_as_it_was_typed() -> None:
    table = Table(SCALA.preset, NAMES[:2], all_seats(2))

    (fact,) = sheet_facts(Noted("late"), table, (), questions(Noted))

    assert (str(fact.label), fact.value) == ("note", "late")


def test_game_without_an_auction_asks_for_nothing_more_than_it_must() -> None:
    game = find_game("pinnacola")
    rules, table = game.preset, Table(game.preset, NAMES[:2], all_seats(2))

    assert not game.has_auction
    assert (game.roles(None), game.role_names(rules), game.bid(None)) == ({}, {}, None)
    assert (game.kind(rules), game.deck(rules), game.balance_checks(rules)) == ("", None, {})
    assert (game.rules_for(5, {"target": 2}), game.who_sits_out(2, rules)) == ({"target": 2}, None)
    assert (game.start_problems(None, table), game.started(None, table)) == ([], game.name)
    assert game.outcomes(rules) == (*Game.outcomes(game, rules), Outcome.REDEAL)


def test_whoever_sits_out_is_among_the_sides_in_order_of_play() -> None:
    ada, bea, ciro = all_seats(3)
    table = Table(SCALA.preset, NAMES[:3], (ada, ciro), order=(ciro, bea, ada))

    assert SCALA.around(table) == ((ciro,), (bea,), (ada,))


@rows(__file__, "overrides")
def test_rules_are_a_preset_with_its_overrides(data: object, slug: str, limit: int) -> None:
    rules, problems = SCALA.rules_from(data)

    assert problems == []
    assert (rules.slug, rules.limit) == (slug, limit)


@rows(__file__, "wrong rules")
def test_wrong_rules_are_problems_and_the_first_preset_stands_in(
    data: object, problems: list[str]
) -> None:
    rules, faults = SCALA.rules_from(data)

    assert rules == SCALA.preset
    assert [f"{p.code} {p.field}" for p in faults] == problems


@rows(__file__, "penalties")
def test_penalty_goes_from_the_side_of_the_offender_to_all_others_who_play(
    rules: str, active: list[int], offender: int, paid: list[int], told: str
) -> None:
    slug, preset = rules.split()
    game, seats = find_game(slug), tuple(map(Seat, active))

    score = game.penalty(Seat(offender), Table(game.presets[preset], tuple("abcdef"), seats))

    assert score.payouts == dict(zip(seats, paid, strict=True))
    assert [step.rule for step in score.steps] == ["penalty", "penalty"]
    assert str(score.steps[0].text) == told
