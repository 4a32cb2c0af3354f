"""Texts in ``texts.jsonl``: what is wrong with each, by line, column and code, or its own form."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorer.cards import engine
from scorer.cards.card_lines import DealText
from scorer.cards.chiamata import parse
from scorer.cards.deal_files import read_file
from scorer.errors import InvalidError

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
            return parse(text)
        case "call":
            return parse(CALL + text)
        case "file":
            return read_file(text)
        case "evening":
            return read_file(HEADS + text)
    return engine.deal_classes()[of].parse(DealText.alone(text))


@pytest.mark.parametrize("case", TEXTS, ids=[f"{case['of']}: {case['id']}" for case in TEXTS])
def test_text_is_written_in_its_own_form_or_refused_where_it_is_wrong(case: dict[str, Any]) -> None:
    try:
        deal = read(case["of"], case["text"])
    except InvalidError as error:
        problems = [f"{problem.field} {problem.code}" for problem in error.problems]
        assert problems == case.get("problems")
    else:
        called, lines = (one.write_text().splitlines() for one in (parse(CALL), deal))
        assert [line for line in lines if line not in called] == [case.get("written")]
