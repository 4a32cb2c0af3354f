"""Proofs of a deal whose sides are known: its result, and where it contradicts the sheet."""

from collections.abc import Callable

from scorer.cards.deal import PartKind
from scorer.cards.proofs import (
    Proof,
    ProofStep,
    counted,
    irreducible,
    proof_of,
    takes_the_same,
    until_shown,
)
from scorer.cards.sides.deal import SidesDeal
from scorer.rules.findings import Finding
from scorer.texts import Text


def prove(deal: SidesDeal) -> list[Proof]:
    """Prove what the deal came to, as early as it was decided; nothing while that is open."""
    result = deal.result
    if result is None:
        return []

    def shows(smaller: SidesDeal) -> bool:
        return smaller.result == result and takes_the_same(smaller, deal)

    left = irreducible(until_shown(deal, shows), shows)
    steps = _tricks(left, counted)
    last = max(number for step in steps for number in step.tricks)
    return [proof_of(left, steps, left.result_text(last))]


def prove_problem(deal: SidesDeal, finding: Finding) -> Proof:

    def shows(smaller: SidesDeal) -> bool:
        return finding in smaller.examined.problems and takes_the_same(smaller, deal)

    left = irreducible(deal, shows)
    about_claim = "claim" in finding.where
    steps = (
        _tricks(left, lambda smaller, index: smaller.trick_words(finding, index))
        if about_claim
        else ()
    )
    return proof_of(left, steps, finding.message)


def _tricks(
    left: SidesDeal, sentence: Callable[[SidesDeal, int], Text | None]
) -> tuple[ProofStep, ...]:
    """A step for each trick that shows anything."""
    tricks = [part for part in left.parts() if part.kind is PartKind.TRICK]
    sentences = [(sentence(left, part.key), part) for part in tricks]
    return tuple(ProofStep(text, (part,)) for text, part in sentences if text is not None)
