"""The bounds of a check are those of every way to complete the record."""

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


@pytest.mark.parametrize("seed", range(40))
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


@pytest.mark.parametrize(
    ("rules", "seats", "told", "tricks", "bounds"),
    [
        pytest.param(
            {"preset": "classic", "players": 4, "deck": "french-no-7-8-9", "cards_each": 9,
             "monte": 4},
            "Ciro Ada Bea Dora",
            {"dealer": "Ada", "claim": {"caller": "Dora", "bid": 90, "called_card": "AC",
                                        "partner": "Ciro"}},
            ["KD 5H KS JC", "5S 4H 5C AD", "2S 3S QD 2H",
             {"cards": "3D QC 10H 10S", "winner": "Ada"}, "QH 6H 2D QS", None, None,
             {"leader": "Bea", "cards": "3C 2C 4C 6D"}, {"leader": "Ciro", "cards": "JS JH AH"}],
            [40, 81],
            id="the monte unknown, too",
        ),
        pytest.param(
            {"preset": "monte-6", "players": 6, "deck": "no-twos-36", "cards_each": 6, "monte": 0},
            "Ezio Ada Gino Dora Fede Ciro",
            {"dealer": "Ciro", "claim": {"caller": "Fede", "bid": 66, "called_card": "QD"}},
            ["QC 6B 3D 5D AB 4S", "3S KD QB 7C AD KB", None, "JB 4C 3C 5S 4B 7B", None,
             "3B 5B 6S 7D 6D JD"],
            [37, 116],
            id="the partner unknown",
        ),
        pytest.param(
            {"preset": "four-literal", "players": 6, "deck": "italian-40", "cards_each": 6,
             "monte": 4},
            "Bea Fede Dora Ada Ciro Ezio",
            {"discards": ["4B", "5S", "7B", "QC"],
             "claim": {"caller": "Bea", "bid": 70, "called_card": "3B"}},
            [None, "5D 2S KD 2B 7C 5B", {"leader": "Ciro", "cards": "QS 2D KC 3B AB AD"},
             {"leader": "Dora", "cards": "AS 2C 3S KB 7D 4S", "winner": "Ezio"}, None,
             {"leader": "Ezio", "cards": "QB"}],
            [0, 0],
            id="too few trumps for somebody else to win",
        ),
    ],
)  # fmt: skip
def test_bounds_with_two_unknown_tricks_are_exact(
    rules: dict[str, Any], seats: str, told: dict[str, Any], tricks: list[Any], bounds: list[int]
) -> None:
    answer = check({
        "game": "briscola-chiamata", "rules": rules, "seats": seats.split(), **told,
        "tricks": [cards_of(trick) for trick in tricks],
    })  # fmt: skip

    assert (answer["bounds"], answer["exact"]) == (bounds, True)


def cards_of(trick: Any) -> Any:
    if isinstance(trick, dict):
        return {**trick, "cards": trick["cards"].split()}
    return None if trick is None else trick.split()


@pytest.mark.parametrize(
    ("tricks", "exact"),
    [
        pytest.param(TRICKS, True, id="all tricks"),
        pytest.param([*TRICKS[:5], None, None, TRICKS[7][:3]], True, id="two unknown"),
        pytest.param([None, None, None, *TRICKS[3:]], False, id="three unknown"),
        pytest.param([*TRICKS[:7], [*TRICKS[7], "AC"]], False, id="a card too many"),
    ],
)
def test_answer_says_whether_the_bounds_are_exact(tricks: list[Any], *, exact: bool) -> None:
    assert g1(tricks, partner="Ciro")["exact"] is exact


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

    monkeypatch.setattr(completions, "MOST_STEPS", 1)
    answer = g1(tricks)

    assert answer["bounds"][0] <= low <= high <= answer["bounds"][1]
    assert answer["exact"] is False
