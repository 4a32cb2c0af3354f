"""Random evenings of every game: rules, people, sheets, and whatever may be done next."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scorer import Evening
from scorer.games import all_games, find_game
from scorer.rules.game import Outcome
from scorer.rules.seats import Seat

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Fede", "Gino", "Ilia", "Lia", "Mara", "Nino")
THROW_IN = {"max_points": 4, "times": 2, "compound": True}
CARRYING = {"auction": {"all_pass_times": 2}, "throw_in": THROW_IN}
#: Beside the presets: rules by which evenings end, multipliers wait, and people come back in.
HOUSE_RULES: dict[str, tuple[dict[str, Any], ...]] = {
    "briscola-chiamata": (
        {"preset": "classic", **CARRYING, "draw": {"card_points": 60, "times": 2}},
        {"preset": "classic", "sits_out": "dealer", "session": {"end": "deals", "deals": 2}},
        {"preset": "scighera", **CARRYING, "session": {"end": "target", "target": 4}},
    ),
    "scala-quaranta": (
        {"preset": "buy-in", "limit": 60},
        {"preset": "to-101", "limit": 40},
        {"preset": "in-pairs", "limit": 60},
    ),
    "ramino": ({"preset": "to-101", "limit": 40},),
    "machiavelli": ({"preset": "to-100", "limit": 60},),
    "points": ({"preset": "lowest", "target": 60}, {"preset": "highest", "deals": 3}),
    "maraffone": ({"target": 21, "match": "best-of-3"},),
    "traversone": ({"preset": "out-at-41", "target": 20},),
    "briscola": (
        {"preset": "points-120", "target": 200},
        {"match": "first-to", "deals": 2, "drawn": "replay", "cappotto": "match"},
    ),
}
GAMES = {game.slug: (*game.presets, *HOUSE_RULES.get(game.slug, ())) for game in all_games()}
BIDS = ("61", "75", "K", "2@71", "66", "100")


def begun(rng: Random, slug: str) -> Evening:
    """Begin an evening by random rules, with so many people as they are for."""
    rules = rng.choice(GAMES[slug])
    game = find_game(slug)
    counts = game.seating(game.rules_from(rules)[0]).for_session
    names = rng.sample(NAMES[:-2], rng.choice([count for count in counts if count < 8]))
    opening = {name: rng.randint(-9, 9) for name in names if rng.random() < 0.2}
    dealer = rng.choice([None, *names])
    return Evening.begin(slug, names, rules, dealer=dealer, opening=opening)


def split(rng: Random, total: int, parts: int) -> list[int]:
    """Split a total among some sides."""
    cuts = sorted(rng.randint(0, total) for _ in range(parts - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def sheet(rng: Random, evening: Evening, active: Sequence[str]) -> dict[str, Any]:
    """Write a sheet down, mostly a lawful one."""
    game, rules = evening.game, evening.terms.rules
    if game.slug in BY_NAME:
        return BY_NAME[game.slug](rng, list(active))
    step = "CONTRIBUTING.md, Add a game, step 3"
    assert game.slug in BY_SIDE, f"no random sheet of {game.slug}: a row of BY_SIDE ({step})"
    seats = [Seat(evening.names.index(name)) for name in active]
    return BY_SIDE[game.slug](rng, len(game.sides(seats, rules)))


def chiamata(rng: Random, active: list[str]) -> dict[str, Any]:
    caller, partner = rng.sample(active, 2)
    points = rng.choice([0, 60, 61, 70, 120])
    bid = rng.choice(BIDS)
    found = {"caller": caller, "partner": partner, "bid": bid, "card_points": points}
    return found | ({"times": rng.randint(1, 3)} if rng.random() < 0.2 else {})


def briscola(rng: Random, sides: int) -> dict[str, Any]:
    even = [120 // sides] * sides
    return {"card_points": even if rng.random() < 0.2 else split(rng, 120, sides)}


def points(rng: Random, sides: int) -> dict[str, Any]:
    figures = [rng.randint(-5, 20) for _ in range(sides)]
    if rng.random() < 0.5:
        figures[0] -= sum(figures)
    return {"points": figures}


def scopa(rng: Random, sides: int) -> dict[str, Any]:
    return {
        "cards": split(rng, 40, sides),
        "coins": split(rng, 10, sides),
        "settebello": rng.randrange(sides),
        "primiera": [rng.randint(60, 80) for _ in range(sides)],
        "sweeps": [rng.randint(0, 2) for _ in range(sides)],
    }


def cirulla(rng: Random, sides: int) -> dict[str, Any]:
    return scopa(rng, sides) | {"declared": [rng.choice([0, 3, 10]) for _ in range(sides)]}


def pinnacola(rng: Random, sides: int) -> dict[str, Any]:
    return {
        "closed": rng.choice([None, 0]),
        "melded": [rng.randrange(0, 500, 5) for _ in range(sides)],
        "in_hand": [0, rng.randrange(0, 200, 5)],
    }


def tressette(rng: Random, sides: int) -> dict[str, Any]:
    return {"hand_points": split(rng, 11, sides)}


def maraffone(rng: Random, sides: int) -> dict[str, Any]:
    return {**tressette(rng, sides), "cricca": rng.choice([None, *range(sides)])}


def traversone(rng: Random, active: list[str]) -> dict[str, Any]:
    points = split(rng, 11, len(active)) if rng.random() < 0.9 else [11]
    return {"hand_points": dict(zip(rng.sample(active, len(points)), points, strict=True))}


def terziglio(rng: Random, active: list[str]) -> dict[str, Any]:
    bid = rng.choice(["chiamo", "solo", "solissimo"])
    return {"soloist": rng.choice(active), "bid": bid, "hand_points": rng.randint(0, 11)}


def burraco(rng: Random, active: list[str]) -> dict[str, Any]:
    sides = 3 if len(active) == 3 else 2
    found = {
        "clean": [1] * sides,
        "dirty": [rng.randint(0, 1) for _ in range(sides)],
        "pot_taken": [True, True, False][:sides],
        "melded": [rng.randrange(100, 300, 5) for _ in range(sides)],
        "in_hand": [rng.randrange(0, 100, 5) for _ in range(sides)],
    }
    return found | ({"alone": active[0]} if sides == 3 else {})


def scala(rng: Random, active: list[str]) -> dict[str, Any]:
    closed = rng.choice(active)
    found: dict[str, Any] = {
        "closed": closed,
        "hands": {name: rng.randint(1, 40) for name in active if name != closed},
    }
    if rng.random() < 0.2:
        found["buy_in"] = rng.sample(active, 1)
    return found


def ramino(rng: Random, active: list[str]) -> dict[str, Any]:
    close = rng.choice(["plain"] * 8 + ["at-once", "one-suit", "ramino"])
    return scala(rng, active) | {"close": close}


def machiavelli(rng: Random, active: list[str]) -> dict[str, Any]:
    closed = rng.choice([None, *active])
    hands = {name: rng.randint(2, 40) for name in active if name != closed}
    return {"closed": closed, "hands": hands}


BY_NAME = {
    "briscola-chiamata": chiamata,
    "burraco": burraco,
    "machiavelli": machiavelli,
    "ramino": ramino,
    "scala-quaranta": scala,
    "terziglio": terziglio,
    "traversone": traversone,
}
BY_SIDE = {
    "briscola": briscola,
    "cirulla": cirulla,
    "maraffone": maraffone,
    "pinnacola": pinnacola,
    "points": points,
    "scopa": scopa,
    "tressette": tressette,
}


def answers(rng: Random, evening: Evening) -> tuple[Any, str]:
    """Say what became of the next deal, and what was written down for it."""
    active = [evening.names[seat] for seat in evening.table(evening.turn.dealer).active]
    outcome = rng.choice(["played"] * 6 + [one.value for one in Outcome])
    if outcome == "played":
        return sheet(rng, evening, active), outcome
    if outcome == "agreed":
        return agreed(rng, evening, active), outcome
    return ({"offender": rng.choice(active)} if outcome == "penalty" else None), outcome


def agreed(rng: Random, evening: Evening, active: list[str]) -> dict[str, Any]:
    """Write an agreed result down, with a figure for some sides, mostly such that they cancel."""
    game, rules = evening.game, evening.terms.rules
    sides = game.sides([Seat(evening.names.index(name)) for name in active], rules)
    first = [evening.names[side[0]] for side in rng.sample(sides, min(len(sides), 2))]
    figure = rng.randint(-50, 200)
    payouts = {first[0]: figure} | {name: -figure for name in first[1:] if rng.random() < 0.8}
    found: dict[str, Any] = {"payouts": payouts, "reason": "mixed cards"}
    if game.buy_in_allowed(rules) and rng.random() < 0.3:
        found["buy_in"] = rng.sample(active, 1)
    return found
