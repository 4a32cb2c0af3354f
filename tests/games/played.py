"""Random deals that were really played, and random ways of writing less of them down."""

from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.data.examples import PRESETS
from tests.data.strategies import DEALS, WITH_DEAD_HAND
from tests.games.tables import DEAD, Deal, auction_of, play, record_of

STYLES = st.sampled_from(["points", "ladder", "ladder-then-points", "none"])
CALLS = st.fixed_dictionaries(
    {
        "rank": st.sampled_from(["exact", "any", "bid-or-stronger", "bid-or-weaker"]),
        "own_card": st.sampled_from([True, True, True, False]),
        "lowest_not_held": st.booleans(),
    }
)
PLAYS = st.fixed_dictionaries(
    {"first_leader": st.sampled_from(["caller", "next-of-dealer"]), "follow_suit": st.booleans()}
)
SIZES = [*DEALS, *WITH_DEAD_HAND]


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Give rules of a table: every deck, with a monte, with a dead hand, or with neither."""
    rules: dict[str, Any] = {"preset": draw(st.sampled_from(sorted(PRESETS)))}
    if draw(st.booleans()):
        rules |= draw(st.sampled_from(SIZES))
        rules["sits_out"] = draw(st.sampled_from([None, "dealer"]))
    if draw(st.booleans()):
        rules["auction"] = {"style": draw(STYLES)}
        if rules["auction"]["style"] == "ladder" and not PRESETS[rules["preset"]]["floor"]:
            rules["floor"] = 61
    if draw(st.booleans()):
        rules["call"] = draw(CALLS)
    if draw(st.booleans()):
        rules["play"] = draw(PLAYS)
    return rules


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Give a deal as it really was."""
    return play(draw(rule_sets()), draw(st.integers(0, 10**9)))


def whole(deal: Deal) -> dict[str, Any]:
    """Write down everything, the auction too."""
    return record_of(deal) | {"auction": auction_of(deal, Random(deal.request["id"]))}


def bare(record: dict[str, Any]) -> dict[str, Any]:
    """Write down the cards of the tricks alone: no leaders, winners, hands or calls."""
    left = {
        key: value for key, value in deepcopy(record).items() if key not in ("hands", "auction")
    }
    return left | {"tricks": [trick["cards"] for trick in left["tricks"]]}


@st.composite
def parts(draw: st.DrawFn, deal: Deal) -> dict[str, Any]:
    """Write down a part of a deal: some tricks are forgotten, the last one may not be over."""
    record = whole(deal)
    for key in ("hands", "discards", "auction", "dealer"):
        # Without a dealer nobody knows who sat out, or where the dead hand lay.
        sat_out = len(deal.people) < len(record["seats"]) or DEAD in deal.here
        needed = key == "dealer" and sat_out
        if not needed and draw(st.booleans()):
            record.pop(key, None)
    hands = record.get("hands") or {}
    record["hands"] = {name: hand for name, hand in hands.items() if draw(st.booleans())}
    if draw(st.booleans()) and not shown(deal):
        del record["claim"]["partner"]
    record["tricks"] = draw(tricks(record["tricks"], len(deal.here)))
    return record


def shown(deal: Deal) -> bool:
    """Whether the partner is one only because the caller showed the called card."""
    return deal.partner is not None and deal.called not in deal.hands[deal.partner]


@st.composite
def tricks(draw: st.DrawFn, told: list[dict[str, Any]], players: int) -> list[Any]:
    """Forget some tricks, and some of their leaders and winners; the last may have fewer cards."""
    known = draw(st.lists(st.sampled_from([True, True, False]), max_size=len(told)))
    left: list[Any] = [
        {key: trick[key] for key in trick if key == "cards" or draw(st.booleans())}
        if kept
        else None
        for trick, kept in zip(told, known, strict=False)
    ]
    if left and left[-1] and draw(st.booleans()):
        size = draw(st.integers(0, players - 1))
        left[-1] = {**left[-1], "cards": left[-1]["cards"][:size], "winner": None}
    return [trick["cards"] if trick and trick.keys() == {"cards"} else trick for trick in left]
