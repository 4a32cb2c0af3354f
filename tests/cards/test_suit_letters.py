from typing import Any

import pytest

from scorer.cards.board import card_deck
from scorer.operations import check
from scorer.rules.cards import DECKS
from tests.data.rows import rows
from tests.samples import RECORD

FRENCH = {"preset": "ladder-bands", "deck": "french-no-8-9-10"}
IN_FRENCH = {"C": "H", "D": "D", "S": "S", "B": "C"}


def lettered(cards: list[str]) -> list[str]:
    """Write Italian letters as French ones: cups are hearts, batons are clubs."""
    return [card[:-1] + IN_FRENCH[card[-1]] for card in cards]


def record(tricks: list[Any], called: str) -> dict[str, Any]:
    claim = {**RECORD["claim"], "called_card": called}
    return {**RECORD, "rules": FRENCH, "claim": claim, "tricks": tricks}


def problems(answer: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(p["code"], p.get("where", p.get("field"))) for p in answer["problems"]]


ITALIAN = RECORD["tricks"]
LETTERED = [lettered(trick) for trick in ITALIAN]


@pytest.mark.parametrize("italian_letters", [False, True])
@pytest.mark.parametrize("slug", DECKS)
def test_every_card_has_a_number_and_the_number_is_the_card(
    slug: str, *, italian_letters: bool
) -> None:
    deck = card_deck(DECKS[slug], italian_letters=italian_letters)

    assert [deck.numbers[str(card)] for card in deck.cards] == sorted(deck.pack)
    assert len(deck.pack) == len(DECKS[slug].cards)
    assert sum(deck.points) == 120
    assert italian_letters or deck.cards == DECKS[slug].cards


@rows(__file__, "lenient")
def test_card_is_read_leniently(deck: str, cards: dict[str, str]) -> None:
    assert {text: card_deck(DECKS[deck]).spelling(text) for text in cards} == cards


def test_french_cards_may_be_written_with_either_letters() -> None:
    italian, french = check(record(ITALIAN, "KC")), check(record(LETTERED, "KH"))

    assert italian["ok"]
    assert italian == french


def test_cards_are_named_as_they_are_written() -> None:
    one_less = [*ITALIAN[:7], ["AC", "2C", "2B", "JD", "4D"]]
    italian = check(record(one_less, "KC"))
    french = check(record([lettered(trick) for trick in one_less], "KH"))

    assert italian["problems"][1]["message"] == "No recorded trick has the Four of cups."
    assert french["problems"][1]["message"] == "No recorded trick has the Four of hearts."


@rows(__file__, "unread")
def test_card_in_other_letters_than_the_rest_is_unread(
    tricks: list[list[str]], called: str, faulty: dict[str, Any]
) -> None:
    slip = [
        [faulty["card"] if card == called.replace("K", "Q") else card for card in trick]
        for trick in tricks
    ]

    answer = check(record(slip, called))

    assert problems(answer) == [("card-not-in-deck", faulty)]
    assert answer["winners"][:2] == ["Ezio", "Dora"]


@pytest.mark.parametrize(("tricks", "called"), [(ITALIAN, "KH"), (LETTERED, "KB")])
def test_called_card_in_other_letters_than_the_rest_is_not_there(
    tricks: list[list[str]], called: str
) -> None:
    answer = check(record(tricks, called))

    assert problems(answer) == [("card-not-in-deck", "claim.called_card")]


def test_hands_and_discards_are_in_the_same_letters() -> None:
    rules = {**FRENCH, "players": 5, "cards_each": 7, "monte": 5}
    told = {"rules": rules, "hands": {"Ada": ["KH"]}, "discards": ["AC", "2C", "2B", "JD", "4H"]}

    answer = check({**record(ITALIAN[:7], "KC"), **told})

    assert ("card-not-in-deck", {"discards": True, "card": "4H"}) in problems(answer)
    assert ("card-not-in-deck", {"hand": "Ada", "card": "KH"}) in problems(answer)
