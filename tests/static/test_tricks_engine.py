"""What the script of the grid works out, compared with the server, card by card."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.board import Board
from scorer.cards.call import may_show, show
from scorer.cards.games import play, replay_steps, stored_play
from scorer.cards.line import follow
from scorer.cards.standing import script_facts
from tests.cards import sides_deals
from tests.cards.card_deals import MONTE_RECORD, value_of
from tests.data.strategies import examples
from tests.games.played import deals, parts
from tests.samples import RECORD
from tests.static.conftest import CallScript

SCRIPT = "cards/tricks_engine.js"


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Give a deal of which some tricks may be forgotten, who led them, and some discards."""
    record = draw(parts(draw(deals())))
    aside = record.get("discards", [])
    record["discards"] = aside[: draw(st.integers(0, len(aside)))] or None
    board = value_of({key: record[key] for key in record if key != "hands"})
    return show(board, shown=True) if may_show(board) and draw(st.booleans()) else board


def tricks_of(board: Board) -> Any:
    return stored_play(board)["tricks"]


def script_answers(call_script: CallScript, board: Board) -> list[dict[str, Any]]:
    """Ask the script what follows from the cards at every step, and from a tap there."""
    facts, answers = json.loads(json.dumps(script_facts(board))), []
    for step in replay_steps(board):
        kept, playable = stored_play(step), follow(step).playable
        tricks, card = kept["tricks"], step.text(playable[0]) if playable else None
        now, back, played, forgotten, led = call_script(
            SCRIPT,
            [
                ("moment", (facts, kept)),
                ("takenBack", (tricks,)),
                ("played", (facts, tricks, card)),
                ("forgotten", (tricks,)),
                ("led", (facts, tricks, facts["playing"][-1])),
            ],
        )
        taps = {"back": back, "played": card and played, "forgotten": forgotten, "led": led}
        answers.append(comparable(step, now) | taps)
    return answers


def comparable(board: Board, now: dict[str, Any]) -> dict[str, Any]:
    """Put what the script answered as the server does; a card that is barred is not playable."""
    tricks = now.pop("tricks")
    seats = [[*trick["seats"], *[None] * len(trick["cards"])] for trick in tricks]
    barred = {now["barred"]} if now["barred"] else set()
    left = {*board.deck.numbers} - {*now["gone"]} - barred
    assert board.over or {*map(board.text, follow(board).playable)} == left
    return {key: now[key] for key in ("number", "turn", "over", "points", "aside")} | {
        "players": [
            players[: len(trick["cards"])] for players, trick in zip(seats, tricks, strict=True)
        ],
        "winners": [trick["winner"] for trick in tricks],
    }


def server_answers(board: Board) -> dict[str, Any]:
    line = follow(board)
    playable = line.playable
    return {
        "number": board.trick_number,
        "turn": line.turn,
        "over": board.over,
        "points": {str(seat): follow(board).taken()[0][seat] for seat in board.players},
        "aside": follow(board).aside_worth,
        "winners": line.winners,
        "players": [
            [line.player(index, place) for place in range(len(trick.cards if trick else ()))]
            for index, trick in enumerate(board.tricks)
        ],
        "played": tricks_of(play(board, board.deck.cards[playable[0]])) if playable else None,
        "back": tricks_of(board.back()) if board.tricks else [],
        "forgotten": tricks_of(board.forget()),
        "led": tricks_of(board.lead(board.players[-1])),
    }


def compare(call_script: CallScript, board: Board) -> None:
    expected = [server_answers(step) for step in replay_steps(board)]

    assert script_answers(call_script, board) == expected


@examples(60)
@given(boards())
def test_script_works_out_what_the_server_does_after_every_card(
    call_script: CallScript, board: Board
) -> None:
    compare(call_script, board)


def test_cards_laid_aside_are_counted_as_far_as_they_are_told(call_script: CallScript) -> None:
    tricks = RECORD["tricks"][:7]

    compare(call_script, value_of({**MONTE_RECORD, "tricks": tricks, "discards": ["AC", "2B"]}))


@pytest.mark.parametrize("seed", range(4))
def test_script_works_out_what_the_server_does_where_the_sides_are_known(
    call_script: CallScript, seed: int
) -> None:
    random = Random(seed)
    records = [*sides_deals.deals(seed), sides_deals.maraffone(seed)]
    for record in map(sides_deals.bare, records):
        tricks = [*record["tricks"]]
        if seed:
            tricks[random.randrange(len(tricks))] = None
        compare(call_script, value_of({**record, "tricks": tricks}))


def test_points_are_written_as_people_count_them(call_script: CallScript) -> None:
    counted = [(1, 11), (3, 11), (3, 2), (3, 0)]
    told = call_script(SCRIPT, [("inPoints", ({"unit": unit}, n)) for unit, n in counted])

    assert told == ["11", "3⅔", "⅔", "0"]
