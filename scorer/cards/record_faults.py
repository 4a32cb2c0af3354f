"""Faults of a record itself: its cards, its tricks, who led and who won (rules.md C2)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorer.cards.layout import Layout
from scorer.cards.trick_game import UNREAD, CardPile
from scorer.rules.findings import Finding
from scorer.rules.seats import Seat
from scorer.texts import Text, about, say
from scorer.texts import tricks as trick_count

Position = Mapping[str, object]
Placed = Iterable[tuple[Position, CardPile]]


def faults(layout: Layout[Any]) -> Iterator[Finding]:
    """Find every fault of the record that does not depend on a claim."""
    if layout.doubtful:
        yield from _strange_cards(layout.deal.piles())
        yield from _doubled_cards(layout, layout.deal.piles())
    if layout.complete:
        yield from _missing_cards(layout)
    else:
        yield from _sizes(layout)
    discards, monte = layout.deal.discards, layout.deal.laid_aside
    if discards is not None and len(discards.cards) != monte:
        message = say(
            "Cards laid aside: %(size)s instead of %(monte)s.",
            size=len(discards.cards),
            monte=monte,
        )
        yield Finding("discard-count", {"discards": True}, message)
    yield from _tellers(layout)
    if layout.deal.hands or layout.deal.drawn is not None:
        yield from _hands(layout)


def _strange_cards(piles: Placed) -> Iterator[Finding]:
    for where, pile in piles:
        for text in pile.unread:
            message = say("There is no card %(card)s in this deck.", card=text)
            yield Finding("card-not-in-deck", {**where, "card": text}, about(text, message))


def _doubled_cards(layout: Layout[Any], piles: Placed) -> Iterator[Finding]:
    first: dict[int, Position] = {}
    for where, pile in piles:
        for card in pile.cards:
            if card in first and card != UNREAD:
                yield _doubled(layout, card, first[card], where)
            first.setdefault(card, where)


def _doubled(layout: Layout[Any], card: int, one: Position, other: Position) -> Finding:
    values = {"card": layout.deal.say_the_card(card)}
    if "trick" in one and one == other:
        message = say("Trick %(trick)s has %(card)s twice.", **values, trick=one["trick"])
    elif "trick" in one and "trick" in other:
        message = say(
            "Trick %(one)s and trick %(other)s both have %(card)s.",
            **values,
            one=one["trick"],
            other=other["trick"],
        )
    else:
        message = say("Somebody wrote down %(card)s twice.", **values)
    return Finding("duplicate-card", {**one, "card": _code(layout, card), "again": other}, message)


def _code(layout: Layout[Any], card: int) -> str:
    return str(layout.deal.deck.cards[card])


def _missing_cards(layout: Layout[Any]) -> Iterator[Finding]:
    """Find the cards that a complete deal lacks, except for unknown discards."""
    deal = layout.deal
    if deal.laid_aside and deal.discards is None:
        return
    if not layout.doubtful and len(layout.seen) == len(deal.letters.pack):
        return
    for card in layout.unseen():
        message = say("No recorded trick has %(card)s.", card=deal.say_the_card(card))
        yield Finding("missing-card", {"card": _code(layout, card)}, message)


def _sizes(layout: Layout[Any]) -> Iterator[Finding]:
    """Only the last trick entered may have fewer cards than there are players."""
    tricks, players = layout.deal.tricks, len(layout.turns)
    sizes = {number: len(trick.cards) for number, trick in enumerate(tricks, 1) if trick}
    last = max(sizes, default=0)
    for number, size in sizes.items():
        if size > players or (size < players and number != last):
            message = say(
                "Cards in trick %(trick)s: %(size)s instead of %(players)s.",
                trick=number,
                size=size,
                players=players,
            )
            yield Finding("trick-size", {"trick": number}, message)
    each = layout.deal.trick_count
    if len(tricks) > each:
        message = say("A deal has only %(tricks)s.", tricks=trick_count(each))
        yield Finding("trick-count", {"trick": each + 1}, message)


def _tellers(layout: Layout[Any]) -> Iterator[Finding]:
    """Compare the written leaders and winners with those that follow from the cards."""
    for index, trick in enumerate(layout.deal.tricks):
        if trick is None:
            continue
        where = {"trick": index + 1}
        if trick.leader is not None:
            leader = layout.next_leader(index - 1) if index else layout.deal.first_leader
            code = "wrong-leader" if index else "wrong-first-leader"
            if trick.leader not in layout.turns:
                yield Finding(code, where, _sits_out(layout, trick.leader))
            elif leader not in (None, trick.leader):
                name = layout.deal.table.name(leader)
                message = say("Trick %(trick)s is led by %(name)s.", trick=index + 1, name=name)
                yield Finding(code, where, message)
        if trick.winner is not None and trick.winner != layout.winners[index]:
            here = trick.winner in layout.turns
            said = taken_with(layout, index) if here else _sits_out(layout, trick.winner)
            if said is not None:
                yield Finding("wrong-winner", where, said)


def taken_with(layout: Layout[Any], index: int) -> Text | None:
    """Name who takes a trick, and with which card; None if unknown."""
    trick, winner, place = layout.trick(index), layout.winners[index], layout.places[index]
    if trick is None or winner is None or place is None:
        return None
    values, best = {"trick": index + 1, "name": layout.deal.table.name(winner)}, trick.cards[place]
    if best == UNREAD:
        return say("Trick %(trick)s goes to %(name)s.", **values)
    card = layout.deal.say_the_card(best)
    return say("Trick %(trick)s goes to %(name)s, with %(card)s.", **values, card=card)


def _sits_out(layout: Layout[Any], seat: Seat) -> Text:
    return say("%(name)s sits this deal out.", name=layout.deal.table.name(seat))


def _hands(layout: Layout[Any]) -> Iterator[Finding]:
    hands = layout.deal.hands
    piles: list[tuple[Position, CardPile]] = [
        ({"hand": layout.deal.table.name(seat)}, hand) for seat, hand in hands.items()
    ]
    if layout.deal.stock is not None:
        piles.append(({"stock": True}, layout.deal.stock))
    elif layout.deal.drawn is not None:
        piles.append(({"turned_up": True}, CardPile(tuple(layout.deal.drawn.places))))
    yield from _strange_cards(piles)
    yield from _doubled_cards(layout, piles)
    for seat, hand in hands.items():
        name, sizes = layout.deal.table.name(seat), layout.deal.hand_sizes(seat)
        if len(hand.cards) not in sizes:
            message = say(
                "Cards of %(name)s: %(size)s instead of %(count)s.",
                name=name,
                size=len(hand.cards),
                count=sizes[0],
            )
            yield Finding("hand-size", {"hand": name}, message)
    drawn, pile = layout.deal.drawn, layout.deal.stock
    if drawn is not None and pile is not None and len(pile.cards) != drawn.size:
        message = say(
            "Cards of the stock: %(size)s instead of %(count)s.",
            size=len(pile.cards),
            count=drawn.size,
        )
        yield Finding("stock-size", {"stock": True}, message)
    yield from _not_held(layout)


def _not_held(layout: Layout[Any]) -> Iterator[Finding]:
    for index in range(len(layout.deal.tricks)):
        for seat, card in layout.plays(index):
            if seat is not None and not layout.may_play(seat, card, index):
                message = say(
                    "%(name)s played %(card)s without holding it.",
                    name=layout.deal.table.name(seat),
                    card=layout.deal.say_the_card(card),
                )
                where = {"trick": index + 1, "card": _code(layout, card)}
                yield Finding("card-not-held", where, message)


def revokes(layout: Layout[Any]) -> list[Finding]:
    """Find players who must follow suit, did not, and play a card of that suit later."""
    suit_of, following = layout.deal.deck.suit_of, layout.deal.following
    findings: list[Finding] = []
    if not following:
        return findings
    later: set[tuple[Seat | None, int]] = set()
    for index in reversed(range(len(layout.deal.tricks))):
        plays = [(seat, suit_of(card), card) for seat, card in layout.plays(index)]
        findings = [
            Finding(
                "revoke",
                {"trick": index + 1, "card": _code(layout, card)},
                say(
                    "%(name)s could have followed suit in trick %(trick)s.",
                    name=layout.deal.table.name(seat),
                    trick=index + 1,
                ),
            )
            for seat, suit, card in plays[1:]
            if seat is not None
            and seat in following
            and suit != plays[0][1]
            and (seat, plays[0][1]) in later
        ] + findings
        later |= {(seat, suit) for seat, suit, _ in plays}
    return findings
