"""Tressette and Briscola: nothing is said of lawful deals, faults are found, results proved."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scorer.cards.card_records import read_board
from scorer.cards.games import (
    CARD_GAMES,
    begin,
    examined,
    may_discard,
    play,
    read_stored,
    row_of,
    stored_play,
)
from scorer.cards.line import follow
from scorer.cards.notation.deals import parse_beside, write_text
from scorer.cards.notation.files import DealFile, FileDeal, read_file, write_file
from scorer.cards.open_cards import open_cards
from scorer.cards.proofs import Proof, parts, prove, prove_problem, without
from scorer.cards.sides import result
from scorer.cards.solver.open_deal import OpenDeal
from scorer.cards.standing import (
    analysed_side,
    asks_trump,
    differences,
    lying_open,
    proved_sheet,
    roles,
    script_facts,
    standing,
    status,
)
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.games.briscola import BriscolaSheet
from scorer.operations import check, replay, score, solve
from scorer.rules.cards import SUIT_WORDS, Card, Suit
from scorer.rules.game import Table
from scorer.rules.questions import Reading
from scorer.rules.seats import PerSide, Seat, Side, all_seats
from tests.cards.card_deals import value_of
from tests.cards.plain_minimax import plain_value
from tests.cards.sides_deals import (
    NAMES,
    bare,
    briscola,
    deals,
    maraffone,
    other_deals,
    traversone,
    tressette,
)
from tests.data.rows import rows

#: One deal of each kind reaches the lines that all of them do.
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.untraced) for seed in range(1, 6))]
#: A deal in which each side takes 60.
DRAWN = 124
Record = dict[str, Any]
Plant = Callable[[Record, Random], None]


def codes(record: Record) -> list[str]:
    return [one["code"] for one in check(record)["problems"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_lawful_deal_is_without_a_finding_and_told_as_it_was(seed: int) -> None:
    for record in [*deals(seed), *other_deals(seed)]:
        answer, plain = check(record), check(bare(record))

        assert answer["problems"] == answer["warnings"] == []
        assert plain["problems"] == plain["warnings"] == []
        assert answer["winners"] == [trick["winner"] for trick in record["tricks"]]
        assert answer["status"] == "settled"
        assert answer["complete"] is answer["ok"] is True
        assert answer["sheet"] == record["claim"]
        assert plain["sheet"].items() <= record["claim"].items()
        asked = {key: record[key] for key in ("game", "seats")}
        assert answer["payouts"] == score({**asked, "sheet": record["claim"]})["payouts"]


LONE_TRICK = ["4S 7S 7D 7B", "4C 6D 6B 5C"]
BY_TRICKS = {"cappotto": "tricks", "cappotto_times": 2}


def all_points(*, every_trick: bool) -> Record:
    """Give a deal in which Ada takes all points, and every trick or all but one."""
    ranks = "32AKQJ7654" if every_trick else "32AKQJ76"
    suits = {rank: [f"{rank}{suit}" for suit in "CSDB"] for rank in ranks}
    if not every_trick:  # in the lone trick and the next one went the 7, 6, 5 and 4 of these suits
        suits["7"][1:], suits["6"][2:] = ["6S", "5D", "5B"], ["4D", "4B"]
        suits["6"][1] = "5S"
    first = [] if every_trick else [trick.split() for trick in LONE_TRICK]
    tricks = [*first, *suits.values()]
    return {"game": "tressette", "seats": NAMES, "dealer": "Dora", "tricks": tricks}


@pytest.mark.parametrize(
    ("every_trick", "rules", "paid"),
    [
        pytest.param(True, BY_TRICKS, 22, id="every trick"),
        pytest.param(False, BY_TRICKS, 11, id="all but one"),
        pytest.param(False, {"cappotto_times": 2}, 22, id="all but one, by points"),
    ],
)
def test_cards_say_whether_somebody_took_every_trick(
    *, every_trick: bool, rules: dict[str, Any], paid: int
) -> None:
    record = {**all_points(every_trick=every_trick), "rules": rules}
    took, other = (0, None) if every_trick else (None, 0)

    answer = check(record)
    agreed, wrong = (check({**record, "claim": {"cappotto": side}}) for side in (took, other))

    assert answer["problems"] == agreed["problems"] == []
    assert answer["payouts"] == {"Ada": paid, "Bea": 0, "Ciro": paid, "Dora": 0}
    assert [(p["code"], p["where"]) for p in wrong["problems"]] == [
        ("wrong-cappotto", {"claim": "cappotto"})
    ]
    assert wrong["sheet"]["cappotto"] == agreed["sheet"]["cappotto"] == took


def test_claim_that_contradicts_itself_about_every_trick_is_told_once() -> None:
    record = {**all_points(every_trick=True), "claim": {"cappotto": 1, "last_trick": 0}}

    assert codes(record) == ["cappotto-points"]


@pytest.mark.parametrize("seed", SEEDS)
def test_part_of_a_deal_holds_what_the_whole_comes_to(seed: int) -> None:
    random = Random(seed)
    for record in [*deals(seed), *other_deals(seed)]:
        whole, part = check(record), deepcopy(record)
        for index in random.sample(range(len(part["tricks"])), 3):
            part["tricks"][index] = None
        if random.random() < 0.5:
            part["tricks"] = part["tricks"][: random.randrange(len(part["tricks"]))]
        answer = check(part)

        assert answer["problems"] == []
        assert answer["status"] == "open"
        assert answer["payouts"] is answer["sheet"] is None
        for mine, all_of_it in zip(answer["sides"], whole["sides"], strict=True):
            low, high = mine["bounds"]
            assert low <= all_of_it["card_points"] <= high


def too_many(record: Record, _random: Random) -> None:
    record["tricks"].append({"cards": record["tricks"][0]["cards"]})


def other_last_trick(record: Record, _random: Random) -> None:
    record["claim"]["last_trick"] = 1 - record["claim"]["last_trick"]


def other_points(record: Record, _random: Random) -> None:
    field = "card_points" if record["game"] == "briscola" else "aces"
    step = 1 if field == "aces" else 2
    one, two = record["claim"][field]
    up = step if two >= step else -step
    record["claim"][field] = [one + up, two - up]


def other_thirds(record: Record, _random: Random) -> None:
    one, two = record["claim"]["thirds"]
    up = 1 if two else -1
    record["claim"]["thirds"] = [one + up, two - up]


def other_hand_points(record: Record, _random: Random) -> None:
    low = check(record)["payouts"]["Ada"] % 11
    del record["claim"]["aces"], record["claim"]["thirds"]
    record["claim"]["hand_points"] = [(low + 1) % 12, 11 - (low + 1) % 12]
    record["claim"]["declarations"] = [[], []]


def never_held(record: Record, _random: Random) -> None:
    side = 0
    held = {card for name in ("Ada", "Ciro") for card in record["hands"][name]}
    suit = next(suit for suit in "CDSB" if not {f"{rank}{suit}" for rank in "A23"} <= held)
    record["claim"]["declarations"][side] = [{"kind": "napoletana", "suit": suit}]
    record["claim"]["declarations"][1] = []


PLANTED: list[tuple[int, Plant, set[str]]] = [
    (0, too_many, {"trick-count", "duplicate-card", "card-not-held"}),
    *((kind, other_last_trick, {"wrong-last-trick"}) for kind in range(4)),
    *((kind, other_points, {"aces-mismatch", "points-mismatch"}) for kind in range(4)),
    *((kind, other_thirds, {"thirds-mismatch"}) for kind in (0, 3)),
    (0, other_hand_points, {"hand-points-mismatch"}),
    (0, never_held, {"declaration-not-held"}),
]


@pytest.mark.parametrize(
    ("kind", "plant", "found"),
    [pytest.param(*one, id=f"{one[1].__name__}-{one[0]}") for one in PLANTED],
)
def test_planted_fault_is_found(kind: int, plant: Plant, found: set[str]) -> None:
    for seed in range(3):
        record = [*deals(seed), maraffone(seed)][kind]
        plant(record, Random(seed))

        assert set() < {*codes(record)} <= found


FOUR_LEADS = {"preset": "to-21", "first_leader": "four-of-coins"}
#: Ada leads in either; in the first she has the four of coins, in the second Bea has it.
ADA_HAS_IT, BEA_HAS_IT = 5, 3


@rows(__file__, "four of coins")
@pytest.mark.parametrize("told", [(), ("hands",)], ids=["without hands", "with hands"])
def test_four_of_coins_leads_in_the_first_deal_of_a_session(
    seed: int, dealer: str, before: int, told: tuple[str, ...], *, wrong: bool
) -> None:
    record = tressette(seed)
    play = {key: record[key] for key in ("tricks", *told)}
    deals_ = [
        {"outcome": "misdeal"},
        *[{"sheet": {"hand_points": [5, 6]}}] * before,
        {"sheet": record["claim"], "dealer": dealer, "play": play},
    ]
    answer = replay({"game": "tressette", "rules": FOUR_LEADS, "seats": NAMES, "deals": deals_})

    found = [one["code"] for one in answer["warnings"] if "play" in one["field"]]
    assert found == ["wrong-first-leader"] * wrong


def test_first_deal_by_the_four_of_coins_waits_for_whoever_leads() -> None:
    record = {**bare(tressette(ADA_HAS_IT)), "rules": FOUR_LEADS, "dealer": "Ada"}
    deal = value_of(record)
    first = replace(deal, tricks=(), table=replace(deal.table, first=True))

    begun = value_of({**record, "tricks": []})
    assert (follow(first).turn, follow(begun).turn) == (None, Seat(1))
    facts = script_facts(first)
    assert facts is not None
    assert facts["first"] is None
    led = play(first.lead(Seat(0)), Card.parse(record["tricks"][0][0]))
    assert follow(led).turn == Seat(1)


def test_deal_by_the_four_of_coins_is_solved_with_its_leader() -> None:
    record = {**tressette(ADA_HAS_IT), "rules": FOUR_LEADS, "dealer": None}
    answer = solve({**record, "ask": "value", "from": {"trick": 10, "card": 1}})

    assert (answer["ok"], answer["decided"]) == (True, True)


def told(proof: Proof) -> list[str]:
    return [str(step.text) for step in (*proof.steps, proof.conclusion)]


@pytest.mark.parametrize("seed", SEEDS)
def test_result_is_proved_by_no_more_than_it_needs(seed: int) -> None:
    for record in [*deals(seed), *(other_deals(seed) if seed < 3 else [])]:
        deal = value_of(bare(record))
        (proof,) = prove(deal)

        left = parts(proof.board)
        assert result(proof.board) == result(deal) is not None
        assert all(result(without(proof.board, part)) != result(deal) for part in left)
        assert len(proof.steps) <= len(record["tricks"])
        assert prove(value_of({**bare(record), "tricks": []})) == []


def test_difference_is_proved_by_the_tricks_that_show_it() -> None:
    for seed in range(4):
        for plant, kind in [(other_points, 0), (other_points, 1), (never_held, 0)]:
            record = deals(seed)[kind]
            plant(record, Random(seed))
            deal = value_of({**bare(record), "claim": record["claim"]})
            finding = examined(deal).problems[0]
            proof = prove_problem(deal, finding)

            assert finding in examined(proof.board).problems
            assert proof.steps
            assert proof.conclusion.text == finding.message


@pytest.mark.parametrize(
    "kind",
    [1, *(pytest.param(kind, marks=pytest.mark.untraced) for kind in (0, 2, 3, 4, 5, 6))],
)
def test_text_and_stored_play_come_back_as_they_were(kind: int) -> None:
    for seed in range(6):
        deal = value_of([*deals(seed), *other_deals(seed)][kind])
        sheet = deal.facts.game.read_sheet(examined(deal).sheet, deal.table)[0]
        assert sheet is not None
        first, key = begin(deal.facts.game, deal.table, deal.dealer), deal.facts.trump_key
        begun, _ = read_stored(first, {key: stored_play(deal).get(key), "tricks": []}, sheet)
        assert begun is not None

        assert read_stored(begun, stored_play(deal), sheet) == (deal, [])
        assert parse_beside(begun, write_text(deal), sheet) == deal
        plain = replace(deal, claim=row_of(deal).claim_of(None))
        file = DealFile(deal.facts.game, (), (FileDeal(1, plain),))
        assert read_file(write_file(file)) == file


def test_only_who_had_a_card_by_then_revoked_among_two_who_draw() -> None:
    record = tressette(0, 2)
    hands, stock = record["hands"], record["stock"]
    lead = next(card for card in hands["Ada"] if sum(c[1] == card[1] for c in hands["Bea"]))
    had = next(card for card in hands["Bea"] if card[1] == lead[1])
    other = next(card for card in hands["Bea"] if card[1] != lead[1])
    drawn = next(card for card in stock[1::2] if card[1] == lead[1])
    told = {**bare(record), "tricks": [[lead, other], [stock[0], had], [stock[2], drawn]]}

    def revokes_of(**more: Any) -> list[Any]:
        return [one["where"] for one in check({**told, **more})["warnings"]]

    place = [{"trick": 1, "card": other}]
    assert revokes_of() == []
    assert revokes_of(hands=hands) == revokes_of(hands=hands, stock=stock) == place
    later = [[lead, other], [stock[0], drawn]]
    assert revokes_of(hands=hands, stock=stock, tricks=later) == []


def test_declaration_of_two_who_draw_is_of_cards_that_were_dealt() -> None:
    record = tressette(0, 2)
    hands, stock = record["hands"], record["stock"]
    claim = {"declarations": [[{"kind": "four", "rank": "A"}], []]}
    aces = [f"A{suit}" for suit in "CDSB"]
    plain, everything = {**bare(record), "claim": claim}, {**record, "claim": claim}

    assert any(ace in [*hands["Bea"], *stock] for ace in aces)
    assert codes(everything) == ["declaration-not-held"]
    assert codes({**plain, "tricks": []}) == []
    of_bea = [t["cards"][int(t["leader"] == "Ada")] for t in record["tricks"]]
    assert {*aces} & {*of_bea}
    assert codes(plain) == ["declaration-not-held"]


def test_end_of_a_deal_for_two_is_solved_and_of_three_it_is_not() -> None:
    two, three, lowest, _ = other_deals(4)

    answer = solve({**two, "ask": "value", "from": {"trick": 18, "card": 1}})
    refused = [solve({**record, "ask": "value"})["problems"] for record in (three, lowest)]

    assert (answer["ok"], answer["decided"]) == (True, True)
    assert [[one["code"] for one in problems] for problems in refused] == [["no-solve"]] * 2


def test_of_three_who_are_level_at_the_top_nobody_won() -> None:
    record = bare(briscola(21, 3))
    deal = value_of(record)

    assert [side["card_points"] for side in check(record)["sides"]] == [60, 0, 60]
    assert result(deal) == (None,)
    assert told(prove(deal)[0])[-1].endswith("drawn.")


def test_claim_of_traversone_is_held_against_the_cards() -> None:
    record = traversone(0, 3)
    right = score({key: record[key] for key in ("game", "seats")} | {"sheet": record["claim"]})
    points = right["payouts"]
    first, second, *_ = points
    other = {**points, first: points[first] + 1, second: points[second] - 1}
    taker = record["claim"]["last_trick"]
    wrong = next(name for name in NAMES[:3] if name != taker and points[name])

    agreed = check({**bare(record), "claim": {"hand_points": points}})
    assert (agreed["problems"], agreed["payouts"]) == ([], points)
    assert agreed["sheet"]["hand_points"] == points
    assert codes({**bare(record), "claim": {"hand_points": other}}) == ["hand-points-mismatch"]
    assert codes({**bare(record), "claim": {"last_trick": wrong}}) == ["wrong-last-trick"]


@pytest.mark.parametrize(
    ("trump", "wrong"),
    [
        *((trump, []) for trump in ("S", "spade", "7S")),
        *(("X", ["unknown-suit"]), (7, ["unknown-suit"]), (None, ["missing-key"])),
    ],
)
def test_trump_of_maraffone_is_a_suit_or_any_card_of_it(trump: Any, wrong: list[str]) -> None:
    record = {**maraffone(0), "trump": trump}

    found = check(record)["problems"]

    assert [one["code"] for one in found] == wrong
    assert not wrong or found[0]["field"] == "trump"


def test_maraffone_begins_with_its_trump_and_whoever_has_the_four_of_coins() -> None:
    record = maraffone(0)
    deal = value_of(record)
    begun = begin(deal.facts.game, replace(deal.table, first=True), deal.dealer)
    holder = next(seat for seat, name in enumerate(NAMES) if "4D" in record["hands"][name])
    first = replace(deal, tricks=(), table=begun.table)

    assert (begun.ready, first.ready) == (False, True)
    assert asks_trump(begun, None)
    assert follow(first).turn == holder
    assert follow(replace(first, hands={})).turn is None
    assert follow(replace(deal, tricks=())).turn is None
    assert str(lying_open(deal)) == f"trump: {SUIT_WORDS[True][Suit(record['trump'])]}"
    assert f"\ntrump: {record['trump']}\n" in write_text(deal)


def test_cricca_is_believed_and_paid() -> None:
    record = bare(maraffone(0))

    plain, declared = check(record), check({**record, "claim": {"cricca": 1}})

    assert declared["sheet"] == {**plain["sheet"], "cricca": 1}
    assert declared["payouts"]["Bea"] == plain["payouts"]["Bea"] + 3


def test_of_three_any_two_may_be_left_out_and_nothing_else() -> None:
    record = bare(briscola(1, 3))
    cards = [card for trick in record["tricks"] for card in trick]
    (two,) = {f"2{suit}" for suit in "CDSB"} - {*cards}
    instead = next(card for card in cards if card[0] == "7" and card != record["turned_up"])
    swapped = [[two if card == instead else card for card in trick] for trick in record["tricks"]]

    found = check({**record, "tricks": swapped})["problems"]

    assert [(one["code"], one["where"]) for one in found] == [("missing-card", {"card": instead})]


@pytest.mark.untraced
def test_last_tricks_are_solved_as_by_plain_minimax() -> None:
    for seed in range(2):
        for record in [*deals(seed), maraffone(seed)]:
            trick = len(record["tricks"]) - 2
            opened = open_cards(value_of(bare(record)))
            assert isinstance(opened, OpenDeal)
            start = (trick - 1 - opened.tricks_before) * len(record["seats"])
            value = plain_value(opened, opened.positions()[start])
            answer = solve({**bare(record), "ask": "value", "from": {"trick": trick}})

            assert (answer["decided"], answer["value"]) == (True, value)
            assert answer["target"] == (61 if record["game"] == "briscola" else 18)


def test_end_of_a_deal_is_what_was_taken() -> None:
    for record in deals(5):
        answer = solve({**bare(record), "ask": "value"})
        sides = check(record)["sides"]
        last = 3 if record["game"] == "tressette" and not record["claim"]["last_trick"] else 0

        assert answer["value"] == sides[0]["card_points"] + last


def test_deal_is_opened_by_hands_as_well_as_by_tricks() -> None:
    for record in deals(6):
        each = 10 if record["game"] == "tressette" else 3
        first = len(record["tricks"]) - each
        told = {**record, "claim": {}, "tricks": record["tricks"][: first + 1]}
        without = {**told, "hands": {name: told["hands"][name] for name in record["seats"][1:]}}
        by_tricks, by_hands, by_rest = (
            open_cards(value_of(one)) for one in (bare(record), told, without)
        )

        assert isinstance(by_tricks, OpenDeal)
        assert isinstance(by_hands, OpenDeal)
        assert [{*hand} for hand in by_hands.hands] == [{*hand} for hand in by_tricks.hands]
        assert by_hands == by_rest
        assert replace(by_hands, hands=(), played=()) == replace(by_tricks, hands=(), played=())


def test_deal_with_unknown_cards_is_not_solved() -> None:
    for record in deals(7):
        cards = bare(record)
        begun = {**cards, "tricks": cards["tricks"][:2]}
        torn = {**cards, "tricks": [None, *cards["tricks"][1:]]}
        nobody = {**cards, "dealer": None}
        wrong = {**cards, "tricks": [*cards["tricks"][:-1], cards["tricks"][0]]}
        codes_of = [
            [one["code"] for one in solve(one)["problems"]] for one in (begun, torn, nobody)
        ]

        assert codes_of == [["cards-unknown"]] * 3
        assert "duplicate-card" in [one["code"] for one in solve(wrong)["problems"]]
        assert solve({**cards, "turned_up": 7})["ok"] is False
    early = solve({**bare(briscola(1, 4)), "from": {"trick": 3}})
    assert [one["field"] for one in early["problems"]] == ["from"]


def test_deal_is_played_with_the_card_turned_up_in_the_stock() -> None:
    record = briscola(2, 2)
    deal = value_of({**bare(record), "tricks": []})
    assert deal.called not in follow(deal).playable
    with pytest.raises(InvalidError) as error:
        play(deal, Card.parse(record["turned_up"]))
    assert error.value.problems[0].code == "card-not-drawn"
    for trick in record["tricks"]:
        for card in trick["cards"]:
            assert card in map(deal.text, follow(deal).playable)
            deal = play(deal, Card.parse(card))
    assert deal.over
    assert (status(deal), roles(deal), follow(deal).aside_worth) == ("settled", {}, None)
    assert deal == value_of(bare(record))


def test_cards_beside_a_sheet_in_a_session_are_compared() -> None:
    record, lacking = briscola(1, 4), briscola(2, 4)
    sheet = {"card_points": record["claim"]["card_points"]}
    play = {key: record[key] for key in ("turned_up", "tricks")}
    deals_ = [
        {"sheet": sheet, "play": play, "dealer": "Dora"},
        {"sheet": {"card_points": [60, 60]}, "play": {**play, "tricks": lacking["tricks"]}},
        {"sheet": sheet, "play": {"tricks": []}},
        {"sheet": sheet, "play": {"tricks": [["AC"]]}},
    ]
    answer = replay(
        {"game": "briscola", "rules": "deal-by-deal", "seats": NAMES, "deals": deals_[:3]}
    )
    wrong = replay(
        {"game": "briscola", "rules": "deal-by-deal", "seats": NAMES, "deals": deals_[3:]}
    )

    assert answer["ok"]
    assert "points-mismatch" in [one["code"] for one in answer["warnings"]]
    assert [one["field"] for one in wrong["problems"]] == ["deals[0].play.turned_up"]


def test_sheet_that_no_cards_make_is_told_as_on_a_sheet() -> None:
    of_briscola = {**bare(briscola(1, 4)), "claim": {"card_points": [61, 60]}}
    of_tressette = {**bare(tressette(1)), "claim": {"aces": [3, 2], "thirds": [10, 10]}}

    assert codes(of_briscola) == ["sum-120"]
    assert "sum-aces" in codes(of_tressette)
    assert check(of_tressette)["payouts"] is not None
    assert codes({**bare(tressette(1)), "claim": {"hand_points": [6, 6]}}) == ["sum-11"]


@pytest.mark.parametrize(("drawn", "asked"), [("nobody", False), ("last-trick", True)])
def test_drawn_deal_is_proved_and_asks_for_the_last_trick_where_it_decides(
    drawn: str,
    asked: bool,  # noqa: FBT001  # a value of the case
) -> None:
    record = bare(briscola(DRAWN, 4)) | {"rules": {"preset": "deal-by-deal", "drawn": drawn}}
    answer, (proof,) = check(record), prove(value_of(record))

    assert ("last_trick" in answer["sheet"]) is asked
    assert sum(answer["payouts"].values()) == (2 if asked else 0)
    assert told(proof)[-1] == "Each side has exactly 60 card points: the deal is drawn."


def test_deal_tells_what_pages_ask_of_it() -> None:
    (of_tressette, of_briscola), sheet = map(value_of, map(bare, deals(2)[:2])), None

    assert str(lying_open(of_briscola)).startswith("turned up: ")
    assert (lying_open(of_tressette), of_tressette.trump_card) == (None, None)
    assert str(analysed_side(of_tressette)) == "Ada and Ciro"
    for deal in (of_tressette, of_briscola):
        assert str(standing(deal)).startswith("Ada and Ciro ")
    assert (roles(of_tressette), may_discard(of_tressette)) == ({}, False)
    assert differences(of_tressette, sheet) == []
    proved = proved_sheet(of_tressette, sheet, NAMES)
    assert proved == check(bare(tressette(2)))["sheet"]
    assert proved_sheet(value_of({**bare(tressette(2)), "tricks": []}), sheet, NAMES) is None


def test_record_of_somebody_who_sits_out_is_refused() -> None:
    game = find_game("briscola")
    table = Table(game.preset, (*NAMES, "Ezio"), all_seats(5)[:4])
    reading, row = Reading(table.seats, None), CARD_GAMES["briscola"]
    cards = {**bare(briscola(1, 4)), "hands": {"Ezio": ["AC", "2C", "3C"]}}

    assert read_board(row, cards, table, None, reading) is None
    assert [one.code for one in reading.problems] == ["sits-out"]
    reading = Reading(table.seats, None)
    assert read_board(row, {"tricks": []}, table, None, reading) is None
    assert [one.field for one in reading.problems] == ["turned_up"]


@pytest.mark.parametrize("seed", SEEDS)
def test_sheet_that_says_only_who_won_is_compared_with_the_cards(seed: int) -> None:
    record = briscola(seed, 4)
    deal, points = value_of(record), record["claim"]["card_points"]
    won = points.index(max(points)) if len(set(points)) > 1 else None

    found = {
        winner: [finding.code for finding in differences(deal, BriscolaSheet(winner=winner))]
        for winner in (Side(0), Side(1), None)
    }

    assert found == {winner: [] if winner == won else ["winner-differs"] for winner in found}
    sheet = BriscolaSheet(PerSide(points), record["claim"].get("last_trick"))
    assert differences(deal, sheet) == []
