"""Who won a deal, told by the game, and by a naive reckoning."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Evening
from scorer.errors import InvalidError
from scorer.operations import replay
from scorer.rules.game import Outcome
from tests.data.rows import rows
from tests.data.strategies import examples
from tests.evening.random_evenings import GAMES, answers, begun


def naive_winners(evening: Evening, deal: Any) -> set[str]:
    """Tell who won a deal by what was paid, who called and who closed."""
    paid, game = deal.payouts, evening.game
    if deal.outcome is not Outcome.PLAYED or not paid:
        return set()
    answers, sides = (
        deal.entry.answers(evening.names),
        [
            {evening.names[seat] for seat in side}
            for side in game.sides(deal.entry.table.active, deal.entry.table.rules)
        ],
    )
    if game.slug == "scala-quaranta":
        return next(side for side in sides if answers["closed"] in side)
    if game.slug == "briscola-chiamata":
        callers, made = {answers["caller"], answers["partner"]} - {None}, deal.entry.made
        return set() if made is None else callers if made else set(paid) - callers
    lowest = game.leads_lowest(deal.entry.table.rules)
    best = (min if lowest else max)(paid.values())
    return set() if len(set(paid.values())) == 1 else {name for name in paid if paid[name] == best}


@pytest.mark.parametrize("slug", GAMES)
@examples(40)
@given(seed=st.integers(0, 10**9))
def test_deal_was_won_by_whom_a_naive_reckoning_says(slug: str, seed: int) -> None:
    rng = Random(seed)
    evening = begun(rng, slug)
    for _ in range(10):
        try:
            deal = evening.record(*answers(rng, evening))
        except InvalidError:
            continue
        assert set(deal.won) == naive_winners(evening, deal)
        assert deal.won == sorted(deal.won, key=evening.names.index)
    answer = replay(evening.document())
    assert [deal["won"] for deal in answer["deals"]] == [deal.won for deal in evening.deals]


@rows(__file__, "won")
def test_deal_was_won(
    game: str, rules: Any, seats: list[str], sheet: dict[str, Any], won: list[str]
) -> None:
    evening = Evening.begin(game, seats, rules)
    deal = evening.record(sheet)

    assert deal.won == won
    assert evening.void(1).won == []
    assert evening.restore(1).won == won


@pytest.mark.parametrize("game", ["briscola-chiamata", "scopa"])
def test_nobody_won_a_penalty_or_what_was_not_played(game: str) -> None:
    names = ["Ada", "Bea", "Ciro", "Dora", "Ezio"][: 5 if game == "briscola-chiamata" else 2]
    evening = Evening.begin(game, names)

    assert evening.record({"offender": "Ada"}, "penalty").won == []
    assert evening.record(outcome="misdeal").won == []
