"""The bounds of a check are those of every way to complete the record."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorer.cards.chiamata import completions
from scorer.operations import check
from tests.data.examples import PRESETS
from tests.data.strategies import DEALS, WITH_DEAD_HAND
from tests.games.completions import Brute
from tests.games.tables import auction_of, play, record_of
from tests.samples import RECORD

TRICKS = RECORD["tricks"]
SAID = {key: RECORD["claim"][key] for key in ("caller", "bid", "called_card")}
SIZES: list[dict[str, Any]] = [
    *(dict(zip(("players", "deck", "cards_each", "monte"), deal, strict=True)) for deal in DEALS),
    *(
        {"players": players, "deck": deck, "cards_each": each, "monte": 0, "dead_hand": True}
        for players, deck, each in WITH_DEAD_HAND
    ),
]
MOST_WORK = 60


def partial(random: Random) -> Brute:
    """Play a deal, and write down a part of it: up to two tricks and some cards are missing."""
    rules = {"preset": random.choice(sorted(PRESETS))} | random.choice([{}, *SIZES])
    deal = play(rules, random.randrange(10**9))
    record = record_of(deal) | {"auction": auction_of(deal, random)}
    for key in ("discards", "auction", "dealer"):
        needed = key == "dealer" and len(deal.people) < len(record["seats"])
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


@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_those_that_trying_everything_finds(seed: int) -> None:
    random = Random(seed)
    brute = partial(random)
    while not 1 < brute.work <= MOST_WORK:
        brute = partial(random)

    answer = check(brute.request)

    low, high = brute.bounds()
    assert answer["problems"] == []
    assert answer["bounds"] == [low, high]
    done = "made" if low >= brute.deal.target else "missed"
    assert answer["status"] == ("open" if low < brute.deal.target <= high else done)


def g1(tricks: list[Any], **claim: Any) -> dict[str, Any]:
    return check({**RECORD, "claim": {**SAID, **claim}, "tricks": tricks})


@pytest.mark.parametrize(
    ("tricks", "claim", "bounds"),
    [
        pytest.param([None, *TRICKS[1:]], {"partner": "Ciro"}, [72, 72],
                     id="the next leader tells who won"),
        pytest.param([*TRICKS[:5], TRICKS[5][:2]], {}, [33, 72], id="the partner has been seen"),
        pytest.param([*TRICKS[:6], TRICKS[6][:4]], {}, [47, 72], id="whoever comes last may win"),
        pytest.param(TRICKS[:5], {"partner": "Ciro"}, [33, 72], id="three tricks to come"),
        pytest.param([*TRICKS[:7], [*TRICKS[7], "AC"]], {}, [59, 72], id="a card too many"),
        pytest.param([TRICKS[0][:2], *TRICKS[1:]], {}, [0, 120], id="a trick cut short before"),
    ],
)  # fmt: skip
def test_what_is_written_down_narrows_the_bounds(
    tricks: list[Any], claim: dict[str, Any], bounds: list[int]
) -> None:
    assert g1(tricks, **claim)["bounds"] == bounds


def test_record_that_nothing_completes_keeps_the_bounds_of_what_was_counted() -> None:
    tricks = [*TRICKS[:6], None, {"leader": "Ada", "cards": TRICKS[7]}]
    hands = {"Ada": [*TRICKS[0][:1], "2D", "3D", "4D", "5D", "6D", "7D", "JD"]}

    answer = check({**RECORD, "claim": SAID, "tricks": tricks, "hands": hands})

    assert answer["problems"]
    assert answer["bounds"][0] <= answer["bounds"][1]


def test_search_that_takes_too_long_gives_bounds_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    tricks = [None, *TRICKS[1:5], None, *TRICKS[6:]]
    low, high = g1(tricks)["bounds"]

    monkeypatch.setattr(completions, "MOST_STEPS", 1)
    least, most = g1(tricks)["bounds"]

    assert least <= low <= high <= most
