"""A second trick game, Tressette without a partner, declared here: the engine needs no more."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from scorer.cards import legal_cards, record_faults
from scorer.cards.layout import lay_out
from scorer.cards.trick_game import NumberedDeck
from scorer.cards.trick_record import CardRecord, PileReader
from scorer.errors import InvalidError
from scorer.rules.cards import ITALIAN_SUITS, Card, Deck, Rank
from scorer.rules.seats import all_seats
from scorer.rules.sheet import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorer.cards.layout import Layout
    from scorer.rules.seats import Seat

PEOPLE = ("Ada", "Bea", "Ciro", "Dora")
ADA, BEA, CIRO, DORA = all_seats(4)


class TressetteDeck(Deck):
    """A three is the strongest; aces are worth three thirds of a point, figures one."""

    @cached_property
    def card_points(self) -> dict[Rank, int]:
        thirds = {Rank.ACE: 3} | dict.fromkeys("32KQJ", 1)
        return {rank: thirds.get(rank, thirds.get(str(rank), 0)) for rank in self.ranks}


TEXT_DECK = TressetteDeck("tressette", ITALIAN_SUITS, tuple(map(Rank, "32AKQJ7654")))
DECK = NumberedDeck(TEXT_DECK)


class TressetteTricks(NamedTuple):
    """No trump, suit must be followed, nothing laid aside; who leads is known."""

    deck: NumberedDeck = DECK
    players: tuple[Seat, ...] = all_seats(4)
    trick_count: int = 10
    laid_aside: int = 0
    first_leader: Seat | None = ADA

    def settle(self, tricks: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
        return self.deck.settle(tricks, None)

    def must_follow(self, _seat: Seat) -> bool:
        return True

    def hand_sizes(self, _seat: Seat) -> Sequence[int]:
        return (self.trick_count,)

    def plays_as_dealt(self, _seat: Seat) -> bool:
        return True

    def name(self, seat: Seat) -> str:
        return PEOPLE[seat]


def laid_out(tricks: list[Any], hands: dict[str, list[str]] | None = None) -> Layout[Any]:
    reading = Reading(PEOPLE, TEXT_DECK)
    piles = PileReader(reading, DECK)
    read = CardRecord(
        hands=piles.hands(hands or {}),
        discards=None,
        tricks=piles.tricks({"tricks": tricks}),
        deck=DECK,
        letters=DECK.letters,
    )
    assert reading.problems == []
    return lay_out(read, TressetteTricks())


def test_strongest_card_of_the_suit_led_wins_and_leads_to_the_next() -> None:
    layout = laid_out([["KC", "2C", "AS", "4C"], ["AD", "3D", "2D", "3S"], ["7B"]])

    assert layout.leaders == [ADA, BEA, CIRO]
    assert layout.winners == [BEA, CIRO, None]
    assert layout.worths == [5, 6, 0]
    assert legal_cards.next_player(layout) == DORA


def test_faults_are_found_in_any_trick_game() -> None:
    layout = laid_out(
        [["KC", "2C", "AS", "4C"], ["AD", "3D", "2C", "3S"], {"leader": "Ada", "cards": ["5S"]}],
        {"Ada": ["KC"]},
    )

    assert [(one.code, str(one.message)) for one in record_faults.faults(layout)] == [
        ("duplicate-card", "The Two of cups is in trick 1 and in trick 2."),
        ("hand-size", "Cards of Ada: 1 instead of 10."),
    ]


def test_revoke_is_found_once_the_suit_is_shown() -> None:
    first = ["KC", "5D", "QC", "4C"]

    (revoke,) = record_faults.revokes(laid_out([first, ["7B", "5C"]]))

    assert record_faults.revokes(laid_out([first])) == []
    assert revoke.where == {"trick": 1, "card": "5D"}
    assert str(revoke.message) == "Bea could have followed suit in trick 1."


def test_any_card_of_a_known_hand_may_be_played() -> None:
    hand = ["3C", "4C", "3D", "4D", "5D", "6D", "7D", "JD", "QD", "KD"]
    layout = laid_out([["KC"]], {"Bea": hand})

    assert {str(DECK.cards[card]) for card in legal_cards.playable(layout)} == {*hand}
    with pytest.raises(InvalidError) as refused:
        legal_cards.number_of(Card.parse("5C"), layout, legal_cards.playable(layout))
    assert [problem.code for problem in refused.value.problems] == ["card-not-held"]
