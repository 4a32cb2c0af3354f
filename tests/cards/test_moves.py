"""A deal played forward and taken back, card by card."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.board import Board
from scorer.cards.call import may_show, show
from scorer.cards.chiamata import evidence_of
from scorer.cards.games import (
    begin,
    discard,
    examined,
    may_discard,
    play,
    read_stored,
    replay_steps,
    stored_play,
)
from scorer.cards.line import follow
from scorer.cards.proofs import PARTNER, without
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.rules.seats import Seat
from tests.cards.card_deals import (
    MONTE_RECORD,
    begun,
    card,
    offered,
    on,
    table_of,
    value_of,
)
from tests.data.strategies import examples
from tests.games import tables
from tests.games.played import deals
from tests.samples import RECORD

G1 = value_of(RECORD)
BEGUN = value_of({**RECORD, "tricks": []})
MONTE = value_of(MONTE_RECORD)
POINTS = begin(find_game("briscola-chiamata"), *table_of(RECORD))
HAND = ["7B", "JS", "5S", "2C", "QB", "6S", "4B", "JC"]


def turn(board: Board) -> Seat | None:
    return follow(board).turn


def laid(board: Board, *texts: str) -> Board:
    for text in texts:
        board = discard(board, card(text))
    return board


def played(board: Board, *texts: str) -> Board:
    for text in texts:
        board = play(board, card(text))
    return board


def moves_of(deal: tables.Deal) -> list[Any]:
    """Every card of a deal, in the order in which it was laid aside or played."""
    discards = deal.discards if deal.rules["monte"] else []
    tricks = [text for trick in deal.tricks for text in trick.cards]
    return [*map(card, discards), *map(card, tricks)]


def names(board: Board, *seats: Seat | None) -> list[str | None]:
    return [None if seat is None else board.table.name(seat) for seat in seats]


@examples(60)
@given(deals())
def test_lawful_deal_is_played_card_by_card_and_taken_back(deal: tables.Deal) -> None:
    now, before = begun(deal), []

    for move in moves_of(deal):
        assert move in offered(now)
        before.append(now)
        now = on(now, move)

    assert (now.over, turn(now), follow(now).playable) == (True, None, [])
    assert names(now, *follow(now).winners) == [trick.winner for trick in deal.tricks]
    for earlier in reversed(before):
        now = now.back()
        assert now == earlier
    assert now.back() == now


@examples(40)
@given(deals(), st.randoms(use_true_random=False))
def test_whatever_cards_are_offered_lead_to_a_deal_without_faulty_cards(
    deal: tables.Deal, random: Random
) -> None:
    now = begun(deal)

    while not now.over:
        now = on(now, random.choice(offered(now)))

    assert [one.code for one in examined(now).problems if "claim" not in one.where] == []


@pytest.mark.parametrize(
    ("board", "text", "code"),
    [
        pytest.param(played(BEGUN, "7B"), "7B", "duplicate-card", id="played before"),
        pytest.param(BEGUN, "7H", "card-not-in-deck", id="a suit of another deck"),
        pytest.param(BEGUN, "8S", "card-not-in-deck", id="a rank of another deck"),
        pytest.param(POINTS, "7B", "no-call", id="before the call"),
        pytest.param(G1, "7B", "trick-count", id="after the last trick"),
        pytest.param(laid(MONTE, "2B"), "2B", "duplicate-card", id="laid aside"),
    ],
)
def test_card_that_cannot_come_next_is_refused(board: Board, text: str, code: str) -> None:
    assert refused(play, board, text) == code


def refused(move: Any, board: Board, text: str) -> str:
    with pytest.raises(InvalidError) as raised:
        move(board, card(text))
    (problem,) = raised.value.problems
    return problem.code


def test_card_of_another_hand_is_not_played() -> None:
    hands = {"Ada": HAND, "Bea": ["AC", "2D", "3C", "AB", "7C", "KB", "3D", "QC"]}
    now = value_of({**RECORD, "hands": hands, "tricks": []})
    after = played(now, "7B")

    assert {str(move) for move in offered(now)} == {*HAND}
    assert [refused(play, now, text) for text in ("2D", "KC")] == ["card-not-held"] * 2
    assert (turn(now), turn(after)) == (Seat(0), Seat(1))
    assert refused(play, after, "JS") == "card-not-held"


def test_without_a_dealer_any_card_comes_next_and_somebody_may_be_said_to_lead() -> None:
    now = value_of({**RECORD, "dealer": None, "tricks": []})
    led = now.lead(Seat(3))

    assert (turn(now), len(offered(now)), turn(played(now, "7B"))) == (None, 40, None)
    assert (turn(led), turn(played(led, "7B"))) == (Seat(3), Seat(4))
    assert played(led, "7B").back() == led
    assert led.back() == now
    assert played(now, "7B").lead(Seat(3)) == played(led, "7B")


def test_trick_may_be_forgotten_and_the_next_leader_is_then_unknown() -> None:
    now = BEGUN.forget()
    line = follow(now)

    assert (turn(now), now.tricks, now.trick_number) == (None, (None,), 2)
    assert (line.winners, line.places, line.worths) == ([None], [None], [0])
    assert now.back() == BEGUN
    for _ in range(7):
        now = now.forget()
    assert now.over


def test_caller_lays_as_many_cards_aside_as_the_monte_has() -> None:
    now = laid(MONTE, "2B", "4B", "5B", "6B")
    done = laid(now, "7B")

    assert (may_discard(now), len(offered(now))) == (True, 36)
    assert refused(discard, now, "2B") == "duplicate-card"
    assert (may_discard(done), done.back()) == (False, now)
    assert [*map(done.text, done.aside or ())] == ["2B", "4B", "5B", "6B", "7B"]
    assert [refused(discard, board, "JB") for board in (done, BEGUN)] == ["discard-count"] * 2


def test_discards_may_stay_unknown_or_be_told_after_the_last_trick() -> None:
    now = played(MONTE, "2B")
    assert (may_discard(now), now.aside, turn(now), now.back()) == (True, None, Seat(2), MONTE)

    over = replace(MONTE, tricks=(None,) * 7)
    told = laid(over, "2B", "4B")
    assert (told.over, may_discard(told)) == (True, True)
    assert told.take_up() == laid(over, "2B")
    assert told.take_up().take_up() == over == over.take_up()


def test_caller_whose_hand_and_monte_are_known_lays_aside_of_them() -> None:
    hand = ["2B", "4B", "5B", "6B", "7B", "JB", "QB", "KB", "3B", "AB", "2C", "4C"]
    now = value_of({**MONTE_RECORD, "hands": {"Bea": hand}})

    assert {str(move) for move in offered(now)} == {*hand}
    assert refused(discard, now, "AC") == "card-not-held"


def test_caller_who_shows_the_called_card_has_the_next_player_for_a_partner() -> None:
    shown = show(MONTE, shown=True)
    kept, other = played(shown, "KC"), played(shown, "2B", "KC")

    sides = [evidence_of(board).side for board in (MONTE, shown, kept, other)]
    assert [side.shown for side in sides] == [False, False, True, False]
    assert evidence_of(kept).side.partner == Seat(2)
    assert evidence_of(played(MONTE, "KC")).side.alone is True
    assert (examined(kept).partner, examined(kept).alone) == (None, None)


def test_that_the_card_was_shown_is_kept_until_it_is_taken_back() -> None:
    shown = show(MONTE, shown=True)
    partner = value_of({**MONTE_RECORD, "claim": {**MONTE_RECORD["claim"], "partner": "Dora"}})

    assert show(shown, shown=False) == without(shown, PARTNER) == MONTE
    assert [*map(may_show, (MONTE, shown, BEGUN, partner))] == [True, True, False, False]
    assert ("shown" in stored_play(shown), "shown" in stored_play(MONTE)) == (True, False)


def test_card_that_could_not_be_read_is_shown_as_written_and_taken_back() -> None:
    now = value_of({**RECORD, "tricks": [["7B", "8X"]]})

    assert value_of({**RECORD, "tricks": [["7B"]]}) == now.back()
    assert value_of({**RECORD, "tricks": [["7B"], [], {"cards": []}]}) == now.back()
    (trick,) = now.tricks
    assert trick is not None
    assert [*map(now.text, trick.cards)] == ["7B", "8X"]


TRESSETTE = {"game": "tressette", "seats": ["Ada", "Bea", "Ciro", "Dora"], "dealer": "Dora"}


def test_moves_are_those_of_any_trick_game() -> None:
    record = TRESSETTE
    before = value_of({**record, "tricks": [["KC", "2C", "AS", "4C"], None]})

    board = played(before.lead(Seat(1)), "7D", "AD")

    assert board.back().back().back() == before
    assert (turn(board), board.trick_number, follow(board).taken()[0][Seat(1)]) == (Seat(3), 3, 5)
    assert [step.over for step in replay_steps(board)] == [False] * 8
    assert read_stored(before, stored_play(board), None) == (board, [])
    with pytest.raises(ValueError, match="called"):
        _ = before.called
