import re

import pytest

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.bids import Bid, bid_problems, bid_warnings, level
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.languages import translate
from scorer.rules.cards import DECKS, Deck
from scorer.rules.sheet import Reading

ITALIAN = DECKS["italian-40"]
FRENCH = DECKS["french-no-8-9-10"]
TENS = DECKS["french-no-7-8-9"]


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


@pytest.mark.parametrize(
    ("deck", "text", "bid"),
    [
        (ITALIAN, "A", "A"),
        (ITALIAN, "re", "K"),
        (ITALIAN, " k ", "K"),
        (ITALIAN, "1", "A"),
        (ITALIAN, "10", "K"),
        (ITALIAN, "9", "Q"),
        (ITALIAN, "8", "J"),
        (ITALIAN, "7", "7"),
        (ITALIAN, "75", "75"),
        (ITALIAN, "075", "75"),
        (ITALIAN, "11", "11"),
        (ITALIAN, "2@75", "2@75"),
        (ITALIAN, "due @ 75", "2@75"),
        (TENS, "10", "10"),
        (TENS, "9", "9"),
        (TENS, "2@60", "2@60"),
        (FRENCH, "10", "10"),
        (DECKS["no-twos-36"], "4@75", "4@75"),
    ],
)
def test_bid_is_read_leniently(deck: Deck, text: str, bid: str) -> None:
    assert str(Bid.parse(text, deck)) == bid


def test_digits_are_a_rank_where_the_deck_has_it_and_points_elsewhere() -> None:
    assert Bid.parse("10", TENS).points is None
    assert Bid.parse("10", FRENCH).points == 10


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        pytest.param(ITALIAN, "", id="nothing"),
        pytest.param(ITALIAN, "pass", id="a pass"),
        pytest.param(ITALIAN, "K@75", id="points after a king"),
        pytest.param(ITALIAN, "2@", id="a two at nothing"),
        pytest.param(ITALIAN, "@75", id="at 75 without a two"),
        pytest.param(ITALIAN, "2@7@5", id="at twice"),
        pytest.param(ITALIAN, "2@-75", id="negative points"),
        pytest.param(ITALIAN, "2@7.5", id="half points"),
        pytest.param(ITALIAN, "-75", id="less than nothing"),
        pytest.param(ITALIAN, "7_5", id="underscores as Python has them"),
        pytest.param(ITALIAN, "1e2", id="a power of ten"),
        pytest.param(ITALIAN, "9" * 7, id="more digits than points ever have"),
        pytest.param(ITALIAN, "\N{ARABIC-INDIC DIGIT SEVEN}" * 2, id="digits of another script"),
        pytest.param(ITALIAN, "\N{SUPERSCRIPT TWO}", id="a raised two"),
        pytest.param(ITALIAN, "KC", id="a whole card"),
        pytest.param(DECKS["no-twos-36"], "2@75", id="a two where there is none"),
        pytest.param(DECKS["no-twos-36"], "due", id="a two in words where there is none"),
    ],
)
def test_what_is_no_bid_is_refused(deck: Deck, text: str) -> None:
    reading = Reading(deck=deck)

    assert Bid.read_wire(text, reading, "sheet.bid") is None
    assert [(p.code, p.field) for p in reading.problems] == [("bad-bid", "sheet.bid")]


@pytest.mark.parametrize("value", [None, 75.0, True, ["K"], {"rank": "K"}])
def test_bid_of_a_wrong_type_is_a_problem(value: object) -> None:
    reading = Reading()

    assert Bid.read_wire(value, reading, "sheet.bid") is None
    assert [(p.code, p.field) for p in reading.problems] == [("wrong-type", "sheet.bid")]


@pytest.mark.parametrize("points", [7, 10, 75, 120])
def test_number_is_always_points(points: int) -> None:
    bid = Bid.read_wire(points, Reading(deck=ITALIAN), "bid")

    assert bid == Bid(None, points)
    assert bid.value == points


def test_rank_counts_as_61_in_a_score_table() -> None:
    assert Bid.parse("A").value == 61
    assert Bid.parse("2@75").value == 75


def in_order(texts: str, rules: ChiamataRules) -> list[int]:
    return [level(Bid.parse(text, rules.cards), rules) for text in texts.split()]


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
    assert in_order(texts, rules) == levels


def test_ranks_then_points_make_69_bids() -> None:
    ranks = [Bid(rank, None) for rank in THEN_POINTS.cards.ranks]
    points = [Bid(THEN_POINTS.cards.ranks[-1], points) for points in range(62, 121)]

    assert [level(bid, THEN_POINTS) for bid in [*ranks, *points]] == list(range(69))


@pytest.mark.parametrize(
    ("rules", "text", "code"),
    [
        pytest.param(POINTS, "61", None, id="the lowest points"),
        pytest.param(POINTS, "120", None, id="the highest points"),
        pytest.param(POINTS, "60", "bid-range", id="too few points"),
        pytest.param(POINTS, "121", "bid-range", id="too many points"),
        pytest.param(POINTS, "K", None, id="a rank where points are bid"),
        pytest.param(POINTS, "2@61", "bid-range", id="too few after a two"),
        pytest.param(LADDER, "2", None, id="a two"),
        pytest.param(LADDER, "75", "bid-style", id="points where ranks are bid"),
        pytest.param(LADDER, "2@75", "bid-style", id="points after a two where ranks are bid"),
        pytest.param(THEN_POINTS, "2@62", None, id="the lowest points after a two"),
        pytest.param(THEN_POINTS, "62", None, id="the two left unsaid"),
        pytest.param(THEN_POINTS, "2@61", "bid-range", id="too few points after a two"),
        pytest.param(THEN_POINTS, "61", "bid-range", id="too few, the two left unsaid"),
        pytest.param(THEN_POINTS, "2@121", "bid-range", id="too many after a two"),
        pytest.param(NONE, "0", None, id="any points where nothing is bid"),
        pytest.param(NONE, "121", "bid-range", id="more than the pack where nothing is bid"),
        pytest.param(NONE, "2@30", None, id="any points after a two where nothing is bid"),
        pytest.param(rules_of("points", maximum=100), "101", "bid-range", id="a lower ceiling"),
        pytest.param(
            rules_of("ladder-then-points", after_two=80), "2@79", "bid-range", id="a higher floor"
        ),
    ],
)
def test_bid_must_be_one_of_the_rules(rules: ChiamataRules, text: str, code: str | None) -> None:
    problems = bid_problems(Bid.parse(text), rules, "sheet.bid")

    assert [p.code for p in problems] == ([code] if code else [])
    assert all(p.field == "sheet.bid" for p in problems)


@pytest.mark.parametrize("points", [-1, 10**400], ids=["negative", "monstrous"])
def test_points_that_no_pack_has_are_out_of_range_in_every_style(points: int) -> None:
    for rules in (POINTS, THEN_POINTS, NONE):
        assert [p.code for p in bid_problems(Bid(None, points), rules, "bid")] == ["bid-range"]


@pytest.mark.parametrize(
    ("rules", "text", "odd"),
    [
        (POINTS, "K", True), (POINTS, "2@75", True), (POINTS, "75", False),
        (LADDER, "K", False), (THEN_POINTS, "K", False), (NONE, "K", False),
    ],
)  # fmt: skip
def test_rank_is_odd_only_where_points_are_bid(
    rules: ChiamataRules,
    text: str,
    odd: bool,  # noqa: FBT001  # a column of the table
) -> None:
    warnings = bid_warnings(Bid.parse(text), rules, "sheet.bid")

    assert [(p.code, p.field) for p in warnings] == [("bid-style", "sheet.bid")] * odd


def test_problem_of_a_bid_says_which_bids_there_are() -> None:
    (problem,) = bid_problems(Bid.parse("60"), POINTS, "bid")

    assert re.findall(r"\d+", str(problem.message)) == ["61", "120"]


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
