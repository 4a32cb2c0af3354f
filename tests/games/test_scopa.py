from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.data.strategies import examples
from tests.games import plain

RANKS = ["A", "2", "3", "4", "5", "6", "7", "J", "Q", "K"]
WORTH = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
VALUE = {rank: number for number, rank in enumerate(RANKS, start=1)}


def played_out(pack: list[str], sides: int) -> tuple[list[list[str]], list[int]]:
    """Play forty cards out, one card of a hand after the other, and give piles and scope.

    A card takes the first of its own value that lies there, or else the first sum of two.
    """
    table, stock, last = pack[:4], pack[4:], 0
    piles: list[list[str]] = [[] for _ in range(sides)]
    scope = [0] * sides
    for turn, card in enumerate(stock):
        side = turn % sides
        captured = takes(card, table)
        if not captured:
            table.append(card)
            continue
        table = [other for other in table if other not in captured]
        piles[side] += [card, *captured]
        last = side
        scope[side] += not table and turn < len(stock) - 1
    piles[last] += table
    return piles, scope


def takes(card: str, table: list[str]) -> list[str]:
    value = VALUE[card[:-1]]
    for other in table:
        if VALUE[other[:-1]] == value:
            return [other]
    for place, lying in enumerate(table):
        for other in table[place + 1 :]:
            if VALUE[lying[:-1]] + VALUE[other[:-1]] == value:
                return [lying, other]
    return []


def best_of(pile: list[str]) -> list[str | None]:
    """Give the best card of each suit in a pile."""
    return [
        max((card[:-1] for card in pile if card[-1] == suit), key=WORTH.__getitem__, default=None)
        for suit in "CDSB"
    ]


def most(values: list[int]) -> list[int]:
    """Give a point to the one that has the most."""
    return [int(value == max(values) and values.count(value) == 1) for value in values]


def expected(piles: list[list[str]], scope: list[int]) -> list[int]:
    """Count the piles anew, with napola and re bello."""
    points = Counter(dict(enumerate(scope)))
    points.update(dict(enumerate(most([len(pile) for pile in piles]))))
    points.update(dict(enumerate(most([sum(card[-1] == "D" for card in pile) for pile in piles]))))
    primiere = [
        0 if None in best_of(pile) else sum(WORTH[rank] for rank in best_of(pile) if rank)
        for pile in piles
    ]
    points.update(dict(enumerate(most(primiere) if any(primiere) else [0] * len(piles))))
    for side, pile in enumerate(piles):
        run = napola(pile)
        points[side] += ("7D" in pile) + ("KD" in pile) + (run if run >= 3 else 0)
    return [points[side] for side in range(len(piles))]


def napola(pile: list[str]) -> int:
    held = [f"{rank}D" in pile for rank in RANKS]
    return held.index(False) if False in held else 10


@examples(150)
@given(
    st.permutations([rank + suit for suit in "CDSB" for rank in RANKS]),
    st.sampled_from([2, 3]), st.sampled_from(["primiera", "primiera_cards", "primiera_winner"]),
)  # fmt: skip
def test_deal_that_was_played_out_is_sound_and_counted(
    pack: list[str], sides: int, primiera: str
) -> None:
    piles, scope = played_out(pack, sides)
    best = [best_of(pile) for pile in piles]
    points = [
        None if None in ranks else sum(WORTH[rank] for rank in ranks if rank) for ranks in best
    ]
    known = [value or 0 for value in points]
    winner = known.index(max(known)) if any(known) and known.count(max(known)) == 1 else None
    runs = [napola(pile) for pile in piles]
    sheet = {
        "cards": [len(pile) for pile in piles],
        "coins": [sum(card[-1] == "D" for card in pile) for pile in piles],
        "settebello": next(side for side, pile in enumerate(piles) if "7D" in pile),
        "re_bello": next(side for side, pile in enumerate(piles) if "KD" in pile),
        "sweeps": scope,
        "napola": [run if run >= 3 else 0 for run in runs],
        primiera: {"primiera": points, "primiera_cards": best, "primiera_winner": winner}[primiera],
    }
    rules = {"napola": "length", "re_bello": True}

    assert plain.warnings("scopa", sheet, sides, rules) == []
    assert plain.paid("scopa", sheet, sides, rules) == expected(piles, scope)
