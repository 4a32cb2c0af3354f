"""What an examination can find, and the faults of a record itself (rules.md C2).

``SENTENCES`` has the sentences of all findings, but for those of bids and sheets, which the games
bring along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorer.cards.board import Board
from scorer.cards.line import Line, follow
from scorer.rules.seats import Seat
from scorer.texts import Text, about, say
from scorer.texts import tricks as trick_count


class Finding(NamedTuple):
    """One fault of a record, or one difference from the claim (rules.md C2)."""

    code: str
    where: Mapping[str, object]
    message: Text


class SideTaken(NamedTuple):
    """What a side has taken for certain, and the least and the most that it can end with."""

    seats: tuple[Seat, ...]
    card_points: int
    bounds: tuple[int, int]


class DealProof(NamedTuple):
    """The result of an examination: what a record proves, and its faults.

    What each player has is listed in order of play. Where a caller finds his partner, ``bounds``
    are the least and the most card points that his side can end with; ``partner`` and ``alone`` are
    None while the record leaves them open. Where the sides are known before, there are ``sides``,
    and the ``sheet`` that the cards prove, once they prove a whole one. ``exact`` says whether the
    record is known to reach the bounds; otherwise they only hold.
    """

    complete: bool
    winners: Sequence[Seat | None]
    card_points: Mapping[Seat, int]
    tricks_won: Mapping[Seat, int]
    exact: bool
    status: str
    payouts: Mapping[Seat, int] | None
    problems: Sequence[Finding]
    warnings: Sequence[Finding]
    partner: Seat | None = None
    alone: bool | None = None
    side_points: int | None = None
    bounds: tuple[int, int] = (0, 0)
    sides: tuple[SideTaken, ...] = ()
    sheet: Mapping[str, object] | None = None


Where = Mapping[str, object]
Placed = list[tuple[Where, tuple[int, ...]]]

_IS_PARTNER = say("%(name)s held the called card, %(card)s, so %(name)s is the partner.")
_NEVER_HELD = say("%(name)s can't have had %(card)s, the called card.")
_SITS_OUT = say("%(name)s sits this deal out.")
_LED_BY = say("Trick %(trick)s is led by %(name)s.")
#: The sentences of the findings by code; a word behind the colon tells those of one code apart.
SENTENCES = {
    "auction-open": say("The auction is not over."),
    "bid-mismatch": say("The highest bid was %(bid)s."),
    "call-lowest": say(
        "After a bid of %(rank)s the called card can only be %(rank)s or, if the caller holds "
        "that, the lowest briscola that the caller doesn't hold."
    ),
    "called-by-caller": say("%(name)s had %(card)s, the called card, and so played alone."),
    "called-by-caller:aside": say(
        "The called card, %(card)s, was laid aside, so only %(other)s, the next player after "
        "the caller, can have become the partner."
    ),
    "called-by-caller:shown": say(
        "%(name)s had %(card)s, the called card, so only %(other)s, the next player after the "
        "caller, can have become the partner."
    ),
    "called-not-played": say("The called card, %(card)s, isn't in any recorded trick."),
    "caller-is-partner": say(
        "The caller can't also be the partner: if the caller played alone, there is no partner."
    ),
    "caller-mismatch": say("%(name)s bid highest, so %(name)s is the caller."),
    "caller-mismatch:none": say("Everybody passed, so there is no caller."),
    "card-not-held": say("%(name)s played %(card)s without holding it."),
    "card-not-in-deck": say("There is no card %(card)s in this deck."),
    "cards-unknown:aside": say(
        "All cards must be known: every trick, or the hands and what lies aside."
    ),
    "cards-unknown:drawn": say(
        "All cards, and who led, must be known: every trick, or the hands and what was drawn."
    ),
    "cards-unknown:trick": say("Trick %(trick)s is not written down."),
    "declaration-not-held": say(
        "Going by the cards entered, nobody of %(who)s held what was declared: %(what)s."
    ),
    "discard-count": say("Cards laid aside: %(size)s instead of %(monte)s."),
    "duplicate-card": say("Somebody wrote down %(card)s twice."),
    "duplicate-card:trick": say("Trick %(trick)s has %(card)s twice."),
    "duplicate-card:tricks": say("Trick %(one)s and trick %(other)s both have %(card)s."),
    "hand-size": say("Cards of %(name)s: %(size)s instead of %(count)s."),
    "leader-unknown": say("Who led first? The record tells neither that nor who dealt."),
    "missing-card": say("No recorded trick has %(card)s."),
    "no-solve": say("Only deals of two sides are solved."),
    "not-alone": _IS_PARTNER,
    "not-alone:unknown": _NEVER_HELD,
    "other-call": say("The sheet says that %(card)s was called."),
    "own-card-forbidden": say("The caller had the called card: that is not allowed at this table."),
    "partner-unknown": say("The record doesn't tell who the partner was."),
    "points-mismatch": say("Going by the cards entered, %(who)s took %(points)s card points."),
    "points-mismatch:between": say(
        "Going by the cards entered, %(who)s must have taken between %(low)s and %(high)s card "
        "points, not %(said)s."
    ),
    "aces-mismatch": say("Going by the cards entered, %(who)s took %(points)s of the aces."),
    "thirds-mismatch": say(
        "Going by the cards entered, %(who)s took %(points)s of the threes, twos and court cards."
    ),
    "hand-points-mismatch": say(
        "Going by the cards entered, the hand points of %(who)s are %(points)s."
    ),
    "points-total": say("Together that makes %(sum)s instead of %(pack)s."),
    "revoke": say("%(name)s could have followed suit in trick %(trick)s."),
    "shown-alone": say("The called card was shown, so the caller has a partner."),
    "shown-without-monte": say("A card is shown only when you play with a monte."),
    "stock-size": say("Cards of the stock: %(size)s instead of %(count)s."),
    "trick-count": say("A deal has only %(tricks)s."),
    "trick-size": say("Cards in trick %(trick)s: %(size)s instead of %(players)s."),
    "tricks-total": say("The caller's side took %(tricks)s."),
    "tricks-total:alone": say("%(name)s took %(tricks)s."),
    "turned-up": say("The card turned up, %(card)s, lies under the stock."),
    "turned-up-honour": say(
        "The card turned up, %(card)s, goes back into the pack: by these rules no ace and no "
        "three is turned up."
    ),
    "wrong-cappotto": say("Going by the cards entered, the tricks were shared otherwise."),
    "wrong-cappotto:none": say("It wasn't a cappotto: each side took something."),
    "wrong-cappotto:all": say("It was a cappotto: one side took everything."),
    "wrong-first-leader": _LED_BY,
    "wrong-first-leader:four": say("Trick 1 is led by %(name)s, who had %(card)s."),
    "wrong-first-leader:out": _SITS_OUT,
    "wrong-last-trick": say("The last trick went to %(who)s."),
    "wrong-leader": _LED_BY,
    "wrong-leader:out": _SITS_OUT,
    "wrong-partner": _IS_PARTNER,
    "wrong-partner:dead": say(
        "%(name)s had %(card)s, the called card, so %(caller)s had no partner."
    ),
    "wrong-partner:unknown": _NEVER_HELD,
    "wrong-result:made": say("Going by the cards entered, the bid was made."),
    "wrong-result:missed": say("Going by the cards entered, the bid was missed."),
    "wrong-result:drawn": say("Going by the cards entered, the deal was a draw."),
    "wrong-shown": say("The caller didn't have the called card, and can't have shown it."),
    "wrong-winner": say("Trick %(trick)s goes to %(name)s, with %(card)s."),
    "wrong-winner:unread": say("Trick %(trick)s goes to %(name)s."),
    "wrong-winner:out": _SITS_OUT,
}


def fault(key: str, where: Where, **values: object) -> Finding:
    """Return the finding of a key of ``SENTENCES``."""
    return Finding(key.partition(":")[0], where, replace(SENTENCES[key], values=values))


def faults(board: Board) -> Iterator[Finding]:
    """Find every fault of the record that does not depend on a claim."""
    line, facts = follow(board), board.facts
    tricks: Placed = [
        ({"trick": number}, trick.cards) for number, trick in enumerate(board.tricks, 1) if trick
    ]
    aside: Placed = [] if board.aside is None else [({"discards": True}, board.aside)]
    yield from _cards(board, [*tricks, *aside])
    if board.complete:
        unseen = line.unseen()
        out = next((card for card in unseen if card in facts.left_out), None)
        for card in () if facts.monte and board.aside is None else unseen:
            if card == out:
                continue
            yield fault("missing-card", {"card": board.text(card)}, card=board.card_name(card))
    else:
        yield from _sizes(board, tricks)
    if board.aside is not None and len(board.aside) != facts.monte:
        sizes = {"size": len(board.aside), "monte": facts.monte}
        yield fault("discard-count", {"discards": True}, **sizes)
    yield from _leaders_and_winners(line)
    if board.hands or board.stock is not None or board.stock_places is not None:
        yield from _hands(line)


def _cards(board: Board, piles: Placed) -> Iterator[Finding]:
    """Find cards that can't be read, and those that are there twice."""
    pack, first = board.deck.pack, dict[int, Where]()
    for where, cards in piles:
        for text in [board.text(card) for card in cards if card not in pack]:
            unread = fault("card-not-in-deck", {**where, "card": text}, card=text)
            yield unread._replace(message=about(text, unread.message))
    for where, cards in piles:
        for card in cards:
            if card in first and card in pack:
                yield _doubled(board, card, first[card], where)
            first.setdefault(card, where)


def _doubled(board: Board, card: int, one: Where, other: Where) -> Finding:
    where = {**one, "card": board.text(card), "again": other}
    name = board.card_name(card)
    if "trick" in one and one == other:
        return fault("duplicate-card:trick", where, card=name, trick=one["trick"])
    if "trick" in one and "trick" in other:
        tricks = {"one": one["trick"], "other": other["trick"]}
        return fault("duplicate-card:tricks", where, card=name, **tricks)
    return fault("duplicate-card", where, card=name)


def _sizes(board: Board, tricks: Placed) -> Iterator[Finding]:
    """Only the last trick entered may have fewer cards than there are players."""
    players, each = len(board.players), board.facts.tricks
    for where, cards in tricks:
        size = len(cards)
        if size > players or (size < players and where != tricks[-1][0]):
            yield fault("trick-size", where, trick=where["trick"], size=size, players=players)
    if len(board.tricks) > each:
        yield fault("trick-count", {"trick": each + 1}, tricks=trick_count(each))


def _leaders_and_winners(line: Line) -> Iterator[Finding]:
    """Compare the written leaders and winners with those that follow from the cards."""
    board, name = line.board, line.board.table.name
    for index, trick in enumerate(board.tricks):
        if trick is None:
            continue
        where = {"trick": index + 1}
        leader = line.next_leader(index - 1) if index else board.first_leader
        code = "wrong-leader" if index else "wrong-first-leader"
        if trick.leader is not None and trick.leader not in board.turns:
            yield fault(f"{code}:out", where, name=name(trick.leader))
        elif trick.leader is not None and leader is not None and leader != trick.leader:
            yield fault(code, where, **where, name=name(leader))
        if trick.winner is not None and trick.winner not in board.turns:
            yield fault("wrong-winner:out", where, name=name(trick.winner))
        elif trick.winner is not None and trick.winner != line.winners[index]:
            yield from winner_found(line, index)


def winner_found(line: Line, index: int) -> Iterator[Finding]:
    """Name who takes a trick, and with which card; nothing if that is unknown."""
    board, trick, where = line.board, line.trick(index), {"trick": index + 1}
    winner, place = line.winners[index], line.places[index]
    if trick is None or winner is None or place is None:
        return
    best, name = trick.cards[place], board.table.name(winner)
    if best in board.deck.pack:
        yield fault("wrong-winner", where, **where, name=name, card=board.card_name(best))
    else:
        yield fault("wrong-winner:unread", where, **where, name=name)


def hand_sizes(board: Board, seat: Seat) -> Sequence[int]:
    """Return the sizes that a written hand may have, the usual one first."""
    taken_up = board.facts.monte if seat == board.takes_up else 0
    return board.facts.each, board.facts.each + taken_up


def _hands(line: Line) -> Iterator[Finding]:
    board, name, drawn = line.board, line.board.table.name, line.board.stock_places
    piles: Placed = [({"hand": name(seat)}, hand) for seat, hand in board.hands.items()]
    if board.stock is not None:
        piles.append(({"stock": True}, board.stock))
    elif drawn is not None:
        piles.append(({"turned_up": True}, tuple(drawn)))
    yield from _cards(board, piles)
    for seat, hand in board.hands.items():
        sizes, size = hand_sizes(board, seat), len(hand)
        if size not in sizes:
            values = {"name": name(seat), "size": size, "count": sizes[0]}
            yield fault("hand-size", {"hand": name(seat)}, **values)
    size, count = len(board.stock or ()), board.stock_size
    if board.stock is not None and size != count:
        yield fault("stock-size", {"stock": True}, size=size, count=count)
    for index, player, card in line.all_plays():
        if player is not None and not line.may_play(player, card, index):
            where = {"trick": index + 1, "card": board.text(card)}
            yield fault("card-not-held", where, name=name(player), card=board.card_name(card))


def revokes(board: Board) -> Iterator[Finding]:
    """Find players who must follow suit, did not, and play a card of that suit later."""
    line, suit = follow(board), board.deck.suit
    plays, led = [*line.all_plays()], dict[int, int]()
    for index, seat, card in plays if board.facts.follows else ():
        wanted = led.setdefault(index, suit(card))
        if seat is None or seat not in board.table.active or suit(card) == wanted:
            continue
        later = [(who, other) for at, who, other in plays if at > index and suit(other) == wanted]
        if any(who == seat and line.surely_had(seat, other, index) for who, other in later):
            where = {"trick": index + 1, "card": board.text(card)}
            yield fault("revoke", where, name=board.table.name(seat), trick=index + 1)
