"""Lawful deals of Tressette and Briscola, dealt and played by a program of their own."""

from collections.abc import Sequence
from random import Random
from typing import Any

NAMES = ["Ada", "Bea", "Ciro", "Dora"]
PEOPLE = [*NAMES, "Ezio", "Fede"]
SUITS = "CDSB"
TRESSETTE, BRISCOLA = "32AKQJ7654", "A3KQJ76542"
#: What is worth a third of a point, and card points.
COURT = dict.fromkeys("32KQJ", 1)
POINTS = dict(zip("A3KQJ", (11, 10, 4, 3, 2), strict=True))


def winner(cards: list[str], ranks: str, trump: str = "") -> int:
    """The place of the card that takes a trick."""
    led = cards[0][1]

    def strength(card: str) -> tuple[bool, bool, int]:
        return card[1] == trump, card[1] == led, -ranks.index(card[0])

    return max(range(len(cards)), key=lambda place: strength(cards[place]))


def shuffled(random: Random, ranks: str) -> list[str]:
    pack = [rank + suit for suit in SUITS for rank in ranks]
    random.shuffle(pack)
    return pack


def played(
    random: Random,
    hands: list[list[str]],
    ranks: str,
    *,
    trump: str = "",
    leader: int = 0,
    stock: Sequence[str] = (),
    follows: bool = True,
) -> list[dict[str, Any]]:
    """Play a deal at random, drawing from a stock: who led each trick, its cards, who won it."""
    left, drawn, players = [[*hand] for hand in hands], [*stock], len(hands)
    tricks = list[dict[str, Any]]()
    while any(left):
        cards: list[str] = []
        for seat in turns(leader, players):
            suited = [card for card in left[seat] if follows and cards and card[1] == cards[0][1]]
            cards.append(random.choice(suited or left[seat]))
            left[seat].remove(cards[-1])
        told, leader = leader, (leader + winner(cards, ranks, trump)) % players
        tricks.append({"leader": PEOPLE[told], "cards": cards, "winner": PEOPLE[leader]})
        for seat in turns(leader, players) if drawn else ():
            left[seat].append(drawn.pop(0))
    return tricks


def taken(tricks: list[dict[str, Any]], sides: int, worths: dict[str, int]) -> list[int]:
    """Count what each of the sides, who sit in turn, has taken of some ranks."""
    counts = [0] * sides
    for trick in tricks:
        worth = sum(worths.get(card[0], 0) for card in trick["cards"])
        counts[PEOPLE.index(trick["winner"]) % sides] += worth
    return counts


def record_of(
    game: str, hands: list[list[str]], tricks: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    names = PEOPLE[: len(hands)]
    held = dict(zip(names, hands, strict=True))
    told = {"game": game, "seats": names, "dealer": names[-1], "hands": held, "tricks": tricks}
    return told | {key: value for key, value in more.items() if value}


def tressette(seed: int, players: int = 4) -> dict[str, Any]:
    """A deal of Tressette with everything that can be written down of it; two draw."""
    random = Random(seed)
    pack = shuffled(random, TRESSETTE)
    hands = [pack[10 * seat : 10 * seat + 10] for seat in range(players)]
    stock = pack[10 * players :]
    tricks = played(random, hands, TRESSETTE, stock=stock)
    shown = [[one for hand in hands[side::2] for one in declarations(hand)] for side in (0, 1)]
    claim = {**figures(tricks, 2), "last_trick": PEOPLE.index(tricks[-1]["winner"]) % 2}
    claim["declarations"] = shown
    return record_of("tressette", hands, tricks, stock=stock, claim=claim)


def figures(tricks: list[dict[str, Any]], sides: int) -> dict[str, Any]:
    return {"aces": taken(tricks, sides, {"A": 1}), "thirds": taken(tricks, sides, COURT)}


def maraffone(seed: int) -> dict[str, Any]:
    """A deal of Maraffone; whoever leads first has named the trump, and declares the cricca."""
    random = Random(seed)
    pack, leader, trump = shuffled(random, TRESSETTE), random.randrange(4), random.choice(SUITS)
    hands = [pack[10 * seat : 10 * seat + 10] for seat in range(4)]
    tricks = played(random, hands, TRESSETTE, trump=trump, leader=leader)
    claim = {**figures(tricks, 2), "last_trick": PEOPLE.index(tricks[-1]["winner"]) % 2}
    if {rank + trump for rank in "A23"} <= {*hands[leader]}:
        claim["cricca"] = leader % 2
    return record_of("maraffone", hands, tricks, trump=trump, claim=claim)


def declared(kind: str, **of: str) -> dict[str, Any]:
    return {"kind": kind, "suit": None, "rank": None, "missing": None, "coda": 0, **of}


def declarations(hand: list[str]) -> list[dict[str, Any]]:
    """What a hand may declare."""
    suits = [suit for suit in SUITS if {rank + suit for rank in "A23"} <= {*hand}]
    found = [declared("napoletana", suit=suit) for suit in suits]
    for rank in "A23":
        lacking = [suit for suit in SUITS if rank + suit not in hand]
        if not lacking:
            found.append(declared("four", rank=rank))
        if len(lacking) == 1:
            found.append(declared("three", rank=rank, missing=lacking[0]))
    return found


def briscola(seed: int, players: int) -> dict[str, Any]:
    """A deal of Briscola with everything that can be written down of it, the stock too."""
    random = Random(seed)
    pack = shuffled(random, BRISCOLA)
    if players == 3:
        pack.remove(random.choice([card for card in pack if card[0] == "2"]))
    sides = 3 if players == 3 else 2
    hands = [pack[3 * seat : 3 * seat + 3] for seat in range(players)]
    stock = pack[3 * players :]
    tricks = played(random, hands, BRISCOLA, trump=stock[-1][1], stock=stock, follows=False)
    last = PEOPLE.index(tricks[-1]["winner"]) % sides
    claim = {"card_points": taken(tricks, sides, POINTS), "last_trick": last}
    more = {"turned_up": stock[-1], "stock": stock, "claim": claim}
    return record_of("briscola", hands, tricks, **more)


def traversone(seed: int, players: int) -> dict[str, Any]:
    """A deal of Traversone, with all that can be written down; fractions fall to the last taker."""
    random = Random(seed)
    pack = shuffled(random, TRESSETTE[:-1] if players == 6 else TRESSETTE)
    if players == 3:
        pack.remove(random.choice([card for card in pack if card[0] == "4"]))
    each = len(pack) // players
    hands = [pack[each * seat : each * seat + each] for seat in range(players)]
    tricks = played(random, hands, TRESSETTE)
    counted = figures(tricks, players).items()
    claim = {name: dict(zip(PEOPLE, values, strict=False)) for name, values in counted}
    claim["last_trick"] = tricks[-1]["winner"]
    return record_of("traversone", hands, tricks, claim=claim)


def turns(leader: int, players: int) -> list[int]:
    return [(leader + step) % players for step in range(players)]


def deals(seed: int) -> list[dict[str, Any]]:
    """One deal of each kind for four, and of Briscola for two."""
    return [tressette(seed), briscola(seed, 4), briscola(seed, 2)]


def other_deals(seed: int) -> list[dict[str, Any]]:
    """Two who draw at Tressette, three at Briscola, three to six at Traversone, and Maraffone."""
    lowest = traversone(seed, 3 + seed % 4)
    return [tressette(seed, 2), briscola(seed, 3), lowest, maraffone(seed)]


def bare(record: dict[str, Any]) -> dict[str, Any]:
    """Leave nothing but the cards in their order, the trump, and who dealt or, else, led."""
    kept = {key: record[key] for key in record if key not in ("hands", "stock", "claim")}
    first, *others = record["tricks"]
    led = {key: first[key] for key in ("leader", "cards")} if "trump" in record else first["cards"]
    return {**kept, "tricks": [led, *(trick["cards"] for trick in others)]}
