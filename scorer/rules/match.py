"""How a session ends: at a target, after a number of deals, or when the people go home."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from scorer.rules.questions import Ask, Choice, Reading
from scorer.rules.seats import Seat, Sides
from scorer.texts import Text, deal_count, point_count, say

#: The turn that a source has (rules.md K23), where the clock ends the session.
AN_HOUR = 60


class MatchEnd(Choice):
    """The end of a session; for TIME and OPEN people end it, not a rule."""

    OPEN = "open", say("Open end")
    TARGET = "target", say("At a target")
    DEALS = "deals", say("After some deals")
    TIME = "time", say("By the clock")


class Tie(Choice):
    """What happens when the best are level at the end (rules.md K24)."""

    PLAY_ON = "play-on", say("They play on")
    SHARED = "shared", say("They share it")


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """How a rule set ends a session: ``target`` in game points, ``deals`` played."""

    end: Annotated[MatchEnd, Ask(say("It ends"))] = MatchEnd.OPEN
    target: Annotated[int | None, Ask(say("Target"), low=1, high=100_000)] = None
    deals: Annotated[int | None, Ask(say("Deals"), low=1, high=10_000)] = None
    tie: Annotated[Tie, Ask(say("Level at the end"))] = Tie.PLAY_ON

    def check(self, reading: Reading, path: str) -> None:
        """Report a missing number: that of the target, or that of the deals."""
        if self.end is MatchEnd.TARGET and self.target is None:
            reading.fault("missing-key", f"{path}.target", say("Which balance ends the session?"))
        if self.end is MatchEnd.DEALS and self.deals is None:
            reading.fault("missing-key", f"{path}.deals", say("How many deals are played?"))

    @property
    def ends(self) -> "Ends":
        target = self.target if self.end is MatchEnd.TARGET else None
        deals = self.deals if self.end is MatchEnd.DEALS else None
        return Ends(target, deals, shared=self.tie is Tie.SHARED)

    @property
    def minutes(self) -> int | None:
        """The minutes of a turn, where the clock ends it."""
        return AN_HOUR if self.end is MatchEnd.TIME else None

    @property
    def text(self) -> Text:
        return self.end.words if self.end is MatchEnd.TIME else self.ends.text


@dataclass(frozen=True, slots=True)
class Tally:
    """Where a session stands after its last deal: balances, deals played, the last sheet.

    Some games end by what happened in the last deal; without its sheet the balances alone decide.
    ``order`` has all at the table after the last deal, in order of play; it is empty if those are
    all who have a balance, and ``here`` has them in either case. ``before`` are the balances after
    each deal but the last; they can be gone through once.
    """

    balances: Mapping[Seat, int]
    played: int
    last: Any = None
    order: tuple[Seat, ...] = ()
    before: Iterable[Mapping[Seat, int]] = field(default=(), compare=False)

    @property
    def here(self) -> tuple[Seat, ...]:
        return self.order or tuple(sorted(self.balances))


@dataclass(frozen=True, slots=True)
class Progress:
    """Whether the session has reached its end, and who won it.

    ``victory_points`` are what a tournament counts for it, where the rules have a table for that.
    ``why`` tells by which rule it ended, or that those who are level play on. A deal that wins
    the match ``outright`` puts its winner before all others, whatever they have.
    """

    finished: bool
    winners: tuple[Seat, ...] = ()
    victory_points: Mapping[Seat, int] | None = None
    why: Text | None = field(default=None, compare=False)
    outright: bool = False


UNDECIDED = Progress(finished=False)


def play_on(balance: int) -> Progress:
    return Progress(
        finished=False,
        why=say("Level at %(balance)s: they play on until one is ahead.", balance=balance),
    )


def side_totals(balances: Mapping[Seat, int], sides: Sides) -> tuple[int, ...]:
    """Return each side's balance: of a late pair, that of who played from the beginning."""
    return tuple(max(balances[seat] for seat in side) for side in sides)


class Ends(NamedTuple):
    """A target of points and a number of deals, whichever comes first; None for neither.

    The highest wins then; where the ``lowest`` leads, whoever reaches the target has ended the
    session, and the lowest wins. Level they play on, unless the end may be ``shared``.
    """

    target: int | None = None
    deals: int | None = None
    lowest: bool = False
    shared: bool = False

    def progress(self, tally: Tally, sides: Sides) -> Progress:
        all_played = self.deals is not None and tally.played >= self.deals
        if self.target is None and not all_played:
            return UNDECIDED
        totals = side_totals(tally.balances, sides)
        reached = self.target is not None and max(totals) >= self.target
        if not reached and not all_played:
            return UNDECIDED
        best = min(totals) if self.lowest else max(totals)
        if totals.count(best) > 1 and not self.shared:
            return play_on(best)
        ahead = (side for side, total in zip(sides, totals, strict=True) if total == best)
        winners = tuple(seat for side in ahead for seat in side)
        return Progress(finished=True, winners=winners, why=self._why(reached=reached))

    def _why(self, *, reached: bool) -> Text:
        target = point_count(self.target or 0)
        if reached and self.lowest:
            return say("Somebody has reached %(target)s: the lowest wins.", target=target)
        if reached:
            return say("The target of %(target)s has been reached.", target=target)
        if self.deals == 1:
            return say("The one deal is played.")
        return say("All %(deals)s deals are played.", deals=self.deals)

    @property
    def text(self) -> Text:
        if self.target is not None and self.deals is not None:
            target, deals = point_count(self.target), deal_count(self.deals)
            return say("To %(target)s, or %(deals)s", target=target, deals=deals)
        if self.target is not None:
            return say("To %(target)s", target=point_count(self.target))
        return say("Open end") if self.deals is None else deal_count(self.deals)

    def words(self) -> Iterator[Text]:
        if self.target is not None:
            target = point_count(self.target)
            yield say("It is over once somebody has %(target)s.", target=target)
        if self.deals is not None:
            yield say("It is over after %(deals)s.", deals=deal_count(self.deals))
        if self.target is None and self.deals is None:
            yield say("There is no end: everybody goes home when they like.")
        elif self.lowest:
            yield say("The lowest wins then, and level they play on.")
        else:
            yield say("The highest wins then, and level they play on.")
