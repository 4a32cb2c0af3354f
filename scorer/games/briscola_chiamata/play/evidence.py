"""The least of a deal that still shows something: of all selections of its parts a smallest one.

Who led a trick follows from the tricks before it. That chain is worked out once from the whole
deal, and every trick then stands for itself: a proof need not begin at the first trick.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scorer.games.briscola_chiamata.play.examining import laid_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from scorer.games.briscola_chiamata.play.deal import Deal
    from scorer.games.briscola_chiamata.play.examining import Evidence
    from scorer.rules.seats import Seat

    Shows = Callable[[Deal], bool]

MOST_LOOKS = 4_000


class Kind(StrEnum):
    """What can be left out of a deal, first what is best left out."""

    POINTS = "points"
    PARTNER = "partner"
    AUCTION = "auction"
    DEALER = "dealer"
    HAND = "hand"
    DISCARDS = "discards"
    TRICK = "trick"


class Part(NamedTuple):
    """A part of a deal: a trick by its place from 0, a hand or a total by its seat."""

    kind: Kind
    key: int = 0


class Need(NamedTuple):
    """What every selection must have that shows something: parts, of at least so much weight."""

    weights: Mapping[Part, int]
    least: int


def parts(deal: Deal) -> Iterator[Part]:
    """Every part of a deal."""
    yield from (Part(Kind.POINTS, seat) for seat in deal.player_points)
    if deal.claim is not None and (deal.says_partner or deal.claim.partner is not None):
        yield Part(Kind.PARTNER)
    if deal.auction:
        yield Part(Kind.AUCTION)
    if deal.dealer is not None:
        yield Part(Kind.DEALER)
    yield from (Part(Kind.HAND, seat) for seat in deal.hands)
    if deal.discards is not None:
        yield Part(Kind.DISCARDS)
    yield from (Part(Kind.TRICK, i) for i, trick in enumerate(deal.tricks) if trick is not None)


def only(deal: Deal, kept: Collection[Part]) -> Deal:
    """Leave of a deal nothing but some of its parts."""
    said, claim = Part(Kind.PARTNER) in kept, deal.claim
    if claim is not None and claim.partner is not None and not said:
        claim = replace(claim, partner=None)
    totals, hands, tricks = (_keys(kept, kind) for kind in (Kind.POINTS, Kind.HAND, Kind.TRICK))
    return replace(
        deal,
        dealer=deal.dealer if Part(Kind.DEALER) in kept else None,
        auction=deal.auction if Part(Kind.AUCTION) in kept else (),
        claim=claim,
        says_partner=deal.says_partner and said,
        says_shown=deal.says_shown and said,
        player_points={s: points for s, points in deal.player_points.items() if s in totals},
        hands={seat: hand for seat, hand in deal.hands.items() if seat in hands},
        discards=deal.discards if Part(Kind.DISCARDS) in kept else None,
        tricks=tuple([t if index in tricks else None for index, t in enumerate(deal.tricks)]),
    )


def _keys(kept: Collection[Part], kind: Kind) -> set[int]:
    return {part.key for part in kept if part.kind is kind}


def without(deal: Deal, part: Part) -> Deal:
    """Leave a part of a deal out."""
    return only(deal, [other for other in parts(deal) if other != part])


def each_by_itself(deal: Deal) -> Deal:
    """Write to every trick who led it, where that is known and was not written."""
    pairs = zip(deal.tricks, deal.layout.leaders, strict=True)
    tricks = [
        trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
        for trick, leader in pairs
    ]
    return replace(deal, tricks=tuple(tricks))


def same_partner(smaller: Deal, deal: Deal) -> bool:
    """Whether a part of a deal excludes nobody as the partner whom the whole deal doesn't."""
    told, partners = smaller.evidence, deal.evidence.partners
    return told.partners in (None, partners) and _partners(deal.evidence) <= _partners(told)


def _partners(evidence: Evidence) -> set[Seat]:
    """Who may be the partner, the caller if he may be alone; and who is believed to be."""
    return {*evidence.side.candidates, *(evidence.partners or ())[-1:]}


def same_takers(smaller: Deal, deal: Deal) -> bool:
    """Whether a part of a deal gives nobody a trick, or card points in it, that others may have."""
    here, there = smaller.layout, deal.layout
    aside = dict(laid_aside(there))
    tricks = zip(here.winners, here.worths, there.winners, there.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    ) and all(points <= aside.get(seat, 0) for seat, points in laid_aside(here))


def least(
    deal: Deal, shows: Shows, needs: Sequence[Need] = (), prefers: Shows = lambda _: True
) -> Deal:
    """Give of a deal as few parts as show something.

    The selections of its parts are tried, the small ones first, but for those that can't show it:
    they lack what it ``needs``. Of two that are equally small the preferred one is given, or else
    the one with the bigger and earlier tricks. Where faults of the record leave no end to
    looking, it is made smaller part by part, until nothing more can be left out.
    """
    whole = each_by_itself(deal)
    start = whole if shows(whole) else deal
    order, looks = _in_order(start), iter(range(MOST_LOOKS))
    rows = [(need.least, [need.weights.get(part, 0) for part in order]) for need in needs]
    for size in range(len(order) + 1):
        showing = (
            smaller
            for kept in _selections(order, size, rows, looks)
            if shows(smaller := only(start, kept))
        )
        first = next(showing, None)
        if first is not None:
            return next(filter(prefers, chain([first], showing)), first)
    return _irreducible(start, shows)


def _selections(
    order: Sequence[Part],
    size: int,
    needs: Sequence[tuple[int, Sequence[int]]],
    looks: Iterator[int],
) -> Iterator[tuple[Part, ...]]:
    """Give every selection of so many parts that has what is needed, while there are looks left.

    Each need is the least weight, and the weights of the parts in their order.
    """
    if next(looks, None) is None or any(
        least > sum(sorted(row, reverse=True)[:size]) for least, row in needs
    ):
        return
    if size == 0:
        yield ()
    elif order:
        head, *rest = order
        beside = [(least - row[0], row[1:]) for least, row in needs]
        for others in _selections(rest, size - 1, beside, looks):
            yield (head, *others)
        yield from _selections(rest, size, [(least, row[1:]) for least, row in needs], looks)


def _in_order(deal: Deal) -> list[Part]:
    """The parts of a deal, those first that are the last to be left out."""
    worths, kinds = deal.layout.worths, list(Kind)

    def order(part: Part) -> tuple[int, int, int]:
        worth = worths[part.key] if part.kind is Kind.TRICK else 0
        return kinds.index(part.kind), worth, -part.key

    return sorted(parts(deal), key=order, reverse=True)


def _irreducible(deal: Deal, shows: Shows) -> Deal:
    """Leave out of a deal, one by one, whatever it shows something without."""
    left = None
    while left is not deal:
        left = deal
        for part in reversed(_in_order(deal)):
            smaller = without(deal, part)
            deal = smaller if shows(smaller) else deal
    return deal
