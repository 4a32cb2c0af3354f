"""The games with cards, and their cards beside a sheet: read again as the same board."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scorer.cards import games
from scorer.cards.board import Board
from scorer.cards.call import show
from scorer.cards.card_records import read_play, write_play
from scorer.cards.chiamata import evidence_of
from scorer.cards.proofs import prove
from scorer.cards.standing import analysed_side, lying_open
from scorer.errors import InvalidError
from scorer.games import all_games, find_game
from scorer.games.briscola_chiamata.sheet import ChiamataSheet, ChiamataStart
from scorer.rules.game import Table
from scorer.rules.questions import Reading, Unanswered
from scorer.rules.seats import all_seats
from tests.cards.card_deals import MONTE_RECORD, value_of, values
from tests.cards.test_moves import BEGUN, G1, MONTE, POINTS
from tests.data.rows import rows
from tests.data.strategies import examples

PEOPLE = ("Ada", "Bea", "Ciro", "Dora")
ROW = games.row_of(G1)


def test_these_games_are_written_down_card_by_card_among_so_many() -> None:
    counts = {
        game.slug: [n for n in range(2, 7) if games.supports_cards(game, n)] for game in all_games()
    }

    assert {slug: told for slug, told in counts.items() if told} == {
        "briscola-chiamata": [2, 3, 4, 5, 6],
        "briscola": [2, 3, 4],
        "maraffone": [4],
        "traversone": [3, 4, 5, 6],
        "tressette": [2, 4],
    }
    assert [games.supports_cards(find_game(slug)) for slug in ("briscola", "scopa")] == [
        True,
        False,
    ]


def test_nothing_is_examined_without_cards_or_before_the_call() -> None:
    scopa = find_game("scopa")
    table, reading = Table(scopa.preset, PEOPLE, all_seats(4)), Reading(PEOPLE)

    assert games.at_table(scopa, table) == table
    assert games.card_game(scopa, {"tricks": []}, table, reading) is None
    assert [(p.code, p.field) for p in reading.problems] == [("no-check", "game")]
    with pytest.raises(InvalidError):
        games.examine(POINTS)


def test_game_says_what_pages_ask_of_it() -> None:
    tressette = games.begin(
        find_game("tressette"), Table(find_game("tressette").preset, PEOPLE, all_seats(4)), None
    )

    assert (POINTS.hands, POINTS.tricks, POINTS.aside, POINTS.ready) == ({}, (), None, False)
    assert (G1.facts.trump_key, str(ROW.trump_question)) == (
        "called_card",
        "Which card was called?",
    )
    assert (analysed_side(MONTE), lying_open(MONTE)) == (None, None)
    assert [len(prove(board)) for board in (POINTS, BEGUN, G1)] == [0, 0, 1]
    assert (tressette.ready, tressette.facts.trump_key) == (True, "")
    assert find_game("briscola-chiamata").has_auction
    assert not find_game("briscola").has_auction


def sheet_of(board: Board) -> ChiamataSheet:
    """The sheet as far as the board tells it; a sheet always says whether there was a partner."""
    claim = board.claim
    return ChiamataSheet(
        claim.caller,
        claim.bid,
        None if isinstance(claim.partner, Unanswered) else claim.partner,
        None,
        card_points=claim.card_points,
        made=claim.made,
        cappotto=claim.cappotto,
    )


def read(board: Board, play: dict[str, Any], sheet: Any) -> tuple[Board | None, list[str]]:
    """Read a play of the people of a board, and the fields of its problems."""
    begun = games.begin(board.facts.game, replace(board.table, seats=people(board)), board.dealer)
    reading = Reading(begun.table.seats, board.table.rules.cards)
    return read_play(ROW, play, sheet, begun, reading), [one.field for one in reading.problems]


def people(board: Board) -> tuple[str, ...]:
    return board.table.seats[: board.facts.dead]


@examples(100)
@given(values())
def test_cards_are_kept_without_loss(board: Board) -> None:
    play = write_play(ROW, board, board.table.seats)

    again, _ = read(board, play, sheet_of(board))

    assert again is not None
    assert write_play(ROW, again, board.table.seats) == play
    assert (again.auction, again.hands) == (board.auction, board.hands)
    assert (again.aside, again.tricks) == (board.aside, board.tricks)
    assert again.claim == replace(board.claim, partner=sheet_of(board).partner)


def test_card_that_was_shown_is_kept_until_a_sheet_says_who_the_partner_was() -> None:
    shown = show(value_of({**MONTE_RECORD, "tricks": [["KC"]]}), shown=True)
    play, claim = write_play(ROW, shown, shown.table.seats), shown.claim
    start = ChiamataStart(claim.caller, claim.bid, claim.called_card)
    alone = replace(sheet_of(shown), partner=None)

    assert play["shown"] is True
    assert read(shown, play, start) == (shown, [])
    told, _ = read(shown, play, alone)
    assert told is not None
    assert evidence_of(told).side.alone is True
    assert "shown" not in write_play(ROW, told, told.table.seats)
    open_call = replace(start, called_card=None)
    begun, _ = read(shown, {"shown": True, "tricks": []}, open_call)
    assert begun is not None
    assert (begun.claim, begun.says_shown) == (None, False)


@rows(__file__, "before the call")
def test_without_a_called_card_only_what_came_before_it_can_be_read(
    play: dict[str, object], fields: list[str]
) -> None:
    board, found = read(G1, play, sheet_of(G1))

    assert found == fields
    assert (board is None) is bool(fields)
    assert board is None or board.claim is None
