"""What a page shows of a deal, after each of its cards."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.errors import InvalidError
from scorer.rules.seats import Seat
from tests.cards.card_deals import MONTE_RECORD, card, value_of, values
from tests.cards.test_card_deal import POINTS
from tests.data.strategies import examples
from tests.games import tables
from tests.games.played import deals, whole
from tests.samples import RECORD

BEGUN = value_of({**RECORD, "tricks": []})
G1 = value_of(RECORD)
ADA, BEA, CIRO, DORA, EZIO = map(Seat, range(5))
ROLES = {"", "alone", "caller", "candidate", "partner"}


@examples(60)
@given(deals())
def test_every_step_shows_what_had_happened_by_then(played: tables.Deal) -> None:
    here, deal = played.here, value_of(whole(played))
    seen = deal.replay_steps()
    cards = [text for trick in played.tricks for text in trick.cards]

    assert len(seen) == len(cards) + 1
    for count, now in enumerate(seen):
        number, place = divmod(count, len(here))
        shown = [thing.text for trick in now.played_tricks for thing in trick.played]
        assert shown == cards[:count]
        assert not {str(left) for left in now.left} & set(shown)
        assert set(now.playable) <= set(now.left)
        assert now.trick_number == min(number + 1, len(played.tricks))
        if not now.over:
            leader = here.index(played.tricks[number].leader)
            assert now.turn is not None
            assert deal.table.name(now.turn) == here[(leader + place) % len(here)]
    assert [now.over for now in seen] == [False] * len(cards) + [True]
    assert all(
        low <= played.side_points <= high for low, high in (now.evidence.bounds for now in seen)
    )
    assert all(str(now.target) in str(now.standing) for now in seen)
    assert {now.role(seat) for now in seen for seat in now.players} <= ROLES
    assert all(now.points_aside is None for now in seen[: -len(here)])


@examples(60)
@given(values())
def test_points_and_tricks_only_grow_and_bounds_only_shrink(deal: ChiamataDeal) -> None:
    for before, after in pairwise([step.evidence for step in deal.replay_steps()]):
        assert all(before.taken[seat] <= after.taken[seat] for seat in after.taken)
        assert sum(before.tricks.values()) <= sum(after.tricks.values())
        assert before.bounds[0] <= after.bounds[0] <= after.bounds[1] <= before.bounds[1]
        assert set(after.side.candidates) <= set(before.side.candidates)


def test_beginning_of_a_deal_shows_who_leads_and_the_whole_pack() -> None:
    now, side = BEGUN, BEGUN.evidence.side

    assert (now.trick_number, now.turn, now.over, now.played_tricks) == (1, ADA, False, [])
    assert len(now.left) == len(now.playable) == 40
    assert now.points_taken == now.evidence.tricks == dict.fromkeys(range(5), 0)
    assert (now.target, now.evidence.bounds, now.status) == (61, (0, 120), "open")
    assert (side.candidates, side.partner, side.alone) == ((0, 1, 2, 3, 4), None, None)
    assert (now.role(ADA), str(now.standing)) == ("", "Caller’s side: from 0 to 120 (61 needed)")


def test_trick_that_is_over_lies_there_with_its_winner_who_leads_the_next() -> None:
    now = value_of({**RECORD, "tricks": RECORD["tricks"][:1]})
    (trick,) = now.played_tricks

    assert [(thing.seat, thing.text) for thing in trick.played] == [
        (ADA, "7B"),
        (BEA, "2D"),
        (CIRO, "4S"),
        (DORA, "KS"),
        (EZIO, "JB"),
    ]
    assert (trick.number, trick.winner, trick.worth, trick.forgotten) == (1, EZIO, 6, False)
    assert (now.trick_number, now.turn, now.points_taken[EZIO]) == (2, EZIO, 6)


def test_end_of_a_deal_shows_what_it_came_to() -> None:
    now, side = G1, G1.evidence.side

    assert (now.trick_number, now.turn, now.over) == (8, None, True)
    assert (now.left, now.playable) == ((), ())
    assert (now.evidence.bounds, now.status) == ((72, 72), "made")
    assert (side.partner, side.alone) == (CIRO, False)
    assert str(now.standing) == "Caller’s side: made, at least 72 (61 needed)"


def test_forgotten_trick_shows_nothing() -> None:
    now = BEGUN.forget()

    (trick,) = now.played_tricks
    assert (trick.number, trick.forgotten, trick.played) == (1, True, ())
    assert (trick.winner, trick.best, trick.worth) == (None, None, 0)
    assert (now.trick_number, now.turn) == (2, None)


def test_card_that_could_not_be_read_is_shown_as_it_was_written() -> None:
    now = value_of({**RECORD, "tricks": [["7B", "8X"]]})

    assert now.played_tricks[0].played == ((ADA, card("7B"), "7B"), (BEA, None, "8X"))


def test_cards_of_a_trick_that_nobody_is_known_to_have_led_are_nobodys() -> None:
    now = value_of({**RECORD, "dealer": None, "tricks": [["7B", "2D"]]})

    assert [thing.seat for thing in now.played_tricks[0].played] == [None, None]


def test_leader_who_was_named_is_no_step_of_its_own() -> None:
    deal = value_of({**RECORD, "tricks": [{"leader": "Ada", "cards": ["7B", "2D"]}]})

    assert [len(step.tricks) for step in deal.replay_steps()] == [0, 1, 1]


def test_col_monte_the_first_card_may_be_played_before_anything_is_laid_aside() -> None:
    now = value_of(MONTE_RECORD)

    assert (now.turn, len(now.playable)) == (BEA, 40)


CALLED = {"caller": "Ciro", "bid": "115", "called_card": "4D", "partner": "Dora"}
LACKING = {"Dora": ["AC", "3C", "KC", "QC", "JC", "7C", "6C"]}
HOLDING = {"Ciro": ["4D", "3C", "KC", "QC", "JC", "7C", "6C"]}


@pytest.mark.parametrize(
    ("hands", "tricks", "candidates"),
    [
        pytest.param(LACKING, [["4D"]], [tuple(range(5)), (DORA,)],
                     id="the neighbour, although the hand lacks the card"),
        pytest.param(HOLDING, [None, ["4D"]], [(DORA,)] * 3,
                     id="after a forgotten trick the caller's own hand says who played it"),
    ],
)  # fmt: skip
def test_col_monte_the_neighbour_may_be_the_partner(
    hands: dict[str, list[str]], tricks: list[list[str] | None], candidates: list[Any]
) -> None:
    record = {"dealer": "Bea", "claim": CALLED, "hands": hands, "tricks": tricks}
    deal = value_of({**MONTE_RECORD, **record})

    assert [step.evidence.side.candidates for step in deal.replay_steps()] == candidates


def test_nothing_is_shown_before_a_card_is_called() -> None:
    with pytest.raises(InvalidError):
        _ = POINTS.played_tricks
    with pytest.raises(InvalidError):
        _ = POINTS.call
