from typing import Any

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import (
    Bid,
    bid_problems,
    callable_ranks,
    level,
)
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.languages import translate
from scorer.rules.cards import DECKS, Deck
from scorer.rules.questions import Reading
from tests.data.rows import rows

ITALIAN = DECKS["italian-40"]
FRENCH = DECKS["french-no-8-9-10"]


def rules_of(style: str, **changes: object) -> ChiamataRules:
    data = {"preset": "ladder-bands", "auction": {"style": style, **changes}}
    rules, problems = GAME.rules_from(data)
    assert problems == []
    return rules


POINTS = rules_of("points")
LADDER = rules_of("ladder")
THEN_POINTS = rules_of("ladder-then-points")
NONE = rules_of("none")


@pytest.mark.parametrize("deck", [pytest.param(deck, id=slug) for slug, deck in DECKS.items()])
def test_every_bid_is_read_back_as_it_is_written(deck: Deck) -> None:
    weakest = deck.ranks[-1]
    ranks = [Bid(rank, None) for rank in deck.ranks]
    after_two = [Bid(weakest, points) for points in range(121)]

    for bid in [*ranks, *after_two, *(Bid(None, points) for points in range(11, 121))]:
        assert Bid.parse(str(bid), deck) == bid
        assert Bid.parse(f" {str(bid).lower()} ", deck) == bid
    for bid in [*ranks, *after_two, *(Bid(None, points) for points in range(121))]:
        assert Bid.read_wire(bid.write_wire(), Reading(deck=deck), "bid") == bid


@rows(__file__, "lenient")
def test_bid_is_read_leniently(deck: str, bids: dict[str, str]) -> None:
    assert {text: str(Bid.parse(text, DECKS[deck])) for text in bids} == bids


@rows(__file__, "no bids")
def test_what_is_no_bid_is_refused(deck: str, texts: dict[str, str]) -> None:
    for why, text in texts.items():
        reading = Reading(deck=DECKS[deck])

        assert Bid.read_wire(text, reading, "sheet.bid") is None, why
        assert [(p.code, p.field) for p in reading.problems] == [("bad-bid", "sheet.bid")]


@pytest.mark.parametrize("value", [None, 75.0, True, ["K"], {"rank": "K"}])
def test_bid_of_a_wrong_type_is_a_problem(value: object) -> None:
    reading = Reading()

    assert Bid.read_wire(value, reading, "sheet.bid") is None
    assert [(p.code, p.field) for p in reading.problems] == [("wrong-type", "sheet.bid")]


@pytest.mark.parametrize(
    ("rules", "texts", "levels"),
    [
        pytest.param(POINTS, "61 62 75 120", [0, 1, 14, 59], id="points"),
        pytest.param(LADDER, "A 3 K Q J 7 6 5 4 2", list(range(10)), id="ranks"),
        pytest.param(
            THEN_POINTS, "A 5 2 2@62 2@70 71 2@120", [0, 7, 9, 10, 18, 19, 68],
            id="ranks, then points",
        ),
        pytest.param(
            GAME.presets["rulebook"], "A 10 K 2 2@60 2@71", [0, 1, 2, 9, 10, 21],
            id="the order of another deck",
        ),
    ],
)  # fmt: skip
def test_bids_have_one_order(rules: ChiamataRules, texts: str, levels: list[int]) -> None:
    assert [level(Bid.parse(text, rules.cards), rules) for text in texts.split()] == levels


@pytest.mark.parametrize("points", [-1, 10**400], ids=["negative", "monstrous"])
def test_points_that_no_pack_has_are_out_of_range_in_every_style(points: int) -> None:
    for rules in (POINTS, THEN_POINTS, NONE):
        assert [p.code for p in bid_problems(Bid(None, points), rules, "bid")] == ["bid-range"]


@pytest.mark.parametrize(
    ("bid", "italian", "french"),
    [
        pytest.param(Bid.parse("K"), "R", "K", id="rank"),
        pytest.param(Bid.parse("2@75"), "2@75", "2@75", id="points after the two"),
        pytest.param(Bid(None, 4), "4", "4", id="points like a rank"),
    ],
)
def test_bid_that_was_written_is_said_as_its_deck_writes_it(
    bid: Bid, italian: str, french: str
) -> None:
    written = bid.write_wire()

    assert translate(Bid.say_wire(written, ITALIAN), "it") == italian
    assert translate(Bid.say_wire(written, FRENCH), "it") == french


@rows(__file__, "callable ranks")
def test_callable_ranks_follow_from_the_bid(
    preset: str, call: dict[str, Any], bid: str, ranks: str
) -> None:
    rules, _ = GAME.rules_from({"preset": preset, "call": call})

    callable_now = callable_ranks(Bid.parse(bid, rules.cards), rules)

    assert " ".join(map(str, callable_now)) == ranks


@pytest.mark.parametrize("rules", GAME.presets.values(), ids=GAME.presets)
def test_every_bid_that_may_be_written_has_its_level(rules: ChiamataRules) -> None:
    deck = GAME.deck(rules)
    points = range(121)
    bids = [
        *(Bid(rank, None) for rank in deck.ranks),
        *(Bid(None, number) for number in points),
        *(Bid(deck.ranks[-1], number) for number in points),
    ]
    known = [bid for level in GAME.levels for bid in level.bids]

    assert {str(bid) for bid in bids} <= {*known}
    assert len({*known}) == len(known)


def test_levels_go_from_an_ace_down_to_a_two_and_on_to_the_points() -> None:
    codes = [level.code for level in GAME.levels]

    assert codes[:3] == ["A", "3", "K"]
    assert codes[9:] == ["2", "0-70", "71-80", "81-90", "91-100", "101-120"]
    assert str(GAME.levels[0].name) == "Ace"
    assert [str(level.name) for level in GAME.levels[10:12]] == ["up to 70", "71–80"]
