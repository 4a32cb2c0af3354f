"""Four with a dead hand (rules.md A2, A9): the golden deal, with nobody in the place of Ezio."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.chiamata.notation import parse
from scorer.cards.deal import PartKind
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.operations import check, replay, score
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.options import differences, shortest
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import write
from tests.cards.card_deals import prove_all, value_of
from tests.cards.test_finding_codes import HANDS
from tests.samples import RECORD

FOUR: dict[str, Any] = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}
#: Nobody may call an own card.
STRICT = {**FOUR, "call": {"own_card": False}}
PEOPLE = ["Ada", "Bea", "Ciro", "Dora"]
TRICKS: list[list[str]] = RECORD["tricks"]
#: The dead hand plays after Dora: it wins the first trick and leads to the second.
GOLDEN: dict[str, Any] = {**RECORD, "rules": FOUR, "seats": PEOPLE, "dealer": "Dora"}
SAID: dict[str, Any] = {"caller": "Bea", "bid": 61, "called_card": "KC"}
#: The dead hand has the jack of batons.
JACK = {**SAID, "called_card": "JB"}
SHEET: dict[str, Any] = {"caller": "Bea", "bid": 61, "partner": None, "card_points": 72}


def rules_of(document: dict[str, Any]) -> Any:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return rules


def checked(**change: Any) -> dict[str, Any]:
    return check({**GOLDEN, "claim": SAID, **change})


def found(**change: Any) -> list[tuple[str, Any]]:
    return [(problem["code"], problem.get("where")) for problem in checked(**change)["problems"]]


def sheet_problems(rules: dict[str, Any], **answers: Any) -> list[str]:
    asked = {"game": GAME.slug, "rules": rules, "seats": PEOPLE, "sheet": {**SHEET, **answers}}
    return [problem["code"] for problem in score(asked).get("problems", [])]


def test_dead_hand_is_said_only_where_there_is_one() -> None:
    four, none = rules_of(FOUR), rules_of({**FOUR, "cards_each": 10, "dead_hand": False})

    assert write(four)["dead_hand"] is True
    assert (four.hands, none.hands) == (5, 4)
    assert none == GAME.presets["four-balanced"]
    assert not any("dead_hand" in write(preset) for preset in GAME.presets.values())
    assert write(none, whole=True)["dead_hand"] is False


def test_rules_with_a_dead_hand_are_told_by_what_differs() -> None:
    rules, without = rules_of(FOUR), GAME.presets["four-balanced"]

    assert GAME.rules_named(rules) == FOUR
    assert shortest(rules, GAME.presets.values()) == {**FOUR, "name": rules.name}
    assert [tuple(map(str, one)) for one in differences(without, rules)] == [
        ("Cards each", "10", "8"),
        ("With a dead hand (morto)", "no", "yes"),
    ]


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param({}, [], id="four and a dead hand"),
        pytest.param({"players": 5, "deck": "no-twos-36", "cards_each": 6}, [], id="five and one"),
        pytest.param({"sits_out": "dealer"}, [], id="five of whom four play"),
        pytest.param({"cards_each": 10}, [("deal-size", "rules.cards_each")], id="the whole pack"),
        pytest.param({"cards_each": 7, "monte": 5},
                     [("dead-hand-and-monte", "rules.dead_hand")], id="with a monte"),
        pytest.param({"dead_hand": 8}, [("wrong-type", "rules.dead_hand")], id="a number of cards"),
    ],
)  # fmt: skip
def test_dead_hand_is_as_large_as_the_others(
    change: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    _, wrong = GAME.rules_from({**FOUR, **change})

    assert [(problem.code, problem.field) for problem in wrong] == problems


def test_rules_are_told_with_the_dead_hand() -> None:
    told = [str(words) for words in GAME.describe(rules_of(STRICT)).words]
    columns = [str(column) for column in GAME.describe(rules_of(STRICT)).columns]

    assert any("dead hand (morto)" in words for words in told)
    assert "Where the called card is in the dead hand, the caller has no partner." in told
    assert columns[-2:] == ["Caller without a partner", "Each of the others"]


def test_caller_has_no_partner_either_where_an_own_card_leaves_none() -> None:
    told = [str(words) for words in GAME.describe(rules_of(FOUR)).words]

    own, dead = (
        told.index(words)
        for words in (
            "A caller who names a card of their own plays alone against all.",
            "Where the called card is in the dead hand, the caller has no partner either.",
        )
    )
    assert own < dead


def test_nothing_that_is_computed_about_a_dead_hand_says_alone() -> None:
    checks = [str(check.text) for check in GAME.describe(rules_of(FOUR)).checks]

    assert checks == [
        "with a partner: what the winners get, the others pay",
        "no partner: what the winners get, the others pay",
        "with a partner: made or missed, for the same points",
        "no partner: made or missed, for the same points",
    ]


def test_points_declared_without_a_partner_are_paid_twice() -> None:
    rules = {"preset": "declared-points", "players": 4, "cards_each": 8, "dead_hand": True}
    told = [str(words) for words in GAME.describe(rules_of(rules)).words]
    sheet = {**SHEET, "bid": 75, "card_points": 80}
    answer = score({"game": GAME.slug, "rules": rules, "seats": PEOPLE, "sheet": sheet})

    assert "A caller who makes it without a partner is paid twice the points that were bid." in told
    assert answer["why"][1]["text"] == (
        "Bea had no partner and made it: twice the points that were bid, 2 × 75 → +150. "
        "The others win nothing."
    )


@pytest.mark.parametrize(
    ("rules", "partner"), [({}, "alone"), ({"cards_each": 8, "dead_hand": True}, "no partner")]
)
def test_parts_are_called_by_the_rules(rules: dict[str, Any], partner: str) -> None:
    names = GAME.role_names(rules_of({"preset": "four-balanced", **rules}))

    assert {code: str(words) for code, words in names.items()} == {
        "caller": "caller",
        "partner": "partner",
        "alone": partner,
    }


@pytest.mark.parametrize(
    ("rules", "answers", "codes"),
    [
        pytest.param(STRICT, {}, [], id="no partner, though nobody may call an own card"),
        pytest.param({**STRICT, "cards_each": 10, "dead_hand": False}, {},
                     ["own-card-forbidden"], id="without a dead hand"),
        pytest.param(FOUR, {"partner": "Morto"}, ["unknown-name"], id="the dead hand as partner"),
        pytest.param(FOUR, {"caller": "Morto"}, ["unknown-name"], id="the dead hand as caller"),
        pytest.param(FOUR, {"tricks_won": 1, "card_points": 58}, ["points-tricks"],
                     id="more than five cards can bring"),
        pytest.param(FOUR, {"tricks_won": 1, "card_points": 54}, [], id="as much as five can"),
    ],
)  # fmt: skip
def test_sheet_is_of_people(
    rules: dict[str, Any], answers: dict[str, Any], codes: list[str]
) -> None:
    assert sheet_problems(rules, **answers) == codes


def test_whoever_has_no_partner_is_paid_as_alone_and_the_dead_hand_nothing() -> None:
    answer = score({"game": GAME.slug, "rules": STRICT, "seats": PEOPLE, "sheet": SHEET})
    sheet = GAME.read_sheet(SHEET, Table(rules_of(STRICT), tuple(PEOPLE), all_seats(4)))[0]
    table = Table(rules_of(STRICT), tuple(PEOPLE), all_seats(4))
    assert sheet is not None

    assert answer["payouts"] == {"Ada": -1, "Bea": 3, "Ciro": -1, "Dora": -1}
    assert "Bea, without a partner, wins the caller's share: 3 × 1 → +3." in [
        step["text"] for step in answer["why"]
    ]
    assert str(GAME.headline(sheet, table)) == "Bea without a partner: made, 72 (61 needed)"
    assert str(GAME.facts(sheet, table)[2].value) == "nobody"


def test_dead_hand_takes_tricks_and_leads() -> None:
    answer = checked(claim={**SAID, "partner": "Ciro", "card_points": 72, "made": True})

    assert answer["ok"]
    assert answer["complete"]
    assert answer["winners"] == ["Morto", "Dora", "Bea", "Morto", "Bea", "Ciro", "Bea", "Bea"]
    assert answer["card_points"] == {"Ada": 0, "Bea": 58, "Ciro": 14, "Dora": 25, "Morto": 23}
    assert (answer["partner"], answer["alone"], answer["bounds"]) == ("Ciro", False, [72, 72])
    assert answer["payouts"] == {"Ada": -1, "Bea": 1, "Ciro": 1, "Dora": -1}


def test_next_person_after_the_dealer_leads_first() -> None:
    told = [{"leader": "Ada", "cards": TRICKS[0]}]

    assert found(tricks=told) == []
    assert found(tricks=[{**told[0], "leader": "Morto"}]) == [("wrong-first-leader", {"trick": 1})]


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"dealer": "Bea"}, id="the dealer is named"),
        pytest.param(
            {"dealer": None, "auction": [["Ciro", "pass"], ["Dora", "pass"], ["Ada", "pass"],
                                         ["Bea", 61]]},
            id="the auction tells who dealt",
        ),
    ],
)  # fmt: skip
def test_dead_hand_plays_after_the_dealer_whoever_is_listed_first(
    first: int, told: dict[str, Any]
) -> None:
    answer = checked(seats=[*PEOPLE[first:], *PEOPLE[:first]], **told)

    assert answer["winners"][:4] == ["Morto", "Bea", "Dora", "Morto"]
    assert (answer["partner"], answer["card_points"]["Morto"]) == ("Ada", 23)


def test_dead_hand_plays_after_the_last_of_the_others_where_the_dealer_sits_out() -> None:
    five = {**FOUR, "sits_out": "dealer"}
    answers = [
        checked(rules=five, seats=seats, dealer="Ezio")
        for seats in ([*PEOPLE, "Ezio"], ["Bea", "Ciro", "Dora", "Ezio", "Ada"])
    ]

    assert answers[0]["winners"][:3] == ["Morto", "Dora", "Bea"]
    assert answers[0]["winners"] == answers[1]["winners"]


def test_proof_without_the_dealer_leaves_the_dead_hand_where_it_is() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "seats": ["Bea", "Ciro", "Dora", "Ada"]})
    smaller = deal.only([part for part in deal.parts() if part.kind is not PartKind.DEALER])

    assert smaller.dealer is None
    assert smaller.players == deal.players
    assert deal.table.name(deal.players[-2]) == "Dora"


def test_called_card_in_the_dead_hand_leaves_the_caller_without_a_partner() -> None:
    answer = checked(rules=STRICT, claim={**JACK, "partner": None}, tricks=TRICKS[:1])

    assert answer["problems"] == []
    assert (answer["partner"], answer["alone"]) == (None, True)
    assert answer["winners"] == ["Morto"]
    assert answer["bounds"] == [0, 114]


@pytest.mark.parametrize(
    ("claim", "tricks", "problems"),
    [
        pytest.param({**JACK, "partner": "Ciro"}, TRICKS[:1],
                     [("wrong-partner", {"claim": "partner", "trick": 1, "card": "JB"})],
                     id="the dead hand had it"),
        pytest.param({**SAID, "partner": None}, TRICKS[:6],
                     [("not-alone", {"claim": "partner", "trick": 6, "card": "KC"})],
                     id="somebody had it"),
        pytest.param({**SAID, "called_card": "2D", "partner": None}, TRICKS[:1],
                     [("own-card-forbidden", {"claim": "partner", "trick": 1, "card": "2D"})],
                     id="the caller had it"),
        pytest.param({**SAID, "partner": None}, [], [], id="nobody knows yet"),
        pytest.param({**SAID, "partner": None, "called_card": "4C"}, TRICKS[:7], [],
                     id="one of two has it"),
    ],
)  # fmt: skip
def test_partner_is_compared_with_where_the_called_card_was(
    claim: dict[str, Any], tricks: list[list[str]], problems: list[tuple[str, Any]]
) -> None:
    assert found(rules=STRICT, claim=claim, tricks=tricks) == problems


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        pytest.param({"dealer": "Morto"}, [("unknown-name", "dealer")], id="deals"),
        pytest.param({"claim": {**SAID, "caller": "Morto"}}, [("dead-hand", "claim.caller")],
                     id="calls"),
        pytest.param({"claim": {**SAID, "partner": "Morto"}}, [("dead-hand", "claim.partner")],
                     id="is a partner"),
        pytest.param({"auction": [["Ada", 61], ["Morto", "pass"]]},
                     [("dead-hand", "auction[1][0]")], id="bids"),
    ],
)  # fmt: skip
def test_dead_hand_does_what_only_people_do(
    change: dict[str, Any], fields: list[tuple[str, str]]
) -> None:
    answer = checked(**change)

    assert [(problem["code"], problem["field"]) for problem in answer["problems"]] == fields


def test_dead_hand_has_cards_and_card_points() -> None:
    hands = {**{name: HANDS[name] for name in PEOPLE}, "Morto": HANDS["Ezio"]}

    assert found(hands=hands, claim={**SAID, "player_points": {"Morto": 23}}) == []
    assert found(hands={**hands, "Morto": [*HANDS["Ezio"][1:], "AC"]}) == [
        ("duplicate-card", {"hand": "Bea", "card": "AC", "again": {"hand": "Morto"}})
    ]
    assert found(claim={**SAID, "player_points": {"Morto": 24}}) == [
        ("points-mismatch", {"claim": "player_points", "player": "Morto"})
    ]


def test_somebody_may_be_called_like_the_dead_hand() -> None:
    seats = ["Ada", "Bea", "Morto", "Dora"]

    answer = checked(seats=seats)

    assert (answer["partner"], answer["winners"][0]) == ("Morto", "Morto 2")


def test_dead_hand_follows_no_suit() -> None:
    strict = {**FOUR, "play": {"follow_suit": True}}
    hands = {"Morto": HANDS["Ezio"], "Ada": HANDS["Ada"]}
    deal = value_of({**GOLDEN, "rules": strict, "claim": SAID, "hands": hands, "tricks": []})
    for card in TRICKS[0][:4]:
        deal = deal.play(Card.parse(card))
    warnings = checked(rules=strict)["warnings"]
    others = checked(rules=strict, tricks=[*TRICKS[:2], ["6D", "AD", "7D", "QC", "2B"]])["warnings"]

    assert {str(card) for card in deal.state.playable} == set(HANDS["Ezio"])
    assert {warning["where"]["trick"] for warning in warnings} >= {1, 2}
    assert not any("Morto" in warning["message"] for warning in [*warnings, *others])


def told(proof: Any) -> list[str]:
    return [str(step.text) for step in (*proof.steps, proof.conclusion)]


def test_proof_says_where_the_called_card_was() -> None:
    deal = value_of({**GOLDEN, "claim": {**JACK, "partner": "Ciro"}, "tricks": TRICKS[:1]})
    explained = prove_all(deal)

    assert told(explained.partner) == [
        "Trick 1: Morto played the Jack of batons, the called card, so Bea had no partner."
    ]
    assert str(deal.examined.problems[0].message) == (
        "Morto had the Jack of batons, the called card, so Bea had no partner."
    )


def test_proof_says_that_it_was_in_the_dead_hand_or_with_the_caller() -> None:
    hands = {name: HANDS[name] for name in ("Ada", "Ciro", "Dora")}
    claim = {**SAID, "called_card": "JB", "partner": "Ciro"}
    deal = value_of({**GOLDEN, "claim": claim, "hands": hands, "tricks": []})
    explained = prove_all(deal)

    sentence = (
        "Nobody else can have had the Jack of batons, the called card: it was in the dead "
        "hand, or the caller had it, so Bea had no partner."
    )
    assert told(explained.partner) == [sentence]
    assert (deal.evidence.side.holder, deal.evidence.side.alone) == (None, True)


def test_sheet_that_says_no_partner_is_quoted_so() -> None:
    deal = value_of({**GOLDEN, "claim": {**SAID, "partner": None}, "tricks": TRICKS[:6]})

    (proof,) = prove_all(deal).problems

    assert told(proof)[-1] == "The sheet says that Bea had no partner."


def test_moment_knows_whose_card_comes_next() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "tricks": [TRICKS[0][:4]]})
    after = deal.play(Card.parse(TRICKS[0][4]))

    assert (deal.state.turn, after.state.turn) == (Seat(4), Seat(4))
    assert deal.state.candidates == all_seats(4)


def test_text_is_of_people_and_turns_the_dead_hand_over() -> None:
    deal = value_of(
        {**GOLDEN, "claim": SAID, "tricks": [None, {"leader": "Morto", "cards": ["7B"]}]}
    )
    text = deal.write_text()

    assert "seats: Ada, Bea, Ciro, Dora\n" in text
    assert "\n2. Morto: 7B\n" in text
    assert parse(text) == parse(text, deal) == deal
    with pytest.raises(InvalidError, match="Nobody called Morto plays here"):
        parse("dealer: Morto", deal)


def test_cards_are_kept_when_somebody_joins() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "tricks": []})
    begun = ChiamataDeal.begun(Table(deal.table.rules, tuple(PEOPLE), all_seats(4)), deal.dealer)
    joined = Table(deal.table.rules, (*PEOPLE, "Fulvia"), all_seats(4), all_seats(5))

    assert begun.table == deal.table
    assert deal.stored_names == ("0", "1", "2", "3", "dead")
    assert ChiamataDeal.begun(joined, None).stored_names == ("0", "1", "2", "3", "4", "dead")
    plain = replace(joined, rules=GAME.preset)
    assert ChiamataDeal.begun(plain, None).stored_names == tuple("01234")


def test_session_file_has_the_cards_of_the_dead_hand() -> None:
    play = {"called_card": "KC", "tricks": [{"cards": TRICKS[0], "winner": "Morto"}, *TRICKS[1:]]}
    deal = {"dealer": "Dora", "sheet": {**SHEET, "partner": "Ciro"}, "play": play}
    session = {
        "game": GAME.slug,
        "rules": FOUR,
        "seats": PEOPLE,
        "deals": [
            deal,
            {
                **deal,
                "play": {**play, "tricks": [{"cards": TRICKS[0], "winner": "Dora"}]},
                "dealer": "Ada",
            },
        ],
    }

    answer = replay(session)

    assert [warning["code"] for warning in answer["warnings"]] == ["wrong-winner"]
    assert answer["deals"][1]["balances"] == {"Ada": -2, "Bea": 2, "Ciro": 2, "Dora": -2}
    assert [row["player"] for row in answer["standings"]] == ["Bea", "Ciro", "Ada", "Dora"]
