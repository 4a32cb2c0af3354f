"""Proofs: the smallest set of parts of a deal that shows something, in words.

A proof shows something when examined by itself, and no longer without any one of its parts; it
contradicts nothing that the whole deal shows. Leaders come from the whole deal, so that a proof
need not begin at the first trick. A result is proved up to the trick that decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from scorer.cards import sides
from scorer.cards.board import Board
from scorer.cards.call import Claim
from scorer.cards.chiamata import Evidence, evidence_of, side_words
from scorer.cards.faults import Finding, winner_found
from scorer.cards.games import examined
from scorer.cards.line import follow
from scorer.errors import existing
from scorer.rules.bands import PACK
from scorer.rules.questions import Unanswered
from scorer.rules.seats import Seat
from scorer.texts import Text, as_it_is, needed, say

PARTNER_CODES = ("wrong-partner", "not-alone", "called-by-caller")
ABOUT_THE_SIDE = ("partner", "card_points", "cappotto", "made")
ABOUT_TRICKS = ("player_points", "card_points", "cappotto", "made")
#: What a proof may leave out, in the order in which it drops them: the claimed partner, and fields
#: of the board.
KINDS = ("totals", "partner", "auction", "dealer", "hands", "stock", "aside", "tricks")


class ProofPart(NamedTuple):
    """A part of a deal: a trick by its place from 0, a hand or a total by its seat."""

    kind: str
    key: int = 0


PARTNER = ProofPart("partner")
Shows = Callable[[Board], bool]
Sentence = Callable[[Board, int], Text | None]


class ProofStep(NamedTuple):
    """One step of a proof: a sentence, and the parts of the deal that it rests on."""

    text: Text
    parts: tuple[ProofPart, ...] = ()

    @property
    def tricks(self) -> list[int]:
        """The numbers of the tricks that it rests on, from 1."""
        return [part.key + 1 for part in self.parts if part.kind == "tricks"]


class Proof(NamedTuple):
    """Why something is so: the steps, what follows, and the parts of the deal that it needs."""

    steps: tuple[ProofStep, ...]
    conclusion: ProofStep
    board: Board


def parts(board: Board) -> list[ProofPart]:
    """List every part of the deal that a proof may leave out."""
    partner = getattr(board.claim, "partner", Unanswered.UNANSWERED)
    keys: dict[str, Iterable[int]] = {
        "totals": board.totals,
        "partner": range(not isinstance(partner, Unanswered)),
        "auction": range(bool(board.auction)),
        "dealer": range(board.dealer is not None),
        "hands": board.hands,
        "stock": range(board.stock is not None),
        "aside": range(board.aside is not None),
        "tricks": [index for index, trick in enumerate(board.tricks) if trick is not None],
    }
    return [ProofPart(kind, key) for kind in KINDS for key in keys[kind]]


def without(board: Board, part: ProofPart) -> Board:
    kind, key = part
    if part == PARTNER:
        claim = replace(board.claim, partner=Unanswered.UNANSWERED)
        return replace(board, claim=claim, says_shown=False)
    left = getattr(board, kind)
    if isinstance(left, Mapping):
        left = {seat: kept for seat, kept in left.items() if seat != key}
    elif kind == "tricks":
        left = (*left[:key], None, *left[key + 1 :])
    else:
        left = () if kind == "auction" else None
    return replace(board, **{kind: left})


def each_by_itself(board: Board) -> Board:
    """Return the board with every known leader written down, so that no trick needs another."""
    pairs = zip(board.tricks, follow(board).leaders, strict=True)
    tricks = (
        trick and trick._replace(leader=leader if trick.leader is None else trick.leader)
        for trick, leader in pairs
    )
    return replace(board, tricks=tuple(tricks))


def until_shown(board: Board, shows: Shows) -> Board:
    """Return the board without the tricks after the deciding one, unless a card is doubtful."""
    if follow(board).doubtful:
        return board
    whole = each_by_itself(board)
    begun = (replace(whole, tricks=whole.tricks[:count]) for count in range(len(whole.tricks)))
    return next(filter(shows, begun), board)


def irreducible(board: Board, shows: Shows, *, last: ProofPart | None = None) -> Board:
    """Return a smallest part of the deal for which ``shows`` holds.

    Tricks with the fewest points are dropped first, later ones before earlier ones. The ``last``
    part is tried after all others.
    """
    whole = each_by_itself(board)
    left, worths, before = whole if shows(whole) else board, follow(board).worths, None

    def order(part: ProofPart) -> tuple[bool, int, int, int]:
        worth = worths[part.key] if part.kind == "tricks" else 0
        return part == last, KINDS.index(part.kind), worth, -part.key

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


def _steps(left: Board, sentence: Sentence, among: Iterable[ProofPart]) -> Iterator[ProofStep]:
    """Yield a step for each of these tricks that shows anything, then one for what lies aside."""
    for part in sorted(among, key=lambda part: part.kind == "aside"):
        text = sentence(left, part.key) if part.kind == "tricks" else None
        if part.kind == "aside" and sentence is counted:
            text = aside_text(left)
        if text is not None:
            yield ProofStep(text, (part,))


def prove(board: Board) -> list[Proof]:
    """Prove the result and, in games with a hidden partner, who that is."""
    if not board.ready:
        return []
    partner, result = prove_partner(board), prove_result(board)
    known = partner is not None and result is not None and partner.conclusion in result.steps
    return [proof for proof in (None if known else partner, result) if proof is not None]


def verdict(board: Board) -> Text | None:
    """Say what the caller's side took of what it needed; None while that is open, or without one.

    The exact figure is said where the cards give it, and else what is certain.
    """
    if not board.ready or not isinstance(board.claim, Claim):
        return None
    evidence = evidence_of(board)
    (low, high), status = evidence.bounds, evidence.status
    if status == "open":
        return None
    took = as_it_is(str(low)) if low == high else say("at least %(points)s", points=low)
    if low < high and status == "missed":
        took = say("at most %(points)s", points=high)
    return _say(f"verdict:{status}", side=side_words(evidence), took=took, target=evidence.target)


def prove_partner(board: Board) -> Proof | None:
    """Prove who is the caller's partner, or that he is alone; None while that is open."""
    if not _side_is_proved(board):
        return None
    side = evidence_of(board).side
    left = irreducible(board, lambda smaller: evidence_of(smaller).side == side)
    return Proof((), ProofStep(partner_text(left), tuple(parts(left))), left)


def prove_result(board: Board) -> Proof | None:
    """Prove who won or, of a bid, that it was made or missed; None while that is open.

    The partner is proved by whichever trick of the whole deal does it.
    """
    result, known = _result(board), _believing(board)
    if result is None:
        return None

    def shows(smaller: Board) -> bool:
        return _result(smaller) == result and _tells_the_same(smaller, known, "made")

    left = irreducible(until_shown(known, shows), shows, last=PARTNER)
    steps = [*_steps(left, counted, parts(left))]
    last = max((number for step in steps for number in step.tricks), default=0)
    if not isinstance(board.claim, Claim):
        return _proof(left, steps, sides.result_text(left, last))
    proof = prove_partner(board) if PARTNER in parts(left) else None
    partner = [*_partner(left)] if proof is None else [proof.conclusion]
    return _proof(left, [*partner, *steps], result_text(left, last if steps else None, board))


def prove_problem(board: Board, finding: Finding) -> Proof:
    result = prove_result(board) if finding.code == "wrong-result" else None
    if result is not None:
        return result
    # A finding about a bid is the same with other bounds.
    alike = 2 if isinstance(board.claim, Claim) else 3

    def same(smaller: Board) -> list[Finding]:
        return [other for other in examined(smaller).problems if other[:alike] == finding[:alike]]

    def shows(smaller: Board) -> bool:
        return (
            _tells_the_same(smaller, board, finding.where.get("claim"))
            and bool(same(smaller))
            and counts_as_exactly(smaller, board, finding)
        )

    left = irreducible(board, shows)
    steps = [*_problem_steps(left, finding, shows)]
    return _proof(left, steps, _conclusion(left, same(left)[0], proved=bool(steps)))


def _result(board: Board) -> object:
    """Return what the cards decide; None while it is open."""
    if not isinstance(board.claim, Claim):
        return sides.result(board)
    status = evidence_of(board).status
    return None if status == "open" else status


def _side_is_proved(board: Board) -> bool:
    return isinstance(board.claim, Claim) and evidence_of(board).side.proved


def _believing(board: Board) -> Board:
    """Add the proved partner to the claim."""
    if not _side_is_proved(board):
        return board
    return replace(board, claim=replace(board.claim, partner=evidence_of(board).side.partner))


def _tells_the_same(smaller: Board, board: Board, claim: object) -> bool:
    """Whether a part of a deal agrees with the whole deal, as far as a claim is concerned."""
    called = isinstance(board.claim, Claim)
    if called and claim in ABOUT_THE_SIDE and not same_partner(smaller, board):
        return False
    return (called and claim not in ABOUT_TRICKS) or same_takers(smaller, board)


def same_partner(smaller: Board, board: Board) -> bool:
    """Whether a part of a deal excludes only partners that the whole deal excludes."""
    part, whole = evidence_of(smaller), evidence_of(board)
    return part.players in (None, whole.players) and _partners(whole) <= _partners(part)


def _partners(evidence: Evidence) -> set[Seat]:
    """Return the possible partners (the caller if he may be alone), and the accepted one."""
    return {*evidence.side.candidates, *(evidence.players or ())[-1:]}


def same_takers(smaller: Board, board: Board) -> bool:
    """Whether a part of a deal gives tricks and card points to the same players as all of it."""
    part, whole = follow(smaller), follow(board)
    tricks = zip(part.winners, part.worths, whole.winners, whole.worths, strict=False)
    return all(
        winner is None or (winner == taker and worth <= sure)
        for winner, worth, taker, sure in tricks
    ) and (part.aside_worth or 0) <= (whole.aside_worth or 0)


def counts_as_exactly(smaller: Board, board: Board, finding: Finding) -> bool:
    """Whether a part of a deal proves the side's total exactly, if the claimed one is wrong."""
    if finding.code != "points-mismatch" or not isinstance(board.claim, Claim):
        return True
    low, high = evidence_of(board).bounds
    return "player" in finding.where or low < high or evidence_of(smaller).bounds == (low, high)


def _conclusion(left: Board, finding: Finding, *, proved: bool) -> Text:
    """Return the sentence that contradicts the steps: the sheet's claim, or the finding itself."""
    if proved and finding.code in PARTNER_CODES:
        return sheet_text(left)
    if finding.code == "points-mismatch" and isinstance(left.claim, Claim):
        names = [finding.where.get("player")]
        return points_text(left, [seat for seat in left.totals if left.table.name(seat) in names])
    return finding.message


def _problem_steps(left: Board, finding: Finding, shows: Shows) -> Iterator[ProofStep]:
    claim = finding.where.get("claim")
    if claim is not None and not isinstance(left.claim, Claim):
        refuted = sides.refuted(sides.count(left)) if finding.code == "declaration-not-held" else {}
        sentence: Sentence = counted
        for declaration in (d for d, denied in refuted.items() if denied == finding):
            sentence = partial(sides.declared_text, declaration=declaration)
        yield from _steps(left, sentence, parts(left))
    elif claim == "partner" and _side_is_proved(left):
        yield from _partner(left)
    elif claim in ("card_points", "cappotto"):
        partner = [*_partner(left)]
        yield from partner
        # A trick that proves the partner counts too, if it is needed even when the partner is
        # taken as given.
        used, given = {part for step in partner for part in step.parts}, _believing(left)
        counting = [
            part for part in parts(left) if part not in used or not shows(without(given, part))
        ]
        yield from _steps(left, counted, counting)
    elif claim == "player_points":
        yield from _steps(left, counted, parts(left))
    elif finding.code == "call-lowest":
        yield from _steps(left, call_text, parts(left))
    elif finding.code == "wrong-leader" and isinstance(left.claim, Claim):
        before = [part for part in parts(left) if part.key + 1 != finding.where["trick"]]
        yield from _steps(left, winner_text, before)


def _partner(left: Board) -> Iterator[ProofStep]:
    proof = prove_partner(left)
    if proof is not None:
        yield proof.conclusion
    elif PARTNER in parts(left):
        yield ProofStep(sheet_text(left), (PARTNER,))


def winner_text(board: Board, index: int) -> Text | None:
    return next((finding.message for finding in winner_found(follow(board), index)), None)


#: The sentences of steps and conclusions.
SENTENCES = {
    "counted": say("Trick %(trick)s: %(points)s card points for %(name)s."),
    "counted:aside": say(
        "The cards laid aside go with the last trick: %(points)s card points for %(name)s."
    ),
    "partner:played": say("Trick %(trick)s: %(name)s played %(card)s, the called card, %(so)s."),
    "partner:aside": say("The called card, %(card)s, was laid aside, %(so)s."),
    "partner:dealt": say("%(name)s was dealt %(card)s, the called card, %(so)s."),
    "partner:dead": say(
        "Nobody else can have had %(card)s, the called card: it was in the dead hand, or the "
        "caller had it, %(so)s."
    ),
    "partner:only": say("Only %(name)s can have had %(card)s, the called card, %(so)s."),
    "so:hidden": say(
        "but nowhere is it written that %(name)s had shown it before, so %(name)s was alone"
    ),
    "so:dead": say("so %(name)s had no partner"),
    "so:alone": say("so %(name)s was alone"),
    "so:shown": say(
        "and the sheet says that %(caller)s had shown it before, so %(name)s is the partner, "
        "as the next player after %(caller)s"
    ),
    "so:partner": say("so %(name)s is the partner"),
    "result:pack": say(
        "%(target)s card points were needed, but there are only %(pack)s in the pack."
    ),
    "result:bid": say("The bid was made before the first trick: %(needed)s."),
    "result:drawn": say(
        "After trick %(trick)s %(side)s has exactly %(low)s card points; %(needed)s, "
        "and by these rules that is a draw."
    ),
    "result:exact": say("After trick %(trick)s %(side)s has %(low)s card points; %(needed)s."),
    "result:made": say(
        "After trick %(trick)s %(side)s has at least %(low)s card points; %(needed)s."
    ),
    "result:missed": say(
        "After trick %(trick)s the others already have %(others)s of the %(pack)s card points, so "
        "%(side)s can reach at most %(high)s; %(needed)s."
    ),
    "verdict:made": say("%(side)s took %(took)s of %(target)s: made."),
    "verdict:missed": say("%(side)s took %(took)s of %(target)s: missed."),
    "verdict:drawn": say("%(side)s took %(took)s of %(target)s: a draw."),
    "sheet:partner": say("The sheet says that %(name)s was the partner."),
    "sheet:dead": say("The sheet says that %(name)s had no partner."),
    "sheet:alone": say("The sheet says that %(name)s was alone."),
    "call:played": say(
        "Trick %(trick)s: %(name)s played %(card)s, the called card: after a two "
        "only a card that one doesn't hold may be called."
    ),
    "call:lower": say(
        "Trick %(trick)s: %(name)s played %(card)s, so %(caller)s didn't hold it, and "
        "it is lower than %(called)s."
    ),
    "points:least": say("So %(name)s has at least %(low)s card points; the sheet says %(said)s."),
    "points:most": say("So %(name)s has at most %(high)s card points; the sheet says %(said)s."),
    "points:exact": say("So %(side)s has exactly %(low)s card points; the sheet says %(said)s."),
    "points:between": say(
        "So %(side)s has from %(low)s to %(high)s card points; the sheet says %(said)s."
    ),
}


def _say(key: str, **values: object) -> Text:
    return replace(SENTENCES[key], values=values)


def counted(board: Board, index: int) -> Text | None:
    """Return a sentence about who took the card points of a trick; None if that is unknown."""
    line = follow(board)
    winner, points = line.winners[index], sides.worth_text(board, line.worths[index])
    if winner is None:
        return None
    return _say("counted", trick=index + 1, points=points, name=board.table.name(winner))


def aside_text(board: Board) -> Text | None:
    """Name who took the card points of the cards laid aside; None if nobody is known to have."""
    line = follow(board)
    if line.aside_worth is None:
        return None
    name = board.table.name(existing(line.winners[-1]))
    return _say("counted:aside", points=line.aside_worth, name=name)


def partner_text(board: Board) -> Text:
    """Explain how the partner is known, in a deal that shows nothing else."""
    side, called = evidence_of(board).side, board.called
    places, way = follow(board).places_of(called), "dead" if side.may_be_dead else "only"
    who = side.caller if side.holder is None else side.holder
    dealt = [seat for seat, hand in board.hands.items() if called in hand]
    if places:
        way = "played"
    elif called in (board.aside or ()):
        way = "aside"
    elif dealt:
        way, who = "dealt", dealt[0]
    values = {"card": board.card_name(called), "so": _so(board), "name": board.table.name(who)}
    return _say(f"partner:{way}", **values, trick=places[0][0] + 1 if places else None)


def _so(board: Board) -> Text:
    side, name = evidence_of(board).side, board.table.name
    caller = name(side.caller)
    if side.partner is not None:
        way = "shown" if side.claimed else "partner"
        return _say(f"so:{way}", caller=caller, name=name(side.partner))
    way = "hidden" if side.claimed else "dead" if side.may_be_dead else "alone"
    return _say(f"so:{way}", name=caller)


def result_text(board: Board, last: int | None, whole: Board) -> Text:
    """Describe what the caller's side has, or can still reach, after the last counted trick.

    ``board`` is the part of the ``whole`` deal that the proof needs.
    """
    evidence = evidence_of(board)
    (low, high), target = evidence.bounds, evidence.target
    if last is None:
        way = "pack" if high < target else "bid"
    elif evidence.status == "drawn" or low < target:
        way = evidence.status
    else:
        way = "exact" if evidence_of(whole).bounds == (low, low) else "made"
    return _say(
        f"result:{way}",
        trick=last,
        side=side_words(evidence),
        low=low,
        high=high,
        others=PACK - high,
        pack=PACK,
        target=target,
        needed=needed(target),
    )


def sheet_text(board: Board) -> Text:
    claim: Claim = board.claim
    if claim.candidate not in (None, claim.caller):
        return _say("sheet:partner", name=board.table.name(claim.candidate))
    way = "alone" if board.facts.dead is None else "dead"
    return _say(f"sheet:{way}", name=board.table.name(claim.caller))


def call_text(board: Board, index: int) -> Text | None:
    """Explain which card of a trick shows that the call was not allowed."""
    called, caller, name = board.called, board.claim.caller, board.table.name
    for seat, card in follow(board).plays(index):
        others = seat not in (None, caller)
        if (seat == caller and card == called) or (others and card in board.deck.weaker(called)):
            return _say(
                "call:lower" if others else "call:played",
                trick=index + 1,
                name=name(caller if seat is None else seat),
                card=board.card_name(card),
                caller=name(caller),
                called=board.card_name(called),
            )
    return None


def points_text(board: Board, player: list[Seat]) -> Text:
    """Compare possible card points, a player's or the side's, with those of the sheet."""
    evidence = evidence_of(board)
    (low, high), who, said = evidence.bounds, side_words(evidence), board.claim.card_points
    way = "exact" if low == high else "between"
    for seat in player:
        low, who, said = evidence.taken[seat], board.table.name(seat), board.totals[seat]
        high = low + max(0, PACK - sum(evidence.taken.values()))
        way = "least" if said < low else "most"
    return _say(f"points:{way}", name=who, side=who, low=low, high=high, said=said)
