"""A record of which all cards are known, as a deal to be solved with the cards open.

All cards are known from whole tricks, or from whole hands and the tricks so far; the hand that is
missing where one is, is the rest of the pack. A dead hand lies in the order in which it is turned
over.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from scorer.cards import record_faults
from scorer.cards.chiamata.evidence import weigh
from scorer.cards.chiamata.record import ChiamataTricks, dead_hand, read_record
from scorer.cards.layout import lay_out
from scorer.cards.solver.open_deal import OpenDeal
from scorer.rules.findings import Finding
from scorer.texts import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorer.cards.chiamata.deal import ChiamataDeal
    from scorer.cards.chiamata.evidence import ChiamataLayout, Evidence
    from scorer.cards.trick_game import NumberedDeck
    from scorer.games.briscola_chiamata.rules import ChiamataRules
    from scorer.rules.game import Table
    from scorer.rules.seats import Seat
    from scorer.rules.sheet import Reading

    Hands = Mapping[Seat, tuple[int, ...]]


def read_open_deal(
    data: dict[str, Any], table: Table[ChiamataRules], dealer: Seat | None, reading: Reading
) -> OpenDeal | list[Finding] | None:
    """Read a record (contract.md) of which all cards are known; else what is missing or wrong.

    None for a record that can't be read, whose faults go to the reading.
    """
    record = read_record(data, table, reading)
    if record is None:
        return None
    return _opened(lay_out(record.cards, ChiamataTricks.of(record, table, dealer)))


def open_cards(deal: ChiamataDeal) -> OpenDeal | list[Finding]:
    """Open the cards of a deal; else say what is missing or wrong in it."""
    return _opened(deal.layout)


def _opened(layout: ChiamataLayout) -> OpenDeal | list[Finding]:
    found = [*record_faults.faults(layout)] or _unknown(layout)
    if found:
        return found
    evidence, hands = weigh(layout), _hands(layout)
    if hands is None:
        message = say("All cards must be known: every trick, or the hands and what lies aside.")
        return [Finding("cards-unknown", {"hands": True}, message)]
    if evidence.partners is None:
        message = say("The record doesn't tell who the partner was.")
        return [Finding("partner-unknown", {"claim": "partner"}, message)]
    return _open_deal(evidence, evidence.partners, hands)


def _unknown(layout: ChiamataLayout) -> list[Finding]:
    """Find the tricks that nobody remembers, or of which nobody knows who led them."""
    found = []
    for number, trick in enumerate(layout.record.tricks, start=1):
        if trick is None:
            message = say("Trick %(trick)s is not written down.", trick=number)
            found.append(Finding("cards-unknown", {"trick": number}, message))
    if not found and None in (layout.leaders or [layout.game.first_leader]):
        message = say("Who led first? The record tells neither that nor who dealt.")
        found.append(Finding("leader-unknown", {"trick": 1}, message))
    return found


def _hands(layout: ChiamataLayout) -> Hands | None:
    """The cards that each plays, or None where they are not all known."""
    plays = [play for index in range(len(layout.record.tricks)) for play in layout.plays(index)]
    played = {seat: [card for who, card in plays if who == seat] for seat in layout.turns}
    if layout.complete:
        return {seat: tuple(cards) for seat, cards in played.items()}
    missing, dead = layout.turns.keys() - layout.hands.keys(), dead_hand(layout.game.table)
    discards = layout.record.discards
    aside = () if discards is None else discards.cards
    if dead in missing or len(missing) > 1 or len(aside) < layout.game.laid_aside:
        return None
    if dead is not None and [*layout.record.hands[dead].cards][: len(played[dead])] != played[dead]:
        return None
    rest = layout.record.letters.pack.difference(aside, *layout.hands.values())
    return {
        seat: layout.record.hands[seat].cards if seat in layout.hands else tuple(sorted(rest))
        for seat in layout.turns
    }


def _open_deal(evidence: Evidence, partners: tuple[Seat, ...], hands: Hands) -> OpenDeal:
    """Number the players in order of play, and the cards from the trumps on."""
    layout, game = evidence.layout, evidence.layout.game
    places = {seat: place for place, seat in enumerate(game.players)}
    numbers, deck, dead = _trumps_first(layout), game.deck, dead_hand(game.table)
    played = chain.from_iterable(trick.cards for trick in layout.record.tricks if trick)
    leader = next(iter(layout.leaders), game.first_leader)
    in_hands = list(chain.from_iterable(hands.values()))
    return OpenDeal(
        height=deck.height,
        points=tuple(deck.points[card] for card in numbers),
        hands=tuple(tuple(numbers[card] for card in hands[seat]) for seat in game.players),
        ours=frozenset(places[seat] for seat in partners),
        follows=frozenset(places[seat] for seat in game.players if game.must_follow(seat)),
        dead=None if dead is None else places[dead],
        aside=sum(deck.points[card] for card in layout.record.letters.pack.difference(in_hands)),
        leader=0 if leader is None else places[leader],
        played=tuple(numbers[card] for card in played),
        target=game.target,
        names=tuple(map(game.name, game.players)),
        texts=tuple(str(deck.cards[card]) for card in numbers),
    )


def _trumps_first(layout: ChiamataLayout) -> Mapping[int, int]:
    """Number the cards of the pack anew, from the strongest trump on."""
    deck: NumberedDeck = layout.game.deck
    trump = deck.suit_of(layout.game.record.called)
    pack = sorted(layout.record.letters.pack, key=lambda card: (deck.suit_of(card) != trump, card))
    return {card: number for number, card in enumerate(pack)}
