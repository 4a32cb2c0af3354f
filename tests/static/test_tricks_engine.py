"""What the script of the grid reckons, held to what the server does, card by card."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.cards.chiamata.deal import ChiamataDeal
from scorer.cards.sides.deal import SidesDeal
from tests.cards import sides_deals
from tests.cards.card_deals import value_of
from tests.cards.test_sides import value_of as of_sides_value
from tests.data.strategies import examples
from tests.games.played import deals, parts
from tests.samples import RECORD
from tests.static.conftest import CallScript

#: What the script doesn't reckon with: pages of a deal whose hands are told have none.
NOT_SCRIPTED = "hands"
SCRIPT = "cards/tricks_engine.js"


@st.composite
def plays(draw: st.DrawFn) -> ChiamataDeal:
    """Give a deal of which some tricks may be forgotten, who led them, and some discards."""
    record = draw(parts(draw(deals())))
    aside = record.get("discards", [])
    record["discards"] = aside[: draw(st.integers(0, len(aside)))] or None
    deal = value_of({key: record[key] for key in record if key != NOT_SCRIPTED})
    return deal.show() if deal.may_show and draw(st.booleans()) else deal


def written(deal: ChiamataDeal) -> list[Any]:
    tricks: list[Any] = deal.stored_play()["tricks"]
    return tricks


def asked_of(call_script: CallScript, deal: ChiamataDeal) -> list[dict[str, Any]]:
    """Ask the script what follows from the cards at every step, and from a tap there."""
    view, steps = json.loads(json.dumps(deal.script_state())), deal.replay_steps()
    assert view is not None
    answers = []
    for step in steps:
        play, playable = step.stored_play(), step.playable
        tricks, card = play["tricks"], str(playable[0]) if playable else None
        now, back, played, forgotten, led = call_script(
            SCRIPT,
            [
                ("moment", (view, play)),
                ("takenBack", (tricks,)),
                ("played", (view, tricks, card)),
                ("forgotten", (tricks,)),
                ("led", (view, tricks, view["playing"][-1])),
            ],
        )
        taps = {
            "back": back,
            "played": played if card else None,
            "forgotten": forgotten,
            "led": led,
        }
        answers.append(answered({**now, **taps}))
    return answers


def reckoned(deal: ChiamataDeal) -> dict[str, Any]:
    """Give what the script should answer."""
    side, (low, high), tricks = deal.evidence.side, deal.evidence.bounds, deal.played_tricks
    return {
        "number": deal.trick_number,
        "turn": deal.turn,
        "over": deal.over,
        "status": deal.status,
        "points": {str(seat): deal.points_taken[seat] for seat in deal.players},
        "aside": deal.points_aside,
        "low": low,
        "high": high,
        "partner": side.partner,
        "alone": side.alone,
        "among": list(side.candidates),
        "winners": [trick.winner for trick in tricks],
        "players": [[thing.seat for thing in trick.played] for trick in tricks],
        "played": written(deal.play(deal.playable[0])) if deal.playable else None,
        "back": written(deal.back()) if deal.tricks else [],
        "forgotten": written(deal.forget()),
        "led": written(deal.lead(deal.players[-1])),
    }


#: What the script knows besides, or only of games whose sides are known.
UNTOLD = ("fresh", "ended", "each", "barred")


def answered(answer: dict[str, Any]) -> dict[str, Any]:
    """Put what the script answered as the server does."""
    tricks = answer.pop("tricks")
    seats = [[*trick["seats"], *[None] * len(trick["cards"])] for trick in tricks]
    players = [seats[: len(trick["cards"])] for seats, trick in zip(seats, tricks, strict=True)]
    winners = [trick["winner"] for trick in tricks]
    return {name: value for name, value in answer.items() if name not in UNTOLD} | {
        "players": players,
        "winners": winners,
    }


COL_MONTE = {
    **RECORD,
    "rules": {"preset": "monte-5", "play": {"first_leader": "next-of-dealer"}},
    "claim": {"caller": "Bea", "bid": "75", "called_card": "AC"},
}


@pytest.mark.parametrize(
    "deal",
    [
        pytest.param(
            value_of({**COL_MONTE, "tricks": [*RECORD["tricks"][:6], ["6C"]]}).show(),
            id="the card may have been shown to a neighbour whose whole hand is known",
        ),
        pytest.param(
            value_of({**COL_MONTE, "tricks": RECORD["tricks"][:7], "discards": ["AC", "2B"]}),
            id="all tricks are played, and some discards are told",
        ),
    ],
)
def test_script_reckons_as_the_server_does_col_monte(
    call_script: CallScript, deal: ChiamataDeal
) -> None:
    compare(call_script, deal)


@examples(60)
@given(plays())
def test_script_reckons_as_the_server_does_after_every_card(
    call_script: CallScript, deal: ChiamataDeal
) -> None:
    compare(call_script, deal)


def compare(call_script: CallScript, deal: ChiamataDeal) -> None:
    assert asked_of(call_script, deal) == [reckoned(step) for step in deal.replay_steps()]


def of_sides(deal: SidesDeal) -> dict[str, Any]:
    """Give what the script should answer where the sides are known."""
    last, tricks = deal.last_side, deal.played_tricks
    return {
        "number": deal.trick_number,
        "turn": deal.turn,
        "over": deal.over,
        "status": deal.status,
        "points": {str(seat): deal.points_taken[seat] for seat in deal.players},
        "each": [n + deal.last_worth * (side == last) for side, n in enumerate(deal.taken)],
        "winners": [trick.winner for trick in tricks],
        "players": [[thing.seat for thing in trick.played] for trick in tricks],
    }


def offered(deal: SidesDeal, answer: dict[str, Any]) -> dict[str, Any]:
    """Put what the script answered as the server does; a card that is barred may not be played."""
    told = answered({**answer, "fresh": None})
    barred = {answer["barred"]} if answer["barred"] else set()
    kept = {key: told[key] for key in ("number", "turn", "over", "status", "points")}
    playable = {str(card) for card in deal.left} - barred
    assert deal.over or {str(card) for card in deal.playable} == playable
    told = {**kept, "winners": told["winners"], "players": told["players"]}
    return {**told, "each": answer["each"]}


@pytest.mark.parametrize("seed", range(4))
def test_script_reckons_as_the_server_does_where_the_sides_are_known(
    call_script: CallScript, seed: int
) -> None:
    random = Random(seed)
    for record in map(sides_deals.bare, sides_deals.deals(seed)):
        tricks = [*record["tricks"]]
        if seed:
            tricks[random.randrange(len(tricks))] = None
        deal = of_sides_value({**record, "tricks": tricks})
        moments = deal.replay_steps()
        view = json.loads(json.dumps(deal.script_state()))
        answers = call_script(SCRIPT, [("moment", (view, one.stored_play())) for one in moments])

        told = [offered(one, answer) for one, answer in zip(moments, answers, strict=True)]
        assert told == [of_sides(one) for one in moments]
