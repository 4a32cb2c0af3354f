import re

import pytest

from scorer.languages import LANGUAGES, translate
from scorer.rules.cards import (
    DECKS,
    RANK_WORDS,
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
from scorer.rules.sheet import READERS, Reading, read_card

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


@pytest.mark.parametrize("deck", EVERY_DECK)
def test_every_card_is_read_back_as_it_is_written(deck: Deck) -> None:
    for card in deck.cards:
        assert Card.parse(str(card)) == card
        assert deck.card(str(card)) == card
        assert deck.card(f" {str(card).lower()} ") == card
        assert deck.rank(str(card.rank)) == card.rank


@pytest.mark.parametrize(
    ("deck", "text", "card"),
    [
        pytest.param(ITALIAN, "kc", "KC", id="lower case"),
        pytest.param(ITALIAN, "re di coppe", "KC", id="king of cups in Italian"),
        pytest.param(ITALIAN, "Re  Di  Coppe", "KC", id="spaces and capitals"),
        pytest.param(ITALIAN, "cavallo di spade", "QS", id="knight of swords in Italian"),
        pytest.param(ITALIAN, "Fante-Bastoni", "JB", id="jack of batons with a dash"),
        pytest.param(ITALIAN, "asso di denari", "AD", id="ace of coins in Italian"),
        pytest.param(ITALIAN, "Tre di coppe", "3C", id="three of cups in Italian"),
        pytest.param(ITALIAN, "due di spade", "2S", id="two of swords in Italian"),
        pytest.param(ITALIAN, "quattro di bastoni", "4B", id="four of batons in Italian"),
        pytest.param(ITALIAN, "cinque denari", "5D", id="five of coins in Italian"),
        pytest.param(ITALIAN, "sei coppe", "6C", id="six of cups in Italian"),
        pytest.param(ITALIAN, "sette bello d", "", id="more words than a card has"),
        pytest.param(ITALIAN, "settedenari", "7D", id="seven of coins in one word"),
        pytest.param(ITALIAN, "king of swords", "KS", id="English"),
        pytest.param(ITALIAN, "RD", "KD", id="R for the king"),
        pytest.param(ITALIAN, "fs", "JS", id="F for the jack"),
        pytest.param(ITALIAN, "1C", "AC", id="1 for the ace"),
        pytest.param(ITALIAN, "8C", "JC", id="8 printed on the jack"),
        pytest.param(ITALIAN, "9B", "QB", id="9 printed on the knight"),
        pytest.param(ITALIAN, "10S", "KS", id="10 printed on the king"),
        pytest.param(ITALIAN, "10 di spade", "KS", id="10 printed on the king, in words"),
        pytest.param(DECKS["no-twos-36"], "10S", "KS", id="10 is the king in 36 Italian cards"),
        pytest.param(TENS, "10S", "10S", id="10 is the ten where there is one"),
        pytest.param(TENS, "1H", "AH", id="1 for the ace of hearts"),
        pytest.param(TENS, "quadri", "", id="a suit alone"),
        pytest.param(TENS, "re di cuori", "KH", id="king of hearts in Italian"),
        pytest.param(TENS, "queen of clubs", "QC", id="queen of clubs"),
        pytest.param(TENS, "fante di picche", "JS", id="jack of spades in Italian"),
        pytest.param(FRENCH, "asso di fiori", "AC", id="ace of clubs in Italian"),
        pytest.param(FRENCH, "7B", "7B", id="a French deck written with Italian letters"),
    ],
)
def test_card_is_read_leniently(deck: Deck, text: str, card: str) -> None:
    if card:
        assert str(deck.card(text)) == card
    else:
        with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
            deck.card(text)


@pytest.mark.parametrize(
    ("deck", "text"),
    [
        pytest.param(ITALIAN, "", id="nothing"),
        pytest.param(ITALIAN, "C", id="a suit without a rank"),
        pytest.param(ITALIAN, "K", id="a rank without a suit"),
        pytest.param(ITALIAN, "CK", id="the suit first"),
        pytest.param(ITALIAN, "KH", id="hearts in an Italian deck"),
        pytest.param(ITALIAN, "11C", id="no card has 11 on it"),
        pytest.param(ITALIAN, "0C", id="no card has 0 on it"),
        pytest.param(ITALIAN, "K\N{CYRILLIC CAPITAL LETTER ES}", id="a letter that looks like C"),
        pytest.param(ITALIAN, "\N{PLAYING CARD KING OF HEARTS}", id="a card as one sign"),
        pytest.param(ITALIAN, "re di fiori", id="clubs are not the C of an Italian deck"),
        pytest.param(TENS, "re di coppe", id="cups are not the C of a French deck"),
        pytest.param(TENS, "7H", id="a seven in the deck without"),
        pytest.param(TENS, "8H", id="no figure is printed 8 on French cards"),
        pytest.param(FRENCH, "8S", id="an eight in the deck without"),
        pytest.param(FRENCH, "10S", id="a ten in the deck without"),
        pytest.param(DECKS["no-twos-36"], "2C", id="a two where they were taken out"),
        pytest.param(DECKS["no-fours-36"], "4C", id="a four where they were taken out"),
    ],
)
def test_card_of_no_deck_is_refused(deck: Deck, text: str) -> None:
    reading = Reading(deck=deck)

    assert read_card(text, reading, "card") is None
    assert [(p.code, p.field) for p in reading.problems] == [("card-not-in-deck", "card")]


@pytest.mark.parametrize("text", ["", "ZZ", "KK", "K C D", "10"])
def test_what_is_no_card_is_refused_without_a_deck(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        Card.parse(text)


def test_digits_are_pips_without_a_deck() -> None:
    assert Card.parse("10S") == Card(Rank.TEN, Suit.S)
    assert Card.parse("8C") == Card(Rank.EIGHT, Suit.C)


@pytest.mark.parametrize(
    ("value", "deck", "code"),
    [
        pytest.param(5, ITALIAN, "wrong-type", id="a number"),
        pytest.param(["KC"], ITALIAN, "wrong-type", id="a list"),
        pytest.param("8S", FRENCH, "card-not-in-deck", id="an eight"),
        pytest.param("", None, "card-not-in-deck", id="nothing, without a deck"),
    ],
)
def test_wrong_card_is_a_problem_with_its_path(value: object, deck: Deck | None, code: str) -> None:
    reading = Reading(deck=deck)

    assert read_card(value, reading, "sheet.called_card") is None
    assert [(p.code, p.field) for p in reading.problems] == [(code, "sheet.called_card")]


def test_card_is_read_and_written_without_a_deck() -> None:
    card = read_card("10c", Reading(), "card")

    assert card is not None
    assert card.write_wire() == "10C"


@pytest.mark.parametrize(
    ("players", "tricks", "most"),
    [
        *((5, n, high) for n, high in enumerate([0, 54, 92, 109, 120, 120, 120, 120, 120])),
        *((4, n, high) for n, high in enumerate([0, 44, 84, 100, 112, 120, 120])),
        *((6, n, high) for n, high in enumerate([0, 64, 100, 116, 120, 120, 120])),
    ],
)
def test_so_many_tricks_hold_at_most_so_many_points(players: int, tricks: int, most: int) -> None:
    assert ITALIAN.most_points(players * tricks) == most


@pytest.mark.parametrize(
    ("deck", "card", "words"),
    [
        (ITALIAN, "QC", "Knight of cups"),
        (ITALIAN, "JD", "Jack of coins"),
        (ITALIAN, "AB", "Ace of batons"),
        (TENS, "QC", "Queen of clubs"),
        (TENS, "10H", "Ten of hearts"),
        (FRENCH, "7B", "Seven of batons"),
    ],
)
def test_card_is_named_as_its_deck_calls_it(deck: Deck, card: str, words: str) -> None:
    assert str(card_name(deck.card(card), deck)) == words


def test_every_rank_has_a_name() -> None:
    assert set(RANK_WORDS) == set(Rank)


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
    ("kind", "value", "code"),
    [
        (Rank, "X", "unknown-rank"),
        (Rank, None, "unknown-rank"),
        (Rank, [], "unknown-rank"),
        (Suit, "H", "unknown-suit"),
        (Suit, 5, "unknown-suit"),
        (Suit, "", "unknown-suit"),
    ],
)
def test_rank_or_suit_that_the_deck_lacks_is_a_problem(
    kind: type[Rank | Suit], value: object, code: str
) -> None:
    reading = Reading((), ITALIAN)

    assert READERS[kind](value, reading, "missing") is None
    assert [(p.code, p.field) for p in reading.problems] == [(code, "missing")]


@pytest.mark.parametrize(
    ("deck", "rank", "language", "said"),
    [
        (ITALIAN, Rank.KING, "it", ("R", "Re", "il Re")),
        (ITALIAN, Rank.QUEEN, "it", ("C", "Cavallo", "il Cavallo")),
        (ITALIAN, Rank.JACK, "it", ("F", "Fante", "il Fante")),
        (ITALIAN, Rank.ACE, "it", ("A", "Asso", "l’Asso")),
        (ITALIAN, Rank.QUEEN, "en", ("Q", "Knight", "the Knight")),
        (FRENCH, Rank.QUEEN, "it", ("Q", "Donna", "la Donna")),
        (FRENCH, Rank.JACK, "it", ("J", "Fante", "il Fante")),
        (FRENCH, Rank.QUEEN, "en", ("Q", "Queen", "the Queen")),
    ],
)
def test_rank_has_one_letter_and_one_name_in_a_deck_and_a_language(
    deck: Deck, rank: Rank, language: str, said: tuple[str, str, str]
) -> None:
    words = rank_letter(rank, deck), rank_name(rank, deck), the_rank(rank, deck)
    assert tuple(translate(text, language) for text in words) == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.slug)
def test_every_card_is_read_as_it_is_written_and_said(deck: Deck, language: str) -> None:
    for card in deck.cards:
        for text in (card_letters(card, deck), card_name(card, deck)):
            assert deck.card(translate(text, language)) == card
