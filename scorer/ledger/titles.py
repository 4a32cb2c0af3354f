"""Titles of an evening, such as best partner or comeback, and the deals that they rest on.

A title that more than two people would share is not given.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from scorer.ledger.records import CALLING, DealResult
from scorer.texts import Text, as_it_is, deal_count, say, signed

MOST_TITLES = 5
#: So many people may share a title.
MOST_SHARE = 2
#: Runs shorter than this are not told.
RUN = 3

NAMES = {
    "partner": say("Best partner"),
    "daring": say("Most daring"),
    "collector": say("The tax collector"),
    "alone": say("Alone against all"),
    "donor": say("The benefactor"),
    "calls": say("Unstoppable"),
    "comeback": say("The comeback"),
    "best": say("Deal of the evening"),
    "front": say("Most often in front"),
    "run": say("On a roll"),
    "clean": say("Clean hands"),
    "heaviest": say("The heaviest bill"),
}


class Title(NamedTuple):
    """A title of one or two people, its deals, and a figure where one deal says too little."""

    kind: str
    seats: tuple[int, ...]
    deals: tuple[int, ...]
    figure: Text | None


class TitledEvening(NamedTuple):
    """A session in which to find titles.

    ``opening`` has the balances brought in, by the first seat of each side, ``heights`` the rank of
    each bid, ``won`` who won each deal that was contested. ``counted`` points have no plus.
    """

    deals: Sequence[DealResult]
    opening: Mapping[int, int]
    heights: Mapping[str, tuple[int, int]]
    won: Mapping[int, Collection[int]]
    lowest_leads: bool = False
    counted: bool = False


def titles(evening: TitledEvening) -> list[Title]:
    """Choose up to five titles, preferring those whose holders have none yet."""
    candidates = list(_of_lowest(evening) if evening.lowest_leads else _of_highest(evening))
    first: list[Title] = []
    rest: list[Title] = []
    holders: set[int] = set()
    for title in candidates:
        (rest if holders & set(title.seats) else first).append(title)
        holders |= set(title.seats)
    chosen = [*first, *rest][:MOST_TITLES]
    return [title for title in candidates if title in chosen]


def _of_highest(evening: TitledEvening) -> Iterator[Title]:
    played = [deal for deal in evening.deals if not deal.penalty and deal.made is not None]
    yield from _rate("partner", _with_role(played, ("partner",)), least=2)
    yield from _daring(played, evening.heights)
    yield from _collector(played)
    yield from _rate("alone", _with_role(played, ("alone",)), least=1)
    calls = _with_role(played, CALLING)
    yield from _donor(calls)
    made = {seat: [(deal.number, bool(deal.made)) for deal in own] for seat, own in calls.items()}
    yield from _longest_run("calls", made)
    yield from _comeback(evening)
    yield from _largest("best", evening)
    yield from _front(evening)
    if not any(deal.roles for deal in evening.deals):
        yield from _longest_run("run", _each_deal(evening, lambda _, won: won))


def _of_lowest(evening: TitledEvening) -> Iterator[Title]:
    # Who comes back in is paid less than nothing, too, without having won.
    clean = _each_deal(evening, lambda amount, won: not amount or (amount < 0 and won))
    spared = {seat: [number for number, yes in deals if yes] for seat, deals in clean.items()}
    counts = {seat: len(numbers) for seat, numbers in spared.items()}
    mostly = {seat: n for seat, n in counts.items() if 2 * n >= len(clean[seat])}
    for seats in _best(mostly, least=1):
        figure = say(
            "nothing to pay in %(count)s of %(deals)s",
            count=counts[seats[0]],
            deals=deal_count(len(clean[seats[0]])),
        )
        yield Title("clean", seats, _all(spared, seats), figure)
    yield from _largest("heaviest", evening)
    yield from _front(evening)


def _with_role(deals: Iterable[DealResult], roles: Collection[str]) -> dict[int, list[DealResult]]:
    by_seat: defaultdict[int, list[DealResult]] = defaultdict(list)
    for deal in deals:
        for seat, role in deal.roles.items():
            if role in roles:
                by_seat[seat].append(deal)
    return by_seat


def _rate(kind: str, parts: Mapping[int, Sequence[DealResult]], *, least: int) -> Iterator[Title]:
    """Yield the title for the highest share of deals made in a part, then for the most deals."""
    made = {seat: [deal.number for deal in own if deal.made] for seat, own in parts.items()}
    rates = {
        seat: (Fraction(len(made[seat]), len(own)), len(own))
        for seat, own in parts.items()
        if len(made[seat]) >= least
    }
    for seats in _best(rates):
        first = seats[0]
        count = say("%(made)s of %(deals)s made", made=len(made[first]), deals=len(parts[first]))
        yield Title(kind, seats, _all(made, seats), count)


def _daring(deals: Iterable[DealResult], heights: Mapping[str, tuple[int, int]]) -> Iterator[Title]:
    """Yield the title for the highest bid; of equal ones to one that was made, then the first."""
    bids = [
        (heights[deal.bid or ""], bool(deal.made), -deal.number, seat)
        for deal in deals
        if deal.bid in heights
        for seat, role in deal.roles.items()
        if role in CALLING
    ]
    if bids:
        _, _, number, seat = max(bids)
        yield Title("daring", (seat,), (-number,), None)


def _collector(deals: Iterable[DealResult]) -> Iterator[Title]:
    """Yield the title for the most points as a defender."""
    sums: Counter[int] = Counter()
    got: defaultdict[int, list[int]] = defaultdict(list)
    for deal in deals:
        for seat, amount in deal.payouts.items():
            if deal.roles and seat not in deal.roles:
                sums[seat] += amount
                got[seat] += [deal.number] if amount > 0 else []
    for seats in _best(sums, least=1):
        figure = say("%(points)s as a defender", points=signed(sums[seats[0]]))
        yield Title("collector", seats, _all(got, seats), figure)


def _donor(calls: Mapping[int, Sequence[DealResult]]) -> Iterator[Title]:
    """Yield the title for the most points paid for missed calls."""
    missed = {seat: [deal for deal in own if not deal.made] for seat, own in calls.items()}
    paid = {seat: -sum(deal.payouts[seat] for deal in own) for seat, own in missed.items()}
    for seats in _best(paid, least=1):
        figure = say("%(points)s from bids missed as the caller", points=signed(-paid[seats[0]]))
        numbers = {seat: [deal.number for deal in missed[seat]] for seat in seats}
        yield Title("donor", seats, _all(numbers, seats), figure)


def _longest_run(kind: str, deals: Mapping[int, Sequence[tuple[int, bool]]]) -> Iterator[Title]:
    longest: dict[int, list[int]] = {}
    for seat, own in deals.items():
        run: list[int] = []
        longest[seat] = run
        for number, yes in own:
            run = [*run, number] if yes else []
            longest[seat] = max(longest[seat], run, key=len)
    for seats in _best({seat: len(run) for seat, run in longest.items()}, least=RUN):
        length = len(longest[seats[0]])
        figure = say("%(count)s deals won in a row", count=length)
        if kind == "calls":
            figure = say("%(count)s calls made in a row", count=length)
        yield Title(kind, seats, _all(longest, seats), figure)


def _comeback(evening: TitledEvening) -> Iterator[Title]:
    """Yield the title for the longest climb from below zero to the last balance."""
    numbers = [deal.number for deal in evening.deals]
    climbed, lowest = {}, {}
    for seat, run in _running(evening).items():
        at = min(range(len(run)), key=run.__getitem__)
        if run[at] < 0 < run[-1]:
            climbed[seat], lowest[seat] = run[-1] - run[at], at
    for seats in _best(climbed):
        run, at = _running(evening)[seats[0]], lowest[seats[0]]
        figure = say("from %(low)s to %(end)s", low=signed(run[at]), end=signed(run[-1]))
        since = numbers[max(at - 1, 0)]
        yield Title("comeback", seats, (since, numbers[-1]), figure)


def _largest(kind: str, evening: TitledEvening) -> Iterator[Title]:
    """Yield the title for the highest payout of one deal, the first of equal ones."""
    paid = [
        (amount, -deal.number, seat)
        for deal in evening.deals
        if not deal.penalty
        for seat, amount in deal.payouts.items()
        if seat in evening.opening
    ]
    if paid and max(paid)[0] > 0:
        amount, number, _ = max(paid)
        same = [seat for other, deal, seat in paid if (other, deal) == (amount, number)]
        if len(same) <= MOST_SHARE:
            figure = as_it_is(signed(amount, burden=evening.lowest_leads or evening.counted))
            yield Title(kind, tuple(same), (-number,), figure)


def _front(evening: TitledEvening) -> Iterator[Title]:
    """Yield the title for leading alone after the most deals."""
    ahead: defaultdict[int, list[int]] = defaultdict(list)
    sign = -1 if evening.lowest_leads else 1
    runs = {seat: run[1:] for seat, run in _running(evening).items()}
    for place, deal in enumerate(evening.deals):
        ranked = sorted((sign * run[place], seat) for seat, run in runs.items())
        (second, _), (best, seat) = ranked[-2:]
        ahead[seat] += [deal.number] if best > second else []
    for seats in _best({seat: len(numbers) for seat, numbers in ahead.items()}, least=RUN):
        figure = say(
            "in the lead after %(count)s of %(deals)s deals",
            count=len(ahead[seats[0]]),
            deals=len(evening.deals),
        )
        yield Title("front", seats, _all(ahead, seats), figure)


def _running(evening: TitledEvening) -> dict[int, list[int]]:
    """Return the running balance of each side, beginning with what was brought in."""
    running = {}
    for seat, brought in evening.opening.items():
        paid = (deal.payouts.get(seat, 0) for deal in evening.deals)
        running[seat] = [*accumulate(paid, initial=brought)]
    return running


def _each_deal(
    evening: TitledEvening, wanted: Callable[[int, bool], bool]
) -> dict[int, list[tuple[int, bool]]]:
    """Return for each side the numbers of its contested deals, and whether each is wanted.

    ``wanted`` takes what the deal paid the side, and whether the side won it.
    """
    return {
        seat: [
            (deal.number, wanted(deal.payouts[seat], seat in evening.won[deal.number]))
            for deal in evening.deals
            if seat in deal.payouts and deal.number in evening.won
        ]
        for seat in evening.opening
    }


def _best(measures: Mapping[int, Any], least: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield those with the highest measure, if they are few and it is at least ``least``."""
    most = max(measures.values(), default=0)
    seats = tuple(sorted(seat for seat, measure in measures.items() if measure == most))
    if 0 < len(seats) <= MOST_SHARE and (not least or most >= least):
        yield seats


def _all(deals: Mapping[int, Sequence[int]], seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({number for seat in seats for number in deals[seat]}))
