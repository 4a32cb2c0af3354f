"""Every game by its table of cases, ``tests/golden/cases/<module>.json``."""

from typing import Any

import pytest

from scorer.games import find_game
from scorer.languages import translate
from scorer.operations import replay, score
from scorer.rules.game import Table
from scorer.rules.match import Tally
from scorer.rules.questions import Reading, questions, read
from scorer.rules.seats import all_seats
from scorer.texts import say
from tests.data import golden
from tests.data.golden import SEATS, Case


def cases_of(section: str) -> pytest.MarkDecorator:
    """Run a test with each case of a section, whatever its game."""
    cases = [
        pytest.param(slug, case, id=f"{slug}-{case['id']}") for slug, case in golden.cases(section)
    ]
    return pytest.mark.parametrize(("slug", "case"), cases)


def asked(slug: str, case: Case, count: int) -> dict[str, Any]:
    """Make the request of a case, among the first so many people."""
    request: dict[str, Any] = {
        key: case[key] for key in ("rules", "dealer", "sheet", "deals") if key in case
    }
    seats = list(SEATS[:count])
    if "opening" in case:
        request["opening"] = dict(zip(seats, case["opening"], strict=True))
    return {"game": slug, "seats": seats, **request}


def codes(problems: list[dict[str, Any]]) -> list[str]:
    return [f"{problem['code']} {problem['field'].removeprefix('sheet.')}" for problem in problems]


def figures(by_name: dict[str, int]) -> list[int]:
    return list(by_name.values())


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """Show what a case can expect of an answer, with the figures in order of play."""
    problems, rows = answer.get("problems", []), answer.get("deals", [])
    steps = answer.get("why", [])
    return {
        **answer,
        "problems": codes(problems),
        "messages": [problem["message"] for problem in problems],
        "warnings": codes(answer.get("warnings", [])),
        "payouts": figures(answer.get("payouts", {})),
        "why": [step["text"] for step in steps],
        "first": steps[0]["text"] if steps else None,
        "steps": [step["rule"] for step in steps],
        "paid": [row["payouts"] for row in rows],
        "dealers": [row["dealer"] for row in rows],
        "balances": figures(rows[-1]["balances"]) if rows else [],
        "leaders": [row["player"] for row in answer.get("standings", [])],
    }


def expect(answer: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Compare what a case expects, and whether all is well."""
    everything = shown(answer)
    assert {key: everything.get(key) for key in wanted} == wanted
    assert answer["ok"] == (not everything["problems"])
    assert answer["ok"] or wanted.keys() & {"problems", "messages"}


@cases_of("sheets")
def test_sheet_is_paid_or_has_problems(slug: str, case: Case) -> None:
    wanted = golden.expected(case)
    sides = wanted.get("payouts", [])

    for count in case["players"]:
        if sides:
            wanted["payouts"] = sides * (count // len(sides))
        expect(score(asked(slug, case, count)), wanted)


@cases_of("told")
def test_deal_is_told(slug: str, case: Case) -> None:
    game, (count,) = find_game(slug), case["players"]
    rules, _ = game.rules_from(case.get("rules"))
    table = Table(rules, SEATS[:count], all_seats(count))

    sheet, problems = game.read_sheet(case["sheet"], table)

    facts = game.facts(sheet, table)
    told = {
        "summary": str(game.summary(sheet, table)),
        "headline": str(game.headline(sheet, table)),
        "facts": [f"{fact.label}: {fact.value}" for fact in facts],
        "italian": [translate(say("%(it)s", it=fact.value), "it") for fact in facts],
        "roles": {table.name(seat): role for seat, role in game.roles(sheet).items()},
        "bid": game.bid(sheet),
        "sides": [list(side) for side in game.sides(table.active, rules, sheet)],
    }
    wanted = golden.expected(case)
    assert problems == []
    assert {key: told[key] for key in wanted} == wanted


@cases_of("matches")
def test_match_is_played(slug: str, case: Case) -> None:
    (count,) = case["players"]

    answer = replay(asked(slug, case, count))

    expect(answer, golden.expected(case))
    assert not answer["ok"] or answer["finished"] == bool(answer["winners"])


@cases_of("ends")
def test_end_of_a_match_is_told(slug: str, case: Case) -> None:
    game, seats = find_game(slug), all_seats(len(case["balances"]))
    rules, problems = game.rules_from(case.get("rules"))
    sheet = case.get("last") and read(game.sheet_type, case["last"], Reading(SEATS[:2]), "sheet")
    balances = dict(zip(seats, case["balances"], strict=True))

    progress = game.progress(Tally(balances, case["played"], sheet, seats), rules)

    assert problems == []
    assert (list(progress.winners), str(progress.why)) == (case["winners"], str(case["why"]))
    assert progress.finished == bool(case["winners"])


@cases_of("rules")
def test_rules_are_read_or_have_problems(slug: str, case: Case) -> None:
    _, problems = find_game(slug).rules_from(case["rules"])

    assert [f"{problem.code} {problem.field}" for problem in problems] == case["problems"]
    assert all(str(problem.message) for problem in problems)


@cases_of("words")
def test_rules_are_told(slug: str, case: Case) -> None:
    game = find_game(slug)
    rules, problems = game.rules_from(case["rules"])
    words = "\n".join(map(str, game.describe(rules).words))

    assert problems == []
    assert [sentence for sentence in case.get("says", ()) if sentence not in words] == []
    assert [sentence for sentence in case.get("silent", ()) if sentence in words] == []
    assert case.get("end", str(game.end_text(rules))) == str(game.end_text(rules))
    assert case.get("can_end", game.can_end(rules)) == game.can_end(rules)
    assert case.get("minutes", game.turn_minutes(rules)) == game.turn_minutes(rules)


@cases_of("questions")
def test_what_has_no_meaning_is_not_asked(slug: str, case: Case) -> None:
    game = find_game(slug)
    rules, _ = game.rules_from(case["rules"])

    for count in case["players"]:
        asked = game.asks(Table(rules, SEATS[:count], all_seats(count)))
        every = {question.name for question in questions(game.sheet_type)}
        assert every - {question.name for question in asked} == {*case["unasked"]}
