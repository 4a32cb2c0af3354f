"""Four with a dead hand (rules.md A2, A9): the golden deal, with nobody in the place of Ezio."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.cards.chiamata import parse
from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.deal import PartKind
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.operations import replay, score
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.options import differences, shortest
from scorer.rules.seats import Seat, all_seats
from scorer.rules.sheet import write
from tests.cards.card_deals import HANDS, value_of
from tests.samples import RECORD

FOUR: dict[str, Any] = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}
#: Nobody may call an own card.
STRICT = {**FOUR, "call": {"own_card": False}}
PEOPLE = ["Ada", "Bea", "Ciro", "Dora"]
TRICKS: list[list[str]] = RECORD["tricks"]
#: The dead hand plays after Dora: it wins the first trick and leads to the second.
GOLDEN: dict[str, Any] = {**RECORD, "rules": FOUR, "seats": PEOPLE, "dealer": "Dora"}
SAID: dict[str, Any] = {"caller": "Bea", "bid": 61, "called_card": "KC"}
SHEET: dict[str, Any] = {"caller": "Bea", "bid": 61, "partner": None, "card_points": 72}


def rules_of(document: dict[str, Any]) -> Any:
    rules, problems = GAME.rules_from(document)
    assert problems == []
    return rules


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


def test_proof_without_the_dealer_leaves_the_dead_hand_where_it_is() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "seats": ["Bea", "Ciro", "Dora", "Ada"]})
    smaller = deal.only([part for part in deal.parts() if part.kind is not PartKind.DEALER])

    assert smaller.dealer is None
    assert smaller.players == deal.players
    assert deal.table.name(deal.players[-2]) == "Dora"


def test_dead_hand_follows_no_suit() -> None:
    strict = {**FOUR, "play": {"follow_suit": True}}
    hands = {"Morto": HANDS["Ezio"], "Ada": HANDS["Ada"]}
    deal = value_of({**GOLDEN, "rules": strict, "claim": SAID, "hands": hands, "tricks": []})
    for card in TRICKS[0][:4]:
        deal = deal.play(Card.parse(card))

    assert {str(card) for card in deal.state.playable} == set(HANDS["Ezio"])


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
