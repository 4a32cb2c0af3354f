"""Whole evenings of every game, kept by the services as the replay operation plays them."""

import json
from typing import Any
from uuid import uuid4

import pytest

from scorer.errors import InvalidError
from scorer.games import all_games
from scorer.operations import replay
from scorer.rules.game import Outcome
from scorer.services.files.session_files import SessionPreview, keep, preview_session, session_file
from scorer.services.journal.verify import circle_findings
from scorer.services.session.state import load_state
from scorer.storage import queries
from tests.conftest import one_in_three
from tests.data import golden
from tests.services.evenings import Evening, played_once, start
from tests.storage.conftest import SQLITE

ON_SQLITE = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)


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


EVENINGS = [
    pytest.param(evening, id=f"{game.slug}: {evening.name}")
    for game in all_games()
    for evening in golden.evenings(game)
    if is_plain(evening)
]
SOME = one_in_three({str(one.id): one.values[0] for one in EVENINGS})


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


def record(kept: Evening, deal: dict[str, Any]) -> None:
    kept.record(deal.get("sheet"), Outcome(deal.get("outcome", "played")))


@played_once
def recorded(evening: golden.Evening) -> Evening:
    """Keep a whole golden evening."""
    kept = begun(evening)
    for deal in evening.session["deals"]:
        record(kept, deal)
    return kept


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


@pytest.mark.parametrize("evening", EVENINGS)
def test_golden_evening_is_kept_as_it_is_replayed(evening: golden.Evening) -> None:
    kept = begun(evening)
    for deal, line in zip(evening.session["deals"], evening.answer["deals"], strict=True):
        state = load_state(*kept.keys)
        assert state.names[state.evening.turn.dealer] == line["dealer"]
        record(kept, deal)
        assert stands(kept) == line["balances"]

    assert winners(kept) == evening.answer["winners"]
    assert list(circle_findings(kept.circle_id)) == []
    assert replayed(kept)["standings"] == evening.answer["standings"]


@ON_SQLITE
@pytest.mark.parametrize("evening", SOME)
def test_every_deal_of_an_evening_can_be_voided_and_restored(evening: golden.Evening) -> None:
    kept = recorded(evening)
    before, won = stands(kept), winners(kept)

    for number in range(1, len(evening.session["deals"]) + 1):
        if could_void(kept, number):
            answer = replayed(kept)
            assert {one["player"]: one["balance"] for one in answer["standings"]} == stands(kept)
            assert winners(kept) == answer["winners"]
            kept.restore(number)
        assert (stands(kept), winners(kept)) == (before, won)

    assert list(circle_findings(kept.circle_id)) == []


@ON_SQLITE
@pytest.mark.parametrize("evening", SOME)
def test_file_of_an_evening_is_taken_in_as_it_was(evening: golden.Evening) -> None:
    kept = recorded(evening)
    file = session_file(kept.state)

    again = Evening(keep(preview_file(file, kept), kept.by), kept.by)

    assert session_file(again.state)["deals"] == file["deals"]
    assert (stands(again), winners(again)) == (stands(kept), winners(kept))
    assert list(circle_findings(kept.circle_id)) == []


def preview_file(file: dict[str, Any], kept: Evening) -> SessionPreview:

    return preview_session(json.dumps(file), uuid4(), kept.circle_id)
