"""Why something is so in a deal: the shortest proof, step by step, in words.

A proof is made of a selection of the deal's parts that shows it, when it is examined by itself, and
says of the partner and of who took what nothing that the whole deal denies. No other selection that
does is smaller (``evidence``; where there are too many to try, none that leaves a part of it out),
and every step names the parts that it rests on.

A result is first proved as early as it was decided, then by the fewest parts, which are its steps:
each trick by who took it, and who the partner was by whichever trick of the deal tells it. Among
the selections with the fewest parts it is one that takes the fewest steps to tell: a trick that
tells the partner and brings card points besides makes two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scorer.games.briscola_chiamata.play import needs, reasons
from scorer.games.briscola_chiamata.play.evidence import (
    Kind,
    Part,
    each_by_itself,
    least,
    parts,
    same_partner,
    same_takers,
    without,
)
from scorer.games.briscola_chiamata.play.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorer.games.briscola_chiamata.play.deal import Deal
    from scorer.games.briscola_chiamata.play.evidence import Shows
    from scorer.rules.findings import Finding
    from scorer.texts import Text

    Sentence = Callable[[Deal, int], Text | None]


PARTNER_CODES = {"wrong-partner", "not-alone", "called-by-caller"}
ABOUT_THE_SIDE = {"partner", "card_points", "cappotto", "made"}
ABOUT_TRICKS = {"player_points", "card_points", "cappotto", "made"}


class Proof(NamedTuple):
    """Why something is so: the steps, and what follows from them.

    ``deal`` is the least that shows it; without any part of it the rest is no proof.
    """

    steps: tuple[Reason, ...]
    conclusion: Reason
    deal: Deal


class Explanation(NamedTuple):
    """What a deal proves, and what is wrong with it, each with its proof."""

    partner: Proof | None
    result: Proof | None
    problems: tuple[Proof, ...]


def explain(deal: Deal) -> Explanation:
    """Prove who the partner was, how the deal ended, and every problem of it."""
    problems = tuple(prove_problem(deal, finding) for finding in deal.examined.problems)
    return Explanation(prove_partner(deal), prove_result(deal), problems)


def prove_partner(deal: Deal) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    side = deal.evidence.side
    if not side.proved:
        return None

    def shows(smaller: Deal) -> bool:
        return smaller.evidence.side == side

    left = least(deal, shows, needs.of_partner(deal))
    return Proof((), reasons.partner(left), left)


def prove_result(deal: Deal) -> Proof | None:
    """Prove that the bid was made, or missed; None while that is open.

    What the caller's side has, or can reach, is proved by who the partner was and who took what. It
    goes as far as the trick that decided it: the card points after that are not needed.
    """
    status, known = deal.evidence.status, _believing(deal)
    if status == "open":
        return None

    def shows(smaller: Deal) -> bool:
        return smaller.evidence.status == status and _tells_the_same(smaller, known, "made")

    begun = _until_shown(known, shows)
    left = least(begun, shows, needs.of_result(known, begun), _tells_partner_apart)
    counted = tuple(_tricks(left, reasons.counted, parts(left)))
    return _proof(left, (*_sides(deal, left), *counted), reasons.reached(left, counted))


def prove_problem(deal: Deal, finding: Finding) -> Proof:
    """Prove one of the problems that the examination found."""
    result = prove_result(deal) if finding.code == "wrong-result" else None
    if result is not None:
        return result

    def same(smaller: Deal) -> list[Finding]:
        return [one for one in smaller.examined.problems if one[:2] == finding[:2]]

    def shows(smaller: Deal) -> bool:
        return _tells_the_same(smaller, deal, finding.where.get("claim")) and bool(same(smaller))

    left = least(deal, shows, needs.of_problem(deal, finding))
    steps = tuple(_steps(left, finding, shows))
    return _proof(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _tells_the_same(smaller: Deal, deal: Deal, claim: object) -> bool:
    """Whether a part of a deal says nothing of a claim that the whole deal denies."""
    if claim in ABOUT_THE_SIDE and not same_partner(smaller, deal):
        return False
    return claim not in ABOUT_TRICKS or same_takers(smaller, deal)


def _tells_partner_apart(left: Deal) -> bool:
    """Whether who the partner was is a part by itself, or open: then every part is one step."""
    return not left.evidence.side.proved or Part(Kind.PARTNER) in parts(left)


def _conclusion(left: Deal, finding: Finding, *, proved: bool) -> Text:
    """What contradicts the steps: what the sheet says; or what was found, if that says it."""
    if proved and finding.code in PARTNER_CODES:
        return reasons.said(left)
    if finding.code == "points-mismatch":
        names = [finding.where.get("player")]
        return reasons.allowed(
            left, [seat for seat in left.player_points if left.table.name(seat) in names]
        )
    return finding.message


def _until_shown(deal: Deal, shows: Shows) -> Deal:
    """Leave out the tricks after the one that shows something, where every card is beyond doubt."""
    if deal.layout.doubtful:
        return deal
    whole = each_by_itself(deal)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), deal)


def _sides(deal: Deal, left: Deal) -> Iterator[Reason]:
    """Who the partner was, where that matters, by whichever trick tells it."""
    proof = prove_partner(deal) if Part(Kind.PARTNER) in parts(left) else None
    if proof is not None:
        yield proof.conclusion
    else:
        yield from _partner(left)


def _proof(left: Deal, steps: tuple[Reason, ...], conclusion: Text) -> Proof:
    """Put a proof together; the conclusion rests on what no step has named."""
    used = {part for step in steps for part in step.parts}
    rest = tuple(part for part in parts(left) if part not in used)
    return Proof(steps, Reason(conclusion, rest), left)


def _steps(left: Deal, finding: Finding, shows: Shows) -> Iterator[Reason]:
    """The steps to a problem; most of them need none: they are seen where they are."""
    match finding.where.get("claim"):
        case "partner" if left.evidence.side.proved:
            yield from _partner(left)
        case "card_points" | "cappotto":
            sides = tuple(_partner(left))
            yield from sides
            yield from _counted(left, sides, shows)
        case "player_points":
            yield from _tricks(left, reasons.counted, parts(left))
        case "called_card" if finding.code == "call-lowest":
            yield from _tricks(left, reasons.seen, parts(left))
    if finding.code == "wrong-leader":
        before = [part for part in parts(left) if part.key + 1 != finding.where["trick"]]
        yield from _tricks(left, reasons.taken, before)


def _partner(left: Deal) -> Iterator[Reason]:
    """Who the partner was: as it is proved, or else as the sheet says."""
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif Part(Kind.PARTNER) in parts(left):
        yield Reason(reasons.said(left), (Part(Kind.PARTNER),))


def _counted(left: Deal, sides: tuple[Reason, ...], shows: Shows) -> Iterator[Reason]:
    """Who took the card points that count.

    A trick that tells the partner counts by its card points too where, the partner being believed,
    it would still be needed.
    """
    told, believed = {part for step in sides for part in step.parts}, _believing(left)
    counting = [
        part for part in parts(left) if part not in told or not shows(without(believed, part))
    ]
    yield from _tricks(left, reasons.counted, counting)


def _believing(deal: Deal) -> Deal:
    """Write down the partner who is proved."""
    side, claim = deal.evidence.side, deal.record.claim
    if not side.proved:
        return deal
    return replace(deal, claim=replace(claim, partner=side.partner), says_partner=True)


def _tricks(left: Deal, sentence: Sentence, among: Iterable[Part]) -> Iterator[Reason]:
    """What each of some tricks shows, where it shows anything; and what discards bring."""
    for part in sorted(among, key=lambda part: part.kind is Kind.DISCARDS):
        text = sentence(left, part.key) if part.kind is Kind.TRICK else None
        if part.kind is Kind.DISCARDS and sentence is reasons.counted:
            text = reasons.laid_aside(left)
        if text is not None:
            yield Reason(text, (part,))
