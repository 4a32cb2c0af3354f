"""The form of a record: its cards, its tricks, who led and who won (rules.md C2)."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorer.games.briscola_chiamata.auction import follow_auction
from scorer.rules.cards import Card
from scorer.rules.cards import card_name
from scorer.rules.findings import Finding
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.games.briscola_chiamata.auction import Auction
    from scorer.games.briscola_chiamata.play.layout import Layout
    from scorer.games.briscola_chiamata.play.record import Trick
    from scorer.rules.seats import Seat


def problems(layout: Layout, dealer: Seat | None) -> Iterator[Finding]:
    """Find everything that is wrong in the record itself."""
    yield from _strange_cards(layout)
    yield from _doubled_cards(layout)
    yield from _missing_cards(layout)
    yield from _sizes(layout)
    yield from _leaders(layout)
    yield from _winners(layout)
    yield from _hands(layout)
    yield from _auction_problems(layout, dealer)


def warnings(layout: Layout, dealer: Seat | None) -> Iterator[Finding]:
    """Find what is odd in the record, but may have been so."""
    auction = _auction(layout, dealer)
    if auction is not None:
        for odd in auction.warnings:
            yield Finding(odd.code, {"auction": odd.field}, odd.message)
    if layout.table.rules.play.follow_suit:
        yield from _revokes(layout)


def _piles(layout: Layout) -> Iterator[tuple[dict[str, object], Trick]]:
    """Every pile of played cards, with where it is; the tricks count from 1."""
    for number, trick in enumerate(layout.record.tricks, start=1):
        if trick is not None:
            yield {"trick": number}, trick
    if layout.record.discards is not None:
        yield {"discards": True}, layout.record.discards


def _hand_piles(layout: Layout) -> Iterator[tuple[dict[str, object], Trick]]:
    for seat, hand in layout.record.hands.items():
        yield {"hand": layout.table.name(seat)}, hand


def _strange_cards(layout: Layout) -> Iterator[Finding]:
    for where, pile in chain(_piles(layout), _hand_piles(layout)):
        for text, card in zip(pile.texts, pile.cards, strict=True):
            if card is None:
                message = say("There is no card %(card)s in this deck.", card=text)
                yield Finding("card-not-in-deck", {**where, "card": text}, message)


def _doubled_cards(layout: Layout) -> Iterator[Finding]:
    for piles in (_piles(layout), _hand_piles(layout)):
        first: dict[Card, dict[str, object]] = {}
        for where, pile in piles:
            for card in pile.known:
                if card in first:
                    yield _doubled(layout, card, first[card], where)
                first.setdefault(card, where)


def _doubled(
    layout: Layout, card: Card, one: dict[str, object], other: dict[str, object]
) -> Finding:
    values = {"card": card_name(card, layout.table.rules.cards)}
    places = {**one, "card": str(card), "again": other}
    if "trick" in one and "trick" in other:
        message = say("The %(card)s is in trick %(one)s and in trick %(other)s.",
                      **values, one=one["trick"], other=other["trick"])  # fmt: skip
    else:
        message = say("The %(card)s is there twice.", **values)
    return Finding("duplicate-card", places, message)


def _missing_cards(layout: Layout) -> Iterator[Finding]:
    """At the end of a deal every card was seen, but for discards that nobody wrote down."""
    if not layout.complete:
        return
    record, rules = layout.record, layout.table.rules
    seen = {card for _, pile in _piles(layout) for card in pile.known}
    pack = [Card(rank, suit) for suit in record.suits for rank in rules.cards.ranks]
    missing = [card for card in pack if card not in seen]
    hidden = rules.monte if record.discards is None else 0
    if len(missing) <= hidden:
        return
    for card in missing:
        message = say("The %(card)s was never played.", card=card_name(card, rules.cards))
        yield Finding("missing-card", {"card": str(card)}, message)


def _sizes(layout: Layout) -> Iterator[Finding]:
    tricks, players, rules = layout.record.tricks, layout.players, layout.table.rules
    entered = [number for number, trick in enumerate(tricks, start=1) if trick is not None]
    for number in entered:
        trick = tricks[number - 1]
        size = len(trick.cards) if trick is not None else 0
        if size > players or (size < players and number != len(tricks)):
            message = say("Trick %(trick)s has %(size)s cards instead of %(players)s.",
                          trick=number, size=size, players=players)  # fmt: skip
            yield Finding("trick-size", {"trick": number}, message)
    if len(tricks) > rules.cards_each:
        message = say("A deal has %(count)s tricks.", count=rules.cards_each)
        yield Finding("trick-count", {"trick": rules.cards_each + 1}, message)
    discards = layout.record.discards
    if discards is not None and len(discards.cards) != rules.monte:
        message = say("There are %(size)s discards instead of %(monte)s.",
                      size=len(discards.cards), monte=rules.monte)  # fmt: skip
        yield Finding("discard-count", {"discards": True}, message)


def _leaders(layout: Layout) -> Iterator[Finding]:
    expected, code = layout.first_leader, "wrong-first-leader"
    for number, trick in enumerate(layout.record.tricks, start=1):
        written = None if trick is None else trick.leader
        if written is not None and expected is not None and written != expected:
            message = say("Trick %(trick)s is led by %(name)s.",
                          trick=number, name=layout.table.name(expected))  # fmt: skip
            yield Finding(code, {"trick": number}, message)
        expected, code = layout.winners[number - 1], "wrong-leader"


def _winners(layout: Layout) -> Iterator[Finding]:
    for number, trick in enumerate(layout.record.tricks, start=1):
        winner = layout.winners[number - 1]
        if trick is None or trick.winner is None or winner in (None, trick.winner):
            continue
        best = next(card for seat, card in layout.plays(number - 1) if seat == winner)
        message = say("Trick %(trick)s goes to %(name)s, with the %(card)s.", trick=number,
                      name=layout.table.name(winner),
                      card=card_name(best, layout.table.rules.cards))  # fmt: skip
        yield Finding("wrong-winner", {"trick": number}, message)


def _hands(layout: Layout) -> Iterator[Finding]:
    """A hand that was written down has as many cards as are dealt, and holds what was played."""
    hands, rules = layout.record.hands, layout.table.rules
    for seat, hand in hands.items():
        name = layout.table.name(seat)
        if len(hand.cards) != rules.cards_each:
            message = say("%(name)s has %(size)s cards instead of %(count)s.",
                          name=name, size=len(hand.cards), count=rules.cards_each)  # fmt: skip
            yield Finding("hand-size", {"hand": name}, message)
    if not rules.monte:
        yield from _not_held(layout)


def _not_held(layout: Layout) -> Iterator[Finding]:
    hands = layout.record.hands
    for index in range(len(layout.record.tricks)):
        for seat, card in layout.plays(index):
            if seat is None or seat not in hands or card in hands[seat].known:
                continue
            message = say("%(name)s played the %(card)s without holding it.",
                          name=layout.table.name(seat),
                          card=card_name(card, layout.table.rules.cards))  # fmt: skip
            yield Finding("card-not-held", {"trick": index + 1, "card": str(card)}, message)


def _auction(layout: Layout, dealer: Seat | None) -> Auction | None:
    calls, table = layout.record.auction, layout.table
    if not calls:
        return None
    before = {seat: table.active[place - 1] for place, seat in enumerate(table.active)}
    dealt = before[calls[0][0]] if dealer is None and calls[0][0] in before else dealer
    if dealt is None:
        return None
    return follow_auction(calls, rules=table.rules, active=table.active, dealer=dealt)


def _auction_problems(layout: Layout, dealer: Seat | None) -> Iterator[Finding]:
    auction, claim = _auction(layout, dealer), layout.record.claim
    if auction is None:
        return
    for problem in auction.problems:
        yield Finding(problem.code, {"auction": problem.field}, problem.message)
    if not auction.closed:
        yield Finding("auction-open", {"auction": "auction"}, say("The auction is not over."))
    elif auction.caller != claim.caller:
        message = say("Whoever bid highest is the caller.")
        yield Finding("caller-mismatch", {"claim": "caller"}, message)


def _revokes(layout: Layout) -> Iterator[Finding]:
    """Who didn't follow suit, and shows a card of that suit later."""
    later: set[tuple[Seat | None, object]] = set()
    for index in reversed(range(len(layout.record.tricks))):
        plays = layout.plays(index)
        for seat, card in plays[1:]:
            if (
                seat is not None
                and card.suit is not plays[0][1].suit
                and ((seat, plays[0][1].suit) in later)
            ):
                message = say("%(name)s could have followed suit in trick %(trick)s.",
                              name=layout.table.name(seat), trick=index + 1)  # fmt: skip
                yield Finding("revoke", {"trick": index + 1, "card": str(card)}, message)
        later |= {(seat, card.suit) for seat, card in plays}
