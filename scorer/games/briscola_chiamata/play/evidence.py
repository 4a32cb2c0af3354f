"""The least of a deal that still shows something: every part of it that isn't needed is left out.

Who led a trick follows from the tricks before it. That chain is worked out once from the whole
deal, and every trick then stands for itself: a proof need not begin at the first trick.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING
from typing import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.play.deal import Deal

    Shows = Callable[[Deal], bool]


class Kind(StrEnum):
    """What can be left out of a deal, in the order in which that is tried."""

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


def without(deal: Deal, part: Part) -> Deal:
    """Leave a part of a deal out."""
    match part.kind:
        case Kind.POINTS:
            told = {seat: n for seat, n in deal.player_points.items() if seat != part.key}
            return replace(deal, player_points=told)
        case Kind.PARTNER:
            claim = None if deal.claim is None else replace(deal.claim, partner=None)
            return replace(deal, claim=claim, says_partner=False)
        case Kind.AUCTION:
            return replace(deal, auction=())
        case Kind.DEALER:
            return replace(deal, dealer=None)
        case Kind.HAND:
            return replace(deal, hands={s: h for s, h in deal.hands.items() if s != part.key})
        case Kind.DISCARDS:
            return replace(deal, discards=None)
        case _:
            tricks = [None if i == part.key else trick for i, trick in enumerate(deal.tricks)]
            return replace(deal, tricks=tuple(tricks))


def each_by_itself(deal: Deal) -> Deal:
    """Write to every trick who led it, where that is known and was not written."""
    pairs = zip(deal.tricks, deal.layout.leaders, strict=True)
    tricks = [trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
              for trick, leader in pairs]  # fmt: skip
    return replace(deal, tricks=tuple(tricks))


def least(deal: Deal, shows: Shows) -> Deal:
    """Leave out of a deal whatever it shows something without; of two ways, take the shorter.

    Small tricks are left out before big ones, and late ones before early ones. Where that loses the
    trick with the called card, the other way is to keep it: it may be worth many.
    """
    whole = each_by_itself(deal)
    start, called = whole if shows(whole) else deal, _called_in(deal)
    left = _least(start, shows, frozenset())
    if called <= {part.key for part in parts(left) if part.kind is Kind.TRICK}:
        return left
    other = _least(start, shows, called)
    return min(left, other, key=lambda way: len(list(parts(way))))


def _least(deal: Deal, shows: Shows, keep: frozenset[int]) -> Deal:
    worths, kinds = deal.layout.worths, list(Kind)

    def order(part: Part) -> tuple[bool, int, int, int]:
        trick = part.kind is Kind.TRICK
        worth = worths[part.key] if trick else 0
        return trick and part.key in keep, kinds.index(part.kind), worth, -part.key

    left = None
    while left is not deal:
        left = deal
        for part in sorted(parts(deal), key=order):
            smaller = without(deal, part)
            deal = smaller if shows(smaller) else deal
    return deal


def _called_in(deal: Deal) -> frozenset[int]:
    return frozenset(index for index, _ in deal.layout.places_of(deal.record.called))
