"""Proofs about a deal of any trick game: the smallest set of parts that shows something.

A proof is a selection of the deal's parts that shows something when examined by itself, and no
longer without any one of them. Every step names the parts that it rests on.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from scorer.cards.deal import CardDeal, DealPart, PartKind
from scorer.texts import Text, say

D = TypeVar("D", bound=CardDeal)


class ProofStep(NamedTuple):
    """One step of a proof: a sentence, and the parts of the deal that it rests on."""

    text: Text
    parts: tuple[DealPart, ...] = ()

    @property
    def tricks(self) -> list[int]:
        """The numbers of the tricks that it rests on, from 1."""
        return [part.key + 1 for part in self.parts if part.kind is PartKind.TRICK]


class Proof(NamedTuple):
    """Why something is so: the steps, what follows, and the parts of the deal that it needs."""

    steps: tuple[ProofStep, ...]
    conclusion: ProofStep
    deal: Any


def proof_of(left: CardDeal, steps: tuple[ProofStep, ...], conclusion: Text) -> Proof:
    """Return a proof; its conclusion rests on the parts that no step names."""
    used = {part for step in steps for part in step.parts}
    rest = tuple(part for part in left.parts() if part not in used)
    return Proof(steps, ProofStep(conclusion, rest), left)


def counted(deal: CardDeal, index: int) -> Text | None:
    """Return a sentence about who took the card points of a trick; None if that is unknown."""
    winner = deal.layout.winners[index]
    if winner is None:
        return None
    return say(
        "Trick %(trick)s: %(points)s card points for %(name)s.",
        trick=index + 1,
        points=deal.worth_text(deal.layout.worths[index]),
        name=deal.table.name(winner),
    )


def takes_the_same(smaller: CardDeal, deal: CardDeal) -> bool:
    """Whether part of a deal gives tricks and card points to the same players as all of it."""
    here, there = smaller.layout, deal.layout
    tricks = zip(here.winners, here.worths, there.winners, there.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    )


def each_by_itself(deal: D) -> D:
    """Return the deal with every known leader written down, so that no trick depends on another."""
    pairs = zip(deal.tricks, deal.layout.leaders, strict=True)
    tricks = [
        trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
        for trick, leader in pairs
    ]
    return replace(deal, tricks=tuple(tricks))


def until_shown(deal: D, shows: Callable[[D], bool]) -> D:
    """Return the deal without the tricks after the deciding one, unless a card is doubtful."""
    if deal.layout.doubtful:
        return deal
    whole = each_by_itself(deal)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), deal)


def irreducible(deal: D, shows: Callable[[D], bool], *, last: DealPart | None = None) -> D:
    """Return a smallest part of the deal for which ``shows`` holds.

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
        for part in sorted(left.parts(), key=order):
            smaller = left.without(part)
            left = smaller if shows(smaller) else left
    return left
