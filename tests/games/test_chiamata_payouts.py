import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.games.briscola_chiamata import GAME
from scorer.games.briscola_chiamata.rules import ChiamataRules
from scorer.games.briscola_chiamata.sheet import ChiamataSheet
from scorer.operations import score
from scorer.rules.game import Score, Table
from scorer.rules.seats import Seat, all_seats
from scorer.texts import signed
from tests.data.examples import PRESETS, deals, payout_rows, published, request_for
from tests.data.strategies import examples, requests
from tests.games.oracle import pay

Deal = dict[str, Any]
CONQUERED = "Between them the others took 50 card points, and each of them wins that many → +50."
PATTA: Deal = {"preset": "classic", "draw": {"card_points": 60, "times": 2}, "score": {"blind": 2}}
ROWS = [
    pytest.param(slug, sheet, paid, id=" ".join([slug, *map(str, sheet.values())]))
    for slug, sheet, paid in payout_rows()
]
EXAMPLES = [pytest.param(deal, id=deal["id"]) for deal in [*deals(), *published()]]


def asked(deal: Deal) -> Deal:
    return {key: value for key, value in deal.items() if key not in {"expect", "note"}}


def read(request: Deal) -> tuple[ChiamataSheet, Table[ChiamataRules]]:
    """Read a sound request as the game does."""
    rules, _ = GAME.rules_from(request.get("rules"))
    seats = tuple(request["seats"])
    dealer = Seat(seats.index(request.get("dealer", seats[0])))
    table = Table(rules, seats, GAME.active(dealer, all_seats(len(seats)), rules))
    sheet, problems = GAME.read_sheet(request["sheet"], table)
    assert sheet is not None, problems
    return sheet, table


def paid(request: Deal) -> Score:
    """Pay a sound request, with the steps as they are inside."""
    return GAME.score(*read(request))


@pytest.mark.parametrize(("slug", "sheet", "payouts"), ROWS)
def test_score_table_pays_its_row(slug: str, sheet: Deal, payouts: dict[str, int]) -> None:
    answer = score(request_for(slug, sheet, PRESETS[slug]["players"]))

    assert answer["ok"], answer
    assert answer["payouts"] == payouts


@pytest.mark.parametrize("deal", EXAMPLES)
def test_worked_example_is_paid(deal: Deal) -> None:
    answer = score(asked(deal))

    assert answer["ok"], answer
    assert answer["id"] == deal["id"]
    assert (answer["made"], answer["payouts"]) == (
        deal["expect"]["made"],
        deal["expect"]["payouts"],
    )


def test_second_program_agrees_on_every_example() -> None:
    for deal in [*deals(), *published()]:
        assert pay(asked(deal)) == (deal["expect"]["made"], deal["expect"]["payouts"])
    for slug, sheet, payouts in payout_rows():
        assert pay(request_for(slug, sheet, PRESETS[slug]["players"]))[1] == payouts


@examples(300)
@given(requests())
def test_second_program_agrees_on_any_deal(request: Deal) -> None:
    answer = score(request)

    assert answer["ok"], answer
    assert (answer["made"], answer["payouts"]) == pay(request)


@examples(100)
@given(requests())
def test_steps_add_up_to_the_payouts_and_say_their_figures(request: Deal) -> None:
    result = paid(request)
    sums = dict.fromkeys(result.payouts, 0)
    for step in result.steps:
        for seat, amount in step.amounts.items():
            sums[seat] += amount
            assert step.rule in ("times", "blind") or signed(amount) in str(step.text)

    assert sums == result.payouts
    assert result.steps[0].rule == "target"
    answer = score(request)
    figures = re.findall(r"→ ([+−]?\d+)", "".join(step["text"] for step in answer["why"]))
    if not {"times", "blind"} & request["sheet"].keys():
        assert {signed(amount) for amount in answer["payouts"].values()} <= {"0", *figures}
    assert answer["why"] == [{"rule": step.rule, "text": str(step.text)} for step in result.steps]


@examples(100)
@given(requests())
def test_payouts_sum_to_zero_where_the_table_is_labelled_so(request: Deal) -> None:
    rules, _ = GAME.rules_from(request["rules"])
    kind = "partnered" if request["sheet"]["partner"] else "alone"

    if GAME.balance_checks(rules)["zero_sum"][kind]:
        assert sum(paid(request).payouts.values()) == 0


@pytest.mark.parametrize("slug", PRESETS)
def test_label_zero_sum_is_what_an_ordinary_deal_does(slug: str) -> None:
    rules = GAME.presets[slug]
    for partner, kind in (("Bea", "partnered"), (None, "alone")):
        sheet = {"caller": "Ada", "bid": 75, "partner": partner, "card_points": 75}
        house = {"preset": slug, "call": {"own_card": True}}
        answer = score(request_for(house, sheet, rules.players))

        assert (sum(answer["payouts"].values()) == 0) == GAME.balance_checks(rules)["zero_sum"][
            kind
        ]


@examples(60)
@given(requests(), st.randoms(use_true_random=False))
def test_order_of_seats_does_not_matter(request: Deal, random: Random) -> None:
    seats = request["seats"][:]
    random.shuffle(seats)
    moved = score({**request, "seats": seats})
    before = score(request)

    assert moved["payouts"] == before["payouts"]
    assert moved["made"] == before["made"]


@pytest.mark.parametrize("slug", [slug for slug in PRESETS if slug != "declared-points"])
@pytest.mark.parametrize("partner", ["Bea", None])
def test_missed_bid_costs_what_the_same_bid_pays(slug: str, partner: str | None) -> None:
    house = {"preset": slug, "call": {"own_card": True}}
    low, count = PRESETS[slug]["auction"]["after_two"], PRESETS[slug]["players"]

    ranks = ["A"] if PRESETS[slug]["floor"] else []
    for bid in (*ranks, *range(max(low, 61), 119)):
        sheet = {"caller": "Ada", "bid": bid, "partner": partner}
        made = score(request_for(house, {**sheet, "made": True}, count))["payouts"]
        missed = score(request_for(house, {**sheet, "made": False}, count))["payouts"]
        assert missed == {name: -amount for name, amount in made.items()}
        assert made["Ada"] > 0


@pytest.mark.parametrize(
    ("rules", "change", "unit"),
    [
        pytest.param("monte-5", {"bid": 61, "made": False, "tricks_won": 1, "cappotto": True}, -1,
                     id="missed: the cappotto of the others doesn't count"),
        pytest.param("monte-5", {"bid": 61, "made": False, "cappotto": True}, -1,
                     id="missed, no tricks counted"),
        pytest.param("monte-5", {"bid": 61, "made": True, "tricks_won": 3, "cappotto": True}, 2,
                     id="made: the cappotto is the caller's"),
        pytest.param("classic", {"bid": 61, "made": False, "tricks_won": 1, "cappotto": True}, -2,
                     id="missed: the others took everything, a trick of nothing aside"),
        pytest.param("classic", {"bid": 61, "made": True, "tricks_won": 8}, 2,
                     id="all the tricks are all the card points"),
        pytest.param("classic", {"bid": 61, "made": False, "tricks_won": 0}, -2,
                     id="no trick is no card point"),
        pytest.param("classic", {"bid": 120, "made": True}, 2, id="120 made are all of them"),
        pytest.param("classic", {"bid": 119, "made": True}, 2, id="119 can only be made with 120"),
        pytest.param("classic", {"bid": 118, "made": True}, 1, id="118 made may be 118"),
        pytest.param("ladder-bands", {"bid": "2@120", "made": True}, 5,
                     id="120 made, perhaps without all the tricks"),
    ],
)  # fmt: skip
def test_cappotto_follows_from_all_that_is_written(rules: str, change: Deal, unit: int) -> None:
    answer = score(request_for(rules, {"caller": "Ada", "partner": "Bea", **change}))

    assert answer["ok"], answer
    assert list(answer["payouts"].values()) == [2 * unit, unit, -unit, -unit, -unit]


def test_nobody_took_everything_of_a_bid_that_was_missed_by_the_rules_of_the_monte() -> None:
    sheet = {"caller": "Ada", "bid": 61, "partner": "Bea", "made": False, "tricks_won": 1}

    answer = score(request_for("monte-5", {**sheet, "cappotto": True}))

    assert "cappotto" not in [step["rule"] for step in answer["why"]]


@pytest.mark.parametrize(
    ("rules", "sheet", "steps"),
    [
        pytest.param(
            "ladder-bands",
            {"caller": "Ada", "bid": "2@72", "partner": None, "card_points": 72, "tricks_won": 5},
            [
                ("band", "The bid of the Two at 72 makes the deal worth 2."),
                ("alone", "Ada, alone, wins the caller's share: 4 × 2 → +8."),
                ("against-alone", "Each of the others pays their share: 1 × 2 → −2."),
            ],
            id="alone",
        ),
        pytest.param(
            "classic",
            {"caller": "Ada", "bid": "K", "partner": "Bea", "card_points": 0, "times": 3},
            [
                ("band", "By these rules the deal is worth 1."),
                (
                    "cappotto",
                    (
                        "Cappotto! The defenders took all the card points, so "
                        "now the deal is worth 1 × 2 = 2."
                    ),
                ),
                ("times", "This deal counts triple: it is worth 2 × 3 = 6."),
                ("caller", "Ada pays the caller's share: 2 × 6 → −12."),
                ("partner", "Bea pays the partner's share: 1 × 6 → −6."),
                ("defender", "Each defender wins their share: 1 × 6 → +6."),
            ],
            id="every multiplier",
        ),
        pytest.param(
            "volata",
            {"caller": "Ada", "bid": "2@80", "partner": "Bea", "made": True, "cappotto": True},
            [
                ("band", "The bid of the Two at 80 makes the deal worth 3."),
                (
                    "cappotto",
                    (
                        "Cappotto! Ada and Bea took all the card points, so "
                        "now the deal is worth 4, whatever was bid."
                    ),
                ),
                ("caller", "Ada wins the caller's share: 2 × 4 → +8."),
                ("partner", "Bea wins the partner's share: 1 × 4 → +4."),
                ("defender", "Each defender pays their share: 1 × 4 → −4."),
            ],
            id="nobody counted, a cappotto that sets",
        ),
        pytest.param(
            "decades",
            {"caller": "Ada", "bid": "2@70", "partner": "Bea", "card_points": 120},
            [
                ("band", "The bid of the Two at 70 makes the deal worth 2."),
                (
                    "cappotto",
                    (
                        "Cappotto! Ada and Bea took all the card points, so "
                        "now the deal is worth 2 + 1 = 3."
                    ),
                ),
                ("caller", "Ada wins the caller's share: 2 × 3 → +6."),
                ("partner", "Bea wins the partner's share: 1 × 3 → +3."),
                ("defender", "Each defender pays their share: 1 × 3 → −3."),
            ],
            id="a cappotto that adds",
        ),
        pytest.param(
            "ladder-bands",
            {"caller": "Ada", "bid": "A", "partner": "Bea", "tricks_won": 8, "made": True},
            [
                ("band", "The bid of the Ace, with no number added, makes the deal worth 1."),
                (
                    "cappotto",
                    (
                        "Cappotto! Ada and Bea took all the tricks, so "
                        "now the deal is worth 1 × 2 = 2."
                    ),
                ),
                ("caller", "Ada wins the caller's share: 2 × 2 → +4."),
                ("partner", "Bea wins the partner's share: 1 × 2 → +2."),
                ("defender", "Each defender pays their share: 1 × 2 → −2."),
            ],
            id="all the tricks",
        ),
        pytest.param(
            "declared-points",
            {"caller": "Ada", "bid": "75", "partner": None, "card_points": 80, "times": 3},
            [
                ("alone", ("Ada played alone and made it: twice the points that were bid, "
                           "2 × 75 → +150. The others win nothing.")),
                ("times", "This deal counts triple: all of this × 3."),
            ],
            id="declared points alone, three times",
        ),
        pytest.param(
            "declared-points",
            {"caller": "Ada", "bid": "75", "partner": "Bea", "card_points": 80},
            [
                ("declared", ("Ada and Bea made it: each wins the points that were bid → +75. The "
                              "others win nothing.")),
            ],
            id="declared points made",
        ),
        pytest.param(
            "declared-points",
            {"caller": "Ada", "bid": "75", "partner": "Bea", "card_points": 70},
            [
                ("short", "The caller's side fell short by 75 − 70 = 5 → −5 each."),
                ("conquered", CONQUERED),
            ],
            id="declared points missed",
        ),
        pytest.param(
            "declared-points",
            {"caller": "Ada", "bid": "75", "partner": None, "card_points": 70},
            [
                ("short", "Ada fell short by 75 − 70 = 5 → −5."),
                ("conquered", CONQUERED),
            ],
            id="declared points missed alone",
        ),
        pytest.param(
            {"preset": "declared-points", "score": {"blind": 2}},
            {"caller": "Ada", "bid": "75", "partner": None, "card_points": 80, "times": 3,
             "blind": True},
            [
                ("alone", ("Ada played alone and made it: twice the points that were bid, "
                           "2 × 75 → +150. The others win nothing.")),
                ("blind", "The bid was blind and counts double: all of this × 2."),
                ("times", "This deal counts triple: all of this × 3."),
            ],
            id="declared points, blind and three times",
        ),
        pytest.param(
            {"preset": "classic", "score": {"blind": 3}},
            {"caller": "Ada", "bid": "61", "partner": None, "card_points": 120, "times": 2,
             "blind": True},
            [
                ("band", "By these rules the deal is worth 1."),
                (
                    "cappotto",
                    (
                        "Cappotto! Ada took all the card points, so "
                        "now the deal is worth 1 × 2 = 2."
                    ),
                ),
                ("blind", "The bid was blind: now the deal is worth 2 × 3 = 6."),
                ("times", "This deal counts double: it is worth 6 × 2 = 12."),
                ("alone", "Ada, alone, wins the caller's share: 4 × 12 → +48."),
                ("against-alone", "Each of the others pays their share: 1 × 12 → −12."),
            ],
            id="alone, a cappotto, blind and double",
        ),
        pytest.param(
            "ladder-bands",
            {"caller": "Ada", "bid": "A", "partner": None, "tricks_won": 8, "card_points": 120},
            [
                ("band", "The bid of the Ace, with no number added, makes the deal worth 1."),
                (
                    "cappotto",
                    (
                        "Cappotto! Ada took all the tricks, so "
                        "now the deal is worth 1 × 2 = 2."
                    ),
                ),
                ("alone", "Ada, alone, wins the caller's share: 4 × 2 → +8."),
                ("against-alone", "Each of the others pays their share: 1 × 2 → −2."),
            ],
            id="all the tricks, alone",
        ),
        pytest.param(
            "ladder-bands",
            {"caller": "Ada", "bid": "A", "partner": None, "tricks_won": 0, "card_points": 0},
            [
                ("band", "The bid of the Ace, with no number added, makes the deal worth 1."),
                (
                    "cappotto",
                    (
                        "Cappotto! The defenders took all the tricks, so "
                        "now the deal is worth 1 × 2 = 2."
                    ),
                ),
                ("alone", "Ada, alone, pays the caller's share: 4 × 2 → −8."),
                ("against-alone", "Each of the others wins their share: 1 × 2 → +2."),
            ],
            id="not one trick, alone",
        ),
        pytest.param(
            PATTA,
            {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 60, "times": 2,
             "blind": True},
            [
                ("draw", ("Exactly 60, where 61 were needed: by these rules nobody pays, and the "
                          "next deal counts double.")),
            ],
            id="a draw of a deal that counts double",
        ),
        pytest.param(
            {**PATTA, "throw_in": {"max_points": 4, "compound": True}},
            {"caller": "Ada", "bid": "K", "partner": None, "card_points": 60, "times": 3},
            [
                ("draw", ("Exactly 60, where 61 were needed: by these rules nobody pays, and the "
                          "next deal counts 6 times.")),
            ],
            id="a draw where multipliers are multiplied",
        ),
        pytest.param(
            {**PATTA, "draw": {"times": 1}},
            {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 60},
            [("draw", "Exactly 60, where 61 were needed: by these rules nobody pays.")],
            id="a draw that doubles nothing",
        ),
        pytest.param(
            {"preset": "ladder-bands", "auction": {"style": "none"}},
            {"caller": "Ada", "bid": "61", "partner": None, "card_points": 60},
            [
                ("band", "By these rules the deal is worth 1."),
                ("alone", "Ada, alone, pays the caller's share: 4 × 1 → −4."),
                ("against-alone", "Each of the others wins their share: 1 × 1 → +1."),
            ],
            id="nothing is bid",
        ),
    ],
)  # fmt: skip
def test_reasons_follow_the_arithmetic_step_by_step(
    rules: object, sheet: Deal, steps: list[tuple[str, str]]
) -> None:
    answer = score(request_for(rules, sheet))

    assert answer["why"][0]["rule"] == "target"
    assert [(step["rule"], step["text"]) for step in answer["why"][1:]] == steps


@pytest.mark.parametrize(
    ("rules", "change", "text"),
    [
        (
            "classic",
            {"bid": "61", "card_points": 72},
            "61 and needed 61 card points. %s 72: made.",
        ),
        (
            "classic",
            {"bid": "75", "card_points": 72},
            "75 and needed 75 card points. %s 72: missed.",
        ),
        (
            "classic",
            {"bid": "K", "card_points": 60},
            "the King and needed 61 card points. %s 60: missed.",
        ),
        (
            "volata",
            {"bid": "K", "card_points": 60},
            "the King and by these rules needed 60 card points. %s 60: made.",
        ),
        (
            {"preset": "classic", "auction": {"minimum": 60}},
            {"bid": "60", "card_points": 60},
            "60, but by these rules needed at least 61 card points. %s 60: missed.",
        ),
        (
            PATTA,
            {"bid": "61", "card_points": 60},
            "61 and needed 61 card points. %s 60: a draw.",
        ),
        (
            "bastarda",
            {"bid": "40", "card_points": 40},
            "40 and needed 40 card points. %s 40: made.",
        ),
        (
            "bastarda",
            {"bid": 1, "card_points": 2},
            "1 and needed 1 card point. %s 2: made.",
        ),
        (
            "bastarda",
            {"bid": 2, "card_points": 0},
            "2 and needed 2 card points. %s 0: missed.",
        ),
        (
            "classic",
            {"bid": "75", "made": True},
            "75 and needed 75 card points. Nobody counted: the deal was written down as made.",
        ),
        (
            "classic",
            {"bid": "75", "made": False},
            "75 and needed 75 card points. Nobody counted: the deal was written down as missed.",
        ),
    ],
)
def test_first_reason_is_the_target_and_the_result(rules: object, change: Deal, text: str) -> None:
    answer = score(request_for(rules, {"caller": "Ada", "partner": "Bea", **change}))

    assert answer["why"][0]["text"] == "Ada bid " + text.replace("%s", "The caller's side took")


@pytest.mark.parametrize(
    ("test", "taken", "text"),
    [
        ("all-tricks", {"tricks_won": 0, "card_points": 0}, "The caller's side took no trick"),
        ("all-points", {"card_points": 0}, "The caller's side took no card points"),
    ],
)
def test_defenders_do_not_take_all_where_a_dead_hand_took_some(
    test: str, taken: Deal, text: str
) -> None:
    cappotto = {"test": test, "op": "times", "value": 2, "side": "both"}
    rules = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}

    sheet = {"caller": "Ada", "partner": None, "bid": "75", **taken}

    answer = score(request_for({**rules, "score": {"cappotto": cappotto}}, sheet, 4))

    (told,) = [step["text"] for step in answer["why"] if step["rule"] == "cappotto"]
    assert told.startswith(f"Cappotto! {text}, so now")


def test_target_is_told_of_a_caller_alone() -> None:
    sheet = {"caller": "Ada", "partner": None, "bid": "61", "card_points": 72}

    answer = score(request_for("classic", sheet))

    text = "Ada bid 61 and needed 61 card points. Ada took 72: made."
    assert answer["why"][0]["text"] == text


def test_whoever_sits_out_has_no_figure() -> None:
    seats = all_seats(7)
    rules = GAME.presets["monte-7"]

    assert GAME.active(Seat(3), all_seats(7), rules) == tuple(seat for seat in seats if seat != 3)
    assert GAME.active(Seat(3), all_seats(6), rules) == all_seats(6)
