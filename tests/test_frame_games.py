from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING
from typing import Any

import pytest

from scorer.games import all_games
from scorer.verbs import score
from tests.data import golden
from tests.serving import SCORER

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from scorer.rules.game import Game

GAMES = [pytest.param(game, id=game.slug) for game in all_games()]


@pytest.mark.parametrize("game", GAMES)
def test_command_and_api_and_function_answer_alike(
    client: FlaskClient, game: Game[Any, Any]
) -> None:
    asked = golden.deals(game)
    asked += [{**deal, "sheet": {}} for deal in asked[:1]]
    given = "\n".join(map(json.dumps, asked)).encode()

    printed = subprocess.run([str(SCORER), "score"], input=given, capture_output=True, check=False)

    answers = [json.loads(json.dumps(score(deal))) for deal in asked]
    assert [json.loads(line) for line in printed.stdout.splitlines()] == answers
    assert [json.loads(client.post("/api/v1/score", json=deal).data) for deal in asked] == answers


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_printed_by_command_and_api_alike(
    client: FlaskClient, game: Game[Any, Any]
) -> None:
    printed = subprocess.run(
        [str(SCORER), "rules", game.slug], capture_output=True, check=True
    ).stdout

    assert json.loads(printed) == json.loads(client.get(f"/api/v1/rules/{game.slug}").data)
    assert [rules["slug"] for rules in json.loads(printed)] == list(game.presets)
