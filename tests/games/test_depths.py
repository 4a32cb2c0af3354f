"""A deal may be written down more or less in detail, and pays the same.

Here are the games in which figures tell what other figures tell; for Briscola Chiamata the second
program does so. That an answer may be left out where it says what is so anyway holds for every
game: a sheet is read back as it is written.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.operations import score
from tests.data.examples import NAMES
from tests.data.strategies import examples, numbers

Sheet = dict[str, Any]
CARDS = [rank + suit for suit in "CDSB" for rank in "A23KQJ7654"]
PRIMIERA = dict(zip("76A5432KQJ", (21, 18, 16, 15, 14, 13, 12, 10, 10, 10), strict=True))


class Case(NamedTuple):
    """A deal by rules among so many, with all that can be written down of it, and with less."""

    rules: dict[str, Any]
    people: int
    deep: Sheet
    shallower: list[Sheet]


def without(sheet: Sheet, *keys: str, **other: Any) -> Sheet:
    return {key: value for key, value in sheet.items() if key not in keys} | other


def taken(draw: st.DrawFn, players: int, sides: int) -> tuple[list[int], list[int], list[int]]:
    """Play a deal of Tressette: each side's aces and thirds, and who took which trick."""
    # Tricks of worthless cards come first, so that one side may have all the points but for those.
    pack = sorted(draw(st.permutations(CARDS)), key=lambda card: card[0] in "A23KQJ")
    least = draw(st.sampled_from([0, 0, 1, 4, len(CARDS) // players]))
    tricks = [pack[place : place + players] for place in range(0, len(CARDS), players)]
    takers = [draw(numbers(0, sides - 1)) if n < least else 0 for n in range(len(tricks))]
    won = list(zip(tricks, takers, strict=True))
    piles = [[card[0] for trick, taker in won if taker == n for card in trick]
             for n in range(sides)]  # fmt: skip
    thirds = [sum(map(pile.count, "23KQJ")) for pile in piles]
    return [pile.count("A") for pile in piles], thirds, takers


def whole_points(aces: list[int], thirds: list[int], last: int) -> list[int]:
    counts = enumerate(zip(aces, thirds, strict=True))
    return [ace + third // 3 + (n == last) for n, (ace, third) in counts]


@st.composite
def tressette(draw: st.DrawFn) -> Case:
    rules = {
        "cappotto": draw(st.sampled_from(["points", "tricks"])),
        "cappotto_times": draw(numbers(1, 3)),
        "cappotto_cancels": draw(st.booleans()),
        "coda": draw(st.booleans()),
    }
    count = draw(st.sampled_from([2, 3, 4]))
    sides, size = (2, 4) if count == 4 else (count, count)
    aces, thirds, takers = taken(draw, size, sides)
    last = draw(st.sampled_from(takers))
    declared: Sheet = {"kind": "three", "rank": "2", "missing": "D"}
    run: Sheet = {"kind": "napoletana", "suit": "D", "coda": draw(numbers(0, 3))}
    told = draw(st.permutations([[declared], [run], []][:sides]))
    deep = {"aces": aces, "thirds": thirds, "last_trick": last, "declarations": told,
            "cappotto": takers[0] if len(set(takers)) == 1 else None}  # fmt: skip
    points = whole_points(aces, thirds, last)
    simple = without(deep, "aces", "thirds", "last_trick", hand_points=points)
    less = [simple, {**deep, "hand_points": points}, {**simple, "last_trick": last}]
    if max(points) < sum(points) or rules["cappotto"] == "points":
        less += [without(sheet, "cappotto") for sheet in (deep, *less)]
    shorter = without(declared, "missing"), run if rules["coda"] else without(run, "coda")
    briefly = [[shorter[item is run] for item in side] for side in told]
    return Case(
        rules, count, deep, [*less, *({**sheet, "declarations": briefly} for sheet in less)]
    )


@st.composite
def maraffone(draw: st.DrawFn) -> Case:
    aces, thirds, takers = taken(draw, 4, 2)
    last, cricca = takers[-1], draw(st.none() | numbers(0, 1))
    deep = {"aces": aces, "thirds": thirds, "last_trick": last, "cricca": cricca}
    points = whole_points(aces, thirds, last)
    less = [without(deep, "aces", "thirds", "last_trick", hand_points=points)]
    less += [without(sheet, "cricca") for sheet in (deep, *less) if cricca is None]
    return Case({}, 4, deep, less)


@st.composite
def traversone(draw: st.DrawFn) -> Case:
    names = NAMES[: draw(st.sampled_from([4, 5]))]
    aces, thirds, takers = taken(draw, len(names), len(names))
    last = takers[-1]
    points = whole_points(aces, thirds, last)
    points[last] += 11 - sum(points)
    counts = {"aces": aces, "thirds": thirds}
    deep = {key: dict(zip(names, values, strict=True)) for key, values in counts.items()}
    shallow = {"hand_points": dict(zip(names, points, strict=True))}
    rules = {"cappotto": draw(st.booleans())}
    return Case(rules, len(names), {**deep, "last_trick": names[last]}, [shallow])


@st.composite
def scopa(draw: st.DrawFn) -> Case:
    napola = draw(st.sampled_from(["off", "length", "three"]))
    rules = {"missing_suit": draw(st.sampled_from(["out", "zero"])), "napola": napola,
             "re_bello": draw(st.booleans())}  # fmt: skip
    count = draw(st.sampled_from([2, 3, 4, 6]))
    sides = 3 if count == 3 else 2
    takers = draw(st.lists(numbers(0, sides - 1), min_size=40, max_size=40))
    if draw(st.booleans()):
        takers = [0 if card[1] == "B" else n for card, n in zip(CARDS, takers, strict=True)]
    owner = dict(zip(CARDS, takers, strict=True))
    best = [[max((rank for rank in PRIMIERA if owner[rank + suit] == n), key=PRIMIERA.get,  # type: ignore[arg-type]  # every rank has its worth
                 default=None) for suit in "CDSB"] for n in range(sides)]  # fmt: skip
    points = [None if None in ranks and rules["missing_suit"] == "out"
              else sum(PRIMIERA[rank] for rank in ranks if rank) for ranks in best]  # fmt: skip
    held = [value or 0 for value in points]
    winner = held.index(max(held)) if held.count(max(held)) == 1 else None
    run = next((n for n in range(10) if owner["A234567JQK"[n] + "D"] != owner["AD"]), 10)
    napole = [run if run >= 3 and n == owner["AD"] else 0 for n in range(sides)]
    deep = {"cards": [takers.count(n) for n in range(sides)],
            "coins": [[owner[card] for card in CARDS if card[1] == "D"].count(n)
                      for n in range(sides)],
            "settebello": owner["7D"], "re_bello": owner["KD"], "napola": napole,
            "sweeps": [0] * sides, "primiera_cards": best, "primiera": points,
            "primiera_winner": winner}  # fmt: skip
    depths = ("primiera_cards", "primiera", "primiera_winner")
    less = [without(deep, *(depth for depth in depths if depth not in (kept, also)))
            for kept, also in product(depths, depths)]  # fmt: skip
    uncounted = [
        *([] if rules["re_bello"] else ["re_bello"]),
        *(["napola"] if napola == "off" else []),
    ]
    return Case(rules, count, deep, [*less, *(without(one, "sweeps", *uncounted) for one in less)])


@st.composite
def terziglio(draw: st.DrawFn) -> Case:
    rules = {"pays": draw(st.sampled_from(["unit", "difference"])),
             "cappotto_times": draw(numbers(1, 2))}  # fmt: skip
    points = draw(numbers(0, 11))
    bid = draw(st.sampled_from(["chiamo", "solo", "solissimo"]))
    deep = {"soloist": NAMES[1], "bid": bid, "hand_points": points, "made": points >= 6}
    less = [without(deep, "made")]
    if rules == {"pays": "unit", "cappotto_times": 1}:
        less.append(without(deep, "hand_points"))
    return Case(rules, 3, deep, less)


@st.composite
def burraco(draw: st.DrawFn) -> Case:
    clean, dirty = draw(numbers(0, 2)), draw(numbers(0, 2))
    melded, alone = 5 * draw(numbers(40, 70)), draw(st.sampled_from(NAMES[:3]))
    closed = draw(st.none() | numbers(0, 2))
    pair = [n for n in range(3) if NAMES[n] != alone]
    deep = {"clean": [clean, 1, 1], "dirty": [1, dirty, 0], "pot_taken": [True, True, True],
            "melded": [melded, 200, 150], "in_hand": [0, 0, 0], "penalty": [0, 0, 0],
            "semi_clean": [0, 0, 0], "closed": closed, "alone": alone}  # fmt: skip
    heap: Sheet = {}
    for key, values in deep.items():
        if isinstance(values, list) and key != "pot_taken":
            sums = dict(zip(pair, (sum(values[n] for n in pair), 0), strict=True))
            heap[key] = [sums.get(n, values[n]) for n in range(3)]
    together = {**deep, **heap, "closed": pair[0] if closed in pair else closed}
    unsaid = ["penalty", "semi_clean", *(["closed"] if closed is None else [])]
    return Case({}, 3, deep, [together, without(deep, *unsaid), without(together, *unsaid)])


@st.composite
def briscola(draw: st.DrawFn) -> Case:
    rules = {"drawn": draw(st.sampled_from(["nobody", "replay", "last-trick"])),
             "cappotto": draw(st.sampled_from(["none", "match", "two"])),
             "match": draw(st.sampled_from(["open", "points"]))}  # fmt: skip
    own = draw(st.sampled_from([0, 60, 120]) | numbers(2, 118))
    deep = {"card_points": [own, 120 - own], "last_trick": draw(numbers(0, 1))}
    decides = own == 60 and rules["drawn"] == "last-trick" and rules["match"] != "points"
    less = [] if decides else [without(deep, "last_trick")]
    if rules["cappotto"] == "none" and rules["match"] != "points":
        drawn = deep["last_trick"] if decides else None
        winner = drawn if own == 60 else int(own < 60)
        less += [{"winner": winner}, {**deep, "winner": winner}]
    return Case(rules, 2, deep, less)


CASES: dict[str, Callable[[], st.SearchStrategy[Case]]] = {
    "briscola": briscola,
    "scopa": scopa,
    "burraco": burraco,
    "tressette": tressette,
    "maraffone": maraffone,
    "traversone": traversone,
    "terziglio": terziglio,
}


@pytest.mark.parametrize("slug", CASES)
@examples(60)
@given(st.data())
def test_deal_pays_the_same_however_much_of_it_is_written_down(
    slug: str, data: st.DataObject
) -> None:
    case = data.draw(CASES[slug]())
    asked = {"game": slug, "rules": case.rules, "seats": list(NAMES[: case.people])}
    whole = score({**asked, "sheet": case.deep})
    assert whole["ok"], whole

    for sheet in case.shallower:
        answer = score({**asked, "sheet": sheet})
        assert answer["ok"], (sheet, answer)
        assert (answer["payouts"], answer["made"]) == (whole["payouts"], whole["made"]), sheet
