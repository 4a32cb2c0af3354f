"""How a session ends: at a target, after a number of deals, or when the people go home."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from scorer.rules.seats import Seat
from scorer.rules.sheet import Ask, Choice, Reading
from scorer.texts import Text, deal_count, point_count, say

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


def can_end(rule: SessionEnd) -> bool:
    return rule.end in {MatchEnd.TARGET, MatchEnd.DEALS}


def turn_minutes(rule: SessionEnd) -> int | None:
    """Return an hour, the turn that a source has (rules.md K23), where the clock ends the session.

    >>> turn_minutes(SessionEnd(MatchEnd.TIME)), turn_minutes(SessionEnd())
    (60, None)
    """
    return AN_HOUR if rule.end is MatchEnd.TIME else None


def target_reached(target: int) -> Text:
    return say("The target of %(target)s has been reached.", target=point_count(target))


def deals_played(deals: int) -> Text:
    if deals == 1:
        return say("The one deal is played.")
    return say("All %(deals)s deals are played.", deals=deals)


def progress(tally: Tally, rule: SessionEnd) -> Progress:
    """Return whether the session is over; the highest wins, and a tie is played on or shared."""
    best = max(tally.balances.values())
    if rule.end is MatchEnd.TARGET and rule.target is not None and best >= rule.target:
        why = target_reached(rule.target)
    elif rule.end is MatchEnd.DEALS and rule.deals is not None and tally.played >= rule.deals:
        why = deals_played(rule.deals)
    else:
        return UNDECIDED
    leaders = tuple(seat for seat, balance in tally.balances.items() if balance == best)
    if len(leaders) > 1 and rule.tie is Tie.PLAY_ON:
        return play_on(best)
    return Progress(finished=True, winners=leaders, why=why)


def end_text(rule: SessionEnd) -> Text:
    match rule.end:
        case MatchEnd.TARGET:
            return say("To %(target)s", target=point_count(rule.target or 0))
        case MatchEnd.DEALS:
            return deal_count(rule.deals or 0)
        case _:
            return rule.end.words
