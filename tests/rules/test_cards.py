import re

import pytest

from scorer.languages import LANGUAGES, translate
from scorer.rules.cards import (
    DECKS,
    Card,
    Deck,
    Rank,
    Suit,
    card_letters,
    card_name,
    rank_letter,
    rank_name,
    the_rank,
)
from scorer.rules.questions import READERS, Reading, read_card
from tests.data.rows import rows

ITALIAN = DECKS["italian-40"]
FRENCH = DECKS["french-no-8-9-10"]
TENS = DECKS["french-no-7-8-9"]
EVERY_DECK = [pytest.param(deck, id=slug) for slug, deck in DECKS.items()]


@pytest.mark.parametrize(
    ("slug", "ranks", "size"),
    [
        ("italian-40", "A 3 K Q J 7 6 5 4 2", 40),
        ("french-no-8-9-10", "A 3 K Q J 7 6 5 4 2", 40),
        ("french-no-7-8-9", "A 10 K Q J 6 5 4 3 2", 40),
        ("no-twos-36", "A 3 K Q J 7 6 5 4", 36),
        ("no-fours-36", "A 3 K Q J 7 6 5 2", 36),
    ],
)
def test_deck_lists_its_ranks_from_strong_to_weak(slug: str, ranks: str, size: int) -> None:
    deck = DECKS[slug]

    assert deck.slug == slug
    assert " ".join(map(str, deck.ranks)) == ranks
    assert len(set(deck.cards)) == len(deck.cards) == size
    assert [deck.strength[rank] for rank in deck.ranks] == list(range(len(deck.ranks)))


@pytest.mark.parametrize("deck", EVERY_DECK)
def test_cards_of_a_deck_are_worth_120_points(deck: Deck) -> None:
    assert sum(deck.card_points[card.rank] for card in deck.cards) == 120
    assert deck.most_points(len(deck.cards)) == 120
    assert [deck.card_points[rank] for rank in deck.ranks][:6] == [11, 10, 4, 3, 2, 0]


@rows(__file__, "lenient")
def test_card_is_read_leniently(deck: str, cards: dict[str, str]) -> None:
    for text, card in cards.items():
        if card:
            assert str(DECKS[deck].card(text)) == card
        else:
            with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
                DECKS[deck].card(text)


@rows(__file__, "no cards")
def test_card_of_no_deck_is_refused(deck: str, texts: dict[str, str]) -> None:
    for why, text in texts.items():
        reading = Reading(deck=DECKS[deck])

        assert read_card(text, reading, "card") is None, why
        assert [(p.code, p.field) for p in reading.problems] == [("card-not-in-deck", "card")]


@pytest.mark.parametrize("text", ["", "ZZ", "KK", "K C D", "10"])
def test_what_is_no_card_is_refused_without_a_deck(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        Card.parse(text)


def test_card_is_read_and_written_without_a_deck() -> None:
    card = read_card("10c", Reading(), "card")

    assert card is not None
    assert card.write_wire() == "10C"


def test_every_rank_has_a_name() -> None:
    assert all(str(rank.words) and str(rank.the) for rank in Rank)


@pytest.mark.parametrize(
    ("kind", "value", "deck", "read"),
    [
        (Rank, "7", ITALIAN, Rank.SEVEN),
        (Rank, 7, ITALIAN, Rank.SEVEN),
        (Rank, "re", ITALIAN, Rank.KING),
        (Rank, "10", ITALIAN, Rank.KING),
        (Rank, "10", TENS, Rank.TEN),
        (Rank, "8", None, Rank.JACK),
        (Suit, "D", ITALIAN, Suit.D),
        (Suit, " coppe ", ITALIAN, Suit.C),
        (Suit, "h", FRENCH, Suit.H),
        (Suit, "hearts", None, Suit.H),
    ],
)
def test_rank_and_suit_are_read_by_their_deck(
    kind: type[Rank | Suit], value: object, deck: Deck | None, read: Rank | Suit
) -> None:
    reading = Reading((), deck)

    assert READERS[kind](value, reading, "rank") is read
    assert reading.problems == []
    assert READERS[kind](str(read), reading, "rank") is read


@pytest.mark.parametrize(
    ("kind", "value", "deck", "code"),
    [
        (Card, 5, ITALIAN, "wrong-type"),
        (Card, ["KC"], ITALIAN, "wrong-type"),
        (Card, "8S", FRENCH, "card-not-in-deck"),
        (Card, "", None, "card-not-in-deck"),
        (Rank, "X", ITALIAN, "unknown-rank"),
        (Rank, None, ITALIAN, "unknown-rank"),
        (Rank, [], ITALIAN, "unknown-rank"),
        (Suit, "H", ITALIAN, "unknown-suit"),
        (Suit, 5, ITALIAN, "unknown-suit"),
        (Suit, "", ITALIAN, "unknown-suit"),
    ],
)
def test_what_the_deck_lacks_is_a_problem_with_its_path(
    kind: type[Card | Rank | Suit], value: object, deck: Deck | None, code: str
) -> None:
    reading = Reading(deck=deck)

    assert READERS[kind](value, reading, "sheet.card") is None
    assert [(p.code, p.field) for p in reading.problems] == [(code, "sheet.card")]


@rows(__file__, "ranks")
def test_rank_has_one_letter_and_one_name_in_a_deck_and_a_language(
    deck: str, rank: str, language: str, said: list[str]
) -> None:
    words = [name(Rank(rank), DECKS[deck]) for name in (rank_letter, rank_name, the_rank)]
    assert [translate(text, language) for text in words] == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.slug)
def test_every_card_is_read_as_it_is_written_and_said(deck: Deck, language: str) -> None:
    for card in deck.cards:
        for text in (card_letters(card, deck), card_name(card, deck)):
            assert deck.card(translate(text, language)) == card
        assert Card.parse(str(card)) == deck.card(str(card)) == card
        assert deck.card(f" {str(card).lower()} ") == card
        assert deck.rank(str(card.rank)) == card.rank
