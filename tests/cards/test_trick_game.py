"""What all trick games have, in one without a call: Tressette."""

from typing import Any

import pytest

from scorer.cards import record_faults
from scorer.cards.layout import Layout
from scorer.cards.tressette import TressetteDeal
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.rules.cards import Card
from scorer.rules.game import Table
from scorer.rules.seats import all_seats

PEOPLE = ("Ada", "Bea", "Ciro", "Dora")
ADA, BEA, CIRO, DORA = all_seats(4)


def deal_of(tricks: list[Any], hands: dict[str, list[str]] | None = None) -> TressetteDeal:
    table = Table(find_game("tressette").preset, PEOPLE, all_seats(4))
    play = {"hands": hands or {}, "tricks": tricks}
    deal, problems = TressetteDeal.begun(table, DORA).read_play(play, None, PEOPLE)
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
    assert (deal.turn, deal.trick_number) == (DORA, 3)
    assert (deal.points_taken[BEA], deal.layout.taken()[1][BEA]) == (5, 1)
    assert [step.over for step in deal.replay_steps()] == [False] * 8
    assert deal.examined.problems == []
    assert before.read_stored_play(deal.stored_play(), None) == (deal, [])
