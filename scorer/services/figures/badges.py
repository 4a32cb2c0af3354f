"""The badges of a player in a game: what the deals of all evenings have earned."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from scorer.games import find_game
from scorer.services.figures.figures import CircleFigures, DealPlace, PlayedDeal, derived
from scorer.texts import Text, say

#: So many of a kind make a badge: calls in a row, wins in a row, callers as whose partner one won.
CALLS, WINS, CALLERS = 5, 10, 5
ROUND_NUMBERS = {100: say("The hundredth deal"), 1000: say("The thousandth deal")}


class Badge(NamedTuple):
    """A badge, and the deals that earn it, oldest first."""

    what: Text
    deals: Sequence[DealPlace]


@derived
def badges(figures: CircleFigures, player_id: UUID, game: str) -> list[Badge]:
    """List the badges of a player in a game, each with the first deals that earn it."""
    played_deals = list(figures.played_deals(game, player_id))
    return [*_of_calls(game, played_deals), *_of_partners(played_deals), *_of_wins(played_deals)]


def _of_calls(game: str, played_deals: Sequence[PlayedDeal]) -> Iterator[Badge]:
    calls = [
        played
        for played in played_deals
        if played.deal.made is not None and played.deal.sides[0][0] == played.seat
    ]
    made = [played for played in calls if played.deal.made]
    yield from _first(say("The first call made"), made)
    yield from _first(say("Alone, and made"), (it for it in made if len(it.deal.sides[0]) == 1))
    for level in find_game(game).levels[-1:]:
        what = say("A call of the highest level, made: %(level)s", level=level.name)
        yield from _first(what, (played for played in made if played.deal.bid in level.bids))
    yield from _in_a_row(
        say("%(count)s calls made in a row", count=CALLS),
        ((played, bool(played.deal.made)) for played in calls),
        CALLS,
    )


def _first(what: Text, done: Iterable[PlayedDeal]) -> Iterator[Badge]:
    for played in islice(done, 1):
        yield Badge(what, [played.at])


def _of_partners(played_deals: Sequence[PlayedDeal]) -> Iterator[Badge]:
    callers: dict[UUID, DealPlace] = {}
    for played in played_deals:
        caller, *partners = played.deal.sides[0]
        if played.deal.made and played.seat in partners:
            callers.setdefault(played.session.seats[caller], played.at)
        if len(callers) == CALLERS:
            what = say("Won as the partner of %(count)s callers", count=CALLERS)
            yield Badge(what, list(callers.values()))
            return


def _of_wins(played_deals: Sequence[PlayedDeal]) -> Iterator[Badge]:
    yield from _in_a_row(
        say("%(count)s deals won in a row", count=WINS),
        ((played, played.won) for played in played_deals),
        WINS,
    )
    for number, what in ROUND_NUMBERS.items():
        yield from _first(what, played_deals[number - 1 : number])


def _in_a_row(what: Text, done: Iterable[tuple[PlayedDeal, bool]], length: int) -> Iterator[Badge]:
    """Yield a badge for the first run of this length, if there is one."""
    row: list[PlayedDeal] = []
    for played, well in done:
        row = [*row, played] if well else []
        if len(row) == length:
            yield Badge(what, [played.at for played in row])
            return
