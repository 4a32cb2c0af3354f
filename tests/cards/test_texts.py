"""Texts in ``texts.jsonl``: what is wrong with each, by line, column and code, or its own form."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorer.cards.notation.deals import parse, write_text
from scorer.cards.notation.files import read_file
from scorer.errors import InvalidError
from scorer.games import find_game
from scorer.games.briscola_chiamata import GAME

CALL = "seats: Ada, Bea, Ciro, Dora, Ezio\ndealer: Ezio\ncaller: Bea K KC\n"
HEADS = "smazzate: 1\ngame: briscola-chiamata\nseats: Ada, Bea, Ciro, Dora, Ezio\n"
TEXTS = [
    json.loads(line)
    for line in Path(__file__).with_name("texts.jsonl").read_text(encoding="utf-8").splitlines()
]


def read(of: str, text: str) -> Any:
    """Read a deal, one below its call, a file, an evening below its heads, or a game's deal."""
    match of:
        case "deal":
            return parse(GAME, text)
        case "call":
            return parse(GAME, CALL + text)
        case "file":
            return read_file(text)
        case "evening":
            return read_file(HEADS + text)
    return parse(find_game(of), text)


@pytest.mark.parametrize("case", TEXTS, ids=[f"{case['of']}: {case['id']}" for case in TEXTS])
def test_text_is_written_in_its_own_form_or_refused_where_it_is_wrong(case: dict[str, Any]) -> None:
    try:
        board = read(case["of"], case["text"])
    except InvalidError as error:
        problems = [f"{problem.field} {problem.code}" for problem in error.problems]
        assert problems == case.get("problems")
    else:
        called, lines = (write_text(one).splitlines() for one in (parse(GAME, CALL), board))
        assert [line for line in lines if line not in called] == [case.get("written")]
