"""Badges of players, each with the deals that earn it.

They are derived from the deals as they stand, so that one goes when its deal is voided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from scorer.games import find_game
from scorer.services.figures import DealPlace, Taken, circle_figures
from scorer.texts import Text, say

#: So many of a kind make a badge: calls in a row, wins in a row, callers as whose partner one won.
CALLS, WINS, CALLERS = 5, 10, 5
ROUND_NUMBERS = {100: say("The hundredth deal"), 1000: say("The thousandth deal")}


class Badge(NamedTuple):
    """A badge, and the deals that earn it, oldest first."""

    what: Text
    deals: Sequence[DealPlace]


def badges(circle_id: UUID, player_id: UUID, game: str) -> list[Badge]:
    """List the badges of a player in a game, each with the first deals that earn it."""
    figures = circle_figures(circle_id)

    def make() -> list[Badge]:
        taken = list(figures.taken(game, player_id))
        return [*_of_calls(game, taken), *_of_partners(taken), *_of_wins(taken)]

    return figures.once(("badges", game, player_id), make)


def _of_calls(game: str, taken: Sequence[Taken]) -> Iterator[Badge]:
    calls = [one for one in taken if one.deal.made is not None and one.deal.sides[0][0] == one.seat]
    made = [one for one in calls if one.deal.made]
    yield from _first(say("The first call made"), made)
    yield from _first(say("Alone, and made"), [o for o in made if len(o.deal.sides[0]) == 1])
    for level in find_game(game).levels[-1:]:
        what = say("A call of the highest level, made: %(level)s", level=level.name)
        yield from _first(what, [one for one in made if one.deal.bid in level.bids])
    row = _in_a_row([(one.at, bool(one.deal.made)) for one in calls], CALLS)
    if row:
        yield Badge(say("%(count)s calls made in a row", count=CALLS), row)


def _first(what: Text, done: Sequence[Taken]) -> Iterator[Badge]:
    if done:
        yield Badge(what, [done[0].at])


def _of_partners(taken: Sequence[Taken]) -> Iterator[Badge]:
    callers: dict[UUID, DealPlace] = {}
    for one in taken:
        caller, *partners = one.deal.sides[0]
        if one.deal.made and one.seat in partners:
            callers.setdefault(one.session.seats[caller], one.at)
    if len(callers) >= CALLERS:
        what = say("Won as the partner of %(count)s callers", count=CALLERS)
        yield Badge(what, list(callers.values())[:CALLERS])


def _of_wins(taken: Sequence[Taken]) -> Iterator[Badge]:
    row = _in_a_row([(one.at, one.deal.won_by(one.seat)) for one in taken], WINS)
    if row:
        yield Badge(say("%(count)s deals won in a row", count=WINS), row)
    for number, what in ROUND_NUMBERS.items():
        yield from _first(what, taken[number - 1 : number])


def _in_a_row(done: Sequence[tuple[DealPlace, bool]], length: int) -> list[DealPlace]:
    """Return the first run of this length; nothing where there is none."""
    row: list[DealPlace] = []
    for place, well in done:
        row = [*row, place] if well else []
        if len(row) == length:
            return row
    return []
