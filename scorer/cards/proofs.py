"""Proofs: the smallest set of parts of a deal that shows something, in words.

A proof shows something when examined by itself, and no longer without any one of its parts; it
contradicts nothing that the whole deal shows. Leaders come from the whole deal, so that a proof
need not begin at the first trick. A result is proved up to the trick that decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any, NamedTuple

from scorer.cards import sides
from scorer.cards.board import Board
from scorer.cards.call import Claim
from scorer.cards.chiamata import Evidence, evidence_of, judge, points_aside, side_words
from scorer.cards.faults import winner_found
from scorer.cards.games import examine
from scorer.cards.line import Line, follow
from scorer.rules.findings import Finding
from scorer.rules.seats import Seat
from scorer.rules.sheet import Unanswered
from scorer.rules.tables import PACK
from scorer.texts import Text, needed, say

PARTNER_CODES = ("wrong-partner", "not-alone", "called-by-caller")
ABOUT_THE_SIDE = ("partner", "card_points", "cappotto", "made")
ABOUT_TRICKS = ("player_points", "card_points", "cappotto", "made")


class PartKind(StrEnum):
    """The kinds of parts of a deal, in the order in which a proof drops them."""

    TOTALS = "totals"
    PARTNER = "partner"
    AUCTION = "auction"
    DEALER = "dealer"
    HAND = "hand"
    STOCK = "stock"
    ASIDE = "aside"
    TRICK = "trick"


class Part(NamedTuple):
    """A part of a deal: a trick by its place from 0, a hand or a total by its seat."""

    kind: PartKind
    key: int = 0


PARTNER = Part(PartKind.PARTNER)
Shows = Callable[[Board], bool]
Sentence = Callable[[Board, int], Text | None]


class ProofStep(NamedTuple):
    """One step of a proof: a sentence, and the parts of the deal that it rests on."""

    text: Text
    parts: tuple[Part, ...] = ()

    @property
    def tricks(self) -> list[int]:
        """The numbers of the tricks that it rests on, from 1."""
        return [part.key + 1 for part in self.parts if part.kind is PartKind.TRICK]


class Proof(NamedTuple):
    """Why something is so: the steps, what follows, and the parts of the deal that it needs."""

    steps: tuple[ProofStep, ...]
    conclusion: ProofStep
    board: Board


def parts(board: Board) -> list[Part]:
    """List every part of the deal that a proof may leave out."""
    partner = getattr(board.claim, "partner", Unanswered.UNANSWERED)
    keys: dict[PartKind, Iterable[int]] = {
        PartKind.TOTALS: board.totals,
        PartKind.PARTNER: range(not isinstance(partner, Unanswered)),
        PartKind.AUCTION: range(bool(board.auction)),
        PartKind.DEALER: range(board.dealer is not None),
        PartKind.HAND: board.hands,
        PartKind.STOCK: range(board.stock is not None),
        PartKind.ASIDE: range(board.aside is not None),
        PartKind.TRICK: [index for index, trick in enumerate(board.tricks) if trick is not None],
    }
    return [Part(kind, key) for kind in PartKind for key in keys[kind]]


def only(board: Board, kept: Collection[Part]) -> Board:
    """Return the board with some of its parts alone."""
    kinds, claim = {part.kind for part in kept}, board.claim
    if isinstance(claim, Claim) and PARTNER not in kept:
        claim = replace(claim, partner=Unanswered.UNANSWERED)
    return replace(
        board,
        claim=claim,
        says_shown=board.says_shown and PARTNER in kept,
        auction=board.auction if PartKind.AUCTION in kinds else (),
        dealer=board.dealer if PartKind.DEALER in kinds else None,
        stock=board.stock if PartKind.STOCK in kinds else None,
        aside=board.aside if PartKind.ASIDE in kinds else None,
        hands={s: hand for s, hand in board.hands.items() if Part(PartKind.HAND, s) in kept},
        totals={s: n for s, n in board.totals.items() if Part(PartKind.TOTALS, s) in kept},
        tricks=tuple(
            trick if Part(PartKind.TRICK, index) in kept else None
            for index, trick in enumerate(board.tricks)
        ),
    )


def without(board: Board, part: Part) -> Board:
    return only(board, [other for other in parts(board) if other != part])


def each_by_itself(board: Board) -> Board:
    """Return the board with every known leader written down, so that no trick needs another."""
    pairs = zip(board.tricks, follow(board).leaders, strict=True)
    tricks = [
        trick if trick is None or trick.leader is not None else trick._replace(leader=leader)
        for trick, leader in pairs
    ]
    return replace(board, tricks=tuple(tricks))


def until_shown(board: Board, shows: Shows) -> Board:
    """Return the board without the tricks after the deciding one, unless a card is doubtful."""
    if follow(board).doubtful:
        return board
    whole = each_by_itself(board)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), board)


def irreducible(board: Board, shows: Shows, *, last: Part | None = None) -> Board:
    """Return a smallest part of the deal for which ``shows`` holds.

    Tricks with the fewest points are dropped first, later ones before earlier ones. The ``last``
    part is tried after all others.
    """
    whole = each_by_itself(board)
    left, worths, kinds = whole if shows(whole) else board, follow(board).worths, [*PartKind]

    def order(part: Part) -> tuple[bool, int, int, int]:
        worth = worths[part.key] if part.kind is PartKind.TRICK else 0
        return part == last, kinds.index(part.kind), worth, -part.key

    before = None
    while before is not left:
        before = left
        for part in sorted(parts(left), key=order):
            smaller = without(left, part)
            left = smaller if shows(smaller) else left
    return left


def _proof(left: Board, steps: Iterable[ProofStep], conclusion: Text) -> Proof:
    """Return a proof; its conclusion rests on the parts that no step names."""
    steps = tuple(steps)
    used = {part for step in steps for part in step.parts}
    rest = tuple(part for part in parts(left) if part not in used)
    return Proof(steps, ProofStep(conclusion, rest), left)


def takes_the_same(smaller: Line, line: Line) -> bool:
    """Whether part of a deal gives tricks and card points to the same players as all of it."""
    tricks = zip(smaller.winners, smaller.worths, line.winners, line.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    )


def counted(board: Board, index: int) -> Text | None:
    """Return a sentence about who took the card points of a trick; None if that is unknown."""
    line = follow(board)
    winner = line.winners[index]
    if winner is None:
        return None
    return say(
        "Trick %(trick)s: %(points)s card points for %(name)s.",
        trick=index + 1,
        points=sides.worth_text(board, line.worths[index]),
        name=board.table.name(winner),
    )


def aside_text(board: Board) -> Text | None:
    """Name who took the card points of the cards laid aside; None if nobody is known to have."""
    for seat, points in points_aside(follow(board)).items():
        return say(
            "The cards laid aside go with the last trick: %(points)s card points for %(name)s.",
            points=points,
            name=board.table.name(seat),
        )
    return None


def _steps(left: Board, sentence: Sentence, among: Iterable[Part]) -> Iterator[ProofStep]:
    """Yield a step for each of these tricks that shows anything, then one for what lies aside."""
    for part in sorted(among, key=lambda part: part.kind is PartKind.ASIDE):
        text = sentence(left, part.key) if part.kind is PartKind.TRICK else None
        if part.kind is PartKind.ASIDE and sentence is counted:
            text = aside_text(left)
        if text is not None:
            yield ProofStep(text, (part,))


def prove(board: Board) -> list[Proof]:
    """Prove the result and, in games with a hidden partner, who that is."""
    if not board.ready:
        return []
    if not isinstance(board.claim, Claim):
        return [*_prove_sides(board)]
    partner, result = prove_partner(board), prove_result(board)
    known = partner is not None and result is not None and partner.conclusion in result.steps
    return [proof for proof in (None if known else partner, result) if proof is not None]


def prove_problem(board: Board, finding: Finding) -> Proof:
    """Prove one of the problems found by the examination."""
    if isinstance(board.claim, Claim):
        return _prove_chiamata_problem(board, finding)
    whole = follow(board)

    def shows(smaller: Board) -> bool:
        return finding in examine(smaller).problems and takes_the_same(follow(smaller), whole)

    left, steps = irreducible(board, shows), list[ProofStep]()
    if "claim" in finding.where:
        steps = [*_steps(left, _declared_words(left, finding) or counted, parts(left))]
    return _proof(left, steps, finding.message)


def _prove_sides(board: Board) -> Iterator[Proof]:
    """Prove the result of known sides, up to the trick that decided it; none while it is open."""
    whole, result = follow(board), sides.result(board)
    if result is None:
        return

    def shows(smaller: Board) -> bool:
        return sides.result(smaller) == result and takes_the_same(follow(smaller), whole)

    left = irreducible(until_shown(board, shows), shows)
    steps = [*_steps(left, counted, parts(left))]
    last = max(number for step in steps for number in step.tricks)
    yield _proof(left, steps, sides.result_text(left, last))


def _declared_words(board: Board, finding: Finding) -> Sentence | None:
    """Return the sentence about a trick that refutes a declaration, if this is about one."""
    if finding.code != "declaration-not-held":
        return None
    refuted = sides.refuted(sides.count(board))
    about = next(declaration for declaration, denied in refuted.items() if denied == finding)
    wanted = sides.declared_cards(board, about)
    return lambda left, index: sides.played_text(left, index, wanted)


def prove_partner(board: Board) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    side = evidence_of(board).side
    if not side.proved:
        return None
    left = irreducible(board, lambda smaller: evidence_of(smaller).side == side)
    return Proof((), ProofStep(partner_text(left), tuple(parts(left))), left)


def prove_result(board: Board) -> Proof | None:
    """Prove that the bid was made, or missed; None while that is open."""
    status, known = evidence_of(board).status, _believing(board)
    if status == "open":
        return None

    def shows(smaller: Board) -> bool:
        return evidence_of(smaller).status == status and _tells_the_same(smaller, known, "made")

    left = irreducible(until_shown(known, shows), shows, last=PARTNER)
    steps = [*_steps(left, counted, parts(left))]
    last = max((number for step in steps for number in step.tricks), default=0)
    # The partner is proved by whichever trick of the whole deal does it.
    proof = prove_partner(board) if PARTNER in parts(left) else None
    partner = [*_partner(left)] if proof is None else [proof.conclusion]
    return _proof(left, [*partner, *steps], result_text(left, last if steps else None, board))


def _prove_chiamata_problem(board: Board, finding: Finding) -> Proof:
    result = prove_result(board) if finding.code == "wrong-result" else None
    if result is not None:
        return result

    def same(smaller: Board) -> list[Finding]:
        problems = judge(evidence_of(smaller)).problems
        return [other for other in problems if other[:2] == finding[:2]]

    def shows(smaller: Board) -> bool:
        return (
            _tells_the_same(smaller, board, finding.where.get("claim"))
            and bool(same(smaller))
            and counts_as_exactly(smaller, board, finding)
        )

    left = irreducible(board, shows)
    steps = [*_problem_steps(left, finding, shows)]
    return _proof(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _tells_the_same(smaller: Board, board: Board, claim: object) -> bool:
    """Whether a part of a deal agrees with the whole deal, as far as a claim is concerned."""
    if claim in ABOUT_THE_SIDE and not same_partner(smaller, board):
        return False
    return claim not in ABOUT_TRICKS or same_takers(smaller, board)


def same_partner(smaller: Board, board: Board) -> bool:
    """Whether a part of a deal excludes only partners that the whole deal excludes."""
    part, whole = evidence_of(smaller), evidence_of(board)
    return part.players in (None, whole.players) and _partners(whole) <= _partners(part)


def _partners(evidence: Evidence) -> set[Seat]:
    """Return the possible partners (the caller if he may be alone), and the accepted one."""
    return {*evidence.side.candidates, *(evidence.players or ())[-1:]}


def same_takers(smaller: Board, board: Board) -> bool:
    """Whether part of a deal gives tricks and card points to the same players as all of it."""
    aside, taken = points_aside(follow(board)), points_aside(follow(smaller))
    return takes_the_same(follow(smaller), follow(board)) and all(
        points <= aside.get(seat, 0) for seat, points in taken.items()
    )


def counts_as_exactly(smaller: Board, board: Board, finding: Finding) -> bool:
    """Whether a part of a deal proves the side's total exactly, if the claimed one is wrong."""
    low, high = evidence_of(board).bounds
    if finding.code != "points-mismatch" or "player" in finding.where or low < high:
        return True
    return evidence_of(smaller).bounds == (low, high)


def _conclusion(left: Board, finding: Finding, *, proved: bool) -> Text:
    """Return the sentence that contradicts the steps: the sheet's claim, or the finding itself."""
    if proved and finding.code in PARTNER_CODES:
        return sheet_text(left)
    if finding.code == "points-mismatch":
        names = [finding.where.get("player")]
        return points_text(left, [seat for seat in left.totals if left.table.name(seat) in names])
    return finding.message


def _problem_steps(left: Board, finding: Finding, shows: Shows) -> Iterator[ProofStep]:
    match finding.where.get("claim"):
        case "partner" if evidence_of(left).side.proved:
            yield from _partner(left)
        case "card_points" | "cappotto":
            partner = [*_partner(left)]
            yield from partner
            # A trick that proves the partner counts too, if it is needed even when the partner is
            # taken as given.
            used, given = {part for step in partner for part in step.parts}, _believing(left)
            counting = [
                part for part in parts(left) if part not in used or not shows(without(given, part))
            ]
            yield from _steps(left, counted, counting)
        case "player_points":
            yield from _steps(left, counted, parts(left))
        case "called_card" if finding.code == "call-lowest":
            yield from _steps(left, call_text, parts(left))
    if finding.code == "wrong-leader":
        before = [part for part in parts(left) if part.key + 1 != finding.where["trick"]]
        yield from _steps(left, winner_text, before)


def _partner(left: Board) -> Iterator[ProofStep]:
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in parts(left):
        yield ProofStep(sheet_text(left), (PARTNER,))


def _believing(board: Board) -> Board:
    """Add the proved partner to the claim."""
    side = evidence_of(board).side
    if not side.proved:
        return board
    return replace(board, claim=replace(board.claim, partner=side.partner))


def winner_text(board: Board, index: int) -> Text | None:
    return next((finding.message for finding in winner_found(follow(board), index)), None)


def partner_text(board: Board) -> Text:
    """Explain how the partner is known, in a deal that shows nothing else."""
    side, called, name = evidence_of(board).side, board.called, board.table.name
    values: dict[str, Any] = {"card": board.card_name(called), "so": _so(board)}
    values["name"] = name(side.caller if side.holder is None else side.holder)
    for index, _ in follow(board).places_of(called):
        values["trick"] = index + 1
        return say("Trick %(trick)s: %(name)s played %(card)s, the called card, %(so)s.", **values)
    if called in (board.aside or ()):
        return say("The called card, %(card)s, was laid aside, %(so)s.", **values)
    for seat, hand in board.hands.items():
        if called in hand:
            values["name"] = name(seat)
            return say("%(name)s was dealt %(card)s, the called card, %(so)s.", **values)
    if side.may_be_dead:
        return say(
            "Nobody else can have had %(card)s, the called card: it was in the dead hand, or the "
            "caller had it, %(so)s.",
            **values,
        )
    return say("Only %(name)s can have had %(card)s, the called card, %(so)s.", **values)


def _so(board: Board) -> Text:
    side = evidence_of(board).side
    caller = board.table.name(side.caller)
    if side.partner is None and side.claimed:
        return say(
            "but nowhere is it written that %(name)s had shown it before, so %(name)s was alone",
            name=caller,
        )
    if side.partner is None and side.may_be_dead:
        return say("so %(name)s had no partner", name=caller)
    if side.partner is None:
        return say("so %(name)s was alone", name=caller)
    name = board.table.name(side.partner)
    if side.claimed:
        return say(
            "and the sheet says that %(caller)s had shown it before, so %(name)s is the partner, "
            "as the next player after %(caller)s",
            caller=caller,
            name=name,
        )
    return say("so %(name)s is the partner", name=name)


def result_text(board: Board, last: int | None, whole: Board) -> Text:
    """Describe what the caller's side has, or can still reach, after the last counted trick.

    ``board`` is the part of the ``whole`` deal that the proof needs.
    """
    evidence = evidence_of(board)
    (low, high), target = evidence.bounds, evidence.target
    values: dict[str, Any] = {"trick": last, "needed": needed(target), "low": low, "high": high}
    values["side"] = side_words(evidence)
    if last is None and high < target:
        return say(
            "%(target)s card points were needed, but there are only %(pack)s in the pack.",
            target=target,
            pack=PACK,
        )
    if last is None:
        return say("The bid was made before the first trick: %(needed)s.", **values)
    if evidence.status == "drawn":
        return say(
            "After trick %(trick)s %(side)s has exactly %(low)s card points; %(needed)s, "
            "and by these rules that is a draw.",
            **values,
        )
    if low >= target and evidence_of(whole).bounds == (low, low):
        return say("After trick %(trick)s %(side)s has %(low)s card points; %(needed)s.", **values)
    if low >= target:
        return say(
            "After trick %(trick)s %(side)s has at least %(low)s card points; %(needed)s.", **values
        )
    return say(
        "After trick %(trick)s the others already have %(others)s of the %(pack)s card points, so "
        "%(side)s can reach at most %(high)s; %(needed)s.",
        **values,
        others=PACK - high,
        pack=PACK,
    )


def sheet_text(board: Board) -> Text:
    """Say who is the partner on the sheet."""
    claim, name = board.claim, board.table.name
    if claim.candidate not in (None, claim.caller):
        return say("The sheet says that %(name)s was the partner.", name=name(claim.candidate))
    if board.facts.dead is not None:
        return say("The sheet says that %(name)s had no partner.", name=name(claim.caller))
    return say("The sheet says that %(name)s was alone.", name=name(claim.caller))


def call_text(board: Board, index: int) -> Text | None:
    """Explain which card of a trick shows that the call was not allowed."""
    called, caller, name = board.called, board.claim.caller, board.table.name
    for seat, card in follow(board).plays(index):
        values = {
            "trick": index + 1,
            "name": "" if seat is None else name(seat),
            "card": board.card_name(card),
            "caller": name(caller),
            "called": board.card_name(called),
        }
        if seat == caller and card == called:
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, the called card: after a two "
                "only a card that one doesn't hold may be called.",
                **values,
            )
        if seat not in (None, caller) and card in board.deck.weaker(called):
            return say(
                "Trick %(trick)s: %(name)s played %(card)s, so %(caller)s didn't hold it, and "
                "it is lower than %(called)s.",
                **values,
            )
    return None


def points_text(board: Board, player: list[Seat]) -> Text:
    """Compare possible card points, a player's or the side's, with those of the sheet."""
    evidence = evidence_of(board)
    for seat in player:
        low, rest = evidence.taken[seat], PACK - sum(evidence.taken.values())
        values = {"name": board.table.name(seat), "said": board.totals[seat], "low": low}
        if board.totals[seat] < low:
            return say(
                "So %(name)s has at least %(low)s card points; the sheet says %(said)s.", **values
            )
        return say(
            "So %(name)s has at most %(high)s card points; the sheet says %(said)s.",
            **values,
            high=low + max(0, rest),
        )
    low, high = evidence.bounds
    values = {"side": side_words(evidence), "low": low, "said": board.claim.card_points}
    if low == high:
        return say(
            "So %(side)s has exactly %(low)s card points; the sheet says %(said)s.", **values
        )
    return say(
        "So %(side)s has from %(low)s to %(high)s card points; the sheet says %(said)s.",
        **values,
        high=high,
    )
