"""Whole evenings of every game, kept by the services as the replay operation plays them."""

import json
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import InvalidError
from scorer.evening.session_acts import End
from scorer.games import all_games
from scorer.operations import replay
from scorer.rules.game import Game, Outcome
from scorer.rules.seats import Seat, all_seats
from scorer.services.files.notebooks import preview_notebook
from scorer.services.files.session_files import SessionPreview, keep, preview_session, session_file
from scorer.services.journal.verify import circle_findings
from scorer.services.session.sessions import next_games, start_next_match
from scorer.services.session.state import load_state
from scorer.services.session.writing import do
from scorer.storage import queries
from tests.data import golden
from tests.services.evenings import FIVE, Evening, start


def is_plain(evening: golden.Evening) -> bool:
    """Say whether nobody was chosen to deal or to sit out, and nothing changed."""
    deals = evening.session["deals"]
    chosen = {"sits_out", "rules", "seats"}
    dealt = [deal for deal in deals[1:] if "dealer" in deal]
    return (
        "next" not in evening.session
        and bool(deals)
        and not dealt
        and not chosen & set().union(*deals)
    )


def length(evening: golden.Evening) -> int:
    return len(evening.session["deals"])


BEA, FAR = Seat(1), 99_999
#: The longest evening of each game: `tests/operations/test_replay.py` replays them all.
LONGEST = [
    pytest.param(max(filter(is_plain, golden.evenings(game)), key=length), id=game.slug)
    for game in all_games()
]


def begun(evening: golden.Evening) -> Evening:
    """Start the session of a golden evening."""
    session, answer = evening.session, evening.answer
    seats, opening = session["seats"], session.get("opening", {})
    return start(
        session.get("rules"),
        seats,
        game=session["game"],
        first_dealer=seats.index(answer["deals"][0]["dealer"]),
        opening=[opening.get(name, 0) for name in seats],
    )


def stands(kept: Evening) -> dict[str, int]:
    names = load_state(*kept.keys).names
    return {names[seat]: total for seat, total in queries.session.balances(*kept.keys).items()}


def winners(kept: Evening) -> list[str]:
    return [*load_state(*kept.keys).evening.progress.winners]


def replayed(kept: Evening) -> dict[str, Any]:
    answer = replay(session_file(kept.state))
    assert answer["ok"], answer["problems"]
    return answer


def could_void(kept: Evening, number: int) -> bool:
    """Void a deal, unless a later one was played only because somebody was out by it."""
    try:
        kept.void(number)
    except InvalidError as error:
        codes = [problem.code for problem in error.problems]
        return codes != ["later-deal"]
    return True


@pytest.mark.parametrize("evening", LONGEST)
def test_golden_evening_is_kept_as_it_is_replayed_mended_and_taken_in_again(
    evening: golden.Evening,
) -> None:
    kept = begun(evening)
    for deal, line in zip(evening.session["deals"], evening.answer["deals"], strict=True):
        state = load_state(*kept.keys)
        assert state.names[state.evening.turn.dealer] == line["dealer"]
        kept.record(deal.get("sheet"), Outcome(deal.get("outcome", "played")))
        assert stands(kept) == line["balances"]

    assert winners(kept) == evening.answer["winners"]
    assert replayed(kept)["standings"] == evening.answer["standings"]
    assert_deals_can_be_voided_and_restored(kept, length(evening))
    assert_file_is_taken_in_as_it_was(kept)
    assert list(circle_findings(kept.circle_id)) == []


def assert_deals_can_be_voided_and_restored(kept: Evening, last: int) -> None:
    before = stands(kept), winners(kept)
    for number in sorted({1, (1 + last) // 2, last}):
        if could_void(kept, number):
            answer = replayed(kept)
            assert {one["player"]: one["balance"] for one in answer["standings"]} == stands(kept)
            assert winners(kept) == answer["winners"]
            kept.restore(number)
        assert (stands(kept), winners(kept)) == before


def assert_file_is_taken_in_as_it_was(kept: Evening) -> None:
    file = session_file(kept.state)
    again = Evening(keep(preview_file(file, kept), kept.by), kept.by)
    assert session_file(again.state)["deals"] == file["deals"]
    assert (stands(again), winners(again)) == (stands(kept), winners(kept))


def going_round(game: Game[Any, Any]) -> Any:
    """Give rules by which somebody comes back in, or else goes out, where the game has such."""
    presets, far = [*game.presets.values()], dict.fromkeys(all_seats(3), 0) | {BEA: FAR}
    back = (rules for rules in presets if game.buy_in_allowed(rules))
    out = (rules for rules in presets if BEA not in game.still_in(all_seats(3), far, rules))
    return next(back, None) or next(out, game.preset)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.slug) for game in all_games()])
def test_every_game_is_agreed_gone_on_from_and_known_again_in_an_old_table(
    game: Game[Any, Any],
) -> None:
    rules = going_round(game)
    count = min(count for count in game.seating(rules).for_session if count > 2)
    kept = start(rules.slug, FIVE[:count], game=game.slug, first_dealer=0)
    payouts = {"Ada": 3, "Bea": -3} if game.cancels(rules) else {"Ada": 3}
    decided: dict[str, Any] = {"payouts": payouts, "reason": "mixed cards"}
    back = game.buy_in_allowed(rules)
    if game.eliminates:
        decided["payouts"] = {"Ada": 3, "Bea": FAR}
    kept.record({**decided, "buy_in": ["Bea"]} if back else decided, Outcome.AGREED)
    assert kept.state.out == ((BEA,) if game.eliminates and not back else ())
    assert bool(kept.deal(1).entry.back_in) == back

    state, paid = kept.state, kept.deal(1).payouts
    figures = ";".join(str(paid[name]) for name in state.names)
    table = f"Data;{';'.join(state.names)}\n{state.row.started_at:%d/%m/%Y};{figures}\n"
    (told,) = preview_notebook(kept.circle_id, table.encode(), {"row": "deal"}).evenings
    assert (told["session"], told["added"]) == (kept.session_id, 0)

    file = session_file(state)
    again = Evening(keep(preview_file(file, kept), kept.by), kept.by)
    assert stands(again) == stands(kept)

    do(*kept.keys, End())
    other = next(offer.game for offer in next_games(kept.state) if offer.game is not game)
    second = start_next_match(*kept.keys, game=other.slug, by=kept.by)
    do(kept.circle_id, second, End())
    third = load_state(
        kept.circle_id, start_next_match(kept.circle_id, second, game=game.slug, by=kept.by)
    )
    assert (third.game, third.rules.slug, third.out) == (game, rules.slug, ())
    assert list(circle_findings(kept.circle_id)) == []


def preview_file(file: dict[str, Any], kept: Evening) -> SessionPreview:
    return preview_session(json.dumps(file), uuid4(), kept.circle_id)
