"""The least of a deal that still shows something: parts are dropped until none can be.

Who led a trick follows from the tricks before it. That chain is worked out once from the whole
deal, and every trick then stands for itself: a proof need not begin at the first trick.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from scorer.cards.chiamata.deal import CardDeal

    Shows = Callable[[CardDeal], bool]


class PartKind(StrEnum):
    """What can be left out of a deal, in the order in which it is dropped."""

    POINTS = "points"
    PARTNER = "partner"
    AUCTION = "auction"
    DEALER = "dealer"
    HAND = "hand"
    DISCARDS = "discards"
    TRICK = "trick"


class DealPart(NamedTuple):
    """A part of a deal: a trick by its place from 0, a hand or a total by its seat."""

    kind: PartKind
    key: int = 0


PARTNER = DealPart(PartKind.PARTNER)


def parts(deal: CardDeal) -> Iterator[DealPart]:
    """Every part of a deal."""
    yield from (DealPart(PartKind.POINTS, seat) for seat in deal.player_points)
    if deal.claim is not None and (deal.says_partner or deal.claim.partner is not None):
        yield PARTNER
    if deal.auction:
        yield DealPart(PartKind.AUCTION)
    if deal.dealer is not None:
        yield DealPart(PartKind.DEALER)
    yield from (DealPart(PartKind.HAND, seat) for seat in deal.hands)
    if deal.discards is not None:
        yield DealPart(PartKind.DISCARDS)
    for index, trick in enumerate(deal.tricks):
        if trick is not None:
            yield DealPart(PartKind.TRICK, index)


def only(deal: CardDeal, kept: Collection[DealPart]) -> CardDeal:
    """Reduce a deal to some of its parts."""
    said, claim = PARTNER in kept, deal.claim
    if claim is not None and claim.partner is not None and not said:
        claim = replace(claim, partner=None)
    totals, hands, tricks = (
        {part.key for part in kept if part.kind is kind}
        for kind in (PartKind.POINTS, PartKind.HAND, PartKind.TRICK)
    )
    return replace(
        deal,
        dealer=deal.dealer if DealPart(PartKind.DEALER) in kept else None,
        auction=deal.auction if DealPart(PartKind.AUCTION) in kept else (),
        claim=claim,
        says_partner=deal.says_partner and said,
        says_shown=deal.says_shown and said,
        player_points={s: points for s, points in deal.player_points.items() if s in totals},
        hands={seat: hand for seat, hand in deal.hands.items() if seat in hands},
        discards=deal.discards if DealPart(PartKind.DISCARDS) in kept else None,
        tricks=tuple([t if index in tricks else None for index, t in enumerate(deal.tricks)]),
    )


def without(deal: CardDeal, part: DealPart) -> CardDeal:
    """Drop a part of a deal."""
    return only(deal, [other for other in parts(deal) if other != part])


def each_by_itself(deal: CardDeal) -> CardDeal:
    """Write down every leader that is known, so that each trick can stand alone."""
    pairs = zip(deal.tricks, deal.layout.leaders, strict=True)
    tricks = [
        trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
        for trick, leader in pairs
    ]
    return replace(deal, tricks=tuple(tricks))


def irreducible(deal: CardDeal, shows: Shows, *, last: DealPart | None = None) -> CardDeal:
    """Drop parts of a deal one by one, until every part left is needed to show something.

    Tricks with the fewest points are dropped first, later ones before earlier ones. The ``last``
    part is tried after all others.
    """
    whole = each_by_itself(deal)
    left, worths, kinds = whole if shows(whole) else deal, deal.layout.worths, list(PartKind)

    def order(part: DealPart) -> tuple[bool, int, int, int]:
        worth = worths[part.key] if part.kind is PartKind.TRICK else 0
        return part == last, kinds.index(part.kind), worth, -part.key

    before = None
    while before is not left:
        before = left
        for part in sorted(parts(left), key=order):
            smaller = without(left, part)
            left = smaller if shows(smaller) else left
    return left
