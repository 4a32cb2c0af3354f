from dataclasses import replace
from typing import Any

import pytest

from scorer.errors import InvalidError
from scorer.evening import JudgedDeal, judged_formerly
from scorer.evening.judging import judged_again
from scorer.games import find_game
from scorer.rules.game import Outcome, Table
from scorer.rules.seats import all_seats
from tests.data.examples import NAMES

RANK = {"caller": "Ada", "bid": "7", "partner": "Bea", "card_points": 0}
UNWRITTEN = {"preset": "classic", "floor": 0, "auction": {"style": "none"}}
CARDS = {"aces": [4, 0], "thirds": [18, 2], "last_trick": 0}
DECLARED = [[], [{"kind": "three", "rank": "A"}]]
TWICE = {"cappotto_times": 2, "cappotto_cancels": True}


def formerly(
    game: str, rules: Any, answers: Any, count: int
) -> tuple[JudgedDeal | None, Table[Any]]:
    found = find_game(game)
    read, problems = found.rules_from(rules)
    assert problems == []
    table = Table(read, NAMES[:count], all_seats(count))
    return judged_formerly(found, table, answers), table


@pytest.mark.parametrize(
    ("game", "rules", "answers", "paid"),
    [
        pytest.param("briscola-chiamata", UNWRITTEN, RANK, [4, 2, -2, -2, -2], id="rank"),
        pytest.param("tressette", TWICE, CARDS, [11, 0], id="cards"),
        pytest.param(
            "tressette", TWICE, {**CARDS, "declarations": DECLARED}, [11, 3], id="declared"
        ),
        pytest.param(
            "tressette", TWICE, {"hand_points": [0, 10, 0]}, [0, 10, 0], id="ten of three"
        ),
    ],
)
def test_deal_pays_what_it_paid_by_former_rules(
    game: str, rules: Any, answers: Any, paid: list[int]
) -> None:
    former, table = formerly(game, rules, answers, len(paid))

    assert former
    assert (former.outcome, list(former.paid.values())) == (Outcome.PLAYED, paid)
    assert former.score.payouts == former.paid
    today, _ = former.game.read_sheet(answers, table)
    assert today is None or former.game.score(today, table).payouts != former.paid


@pytest.mark.parametrize(
    ("game", "rules", "answers", "count"),
    [
        pytest.param("briscola-chiamata", UNWRITTEN, {**RANK, "bid": "75"}, 5, id="points"),
        pytest.param(
            "briscola-chiamata", UNWRITTEN, {**RANK, "partner": "Ada"}, 5, id="more wrong"
        ),
        pytest.param("briscola-chiamata", "bastarda", RANK, 5, id="refused then, too"),
        pytest.param("tressette", TWICE, {"hand_points": [11, 0]}, 2, id="hand points"),
        pytest.param("tressette", TWICE, {**CARDS, "thirds": [20, 0]}, 2, id="all the cards"),
        pytest.param("tressette", {**TWICE, "cappotto": "tricks"}, CARDS, 2, id="by tricks"),
        pytest.param("tressette", TWICE, {"hand_points": ["?", 0]}, 2, id="unreadable"),
        pytest.param("briscola", {}, {"card_points": [71, 49]}, 2, id="a game as it was"),
    ],
)
def test_deal_whose_rules_are_as_they_were_has_no_former_ones(
    game: str, rules: Any, answers: Any, count: int
) -> None:
    assert formerly(game, rules, answers, count)[0] is None


def test_deal_judged_again_by_its_rules_pays_as_it_did_and_by_others_as_today() -> None:
    former, table = formerly("tressette", TWICE, CARDS, 2)
    thrice, _ = find_game("tressette").rules_from({"cappotto_times": 3})
    assert former

    moved = judged_again(former, replace(table, seats=("Ciro", "Dora")), ("Dora", "Ciro"))
    other = judged_again(former, replace(table, rules=thrice), table.seats)

    assert [list(entry.paid.values()) for entry in (moved, other)] == [[11, 0], [33, 0]]


def test_rank_that_needed_nothing_can_be_at_another_seat_and_by_no_other_rules() -> None:
    former, table = formerly("briscola-chiamata", UNWRITTEN, RANK, 5)
    other, _ = find_game("briscola-chiamata").rules_from({**UNWRITTEN, "penalty": 2})
    assert former
    moved = ("Bea", "Ada", *NAMES[2:5])

    again = judged_again(former, table, moved)

    assert list(again.paid.values()) == [2, 4, -2, -2, -2]
    with pytest.raises(InvalidError):
        judged_again(former, replace(table, rules=other), moved)
    with pytest.raises(InvalidError):
        judged_again(former, replace(table, active=table.active[1:]), table.seats)
    six, without_ada = tuple(NAMES[:6]), all_seats(6)[1:]
    with pytest.raises(InvalidError):
        judged_again(former, replace(table, seats=six, active=without_ada), six)
