"""How a deal stands: what each has, the roles, and how the sheet differs from the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.cards import sides
from scorer.cards.board import Board
from scorer.cards.call import Claim
from scorer.cards.chiamata import evidence_of
from scorer.cards.faults import Finding, fault
from scorer.cards.games import examined
from scorer.rules.cards import SUIT_WORDS, card_name, the_card
from scorer.rules.questions import write
from scorer.rules.seats import Seat
from scorer.texts import Text, say
from scorer.texts import tricks as trick_count


def status(board: Board) -> str:
    """Whether the result is known: ``open`` while it is not."""
    if isinstance(board.claim, Claim):
        return evidence_of(board).status
    return "open" if sides.result(board) is None else "settled"


def standing(board: Board) -> Text:
    """Describe how far the result is known."""
    if not isinstance(board.claim, Claim):
        counted = sides.count(board)
        return counted.each([sides.worth_text(board, points) for points in counted.points])
    evidence = evidence_of(board)
    (low, high), alone = evidence.bounds, evidence.side.alone
    side = board.table.name(board.claim.caller) if alone else say("Caller’s side")
    values = {"side": side, "low": low, "high": high, "target": evidence.target}
    match evidence.status:
        case "made":
            return say("%(side)s: made, at least %(low)s (%(target)s needed)", **values)
        case "missed":
            return say("%(side)s: missed, at most %(high)s (%(target)s needed)", **values)
        case "drawn":
            return say("%(side)s: a draw, %(low)s (%(target)s needed)", **values)
    return say("%(side)s: from %(low)s to %(high)s (%(target)s needed)", **values)


def roles(board: Board) -> Mapping[Seat, Text]:
    """Return the names of the players' roles, as far as there are any and they are known."""
    claim = board.claim
    if not isinstance(claim, Claim):
        return {}
    side = evidence_of(board).side
    narrowed = side.alone is None and len(side.candidates) < len(board.table.active)
    found = dict.fromkeys(side.candidates if narrowed else (), say("partner?"))
    if side.partner is not None:
        found = {side.partner: say("partner")}
    elif board.says_shown and isinstance(claim.partner, int):
        found |= {claim.partner: say("partner")}
    alone: Text = board.table.rules.without_partner
    return found | {side.caller: alone if side.alone else say("caller")}


def lying_open(board: Board) -> Text | None:
    """Return the card that lies open before play begins, or the suit that was named, if any."""
    if board.trump_card is None or isinstance(board.claim, Claim):
        return None
    card, letters = board.deck.cards[board.trump_card], board.deck.letters
    if board.facts.trump_key == "trump":
        return say("trump: %(suit)s", suit=SUIT_WORDS[letters.italian][card.suit])
    return say("turned up: %(card)s", card=card_name(card, letters))


def analysed_side(board: Board) -> Text | None:
    """Return the side that the analysis asks about; None if it asks about a bid."""
    if isinstance(board.claim, Claim):
        return None
    return board.table.names(sides.count(board).sides[0])


def asks_trump(board: Board, sheet: Any) -> bool:
    """Whether the sheet leaves open what decides the trump."""
    key = board.facts.trump_key
    return bool(key) and getattr(sheet, key, None) is None


def differences(board: Board, sheet: Any) -> list[Finding]:
    """List every difference between the sheet and what the cards prove."""
    claimed = [finding for finding in examined(board).problems if "claim" in finding.where]
    if not isinstance(board.claim, Claim):
        return [*claimed, *sides.winner_differs(board, sheet)]
    findings, evidence = list[Finding](), evidence_of(board)
    if sheet.called_card not in (None, board.claim.called_card):
        card = the_card(sheet.called_card, board.table.rules.cards)
        findings.append(fault("other-call", {"claim": "called_card"}, card=card))
    findings += claimed
    tricks, won = getattr(sheet, "tricks_won", None), evidence.tricks_won
    if tricks is not None and evidence.settled and tricks != won:
        key = "tricks-total" if evidence.side.partner is not None else "tricks-total:alone"
        values = {"tricks": trick_count(won), "name": board.table.name(board.claim.caller)}
        findings.append(fault(key, {"claim": "tricks_won"}, **values))
    return findings


def proved_sheet(board: Board, sheet: Any, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the sheet as the cards prove it, with names; None if something is left open."""
    if not board.ready:
        return None
    if not isinstance(board.claim, Claim):
        return sides.proved_answers(board)
    evidence, claim = evidence_of(board), board.claim
    if not evidence.settled:
        return None
    side, written = evidence.side, write(sheet, names)
    with_tricks = written.get("tricks_won") is not None or board.table.rules.counts_tricks
    return {
        **{key: written[key] for key in ("caller", "bid", "blind", "times") if key in written},
        "called_card": str(claim.called_card),
        "partner": None if side.partner is None else names[side.partner],
        "card_points": evidence.bounds[0],
        "shown": side.shown,
        **({"tricks_won": evidence.tricks_won} if with_tricks else {}),
    }


def script_facts(board: Board) -> dict[str, Any] | None:
    """Write what the script must know to answer taps; None for hands, a stock, or faults.

    Cards have their suit, their place in it from the strongest, and their card points.
    """
    if not board.ready or board.hands or board.stock is not None:
        return None
    discarding = len(board.aside or ()) < board.facts.monte
    for finding in examined(board).problems:
        missing = discarding and finding.code in ("discard-count", "missing-card")
        if "claim" not in finding.where and not missing:
            return None
    facts, deck = board.facts, board.deck
    return {
        "playing": board.players,
        "dead": facts.dead,
        "trump": board.trump,
        "first": board.first_leader,
        "tricks": facts.tricks,
        "monte": facts.monte,
        "unit": facts.unit,
        "turned": board.text(board.called) if facts.trump_key == "turned_up" else None,
        "drawn": facts.tricks - facts.each,
        "cards": {
            board.text(card): [deck.suit(card), card % deck.height, deck.points[card]]
            for card in sorted(deck.pack)
        },
    }
