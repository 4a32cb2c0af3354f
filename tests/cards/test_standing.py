"""How a deal stands after each of its cards, and beside its sheet."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given

from scorer.cards.board import Board
from scorer.cards.call import show
from scorer.cards.chiamata import evidence_of
from scorer.cards.games import examined, play, replay_steps
from scorer.cards.line import follow
from scorer.cards.notation.deals import parse_beside, write_text
from scorer.cards.standing import (
    asks_trump,
    differences,
    proved_sheet,
    roles,
    script_facts,
    standing,
    status,
)
from scorer.errors import InvalidError
from scorer.games.briscola_chiamata.bids import Bid
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.seats import Seat
from tests.cards.card_deals import MONTE_RECORD, card, value_of, values
from tests.cards.test_moves import BEGUN, G1, MONTE, POINTS
from tests.data.strategies import examples
from tests.games import tables
from tests.games.played import deals, whole
from tests.samples import RECORD

ADA, BEA, CIRO, DORA, EZIO = map(Seat, range(5))
ROLES = {"alone", "caller", "no partner", "partner", "partner?"}


@examples(60)
@given(deals())
def test_every_step_shows_what_had_happened_by_then(dealt: tables.Deal) -> None:
    here, board = dealt.here, value_of(whole(dealt))
    seen = replay_steps(board)
    cards = [text for trick in dealt.tricks for text in trick.cards]

    assert len(seen) == len(cards) + 1
    for count, now in enumerate(seen):
        number, place = divmod(count, len(here))
        line = follow(now)
        shown = [now.text(card) for trick in now.tricks if trick for card in trick.cards]
        assert shown == cards[:count]
        assert not {*map(now.text, line.unseen())} & {*shown}
        assert {*line.playable} <= {*line.unseen()}
        assert now.trick_number == min(number + 1, len(dealt.tricks))
        if not now.over:
            leader = here.index(dealt.tricks[number].leader)
            assert line.turn is not None
            assert board.table.name(line.turn) == here[(leader + place) % len(here)]
    assert [now.over for now in seen] == [False] * len(cards) + [True]
    weighed = [*map(evidence_of, seen)]
    assert all(one.bounds[0] <= dealt.side_points <= one.bounds[1] for one in weighed)
    assert all(str(one.target) in str(standing(one.board)) for one in weighed)
    assert {str(role) for now in seen for role in roles(now).values()} <= ROLES
    assert all(follow(now).aside_worth is None for now in seen[: -len(here)])


@examples(60)
@given(values())
def test_points_and_tricks_only_grow_and_bounds_only_shrink(board: Board) -> None:
    for before, after in pairwise(map(evidence_of, replay_steps(board))):
        assert all(before.taken[seat] <= after.taken[seat] for seat in after.taken)
        assert sum(before.tricks.values()) <= sum(after.tricks.values())
        assert before.bounds[0] <= after.bounds[0] <= after.bounds[1] <= before.bounds[1]
        assert set(after.side.candidates) <= set(before.side.candidates)


def test_beginning_of_a_deal_shows_who_leads_and_the_whole_pack() -> None:
    line, evidence = follow(BEGUN), evidence_of(BEGUN)

    assert (BEGUN.trick_number, line.turn, BEGUN.over) == (1, ADA, False)
    assert len(line.unseen()) == len(line.playable) == 40
    assert follow(BEGUN).taken()[0] == evidence.tricks == dict.fromkeys(range(5), 0)
    assert (evidence.target, evidence.bounds, status(BEGUN)) == (61, (0, 120), "open")
    assert evidence.side.candidates == (ADA, BEA, CIRO, DORA, EZIO)
    assert (evidence.side.partner, evidence.side.alone) == (None, None)
    assert {seat: str(role) for seat, role in roles(BEGUN).items()} == {BEA: "caller"}
    assert str(standing(BEGUN)) == "Caller’s side: from 0 to 120 (61 needed)"


def test_end_of_a_deal_shows_what_it_came_to() -> None:
    line, evidence = follow(G1), evidence_of(G1)

    assert (G1.trick_number, line.turn, G1.over) == (8, None, True)
    assert (line.unseen(), line.playable) == ([], [])
    assert (evidence.bounds, status(G1)) == ((72, 72), "made")
    assert (evidence.side.partner, evidence.side.alone) == (CIRO, False)
    assert str(standing(G1)) == "Caller’s side: made, at least 72 (61 needed)"


def test_role_of_who_was_shown_to_be_the_partner_is_seen_at_once() -> None:
    shown = show(MONTE, shown=True)
    kept = play(shown, card("KC"))

    assert [str(roles(board)[CIRO]) for board in (shown, kept)] == ["partner", "partner"]
    assert str(roles(shown)[BEA]) == "caller"


def test_script_gets_no_deal_with_hands_or_faults() -> None:
    partner = value_of({**MONTE_RECORD, "claim": {**MONTE_RECORD["claim"], "partner": "Dora"}})
    discarding = value_of({**MONTE_RECORD, "discards": ["7B"]})
    hands = value_of({**MONTE_RECORD, "hands": {"Ada": ["7B"]}})
    twice = value_of({**MONTE_RECORD, "tricks": [["7B", "7B"]]})
    facts = script_facts(partner)

    assert facts is not None
    assert (facts["monte"], facts["unit"], facts["turned"], len(facts["cards"])) == (5, 1, None, 40)
    assert [one.code for one in examined(discarding).problems] == ["discard-count"]
    assert script_facts(discarding) is not None
    assert [*map(script_facts, (POINTS, hands, twice))] == [None] * 3


CLAIMED = value_of({**RECORD, "claim": {**RECORD["claim"], "partner": "Ciro", "card_points": 72}})
SHEET = ChiamataSheet(BEA, Bid.parse("K"), CIRO, card("KC"), card_points=72)


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        pytest.param(SHEET, [], id="nothing"),
        pytest.param(replace(SHEET, tricks_won=5), [], id="the right number of tricks"),
        pytest.param(
            replace(SHEET, tricks_won=4),
            [("tricks-total", "The caller's side took 5 tricks.")],
            id="another number of tricks",
        ),
        pytest.param(
            replace(SHEET, called_card=card("AC")),
            [("other-call", "The sheet says that the Ace of cups was called.")],
            id="another called card",
        ),
    ],
)
def test_cards_are_compared_with_what_the_sheet_says(
    sheet: ChiamataSheet, found: list[tuple[str, str]]
) -> None:
    assert [(one.code, str(one.message)) for one in differences(CLAIMED, sheet)] == found


def test_tricks_of_a_caller_who_is_alone_are_told_by_name() -> None:
    claim = {"caller": "Bea", "bid": "A", "called_card": "AC"}
    sheet = replace(SHEET, bid=Bid.parse("A"), called_card=card("AC"), partner=None, tricks_won=1)

    found = differences(value_of({**RECORD, "claim": claim}), sheet)

    assert [str(one.message) for one in found if one.code == "tricks-total"] == [
        "Bea took 4 tricks."
    ]


def test_sheet_is_written_as_the_cards_prove_it() -> None:
    wrong = replace(SHEET, partner=None, card_points=60, tricks_won=1, blind=True)

    assert proved_sheet(CLAIMED, wrong, CLAIMED.table.seats) == {
        "caller": "Bea",
        "bid": "K",
        "blind": True,
        "times": 1,
        "called_card": "KC",
        "partner": "Ciro",
        "card_points": 72,
        "shown": False,
        "tricks_won": 5,
    }
    assert proved_sheet(CLAIMED.back(), SHEET, CLAIMED.table.seats) is None
    assert proved_sheet(POINTS, SHEET, CLAIMED.table.seats) is None


def test_sheet_may_leave_open_which_card_was_called() -> None:
    assert not asks_trump(CLAIMED, SHEET)
    assert asks_trump(CLAIMED, ChiamataStart(BEA, Bid.parse("K")))


def test_text_of_another_deal_is_refused() -> None:
    text = write_text(CLAIMED)

    assert parse_beside(CLAIMED, text, SHEET).tricks == CLAIMED.tricks
    with pytest.raises(InvalidError) as refused:
        parse_beside(CLAIMED, text, replace(SHEET, caller=ADA))
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("other-deal", "text")
    assert str(problem.message) == "This text is of another deal: there Bea bid the King."
