"""A second trick game, Tressette without a partner, declared here: the cards need no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import pytest

from scorer.cards import engine, record_faults
from scorer.cards.deal import CardDeal
from scorer.cards.layout import lay_out
from scorer.cards.trick_game import NumberedDeck
from scorer.cards.trick_record import CardRecord, PileReader
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.rules.cards import ITALIAN_SUITS, Card, Deck, Rank
from scorer.rules.findings import Examined
from scorer.rules.game import Table
from scorer.rules.seats import all_seats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorer.cards.layout import Layout
    from scorer.rules.findings import Finding
    from scorer.rules.seats import Seat
    from scorer.rules.sheet import Reading

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


@dataclass(frozen=True)
class TressetteDeal(CardDeal):
    """A deal of which the sheet has the card points of each player."""

    slug = "tressette"
    deck = DECK
    players = all_seats(4)
    trick_count = 10

    @cached_property
    def layout(self) -> Layout[TressetteTricks]:
        record = CardRecord(self.hands, self.discards, self.tricks, DECK, self.letters)
        return lay_out(record, TressetteTricks())

    @cached_property
    def examined(self) -> Examined:
        points, tricks = self.layout.taken()
        return Examined(
            complete=self.layout.complete,
            winners=self.layout.winners,
            card_points=points,
            tricks_won=tricks,
            partner=None,
            alone=None,
            side_points=None,
            bounds=(0, 0),
            status="open",
            payouts=None,
            problems=list(record_faults.faults(self.layout)),
            warnings=record_faults.revokes(self.layout),
        )

    def with_play(self, play: Mapping[str, Any], sheet: Any, reading: Reading) -> Self | None:
        assert not self.asks(sheet)
        piles, data = PileReader(reading, DECK), dict(play)
        hands, tricks = piles.hands(data.get("hands", {})), piles.tricks(data)
        return None if reading.problems else replace(self, hands=hands, tricks=tricks)

    def write_play(self, names: Sequence[str]) -> dict[str, Any]:
        return self.write_cards(names)

    def differences(self, sheet: Any) -> list[Finding]:
        raise NotImplementedError(sheet)

    def proved_sheet(self, sheet: Any, names: Sequence[str]) -> dict[str, Any] | None:
        raise NotImplementedError(sheet, names)


def deal_of(tricks: list[Any], hands: dict[str, list[str]] | None = None) -> TressetteDeal:
    table = Table(find_game("tressette").preset, PEOPLE, all_seats(4))
    play = {"hands": hands or {}, "tricks": tricks}
    deal, problems = engine.read_play(TressetteDeal(table), play, None, PEOPLE)
    assert deal is not None, problems
    return deal


def laid_out(tricks: list[Any], hands: dict[str, list[str]] | None = None) -> Layout[Any]:
    return deal_of(tricks, hands).layout


def test_strongest_card_of_the_suit_led_wins_and_leads_to_the_next() -> None:
    deal = deal_of([["KC", "2C", "AS", "4C"], ["AD", "3D", "2D", "3S"], ["7B"]])
    layout = deal.layout

    assert layout.leaders == [ADA, BEA, CIRO]
    assert layout.winners == [BEA, CIRO, None]
    assert layout.worths == [5, 6, 0]
    assert deal.turn == DORA


def test_faults_are_found_in_any_trick_game() -> None:
    layout = laid_out(
        [["KC", "2C", "AS", "4C"], ["AD", "3D", "2C", "3S"], {"leader": "Ada", "cards": ["5S"]}],
        {"Ada": ["KC"]},
    )

    assert [(one.code, str(one.message)) for one in record_faults.faults(layout)] == [
        ("duplicate-card", "Trick 1 and trick 2 both have the Two of cups."),
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
    deal = deal_of([["KC"]], {"Bea": hand})

    assert {str(card) for card in deal.playable} == {*hand}
    with pytest.raises(InvalidError) as refused:
        deal.play(Card.parse("5C"))
    assert [problem.code for problem in refused.value.problems] == ["card-not-held"]


def test_deal_is_played_taken_back_shown_and_stored_as_in_any_trick_game() -> None:
    before = deal_of([["KC", "2C", "AS", "4C"], None])

    deal = before.lead(BEA).play(Card.parse("7D")).play(Card.parse("AD"))

    assert deal.back().back().back() == before
    assert (deal.state.turn, deal.state.number) == (DORA, 3)
    assert (deal.state.card_points[BEA], deal.state.tricks_won[BEA]) == (5, 1)
    assert [step.state.over for step in engine.replay_steps(deal)] == [False] * 8
    assert deal.examined.problems == []
    assert engine.read_stored_play(before, engine.stored_play(deal), None) == (deal, [])
