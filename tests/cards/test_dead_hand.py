"""Four with a dead hand (rules.md A2, A9): the golden deal, with nobody in the place of Ezio."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.cards.card_records import stored_names
from scorer.cards.games import begin, play
from scorer.cards.line import follow
from scorer.cards.notation.deals import parse, write_text
from scorer.cards.proofs import ProofPart, without
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata import GAME
from scorer.operations import replay
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.questions import write
from scorer.rules.seats import all_seats
from tests.cards.card_deals import HANDS, value_of
from tests.samples import RECORD

FOUR: dict[str, Any] = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}
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


def test_dead_hand_is_said_only_where_there_is_one() -> None:
    four, none = rules_of(FOUR), rules_of({**FOUR, "cards_each": 10, "dead_hand": False})

    assert write(four)["dead_hand"] is True
    assert (four.hands, none.hands) == (5, 4)
    assert none == GAME.presets["four-balanced"]
    assert not any("dead_hand" in write(preset) for preset in GAME.presets.values())
    assert write(none, whole=True)["dead_hand"] is False


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


def test_proof_without_the_dealer_leaves_the_dead_hand_where_it_is() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "seats": ["Bea", "Ciro", "Dora", "Ada"]})
    smaller = without(deal, ProofPart("dealer"))

    assert smaller.dealer is None
    assert smaller.players == deal.players
    assert deal.table.name(deal.players[-2]) == "Dora"


def test_dead_hand_follows_no_suit() -> None:
    strict = {**FOUR, "play": {"follow_suit": True}}
    hands = {"Morto": HANDS["Ezio"], "Ada": HANDS["Ada"]}
    deal = value_of({**GOLDEN, "rules": strict, "claim": SAID, "hands": hands, "tricks": []})
    for card in TRICKS[0][:4]:
        deal = play(deal, Card.parse(card))

    assert {*map(deal.text, follow(deal).playable)} == set(HANDS["Ezio"])


def test_text_is_of_people_and_turns_the_dead_hand_over() -> None:
    deal = value_of(
        {**GOLDEN, "claim": SAID, "tricks": [None, {"leader": "Morto", "cards": ["7B"]}]}
    )
    text = write_text(deal)

    assert "seats: Ada, Bea, Ciro, Dora\n" in text
    assert "\n2. Morto: 7B\n" in text
    assert parse(GAME, text) == parse(GAME, text, deal) == deal
    with pytest.raises(InvalidError, match="Nobody called Morto plays here"):
        parse(GAME, "dealer: Morto", deal)


def test_cards_are_kept_when_somebody_joins() -> None:
    deal = value_of({**GOLDEN, "claim": SAID, "tricks": []})
    begun = begin(GAME, Table(deal.table.rules, tuple(PEOPLE), all_seats(4)), deal.dealer)
    joined = Table(deal.table.rules, (*PEOPLE, "Fulvia"), all_seats(4), all_seats(5))

    assert begun.table == deal.table
    assert stored_names(deal) == ("0", "1", "2", "3", "dead")
    assert stored_names(begin(GAME, joined, None)) == ("0", "1", "2", "3", "4", "dead")
    plain = replace(joined, rules=GAME.preset)
    assert stored_names(begin(GAME, plain, None)) == tuple("01234")


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
