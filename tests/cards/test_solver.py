import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorer.cards.open_cards import open_cards
from scorer.cards.solver import kernel
from scorer.cards.solver.open_deal import Limit, OpenDeal, Position, SolverGoal
from scorer.cards.solver.search import Search, solve
from tests.cards.card_deals import value_of
from tests.cards.plain_minimax import ending, plain_value, some_way_on
from tests.samples import RECORD

SMALL = Limit(memory=1)
KINDS = ["", "dead", "follow", "monte"]


def played_to_the_end(deal: OpenDeal, seed: int) -> OpenDeal:
    """Play the rest at random."""
    random, position, played = Random(seed), deal.positions()[0], list[int]()
    while cards := deal.playable(position):
        played.append(random.choice(cards))
        position = deal.after(position, played[-1])
    return replace(deal, played=tuple(played))


MANY = [
    pytest.param(tricks, range(1000, 1000 + count), marks=pytest.mark.slow)
    for tricks, count in [(1, 60), (2, 120), (3, 25)]
]


@pytest.mark.untraced
@pytest.mark.parametrize("likes", KINDS)
@pytest.mark.parametrize(("tricks", "seeds"), [(1, range(10)), (2, range(20)), *MANY])
def test_value_is_that_of_plain_minimax(likes: str, tricks: int, seeds: range) -> None:
    for seed in seeds:
        deal = ending(seed, tricks=tricks, likes=likes)
        position = some_way_on(deal, seed)
        if tricks == 3 and len(deal.hands) > 4:  # plain minimax takes minutes for more hands
            continue
        value, search = plain_value(deal, position), Search(deal, SMALL)
        assert [search.at_least(position, total) for total in (value, value + 1)] == [True, False]


def test_cards_are_opened_that_are_all_known_and_right() -> None:
    played = RECORD["tricks"]
    tricks = [[*played[:3], None, *played[4:]], [*played[:7], played[0]], played]
    opened = [open_cards(value_of({**RECORD, "tricks": one})) for one in tricks]

    assert [isinstance(one, list) for one in opened] == [True, True, False]


@pytest.mark.parametrize("seed", range(12))
def test_best_cards_are_those_that_keep_the_value(seed: int) -> None:
    deal = ending(seed, tricks=2, likes=KINDS[seed % 4])
    position = deal.positions()[0]
    value = plain_value(deal, position)

    solved = solve(deal, SolverGoal.BEST, None, SMALL)

    assert (solved.decided, solved.value, solved.bounds) == (True, value, (value, value))
    assert solved.best == tuple(
        card
        for card in deal.playable(position)
        if plain_value(deal, deal.after(position, card)) == value
    )


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(12))
def test_verdicts_and_the_turning_card_are_those_of_plain_minimax(seed: int) -> None:
    deal = played_to_the_end(ending(seed, tricks=2, likes=KINDS[seed % 4]), seed)
    made = [plain_value(deal, position) >= deal.target for position in deal.positions()]
    turns = [index for index in range(len(deal.played)) if made[index] != made[index + 1]]

    solved = solve(deal, SolverGoal.VERDICTS, 0, SMALL)

    assert solved.verdicts == tuple(enumerate(made[1:]))
    assert (solved.made, solved.decided) == (made[0], True)
    assert solved.turning == (turns[-1] if turns else None)
    assert solve(deal, SolverGoal.VERDICTS, None, SMALL) == solved


@pytest.mark.parametrize("seed", range(8))
def test_values_back_from_the_end_are_those_of_plain_minimax(seed: int) -> None:
    deal = played_to_the_end(ending(seed, tricks=2, likes=KINDS[seed % 4]), seed)
    values = [plain_value(deal, position) for position in reversed(deal.positions())]

    assert [*Search(deal, SMALL).values()] == values


def test_limit_among_the_values_leaves_those_of_the_last_cards() -> None:
    deal = played_to_the_end(long_deal(), 1)

    found = [*Search(deal, Limit(nodes=500, memory=1)).values()]

    assert 0 < len(found) <= len(deal.played)


def long_deal() -> OpenDeal:
    return replace(ending(4, tricks=6), target=61)


@pytest.mark.parametrize("ask", SolverGoal)
def test_limit_of_nodes_leaves_it_undecided_with_what_is_known(ask: SolverGoal) -> None:
    solved = solve(long_deal(), ask, 0, Limit(nodes=1_000, memory=1))

    assert not solved.decided
    assert (solved.made, solved.value, solved.best, solved.turning) == (None,) * 4
    assert solved.nodes == 1_000
    assert 0 <= solved.bounds[0] < solved.bounds[1] <= 120


def test_search_that_is_allowed_more_seconds_goes_on() -> None:
    deal = played_to_the_end(ending(3, tricks=3, likes=""), 3)
    search = Search(deal, Limit(seconds=0))
    stopped = [*search.verdicts()]

    search.allow(60)

    assert len(stopped) < len([*search.verdicts()]) == len(deal.played) + 1


@pytest.mark.untraced
def test_who_watches_may_end_the_search() -> None:
    told = list[int]()

    def watch(nodes: int) -> bool:
        told.append(nodes)
        return len(told) < 3

    solved = solve(long_deal(), SolverGoal.VALUE, None, SMALL, watch)

    assert not solved.decided
    assert told == sorted(told)
    assert (len(told), told[-1]) == (3, solved.nodes)


def test_limit_while_the_best_cards_are_looked_for_leaves_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, at_least = ending(1, tricks=2), Search.at_least
    start = deal.positions()[0]

    def at_first(search: Search, position: Position, total: int) -> bool | None:
        return at_least(search, position, total) if position == start else None

    monkeypatch.setattr(Search, "at_least", at_first)
    solved = solve(deal, SolverGoal.BEST, None, SMALL)

    assert (solved.decided, solved.made, solved.best) == (False, None, None)
    assert solved.value == plain_value(deal, start)


class FakeNumba:
    """Compiles nothing, and remembers what it was asked for."""

    class config:  # noqa: N801  # as numba calls it
        DISABLE_JIT = 0

    class types:  # noqa: N801  # as numba calls it
        class int64:  # noqa: N801  # as numba calls it
            def __class_getitem__(cls, _: slice) -> str:
                return "int64[::1]"

            def __new__(cls, *arguments: object) -> Any:
                return arguments

        NamedUniTuple = staticmethod(lambda kind, count, of: (kind, count, of))

    def __init__(self, *, keeps: bool = True) -> None:
        self.keeps, self.asked = keeps, list[Any]()

    def njit(self, *arguments: Any, **options: Any) -> Any:
        if options.get("cache") and not self.keeps:
            raise RuntimeError("nowhere to keep it")
        self.asked.append((arguments, options))
        return arguments[0] if callable(arguments[0]) else lambda function: function


@pytest.mark.parametrize("keeps", [True, False])
def test_search_is_compiled_where_numba_is(monkeypatch: pytest.MonkeyPatch, keeps: bool) -> None:  # noqa: FBT001  # a parameter
    numba = FakeNumba(keeps=keeps)
    monkeypatch.setitem(sys.modules, "numba", numba)
    fresh = fresh_module()
    numba.asked.clear()

    assert fresh.ENGINE == "numba"
    assert fresh.compiled(len) is len
    assert fresh.compiled_for(tuple_of("a b"), 1)(len) is len
    assert [options.get("cache") for _, options in numba.asked] == [None, keeps or None]
    assert list(fresh.array_of([1, 2])) == [1, 2]
    assert list(fresh.zeros(2)) == [0, 0]


def test_python_searches_where_there_is_no_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

    assert fresh_module().ENGINE == "Python"


def tuple_of(names: str) -> type[Any]:
    from collections import namedtuple

    return namedtuple("Fields", names)  # noqa: PYI024  # as the state is seen


def fresh_module() -> Any:
    spec = importlib.util.spec_from_file_location("fresh", Path(kernel.__file__))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers() -> list[str]:
    """Answer for some endings by the engine of this process."""
    endings = [
        ending(seed, tricks=3 + (seed % 10 == 0), likes=KINDS[seed % 4])
        for seed in (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11)
    ]
    solved = [solve(deal, SolverGoal.BEST, None, SMALL) for deal in endings]
    return [str((one.decided, one.bounds, one.made, one.value, one.best)) for one in solved]


@pytest.mark.slow
def test_numba_answers_as_python_does() -> None:
    pytest.importorskip("numba")
    program = "from tests.cards.test_solver import *; print(kernel.ENGINE, *answers(), sep='\\n')"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONWARNINGS": "ignore"}

    told = subprocess.check_output([sys.executable, "-c", program], text=True, env=environment)

    assert told.splitlines() == ["numba", *answers()]
