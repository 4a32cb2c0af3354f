"""The search for whether a side reaches its points, all cards open: alpha-beta with a null window.

``reaches`` answers one question, whether our side takes at least so many card points from here.
It works on plain integers and arrays (``Board``), so that numba compiles it where it is installed
(the extra ``solver``) and Python runs the very same lines where it is not.

Before each trick the position is looked up in a transposition table. Its key is exact: who owns
each rank of each suit. Ranks that are gone, and are worth nothing, drop out, and plain suits are
sorted, for such positions are played alike. Touching cards of one hand that are worth the same are
one move. The side that owns the highest trumps takes a trick with each whenever it likes, which
bounds what either side can still get.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

    Array = MutableSequence[int]

F = TypeVar("F", bound="Callable[..., Any]")

try:
    import numba
except ImportError:
    numba = None

COMPILED = numba is not None and not numba.config.DISABLE_JIT

#: The numbers in ``Board.rules``.
SEATS, HEIGHT, TRUMPS, ASIDE, HONOURS, SIZE, WHOLE = range(7)
#: The numbers in ``Board.counters``.
NODES, LIMIT = range(2)
#: Moves that one player can have, and cards that one deal can have.
MOST_MOVES, MOST_CARDS = 16, 48
#: The answer where the limit of nodes was reached.
UNDECIDED = -1
#: The place of the only bit of a number, by the rest of its division by 67.
PLACES = tuple(next((place for place in range(66) if 2**place % 67 == rest), 0) for rest in range(67))
SUIT_BITS, OWNER, HALF, BYTE = 30, 7, 15, 255
BEST_FIRST = 10**6
#: What a move promises, found by trying: a point in the trick, a trump that has to take it, a trump
#: played (worthless, or beside its points), a plain card that takes the trick, a point led.
WORTH, COST, SMALL_TRUMP, TRUMP_WORTH, TAKEN, LED = 5, 5, 8, 56, 9, 9


class Board(NamedTuple):
    """A position, and what the search needs beside it.

    A card is a number: its suit times ``HEIGHT``, plus its rank, from 0 for the strongest. Trumps
    are the first suit.
    """

    #: Constants of the deal, by the names above. With ``WHOLE`` the keys keep every rank.
    rules: Array
    #: The cards of each seat, a bit each.
    hands: Array
    #: 1 for each seat of our side, whose points are counted.
    ours: Array
    #: 1 for each seat that must follow suit.
    follows: Array
    #: Who owns each rank of a suit: three bits each, the strongest lowest, 0 for a card that is gone.
    owners: Array
    #: What each card is worth.
    points: Array
    #: The card that a dead hand turns over next, by how many it has left; for each seat, or -1.
    turned: Array
    #: ``owners`` of worthless ranks, with what is gone left out.
    closed_up: Array
    #: The moves of each depth, and how promising they are.
    moves: Array
    promise: Array
    #: The transposition table: two halves of a key, and its bounds with the best move.
    first: Array
    second: Array
    bounds: Array
    counters: Array


def compiled(signature: str | None = None) -> Callable[[F], F]:
    """Compile a function where numba is installed, and keep what was compiled on disk."""

    def compile_it(function: F) -> F:
        if not COMPILED:
            return function
        return numba.njit(signature, cache=True)(function) if signature else numba.njit(function)

    return compile_it


@compiled()
def place_of(bit: int) -> int:
    """The place of the only bit of a number."""
    return PLACES[bit % 67]


@compiled()
def strength(hand: int, suit: int, height: int, trumps: int) -> int:
    """How strong the best card of a hand is in a trick: trumps from 21, the suit led from 1."""
    ranks = (1 << height) - 1
    own = hand & ranks if trumps else 0
    if own:
        return 40 - place_of(own & -own)
    own = (hand >> (suit * height)) & ranks
    return 20 - place_of(own & -own) if own else 0


@compiled()
def beats(card: int, best: int, height: int, trumps: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    suit, other = card // height, best // height
    return card < best if suit == other else bool(trumps) and suit == 0


@compiled()
def safe_points(board: Board, top_side: int, masters: int, leader: int) -> int:
    """What the side with the highest trumps gets at least, playing them one a trick.

    Each takes a trick. In those tricks their partners throw their best cards, and the others at
    least their worst. Where suit is followed, or a dead hand plays, the masters alone are sure.
    """
    rules, count, total = board.rules, 0, 0
    rest = masters
    while rest:
        count += 1
        total += board.points[place_of(rest & -rest)]
        rest &= rest - 1
    if rules[WHOLE] or board.follows[0]:
        return total
    for seat in range(rules[SEATS]):
        friend, wanted, hand = board.ours[seat] == top_side, count, board.hands[seat]
        while friend and hand & masters and wanted:
            hand &= ~(hand & masters & -(hand & masters))
            wanted -= 1
        total += thrown(board, hand & ~masters, wanted, friend)
    if count >= bits_of(board.hands[leader]):
        total += rules[ASIDE]
    return total


@compiled()
def bits_of(number: int) -> int:
    """How many bits of a number are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@compiled()
def thrown(board: Board, hand: int, wanted: int, best: bool) -> int:
    """What so many cards of a hand are worth: the best of them, or the worst."""
    total = 0
    while wanted and hand:
        chosen, rest = hand & -hand, hand & (hand - 1)
        while rest:
            bit = rest & -rest
            rest ^= bit
            more = board.points[place_of(bit)] > board.points[place_of(chosen)]
            if more == best:
                chosen = bit
        hand ^= chosen
        total += board.points[place_of(chosen)]
        wanted -= 1
    return total


@compiled()
def list_moves(board: Board, ply: int, seat: int, suit_led: int, best: int) -> int:
    """List the cards that a seat may play, one of each run of equals; return their number."""
    rules, hand, start, count = board.rules, board.hands[seat], ply * MOST_MOVES, 0
    height, legal, apart, last = rules[HEIGHT], hand, 0, -1
    if board.turned[bits_of(hand)] >= 0 and rules[WHOLE] == seat + 1:
        board.moves[start] = board.turned[bits_of(hand)]
        return 1
    if suit_led >= 0 and board.follows[seat]:
        suited = hand & (((1 << height) - 1) << (suit_led * height))
        legal = suited if suited else hand
    for other in range(rules[SEATS]):
        apart |= board.hands[other]
    if best >= 0:
        apart |= 1 << best
    apart &= ~hand
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = place_of(bit)
        touching = last >= 0 and card // height == last // height
        if touching and board.points[card] == board.points[last]:
            touching = apart & (bit - 1) & ~((2 << last) - 1) == 0
        else:
            touching = False
        count += 0 if touching else 1
        board.moves[start + count - 1] = card
        last = card
    return count


@compiled()
def promise_of(
    board: Board, seat: int, card: int, placed: int, best: int, winner: int, worth: int, led: int
) -> int:
    """How promising a move is: who could win the trick after it, for what, and at what cost."""
    rules, side = board.rules, board.ours[seat]
    height, trumps, points = rules[HEIGHT], rules[TRUMPS], board.points[card]
    suit_led = (led if placed else card) // height
    mine = theirs = on_table = 0
    if placed:
        on_table = strength(1 << best, suit_led, height, trumps)
        mine, theirs = (on_table, 0) if board.ours[winner] == side else (0, on_table)
    takes = not placed or beats(card, best, height, trumps)
    if takes:
        mine = strength(1 << card, suit_led, height, trumps)
    later_mine = later_theirs = 0
    for step in range(placed + 1, rules[SEATS]):
        other = (seat + step - placed) % rules[SEATS]
        power = strength(board.hands[other], suit_led, height, trumps)
        if board.ours[other] == side:
            later_mine = max(later_mine, power)
        else:
            later_theirs = max(later_theirs, power)
    most_mine, most_theirs = max(mine, later_mine), max(theirs, later_theirs)
    if most_mine > most_theirs:
        cost = most_mine - 30 if later_mine > mine and later_mine > 20 else -10
        value = WORTH * (worth + points) - COST * (cost + 10)
    else:
        cost = most_theirs - 30 if later_theirs > theirs and later_theirs > 20 else -10
        value = COST * (cost + 10) - WORTH * (worth + points)
    if trumps and card < height:
        value -= TRUMP_WORTH + points if points else SMALL_TRUMP
    elif takes:
        value -= TAKEN
    return value + card % height + (LED * points if not placed else 0)


@compiled()
def sort_moves(board: Board, ply: int, count: int) -> None:
    """Put the most promising moves first."""
    start = ply * MOST_MOVES
    for place in range(start + 1, start + count):
        card, value, gap = board.moves[place], board.promise[place], place
        while gap > start and board.promise[gap - 1] < value:
            board.moves[gap], board.promise[gap] = board.moves[gap - 1], board.promise[gap - 1]
            gap -= 1
        board.moves[gap], board.promise[gap] = card, value


@compiled()
def sorted_code(board: Board) -> tuple[int, int]:
    """Who owns which ranks, as two halves of a key: plain suits in order, what is gone left out."""
    rules, owners = board.rules, board.owners
    a, b, c, d = owners[0], owners[1], owners[2], owners[3]
    if not rules[WHOLE]:
        shift = 3 * rules[HONOURS]
        kept = (1 << shift) - 1
        a = a & kept | board.closed_up[a >> shift] << shift
        b = b & kept | board.closed_up[b >> shift] << shift
        c = c & kept | board.closed_up[c >> shift] << shift
        d = d & kept | board.closed_up[d >> shift] << shift
        if b > c:
            b, c = c, b
        if c > d:
            c, d = d, c
        if b > c:
            b, c = c, b
        if not rules[TRUMPS] and a > b:
            a, b = b, a
            if b > c:
                b, c = c, b
            if c > d:
                c, d = d, c
    return a | b << SUIT_BITS, c | d << SUIT_BITS


@compiled()
def surely(board: Board, leader: int, need: int, left: int) -> int:
    """Answer where the highest trumps decide: 1 or 0, or ``UNDECIDED``."""
    if need <= 0:
        return 1
    if need > left:
        return 0
    trumps, masters, side = board.owners[0], 0, UNDECIDED
    if not (board.rules[TRUMPS] and trumps):
        return UNDECIDED
    for rank in range(board.rules[HEIGHT]):
        owner = trumps >> (3 * rank) & OWNER
        if owner:
            if side not in (UNDECIDED, board.ours[owner - 1]):
                break
            side = board.ours[owner - 1]
            masters |= 1 << rank
    sure = safe_points(board, side, masters, leader)
    if side:
        return 1 if sure >= need else UNDECIDED
    return 0 if left - sure < need else UNDECIDED


@compiled(RECURSIVE)
def reaches(
    board: Board,
    ply: int,
    leader: int,
    placed: int,
    best: int,
    winner: int,
    worth: int,
    led: int,
    need: int,
    left: int,
) -> int:
    """Whether our side takes at least ``need`` more card points: 1, 0, or ``UNDECIDED``.

    ``placed`` cards lie on the table, worth so much; the first of them is ``led``, the best of them
    that of ``winner``. ``left`` is what the hands, and what is laid aside, are worth.
    """
    rules, counters = board.rules, board.counters
    counters[NODES] += 1
    if counters[NODES] > counters[LIMIT]:
        return UNDECIDED
    slot, first, second, known = 0, 0, 0, -1
    if not placed:
        answer = surely(board, leader, need, left)
        if answer != UNDECIDED:
            return answer
        first, second = sorted_code(board)
        first |= leader << (2 * SUIT_BITS)
        size = rules[SIZE]
        slot = (first % size * 8191 + second % size) % size
        if board.first[slot] == first and board.second[slot] == second:
            bounds = board.bounds[slot]
            if bounds & BYTE >= need:
                return 1
            if bounds >> 8 & BYTE < need:
                return 0
            known = bounds >> 16
    seat = (leader + placed) % rules[SEATS]
    side, start = board.ours[seat], ply * MOST_MOVES
    height = rules[HEIGHT]
    count = list_moves(board, ply, seat, led // height if placed else -1, best if placed else -1)
    if count > 1:
        for place in range(start, start + count):
            card = board.moves[place]
            board.promise[place] = (
                BEST_FIRST
                if card == known
                else promise_of(board, seat, card, placed, best, winner, worth, led)
            )
        sort_moves(board, ply, count)
    answer, chosen = 1 - side, max(known, 0)
    for place in range(start, start + count):
        card = board.moves[place]
        takes = not placed or beats(card, best, height, rules[TRUMPS])
        now_best, now_winner = (card, seat) if takes else (best, winner)
        now_worth = worth + board.points[card]
        owner = (seat + 1) << (3 * (card % height))
        board.hands[seat] ^= 1 << card
        board.owners[card // height] -= owner
        if placed + 1 < rules[SEATS]:
            found = reaches(
                board, ply + 1, leader, placed + 1, now_best, now_winner, now_worth,
                led if placed else card, need, left,
            )
        else:
            found = after_trick(board, ply, now_winner, now_worth, need, left)
        board.hands[seat] ^= 1 << card
        board.owners[card // height] += owner
        if found == UNDECIDED:
            return UNDECIDED
        if found == side:
            answer, chosen = found, card
            break
    if not placed:
        store(board, slot, first, second, need, left, answer, chosen)
    return answer
