"""Why a match is over, or goes on though somebody is there: told by each game."""

from typing import Any

import pytest

from scorer.games import find_game
from scorer.games.briscola import BriscolaSheet
from scorer.games.tressette.sheet import TressetteSheet
from scorer.rules.match import Tally
from scorer.rules.seats import PerSide, Side, all_seats
from scorer.rules.sheet import Reading, read

WHOLE_NAPOLA = {"cards": [21, 19], "coins": [10, 0], "settebello": 0, "primiera_winner": 0,
                "sweeps": [0, 0], "napola": [10, 0]}  # fmt: skip
LEVEL_DEAL = {**WHOLE_NAPOLA, "coins": [5, 5], "settebello": 1, "napola": [0, 0]}


def why(game: str, rules: object, balances: list[int], last: Any = None, played: int = 3) -> str:
    """Tell the end of a match of two, or of as many as have balances."""
    found = find_game(game)
    read_rules, problems = found.rules_from(rules)
    assert problems == []
    seats = all_seats(len(balances))
    if isinstance(last, dict):
        last = read(found.sheet_type, last, Reading(("Ada", "Bea")), "sheet")
    tally = Tally(dict(zip(seats, balances, strict=True)), played, last, seats)
    return str(found.progress(tally, read_rules).why)


CAPPOTTO = BriscolaSheet(PerSide((120, 0)))
CALLED = TressetteSheet(hand_points=PerSide((7, 4)), called_out=Side(0))
PLAY_ON = "Level at %s: they play on until one is ahead."


@pytest.mark.parametrize(
    ("game", "rules", "balances", "last", "told"),
    [
        pytest.param("briscola", "best-of-3", [2, 0], None,
                     "Best of 3: nobody else can catch up any more.", id="briscola, best of three"),
        pytest.param("briscola", {"preset": "best-of-3", "deals": 2}, [1, 1], None, PLAY_ON % 1,
                     id="briscola, level after all of them"),
        pytest.param("briscola", "best-of-3", [1, 1], None, "None", id="briscola, one to go"),
        pytest.param("briscola", "first-to-4", [4, 1], None,
                     "The winner has won 4 deals, as many as needed.", id="first to four"),
        pytest.param("briscola", "points-120", [125, 115], None,
                     "The target of 120 points has been reached.",
                     id="briscola, card points"),
        pytest.param("briscola", "points-120", [120, 120], None, PLAY_ON % 120,
                     id="briscola, level"),
        pytest.param("briscola", {"preset": "best-of-3", "cappotto": "match"}, [1, 0], CAPPOTTO,
                     "Cappotto wins the match.", id="briscola, cappotto"),
        pytest.param("scopa", {"napola": "length"}, [14, 3], WHOLE_NAPOLA,
                     "The whole napola wins the match.", id="scopa, napola"),
        pytest.param("scopa", None, [12, 11], None, "The target of 11 points has been reached.",
                     id="scopa, highest"),
        pytest.param("scopa", {"end": "order-on-tie"}, [11, 11], LEVEL_DEAL,
                     "With the points of the last deal counted in this order: cards, coins, "
                     "settebello, primiera, scope, the winning side reached 11 first.",
                     id="scopa, in order"),
        pytest.param("scopa", None, [11, 11], None, PLAY_ON % 11, id="scopa, level"),
        pytest.param("tressette", {"end": "immediate"}, [21, 22], CALLED,
                     "The side that called out did have its 21 points.", id="tressette, called"),
        pytest.param("scala-quaranta", None, [10, 101, 140], None, "Everybody else is out.",
                     id="scala quaranta"),
        pytest.param("burraco", None, [2010, 2100], None,
                     "The target of 2005 points has been reached.",
                     id="burraco, target"),
        pytest.param("burraco", {"deals": 3}, [600, 500], None, "All 3 deals are played.",
                     id="burraco, deals"),
        pytest.param("burraco", "three-deals", [1600, 500], None,
                     "A difference of 1100 makes it 18–2 in victory points.",
                     id="burraco, victory points"),
    ],
)  # fmt: skip
def test_end_of_a_match_is_told(
    game: str, rules: object, balances: list[int], last: Any, told: str
) -> None:
    assert why(game, rules, balances, last) == told
