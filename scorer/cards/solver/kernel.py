"""The search for whether a side reaches its points, all cards open: alpha-beta with a null window.

``reaches`` answers one question, whether our side takes at least so many card points from here.
It works on plain integers and arrays (``State``), so that numba compiles it where it is installed
and Python runs the very same lines where it is not. What was compiled is kept on disk;
``NUMBA_DISABLE_JIT=1`` turns it off.

Before each trick the position is looked up in a transposition table. Its key is exact: who owns
each rank of each suit. Played ranks without points are left out, and plain suits are sorted, as
such positions have the same result. Neighbouring cards of one hand with the same points are one
move. The side that owns the highest trumps takes a trick with each, which bounds what either side
can still get.
"""

from collections.abc import Callable, Iterable, MutableSequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

Array = MutableSequence[int]
F = TypeVar("F", bound="Callable[..., Any]")

#: None if numba is not installed, or turned off.
NUMBA: Any = None
with suppress(ImportError):
    numba = import_module("numba")
    NUMBA = None if numba.config.DISABLE_JIT else numba
ENGINE = "Python" if NUMBA is None else "numba"
#: The numbers in ``State.rules``.
SEATS, HEIGHT, ASIDE, HONOURS, SIZE, DEAD, FOLLOW, TRUMPS = range(8)
#: The numbers in ``State.counters``.
NODES, LIMIT = range(2)
#: Moves that one player can have at most.
MOST_MOVES = 16
#: The answer where the limit of nodes was reached.
UNDECIDED = -1


def compiled(function: F) -> F:
    """Compile a function as part of those that call it."""
    return function if NUMBA is None else NUMBA.njit(function, forceinline=True)


def compiled_for(state: type[Any], numbers: int) -> Callable[[F], F]:
    """Compile a function of a state and some ``numbers`` that returns a number; store it on disk.

    The types are declared, as a function that calls itself needs them.
    """

    def compile_now(function: F) -> F:
        if NUMBA is None:
            return function
        types = NUMBA.types
        arrays = types.NamedUniTuple(types.int64[::1], len(state._fields), state)
        signature = types.int64(arrays, *[types.int64] * numbers)
        try:
            return NUMBA.njit(signature, cache=True)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # nowhere to keep it
            return NUMBA.njit(signature)(function)  # type: ignore[no-any-return]

    return compile_now


def array_of(numbers: Iterable[int]) -> Array:
    """Return numbers as the search takes them."""
    if NUMBA is None:
        return list(numbers)
    array: Array = import_module("numpy").fromiter(numbers, "int64")
    return array


def zeros(count: int) -> Array:
    """Return an array of zeros; compiled, it takes no memory before it is written to."""
    if NUMBA is None:
        return [0] * count
    array: Array = import_module("numpy").zeros(count, "int64")
    return array


#: The place of the only bit of a number, by the rest of its division by 67.
PLACES = array_of(
    next((place for place in range(66) if 2**place % 67 == rest), 0) for rest in range(67)
)
OWNER_BITS, SUIT_BITS, OWNER, BYTE = 3, 30, 7, 255
BEST_FIRST = 10**6
#: What a move promises, found by trying: a point in the trick, a trump that has to take it, a trump
#: played (worthless, or beside its points), a plain card that takes the trick, a point led.
WORTH, COST, SMALL_TRUMP, TRUMP_WORTH, TAKEN, LED = 5, 5, 8, 56, 9, 9
#: How strong the best trump and the best card of the suit led are in a trick.
BEST_TRUMP, BEST_PLAIN = 40, 20


class State(NamedTuple):
    """A position, with the working memory of the search.

    A card is a number: its suit times ``HEIGHT``, plus its rank, from 0 for the strongest. Trumps
    are the first suit, where ``TRUMPS`` is 1.
    """

    #: Constants of the deal, by the names above. ``DEAD`` is the seat of the dead hand, or -1.
    rules: Array
    #: The cards of each seat, a bit each.
    hands: Array
    #: 1 for each seat of our side, whose points are counted.
    ours: Array
    #: 1 for each seat that must follow suit.
    follows: Array
    #: Who owns each rank of a suit: 1 + the seat, the strongest lowest, 0 for a card that is gone.
    owners: Array
    #: What each card is worth.
    points: Array
    #: The card that the dead hand turns over next, by how many it has left.
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


@compiled
def place_of(bit: int) -> int:
    """Return the place of the only bit of a number."""
    return PLACES[bit % 67]


@compiled
def bits_of(number: int) -> int:
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@compiled
def strength(hand: int, suit: int, height: int, trumps: int) -> int:
    """Return the strength of a hand's best card in a trick: a trump, or one of the suit led."""
    ranks = (1 << height) - 1
    own = hand & ranks
    if own and trumps:
        return BEST_TRUMP - place_of(own & -own)
    own = (hand >> (suit * height)) & ranks
    return BEST_PLAIN - place_of(own & -own) if own else 0


@compiled
def beats(card: int, best: int, height: int, trumps: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    suit = card // height
    return card < best if suit == best // height else suit < trumps


@compiled
def thrown(state: State, hand: int, wanted: int, dearest: bool) -> int:  # noqa: FBT001
    """Return the points of some cards of a hand: those with the most, or with the fewest."""
    total = 0
    while wanted > 0 and hand:
        chosen, rest = hand & -hand, hand & (hand - 1)
        while rest:
            bit = rest & -rest
            rest ^= bit
            gain = state.points[place_of(bit)] - state.points[place_of(chosen)]
            if gain > 0 if dearest else gain < 0:
                chosen = bit
        hand ^= chosen
        total += state.points[place_of(chosen)]
        wanted -= 1
    return total


@compiled
def safe_points(state: State, side: int, masters: int, leader: int) -> int:
    """Return the points that the side with the highest trumps surely gets by playing them.

    Each takes a trick, to which partners add their best cards, and opponents at least their worst.
    If suit is followed, or a dead hand plays, only the points of these trumps are sure.
    """
    rules, count, total = state.rules, 0, 0
    rest = masters
    while rest:
        count += 1
        total += state.points[place_of(rest & -rest)]
        rest &= rest - 1
    if rules[DEAD] >= 0 or rules[FOLLOW]:
        return total
    for seat in range(rules[SEATS]):
        hand, friend = state.hands[seat], state.ours[seat] == side
        wanted = count - bits_of(hand & masters) if friend else count
        total += thrown(state, hand & ~masters, wanted, friend)
    if count >= bits_of(state.hands[leader]):
        total += rules[ASIDE]
    return total


@compiled
def surely(state: State, leader: int, need: int, left: int) -> int:
    """Answer 1 or 0 if the highest trumps decide, else ``UNDECIDED``."""
    if need <= 0 or need > left:
        return 1 if need <= 0 else 0
    if not state.rules[TRUMPS]:
        return UNDECIDED
    trumps, masters, side = state.owners[0], 0, UNDECIDED
    for rank in range(state.rules[HEIGHT]):
        owner = trumps >> (OWNER_BITS * rank) & OWNER
        if owner:
            if side not in (UNDECIDED, state.ours[owner - 1]):
                break
            side = state.ours[owner - 1]
            masters |= 1 << rank
    if side == UNDECIDED:
        return UNDECIDED
    sure = safe_points(state, side, masters, leader)
    if side:
        return 1 if sure >= need else UNDECIDED
    return 0 if left - sure < need else UNDECIDED


@compiled
def key_of(state: State, leader: int) -> tuple[int, int]:
    """Return the key: who leads and who owns which ranks, plain suits in order."""
    rules, owners = state.rules, state.owners
    a, b, c, d = owners[0], owners[1], owners[2], owners[3]
    if rules[DEAD] < 0:
        shift = OWNER_BITS * rules[HONOURS]
        kept = (1 << shift) - 1
        a = a & kept | state.closed_up[a >> shift] << shift
        b = b & kept | state.closed_up[b >> shift] << shift
        c = c & kept | state.closed_up[c >> shift] << shift
        d = d & kept | state.closed_up[d >> shift] << shift
        if b > c:
            b, c = c, b
        if c > d:
            c, d = d, c
        if b > c:
            b, c = c, b
    return a | b << SUIT_BITS | leader << 2 * SUIT_BITS, c | d << SUIT_BITS


@compiled
def look_up(state: State, leader: int, need: int, left: int) -> tuple[int, int, int, int, int]:
    """Answer what is known before a trick, else ``UNDECIDED``.

    Beside it: the best move that was found here, or -1, and the place and the key in the table.
    """
    answer = surely(state, leader, need, left)
    if answer != UNDECIDED:
        return answer, -1, 0, 0, 0
    first, second = key_of(state, leader)
    size, known = state.rules[SIZE], -1
    slot = (first % size * 8191 + second % size) % size
    if state.first[slot] == first and state.second[slot] == second:
        bounds = state.bounds[slot]
        if bounds & BYTE >= need:
            answer = 1
        elif bounds >> 8 & BYTE < need:
            answer = 0
        known = bounds >> 16
    return answer, known, slot, first, second


@compiled
def store(
    state: State, slot: int, first: int, second: int, need: int, left: int, answer: int, move: int
) -> None:
    """Store an answer, within the known bounds of this position."""
    low, high = 0, left
    if state.first[slot] == first and state.second[slot] == second:
        low, high = state.bounds[slot] & BYTE, state.bounds[slot] >> 8 & BYTE
    if answer:
        low = max(low, need)
    else:
        high = min(high, need - 1)
    state.first[slot], state.second[slot] = first, second
    state.bounds[slot] = low | high << 8 | move << 16


@compiled
def legal_moves(state: State, seat: int, suit_led: int) -> int:
    """Return the cards that a seat may play, a bit each; a negative suit: none is led yet."""
    rules, hand = state.rules, state.hands[seat]
    if rules[DEAD] == seat:
        return 1 << state.turned[bits_of(hand)]
    if suit_led >= 0 and state.follows[seat]:
        suited = hand & (((1 << rules[HEIGHT]) - 1) << (suit_led * rules[HEIGHT]))
        return suited or hand
    return hand


@compiled
def list_moves(state: State, ply: int, seat: int, suit_led: int, best: int) -> int:
    """List the cards that a seat may play, one of each run of equal cards; return their number."""
    legal, height, points = legal_moves(state, seat, suit_led), state.rules[HEIGHT], state.points
    apart, last, at = 0, -1, ply * MOST_MOVES - 1
    for other in range(state.rules[SEATS]):
        apart |= state.hands[other]
    if best >= 0:
        apart |= 1 << best
    apart &= ~state.hands[seat]
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = place_of(bit)
        if (
            last < 0
            or card // height != last // height
            or points[card] != points[last]
            or apart & (bit - 1) & ~((2 << last) - 1)
        ):
            at += 1
        state.moves[at] = card
        last = card
    return at + 1 - ply * MOST_MOVES


@compiled
def strongest_after(state: State, seat: int, steps: int, suit_led: int, side: int) -> int:
    """Return the strength of the best card that a side can still play to a trick after a seat."""
    seats, most = state.rules[SEATS], 0
    for step in range(1, steps + 1):
        other = (seat + step) % seats
        if state.ours[other] == side:
            hand, trumps = state.hands[other], state.rules[TRUMPS]
            most = max(most, strength(hand, suit_led, state.rules[HEIGHT], trumps))
    return most


@compiled
def promise_of(
    state: State, seat: int, card: int, placed: int, best: int, winner: int, worth: int, led: int
) -> int:
    """Rate a move by who could then win the trick, for how much, and at what cost."""
    height, side, points = state.rules[HEIGHT], state.ours[seat], state.points[card]
    trumps = state.rules[TRUMPS]
    suit_led = (led if placed else card) // height
    takes = not placed or beats(card, best, height, trumps)
    mine = theirs = 0
    if takes:
        mine = strength(1 << card, suit_led, height, trumps)
    elif state.ours[winner] == side:
        mine = strength(1 << best, suit_led, height, trumps)
    else:
        theirs = strength(1 << best, suit_led, height, trumps)
    steps = state.rules[SEATS] - 1 - placed
    later_mine = strongest_after(state, seat, steps, suit_led, side)
    later_theirs = strongest_after(state, seat, steps, suit_led, 1 - side)
    value, trump = WORTH * (worth + points), BEST_TRUMP - BEST_PLAIN
    if max(mine, later_mine) > max(theirs, later_theirs):
        if later_mine > max(mine, trump):
            value -= COST * (later_mine - trump)
    else:
        value = -value
        if later_theirs > max(theirs, trump):
            value += COST * (later_theirs - trump)
    if card < height * trumps:
        value -= TRUMP_WORTH + points if points else SMALL_TRUMP
    elif takes:
        value -= TAKEN
    return value + card % height + (0 if placed else LED * points)


@compiled
def moves_in_order(
    state: State,
    ply: int,
    seat: int,
    placed: int,
    best: int,
    winner: int,
    worth: int,
    led: int,
    known: int,
) -> int:
    """List the moves of a seat, the most promising first; return their number."""
    start, height = ply * MOST_MOVES, state.rules[HEIGHT]
    count = list_moves(state, ply, seat, led // height if placed else -1, best if placed else -1)
    if count > 1:
        for place in range(start, start + count):
            card, value, gap = state.moves[place], BEST_FIRST, place
            if card != known:
                value = promise_of(state, seat, card, placed, best, winner, worth, led)
            while gap > start and state.promise[gap - 1] < value:
                state.moves[gap], state.promise[gap] = state.moves[gap - 1], state.promise[gap - 1]
                gap -= 1
            state.moves[gap], state.promise[gap] = card, value
    return count


@compiled_for(State, numbers=9)
def reaches(  # noqa: C901  # in pieces, numba would not compile the recursion
    state: State,
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

    ``placed`` is the number of cards on the table; the first of them is ``led``, the best is that
    of ``winner``. ``left`` has the card points of the table, the hands and the cards laid aside.
    """
    rules, hands = state.rules, state.hands
    state.counters[NODES] += 1
    if state.counters[NODES] > state.counters[LIMIT]:
        return UNDECIDED
    known, slot, first, second = -1, 0, 0, 0
    if not placed:
        answer, known, slot, first, second = look_up(state, leader, need, left)
        if answer != UNDECIDED:
            return answer
    seat = (leader + placed) % rules[SEATS]
    side, height, start = state.ours[seat], rules[HEIGHT], ply * MOST_MOVES
    count = moves_in_order(state, ply, seat, placed, best, winner, worth, led, known)
    answer, move = 1 - side, max(known, 0)
    for place in range(start, start + count):
        card = state.moves[place]
        owner = (seat + 1) << (OWNER_BITS * (card % height))
        takes = not placed or beats(card, best, height, rules[TRUMPS])
        top, taker = (card, seat) if takes else (best, winner)
        lead = led if placed else card
        now, after, rest, value = worth + state.points[card], placed + 1, need, left
        hands[seat] ^= 1 << card
        state.owners[card // height] -= owner
        leads, over = leader, False
        if after == rules[SEATS]:
            over = hands[taker] == 0
            now += rules[ASIDE] if over else 0
            leads, rest, value = taker, need - now * state.ours[taker], left - now
            after = top = taker = now = lead = 0
        if over:
            found = 1 if rest <= 0 else 0
        else:
            found = reaches(state, ply + 1, leads, after, top, taker, now, lead, rest, value)
        hands[seat] ^= 1 << card
        state.owners[card // height] += owner
        if found == UNDECIDED:
            return UNDECIDED
        if found == side:
            answer, move = side, card
            break
    if not placed:
        store(state, slot, first, second, need, left, answer, move)
    return answer
