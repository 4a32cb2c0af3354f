"""Why something is so in a deal: a proof of it, step by step, in words.

A proof is a selection of the deal's parts that shows something when it is examined by itself, and
that says nothing of the partner, or of who took what, that the whole deal denies. It is
irreducible: without any one of its parts the rest is no proof. Every step names the parts that it
rests on.

A result is proved as early as it was decided. The steps are each trick by who took it, and who the
partner was by whichever trick of the deal tells it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scorer.cards.chiamata import proof_texts
from scorer.cards.chiamata.evidence import taken_with_discards
from scorer.cards.chiamata.minimal_proof import (
    PARTNER,
    PartKind,
    each_by_itself,
    irreducible,
    parts,
    without,
)
from scorer.cards.chiamata.proof_texts import ProofStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorer.cards.chiamata.deal import CardDeal
    from scorer.cards.chiamata.evidence import Evidence
    from scorer.cards.chiamata.minimal_proof import DealPart, Shows
    from scorer.rules.findings import Finding
    from scorer.rules.seats import Seat
    from scorer.texts import Text

    Sentence = Callable[[CardDeal, int], Text | None]


PARTNER_CODES = {"wrong-partner", "not-alone", "called-by-caller"}
ABOUT_THE_SIDE = {"partner", "card_points", "cappotto", "made"}
ABOUT_TRICKS = {"player_points", "card_points", "cappotto", "made"}


class Proof(NamedTuple):
    """Why something is so: the steps, and what follows from them.

    ``deal`` is what is left of the deal as a proof; without any part of it, the rest is none.
    """

    steps: tuple[ProofStep, ...]
    conclusion: ProofStep
    deal: CardDeal


def prove_partner(deal: CardDeal) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    side = deal.evidence.side
    if not side.proved:
        return None

    def shows(smaller: CardDeal) -> bool:
        return smaller.evidence.side == side

    left = irreducible(deal, shows)
    return Proof((), proof_texts.partner(left), left)


def prove_result(deal: CardDeal) -> Proof | None:
    """Prove that the bid was made, or missed; None while that is open.

    What the caller's side has, or can reach, is proved by who the partner was and who took what. It
    goes as far as the trick that decided it: the card points after that are not needed.
    """
    status, known = deal.evidence.status, _believing(deal)
    if status == "open":
        return None

    def shows(smaller: CardDeal) -> bool:
        return smaller.evidence.status == status and _tells_the_same(smaller, known, "made")

    begun = _until_shown(known, shows)
    left = irreducible(begun, shows, last=PARTNER)
    counted = tuple(_tricks(left, proof_texts.counted, parts(left)))
    return _proof(left, (*_sides(deal, left), *counted), proof_texts.reached(left, counted))


def prove_problem(deal: CardDeal, finding: Finding) -> Proof:
    """Prove one of the problems found by the examination."""
    result = prove_result(deal) if finding.code == "wrong-result" else None
    if result is not None:
        return result

    def same(smaller: CardDeal) -> list[Finding]:
        return [one for one in smaller.examined.problems if one[:2] == finding[:2]]

    def shows(smaller: CardDeal) -> bool:
        return _tells_the_same(smaller, deal, finding.where.get("claim")) and bool(same(smaller))

    left = irreducible(deal, shows)
    steps = tuple(_steps(left, finding, shows))
    return _proof(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _tells_the_same(smaller: CardDeal, deal: CardDeal, claim: object) -> bool:
    """Whether a part of a deal agrees with the whole deal, as far as a claim is concerned."""
    if claim in ABOUT_THE_SIDE and not same_partner(smaller, deal):
        return False
    return claim not in ABOUT_TRICKS or same_takers(smaller, deal)


def same_partner(smaller: CardDeal, deal: CardDeal) -> bool:
    """Whether a part of a deal excludes only partners that the whole deal excludes."""
    told, partners = smaller.evidence, deal.evidence.partners
    return told.partners in (None, partners) and _partners(deal.evidence) <= _partners(told)


def _partners(evidence: Evidence) -> set[Seat]:
    """The possible partners (the caller if he may be alone), and the one who is believed."""
    return {*evidence.side.candidates, *(evidence.partners or ())[-1:]}


def same_takers(smaller: CardDeal, deal: CardDeal) -> bool:
    """Whether a part of a deal gives tricks and card points to the same as the whole deal."""
    here, there = smaller.layout, deal.layout
    aside = dict(taken_with_discards(there))
    tricks = zip(here.winners, here.worths, there.winners, there.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    ) and all(points <= aside.get(seat, 0) for seat, points in taken_with_discards(here))


def _conclusion(left: CardDeal, finding: Finding, *, proved: bool) -> Text:
    """The sentence that contradicts the steps: the sheet's claim, or the finding itself."""
    if proved and finding.code in PARTNER_CODES:
        return proof_texts.said(left)
    if finding.code == "points-mismatch":
        names = [finding.where.get("player")]
        return proof_texts.allowed(
            left, [seat for seat in left.player_points if left.table.name(seat) in names]
        )
    return finding.message


def _until_shown(deal: CardDeal, shows: Shows) -> CardDeal:
    """Drop the tricks after the one that decides, unless a card is doubtful."""
    if deal.layout.doubtful:
        return deal
    whole = each_by_itself(deal)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), deal)


def _sides(deal: CardDeal, left: CardDeal) -> Iterator[ProofStep]:
    """The step about the partner, by whichever trick of the whole deal proves it."""
    proof = prove_partner(deal) if PARTNER in parts(left) else None
    if proof is not None:
        yield proof.conclusion
    else:
        yield from _partner(left)


def _proof(left: CardDeal, steps: tuple[ProofStep, ...], conclusion: Text) -> Proof:
    """Put a proof together; the conclusion rests on the parts that no step names."""
    used = {part for step in steps for part in step.parts}
    rest = tuple(part for part in parts(left) if part not in used)
    return Proof(steps, ProofStep(conclusion, rest), left)


def _steps(left: CardDeal, finding: Finding, shows: Shows) -> Iterator[ProofStep]:
    """The steps to a problem; most problems need none."""
    match finding.where.get("claim"):
        case "partner" if left.evidence.side.proved:
            yield from _partner(left)
        case "card_points" | "cappotto":
            sides = tuple(_partner(left))
            yield from sides
            yield from _counted(left, sides, shows)
        case "player_points":
            yield from _tricks(left, proof_texts.counted, parts(left))
        case "called_card" if finding.code == "call-lowest":
            yield from _tricks(left, proof_texts.seen, parts(left))
    if finding.code == "wrong-leader":
        before = [part for part in parts(left) if part.key + 1 != finding.where["trick"]]
        yield from _tricks(left, proof_texts.taken, before)


def _partner(left: CardDeal) -> Iterator[ProofStep]:
    """The step about the partner: proved, or else as the sheet says."""
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in parts(left):
        yield ProofStep(proof_texts.said(left), (PARTNER,))


def _counted(left: CardDeal, sides: tuple[ProofStep, ...], shows: Shows) -> Iterator[ProofStep]:
    """The steps about card points.

    A trick that proves the partner is one of them too, if it is needed even when the partner is
    taken as given.
    """
    told, believed = {part for step in sides for part in step.parts}, _believing(left)
    counting = [
        part for part in parts(left) if part not in told or not shows(without(believed, part))
    ]
    yield from _tricks(left, proof_texts.counted, counting)


def _believing(deal: CardDeal) -> CardDeal:
    """Add the proved partner to the claim."""
    side, claim = deal.evidence.side, deal.record.claim
    if not side.proved:
        return deal
    return replace(deal, claim=replace(claim, partner=side.partner), says_partner=True)


def _tricks(left: CardDeal, sentence: Sentence, among: Iterable[DealPart]) -> Iterator[ProofStep]:
    """A step for each of these tricks that shows anything, and one for the discards."""
    for part in sorted(among, key=lambda part: part.kind is PartKind.DISCARDS):
        text = sentence(left, part.key) if part.kind is PartKind.TRICK else None
        if part.kind is PartKind.DISCARDS and sentence is proof_texts.counted:
            text = proof_texts.laid_aside(left)
        if text is not None:
            yield ProofStep(text, (part,))
