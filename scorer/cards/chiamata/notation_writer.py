"""A deal written down: as the body of ``check`` (contract.md), and as text (docs/notation.md)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from scorer.cards.chiamata.record_reader import PASS
from scorer.games.briscola_chiamata.presets import named
from scorer.rules.seats import all_seats
from scorer.rules.sheet import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorer.cards.chiamata.deal import CardDeal
    from scorer.cards.chiamata.tricks import Claim
    from scorer.cards.trick_record import CardPile
    from scorer.games.briscola_chiamata.bids import Bid

UNKNOWN = "?"
PLAIN_NAME = re.compile(r"[^\W_][\w.'’-]*")


def body(deal: CardDeal, names: Sequence[str]) -> dict[str, Any]:
    """Write what is known of a deal, as ``CardDeal.read`` takes it for people of these names."""
    told: dict[str, Any] = {}
    if deal.dealer is not None:
        told["dealer"] = names[deal.dealer]
    if deal.claim is not None:
        told["claim"] = _claim(deal, deal.claim, names)
    if deal.auction:
        told["auction"] = [[names[seat], _call(bid)] for seat, bid in deal.auction]
    if deal.hands:
        told["hands"] = {names[seat]: hand.texts(deal.deck) for seat, hand in deal.hands.items()}
    if deal.discards is not None:
        told["discards"] = deal.discards.texts(deal.deck)
    return {**told, "tricks": [_trick(deal, trick, names) for trick in deal.tricks]}


def write_play(deal: CardDeal, names: Sequence[str]) -> dict[str, Any]:
    """Write the cards alone, as a session file has them: what was called, and what was played."""
    told = body(deal, names)
    called = {} if deal.claim is None else {"called_card": str(deal.claim.called_card)}
    shown = {"shown": True} if deal.says_shown else {}
    return {**called, **shown} | {key: told[key] for key in told if key not in ("dealer", "claim")}


def _claim(deal: CardDeal, claim: Claim, names: Sequence[str]) -> dict[str, Any]:
    kept = {"partner"} if deal.says_partner else set()
    told = {
        key: value for key, value in write(claim, names).items() if value is not None or key in kept
    }
    points = {names[seat]: points for seat, points in deal.player_points.items()}
    return {**told, "player_points": points} if points else told


def _call(bid: Bid | None) -> str | int:
    return PASS if bid is None else bid.write_wire()


def _trick(deal: CardDeal, trick: CardPile | None, names: Sequence[str]) -> Any:
    if trick is None:
        return None
    told = {"leader": trick.leader, "winner": trick.winner}
    by_name = {key: names[seat] for key, seat in told.items() if seat is not None}
    cards = trick.texts(deal.deck)
    return {**by_name, "cards": cards} if by_name else cards


def write_text(deal: CardDeal) -> str:
    """Write a deal as text: a line for each thing that is known, and one for each trick."""
    return "".join(f"{line}\n" for line in _lines(deal))


def _lines(deal: CardDeal) -> Iterator[str]:
    table, names = deal.table, [quoted(name) for name in deal.table.seats]
    around = table.order or all_seats(len(table.seats))
    out = [names[seat] for seat in around if seat not in table.active]
    rules = named(table.rules)
    yield f"rules: {rules if isinstance(rules, str) else json.dumps(rules, ensure_ascii=False)}"
    yield f"seats: {', '.join(names[seat] for seat in around)}"
    if deal.dealer is not None:
        yield f"dealer: {names[deal.dealer]}"
    if out:
        yield f"out: {', '.join(out)}"
    if deal.auction:
        calls = [f"{names[seat]} {_bid(bid)}" for seat, bid in deal.auction]
        yield f"auction: {', '.join(calls)}"
    if deal.claim is not None:
        yield from _claim_lines(deal, deal.claim, names)
    for seat, hand in sorted(deal.hands.items()):
        yield f"hand {names[seat]}:{_cards(deal, hand)}"
    if deal.discards is not None:
        yield f"discards:{_cards(deal, deal.discards)}"
    for number, trick in enumerate(deal.tricks, start=1):
        yield f"{number}.{_trick_words(deal, trick, names)}"


def _claim_lines(deal: CardDeal, claim: Claim, names: Sequence[str]) -> Iterator[str]:
    yield f"caller: {names[claim.caller]} {_bid(claim.bid)} {claim.called_card}"
    result = list(_result(deal, claim, names))
    if result:
        yield f"result: {', '.join(result)}"
    if deal.player_points:
        taken = [f"{names[seat]} {points}" for seat, points in sorted(deal.player_points.items())]
        yield f"taken: {', '.join(taken)}"


def _result(deal: CardDeal, claim: Claim, names: Sequence[str]) -> Iterator[str]:
    if claim.partner is not None:
        yield f"with {names[claim.partner]}"
    elif deal.says_partner:
        yield "alone"
    if claim.card_points is not None:
        yield str(claim.card_points)
    if claim.made is not None:
        yield "made" if claim.made else "missed"
    if claim.cappotto is not None:
        yield "cappotto" if claim.cappotto else "no cappotto"


def _bid(bid: Bid | None) -> str:
    """Write a bid as text; points that could be read as a rank get an ``@`` before them."""
    call = _call(bid)
    return f"@{call}" if isinstance(call, int) else call


def _cards(deal: CardDeal, pile: CardPile) -> str:
    """Write cards, each after a space; what could not be read stays as it was written."""
    return "".join(f" {quoted(card)}" for card in pile.texts(deal.deck))


def _trick_words(deal: CardDeal, trick: CardPile | None, names: Sequence[str]) -> str:
    if trick is None:
        return f" {UNKNOWN}"
    leader = "" if trick.leader is None else f" {names[trick.leader]}:"
    winner = "" if trick.winner is None else f" > {names[trick.winner]}"
    return f"{leader}{_cards(deal, trick)}{winner}"


def quoted(name: str) -> str:
    """Write a name, in quotation marks unless it is one plain word."""
    return name if PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
