"""The bounds of a check are those of every way to complete the record."""

from random import Random
from typing import Any

import pytest

from scorer.cards import bounds
from scorer.operations import check
from tests.data.examples import PRESETS
from tests.games.completions import Brute
from tests.games.played import SIZES
from tests.games.tables import auction_of, play, record_of
from tests.samples import RECORD

TRICKS = RECORD["tricks"]
SAID = {key: RECORD["claim"][key] for key in ("caller", "bid", "called_card")}
MOST_WORK = 60


def partial(random: Random) -> Brute:
    """Play a deal, and write down a part of it: up to two tricks and some cards are missing."""
    rules = {"preset": random.choice(sorted(PRESETS))} | random.choice([{}, *SIZES])
    deal = play(rules, random.randrange(10**9))
    record = record_of(deal) | {"auction": auction_of(deal, random)}
    for key in ("discards", "auction", "dealer"):
        placed = len(deal.people) < len(record["seats"]) or deal.rules.get("dead_hand")
        needed = key == "dealer" and placed
        if random.random() < 0.5 and not needed:
            record.pop(key, None)
    share = random.choice([0, 0.3, 0.7, 1])
    record["hands"] = {n: hand for n, hand in record["hands"].items() if random.random() < share}
    if deal.rules["monte"] and deal.caller in record["hands"] and random.random() < 0.5:
        record["hands"][deal.caller] = deal.hands[deal.caller] + Brute(deal, record).monte
    kept = [*SAID, *random.choice([[], ["partner"]])]
    record["claim"] = {key: record["claim"][key] for key in kept}
    record["tricks"] = tricks_left(record["tricks"], len(deal.here), random)
    return Brute(deal, record)


def tricks_left(told: list[dict[str, Any]], players: int, random: Random) -> list[Any]:
    share = random.choice([0, 0, 0.3])
    left: list[Any] = [
        {key: trick[key] for key in trick if key == "cards" or random.random() < share}
        for trick in told
    ]
    if random.random() < 0.5:
        left[-1] = {**left[-1], "cards": left[-1]["cards"][: random.randrange(players)]}
        left[-1].pop("winner", None)
    for index in random.sample(range(len(left)), random.randrange(3)):
        left[index] = None
    left = [trick["cards"] if trick and trick.keys() == {"cards"} else trick for trick in left]
    return left[:-1] if left[-1] is None and random.random() < 0.5 else left


#: Deals whose bounds reach every line; the others are searched by the same ones.
TRACED = {10, 17, 19}


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, marks=[] if seed in TRACED else pytest.mark.untraced)
        for seed in range(24)
    ],
)
def test_bounds_are_those_that_trying_everything_finds(seed: int) -> None:
    random = Random(seed)
    brute = partial(random)
    while not 1 < brute.work <= MOST_WORK:
        brute = partial(random)

    answer = check(brute.request)

    low, high = brute.bounds()
    assert answer["problems"] == []
    assert (answer["bounds"], answer["exact"]) == ([low, high], True)
    done = "made" if low >= brute.deal.target else "missed"
    assert answer["status"] == ("open" if low < brute.deal.target <= high else done)


def g1(tricks: list[Any], **claim: Any) -> dict[str, Any]:
    return check({**RECORD, "claim": {**SAID, **claim}, "tricks": tricks})


def test_record_whose_discards_were_in_another_hand_has_no_completion() -> None:
    deal = play("monte-5", 1)
    name = next(name for name in deal.hands if name != deal.caller)
    record = record_of(deal) | {"hands": {name: [*deal.hands[name][1:], deal.discards[0]]}}
    record["tricks"] = [*[trick["cards"] for trick in record["tricks"][:-2]], None, None]

    answer = check(record)

    assert answer["exact"] is False


def test_search_that_takes_too_long_gives_bounds_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    tricks = [None, *TRICKS[1:5], None, *TRICKS[6:]]
    low, high = g1(tricks)["bounds"]

    monkeypatch.setattr(bounds, "MOST_STEPS", 1)
    answer = g1(tricks)

    assert answer["bounds"][0] <= low <= high <= answer["bounds"][1]
    assert answer["exact"] is False
