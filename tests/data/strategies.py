"""Random rule sets and random lawful deals, for properties."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.data.examples import NAMES, PRESETS
from tests.games.oracle import (
    FRENCH,
    RANKS,
    declared,
    is_drawn,
    is_lawful,
    possible,
    rules_of,
    target_of,
)

DEALS = [
    {"players": players, "deck": deck, "cards_each": each, "monte": monte}
    for players in (4, 5, 6)
    for deck, ranks in RANKS.items()
    for each in range(5, 11)
    for monte in range(7)
    if players * each + monte == 4 * len(ranks.split())
]
WITH_DEAD_HAND = [
    {"players": players, "deck": deck, "cards_each": each, "monte": 0, "dead_hand": True}
    for players in (4, 5)
    for deck, ranks in RANKS.items()
    for each, over in [divmod(4 * len(ranks.split()), players + 1)]
    if over == 0
]


def examples(count: int) -> settings:
    """Try so many examples, or in a profile of Hypothesis a share of them."""
    wanted = -(-count * settings().max_examples // 100)
    return settings(max_examples=wanted, suppress_health_check=[HealthCheck.too_slow])


def numbers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@st.composite
def bands(draw: st.DrawFn) -> list[list[int]]:
    lowest = draw(st.lists(numbers(1, 120), unique=True, max_size=5))
    return [[low, draw(numbers(0, 9))] for low in [0, *sorted(lowest)]]


WEIGHTS = ("caller", "partner", "defender", "alone", "against_alone")
CAPPOTTO = st.none() | st.fixed_dictionaries(
    {
        "test": st.sampled_from(["all-points", "all-tricks"]),
        "side": st.sampled_from(["caller", "both"]),
        "op": st.sampled_from(["times", "add", "set"]),
        "value": numbers(0, 5),
    }
)
LOSS = st.none() | st.fixed_dictionaries(
    {}, optional=dict.fromkeys(WEIGHTS, st.none() | numbers(0, 9))
)
SCORE = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["units", "units", "declared-points"]),
        "bands": bands(),
        "loss": LOSS,
        "cappotto": CAPPOTTO,
        "blind": numbers(1, 4),
        **dict.fromkeys(WEIGHTS, numbers(0, 9)),
    },
)
AUCTION = st.fixed_dictionaries(
    {},
    optional={
        "style": st.sampled_from(["points", "ladder", "ladder-then-points", "none"]),
        "minimum": numbers(0, 90),
        "after_two": numbers(60, 90),
        "maximum": numbers(90, 120),
        "all_pass": st.sampled_from(["next-dealer", "same-dealer"]),
        "all_pass_times": numbers(1, 4),
    },
)
CALL = st.fixed_dictionaries(
    {},
    optional={
        "rank": st.sampled_from(["exact", "any", "bid-or-stronger", "bid-or-weaker"]),
        "own_card": st.booleans(),
        "lowest_not_held": st.booleans(),
    },
)
SESSION = st.fixed_dictionaries(
    {
        "end": st.sampled_from(["open", "target", "deals", "time"]),
        "target": numbers(1, 100),
        "deals": numbers(1, 100),
        "tie": st.sampled_from(["play-on", "shared"]),
    }
)
THROW_IN = st.none() | st.fixed_dictionaries(
    {"max_points": numbers(0, 10)},
    optional={
        "four_twos": st.booleans(),
        "times": numbers(1, 4),
        "same_dealer": st.booleans(),
        "compound": st.booleans(),
    },
)
DRAW = st.none() | st.fixed_dictionaries(
    {"card_points": st.sampled_from([60, 60, 59]), "times": numbers(1, 4)}
)


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Give a lawful object for ``rules``: a preset with some of its keys overridden."""
    rules: dict[str, Any] = {"preset": draw(st.sampled_from(sorted(PRESETS)))}
    parts = {"score": SCORE, "auction": AUCTION, "call": CALL, "session": SESSION}
    for key in draw(st.lists(st.sampled_from(sorted(parts)), unique=True)):
        rules[key] = draw(parts[key])
    if draw(st.booleans()):
        rules["floor"] = draw(numbers(0, 120))
    if draw(st.booleans()):
        rules["throw_in"] = draw(THROW_IN)
    if draw(st.booleans()):
        rules["draw"] = draw(DRAW)
    if draw(st.booleans()):
        rules["sits_out"] = draw(st.sampled_from([None, "dealer"]))
    if draw(numbers(0, 3)) == 0:
        rules |= draw(st.sampled_from(DEALS))
    whole = rules_of(rules)
    if whole["auction"]["style"] == "ladder" and not whole["floor"]:
        rules["floor"] = draw(numbers(1, 120))
    return rules


def bids(rules: dict[str, Any]) -> st.SearchStrategy[str | int]:
    """Give the bids that may be written down under a rule set."""
    auction, ranks = rules["auction"], RANKS[rules["deck"]].split()
    style, high = auction["style"], auction["maximum"]
    rank = st.sampled_from(ranks)
    if style == "ladder":
        return rank
    if style == "none":
        return numbers(0, 120) | rank if rules["floor"] else numbers(0, 120)
    after_two = numbers(auction["after_two"], high)
    weakest = after_two.map(lambda points: f"{ranks[-1]}@{points}")
    low = auction["after_two" if style == "ladder-then-points" else "minimum"]
    points = numbers(low, high)
    numbered = st.one_of(points, numbers(max(low, 11), high).map(str), weakest)
    return numbered | rank if rules["floor"] else numbered


def callable_cards(rules: dict[str, Any], bid: str | int) -> list[str]:
    """Give the cards that may be named after a bid, not knowing the hand."""
    ranks, rule, style = RANKS[rules["deck"]].split(), rules["call"], rules["auction"]["style"]
    suits = "CDSB" if rules["deck"] not in FRENCH else "HDSC"
    rank = str(bid).partition("@")[0] if "@" in str(bid) or declared(bid) is None else None
    if rank is None and style.startswith("ladder"):
        rank = ranks[-1]
    chosen = ranks
    if rank is not None and rule["rank"] != "any":
        place = ranks.index(rank)
        chosen = {
            "exact": ranks if rule["lowest_not_held"] and rank == ranks[-1] else [rank],
            "bid-or-stronger": ranks[: place + 1],
            "bid-or-weaker": ranks[place:],
        }[rule["rank"]]
    return [rank + suit for rank in chosen for suit in suits]


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Give a lawful request to score a deal, by random rules."""
    override = draw(rule_sets())
    rules = rules_of(override)
    count = rules["players"] + (draw(numbers(0, 1)) if rules["sits_out"] else 0)
    seats = list(draw(st.permutations(NAMES[:count])))
    request = {"id": "x", "game": "briscola-chiamata", "rules": override, "seats": seats}
    if count > rules["players"]:
        request["dealer"] = draw(st.sampled_from(seats))
    playing = [name for name in seats if name != request.get("dealer")]
    return request | {"sheet": draw(sheets(rules, playing))}


@st.composite
def sheets(draw: st.DrawFn, rules: dict[str, Any], playing: list[str]) -> dict[str, Any]:
    """Give a lawful sheet of a deal among those who play it."""
    bid = draw(bids(rules))
    caller, other = draw(st.permutations(playing))[:2]
    alone = rules["call"]["own_card"] and draw(st.booleans())
    sheet = {"caller": caller, "bid": bid, "partner": None if alone else other}
    sheet |= draw(results(rules, bid))
    if draw(st.booleans()):
        sheet["times"] = draw(numbers(1, 4))
    if draw(st.booleans()):
        sheet["called_card"] = draw(st.none() | st.sampled_from(callable_cards(rules, bid)))
    if draw(st.booleans()):
        sheet["blind"] = draw(st.booleans())
    if rules["monte"] and not alone:
        sheet["shown"] = draw(st.booleans())
    return sheet


@st.composite
def results(draw: st.DrawFn, rules: dict[str, Any], bid: str | int) -> dict[str, Any]:
    """Give what was counted at the end of a deal, and as much of it as somebody wrote down."""
    points = draw(st.sampled_from([0, 60, 61, 120]) | numbers(2, 118))
    tricks = draw(
        st.sampled_from([n for n in range(rules["cards_each"] + 1) if possible(rules, n, points)])
    )
    drawn = is_drawn({"bid": bid, "card_points": points}, rules)
    made, cappotto = points >= target_of({"bid": bid}, rules), rules["score"]["cappotto"] or {}
    took = tricks in (0, rules["cards_each"])
    if cappotto.get("test") != "all-tricks":
        took = points in (0, 120)
    result: dict[str, Any] = {}
    if draw(st.booleans()):
        result["tricks_won"] = tricks
    if not drawn and draw(st.booleans()):
        result["made"] = made
    if draw(st.booleans()):
        result["cappotto"] = draw(st.sampled_from([None, took]))
    told = is_lawful({"bid": bid, **result}, rules)
    return {"card_points": None if told and draw(st.booleans()) else points, **result}


@st.composite
def any_results(draw: st.DrawFn, rules: dict[str, Any]) -> dict[str, Any]:
    """Give anything that may be written down about the end of a deal, lawful or not."""
    points, tricks = numbers(0, 120), numbers(0, rules["cards_each"])
    edges = st.sampled_from([0, 0, rules["cards_each"]])
    return {
        "card_points": draw(st.none() | st.sampled_from([0, 60, 61, 120]) | points),
        "tricks_won": draw(st.none() | edges | tricks),
        "made": draw(st.sampled_from([None, True, False])),
        "cappotto": draw(st.sampled_from([None, True, False])),
    }
