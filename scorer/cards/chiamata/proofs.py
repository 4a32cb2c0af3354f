"""Proofs of a deal of Briscola Chiamata: who the partner was, the result, every problem.

What is left of a deal as a proof says nothing of the partner, or of who took what, that the whole
deal denies. Who led each trick is worked out once from the whole deal, so that a proof need not
begin at the first trick. A result is proved as early as it was decided.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from scorer.cards.chiamata import proof_texts
from scorer.cards.chiamata.deal import PARTNER, ChiamataDeal
from scorer.cards.chiamata.evidence import Evidence, taken_with_discards
from scorer.cards.deal import DealPart, PartKind
from scorer.cards.proofs import (
    Proof,
    ProofStep,
    counted,
    irreducible,
    proof_of,
    takes_the_same,
    until_shown,
)
from scorer.rules.findings import Finding
from scorer.rules.seats import Seat
from scorer.texts import Text

Shows = Callable[[ChiamataDeal], bool]
Sentence = Callable[[ChiamataDeal, int], Text | None]


PARTNER_CODES = {"wrong-partner", "not-alone", "called-by-caller"}
ABOUT_THE_SIDE = {"partner", "card_points", "cappotto", "made"}
ABOUT_TRICKS = {"player_points", "card_points", "cappotto", "made"}


def prove(deal: ChiamataDeal) -> list[Proof]:
    """Prove who the partner was, and the result; the first only where the second doesn't say it."""
    partner, result = prove_partner(deal), prove_result(deal)
    known = partner is not None and result is not None and partner.conclusion in result.steps
    return [proof for proof in (None if known else partner, result) if proof is not None]


def prove_partner(deal: ChiamataDeal) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    side = deal.evidence.side
    if not side.proved:
        return None

    def shows(smaller: ChiamataDeal) -> bool:
        return smaller.evidence.side == side

    left = irreducible(deal, shows)
    return Proof((), ProofStep(proof_texts.partner(left), tuple(left.parts())), left)


def prove_result(deal: ChiamataDeal) -> Proof | None:
    """Prove that the bid was made, or missed; None while that is open.

    What the caller's side has, or can reach, is proved by who the partner was and who took what. It
    goes as far as the trick that decided it: the card points after that are not needed.
    """
    status, known = deal.evidence.status, _believing(deal)
    if status == "open":
        return None

    def shows(smaller: ChiamataDeal) -> bool:
        return smaller.evidence.status == status and _tells_the_same(smaller, known, "made")

    begun = until_shown(known, shows)
    left = irreducible(begun, shows, last=PARTNER)
    steps = tuple(_tricks(left, counted, left.parts()))
    last = max((number for step in steps for number in step.tricks), default=0)
    conclusion = proof_texts.reached(left, last if steps else None, deal)
    return proof_of(left, (*_sides(deal, left), *steps), conclusion)


def prove_problem(deal: ChiamataDeal, finding: Finding) -> Proof:
    result = prove_result(deal) if finding.code == "wrong-result" else None
    if result is not None:
        return result

    def same(smaller: ChiamataDeal) -> list[Finding]:
        return [one for one in smaller.examined.problems if one[:2] == finding[:2]]

    def shows(smaller: ChiamataDeal) -> bool:
        return (
            _tells_the_same(smaller, deal, finding.where.get("claim"))
            and bool(same(smaller))
            and counts_as_exactly(smaller, deal, finding)
        )

    left = irreducible(deal, shows)
    steps = tuple(_steps(left, finding, shows))
    return proof_of(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _tells_the_same(smaller: ChiamataDeal, deal: ChiamataDeal, claim: object) -> bool:
    """Whether a part of a deal agrees with the whole deal, as far as a claim is concerned."""
    if claim in ABOUT_THE_SIDE and not same_partner(smaller, deal):
        return False
    return claim not in ABOUT_TRICKS or same_takers(smaller, deal)


def same_partner(smaller: ChiamataDeal, deal: ChiamataDeal) -> bool:
    """Whether a part of a deal excludes only partners that the whole deal excludes."""
    part, partners = smaller.evidence, deal.evidence.partners
    return part.partners in (None, partners) and _partners(deal.evidence) <= _partners(part)


def counts_as_exactly(smaller: ChiamataDeal, deal: ChiamataDeal, finding: Finding) -> bool:
    """Whether a part of a deal tells the side's total exactly, where that is wrong and known."""
    low, high = deal.evidence.bounds
    if finding.code != "points-mismatch" or "player" in finding.where or low < high:
        return True
    return smaller.evidence.bounds == (low, high)


def _partners(evidence: Evidence) -> set[Seat]:
    """The possible partners (the caller if he may be alone), and the one who is believed."""
    return {*evidence.side.candidates, *(evidence.partners or ())[-1:]}


def same_takers(smaller: ChiamataDeal, deal: ChiamataDeal) -> bool:
    """Whether a part of a deal gives tricks and card points to the same as the whole deal."""
    aside = dict(taken_with_discards(deal.layout))
    taken = taken_with_discards(smaller.layout)
    return takes_the_same(smaller, deal) and all(
        points <= aside.get(seat, 0) for seat, points in taken
    )


def _conclusion(left: ChiamataDeal, finding: Finding, *, proved: bool) -> Text:
    """The sentence that contradicts the steps: the sheet's claim, or the finding itself."""
    if proved and finding.code in PARTNER_CODES:
        return proof_texts.said(left)
    if finding.code == "points-mismatch":
        names = [finding.where.get("player")]
        return proof_texts.allowed(
            left, [seat for seat in left.player_points if left.table.name(seat) in names]
        )
    return finding.message


def _sides(deal: ChiamataDeal, left: ChiamataDeal) -> Iterator[ProofStep]:
    """The step about the partner, by whichever trick of the whole deal proves it."""
    proof = prove_partner(deal) if PARTNER in left.parts() else None
    if proof is not None:
        yield proof.conclusion
    else:
        yield from _partner(left)


def _steps(left: ChiamataDeal, finding: Finding, shows: Shows) -> Iterator[ProofStep]:
    """The steps to a problem; most problems need none."""
    match finding.where.get("claim"):
        case "partner" if left.evidence.side.proved:
            yield from _partner(left)
        case "card_points" | "cappotto":
            sides = tuple(_partner(left))
            yield from sides
            yield from _counted(left, sides, shows)
        case "player_points":
            yield from _tricks(left, counted, left.parts())
        case "called_card" if finding.code == "call-lowest":
            yield from _tricks(left, proof_texts.seen, left.parts())
    if finding.code == "wrong-leader":
        before = [part for part in left.parts() if part.key + 1 != finding.where["trick"]]
        yield from _tricks(left, proof_texts.taken, before)


def _partner(left: ChiamataDeal) -> Iterator[ProofStep]:
    """The step about the partner: proved, or else as the sheet says."""
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in left.parts():
        yield ProofStep(proof_texts.said(left), (PARTNER,))


def _counted(left: ChiamataDeal, sides: tuple[ProofStep, ...], shows: Shows) -> Iterator[ProofStep]:
    """The steps about card points.

    A trick that proves the partner is one of them too, if it is needed even when the partner is
    taken as given.
    """
    used, believed = {part for step in sides for part in step.parts}, _believing(left)
    counting = [
        part for part in left.parts() if part not in used or not shows(believed.without(part))
    ]
    yield from _tricks(left, counted, counting)


def _believing(deal: ChiamataDeal) -> ChiamataDeal:
    """Add the proved partner to the claim."""
    side, claim = deal.evidence.side, deal.record.claim
    if not side.proved:
        return deal
    return replace(deal, claim=replace(claim, partner=side.partner))


def _tricks(
    left: ChiamataDeal, sentence: Sentence, among: Iterable[DealPart]
) -> Iterator[ProofStep]:
    """A step for each of these tricks that shows anything, and one for the discards."""
    for part in sorted(among, key=lambda part: part.kind is PartKind.DISCARDS):
        text = sentence(left, part.key) if part.kind is PartKind.TRICK else None
        if part.kind is PartKind.DISCARDS and sentence is counted:
            text = proof_texts.laid_aside(left)
        if text is not None:
            yield ProofStep(text, (part,))
