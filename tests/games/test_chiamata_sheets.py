from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.sheet import points_range
from scorer.rules.game import Table
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import placed
from tests.data.examples import NAMES, PRESETS
from tests.data.strategies import any_results, bids, examples, requests, rule_sets
from tests.games.oracle import is_lawful, rules_of

SOUND: dict[str, Any] = {"caller": "Ada", "bid": "75", "partner": "Bea", "card_points": 80}
LADDER = "ladder-bands"


def problems_of(
    rules: object, sheet: object, *, count: int = 5, dealer: int = 0
) -> list[tuple[str, str]]:
    read, faults = GAME.rules_from(rules)
    assert faults == []
    table = Table(read, NAMES[:count], GAME.active(Seat(dealer), all_seats(count), read))
    _, problems = GAME.read_sheet(sheet, table)
    assert all(str(problem.message) for problem in problems)
    return [(problem.code, problem.field.removeprefix("sheet.")) for problem in problems]


@pytest.mark.parametrize(
    ("rules", "change", "problems"),
    [
        pytest.param("classic", {}, [], id="nothing wrong"),
        pytest.param("classic", {"partner": None}, [], id="alone"),
        pytest.param("classic", {"partner": "Ada"}, [("caller-is-partner", "partner")],
                     id="the caller as partner"),
        pytest.param("bastarda", {"partner": None}, [("own-card-forbidden", "partner")],
                     id="alone where nobody may be"),
        pytest.param("classic", {"caller": "Zoe"}, [("unknown-name", "caller")], id="a stranger"),
        pytest.param("classic", {"caller": None}, [("wrong-type", "caller")], id="no caller"),
        pytest.param("classic", {"bid": "60"}, [("bid-range", "bid")], id="too low a bid"),
        pytest.param("classic", {"bid": 121}, [("bid-range", "bid")], id="too high a bid"),
        pytest.param("classic", {"bid": -5}, [("bid-range", "bid")], id="a negative bid"),
        pytest.param("classic", {"bid": 10**400}, [("bid-range", "bid")], id="a monstrous bid"),
        pytest.param("classic", {"bid": "X"}, [("bad-bid", "bid")], id="no bid at all"),
        pytest.param("classic", {"bid": None}, [("wrong-type", "bid")], id="null for a bid"),
        pytest.param({"preset": LADDER, "auction": {"style": "ladder"}}, {},
                     [("bid-style", "bid")], id="points on a ladder"),
        pytest.param("bastarda", {"bid": "7"}, [("bid-style", "bid")],
                     id="a rank where the floor is 0"),
        pytest.param("declared-points", {"bid": "A"}, [("bid-style", "bid")],
                     id="a rank where the points are paid that were bid"),
        pytest.param("bastarda", {"bid": 7}, [], id="seven points where the floor is 0"),
        pytest.param({"preset": LADDER, "floor": 0}, {"bid": "K"}, [("bid-style", "bid")],
                     id="a rank on a ladder without a floor"),
        pytest.param({"preset": LADDER, "floor": 0}, {"bid": "2@62"}, [],
                     id="points after a two without a floor"),
        pytest.param({"preset": "bastarda", "auction": {"style": "none"}}, {"bid": "A"}, [],
                     id="a rank stands in for any bid where none is written down"),
        pytest.param({"preset": "classic", "auction": {"style": "none"}}, {"bid": -1},
                     [("bid-range", "bid")], id="a negative bid where nothing is bid"),
        pytest.param("classic", {"called_card": "3C"}, [], id="any card after points"),
        pytest.param("classic", {"called_card": None}, [], id="no card written down"),
        pytest.param("classic", {"called_card": "KH"}, [("card-not-in-deck", "called_card")],
                     id="hearts among Italian cards"),
        pytest.param(LADDER, {"bid": "K", "called_card": "QC"}, [("call-rank", "called_card")],
                     id="another rank than was bid"),
        pytest.param(LADDER, {"bid": "2", "called_card": "QC"}, [],
                     id="after a two perhaps the lowest not held"),
        pytest.param("rulebook", {"bid": "10", "called_card": "10H"}, [], id="a ten where it is"),
        pytest.param("classic", {"card_points": 121}, [("out-of-range", "card_points")],
                     id="more than the pack"),
        pytest.param("classic", {"card_points": -1}, [("out-of-range", "card_points")],
                     id="less than nothing"),
        pytest.param("classic", {"card_points": 80.0}, [("wrong-type", "card_points")],
                     id="a broken number"),
        pytest.param("classic", {"card_points": "80"}, [("wrong-type", "card_points")],
                     id="a number in quotes"),
        pytest.param("classic", {"card_points": 1}, [("points-impossible", "card_points")],
                     id="one point"),
        pytest.param("classic", {"card_points": 119}, [("points-impossible", "card_points")],
                     id="all but one point"),
        pytest.param("classic", {"card_points": None}, [("missing-key", "card_points")],
                     id="neither counted nor told"),
        pytest.param("classic", {"card_points": None, "made": True}, [], id="told, not counted"),
        pytest.param("classic", {"made": True}, [], id="counted and told alike"),
        pytest.param("classic", {"made": False}, [("wrong-result", "made")],
                     id="told otherwise than counted"),
        pytest.param("classic", {"card_points": 74, "made": True}, [("wrong-result", "made")],
                     id="called made a point short"),
        pytest.param("classic", {"made": "yes"}, [("wrong-type", "made")], id="yes for a tick"),
        pytest.param("declared-points", {"card_points": None, "made": False},
                     [("missing-key", "card_points")], id="what was short must be counted"),
        pytest.param("declared-points", {"card_points": None, "made": True}, [],
                     id="a made bid need not be counted"),
        pytest.param("classic", {"tricks_won": 5}, [], id="tricks that fit the points"),
        pytest.param("classic", {"tricks_won": 9}, [("out-of-range", "tricks_won")],
                     id="more tricks than cards"),
        pytest.param("classic", {"tricks_won": 11}, [("out-of-range", "tricks_won")],
                     id="more tricks than any deal has"),
        pytest.param("classic", {"tricks_won": 1}, [("points-tricks", "card_points")],
                     id="too few tricks for the points"),
        pytest.param("classic", {"card_points": 10, "tricks_won": 6},
                     [("points-tricks", "card_points")], id="too few points for the tricks"),
        pytest.param("classic", {"card_points": None, "made": True, "tricks_won": 9},
                     [("out-of-range", "tricks_won")], id="too many tricks, uncounted"),
        pytest.param("classic", {"card_points": 120, "cappotto": True}, [], id="a true cappotto"),
        pytest.param("classic", {"cappotto": False}, [], id="truly no cappotto"),
        pytest.param("classic", {"cappotto": True}, [("wrong-cappotto", "cappotto")],
                     id="a cappotto with 80 points"),
        pytest.param("classic", {"card_points": 0, "cappotto": False},
                     [("wrong-cappotto", "cappotto")], id="no cappotto with no points"),
        pytest.param(LADDER, {"card_points": 120, "cappotto": True}, [],
                     id="all the tricks, uncounted"),
        pytest.param(LADDER, {"card_points": 120, "cappotto": False}, [],
                     id="all the points, not all the tricks"),
        pytest.param(LADDER, {"cappotto": True}, [("wrong-cappotto", "cappotto")],
                     id="all the tricks would be all the points"),
        pytest.param(LADDER, {"tricks_won": 6, "cappotto": True},
                     [("wrong-cappotto", "cappotto")], id="all the tricks with six"),
        pytest.param(LADDER, {"card_points": 120, "tricks_won": 8, "cappotto": False},
                     [("wrong-cappotto", "cappotto")], id="no cappotto with all tricks"),
        pytest.param("classic", {"made": True, "card_points": None, "tricks_won": 0},
                     [("wrong-result", "made")], id="made without a trick"),
        pytest.param("classic", {"made": False, "card_points": None, "tricks_won": 8},
                     [("wrong-result", "made")], id="missed with all the tricks"),
        pytest.param("classic-plain", {"made": True, "card_points": None, "tricks_won": 0},
                     [("wrong-result", "made")], id="made without a trick, no cappotto played"),
        pytest.param(LADDER, {"bid": "K", "made": True, "card_points": None, "tricks_won": 0},
                     [("wrong-result", "made")], id="made without a trick, cappotto by tricks"),
        pytest.param(LADDER, {"bid": "K", "made": False, "card_points": None, "tricks_won": 8},
                     [("wrong-result", "made")], id="missed with all, cappotto by tricks"),
        pytest.param("classic", {"bid": 61, "made": True, "card_points": None, "tricks_won": 1},
                     [("wrong-result", "made")], id="61 made with one trick, which holds 54"),
        pytest.param("classic", {"bid": 61, "made": True, "card_points": None, "tricks_won": 2}, [],
                     id="61 made with two tricks"),
        pytest.param("classic", {"bid": 66, "made": False, "card_points": None, "tricks_won": 7},
                     [("wrong-result", "made")], id="66 missed with seven tricks, which hold 66"),
        pytest.param("classic", {"bid": 67, "made": False, "card_points": None, "tricks_won": 7},
                     [], id="67 missed with seven tricks"),
        pytest.param("monte-5", {"bid": 61, "made": True, "card_points": None, "tricks_won": 1}, [],
                     id="61 made with one trick and the monte"),
        pytest.param({"preset": "bastarda", "auction": {"minimum": 0}},
                     {"bid": "0", "made": False, "card_points": None},
                     [("wrong-result", "made")], id="a bid of nothing missed"),
        pytest.param("classic", {"made": True, "card_points": None, "tricks_won": 2,
                                 "cappotto": True},
                     [("wrong-cappotto", "cappotto")], id="made, and all the points in two tricks"),
        pytest.param("classic", {"made": False, "card_points": None, "tricks_won": 5,
                                 "cappotto": True},
                     [("wrong-cappotto", "cappotto")], id="missed, and nothing in five tricks"),
        pytest.param("classic", {"made": False, "card_points": None, "tricks_won": 4,
                                 "cappotto": True}, [],
                     id="missed, and nothing in four tricks"),
        pytest.param("classic", {"made": False, "card_points": None, "tricks_won": 0,
                                 "cappotto": False},
                     [("wrong-cappotto", "cappotto")], id="no trick, and no cappotto"),
        pytest.param("classic", {"made": True, "card_points": None, "tricks_won": 8,
                                 "cappotto": False},
                     [("wrong-cappotto", "cappotto")], id="all the tricks, and no cappotto"),
        pytest.param("classic", {"bid": 120, "made": True, "card_points": None,
                                 "cappotto": False},
                     [("wrong-cappotto", "cappotto")], id="120 made, and no cappotto"),
        pytest.param(LADDER, {"bid": "2@120", "made": True, "card_points": None,
                              "cappotto": False}, [],
                     id="120 made, without all the tricks"),
        pytest.param("classic", {"made": True, "card_points": 119, "tricks_won": 0},
                     [("points-impossible", "card_points"), ("points-tricks", "card_points")],
                     id="an impossible count says nothing about the result"),
        pytest.param("classic-plain", {"cappotto": True}, [], id="a tick that means nothing"),
        pytest.param("classic", {"shown": True}, [("shown-without-monte", "shown")],
                     id="a card shown without a monte"),
        pytest.param("monte-5", {"shown": True}, [], id="a card shown from the monte"),
        pytest.param("monte-5", {"shown": True, "partner": None}, [("shown-alone", "partner")],
                     id="a card shown and yet alone"),
        pytest.param("classic", {"times": 0}, [("out-of-range", "times")], id="no times"),
        pytest.param("classic", {"times": 101}, [("out-of-range", "times")], id="too many times"),
        pytest.param("classic", {"times": None}, [("wrong-type", "times")], id="null times"),
        pytest.param("classic", {"blind": "yes"}, [("wrong-type", "blind")], id="yes for blind"),
        pytest.param("classic", {"suit": "C"}, [("unknown-key", "suit")], id="a key too many"),
        pytest.param(
            "classic", {"bid": "60", "partner": "Ada", "card_points": 119, "shown": True},
            [("caller-is-partner", "partner"), ("bid-range", "bid"),
             ("shown-without-monte", "shown"), ("points-impossible", "card_points")],
            id="every contradiction at once",
        ),
        pytest.param(
            "classic",
            {"caller": 5, "bid": [], "partner": "Zoe", "card_points": {}, "times": "2", "x": 1},
            [("wrong-type", "caller"), ("wrong-type", "bid"), ("unknown-name", "partner"),
             ("wrong-type", "card_points"), ("wrong-type", "times"), ("unknown-key", "x")],
            id="every wrong answer at once",
        ),
    ],
)  # fmt: skip
def test_fault_of_a_sheet_is_found(
    rules: object, change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    assert problems_of(rules, {**SOUND, **change}) == problems


@pytest.mark.parametrize(
    ("rules", "change", "sentence"),
    [
        ("classic", {"bid": 61, "made": True, "tricks_won": 1},
         ("With 1 trick a side can have between 0 and 54 card points: the target of 61 is out of "
         "reach.")),
        ("classic", {"made": True, "tricks_won": 0},
         "With 0 tricks a side can have 0 card points: the target of 75 is out of reach."),
        ("classic", {"made": False, "tricks_won": 8},
         "With 8 tricks a side can have 120 card points: the target of 75 is always reached."),
        ({"preset": "bastarda", "auction": {"minimum": 0}}, {"bid": 0, "made": False},
         "The target is 0: it can't be missed."),
        ({"preset": "classic", "draw": {"card_points": 120}},
         {"bid": 61, "made": True, "tricks_won": 8},
         "By these rules exactly 120, where 61 were needed, is a draw: neither made nor missed."),
    ],
)  # fmt: skip
def test_result_that_cannot_be_is_told_with_what_can(
    rules: object, change: dict[str, Any], sentence: str
) -> None:
    read, _ = GAME.rules_from(rules)
    sheet = {**SOUND, "card_points": None, **change}

    _, (problem,) = GAME.read_sheet(sheet, Table(read, NAMES[:5], all_seats(5)))

    assert (problem.code, str(problem.message)) == ("wrong-result", sentence)


@examples(300)
@given(st.data())
def test_counts_are_refused_where_no_deal_ends_so_and_only_there(data: st.DataObject) -> None:
    override = data.draw(rule_sets())
    rules = rules_of(override)
    sheet = {"bid": data.draw(bids(rules)), **data.draw(any_results(rules))}

    problems = problems_of(
        override, {"caller": "Ada", "partner": "Bea", **sheet}, count=rules["players"]
    )

    assert (not problems) == is_lawful(sheet, rules), problems


@pytest.mark.parametrize("key", ["caller", "bid", "partner"])
def test_answer_that_must_be_given_is_missed(key: str) -> None:
    sheet = {name: value for name, value in SOUND.items() if name != key}

    assert problems_of("classic", sheet) == [("missing-key", key)]


@pytest.mark.parametrize("sheet", [None, [], "Ada", 75, True])
def test_what_is_no_sheet_is_one_problem(sheet: object) -> None:
    assert problems_of("classic", sheet) == [("wrong-type", "sheet")]


@pytest.mark.parametrize(
    ("caller", "partner", "problems"),
    [
        ("Ada", "Bea", []),
        ("Gino", "Bea", [("sits-out", "caller")]),
        ("Ada", "Gino", [("sits-out", "partner")]),
        ("Gino", None, [("sits-out", "caller")]),
        (
            "Gino",
            "Gino",
            [("sits-out", "caller"), ("sits-out", "partner"), ("caller-is-partner", "partner")],
        ),
    ],
)
def test_whoever_sits_out_has_no_part_in_a_deal(
    caller: str, partner: str | None, problems: list[tuple[str, str]]
) -> None:
    sheet = {**SOUND, "caller": caller, "partner": partner}

    assert problems_of("monte-7", sheet, count=7, dealer=6) == problems


def test_dealer_of_five_sits_out_of_a_deal_for_four() -> None:
    assert problems_of("four-of-five", SOUND, count=5, dealer=4) == []
    assert problems_of("four-of-five", SOUND, count=5) == [("sits-out", "caller")]
    assert problems_of("four-of-five", SOUND, count=5, dealer=1) == [("sits-out", "partner")]


@pytest.mark.parametrize(
    ("rules", "change", "warnings"),
    [
        pytest.param("classic", {}, [], id="nothing odd"),
        pytest.param("classic", {"bid": "K"}, [("bid-style", "sheet.bid")], id="a rank"),
        pytest.param("monte-5", {"shown": True}, [], id="shown: the neighbour is the partner"),
        pytest.param("monte-5", {"shown": True, "partner": "Ciro"},
                     [("shown-partner", "sheet.partner")], id="shown: somebody else"),
        pytest.param("monte-5", {"shown": True, "caller": "Ezio", "partner": "Ada"}, [],
                     id="the neighbour of the last seat is the first"),
        pytest.param(LADDER, {"bid": "K"}, [], id="a rank where ranks are bid"),
    ],
)  # fmt: skip
def test_what_is_odd_is_said_but_allowed(
    rules: str, change: dict[str, Any], warnings: list[tuple[str, str]]
) -> None:
    table = Table(GAME.presets[rules], NAMES[:5], all_seats(5))
    sheet, problems = GAME.read_sheet({**SOUND, **change}, table)

    assert problems == []
    assert sheet is not None
    assert [(p.code, p.field) for p in placed(GAME.warnings(sheet, table), "sheet")] == warnings


@pytest.mark.parametrize(
    ("slug", "ranges"),
    [
        ("classic", "0-0 0-54 0-92 0-109 0-120 11-120 28-120 66-120 120-120"),
        ("four-literal",
         "0-0 0-44 0-84 0-100 0-112 0-120 8-120 20-120 36-120 76-120 120-120"),
        ("monte-5", "0-0 0-92 0-109 0-120 0-120 11-120 28-120 120-120"),
        ("monte-6", "0-0 0-92 0-112 0-120 8-120 28-120 120-120"),
    ],
)  # fmt: skip
def test_tricks_hold_so_many_points(slug: str, ranges: str) -> None:
    rules = GAME.presets[slug]
    bounds = [points_range(tricks, rules) for tricks in range(rules.cards_each + 1)]

    assert " ".join(f"{low}-{high}" for low, high in bounds) == ranges


def test_six_with_36_cards_have_the_ranges_of_the_rules() -> None:
    rules, _ = GAME.rules_from(
        {"preset": "monte-6", "deck": "no-twos-36", "monte": 0, "cards_each": 6}
    )

    ranges = [points_range(tricks, rules) for tricks in range(7)]

    assert ranges == [(0, 0), (0, 64), (0, 100), (4, 116), (20, 120), (56, 120), (120, 120)]


@examples(100)
@given(requests())
def test_sheet_is_read_back_as_it_is_written(request: dict[str, Any]) -> None:
    rules, _ = GAME.rules_from(request["rules"])
    seats = tuple(request["seats"])
    dealer = Seat(seats.index(request.get("dealer", seats[0])))
    table = Table(rules, seats, GAME.active(dealer, all_seats(len(seats)), rules))
    sheet, _ = GAME.read_sheet(request["sheet"], table)
    assert sheet is not None

    written = GAME.write_sheet(sheet, seats)

    assert GAME.read_sheet(written, table) == (sheet, [])
    assert {key: written[key] for key in ("caller", "partner")} == {
        key: request["sheet"][key] for key in ("caller", "partner")
    }


@pytest.mark.parametrize(
    ("start", "problems"),
    [
        pytest.param({"caller": "Ada", "bid": "K"}, [], id="a caller and a bid"),
        pytest.param({"caller": "Ada", "bid": "K", "called_card": "KC"}, [], id="and a card"),
        pytest.param({"caller": "Ada"}, [("missing-key", "sheet.bid")], id="no bid"),
        pytest.param({"caller": "Gino", "bid": "K"}, [("sits-out", "sheet.caller")], id="sits out"),
        pytest.param({"caller": "Ada", "bid": "60"}, [("bid-range", "sheet.bid")], id="too low"),
        pytest.param({"caller": "Ada", "bid": "K", "partner": "Bea"},
                     [("unknown-key", "sheet.partner")], id="the partner is a secret yet"),
        pytest.param({"caller": "Ada", "bid": "K", "called_card": "QC"},
                     [("call-rank", "sheet.called_card")], id="another rank"),
    ],
)  # fmt: skip
def test_auction_is_written_down_before_the_play(
    start: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    rules, _ = GAME.rules_from({"preset": LADDER, "sits_out": "dealer"})
    table = Table(rules, ("Ada", "Bea", "Ciro", "Dora", "Ezio", "Gino"), all_seats(5))

    read, faults = GAME.read_start(start, table)

    assert [(p.code, p.field) for p in faults] == problems
    assert (read is None) == bool(problems)


@pytest.mark.parametrize("slug", PRESETS)
def test_seats_are_as_many_as_play_or_one_more_where_one_sits_out(slug: str) -> None:
    rules = GAME.presets[slug]
    counts = GAME.seating(rules).for_deal

    one_more = [rules.players + 1] if slug in ("monte-7", "four-of-five") else []
    assert list(counts) == [rules.players, *one_more]


@pytest.mark.parametrize(
    ("key", "low", "high"), [("card_points", 0, 120), ("tricks_won", 0, 10), ("times", 1, 100)]
)
def test_figure_of_a_sheet_has_its_bounds(key: str, low: int, high: int) -> None:
    def refused(figure: int) -> bool:
        return ("out-of-range", key) in problems_of("four-literal", {**four, key: figure}, count=4)

    four = {**SOUND, "card_points": 60, "tricks_won": None}

    assert [refused(figure) for figure in (low - 1, low, high, high + 1)] == [
        True,
        False,
        False,
        True,
    ]
