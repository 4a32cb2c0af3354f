"""A deal played forward and taken back, card by card."""

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.deal import DealPart, PartKind
from scorer.errors import InvalidError
from scorer.rules.cards import Card
from scorer.rules.seats import Seat
from tests.cards.card_deals import (
    MONTE_RECORD,
    begun,
    card,
    offered,
    on,
    table_of,
    value_of,
    values,
)
from tests.data.strategies import examples
from tests.games import tables
from tests.games.played import deals
from tests.games.tables import FRENCH
from tests.samples import RECORD


def moves_of(deal: tables.Deal) -> list[Card]:
    """Every card of a deal, in the order in which it was laid aside or played."""
    discards = deal.discards if deal.rules["monte"] else []
    played = [text for trick in deal.tricks for text in trick.cards]
    return [*map(card, discards), *map(card, played)]


def turn(deal: ChiamataDeal) -> Seat | None:
    return deal.turn


def in_italian_letters(deal: tables.Deal) -> bool:
    return any(text.endswith("B") for hand in deal.hands.values() for text in hand)


def names(deal: ChiamataDeal, *seats: Seat | None) -> list[str | None]:
    return [None if seat is None else deal.table.name(seat) for seat in seats]


@examples(150)
@given(deals())
def test_lawful_deal_is_played_card_by_card_and_taken_back(deal: tables.Deal) -> None:
    now, before = begun(deal), []

    for move in moves_of(deal):
        assert move in offered(now)
        before.append(now)
        now = on(now, move)
        assert now.back() == before[-1]

    assert (now.over, now.turn, now.playable) == (True, None, ())
    assert names(now, *now.layout.winners) == [trick.winner for trick in deal.tricks]
    for earlier in reversed(before):
        now = now.back()
        assert now == earlier
    assert now.back() == now


@examples(100)
@given(deals())
def test_player_to_move_is_always_known_and_holds_what_he_plays(deal: tables.Deal) -> None:
    assume(not (deal.rules["deck"] in FRENCH and in_italian_letters(deal)))
    claim = {"claim": {"caller": deal.caller, "bid": deal.bid, "called_card": deal.called}}
    now = value_of({**deal.request, **claim, "tricks": []})
    for trick in deal.tricks:
        place = deal.here.index(trick.leader)
        for text, name in zip(trick.cards, deal.here[place:] + deal.here[:place], strict=True):
            assert names(now, now.turn) == [name]
            now = now.play(card(text))


@examples(150)
@given(values())
def test_card_forward_and_back_changes_nothing(deal: ChiamataDeal) -> None:
    for move in () if deal.claim is None else offered(deal)[:3]:
        assert on(deal, move).back() == deal


@examples(100)
@given(deals(), st.randoms(use_true_random=False))
def test_whatever_cards_are_offered_lead_to_a_deal_without_faulty_cards(
    deal: tables.Deal, random: Random
) -> None:
    now = begun(deal)

    while not now.over:
        now = on(now, random.choice(offered(now)))

    assert [one.code for one in now.examined.problems if "claim" not in one.where] == []


G1 = value_of(RECORD)
BEGUN = value_of({**RECORD, "tricks": []})
TABLE, DEALER = table_of(RECORD)
HAND = ["7B", "JS", "5S", "2C", "QB", "6S", "4B", "JC"]
POINTS = ChiamataDeal(TABLE, DEALER)
MONTE = value_of(MONTE_RECORD)


def refused(code: str, move: Any, *given: Any) -> None:
    with pytest.raises(InvalidError) as raised:
        move(*given)
    assert [problem.code for problem in raised.value.problems] == [code]


def test_card_that_was_played_is_not_played_again() -> None:
    now = BEGUN.play(card("7B"))

    assert card("7B") in offered(BEGUN)
    assert card("7B") not in offered(now)
    refused("duplicate-card", now.play, card("7B"))


def test_cards_of_another_deck_are_not_played() -> None:
    refused("card-not-in-deck", BEGUN.play, card("7H"))
    refused("card-not-in-deck", BEGUN.play, card("8S"))


def test_nobody_plays_before_a_card_is_called_or_after_the_last_trick() -> None:
    refused("no-call", POINTS.play, card("7B"))
    refused("trick-count", G1.play, card("7B"))


def test_card_of_another_hand_is_not_played() -> None:
    hands = {
        "Ada": ["7B", "JS", "5S", "2C", "QB", "6S", "4B", "JC"],
        "Bea": ["AC", "2D", "3C", "AB", "7C", "KB", "3D", "QC"],
    }
    ada, bea = (Seat(0), Seat(1))
    now = value_of({**RECORD, "hands": hands, "tricks": []})

    assert {str(move) for move in offered(now)} == {*HAND}
    refused("card-not-held", now.play, card("2D"))
    refused("card-not-held", now.play, card("KC"))
    after = now.play(card("7B"))
    assert (turn(now), turn(after)) == (ada, bea)
    refused("card-not-held", after.play, card("JS"))


def test_not_following_suit_is_no_reason_to_refuse_a_card() -> None:
    rules = {"preset": "classic", "play": {"follow_suit": True}}
    hands = {"Bea": ["AC", "2D", "3C", "AB", "7C", "KB", "3D", "QC"]}
    now = value_of({**RECORD, "rules": rules, "hands": hands, "tricks": [["7B"]]})

    assert {str(move) for move in offered(now)} == {*hands["Bea"]}
    assert turn(now.play(card("2D"))) == Seat(2)


def test_without_a_dealer_any_card_comes_next_and_somebody_may_be_said_to_lead() -> None:
    now = value_of(
        {key: value for key, value in RECORD.items() if key != "dealer"} | {"tricks": []}
    )

    assert (turn(now), len(offered(now))) == (None, 40)
    assert turn(now.play(card("7B"))) is None
    led = now.lead(Seat(3))
    assert turn(led) == Seat(3)
    assert turn(led.play(card("7B"))) == Seat(4)
    assert led.play(card("7B")).back() == led
    assert led.back() == now
    assert now.play(card("7B")).lead(Seat(3)) == led.play(card("7B"))


def test_trick_may_be_forgotten_and_the_next_leader_is_then_unknown() -> None:
    now = BEGUN.forget()

    assert (turn(now), now.tricks) == (None, (None,))
    assert now.back() == BEGUN
    for _ in range(7):
        now = now.forget()
    assert now.over


def test_caller_lays_as_many_cards_aside_as_the_monte_has() -> None:
    now = MONTE
    for text in ["2B", "4B", "5B", "6B"]:
        now = now.discard(card(text))

    assert (now.may_discard, len(offered(now))) == (True, 36)
    refused("duplicate-card", now.discard, card("2B"))
    done = now.discard(card("7B"))
    assert (done.may_discard, done.back()) == (False, now)
    refused("discard-count", done.discard, card("JB"))
    refused("duplicate-card", done.play, card("2B"))


def test_discards_may_stay_unknown() -> None:
    now = MONTE.play(card("2B"))

    assert (now.may_discard, now.discards, turn(now)) == (True, None, Seat(2))
    assert now.back() == MONTE


def test_discards_may_be_told_after_the_last_trick_and_taken_back_one_by_one() -> None:
    now = MONTE
    for _ in range(7):
        now = now.forget()

    told = now.discard(card("2B")).discard(card("4B"))

    assert (told.over, told.may_discard) == (True, True)
    assert told.undo_discard() == now.discard(card("2B"))
    assert told.undo_discard().undo_discard() == now == now.undo_discard()
    refused("discard-count", BEGUN.discard, card("2B"))


@pytest.mark.parametrize("told", [0, 2, 5])
def test_called_card_that_was_never_played_is_among_the_discards_told_or_not(told: int) -> None:
    aside = ["KC", "2B", "4B", "5B", "6B"]
    pack = [str(one) for one in MONTE.cards(MONTE.layout.unseen()) if str(one) not in aside]
    tricks = [pack[index : index + 5] for index in range(0, 35, 5)]

    now = value_of({**MONTE_RECORD, "tricks": tricks, "discards": aside[5 - told :]})

    assert (now.evidence.side.alone, now.points_aside) == (True, 4)
    assert sum(now.evidence.taken.values()) == 120


def test_last_winner_takes_the_discards_although_a_trick_was_forgotten() -> None:
    last = {"leader": "Ada", "cards": ["AD", "2D", "4D", "5D", "6D"]}
    now = value_of({**MONTE_RECORD, "tricks": [*[None] * 6, last]})
    taken = [now.evidence.taken[Seat(0)]]
    for text in ["AB", "3B", "KB", "QB", "JB"]:
        now = now.discard(card(text))
        taken.append(now.evidence.taken[Seat(0)])

    assert taken == [11, 22, 32, 36, 39, 41]


def test_caller_whose_hand_and_monte_are_known_lays_aside_of_them() -> None:
    hand = ["2B", "4B", "5B", "6B", "7B", "JB", "QB", "KB", "3B", "AB", "2C", "4C"]
    now = value_of({**MONTE_RECORD, "hands": {"Bea": hand}})

    assert {str(move) for move in offered(now)} == {*hand}
    refused("card-not-held", now.discard, card("AC"))


def test_caller_who_shows_the_called_card_has_the_next_player_for_a_partner() -> None:
    now = MONTE.show()
    kept = now.play(card("KC"))
    played = now.play(card("2B")).play(card("KC"))

    assert (MONTE.shown, now.shown, kept.shown, played.shown) == (False, False, True, False)
    assert kept.evidence.side.partner == Seat(2)
    assert (now.role(Seat(2)), kept.role(Seat(2))) == ("partner", "partner")
    assert now.role(Seat(1)) == "caller"
    assert MONTE.play(card("KC")).evidence.side.alone is True
    assert (kept.examined.partner, kept.examined.alone) == (None, None)


def test_that_the_card_was_shown_is_taken_back() -> None:
    assert MONTE.show().hide() == MONTE
    assert (MONTE.may_show, MONTE.show().may_show, BEGUN.may_show) == (True, True, False)
    assert (
        value_of({**MONTE_RECORD, "claim": {**MONTE_RECORD["claim"], "partner": "Dora"}}).may_show
        is False
    )


def test_play_says_that_the_card_was_shown_until_that_is_taken_back() -> None:
    assert "shown" in MONTE.show().write_play(MONTE.table.seats)
    assert "shown" not in MONTE.show().hide().write_play(MONTE.table.seats)


def test_deal_without_its_partner_says_no_more_that_the_card_was_shown() -> None:
    left = MONTE.show().without(DealPart(PartKind.PARTNER))

    assert left == MONTE


def test_card_that_could_not_be_read_is_taken_back_like_any_other() -> None:
    now = value_of({**RECORD, "tricks": [["7B", "8X"]]})

    assert value_of({**RECORD, "tricks": [["7B"]]}) == now.back()
    assert value_of({**RECORD, "tricks": [["7B"], []]}) == now.back()


def test_caller_who_is_alone_has_shown_nothing() -> None:
    said = {**RECORD["claim"], "called_card": "AC", "partner": None}

    assert value_of({**RECORD, "claim": said}).shown is False
