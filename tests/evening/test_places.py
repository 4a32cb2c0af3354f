"""Who won a deal and who stands where, as a naive reckoning has it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from scorer import Evening
from scorer.games import find_game
from scorer.games.traversone import TraversoneEnd, TraversoneRules
from scorer.rules.closing_game import Out
from scorer.rules.plain_game import Partners
from scorer.rules.seats import Seat
from tests.data.rows import rows
from tests.evening.random_evenings import GAMES


def naive_inside(order: Sequence[Seat], totals: Mapping[Seat, int], rules: Any) -> set[Seat]:
    """Tell who of those at the table is not out: partners together, and the lowest in any case."""
    if isinstance(rules, TraversoneRules):
        most = rules.target if rules.end is TraversoneEnd.OUT else 10**6
        lowest = min(totals[seat] for seat in order)
        return {seat for seat in order if totals[seat] < most or totals[seat] == lowest}
    pairs = getattr(rules, "sides", None) is Partners.PAIRS and len(order) in {4, 6}
    half = len(order) // 2
    partners = {seat: {seat, order[at - half]} for at, seat in enumerate(order)}
    counts = {seat: max(totals[n] for n in partners[seat] if pairs or n == seat) for seat in order}
    least = min(counts.values())
    limit = rules.limit if rules.out is Out.AT else rules.limit + 1
    return {seat for seat, count in counts.items() if count < limit or count == least}


def naive_places(evening: Evening) -> dict[str, int]:
    """Rank everybody by who stayed in longest, and then by balance."""
    lowest = evening.game.leads_lowest(evening.terms.rules)
    totals, until = evening.begun().totals, dict.fromkeys(evening.names, 0)
    if evening.game.eliminates:
        terms = [*(deal.terms for deal in evening.deals), evening.terms]
        after = [totals, *(deal.totals for deal in evening.deals)]
        voided = {deal.number for deal in evening.deals if deal.voided}
        for number, (term, balances) in enumerate(zip(terms, after, strict=True), start=1):
            assert term
            if number in voided:
                continue
            for seat in naive_inside(term.order, balances, term.rules):
                until[evening.names[seat]] = number
        if evening.result.outright:
            until |= dict.fromkeys(evening.progress.winners, len(after) + 1)
    rank = {
        name: (until[name], -balance if lowest else balance)
        for name, balance in evening.balances.items()
    }
    return {name: 1 + sum(other > own for other in rank.values()) for name, own in rank.items()}


def test_who_is_out_from_the_beginning_is_last_and_level_ones_share_a_place() -> None:
    names, opening = ["Ada", "Bea", "Ciro", "Dora", "Ezio"], {"Bea": 130, "Ciro": 50, "Dora": 50}
    evening = Evening.begin("scala-quaranta", names, opening=opening)
    evening.record({"closed": "Ada", "hands": {"Ciro": 60, "Dora": 60, "Ezio": 2}})

    assert evening.standings() == [
        (1, "Ada", 0),
        (2, "Ezio", 2),
        (3, "Ciro", 110),
        (3, "Dora", 110),
        (5, "Bea", 130),
    ]
    pairs = Evening.begin("scala-quaranta", names[:4], "in-pairs")
    pairs.record({"closed": "Ada", "hands": {"Bea": 60, "Dora": 60}})
    assert pairs.standings() == [(1, "Ada", 0), (1, "Ciro", 0), (3, "Bea", 120), (3, "Dora", 120)]


@rows(__file__, "won")
def test_deal_was_won(
    game: str, rules: Any, seats: list[str], sheet: dict[str, Any], won: list[str]
) -> None:
    evening = Evening.begin(game, seats, rules)
    deal = evening.record(sheet)

    assert deal.won == won
    assert evening.void(1).won == []
    assert evening.restore(1).won == won


@pytest.mark.parametrize("slug", GAMES)
def test_evenings_add_up_where_what_some_win_the_others_lose(slug: str) -> None:
    game = find_game(slug)

    adding = {preset for preset, rules in game.presets.items() if game.adds_up(rules)}

    everywhere = {"points": {"zero-sum"}}
    everywhere |= {other: {*game.presets} for other in ("briscola-chiamata", "terziglio")}
    assert adding == everywhere.get(slug, set())
