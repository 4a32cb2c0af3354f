"""A deal with all cards known, to be solved: from whole tricks, or hands and the tricks so far.

Once no card is drawn any more all of them are in the hands. Who has what follows from the tricks
played after that, or from the hands as they were dealt and the stock; one hand may be missing, it
is the rest of the pack. A dead hand lies in the order in which it is turned over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from scorer.cards import sides
from scorer.cards.board import Board
from scorer.cards.call import Claim
from scorer.cards.chiamata import weigh
from scorer.cards.faults import Finding, fault, faults
from scorer.cards.games import check_begun
from scorer.cards.line import Line, follow
from scorer.cards.solver.open_deal import OpenDeal
from scorer.rules.seats import Seat

Hands = Mapping[Seat, tuple[int, ...]]


def open_cards(board: Board, *, may_be_shown: bool = False) -> OpenDeal | list[Finding]:
    """Return the deal with all cards known, or what is unknown or wrong.

    ``may_be_shown`` is true if nobody said whether a caller who had the called card showed it.
    Raise InvalidError before the deal has begun.
    """
    check_begun(board)
    board = board.played()
    line, called = follow(board), isinstance(board.claim, Claim)
    forgotten = [number for number, trick in enumerate(board.tricks, start=1) if trick is None]
    if findings := [*faults(board)] or [*_unsolvable(board, forgotten)]:
        return findings
    after = board.facts.tricks - board.facts.each
    leader = next(iter([*line.leaders, line.turn][after:]), None)
    if called and leader is None:
        return [fault("leader-unknown", {"trick": 1})]
    known = not forgotten and None not in line.winners[:after]
    hands = _hands(line, after) if known else None
    if hands is None or leader is None:
        return [fault(f"cards-unknown:{'aside' if called else 'drawn'}", {"hands": True})]
    target, aside = board.facts.target, board.facts.last_worth
    ours: Collection[Seat] | None = sides.count(board).sides[0] if not called else None
    if called:
        evidence = weigh(board, may_be_shown=may_be_shown)
        ours, target = evidence.players, evidence.target
        rest = board.deck.pack.difference(*hands.values())
        aside = sum(board.deck.points[card] for card in rest)
    if ours is None:
        return [fault("partner-unknown", {"claim": "partner"})]
    return _laid_open(line, hands, ours, leader=leader, target=target, aside=aside)


def _unsolvable(board: Board, forgotten: Sequence[int]) -> Iterator[Finding]:
    """Find tricks that a call needs, and sides that are not two."""
    if isinstance(board.claim, Claim):
        for number in forgotten:
            yield fault("cards-unknown:trick", {"trick": number}, trick=number)
    elif len(sides.count(board).sides) > 2:
        yield fault("no-solve", {"seats": True})


def _hands(line: Line, after: int) -> Hands | None:
    """Return all hands once the stock is empty; None if a card is unknown."""
    board, facts, plays = line.board, line.board.facts, [*line.all_plays()]
    later = [(seat, card) for index, seat, card in plays if index >= after]
    if board.complete:
        return {seat: tuple(c for who, c in later if who == seat) for seat in board.players}
    held = {seat: [*hand] for seat, hand in board.hands.items() if seat in line.hands or after}
    for place, card in enumerate(board.stock or ()):
        drawer, _ = line.drawer(place)
        if drawer in held:
            held[drawer].append(card)
    missing, aside = {*board.players} - held.keys(), board.aside or ()
    if len(missing) > 1 or facts.dead in missing or len(aside) < facts.monte:
        return None
    turned = [card for seat, card in later if seat == facts.dead]
    if facts.dead is not None and held[facts.dead][: len(turned)] != turned:
        return None
    gone = {card for index, _, card in plays if index < after}
    rest = sorted(board.deck.pack.difference(gone, aside, *held.values()))
    hands = {
        seat: tuple([card for card in held.get(seat, rest) if card not in gone])
        for seat in board.players
    }
    if not isinstance(board.claim, Claim):
        hands = {seat: tuple(sorted({*hand})) for seat, hand in hands.items()}
    return hands if all(len(hand) == facts.each for hand in hands.values()) else None


def _laid_open(
    line: Line, hands: Hands, ours: Collection[Seat], *, leader: Seat, target: int, aside: int
) -> OpenDeal:
    """Number the players in order of play, and the cards from the strongest trump on."""
    board, deck, seats = line.board, line.board.deck, line.board.players
    after = board.facts.tricks - board.facts.each
    pack = sorted(deck.pack, key=lambda card: (deck.suit(card) != board.trump, card))
    numbers = {card: number for number, card in enumerate(pack)}
    before = zip(line.winners[:after], line.worths[:after], strict=True)
    played = chain.from_iterable(trick.cards for trick in board.tricks[after:] if trick)
    follows = board.table.active if board.facts.follows else ()
    return OpenDeal(
        height=deck.height,
        points=tuple(deck.points[card] for card in pack),
        hands=tuple(tuple(numbers[card] for card in hands[seat]) for seat in seats),
        ours=frozenset(seats.index(seat) for seat in ours),
        follows=frozenset(seats.index(seat) for seat in follows),
        dead=None if board.facts.dead is None else seats.index(board.facts.dead),
        aside=aside,
        leader=seats.index(leader),
        played=tuple(numbers[card] for card in played),
        target=target,
        names=tuple(map(board.table.name, seats)),
        texts=tuple(map(board.text, pack)),
        trumps=board.trump is not None,
        tricks_before=after,
        taken_before=sum(worth for winner, worth in before if winner in ours),
    )
