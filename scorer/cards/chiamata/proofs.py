"""Proofs of a deal of Briscola Chiamata: who the partner was, the result, every problem.

A proof contradicts nothing that the whole deal shows. Leaders come from the whole deal, so that a
proof need not begin at the first trick. A result is proved up to the trick that decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scorer.cards.chiamata.evidence import CallerSide, Evidence, taken_with_discards
from scorer.cards.chiamata.examination import side_words
from scorer.cards.deal import PARTNER, DealPart, PartKind
from scorer.cards.proofs import (
    Proof,
    ProofStep,
    counted,
    irreducible,
    proof_of,
    takes_the_same,
    until_shown,
)
from scorer.cards.record_faults import taken_with
from scorer.rules.findings import Finding
from scorer.rules.seats import Seat
from scorer.rules.tables import PACK
from scorer.texts import Text, needed, say

if TYPE_CHECKING:
    from scorer.cards.chiamata.deal import ChiamataDeal

    Shows = Callable[[ChiamataDeal], bool]
    Sentence = Callable[[ChiamataDeal, int], Text | None]

PARTNER_CODES = {"wrong-partner", "not-alone", "called-by-caller"}
ABOUT_THE_SIDE = {"partner", "card_points", "cappotto", "made"}
ABOUT_TRICKS = {"player_points", "card_points", "cappotto", "made"}


def prove(deal: ChiamataDeal) -> list[Proof]:
    """Prove the result, and who the partner was unless that proof shows it already."""
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
    return Proof((), ProofStep(partner_text(left), tuple(left.parts())), left)


def prove_result(deal: ChiamataDeal) -> Proof | None:
    """Prove that the bid was made, or missed; None while that is open."""
    status, known = deal.evidence.status, _believing(deal)
    if status == "open":
        return None

    def shows(smaller: ChiamataDeal) -> bool:
        return smaller.evidence.status == status and _tells_the_same(smaller, known, "made")

    begun = until_shown(known, shows)
    left = irreducible(begun, shows, last=PARTNER)
    steps = tuple(_tricks(left, counted, left.parts()))
    last = max((number for step in steps for number in step.tricks), default=0)
    conclusion = result_text(left, last if steps else None, deal)
    # The partner is proved by whichever trick of the whole deal does it.
    proof = prove_partner(deal) if PARTNER in left.parts() else None
    sides = _partner(left) if proof is None else [proof.conclusion]
    return proof_of(left, (*sides, *steps), conclusion)


def prove_problem(deal: ChiamataDeal, finding: Finding) -> Proof:
    result = prove_result(deal) if finding.code == "wrong-result" else None
    if result is not None:
        return result

    def same(smaller: ChiamataDeal) -> list[Finding]:
        return [other for other in smaller.examined.problems if other[:2] == finding[:2]]

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
    """Whether a part of a deal proves the side's total exactly, if the claimed one is wrong."""
    low, high = deal.evidence.bounds
    if finding.code != "points-mismatch" or "player" in finding.where or low < high:
        return True
    return smaller.evidence.bounds == (low, high)


def _partners(evidence: Evidence) -> set[Seat]:
    """Return the possible partners (the caller if he may be alone), and the accepted one."""
    return {*evidence.side.candidates, *(evidence.partners or ())[-1:]}


def same_takers(smaller: ChiamataDeal, deal: ChiamataDeal) -> bool:
    """Whether part of a deal gives tricks and card points to the same players as all of it."""
    aside = dict(taken_with_discards(deal.layout))
    taken = taken_with_discards(smaller.layout)
    return takes_the_same(smaller, deal) and all(
        points <= aside.get(seat, 0) for seat, points in taken
    )


def _conclusion(left: ChiamataDeal, finding: Finding, *, proved: bool) -> Text:
    """Return the sentence that contradicts the steps: the sheet's claim, or the finding itself."""
    if proved and finding.code in PARTNER_CODES:
        return sheet_text(left)
    if finding.code == "points-mismatch":
        names = [finding.where.get("player")]
        return points_text(
            left, [seat for seat in left.player_points if left.table.name(seat) in names]
        )
    return finding.message


def _steps(left: ChiamataDeal, finding: Finding, shows: Shows) -> Iterator[ProofStep]:
    match finding.where.get("claim"):
        case "partner" if left.evidence.side.proved:
            yield from _partner(left)
        case "card_points" | "cappotto":
            sides = tuple(_partner(left))
            yield from sides
            # A trick that proves the partner counts too, if it is needed even when the partner is
            # taken as given.
            used, given = {part for step in sides for part in step.parts}, _believing(left)
            counting = [
                part for part in left.parts() if part not in used or not shows(given.without(part))
            ]
            yield from _tricks(left, counted, counting)
        case "player_points":
            yield from _tricks(left, counted, left.parts())
        case "called_card" if finding.code == "call-lowest":
            yield from _tricks(left, call_text, left.parts())
    if finding.code == "wrong-leader":
        before = [part for part in left.parts() if part.key + 1 != finding.where["trick"]]
        yield from _tricks(left, lambda deal, index: taken_with(deal.layout, index), before)


def _partner(left: ChiamataDeal) -> Iterator[ProofStep]:
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in left.parts():
        yield ProofStep(sheet_text(left), (PARTNER,))


def _believing(deal: ChiamataDeal) -> ChiamataDeal:
    """Add the proved partner to the claim."""
    side, claim = deal.evidence.side, deal.call
    if not side.proved:
        return deal
    return replace(deal, claim=replace(claim, partner=side.partner))


def _tricks(
    left: ChiamataDeal, sentence: Sentence, among: Iterable[DealPart]
) -> Iterator[ProofStep]:
    """Yield a step for each of these tricks that shows anything, and one for the discards."""
    for part in sorted(among, key=lambda part: part.kind is PartKind.DISCARDS):
        text = sentence(left, part.key) if part.kind is PartKind.TRICK else None
        if part.kind is PartKind.DISCARDS and sentence is counted:
            text = discards_text(left)
        if text is not None:
            yield ProofStep(text, (part,))


def partner_text(deal: ChiamataDeal) -> Text:
    """Explain how the partner is known, in a deal that shows nothing else."""
    called, side = deal.called, deal.evidence.side
    values = {"card": deal.say_the_card(called), "so": _so(deal, side)}
    name = deal.table.name(side.caller if side.holder is None else side.holder)
    for index, _ in deal.layout.places_of(called):
        return say(
            "Trick %(trick)s: %(name)s played %(card)s, the called card, %(so)s.",
            **values,
            trick=index + 1,
            name=name,
        )
    if called in deal.aside:
        return say("The called card, %(card)s, was laid aside, %(so)s.", **values)
    for seat, hand in deal.hands.items():
        if called in hand.cards:
            return say(
                "%(name)s was dealt %(card)s, the called card, %(so)s.",
                **values,
                name=deal.table.name(seat),
            )
    if side.may_be_dead:
        return say(
            "Nobody else can have had %(card)s, the called card: it was in the dead hand, or the "
            "caller had it, %(so)s.",
            **values,
        )
    return say("Only %(name)s can have had %(card)s, the called card, %(so)s.", **values, name=name)


def _so(deal: ChiamataDeal, side: CallerSide) -> Text:
    caller = deal.table.name(side.caller)
    if side.partner is None and side.claimed:
        return say(
            "but nowhere is it written that %(name)s had shown it before, so %(name)s was alone",
            name=caller,
        )
    if side.partner is None and side.may_be_dead:
        return say("so %(name)s had no partner", name=caller)
    if side.partner is None:
        return say("so %(name)s was alone", name=caller)
    name = deal.table.name(side.partner)
    if side.claimed:
        return say(
            "and the sheet says that %(caller)s had shown it before, so %(name)s is the partner, "
            "as the next player after %(caller)s",
            caller=caller,
            name=name,
        )
    return say("so %(name)s is the partner", name=name)


def result_text(deal: ChiamataDeal, last: int | None, whole: ChiamataDeal) -> Text:
    """Describe what the caller's side has, or can still reach, after the last counted trick.

    ``deal`` is the part of the ``whole`` deal that the proof needs.
    """
    (low, high), target = deal.evidence.bounds, deal.target
    values = {"trick": last, "needed": needed(target), "side": side_words(deal.evidence)}
    if last is None and high < target:
        return say(
            "%(target)s card points were needed, but there are only %(pack)s in the pack.",
            target=target,
            pack=PACK,
        )
    if last is None:
        return say("The bid was made before the first trick: %(needed)s.", **values)
    if deal.evidence.status == "drawn":
        return say(
            "After trick %(trick)s %(side)s has exactly %(low)s card points; %(needed)s, "
            "and by these rules that is a draw.",
            **values,
            low=low,
        )
    if low >= target and whole.evidence.bounds == (low, low):
        return say(
            "After trick %(trick)s %(side)s has %(low)s card points; %(needed)s.",
            **values,
            low=low,
        )
    if low >= target:
        return say(
            "After trick %(trick)s %(side)s has at least %(low)s card points; %(needed)s.",
            **values,
            low=low,
        )
    return say(
        "After trick %(trick)s the others already have %(others)s of the %(pack)s card points, so "
        "%(side)s can reach at most %(high)s; %(needed)s.",
        **values,
        high=high,
        others=PACK - high,
        pack=PACK,
    )


def sheet_text(deal: ChiamataDeal) -> Text:
    """Say who is the partner on the sheet."""
    claim = deal.call
    if isinstance(claim.partner, int):
        partner = deal.table.name(claim.partner)
        return say("The sheet says that %(name)s was the partner.", name=partner)
    caller = deal.table.name(claim.caller)
    if deal.table.rules.dead_hand:
        return say("The sheet says that %(name)s had no partner.", name=caller)
    return say("The sheet says that %(name)s was alone.", name=caller)


def discards_text(deal: ChiamataDeal) -> Text | None:
    """Name who took the card points of the discards; None if nobody is known to have."""
    for seat, points in taken_with_discards(deal.layout):
        return say(
            "The cards laid aside go with the last trick: %(points)s card points for %(name)s.",
            points=points,
            name=deal.table.name(seat),
        )
    return None


def call_text(deal: ChiamataDeal, index: int) -> Text | None:
    """Explain which card of a trick shows that the call was not allowed."""
    called, caller = deal.called, deal.call.caller
    weaker = deal.deck.weaker(called)
    for seat, card in deal.layout.plays(index):
        values = {
            "trick": index + 1,
            "name": "" if seat is None else deal.table.name(seat),
            "card": deal.say_the_card(card),
            "caller": deal.table.name(caller),
            "called": deal.say_the_card(called),
        }
        if seat == caller and card == called:
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, the called card: after a two "
                "only a card that one doesn't hold may be called.",
                **values,
            )
        if seat not in (None, caller) and card in weaker:
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, so %(caller)s didn't hold it, and "
                "it is lower than %(called)s.",
                **values,
            )
    return None


def points_text(deal: ChiamataDeal, player: Sequence[Seat]) -> Text:
    """Compare possible card points, a player's or the side's, with those of the sheet."""
    evidence = deal.evidence
    for seat in player:
        low, rest = evidence.taken[seat], PACK - sum(evidence.taken.values())
        values = {"name": deal.table.name(seat), "said": deal.player_points[seat]}
        if deal.player_points[seat] < low:
            return say(
                "So %(name)s has at least %(low)s card points; the sheet says %(said)s.",
                **values,
                low=low,
            )
        return say(
            "So %(name)s has at most %(high)s card points; the sheet says %(said)s.",
            **values,
            high=low + max(0, rest),
        )
    low, high = evidence.bounds
    values = {
        "side": side_words(deal.evidence),
        "low": low,
        "high": high,
        "said": deal.call.card_points,
    }
    if low == high:
        return say(
            "So %(side)s has exactly %(low)s card points; the sheet says %(said)s.", **values
        )
    return say(
        "So %(side)s has from %(low)s to %(high)s card points; the sheet says %(said)s.", **values
    )
