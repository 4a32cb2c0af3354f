"""Lawful deals of Tressette and Briscola, dealt and played by a program of their own."""

from random import Random
from typing import Any

NAMES = ["Ada", "Bea", "Ciro", "Dora"]
SUITS = "CDSB"
TRESSETTE, BRISCOLA = "32AKQJ7654", "A3KQJ76542"
#: Thirds of a point, and card points.
THIRDS = {"A": 3, **dict.fromkeys("32KQJ", 1)}
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


def tressette(seed: int, players: int = 4) -> dict[str, Any]:
    """A deal of Tressette with everything that can be written down of it; two draw."""
    random, names = Random(seed), NAMES[:players]
    pack, leader = shuffled(random, TRESSETTE), 0
    hands = [pack[10 * seat : 10 * seat + 10] for seat in range(players)]
    left, tricks, aces, thirds = [[*hand] for hand in hands], [], [0, 0], [0, 0]
    stock = pack[10 * players :]
    drawn = [*stock]
    for _ in range(40 // players):
        cards: list[str] = []
        for seat in turns(leader, players):
            suited = [card for card in left[seat] if cards and card[1] == cards[0][1]]
            cards.append(random.choice(suited or left[seat]))
            left[seat].remove(cards[-1])
        told, leader = leader, (leader + winner(cards, TRESSETTE)) % players
        tricks.append({"leader": names[told], "cards": cards, "winner": names[leader]})
        aces[leader % 2] += [card[0] for card in cards].count("A")
        thirds[leader % 2] += sum(THIRDS.get(card[0]) == 1 for card in cards)
        for seat in turns(leader, players) if drawn else ():
            left[seat].append(drawn.pop(0))
    claim = {"aces": aces, "thirds": thirds, "last_trick": leader % 2}
    held = dict(zip(names, hands, strict=True))
    shown = [[one for hand in hands[side::2] for one in declarations(hand)] for side in (0, 1)]
    return {
        "game": "tressette",
        "seats": names,
        "dealer": names[-1],
        "hands": held,
        **({"stock": stock} if stock else {}),
        "tricks": tricks,
        "claim": {**claim, "declarations": shown},
    }


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
    random, names = Random(seed), NAMES[:players]
    pack, leader = shuffled(random, BRISCOLA), 0
    if players == 3:
        pack.remove(random.choice([card for card in pack if card[0] == "2"]))
    sides = 3 if players == 3 else 2
    hands = [pack[3 * seat : 3 * seat + 3] for seat in range(players)]
    stock, left = pack[3 * players :], [[*hand] for hand in hands]
    drawn, tricks, points = [*stock], [], [0] * sides
    for _ in range(40 // players):
        cards: list[str] = []
        for seat in turns(leader, players):
            cards.append(random.choice(left[seat]))
            left[seat].remove(cards[-1])
        told, leader = leader, (leader + winner(cards, BRISCOLA, stock[-1][1])) % players
        tricks.append({"leader": names[told], "cards": cards, "winner": names[leader]})
        points[leader % sides] += sum(POINTS.get(card[0], 0) for card in cards)
        for seat in turns(leader, players) if drawn else ():
            left[seat].append(drawn.pop(0))
    return {
        "game": "briscola",
        "seats": names,
        "dealer": names[-1],
        "turned_up": stock[-1],
        "hands": dict(zip(names, hands, strict=True)),
        "stock": stock,
        "tricks": tricks,
        "claim": {"card_points": points, "last_trick": leader % sides},
    }


def traversone(seed: int, players: int) -> dict[str, Any]:
    """A deal of Traversone, with all that can be written down; fractions fall to the last taker."""
    random, names = Random(seed), [*NAMES, "Ezio", "Fede"][:players]
    pack = shuffled(random, TRESSETTE[:-1] if players == 6 else TRESSETTE)
    if players == 3:
        pack.remove(random.choice([card for card in pack if card[0] == "4"]))
    each = len(pack) // players
    hands = [pack[each * seat : each * seat + each] for seat in range(players)]
    left, tricks, leader = [[*hand] for hand in hands], [], 0
    aces, thirds = [0] * players, [0] * players
    for _ in range(each):
        cards: list[str] = []
        for seat in turns(leader, players):
            suited = [card for card in left[seat] if cards and card[1] == cards[0][1]]
            cards.append(random.choice(suited or left[seat]))
            left[seat].remove(cards[-1])
        told, leader = leader, (leader + winner(cards, TRESSETTE)) % players
        tricks.append({"leader": names[told], "cards": cards, "winner": names[leader]})
        aces[leader] += [card[0] for card in cards].count("A")
        thirds[leader] += sum(THIRDS.get(card[0]) == 1 for card in cards)
    figures = {"aces": aces, "thirds": thirds}
    claim = {name: dict(zip(names, values, strict=True)) for name, values in figures.items()}
    return {
        "game": "traversone",
        "seats": names,
        "dealer": names[-1],
        "hands": dict(zip(names, hands, strict=True)),
        "tricks": tricks,
        "claim": {**claim, "last_trick": names[leader]},
    }


def turns(leader: int, players: int) -> list[int]:
    return [(leader + step) % players for step in range(players)]


def deals(seed: int) -> list[dict[str, Any]]:
    """One deal of each kind for four, and of Briscola for two."""
    return [tressette(seed), briscola(seed, 4), briscola(seed, 2)]


def other_deals(seed: int) -> list[dict[str, Any]]:
    """Two who draw at Tressette, three at Briscola, three to six at Traversone."""
    players = 3 + seed % 4
    return [tressette(seed, 2), briscola(seed, 3), traversone(seed, players)]


def bare(record: dict[str, Any]) -> dict[str, Any]:
    """Leave nothing but the cards in their order, who dealt, and what was turned up."""
    kept = {key: record[key] for key in record if key not in ("hands", "stock", "claim")}
    return {**kept, "tricks": [trick["cards"] for trick in record["tricks"]]}
