import json
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import UnknownGameError
from scorer.games import all_games, find_game
from scorer.operations import rule_sets
from scorer.rules.game import Game, Outcome, Table, Turn
from scorer.rules.match import Tally
from scorer.rules.options import flat, options, shortest
from scorer.rules.plain_game import PlainGame
from scorer.rules.questions import questions, write
from scorer.rules.seats import Seat, all_seats
from tests.data import golden
from tests.data.documents import paths, replaced, value_at
from tests.data.strategies import examples

AnyGame = Game[Any, Any]
GAMES = [pytest.param(game, id=game.slug) for game in all_games()]
of_every_game = pytest.mark.parametrize("game", GAMES)
TOO_MUCH = 10**7
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def every_preset(test: Callable[[AnyGame, Any], None]) -> Callable[[AnyGame], None]:
    """Run a test with every rule set of a game, one test a game; the traceback names which."""

    @of_every_game
    def test_of_a_game(game: AnyGame) -> None:
        assert game.presets
        for rules in game.presets.values():
            test(game, rules)

    return test_of_a_game


class GoldenDeal(NamedTuple):
    """A deal of the golden evenings: what was asked, and how the game reads it."""

    asked: dict[str, Any]
    table: Table[Any]
    sheet: Any

    @property
    def paths(self) -> list[tuple[Any, ...]]:
        """The ways to its answers."""
        return paths(self.asked)[1:]


@cache
def golden_deals(game: AnyGame) -> list[GoldenDeal]:
    found = []
    for asked in golden.deals(game):
        rules, _ = game.rules_from(asked["rules"])
        table = Table(rules, tuple(asked["seats"]), all_seats(len(asked["seats"])))
        sheet, problems = game.read_sheet(asked["sheet"], table)
        assert problems == []
        found.append(GoldenDeal(asked["sheet"], table, sheet))
    assert found
    return found


def every_deal(test: Callable[[AnyGame, GoldenDeal], None]) -> Callable[[AnyGame], None]:
    """Run a test with every deal of the golden evenings of a game, one test a game."""

    @of_every_game
    def test_of_a_game(game: AnyGame) -> None:
        for deal in golden_deals(game):
            test(game, deal)

    return test_of_a_game


def every_shape(test: Callable[[AnyGame, GoldenDeal], None]) -> Callable[[AnyGame], None]:
    """Run a test with one of those deals for each set of answers, one test a game."""

    @of_every_game
    def test_of_a_game(game: AnyGame) -> None:
        for deal in {frozenset(deal.paths): deal for deal in golden_deals(game)}.values():
            test(game, deal)

    return test_of_a_game


def table_for(game: AnyGame, rules: Any, count: int, dealer: int = 0) -> Table[Any]:
    names = tuple(f"player {seat}" for seat in range(count))
    return Table(rules, names, game.active(Seat(dealer), all_seats(count), rules))


def test_the_main_game_comes_first() -> None:
    assert next(game.slug for game in all_games()) == "briscola-chiamata"
    assert len({game.slug for game in all_games()}) == len(all_games())


@of_every_game
def test_game_is_found_by_its_names(game: AnyGame) -> None:
    assert all(find_game(slug) is game for slug in (game.slug, *game.aliases))


@pytest.mark.parametrize("slug", ["whist", "Briscola-Chiamata", "briscola_chiamata"])
def test_game_that_is_not_there_is_an_error(slug: str) -> None:
    with pytest.raises(UnknownGameError):
        find_game(slug)
    with pytest.raises(UnknownGameError):
        rule_sets(slug)


@every_preset
def test_preset_is_read_back_by_its_name_and_as_it_is_written(game: AnyGame, rules: Any) -> None:
    (printed,) = (document for document in rule_sets(game.slug) if document["slug"] == rules.slug)

    assert printed["game"] == game.slug
    assert game.presets[rules.slug] is rules
    for document in (rules.slug, write(rules), printed, shortest(rules, game.presets.values())):
        assert game.rules_from(json.loads(json.dumps(document))) == (rules, [])


@every_preset
def test_preset_is_told_in_words_and_figures(game: AnyGame, rules: Any) -> None:
    description = game.describe(rules)

    assert description.slug == rules.slug
    assert all(
        map(str, (description.name, description.blurb, description.seats_text, *description.words))
    )
    assert description.sources or game.slug == "points"
    assert all(len(row.figures) == len(description.columns) - 1 for row in description.rows)
    assert str(game.end_text(rules))


@every_preset
def test_everybody_but_the_dealer_plays_on_one_side(game: AnyGame, rules: Any) -> None:
    for count in game.seating(rules).for_deal:
        active = game.active(Seat(0), all_seats(count), rules)
        sides = game.sides(active, rules)

        assert sorted(seat for side in sides for seat in side) == list(active)
        assert len({len(side) for side in sides}) == 1
        assert active[0] in sides[0]
        for dealer in all_seats(count):
            assert {*all_seats(count)} - {*game.active(dealer, all_seats(count), rules)} <= {dealer}


@every_preset
def test_deal_goes_round_the_table(game: AnyGame, rules: Any) -> None:
    for count in game.seating(rules).for_deal:
        turn, dealers = Turn(Seat(0)), []
        for _ in range(count):
            dealers.append(turn.dealer)
            turn = game.turn_after(turn, Outcome.PLAYED, all_seats(count), rules)
        assert dealers == list(all_seats(count))
        assert turn == Turn(Seat(0))


@every_preset
def test_misdeal_leaves_everything_as_it_was(game: AnyGame, rules: Any) -> None:
    turn = Turn(Seat(1), 2)

    assert game.turn_after(turn, Outcome.MISDEAL, all_seats(5), rules) == turn
    assert Outcome.MISDEAL in game.outcomes(rules)


@every_preset
def test_session_does_not_end_before_it_begins(game: AnyGame, rules: Any) -> None:
    for count in game.seating(rules).for_deal:
        tally = Tally(dict.fromkeys(all_seats(count), 0), 0)

        assert not game.progress(tally, rules).finished


@every_preset
def test_penalty_moves_points_and_makes_none(game: AnyGame, rules: Any) -> None:
    for count in game.seating(rules).for_deal:
        table = table_for(game, rules, count)
        paid = game.penalty(table.active[0], table).payouts

        assert set(paid) == set(table.active)
        assert sum(paid.values()) == 0


def anything_for(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any document, or some for the questions of a kind of answers."""
    names = [question.name for question in questions(kind)]
    return ANY_JSON | st.dictionaries(st.sampled_from(names), ANY_JSON)


@of_every_game
@examples(25)
@given(st.data())
def test_any_sheet_and_rules_are_read_or_have_problems(game: AnyGame, data: st.DataObject) -> None:
    given = data.draw(anything_for(game.sheet_type))
    table = table_for(game, game.preset, game.seating(game.preset).playing[0])

    sheet, problems = game.read_sheet(given, table)
    start, faults = game.read_start(given, table)
    rules, wrong = game.rules_from(data.draw(anything_for(game.rules_type)))

    assert (sheet is None) == bool(problems)
    assert all(problem.field.startswith("sheet") for problem in problems)
    assert (start is None) == bool(faults)
    assert isinstance(rules, game.rules_type)
    assert all(problem.field.startswith("rules") for problem in wrong)


@of_every_game
def test_start_is_read_in_games_that_record_one(game: AnyGame) -> None:
    table = table_for(game, game.preset, game.seating(game.preset).playing[0])

    start, problems = game.read_start({}, table)

    assert (start is None) == bool(problems)
    assert ("no-start" in [problem.code for problem in problems]) == (game.start_type is None)


def says(written: Any, asked: Any) -> bool:
    """Whether a document says all that another one says, and may say more of what was left out."""
    if isinstance(asked, dict):
        return all(says(written.get(key), value) for key, value in asked.items())
    if isinstance(asked, list):
        return len(written) == len(asked) and all(map(says, written, asked))
    return bool(written == asked)


def field_of(path: tuple[Any, ...]) -> str:
    return "sheet" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)


@of_every_game
def test_game_has_a_golden_evening_that_ends(game: AnyGame) -> None:
    told = golden.evenings(game)

    assert {game} == {find_game(evening.session["game"]) for evening in told}
    assert any(evening.answer["finished"] for evening in told)


@every_deal
def test_sheet_is_read_back_as_it_is_written(game: AnyGame, deal: GoldenDeal) -> None:
    for names in (deal.table.seats, tuple(map(str, deal.table.active))):
        written = json.loads(json.dumps(game.write_sheet(deal.sheet, names)))
        assert game.read_sheet(written, replace(deal.table, seats=names)) == (deal.sheet, [])
        assert names != deal.table.seats or says(written, deal.asked)


@every_deal
def test_steps_add_up_to_the_payouts_and_a_side_wins_and_loses_together(
    game: AnyGame, deal: GoldenDeal
) -> None:
    scored = game.score(deal.sheet, deal.table)

    assert scored.steps
    assert scored.payouts == {
        seat: sum(step.amounts.get(seat, 0) for step in scored.steps) for seat in deal.table.active
    }
    for side in game.sides(deal.table.active, deal.table.rules, deal.sheet):
        amounts = {scored.payouts[seat] for seat in side}
        assert all(amount * other >= 0 for amount in amounts for other in amounts)
        assert len(amounts) == 1 or not isinstance(game, PlainGame)


@every_deal
def test_deal_is_told(game: AnyGame, deal: GoldenDeal) -> None:
    facts = game.facts(deal.sheet, deal.table)

    assert str(game.summary(deal.sheet, deal.table))
    assert str(game.headline(deal.sheet, deal.table))
    assert facts
    assert all(str(fact.label) and str(fact.value) for fact in facts)


@every_shape
def test_answer_of_another_kind_or_out_of_range_is_a_problem_where_it_stands(
    game: AnyGame, deal: GoldenDeal
) -> None:
    for path in deal.paths:
        number = type(value_at(deal.asked, path)) is int
        for wrong in ({"?": 1}, 1.5, "?", *((TOO_MUCH, -TOO_MUCH) if number else ())):
            sheet, problems = game.read_sheet(replaced(deal.asked, path, wrong), deal.table)
            assert sheet is None
            assert any(problem.field.startswith(field_of(path)) for problem in problems)


@of_every_game
def test_every_question_option_and_choice_has_a_name(game: AnyGame) -> None:
    for kind in (game.sheet_type, game.rules_type):
        assert [question.name for question in questions(kind)] == [f.name for f in fields(kind)]
        assert all(question.ask.label for question in questions(kind))
    for option in flat(options(game.rules_type)):
        assert str(option.label) != option.name, option.path
        assert all(str(words) != code for code, words in option.choices), option.path


@every_preset
def test_who_plays_is_asked_nothing_that_the_rules_do_not_ask(game: AnyGame, rules: Any) -> None:
    for count in game.seating(rules).for_deal:
        relevant = {question.name for question in game.asks(table_for(game, rules, count))}

        every = questions(game.sheet_type)

        assert (
            {question.name for question in every if question.required}
            <= relevant
            <= {question.name for question in every}
        )
