"""Why something is so in a deal: a proof of it, step by step, in words.

A proof is a selection of the deal's parts that shows something when it is examined by itself, and
that says nothing of the partner, or of who took what, that the whole deal denies. It is
irreducible: without any one of its parts the rest is no proof. Every step names the parts that it
rests on.

Who led a trick follows from the tricks before it. That chain is worked out once from the whole
deal, so that a proof need not begin at the first trick. A result is proved as early as it was
decided. The steps are each trick by who took it, and who the partner was by whichever trick of the
deal tells it.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from scorer.cards.chiamata import proof_texts
from scorer.cards.chiamata.evidence import taken_with_discards

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from scorer.cards.chiamata.deal import ChiamataDeal
    from scorer.cards.chiamata.evidence import Evidence
    from scorer.rules.findings import Finding
    from scorer.rules.seats import Seat
    from scorer.texts import Text

    Shows = Callable[[ChiamataDeal], bool]
    Sentence = Callable[[ChiamataDeal, int], Text | None]


PARTNER_CODES = {"wrong-partner", "not-alone", "called-by-caller"}
ABOUT_THE_SIDE = {"partner", "card_points", "cappotto", "made"}
ABOUT_TRICKS = {"player_points", "card_points", "cappotto", "made"}


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


class ProofStep(NamedTuple):
    """One step of a proof: a sentence, and the parts of the deal that it rests on."""

    text: Text
    parts: tuple[DealPart, ...] = ()

    @property
    def tricks(self) -> list[int]:
        """The numbers of the tricks that it rests on, from 1."""
        return [part.key + 1 for part in self.parts if part.kind is PartKind.TRICK]


class Proof(NamedTuple):
    """Why something is so: the steps, and what follows from them.

    ``deal`` is what is left of the deal as a proof; without any part of it, the rest is none.
    """

    steps: tuple[ProofStep, ...]
    conclusion: ProofStep
    deal: ChiamataDeal


def prove_partner(deal: ChiamataDeal) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    side = deal.evidence.side
    if not side.proved:
        return None

    def shows(smaller: ChiamataDeal) -> bool:
        return smaller.evidence.side == side

    left = irreducible(deal, shows)
    return Proof((), ProofStep(proof_texts.partner(left), tuple(parts(left))), left)


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

    begun = _until_shown(known, shows)
    left = irreducible(begun, shows, last=PARTNER)
    counted = tuple(_tricks(left, proof_texts.counted, parts(left)))
    last = max((number for step in counted for number in step.tricks), default=0)
    conclusion = proof_texts.reached(left, last if counted else None)
    return _proof(left, (*_sides(deal, left), *counted), conclusion)


def prove_problem(deal: ChiamataDeal, finding: Finding) -> Proof:
    """Prove one of the problems found by the examination."""
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
    return _proof(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _tells_the_same(smaller: ChiamataDeal, deal: ChiamataDeal, claim: object) -> bool:
    """Whether a part of a deal agrees with the whole deal, as far as a claim is concerned."""
    if claim in ABOUT_THE_SIDE and not same_partner(smaller, deal):
        return False
    return claim not in ABOUT_TRICKS or same_takers(smaller, deal)


def same_partner(smaller: ChiamataDeal, deal: ChiamataDeal) -> bool:
    """Whether a part of a deal excludes only partners that the whole deal excludes."""
    told, partners = smaller.evidence, deal.evidence.partners
    return told.partners in (None, partners) and _partners(deal.evidence) <= _partners(told)


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
    here, there = smaller.layout, deal.layout
    aside = dict(taken_with_discards(there))
    tricks = zip(here.winners, here.worths, there.winners, there.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    ) and all(points <= aside.get(seat, 0) for seat, points in taken_with_discards(here))


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


def _until_shown(deal: ChiamataDeal, shows: Shows) -> ChiamataDeal:
    """Drop the tricks after the one that decides, unless a card is doubtful."""
    if deal.layout.doubtful:
        return deal
    whole = each_by_itself(deal)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), deal)


def _sides(deal: ChiamataDeal, left: ChiamataDeal) -> Iterator[ProofStep]:
    """The step about the partner, by whichever trick of the whole deal proves it."""
    proof = prove_partner(deal) if PARTNER in parts(left) else None
    if proof is not None:
        yield proof.conclusion
    else:
        yield from _partner(left)


def _proof(left: ChiamataDeal, steps: tuple[ProofStep, ...], conclusion: Text) -> Proof:
    """Put a proof together; the conclusion rests on the parts that no step names."""
    used = {part for step in steps for part in step.parts}
    rest = tuple(part for part in parts(left) if part not in used)
    return Proof(steps, ProofStep(conclusion, rest), left)


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
            yield from _tricks(left, proof_texts.counted, parts(left))
        case "called_card" if finding.code == "call-lowest":
            yield from _tricks(left, proof_texts.seen, parts(left))
    if finding.code == "wrong-leader":
        before = [part for part in parts(left) if part.key + 1 != finding.where["trick"]]
        yield from _tricks(left, proof_texts.taken, before)


def _partner(left: ChiamataDeal) -> Iterator[ProofStep]:
    """The step about the partner: proved, or else as the sheet says."""
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in parts(left):
        yield ProofStep(proof_texts.said(left), (PARTNER,))


def _counted(left: ChiamataDeal, sides: tuple[ProofStep, ...], shows: Shows) -> Iterator[ProofStep]:
    """The steps about card points.

    A trick that proves the partner is one of them too, if it is needed even when the partner is
    taken as given.
    """
    told, believed = {part for step in sides for part in step.parts}, _believing(left)
    counting = [
        part for part in parts(left) if part not in told or not shows(without(believed, part))
    ]
    yield from _tricks(left, proof_texts.counted, counting)


def _believing(deal: ChiamataDeal) -> ChiamataDeal:
    """Add the proved partner to the claim."""
    side, claim = deal.evidence.side, deal.record.claim
    if not side.proved:
        return deal
    return replace(deal, claim=replace(claim, partner=side.partner), says_partner=True)


def _tricks(
    left: ChiamataDeal, sentence: Sentence, among: Iterable[DealPart]
) -> Iterator[ProofStep]:
    """A step for each of these tricks that shows anything, and one for the discards."""
    for part in sorted(among, key=lambda part: part.kind is PartKind.DISCARDS):
        text = sentence(left, part.key) if part.kind is PartKind.TRICK else None
        if part.kind is PartKind.DISCARDS and sentence is proof_texts.counted:
            text = proof_texts.laid_aside(left)
        if text is not None:
            yield ProofStep(text, (part,))


def parts(deal: ChiamataDeal) -> Iterator[DealPart]:
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


def only(deal: ChiamataDeal, kept: Collection[DealPart]) -> ChiamataDeal:
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


def without(deal: ChiamataDeal, part: DealPart) -> ChiamataDeal:
    """Drop a part of a deal."""
    return only(deal, [other for other in parts(deal) if other != part])


def each_by_itself(deal: ChiamataDeal) -> ChiamataDeal:
    """Write down every leader that is known, so that each trick can stand alone."""
    pairs = zip(deal.tricks, deal.layout.leaders, strict=True)
    tricks = [
        trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
        for trick, leader in pairs
    ]
    return replace(deal, tricks=tuple(tricks))


def irreducible(deal: ChiamataDeal, shows: Shows, *, last: DealPart | None = None) -> ChiamataDeal:
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
