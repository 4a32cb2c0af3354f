"""The badges of a player in a game: what the deals of all evenings have earned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self
from uuid import UUID

from scorer.games import find_game
from scorer.ledger.records import Contest
from scorer.services.figures.figures import CircleFigures, DealPlace, SessionFigures
from scorer.texts import Text, say

#: So many of a kind make a badge: calls in a row, wins in a row, callers as whose partner one won.
CALLS, WINS, CALLERS = 5, 10, 5
ROUND_NUMBERS = {"100": say("The hundredth deal"), "1000": say("The thousandth deal")}

#: Badges, each with the deals that earn it.
Earned = Iterator[tuple[str, Sequence[DealPlace]]]


class Badge(NamedTuple):
    """A badge, and the deals that earn it, oldest first."""

    what: Text
    deals: Sequence[DealPlace]


@dataclass
class EarnedBadges:
    """The deals that earned a player each badge, and those on the way to the next ones."""

    earned: dict[str, Sequence[DealPlace]] = field(default_factory=dict)
    deals: int = 0
    calls: Sequence[DealPlace] = ()
    wins: Sequence[DealPlace] = ()
    callers: dict[UUID, DealPlace] = field(default_factory=dict)

    def copy(self) -> Self:
        return replace(self, earned={**self.earned}, callers={**self.callers})

    def add(self, session: SessionFigures, seat: int) -> None:
        for deal in session.contests:
            if deal.place_of(seat) is not None:
                at = DealPlace(session.session_id, session.day, deal.number)
                for badge, deals in self._play(session, seat, deal, at):
                    self.earned.setdefault(badge, deals)

    def _play(self, session: SessionFigures, seat: int, deal: Contest, at: DealPlace) -> Earned:
        """Count a deal, and yield the badges that it earns, again or for the first time."""
        caller, *partners = deal.sides[0]
        self.deals += 1
        self.wins = (*self.wins[1 - WINS :], at) if seat in deal.won else ()
        if seat == caller and deal.made is not None:
            yield from self._call(session.game, deal, at)
        if seat in partners and deal.made and len(self.callers) < CALLERS:
            self.callers.setdefault(session.seats[caller], at)
        if len(self.callers) == CALLERS:
            yield "callers", list(self.callers.values())
        if len(self.wins) == WINS:
            yield "wins", self.wins
        if str(self.deals) in ROUND_NUMBERS:
            yield str(self.deals), [at]

    def _call(self, game: str, deal: Contest, at: DealPlace) -> Earned:
        self.calls = (*self.calls[1 - CALLS :], at) if deal.made else ()
        if deal.made:
            yield "first", [at]
        if deal.made and len(deal.sides[0]) == 1:
            yield "alone", [at]
        if deal.made and any(deal.bid in level.bids for level in find_game(game).levels[-1:]):
            yield "highest", [at]
        if len(self.calls) == CALLS:
            yield "calls", self.calls


def badges(figures: CircleFigures, player_id: UUID, game: str) -> list[Badge]:
    """List the badges of a player in a game, each with the first deals that earn it."""
    earned = figures.summed(EarnedBadges, game, player_id).earned
    return [Badge(what, earned[badge]) for badge, what in _words(game) if badge in earned]


def _words(game: str) -> Iterator[tuple[str, Text]]:
    """Yield each badge of a game with its words, in their order."""
    yield "first", say("The first call made")
    yield "alone", say("Alone, and made")
    for level in find_game(game).levels[-1:]:
        yield "highest", say("A call of the highest level, made: %(level)s", level=level.name)
    yield "calls", say("%(count)s calls made in a row", count=CALLS)
    yield "callers", say("Won as the partner of %(count)s callers", count=CALLERS)
    yield "wins", say("%(count)s deals won in a row", count=WINS)
    yield from ROUND_NUMBERS.items()
